//! Scalars as signed digits of fixed windows, none of which is ever zero.
//!
//! An odd k with |k| < 2^b is the sum of (2 K_i - 1) 2^i over the b bits K_i of K = (k + 2^b - 1) / 2. So w bits of K,
//! as a number v, are the digit 2 v - (2^w - 1): odd, from -(2^w - 1) to 2^w - 1, never zero. No addition meets
//! infinity for want of a digit, and a digit needs 2^(w-1) multiples, the odd ones. In what follows a digit's *code* is
//! v with its lower bits inverted where the digit is negative: bit w - 1 is set for positive digits, and below it
//! stands the index of |digit| among 1, 3, 5, ...
//!
//! The generator's scalar is made odd by taking n - k for an even k; the sign is turned back by inverting all bits of
//! K. The halves of the point's scalar are made odd by adding one of the lattice's short vectors (A, -B), (A + B, A)
//! and (B, A + B), one for each way of being even somewhere; halves stay below 2^129 in absolute value.

use crate::{
    Scalar,
    glv::{A, B, minus, signed, split, wide},
    lanes::memory::{LaneWords, U256x8},
    tables::G_ODD_COMB_8_WIDTH,
};
use phalanx_engine::{
    limbs::{add192, half, subtract},
    word::Word,
};

/// Bits of a window of the generator's scalar.
pub(crate) const GENERATOR_WIDTH: usize = G_ODD_COMB_8_WIDTH as usize;
/// Windows of the generator's scalar.
pub(crate) const GENERATOR_WINDOWS: usize = 32;
/// Bits of a window of a half of the point's scalar.
pub(crate) const POINT_WIDTH: usize = 5;
/// Windows of a half: 130 bits.
pub(crate) const POINT_WINDOWS: usize = 26;

/// Windows of a half in one word of its K.
pub(crate) const WINDOWS_A_WORD: usize = 12;

/// Bits of a window of a half of the point's scalar, for a table of the point's multiples.
pub(crate) const KEY_TABLE_WIDTH: usize = 6;
/// Windows of such a half: 132 bits.
pub(crate) const KEY_TABLE_WINDOWS: usize = 22;

/// Windows of a half in one word of its K, where windows are of six bits.
const KEY_TABLE_WINDOWS_A_WORD: usize = 10;

/// K of the halves: that of 26 windows of five bits, or of 22 windows of six.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Windows {
    /// For tables made for one multiplication.
    Ordinary,
    /// For tables that are kept.
    KeyTable,
}

/// The two scalars a and b of a P + b G in each lane, as digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits {
    /// K of b.
    generator: U256x8,
    /// K of the two halves of a, 60 bits per word.
    point: [[LaneWords; 3]; 2],
}

impl Windows {
    /// Half of what is added to k for K, divided by 2^128.
    fn top(self) -> u64 {
        match self {
            Windows::Ordinary => 1 << (POINT_WIDTH * POINT_WINDOWS - 129),
            Windows::KeyTable => 1 << (KEY_TABLE_WIDTH * KEY_TABLE_WINDOWS - 129),
        }
    }
}

impl Digits {
    pub(crate) const ZERO: Digits = Digits { generator: U256x8::ZERO, point: [[LaneWords::ZERO; 3]; 2] };

    /// Sets the scalars of a lane.
    pub(crate) fn set(&mut self, lane: usize, a: &Scalar, b: &Scalar) {
        self.set_for(Windows::Ordinary, lane, a, b);
    }

    /// Sets the scalars of a lane for a kind of windows.
    pub(crate) fn set_for(&mut self, windows: Windows, lane: usize, a: &Scalar, b: &Scalar) {
        self.generator.set(lane, generator_words(b));
        let (k1, k2) = split(a);
        let (k1, k2) = (signed(&k1), signed(&k2));
        let (a, b) = (wide(A), wide(B));
        let (u, v) = match (k1[0] & 1, k2[0] & 1) {
            (1, 1) => ([0; 3], [0; 3]),
            (0, 0) => (a, minus(&b)),
            (1, _) => (add192(&a, &b), a),
            (_, _) => (b, add192(&a, &b)),
        };
        for (half, k) in self.point.iter_mut().zip([add192(&k1, &u), add192(&k2, &v)]) {
            for (line, word) in half.iter_mut().zip(shifted_to(&k, windows.top())) {
                line.0[lane] = word;
            }
        }
    }

