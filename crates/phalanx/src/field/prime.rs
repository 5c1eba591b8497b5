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
    root_power(x)
}

/// [`root_candidate`] of two numbers in step: each waits for its own last squaring, which leaves a machine time for the
/// other's.
#[allow(dead_code, reason = "only the lanes have two numbers at once")]
#[inline(always)]
pub(crate) fn root_candidates<F: Field>(x: F, y: F) -> (F, F) {
    let Twins(x, y) = root_power(Twins(x, y));
    (x, y)
}

#[inline(always)]
fn root_power<F: Power>(x: F) -> F {
    // (p + 1) / 4 in binary: 223 ones, a zero, 22 ones, then 00001100.
    let Runs { two, twenty_two, many } = runs(x);
    let power = many.squared_times(23).times(twenty_two);
    power.squared_times(6).times(two).squared_times(2)
}

/// What a power needs.
trait Power: Copy {
    fn times(self, other: Self) -> Self;
    fn squared(self) -> Self;
    #[inline(always)]
    fn squared_times(self, n: u32) -> Self {
        let mut x = self;
        for _ in 0..n {
            x = x.squared();
        }
        x
    }
}

impl<F: Field> Power for F {
    #[inline(always)]
    fn times(self, other: F) -> F {
        self.mul(other)
    }
    #[inline(always)]
    fn squared(self) -> F {
        self.square()
    }
}

/// Two numbers of one power.
#[derive(Clone, Copy)]
struct Twins<F>(F, F);

impl<F: Field> Power for Twins<F> {
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Twins(self.0.mul(other.0), self.1.mul(other.1))
    }
    #[inline(always)]
    fn squared(self) -> Self {
        Twins(self.0.square(), self.1.square())
    }
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
fn runs<F: Power>(x: F) -> Runs<F> {
    // A run of a ones shifted by b squarings, times a run of b ones, is a run of a + b.
    let two = x.squared().times(x);
    let three = two.squared().times(x);
    let six = three.squared_times(3).times(three);
    let nine = six.squared_times(3).times(three);
    let eleven = nine.squared_times(2).times(two);
    let twenty_two = eleven.squared_times(11).times(eleven);
    let forty_four = twenty_two.squared_times(22).times(twenty_two);
    let eighty_eight = forty_four.squared_times(44).times(forty_four);
    let run_176 = eighty_eight.squared_times(88).times(eighty_eight);
    let run_220 = run_176.squared_times(44).times(forty_four);
    Runs { two, twenty_two, many: run_220.squared_times(3).times(three) }
}
