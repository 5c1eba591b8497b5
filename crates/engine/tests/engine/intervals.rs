//! No limb can leave its width, for any input: every kernel and every formula run once on intervals.
//!
//! Each run also says how far the bound could be loosened: the greatest magnitude that passes is stated beside the
//! documented one, and the run must fail one step beyond. So a statement here that is too generous fails, and so does
//! one that is too modest.

use crate::backends::{Lanes, ModP, Operation};
use crate::bounds::{Bounds, Steepest, greatest, passes};
use crate::groups::Sloped;
use crate::moduli::{BandersnatchBase, OrderN};
use crate::montgomery::ModM;
use crate::operations::*;
use crate::secp256k1::P256k1;
use phalanx_engine::field::LOOSE;
use phalanx_engine::word::proof::interval::Interval;
use std::marker::PhantomData;

const FULL: u64 = (1 << 52) - 1;
const FULL_TOP: u64 = (1 << 48) - 1;

/// Every limb as large as the magnitude allows.
fn loose(magnitude: u64) -> [Interval; 5] {
    let limb = Interval::up_to(2 * magnitude * FULL);
    [limb, limb, limb, limb, Interval::up_to(2 * magnitude * FULL_TOP)]
}

/// Limbs 0 to 3 below 2^52.
fn carried(magnitude: u64) -> [Interval; 5] {
    let limb = Interval::up_to(FULL);
    [limb, limb, limb, limb, Interval::up_to(2 * magnitude * FULL_TOP)]
}

/// The magnitude of the limbs under the top one, and the largest top limb.
fn uneven(magnitude: u64, top: u64) -> [Interval; 5] {
    let [a, b, c, d, _] = loose(magnitude);
    [a, b, c, d, Interval::up_to(top)]
}

/// Runs on intervals in the field `L`, and asserts that every output has the ranges `output`.
fn run<L: Lanes, const N: usize, const M: usize>(
    operation: impl Operation<N, M>,
    inputs: [[Interval; 5]; N],
    output: [Interval; 5],
) {
    let (results, _) = operation.call(inputs.map(L::load::<Interval>));
    for result in results {
        for (limb, allowed) in L::store::<Interval>(result).into_iter().zip(output) {
            assert!(limb.is_within(allowed), "{limb:x?} is not within {allowed:x?}");
        }
    }
}

/// Ranges from a bound.
type From<const N: usize> = fn(u64) -> [[Interval; 5]; N];

/// The greatest bound that passes in the field `L`.
fn largest<L: Lanes, const N: usize, const M: usize>(
    operation: impl Operation<N, M>,
    inputs: From<N>,
    output: From<1>,
    documented: u64,
) -> u64 {
    greatest(documented, |m| run::<L, N, M>(operation, inputs(m), output(m)[0]))
}

impl Bounds {
    /// The operation must pass for every prime where `inputs` and `output` are given `documented`; `stated` is the
    /// greatest that passes for secp256k1's prime.
    fn limbs<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: From<N>,
        output: From<1>,
        documented: u64,
        stated: u64,
    ) {
        run::<ModP<Steepest>, N, M>(operation, inputs(documented), output(documented)[0]);
        let found = largest::<ModP<P256k1>, N, M>(operation, inputs, output, documented);
        self.compare(&operation, documented, [found], [stated]);
    }

    /// Likewise where all inputs are carried and factors.
    fn factors<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        output: From<1>,
        documented: u64,
        stated: u64,
    ) {
        refuses_53_bits(operation);
        self.limbs(operation, |m| [carried(m); N], output, documented, stated);
    }

    /// Likewise in the Montgomery field, modulo secp256k1's group order and modulo Bandersnatch's prime.
    fn montgomery<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: From<N>,
        output: From<1>,
        documented: u64,
        stated: [u64; 2],
    ) {
        let order = largest::<ModM<OrderN>, N, M>(operation, inputs, output, documented);
        let base = largest::<ModM<BandersnatchBase>, N, M>(operation, inputs, output, documented);
        self.compare(&operation, documented, [order, base], stated);
    }
}

/// A factor must be carried to the last bit: no limb of it may reach 2^52.
fn refuses_53_bits<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
    for beyond in 0..5 {
        let mut factor = carried(1);
        factor[beyond] = Interval::up_to(FULL + 1);
        assert!(!passes(|| run::<ModP<P256k1>, N, M>(operation, [factor; N], carried(1))));
    }
}

/// Carried and of magnitude 1: what every product and every coordinate is.
const TIGHT: From<1> = |_| [carried(1)];
/// For operations without a number to give.
const NONE: From<1> = TIGHT;

