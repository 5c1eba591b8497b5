//! Secret scalars as signed digits of fixed windows, none of which is ever zero: the form that the public
//! [`digits`](super::digits) explains, computed in constant time.

use super::digits::{self as public, POINT_WIDTH, shifted};
use crate::{
    Scalar,
    glv::{A, B, minus, signed, split, wide},
    lanes::memory::LaneWords,
    tables::G_ODD_COMB_7_WIDTH,
    wipe::Zero,
};
use phalanx_engine::{
    limbs::{add, add192, half, subtract},
    mask::{from_bit, is_zero, select4},
    word::{LANES, Word},
};
use zeroize::Zeroize;

/// Bits of a window of the generator's scalar, in eight rows.
pub(crate) const GENERATOR_WIDTH: usize = G_ODD_COMB_7_WIDTH as usize;
/// Windows of the generator's scalar: 259 bits.
pub(crate) const GENERATOR_WINDOWS: usize = 37;

/// The windows that a word of [`generator_words`] has whole.
pub(crate) const fn windows_a_word(width: usize) -> usize {
    63 / width
}

/// The odd k whose digits make the last two sums of [`eight_rows_ct`](super::generator) equal: n in digits of seven bits,
/// those of one sum with the other sign.
pub(crate) const EQUAL_SUMS: [u64; 4] =
    [0xbfd1_a683_3036_3e41, 0xba50_df1e_af57_6044, 0xff80_fe03_fff0_1ffe, 0xe03f_80ff_fc07_f01f];

/// The scalar k of k G in each lane: the 259 bits of K = (k + 2^259 - 1) / 2 for an odd k, and inverted those of n - k
/// for an even one; 63 bits per word. Where that odd number is [`EQUAL_SUMS`], K is made of it plus 2 n.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeneratorDigits([LaneWords; 5]);

impl Zero for GeneratorDigits {
    const ZERO: GeneratorDigits = GeneratorDigits([LaneWords::ZERO; 5]);
}

impl GeneratorDigits {
    /// The scalar 1 in every lane.
    pub(crate) fn of_one() -> GeneratorDigits {
        let mut digits = Self::ZERO;
        (0..LANES).for_each(|lane| digits.set(lane, &Scalar::ONE));
        digits
    }

    /// Sets the scalar of a lane. Constant time.
    pub(crate) fn set(&mut self, lane: usize, k: &Scalar) {
        let mut words = generator_words::<GENERATOR_WIDTH, GENERATOR_WINDOWS>(k, &EQUAL_SUMS);
        for (line, word) in self.0.iter_mut().zip(words) {
            line.0[lane] = word;
        }
        words.zeroize();
    }

    /// The codes of a window: bit 6 is set for positive digits, below it stands the index of |digit| among 1, 3, 5, ...
    #[inline(always)]
    pub(crate) fn code<W: Word>(&self, window: usize) -> W {
        let k: W = self.0[window / windows_a_word(GENERATOR_WIDTH)].load();
        public::code::<W, GENERATOR_WIDTH>(k, GENERATOR_WIDTH * (window % windows_a_word(GENERATOR_WIDTH)))
    }
}

/// The bits of K for one scalar, in words of whole windows, as in [`GeneratorDigits`]. For the odd k `replaced`, and for
/// its negative, they are the bits of k + 2 n. Constant time.
pub(crate) fn generator_words<const WIDTH: usize, const WINDOWS: usize>(k: &Scalar, replaced: &[u64; 4]) -> [u64; 5] {
    let bits = const { WIDTH * windows_a_word(WIDTH) };
    let mut k = k.limbs();
    let even = from_bit(!k[0] & 1);
    let mut negated = subtract(&Scalar::ORDER, &k).0;
    k = select4(&k, &negated, even);
    // With b = WIDTH WINDOWS, (k + 2^b - 1) / 2 = [k / 2] + 2^(b - 1), and n more for k + 2 n.
    let is_replaced = is_zero(&core::array::from_fn(|i| k[i] ^ replaced[i]));
    let ([a, b, c, d], carry) = add(&half(&k), &Scalar::ORDER.map(|limb| limb & is_replaced));
    let mut limbs = [a, b, c, d, (1 << (WIDTH * WINDOWS - 1 - 256)) + u64::from(carry)];
    let words = core::array::from_fn(|i| {
        let (limb, from) = (bits * i / 64, bits * i % 64);
        let above = if from == 0 { 0 } else { limbs[limb + 1] << (64 - from) };
        ((limbs[limb] >> from | above) ^ even) & ((1 << bits) - 1)
    });
    negated.zeroize();
    k.zeroize();
    limbs.zeroize();
    words
}

/// The scalar k of k P in each lane: K of its two halves, each with a lattice vector that makes it odd; 60 bits per
/// word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointDigits([[LaneWords; 3]; 2]);

impl Zero for PointDigits {
    const ZERO: PointDigits = PointDigits([[LaneWords::ZERO; 3]; 2]);
}

impl PointDigits {
    /// The scalar 1 in every lane.
    pub(crate) fn of_one() -> PointDigits {
        Self::of(&Scalar::ONE)
    }

    /// The same scalar in every lane. Constant time.
    pub(crate) fn of(k: &Scalar) -> PointDigits {
        let mut digits = Self::ZERO;
        (0..LANES).for_each(|lane| digits.set(lane, k));
        digits
    }

    /// Sets the scalar of a lane. Constant time.
    pub(crate) fn set(&mut self, lane: usize, k: &Scalar) {
        let mut halves = point_words(k);
        for (lines, words) in self.0.iter_mut().zip(&halves) {
            for (line, word) in lines.iter_mut().zip(words) {
                line.0[lane] = *word;
            }
        }
        halves.zeroize();
    }

    /// The codes of a window of a half: bit 4 is set for positive digits.
    #[inline(always)]
    pub(crate) fn code<W: Word>(&self, half: usize, window: usize) -> W {
        let k: W = self.0[half][window / public::WINDOWS_A_WORD].load();
        public::code::<W, POINT_WIDTH>(k, POINT_WIDTH * (window % public::WINDOWS_A_WORD))
    }
}

/// The words of the two halves of one scalar of [`PointDigits`]. Constant time.
pub(crate) fn point_words(k: &Scalar) -> [[u64; 3]; 2] {
    let (k1, k2) = split(k);
    let (even1, even2) = (from_bit(!k1.magnitude as u64 & 1), from_bit(!k2.magnitude as u64 & 1));
    // (A, -B), (A + B, A) or (B, A + B): A and B are odd.
    let (both, second, first) = (even1 & even2, even2 & !even1, even1 & !even2);
    let choose = |a: [u64; 3], b: [u64; 3], c: [u64; 3]| -> [u64; 3] {
        core::array::from_fn(|i| a[i] & both | b[i] & second | c[i] & first)
    };
    let (a, b) = (wide(A), wide(B));
    let (minus_b, sum) = (minus(&b), add192(&a, &b));
    let (u, v) = (choose(a, sum, b), choose(minus_b, a, sum));
    [shifted(&add192(&signed(&k1), &u)), shifted(&add192(&signed(&k2), &v))]
}
