//! No carry of the field of four digits is lost, for any input: every operation and every formula of [`Fe4`], as it
//! ships, run once on digits that may be any (see [`crate::symbols`]).
//!
//! As in `intervals`, each run also says how far the bound could be loosened, and must fail one step beyond. That the
//! results are the right ones is shown on models (see [`crate::digits`]) and against big integers.

use crate::backends::Operation;
use crate::bounds::{Bounds, Steepest, greatest, passes};
use crate::digits::Below;
use crate::groups::Sloped;
use crate::operations::*;
use crate::secp256k1::P256k1;
use crate::symbols::{Symbol, TOP, on_all_paths, trusting};
use core::marker::PhantomData;
use phalanx_engine::field::{Fe4, Prime};
use phalanx_engine::word::Digit;

/// Any number with a top of at most this size, of either sign.
fn sum(top: u64) -> [Symbol; 5] {
    let digit = Symbol::digit;
    let top = if top == 0 { Symbol::literal(0) } else { Symbol::up_to(top) };
    [digit(), digit(), digit(), digit(), top]
}

/// Any number of four digits: what factors and coordinates are.
fn closed() -> [Symbol; 5] {
    sum(0)
}

/// Runs the operation; the tops of its results must be at most so large.
fn check<P: Prime, const N: usize, const M: usize>(
    operation: impl Operation<N, M>,
    inputs: impl Fn() -> [[Symbol; 5]; N],
    tops: u64,
) {
    let (results, _) = operation.call(inputs().map(Fe4::<P, Symbol>::from_digits));
    for result in results {
        let [.., top] = result.digits();
        assert!(top.is_up_to(tops), "the top of a result is not at most {tops}");
    }
}

impl Bounds {
    /// The operation must pass for every prime where inputs and results are given `documented`; `stated` are the greatest
    /// that pass for secp256k1's prime and for the largest C.
    fn tops<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: fn(u64) -> [[Symbol; 5]; N],
        tops: fn(u64) -> u64,
        documented: u64,
        stated: [u64; 2],
    ) {
        let run = |top| on_all_paths(|| check::<P256k1, N, M>(operation, || inputs(top), tops(top)));
        let steepest = |top| on_all_paths(|| check::<Steepest, N, M>(operation, || inputs(top), tops(top)));
        println!("{} paths", run(documented));
        let found = [greatest(documented, |top| _ = run(top)), greatest(documented, |top| _ = steepest(top))];
        self.compare(&operation, documented, found, stated);
    }
}

/// Results are closed.
const CLOSED: fn(u64) -> u64 = |_| 0;

/// The tops of sums. A number of magnitude m has a top of at most 2 m.
#[test]
fn sums() {
    let mut bounds = Bounds::default();
    bounds.tops(Sum, |top| [sum(top), sum(top)], |top| 2 * top + 1, 48, [(1 << 62) - 1; 2]);
    bounds.tops(Sub(1), |top| [sum(top), sum(top)], |top| 2 * top + 1, 48, [(1 << 62) - 1; 2]);
    bounds.tops(Negate(7), |top| [sum(top)], |top| top + 1, 48, [(1 << 63) - 1; 2]);
    bounds.tops(Scale(3), |top| [sum(top)], |top| 3 * top + 2, 48, [((1 << 63) - 3) / 3; 2]);
}