    /// Sets the generator's scalar of a lane alone.
    pub(crate) fn set_generator(&mut self, lane: usize, b: &Scalar) {
        self.generator.set(lane, generator_words(b));
    }

    /// Takes over the scalars of a lane of others.
    pub(crate) fn take_lane(&mut self, lane: usize, others: &Self, from: usize) {
        self.generator.take_lane(lane, &others.generator, from);
        let lines = self.point.as_flattened_mut().iter_mut().zip(others.point.as_flattened());
        lines.for_each(|(line, others)| line.take_lane(lane, others, from));
    }

    /// The codes of window `window` of the generator's scalar.
    #[inline(always)]
    pub(crate) fn generator<W: Word>(&self, window: usize) -> W {
        let k: W = self.generator.0[window / 8].load();
        code::<W, GENERATOR_WIDTH>(k, GENERATOR_WIDTH * (window % 8))
    }

    /// The codes of window `window` of half `half`, for [`Windows::KeyTable`].
    #[inline(always)]
    pub(crate) fn prepared<W: Word>(&self, half: usize, window: usize) -> W {
        let k: W = self.point[half][window / KEY_TABLE_WINDOWS_A_WORD].load();
        code::<W, KEY_TABLE_WIDTH>(k, KEY_TABLE_WIDTH * (window % KEY_TABLE_WINDOWS_A_WORD))
    }

    /// The codes of window `window` of half `half`, for [`Windows::Ordinary`].
    #[inline(always)]
    pub(crate) fn point<W: Word>(&self, half: usize, window: usize) -> W {
        let k: W = self.point[half][window / WINDOWS_A_WORD].load();
        code::<W, POINT_WIDTH>(k, POINT_WIDTH * (window % WINDOWS_A_WORD))
    }
}

/// K of the generator's scalar.
pub(crate) fn generator_words(b: &Scalar) -> [u64; 4] {
    let odd = b.limbs()[0] & 1 == 1;
    let k = if odd { b.limbs() } else { subtract(&Scalar::ORDER, &b.limbs()).0 };
    let flip = if odd { 0 } else { u64::MAX };
    let mut k = half(&k);
    k[3] |= 1 << 63;
    k.map(|word| word ^ flip)
}

/// The code of the `WIDTH` bits from bit `from`.
#[inline(always)]
pub(crate) fn code<W: Word, const WIDTH: usize>(k: W, from: usize) -> W {
    let bits = k.shr_lanes(W::splat(from as u64)).and(W::splat((1 << WIDTH) - 1));
    let negative = bits.less(W::splat(1 << (WIDTH - 1)));
    bits.xor(W::select(negative, W::splat((1 << (WIDTH - 1)) - 1), W::splat(0)))
}

/// K of an odd half k, 60 bits per word: (k + 2^130 - 1) / 2 = [k / 2] + 2^129, which has 130 bits.
pub(crate) fn shifted(k: &[u64; 3]) -> [u64; 3] {
    shifted_to(k, Windows::Ordinary.top())
}

/// The same with `top` 2^128 for 2^129.
fn shifted_to(k: &[u64; 3], top: u64) -> [u64; 3] {
    let (k0, k1) = (k[0] >> 1 | k[1] << 63, k[1] >> 1 | k[2] << 63);
    let k2 = ((k[2] as i64 >> 1) as u64).wrapping_add(top);
    const WORD: u64 = (1 << 60) - 1;
    [k0 & WORD, (k0 >> 60 | k1 << 4) & WORD, k1 >> 56 | k2 << 8]
}
