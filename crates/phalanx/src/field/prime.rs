//! The prime p = 2^256 - 2^32 - 977 of secp256k1's coordinates, and its two long powers, for any number of lanes.

use phalanx_engine::field::{Field, Prime};

/// The modulus 2^256 - 2^32 - 977 (SEC 2, section 2.4.1).
#[derive(Clone, Copy, Debug)]
pub struct P256k1;

impl Prime for P256k1 {
    const C: u64 = 0x1_0000_03d1;

    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        // p - 2 in binary: 223 ones, a zero, 22 ones, then 0000101101.
        power(x, [Step(23, RUN_22, OWN), Step(5, X, OWN), Step(3, RUN_2, OWN), Step(2, X, OWN)])
    }
}

/// `x^((p + 1) / 4)`: the square root of `x` that is itself a square, where `x` has one, and of `-x` otherwise.
///
/// Because p = 3 mod 4 (Euler's criterion). 253 squarings and 13 multiplications; magnitude 1. Constant time.
#[inline(always)]
pub(crate) fn root_candidate<F: Field>(x: F) -> F {
    // (p + 1) / 4 in binary: 223 ones, a zero, 22 ones, then 00001100.
    power(x, [Step(23, RUN_22, OWN), Step(6, RUN_2, OWN)]).square_times(2)
}

/// So many squarings, then a product with the power at a place; and the place where the result is kept.
#[derive(Clone, Copy)]
struct Step(u32, usize, usize);

// Places.
/// x itself.
const X: usize = 0;
/// x^(2^2 - 1), whose exponent is a run of two ones in binary; the others likewise.
const RUN_2: usize = 1;
const RUN_3: usize = 2;
const RUN_22: usize = 3;
const RUN_44: usize = 4;
/// The power that a step begins with.
const OWN: usize = 5;
const PLACES: usize = 6;

/// The way to x^(2^223 - 1). A run of a ones shifted by b squarings, times a run of b ones, is a run of a + b.
const RUN_223: [Step; 11] = [
    Step(1, X, RUN_2),
    Step(1, X, RUN_3),
    Step(3, OWN, OWN),     // 6
    Step(3, RUN_3, OWN),   // 9
    Step(2, RUN_2, OWN),   // 11
    Step(11, OWN, RUN_22), // 22
    Step(22, OWN, RUN_44), // 44
    Step(44, OWN, OWN),    // 88
    Step(88, OWN, OWN),    // 176
    Step(44, RUN_44, OWN), // 220
    Step(3, RUN_3, OWN),   // 223
];

/// The power of x at the end of [`RUN_223`] and the steps after it. All steps are one piece of code, since many chains
/// side by side make a long one.
#[inline(always)]
fn power<F: Field, const N: usize>(x: F, steps: [Step; N]) -> F {
    let mut kept = [x; PLACES];
    let mut power = x;
    for Step(squarings, by, keep) in RUN_223.into_iter().chain(steps) {
        kept[OWN] = power;
        power = power.square_times(squarings).mul(kept[by]);
        kept[keep] = power;
    }
    power
}
