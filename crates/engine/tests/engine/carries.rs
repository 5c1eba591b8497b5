//! No carry of the field of four digits is lost, for any input: every operation and every formula of [`Fe4`], as it
//! ships, run once on digits that may be any (see [`crate::symbols`]).
//!
//! As in `intervals`, each run also says how far the bound could be loosened, and must fail one step beyond. That the
//! results are the right ones is shown on models (see [`crate::digits`]) and against big integers.

use crate::backends::{Operation, operations};
use crate::groups::Sloped;
use crate::intervals::{
    Add, AddCoZ, AddComplete, AddMixed, AddMixedComplete, AddWith, Carry, ChordDenominator, Difference, Double,
    DoubleWith, Endomorphism, Equals, Invert, IsZero, LooseDifference, Mul, MulAdd, MulLoose, MulPlus, MulPlusSquare,
    MulScaled, Negate, NegateAffine, NegatePoint, Normalize, OnCurve, SamePoint, Square, SquareAdd, SquarePlus,
    SquareScaled, Steepest, TangentDenominator, ToAffine, Weaken, greatest, passes,
};
use crate::secp256k1::P256k1;
use crate::sloped::Formulas;
use crate::symbols::{Symbol, TOP, on_all_paths, trusting};
use core::marker::PhantomData;
use phalanx_engine::field::{Fe4, Field, Prime};
use phalanx_engine::word::Digit;

operations! {
    Sum: 2 => 1, |[a, b]| [a.add(b)];
    Sub: 2 => 1, |[a, b]| [a.sub(b, 1)];
    Scale: 1 => 1, |[a]| [a.scale(3)];
}

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

/// Compares the bounds that pass with what is stated.
#[derive(Default)]
struct Bounds(Vec<String>);

impl Bounds {
    /// The operation must pass for every prime where inputs and results are given `documented`; `stated` are the greatest
    /// that pass for secp256k1's prime and for the largest C.
    fn check<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: fn(u64) -> [[Symbol; 5]; N],
        tops: fn(u64) -> u64,
        documented: u64,
        stated: [u64; 2],
    ) {
        let name = std::any::type_name_of_val(&operation);
        let paths = on_all_paths(|| check::<P256k1, N, M>(operation, || inputs(documented), tops(documented)));
        let found = [
            greatest(documented, |top| {
                on_all_paths(|| check::<P256k1, N, M>(operation, || inputs(top), tops(top)));
            }),
            greatest(documented, |top| {
                on_all_paths(|| check::<Steepest, N, M>(operation, || inputs(top), tops(top)));
            }),
        ];
        println!("{name}, {paths} paths: documented {documented}, passes to {found:?}");
        if found != stated {
            self.0.push(format!("{name} passes to {found:?}, stated {stated:?}"));
        }
    }
}

impl Drop for Bounds {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.0.is_empty(), "stated slack is not the true one: {:#?}", self.0);
    }
}

/// Results are closed.
const CLOSED: fn(u64) -> u64 = |_| 0;

/// The tops of sums. A number of magnitude m has a top of at most 2 m.
#[test]
fn sums() {
    let mut bounds = Bounds::default();
    bounds.check(Sum, |top| [sum(top), sum(top)], |top| 2 * top + 1, 48, [(1 << 62) - 1; 2]);
    bounds.check(Sub, |top| [sum(top), sum(top)], |top| 2 * top + 1, 48, [(1 << 62) - 1; 2]);
    bounds.check(Negate, |top| [sum(top)], |top| top + 1, 48, [(1 << 63) - 1; 2]);
    bounds.check(Scale, |top| [sum(top)], |top| 3 * top + 2, 48, [((1 << 63) - 3) / 3; 2]);
}