#[test]
fn sums_and_carries() {
    let mut bounds = Bounds::default();
    bounds.limbs(Negate(7), |m| [loose(m)], |_| [loose(8)], 7, 7);
    bounds.limbs(Carry, |m| [loose(m)], |m| [carried(m + 1)], 7, 2048);
    bounds.limbs(Weaken, |m| [loose(m)], TIGHT, 24, 2047);
    bounds.limbs(Normalize, |m| [loose(m)], TIGHT, 24, 2047);
    bounds.limbs(IsZero, |m| [loose(m)], NONE, 24, 2047);
    bounds.limbs(Equals, |m| [loose(m), loose(1)], NONE, 22, 2045);
}

#[test]
fn products() {
    let mut bounds = Bounds::default();
    bounds.factors(Mul, TIGHT, 7, 8);
    bounds.factors(Square, TIGHT, 7, 8);
    bounds.limbs(MulAdd, |m| [carried(m), carried(m), loose(80)], TIGHT, 7, 8);
    bounds.limbs(MulAdd, |m| [carried(7), carried(7), loose(m)], TIGHT, 80, 2043);
    bounds.limbs(SquareAdd, |m| [carried(m), loose(80)], TIGHT, 7, 8);
    bounds.limbs(SquareAdd, |m| [carried(7), loose(m)], TIGHT, 80, 2043);
    bounds.limbs(MulLess, |m| [carried(m), carried(m), loose(79)], TIGHT, 7, 8);
    bounds.limbs(SquareLess::<1>, |m| [carried(m), loose(79)], TIGHT, 7, 8);
    bounds.limbs(SquareLess::<2>, |m| [carried(m), loose(39)], TIGHT, 7, 8);
    bounds.factors(MulScaled::<4>, TIGHT, 1, 8);
    bounds.factors(SquareScaled::<4>, |_| [carried(4)], 1, 8);
    bounds.factors(MulLoose, |_| [uneven(LOOSE, 2 * FULL_TOP)], 3, 8);
    bounds.limbs(DifferenceOfProduct, |m| [carried(2), carried(4), loose(m)], |_| [carried(4)], 2, 2);
    bounds.limbs(MulPlus, |m| [carried(m), carried(m), carried(2), carried(4)], TIGHT, 4, 5);
    bounds.limbs(MulPlus, |m| [carried(4), carried(4), carried(2), carried(m)], TIGHT, 4, 8);
    bounds.limbs(MulPlusSquare, |m| [carried(m), carried(m), carried(2)], TIGHT, 4, 5);
    bounds.limbs(MulPlusSquare, |m| [carried(4), carried(4), carried(m)], TIGHT, 2, 3);
    bounds.limbs(SquarePlus, |m| [carried(m), carried(2), carried(4)], TIGHT, 4, 5);
    bounds.factors(Invert, TIGHT, 7, 8);
}

/// What [`LOOSE`] says of the left side of a difference.
#[test]
fn differences_of_loose_numbers() {
    let run = |m| run::<ModP<P256k1>, 2, 1>(Difference(2), [uneven(m, FULL_TOP), loose(2)], carried(4));
    assert_eq!(greatest(LOOSE, run), 1024);
}

#[test]
fn factors_stay_below_52_bits() {
    refuses_53_bits(MulAdd);
    refuses_53_bits(SquareAdd);
    refuses_53_bits(MulPlus);
    refuses_53_bits(MulPlusSquare);
    refuses_53_bits(SquarePlus);
}

