//! The A of y^2 = x^3 + A x + B in formulas: zero costs nothing, a small one additions, any other a product.
//!
//! A formula is compiled for one [`Coefficient`]. What it does for others is left out before the optimiser sees it, since
//! the conditions are constants; as values they made a doubling twice as long to compile.

use super::Curve;
use crate::{
    field::{BaseField, Field},
    limbs::subtract,
};
use core::marker::PhantomData;

/// What a formula has to do for a curve's A.
pub(super) trait Coefficient: 'static {
    const KIND: Kind;
}

/// A = 0.
pub(super) struct Zero;

impl Coefficient for Zero {
    const KIND: Kind = Kind::Zero;
}

/// That of a curve.
pub(super) struct Of<C>(PhantomData<C>);

impl<C: Curve> Coefficient for Of<C> {
    const KIND: Kind = match (small(&C::A), small(&subtract(C::Field::MODULUS.value(), &C::A).0)) {
        (Some(0), _) => Kind::Zero,
        (Some(a), _) => Kind::Small(a),
        (None, Some(minus_a)) => Kind::MinusSmall(minus_a),
        (None, None) => Kind::Words(C::A),
    };
}

/// Calls a method for the A of the curve `C`. All curves with A = 0 share one copy of it.
macro_rules! by_coefficient {
    ($point:ident.$method:ident::<$curve:ident>($($argument:ident),*)) => {
        if const { <Of<$curve> as Coefficient>::KIND.is_zero() } {
            $point.$method::<Zero>($($argument),*)
        } else {
            $point.$method::<Of<$curve>>($($argument),*)
        }
    };
}
pub(super) use by_coefficient;

/// The kinds of A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A = 0.
    Zero,
    /// A from 1 to [`SMALL`].
    Small(u64),
    /// -A from 1 to [`SMALL`].
    MinusSmall(u64),
    /// Any other.
    Words([u64; 4]),
}

/// The largest number that is multiplied with by additions: the multiple of a negative is then of magnitude 7.
const SMALL: u64 = 6;

const fn small(words: &[u64; 4]) -> Option<u64> {
    let small = words[0] <= SMALL && words[1] == 0 && words[2] == 0 && words[3] == 0;
    if small { Some(words[0]) } else { None }
}

impl Kind {
    pub(super) const fn is_zero(self) -> bool {
        matches!(self, Kind::Zero)
    }

    const fn is_negative(self) -> bool {
        matches!(self, Kind::MinusSmall(_))
    }

    /// The small number, without its sign; zero if there is none.
    const fn small(self) -> u64 {
        match self {
            Kind::Small(a) | Kind::MinusSmall(a) => a,
            Kind::Zero | Kind::Words(_) => 0,
        }
    }

    const fn words(self) -> [u64; 4] {
        match self {
            Kind::Words(words) => words,
            _ => [0; 4],
        }
    }
}

/// A x for a carried x of magnitude 1, ready to be a factor or a summand of a product, of magnitude 7 at most.
#[inline(always)]
fn times<A: Coefficient, F: Field>(x: F) -> F {
    if const { A::KIND.is_zero() } {
        return F::zero();
    }
    if const { A::KIND.small() == 0 } {
        return x.mul(F::constant(const { A::KIND.words() }));
    }
    let multiple = multiple::<A, F>(x); // 6
    if const { A::KIND.is_negative() } { multiple.negate(A::KIND.small()).carry() } else { multiple } // 7
}

/// The multiple of x that A is, but for the sign, carried wherever three have been added up: numbers in doubles take no
/// more.
#[inline(always)]
fn multiple<A: Coefficient, F: Field>(x: F) -> F {
    if const { A::KIND.small() == 1 } {
        x
    } else if const { A::KIND.small() <= 3 } {
        x.scale(A::KIND.small()).carry()
    } else if const { A::KIND.small() == 5 } {
        x.scale(2).carry().scale(2).add(x).carry()
    } else {
        x.scale(A::KIND.small() / 2).carry().scale(2).carry()
    }
}

/// A, to be a summand of a product.
#[inline(always)]
pub(super) fn addend<A: Coefficient, F: Field>() -> F {
    if const { matches!(A::KIND, Kind::Words(_)) } {
        F::constant(const { A::KIND.words() })
    } else {
        times::<A, F>(F::one())
    }
}

/// `sum` + A z^4, reduced; `sum` as it is where A is zero. The sum is carried.
#[inline(always)]
pub(super) fn add_a_z4<A: Coefficient, F: Field>(sum: F, z: F) -> F {
    if const { A::KIND.is_zero() } {
        return sum;
    }
    let zz = z.square();
    times::<A, F>(zz).mul_add(zz, sum)
}