/// What closes a number, by the top that it may have.
#[test]
fn closings() {
    let mut bounds = Bounds::default();
    // Any signed digit, less the top of a product and a carry.
    let beside_products = [P256k1::C, Steepest::C].map(|c| (1 << 63) - 2 - c);
    bounds.check(Weaken, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.check(Carry, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.check(Normalize, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.check(IsZero, |top| [sum(top)], CLOSED, TOP, [0x7fff_fe17, 0x800_0000]);
    bounds.check(Equals, |top| [sum(top), sum(top)], CLOSED, TOP / 2, [0x3fff_ff0b, 0x3ff_ffff]);
    bounds.check(LooseDifference, |top| [sum(top), sum(top)], CLOSED, TOP / 2, [0x3fff_ff0b, 0x3ff_ffff]);
    bounds.check(MulAdd, |top| [closed(), closed(), sum(top)], CLOSED, 160, beside_products);
    bounds.check(SquareAdd, |top| [closed(), sum(top)], CLOSED, 160, beside_products);
    bounds.check(Difference, |top| [closed(), closed(), sum(top)], CLOSED, 4, [0x7fff_fe16, 0x7ff_ffff]);
}

/// A modulus 2^256 - C.
#[derive(Clone, Copy, Debug)]
struct Below<const C: u64>;

impl<const C: u64> Prime for Below<C> {
    const C: u64 = C;
    fn invert<F: Field>(_: F) -> F {
        unreachable!("no inverse is asked for")
    }
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
        one::<P, 2>(MulScaled);
        one::<P, 1>(SquareScaled);
        one::<P, 2>(MulLoose);
        one::<P, 4>(MulPlus);
        one::<P, 3>(MulPlusSquare);
        one::<P, 3>(SquarePlus);
        one::<P, 2>(TightDifference);
    }
    all::<P256k1>();
    all::<Steepest>();
    assert!(passes(all::<Below<{ 1 << 40 }>>));
    assert!(!passes(all::<Below<{ 1 << 63 }>>));
}

operations! {
    TightDifference: 2 => 1, |[a, b]| [a.difference(b, 1)];
}

/// A factor is closed: no top but zero passes. That is a debug assertion of the field's, so it wants a build with these.
#[test]
fn factors_have_no_top() {
    if !cfg!(debug_assertions) {
        return phalanx_tiers::skipped("factors of one lane", "that none has a top, in 25 operations and formulas");
    }
    fn refuses<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
        let inputs = || core::array::from_fn(|_| sum(1));
        assert!(
            !passes(|| trusting(|| check::<P256k1, N, M>(operation, inputs, 8))),
            "{:?}",
            operation_name(&operation)
        );
    }
    refuses(Mul);
    refuses(Square);
    refuses(MulAdd);
    refuses(SquareAdd);
    refuses(MulScaled);
    refuses(SquareScaled);
    refuses(MulLoose);
    refuses(MulPlus);
    refuses(MulPlusSquare);
    refuses(SquarePlus);
    refuses(TightDifference);
    refuses(Invert);
    refuses(Double);
    refuses(AddMixed);
    refuses(Add);
    refuses(AddCoZ);
    refuses(AddWith);
    refuses(DoubleWith);
    refuses(AddMixedComplete);
    refuses(AddComplete);
    refuses(SamePoint);
    refuses(ToAffine);
    refuses(OnCurve);
    refuses(Endomorphism);
}

fn operation_name<T>(operation: &T) -> &'static str {
    std::any::type_name_of_val(operation)
}

/// Coordinates in and out of formulas are closed, and on the way no top is larger than what closings were shown to take.
#[test]
fn formulas() {
    fn tight<P: Prime, const N: usize, const M: usize>(operation: impl Operation<N, M>, tops: u64) {
        trusting(|| check::<P, N, M>(operation, || core::array::from_fn(|_| closed()), tops));
        println!("{}: closed", operation_name(&operation));
    }
    fn all<P: Prime>() {
        tight::<P, 3, 3>(Double, 0);
        tight::<P, 3, 3>(NegatePoint, 0);
        tight::<P, 5, 4>(AddMixed, 0);
        tight::<P, 6, 4>(Add, 0);
        tight::<P, 4, 4>(AddCoZ, 0);
        tight::<P, 5, 2>(AddWith, 0);
        tight::<P, 3, 2>(DoubleWith, 0);
        tight::<P, 4, 1>(ChordDenominator, 0);
        tight::<P, 2, 1>(TangentDenominator, 0);
        tight::<P, 5, 3>(AddMixedComplete, 0);
        tight::<P, 6, 3>(AddComplete, 0);
        tight::<P, 6, 0>(SamePoint, 0);
        tight::<P, 4, 2>(ToAffine, 0);
        tight::<P, 2, 0>(OnCurve, 0);
        tight::<P, 2, 2>(Endomorphism, 0);
        tight::<P, 2, 2>(NegateAffine, 0);
        tight::<P, 1, 1>(Invert, 0);
        tight::<P, 11, 12>(Formulas::<Sloped<7>>(PhantomData), 0);
        tight::<P, 11, 12>(Formulas::<Sloped<11>>(PhantomData), 0);
        tight::<P, 11, 12>(Formulas::<Sloped<13>>(PhantomData), 0);
        // With a y that was negated and not closed.
        let negated = || [closed(), sum(4), closed(), sum(4), closed()];
        trusting(|| check::<P, 5, 2>(AddWith, negated, 0));
    }
    all::<P256k1>();
    all::<Steepest>();
}

/// What a run trusts in is no more than what was shown.
#[test]
fn runs_that_trust_refuse_larger_tops() {
    let closes = |top| passes(|| trusting(|| check::<P256k1, 1, 1>(Weaken, || [sum(top)], 0)));
    assert!(closes(TOP) && !closes(TOP + 1));
}
