//! RIPEMD-160 of sixteen hashes side by side (Dobbertin, Bosselaers and Preneel, "RIPEMD-160: a strengthened version of
//! RIPEMD", 1996). Constant time.

use super::{
    memory::Machine,
    sha256::{EightWords, Line16},
};
use phalanx_engine::word::{NARROW_LANES, Narrow, Op, Word};

/// Words of a hash.
pub(super) const WORDS: usize = 5;

/// Replaces the first five words of messages of 32 bytes by their hashes. Both are words with the first byte on top,
/// and the other words mean nothing afterwards.
pub(super) fn ripemd160<M: Machine>(machine: M, numbers: &mut EightWords) {
    let turn = |lines: &mut [Line16]| lines.iter_mut().flat_map(|line| &mut line.0).for_each(|w| *w = w.swap_bytes());
    turn(numbers);
    machine.run(Ripemd160(numbers));
    turn(numbers);
}

struct Ripemd160<'a>(&'a mut EightWords);

impl Op for Ripemd160<'_> {
    type Output = ();
    const INTEGERS: bool = true;

    #[inline(always)]
    fn call<W: Word>(self) {
        // The message, then its padding and its length in bits.
        let mut block = [Line16([0; NARROW_LANES]); 16];
        block[..8].copy_from_slice(self.0);
        block[8] = Line16([0x80; NARROW_LANES]);
        block[14] = Line16([256; NARROW_LANES]);

        // Written out: a function given to `map` is not inlined here, and would be compiled without vectors.
        let [a, b, c, d, e] = [
            W::Narrow::splat(INITIAL[0]),
            W::Narrow::splat(INITIAL[1]),
            W::Narrow::splat(INITIAL[2]),
            W::Narrow::splat(INITIAL[3]),
            W::Narrow::splat(INITIAL[4]),
        ];
        let (mut left, mut right) = ([a, b, c, d, e], [a, b, c, d, e]);
        for round in 0..ROUNDS {
            let (k, k_right) = (W::Narrow::splat(LEFT_K[round]), W::Narrow::splat(RIGHT_K[round]));
            for at in 16 * round..16 * round + 16 {
                let word = W::Narrow::from_lanes(block[usize::from(LEFT_WORDS[at])].0);
                left = step(left, round, word.add(k), LEFT_SHIFTS[at]);
                let word = W::Narrow::from_lanes(block[usize::from(RIGHT_WORDS[at])].0);
                right = step(right, ROUNDS - 1 - round, word.add(k_right), RIGHT_SHIFTS[at]);
            }
        }
        let ([f, g, h, i, j], [k, l, m, n, o]) = (left, right);
        let sums = [b.add(h).add(n), c.add(i).add(o), d.add(j).add(k), e.add(f).add(l), a.add(g).add(m)];
        for (line, sum) in self.0.iter_mut().zip(sums) {
            line.0 = sum.to_lanes();
        }
    }
}

/// A step of a line: the word comes with the round's constant, and `function` is the number of the round's function.
#[inline(always)]
fn step<N: Narrow>([a, b, c, d, e]: [N; WORDS], function: usize, word: N, shift: u8) -> [N; WORDS] {
    let sum = a.add(mixed(function, b, c, d)).add(word);
    [e, rotate_left(sum, shift).add(e), b, c.rotate_right::<22>(), d]
}

/// The functions of the five rounds.
#[inline(always)]
fn mixed<N: Narrow>(function: usize, x: N, y: N, z: N) -> N {
    // `y.choose(x, ones)` is `x | !y`.
    match function {
        0 => N::xor3(x, y, z),
        1 => x.choose(y, z),
        2 => N::xor3(y.choose(x, N::splat(u32::MAX)), z, N::splat(0)),
        3 => z.choose(x, y),
        _ => N::xor3(x, z.choose(y, N::splat(u32::MAX)), N::splat(0)),
    }
}

/// Rotation to the left by a number of bits of the tables, which is public.
#[inline(always)]
fn rotate_left<N: Narrow>(word: N, bits: u8) -> N {
    match bits {
        5 => word.rotate_right::<27>(),
        6 => word.rotate_right::<26>(),
        7 => word.rotate_right::<25>(),
        8 => word.rotate_right::<24>(),
        9 => word.rotate_right::<23>(),
        11 => word.rotate_right::<21>(),
        12 => word.rotate_right::<20>(),
        13 => word.rotate_right::<19>(),
        14 => word.rotate_right::<18>(),
        15 => word.rotate_right::<17>(),
        _ => unreachable!("no step moves by {bits} bits"),
    }
}

const ROUNDS: usize = 5;
const INITIAL: [u32; WORDS] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
const LEFT_K: [u32; ROUNDS] = [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e];
const RIGHT_K: [u32; ROUNDS] = [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0];
/// The word of the message for each step.
const LEFT_WORDS: [u8; 80] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8, 3, 10,
    14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7,
    12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
];
const RIGHT_WORDS: [u8; 80] = [
    5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2, 15, 5,
    1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14, 12, 15, 10, 4,
    1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
];
/// The number of bits of each step's rotation.
const LEFT_SHIFTS: [u8; 80] = [
    11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12, 11,
    13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15,
    5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6,
];
const RIGHT_SHIFTS: [u8; 80] = [
    8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11, 9,
    7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8, 8, 5,
    12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
];
