//! The A of y^2 = x^3 + A x + B in formulas: zero costs nothing, a small one additions, any other a product.

use super::Curve;
use crate::{
    field::{BaseField, Field},
    limbs::subtract,
};

/// What a formula has to do for a curve's A, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coefficient {
    /// A = 0.
    Zero,
    /// A from 1 to [`Self::SMALL`].
    Small(u64),
    /// -A from 1 to [`Self::SMALL`].
    MinusSmall(u64),
    /// Any other.
    Words([u64; 4]),
}

impl Coefficient {
    /// The largest number that is multiplied with by additions: the multiple of a negative is then of magnitude 7.
    const SMALL: u64 = 6;

    /// That of a curve.
    pub(super) const fn of<C: Curve>() -> Self {
        match (Self::small(&C::A), Self::small(&subtract(C::Field::MODULUS.value(), &C::A).0)) {
            (Some(0), _) => Self::Zero,
            (Some(a), _) => Self::Small(a),
            (None, Some(minus_a)) => Self::MinusSmall(minus_a),
            (None, None) => Self::Words(C::A),
        }
    }

    const fn small(words: &[u64; 4]) -> Option<u64> {
        let small = words[0] <= Self::SMALL && words[1] == 0 && words[2] == 0 && words[3] == 0;
        if small { Some(words[0]) } else { None }
    }

    /// A x for a carried x of magnitude 1, ready to be a factor or a summand of a product, of magnitude 7 at most.
    #[inline(always)]
    fn times<F: Field>(self, x: F) -> F {
        match self {
            Self::Zero => F::zero(),
            Self::Small(a) => multiple(x, a), // 6
            Self::MinusSmall(minus_a) => multiple(x, minus_a).negate(minus_a).carry(), // 7
            Self::Words(words) => x.mul(F::constant(words)),
        }
    }

    /// A, to be a summand of a product.
    #[inline(always)]
    pub(super) fn addend<F: Field>(self) -> F {
        match self {
            Self::Words(words) => F::constant(words),
            small => small.times(F::one()),
        }
    }

    /// `sum` + A z^4, reduced; `sum` as it is where A is zero. The sum is carried.
    #[inline(always)]
    pub(super) fn add_a_z4<F: Field>(self, sum: F, z: F) -> F {
        if self == Self::Zero {
            return sum;
        }
        let zz = z.square();
        self.times(zz).mul_add(zz, sum)
    }
}

/// `factor * x` for a factor from 1 to 6, carried wherever three have been added up: numbers in doubles take no more.
#[inline(always)]
fn multiple<F: Field>(x: F, factor: u64) -> F {
    match factor {
        1 => x,
        2 | 3 => x.scale(factor).carry(),
        4 | 6 => x.scale(factor / 2).carry().scale(2).carry(),
        _ => x.scale(2).carry().scale(2).add(x).carry(),
    }
}
