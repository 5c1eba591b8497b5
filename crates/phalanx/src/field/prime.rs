//! The prime p = 2^256 - 2^32 - 977 of secp256k1's coordinates, and its two long powers, for any number of lanes.

use phalanx_engine::field::{Field, Prime};

/// The modulus 2^256 - 2^32 - 977 (SEC 2, section 2.4.1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct P256k1;

impl Prime for P256k1 {
    const C: u64 = 0x1_0000_03d1;

    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        // p - 2 in binary: 223 ones, a zero, 22 ones, then 0000101101.
        let Runs { two, twenty_two, many } = runs(x);
        let power = many.square_times(23).mul(twenty_two);
        let power = power.square_times(5).mul(x);
        let power = power.square_times(3).mul(two);
        power.square_times(2).mul(x)
    }
}

/// `x^((p + 1) / 4)`: the square root of `x` that is itself a square, where `x` has one, and of `-x` otherwise.
///
/// Because p = 3 mod 4 (Euler's criterion). 253 squarings and 13 multiplications; magnitude 1. Constant time.
#[inline(always)]
pub(crate) fn root_candidate<F: Field>(x: F) -> F {
    // (p + 1) / 4 in binary: 223 ones, a zero, 22 ones, then 00001100.
    let Runs { two, twenty_two, many } = runs(x);
    let power = many.square_times(23).mul(twenty_two);
    power.square_times(6).mul(two).square_times(2)
}

/// Powers of x whose exponents are runs of ones in binary.
struct Runs<F> {
    /// x^(2^2 - 1).
    two: F,
    /// x^(2^22 - 1).
    twenty_two: F,
    /// x^(2^223 - 1).
    many: F,
}

#[inline(always)]
fn runs<F: Field>(x: F) -> Runs<F> {
    // A run of a ones shifted by b squarings, times a run of b ones, is a run of a + b.
    let two = x.square().mul(x);
    let three = two.square().mul(x);
    let six = three.square_times(3).mul(three);
    let nine = six.square_times(3).mul(three);
    let eleven = nine.square_times(2).mul(two);
    let twenty_two = eleven.square_times(11).mul(eleven);
    let forty_four = twenty_two.square_times(22).mul(twenty_two);
    let eighty_eight = forty_four.square_times(44).mul(forty_four);
    let run_176 = eighty_eight.square_times(88).mul(eighty_eight);
    let run_220 = run_176.square_times(44).mul(forty_four);
    Runs { two, twenty_two, many: run_220.square_times(3).mul(three) }
}