/// Coordinates in and out of formulas are carried and of magnitude 1.
#[test]
fn formulas() {
    let mut bounds = Bounds::default();
    bounds.factors(Double, TIGHT, 1, 8);
    bounds.limbs(NegatePoint, |m| [carried(m); 3], TIGHT, 1, 1);
    bounds.factors(AddMixed, TIGHT, 1, 2);
    bounds.factors(Add, TIGHT, 1, 8);
    bounds.factors(AddCoZ, TIGHT, 1, 2);
    bounds.factors(DoubleCoZ, TIGHT, 1, 8);
    bounds.factors(AddWith, TIGHT, 1, 1);
    bounds.limbs(AddWith, |m| [carried(1), loose(m), carried(1), loose(2), carried(1)], TIGHT, 2, 2);
    bounds.limbs(AddWith, |m| [carried(1), loose(2), carried(1), loose(m), carried(1)], TIGHT, 2, 5);
    bounds.limbs(AddWith, |m| [carried(1), loose(2), carried(1), loose(2), carried(m)], TIGHT, 7, 8);
    bounds.factors(DoubleWith, TIGHT, 1, 1);
    bounds.limbs(ChordDenominator, |m| [carried(m); 4], |_| [carried(4)], 1, 1);
    bounds.limbs(TangentDenominator, |m| [carried(m); 2], |_| [carried(3)], 1, 1);
    bounds.factors(AddMixedComplete, TIGHT, 1, 1);
    bounds.factors(AddComplete, TIGHT, 1, 1);
    bounds.factors(SamePoint, NONE, 1, 8);
    bounds.factors(ToAffine, TIGHT, 1, 8);
    bounds.factors(OnCurve, NONE, 1, 8);
    bounds.limbs(Endomorphism, |m| [carried(m); 2], |m| [carried(m)], 1, 8);
    bounds.limbs(NegateAffine, |m| [carried(m); 2], |m| [carried(m)], 1, 2);
    bounds.factors(Image, TIGHT, 1, 8);
    bounds.factors(Equation, TIGHT, 1, 2);
    bounds.factors(EquationY, TIGHT, 1, 8);
    bounds.factors(EquationSumY, TIGHT, 1, 2);
}

#[test]
fn montgomery() {
    let mut bounds = Bounds::default();
    bounds.montgomery(Negate(7), |m| [loose(m)], |_| [loose(8)], 7, [7, 7]);
    bounds.montgomery(Carry, |m| [loose(m)], |m| [carried(m + 1)], 7, [2048, 2048]);
    bounds.montgomery(Weaken, |m| [loose(m)], TIGHT, 24, [2047, 2047]);
    bounds.montgomery(Normalize, |m| [loose(m)], TIGHT, 24, [2047, 2047]);
    bounds.montgomery(IsZero, |m| [loose(m)], NONE, 24, [2047, 2047]);
    bounds.montgomery(Equals, |m| [loose(m), loose(1)], NONE, 22, [2046, 2046]);
    bounds.montgomery(Mul, |m| [carried(m), carried(1)], TIGHT, 5, [8, 6]);
    bounds.montgomery(Square, |m| [carried(m)], TIGHT, 2, [8, 2]);
    bounds.montgomery(MulAdd, |m| [carried(m), carried(m), loose(80)], TIGHT, 7, [8, 8]);
    bounds.montgomery(MulAdd, |m| [carried(7), carried(7), loose(m)], TIGHT, 80, [2038, 2040]);
    bounds.montgomery(SquareAdd, |m| [carried(m), loose(80)], TIGHT, 7, [8, 8]);
    bounds.montgomery(SquareAdd, |m| [carried(7), loose(m)], TIGHT, 80, [2038, 2040]);
    bounds.montgomery(MulScaled::<4>, |m| [carried(m), carried(m)], TIGHT, 1, [2, 1]);
    bounds.montgomery(SquareScaled::<4>, |m| [carried(m)], |_| [carried(5)], 1, [8, 2]);
    bounds.montgomery(DifferenceOfProduct, |m| [carried(2), carried(4), loose(m)], |_| [carried(5)], 2, [2, 2]);
    bounds.montgomery(MulPlus, |m| [carried(m), carried(m), carried(2), carried(4)], TIGHT, 4, [8, 8]);
    bounds.montgomery(MulPlusSquare, |m| [carried(4), carried(4), carried(m)], TIGHT, 2, [8, 2]);
    bounds.montgomery(SquarePlus, |m| [carried(m), carried(2), carried(4)], TIGHT, 4, [8, 8]);
    bounds.montgomery(LeaveMontgomery, |m| [carried(m)], NONE, 7, [32715, 32708]);
    bounds.montgomery(Invert, |m| [carried(m)], TIGHT, 7, [32768, 7419]);
}

/// Formulas for an A that is small, large, and small and negative: for every prime of the one family, and for those of
/// the other at both ends.
#[test]
fn formulas_with_a() {
    fn passes<L: Lanes>(formulas: impl Operation<11, 16>) {
        run::<L, 11, 16>(formulas, [carried(1); 11], carried(1));
    }
    passes::<ModP<Steepest>>(Formulas::<Sloped<7>>(PhantomData));
    passes::<ModP<Steepest>>(Formulas::<Sloped<11>>(PhantomData));
    passes::<ModP<Steepest>>(Formulas::<Sloped<13>>(PhantomData));
    passes::<ModM<OrderN>>(Formulas::<Sloped<13>>(PhantomData));
    passes::<ModM<BandersnatchBase>>(Formulas::<Sloped<13>>(PhantomData));
}