/// What closes a number, by the top that it may have.
#[test]
fn closings() {
    let mut bounds = Bounds::default();
    // Any signed digit, less the top of a product and a carry.
    let beside_products = [P256k1::C, Steepest::C].map(|c| (1 << 63) - 2 - c);
    bounds.tops(Weaken, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.tops(Carry, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.tops(Normalize, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.tops(IsZero, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.tops(Equals, |top| [sum(top), sum(top)], CLOSED, TOP / 2, [0x3fff_ff0b, 0x3ff_ffff]);
    bounds.tops(Difference(2), |top| [sum(top), sum(top)], CLOSED, TOP / 2, [0x3fff_ff0b, 0x3ff_ffff]);
    bounds.tops(MulAdd, |top| [closed(), closed(), sum(top)], CLOSED, 160, beside_products);
    bounds.tops(SquareAdd, |top| [closed(), sum(top)], CLOSED, 160, beside_products);
    bounds.tops(DifferenceOfProduct, |top| [closed(), closed(), sum(top)], CLOSED, 4, [0x7fff_fe16, 0x7ff_ffff]);
}

/// Products have no bound but that of C, which is below 2^36.
#[test]
fn products() {
    fn all<P: Prime>() {
        fn one<P: Prime, const N: usize>(operation: impl Operation<N, 1>) {
            on_all_paths(|| check::<P, N, 1>(operation, || core::array::from_fn(|_| closed()), 0));
        }
        one::<P, 2>(Mul);
        one::<P, 1>(Square);
        one::<P, 2>(MulScaled::<4>);
        one::<P, 1>(SquareScaled::<4>);
        one::<P, 2>(MulLoose);
        one::<P, 4>(MulPlus);
        one::<P, 3>(MulPlusSquare);
        one::<P, 3>(SquarePlus);
        one::<P, 2>(Difference(1));
    }
    all::<P256k1>();
    all::<Steepest>();
    assert!(passes(all::<Below<{ 1 << 40 }>>));
    assert!(!passes(all::<Below<{ 1 << 63 }>>));
}

/// A factor is closed: no top but zero passes. That is a debug assertion of the field's, so it wants a build with these.
fn has_no_top<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
    if !cfg!(debug_assertions) {
        return phalanx_tiers::skipped("factors of one lane", "that none has a top, in 24 operations and formulas");
    }
    let inputs = || core::array::from_fn(|_| sum(1));
    let name = std::any::type_name_of_val(&operation);
    assert!(!passes(|| trusting(|| check::<P256k1, N, M>(operation, inputs, 8))), "{name}");
}

#[test]
fn factors_have_no_top() {
    has_no_top(Mul);
    has_no_top(Square);
    has_no_top(MulAdd);
    has_no_top(SquareAdd);
    has_no_top(MulScaled::<4>);
    has_no_top(SquareScaled::<4>);
    has_no_top(MulLoose);
    has_no_top(MulPlus);
    has_no_top(MulPlusSquare);
    has_no_top(SquarePlus);
    has_no_top(Difference(1));
}

/// Coordinates in and out of formulas are closed, and on the way no top is larger than what closings were shown to take.
#[test]
fn formulas() {
    fn tight<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
        trusting(|| check::<P256k1, N, M>(operation, || core::array::from_fn(|_| closed()), 0));
        trusting(|| check::<Steepest, N, M>(operation, || core::array::from_fn(|_| closed()), 0));
        println!("{}: closed", std::any::type_name_of_val(&operation));
    }
    /// A formula that multiplies its inputs.
    fn of_factors<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
        tight(operation);
        has_no_top(operation);
    }
    of_factors(Double);
    of_factors(AddMixed);
    of_factors(Add);
    of_factors(AddCoZ);
    of_factors(DoubleCoZ);
    of_factors(AddWith);
    of_factors(DoubleWith);
    of_factors(AddMixedComplete);
    of_factors(AddComplete);
    of_factors(SamePoint);
    of_factors(ToAffine);
    of_factors(OnCurve);
    of_factors(Endomorphism);
    of_factors(Invert);
    of_factors(Image);
    of_factors(Equation);
    of_factors(EquationY);
    tight(EquationSumY);
    tight(NegatePoint);
    tight(ChordDenominator);
    tight(TangentDenominator);
    tight(NegateAffine);
    tight(Formulas::<Sloped<7>>(PhantomData));
    tight(Formulas::<Sloped<11>>(PhantomData));
    tight(Formulas::<Sloped<13>>(PhantomData));
    // With a y that was negated and not closed.
    let negated = || [closed(), sum(4), closed(), sum(4), closed()];
    trusting(|| check::<P256k1, 5, 2>(AddWith, negated, 0));
    trusting(|| check::<Steepest, 5, 2>(AddWith, negated, 0));
}

/// What a run trusts in is no more than what was shown.
#[test]
fn runs_that_trust_refuse_larger_tops() {
    let closes = |top| passes(|| trusting(|| check::<P256k1, 1, 1>(Weaken, || [sum(top)], 0)));
    assert!(closes(TOP) && !closes(TOP + 1));
}
