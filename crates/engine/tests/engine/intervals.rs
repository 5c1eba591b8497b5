//! No limb can leave its width, for any input: every kernel and every formula run once on intervals.
//!
//! Each run also says how far the bound could be loosened: the greatest magnitude that passes is stated beside the
//! documented one, and the run must fail one step beyond. So a statement here that is too generous fails, and so does
//! one that is too modest.

use crate::backends::{Operation, operations};
use crate::groups::Sloped;
use crate::montgomery::{BandersnatchBase, OrderN};
use crate::secp256k1::{P256k1, Secp256k1};
use crate::sloped::Formulas;
use phalanx_engine::curve::{Affine, Jacobian};
use phalanx_engine::field::{FeX8, Field, LOOSE, MontX8, MontgomeryPrime, Prime};
use phalanx_engine::word::interval::Interval;
use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

const FULL: u64 = (1 << 52) - 1;
const FULL_TOP: u64 = (1 << 48) - 1;

/// The largest C that `Prime` allows: whatever holds here holds for every prime. It need not be prime for that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steepest;
impl Prime for Steepest {
    const C: u64 = (1 << 36) - 1;
    #[inline(always)]
    fn invert<F: Field>(x: F) -> F {
        crate::secp256k1::power(x, [Self::C.wrapping_neg() - 2, u64::MAX, u64::MAX, u64::MAX])
    }
}

/// A field of intervals.
trait Ranges: Field {
    fn from_ranges(limbs: [Interval; 5]) -> Self;
    fn ranges(self) -> [Interval; 5];
}

impl<P: Prime> Ranges for FeX8<P, Interval> {
    fn from_ranges(limbs: [Interval; 5]) -> Self {
        Self::from_limbs(limbs)
    }
    fn ranges(self) -> [Interval; 5] {
        self.limbs()
    }
}

impl<M: MontgomeryPrime> Ranges for MontX8<M, Interval> {
    fn from_ranges(limbs: [Interval; 5]) -> Self {
        Self::from_limbs(limbs)
    }
    fn ranges(self) -> [Interval; 5] {
        self.limbs()
    }
}

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

thread_local! {
    static EXPECTING: Cell<bool> = const { Cell::new(false) };
}

/// Whether the work runs to its end; its panics, which are expected here, print nothing.
pub(crate) fn passes(work: impl FnOnce()) -> bool {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTING.get() {
                loud(info);
            }
        }));
    });
    EXPECTING.set(true);
    let passed = catch_unwind(AssertUnwindSafe(work)).is_ok();
    EXPECTING.set(false);
    passed
}

/// Runs on intervals in the field `F`, and asserts that every output has the ranges `output`.
fn run<F: Ranges, const N: usize, const M: usize>(
    operation: impl Operation<N, M>,
    inputs: [[Interval; 5]; N],
    output: [Interval; 5],
) {
    let (results, _) = operation.call(inputs.map(F::from_ranges));
    for result in results {
        for (limb, allowed) in result.ranges().into_iter().zip(output) {
            assert!(limb.is_within(allowed), "{limb:x?} is not within {allowed:x?}");
        }
    }
}

type Lanes = FeX8<P256k1, Interval>;
type Steep = FeX8<Steepest, Interval>;

/// The greatest bound that passes, which is at least `from`.
pub(crate) fn greatest(from: u64, run: impl Fn(u64)) -> u64 {
    run(from);
    let (mut good, mut bad) = (from, 2 * from);
    while passes(|| run(bad)) {
        (good, bad) = (bad, 2 * bad);
    }
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if passes(|| run(middle)) { good = middle } else { bad = middle }
    }
    good
}

/// Ranges from a bound.
type From<const N: usize> = fn(u64) -> [[Interval; 5]; N];

/// Compares the bounds that pass with what is stated.
#[derive(Default)]
struct Bounds(Vec<String>);

impl Bounds {
    /// The operation must pass for every prime where `inputs` and `output` are given `documented`; `stated` is the
    /// greatest that passes for secp256k1's prime.
    fn check<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: From<N>,
        output: From<1>,
        documented: u64,
        stated: u64,
    ) {
        let name = std::any::type_name_of_val(&operation);
        run::<Steep, N, M>(operation, inputs(documented), output(documented)[0]);
        let found = greatest(documented, |m| run::<Lanes, N, M>(operation, inputs(m), output(m)[0]));
        self.compare(name, documented, &[found], &[stated]);
    }

    /// Likewise in the Montgomery field, modulo secp256k1's group order and modulo Bandersnatch's prime.
    fn check_montgomery<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: From<N>,
        output: From<1>,
        documented: u64,
        stated: [u64; 2],
    ) {
        fn largest<F: Ranges, const N: usize, const M: usize>(
            operation: impl Operation<N, M>,
            inputs: From<N>,
            output: From<1>,
            documented: u64,
        ) -> u64 {
            greatest(documented, |m| run::<F, N, M>(operation, inputs(m), output(m)[0]))
        }
        let found = [
            largest::<MontX8<OrderN, Interval>, N, M>(operation, inputs, output, documented),
            largest::<MontX8<BandersnatchBase, Interval>, N, M>(operation, inputs, output, documented),
        ];
        self.compare(std::any::type_name_of_val(&operation), documented, &found, &stated);
    }

    fn compare(&mut self, name: &str, documented: u64, found: &[u64], stated: &[u64]) {
        println!("{name}: documented {documented}, passes to {found:?}");
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

operations! {
    Negate: 1 => 1, |[a]| [a.negate(7)];
    Carry: 1 => 1, |[a]| [a.carry()];
    Weaken: 1 => 1, |[a]| [a.weaken()];
    Mul: 2 => 1, |[a, b]| [a.mul(b)];
    Square: 1 => 1, |[a]| [a.square()];
    MulAdd: 3 => 1, |[a, b, c]| [a.mul_add(b, c)];
    SquareAdd: 2 => 1, |[a, b]| [a.square_add(b)];
    LeaveMontgomery: 1 => 0, |[a]| [], a.is_odd();
    MulScaled: 2 => 1, |[a, b]| [a.mul_scaled::<4>(b)];
    SquareScaled: 1 => 1, |[a]| [a.square_scaled::<4>()];
    MulLoose: 2 => 1, |[a, b]| [a.mul_loose::<2>(b)];
    Difference: 3 => 1, |[a, b, c]| [a.mul_loose::<2>(b).difference(c, 2)];
    LooseDifference: 2 => 1, |[a, b]| [a.difference(b, 2)];
    MulPlus: 4 => 1, |[a, b, c, d]| [a.mul_plus(b, c.minus_product(d, 2))];
    MulPlusSquare: 3 => 1, |[a, b, c]| [a.mul_plus(b, c.minus_square::<2>(2))];
    SquarePlus: 3 => 1, |[a, b, c]| [a.square_plus(b.minus_product(c, 2))];
    Normalize: 1 => 1, |[a]| [a.normalize()];
    IsZero: 1 => 0, |[a]| [], a.is_zero();
    Equals: 2 => 0, |[a, b]| [], a.equals(b);
    Invert: 1 => 1, |[a]| [a.invert()];
    Double: 3 => 3, |[x, y, z]| { let r = Jacobian { x, y, z }.double(); [r.x, r.y, r.z] };
    NegatePoint: 3 => 3, |[x, y, z]| { let r = Jacobian { x, y, z }.negate(); [r.x, r.y, r.z] };
    AddMixed: 5 => 4, |[x, y, z, u, v]| {
        let (r, h) = Jacobian { x, y, z }.add_mixed(Affine { x: u, y: v });
        [r.x, r.y, r.z, h]
    };
    Add: 6 => 4, |[x, y, z, u, v, w]| {
        let (r, h) = Jacobian { x, y, z }.add(Jacobian { x: u, y: v, z: w });
        [r.x, r.y, r.z, h]
    };
    AddCoZ: 4 => 4, |[x, y, u, v]| {
        let (r, moved, _) = Affine { x, y }.add_co_z(Affine { x: u, y: v });
        [r.x, r.y, moved.x, moved.y]
    };
    AddWith: 5 => 2, |[x, y, u, v, i]| {
        let r = Affine { x, y }.add_with(Affine { x: u, y: v }, i);
        [r.x, r.y]
    };
    DoubleWith: 3 => 2, |[x, y, i]| { let r = Affine { x, y }.double_with(i); [r.x, r.y] };
    ChordDenominator: 4 => 1, |[x, y, u, v]| [Affine { x, y }.chord_denominator(&Affine { x: u, y: v })];
    TangentDenominator: 2 => 1, |[x, y]| [Affine { x, y }.tangent_denominator()];
    AddMixedComplete: 5 => 3, |[x, y, z, u, v]| {
        let r = Jacobian { x, y, z }.add_mixed_complete(Affine { x: u, y: v });
        [r.x, r.y, r.z]
    };
    AddComplete: 6 => 3, |[x, y, z, u, v, w]| {
        let r = Jacobian { x, y, z }.add_complete(Jacobian { x: u, y: v, z: w });
        [r.x, r.y, r.z]
    };
    SamePoint: 6 => 0, |[x, y, z, u, v, w]| [], Jacobian { x, y, z }.equals(Jacobian { x: u, y: v, z: w });
    ToAffine: 4 => 2, |[x, y, z, i]| { let r = Jacobian { x, y, z }.to_affine_with(i); [r.x, r.y] };
    OnCurve: 2 => 0, |[x, y]| [], Affine { x, y }.is_on_curve::<Secp256k1>();
    Endomorphism: 2 => 2, |[x, y]| { let r = Affine { x, y }.endomorphism::<Secp256k1>(); [r.x, r.y] };
    NegateAffine: 2 => 2, |[x, y]| { let r = Affine { x, y }.negate(); [r.x, r.y] };
}

/// Carried and of magnitude 1: what every product and every coordinate is.
const TIGHT: From<1> = |_| [carried(1)];
/// For operations without a number to give.
const NONE: From<1> = TIGHT;

#[test]
fn sums_and_carries() {
    let mut bounds = Bounds::default();
    bounds.check(Negate, |m| [loose(m)], |_| [loose(8)], 7, 7);
    bounds.check(Carry, |m| [loose(m)], |m| [carried(m + 1)], 7, 2048);
    bounds.check(Weaken, |m| [loose(m)], TIGHT, 24, 2047);
    bounds.check(Normalize, |m| [loose(m)], TIGHT, 24, 2047);
    bounds.check(IsZero, |m| [loose(m)], NONE, 24, 2047);
    bounds.check(Equals, |m| [loose(m), loose(1)], NONE, 22, 2045);
}

#[test]
fn products() {
    let mut bounds = Bounds::default();
    bounds.check(Mul, |m| [carried(m), carried(m)], TIGHT, 7, 8);
    bounds.check(Square, |m| [carried(m)], TIGHT, 7, 8);
    bounds.check(MulAdd, |m| [carried(m), carried(m), loose(80)], TIGHT, 7, 8);
    bounds.check(MulAdd, |m| [carried(7), carried(7), loose(m)], TIGHT, 80, 2043);
    bounds.check(SquareAdd, |m| [carried(m), loose(80)], TIGHT, 7, 8);
    bounds.check(SquareAdd, |m| [carried(7), loose(m)], TIGHT, 80, 2043);
    bounds.check(MulScaled, |m| [carried(m), carried(m)], TIGHT, 1, 8);
    bounds.check(SquareScaled, |m| [carried(m)], |_| [carried(4)], 1, 8);
    bounds.check(MulLoose, |m| [carried(m), carried(m)], |_| [uneven(LOOSE, 2 * FULL_TOP)], 3, 8);
    bounds.check(Difference, |m| [carried(2), carried(4), loose(m)], |_| [carried(4)], 2, 2);
    bounds.check(MulPlus, |m| [carried(m), carried(m), carried(2), carried(4)], TIGHT, 4, 5);
    bounds.check(MulPlus, |m| [carried(4), carried(4), carried(2), carried(m)], TIGHT, 4, 8);
    bounds.check(MulPlusSquare, |m| [carried(m), carried(m), carried(2)], TIGHT, 4, 5);
    bounds.check(MulPlusSquare, |m| [carried(4), carried(4), carried(m)], TIGHT, 2, 3);
    bounds.check(SquarePlus, |m| [carried(m), carried(2), carried(4)], TIGHT, 4, 5);
    bounds.check(Invert, |m| [carried(m)], TIGHT, 7, 8);
}

/// What [`LOOSE`] says of the left side of a difference.
#[test]
fn differences_of_loose_numbers() {
    let run = |m| run::<Lanes, 2, 1>(LooseDifference, [uneven(m, FULL_TOP), loose(2)], carried(4));
    assert_eq!(greatest(LOOSE, run), 1024);
}

/// A factor must be carried to the last bit: no limb of it may reach 2^52.
#[test]
fn factors_stay_below_52_bits() {
    fn refuses<const N: usize, const M: usize>(operation: impl Operation<N, M>) {
        for beyond in 0..5 {
            let mut factor = carried(1);
            factor[beyond] = Interval::up_to(FULL + 1);
            let inputs = [factor; N];
            assert!(!passes(|| run::<Lanes, N, M>(operation, inputs, carried(1))));
        }
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
}

/// Coordinates in and out of formulas are carried and of magnitude 1.
#[test]
fn formulas() {
    let mut bounds = Bounds::default();
    bounds.check(Double, |m| [carried(m); 3], TIGHT, 1, 8);
    bounds.check(NegatePoint, |m| [carried(m); 3], TIGHT, 1, 1);
    bounds.check(AddMixed, |m| [carried(m); 5], TIGHT, 1, 2);
    bounds.check(Add, |m| [carried(m); 6], TIGHT, 1, 8);
    bounds.check(AddCoZ, |m| [carried(m); 4], TIGHT, 1, 2);
    bounds.check(AddWith, |m| [carried(m); 5], TIGHT, 1, 1);
    bounds.check(AddWith, |m| [carried(1), loose(m), carried(1), loose(2), carried(1)], TIGHT, 2, 2);
    bounds.check(AddWith, |m| [carried(1), loose(2), carried(1), loose(m), carried(1)], TIGHT, 2, 5);
    bounds.check(AddWith, |m| [carried(1), loose(2), carried(1), loose(2), carried(m)], TIGHT, 7, 8);
    bounds.check(DoubleWith, |m| [carried(m); 3], TIGHT, 1, 1);
    bounds.check(ChordDenominator, |m| [carried(m); 4], |_| [carried(4)], 1, 1);
    bounds.check(TangentDenominator, |m| [carried(m); 2], |_| [carried(3)], 1, 1);
    bounds.check(AddMixedComplete, |m| [carried(m); 5], TIGHT, 1, 1);
    bounds.check(AddComplete, |m| [carried(m); 6], TIGHT, 1, 1);
    bounds.check(SamePoint, |m| [carried(m); 6], NONE, 1, 8);
    bounds.check(ToAffine, |m| [carried(m); 4], TIGHT, 1, 8);
    bounds.check(OnCurve, |m| [carried(m); 2], NONE, 1, 8);
    bounds.check(Endomorphism, |m| [carried(m); 2], |m| [carried(m)], 1, 8);
    bounds.check(NegateAffine, |m| [carried(m); 2], |m| [carried(m)], 1, 2);
}

#[test]
fn montgomery() {
    let mut bounds = Bounds::default();
    bounds.check_montgomery(Negate, |m| [loose(m)], |_| [loose(8)], 7, [7, 7]);
    bounds.check_montgomery(Carry, |m| [loose(m)], |m| [carried(m + 1)], 7, [2048, 2048]);
    bounds.check_montgomery(Weaken, |m| [loose(m)], TIGHT, 24, [2047, 2047]);
    bounds.check_montgomery(Normalize, |m| [loose(m)], TIGHT, 24, [2047, 2047]);
    bounds.check_montgomery(IsZero, |m| [loose(m)], NONE, 24, [2047, 2047]);
    bounds.check_montgomery(Equals, |m| [loose(m), loose(1)], NONE, 22, [2046, 2046]);
    bounds.check_montgomery(Mul, |m| [carried(m), carried(1)], TIGHT, 5, [8, 6]);
    bounds.check_montgomery(Square, |m| [carried(m)], TIGHT, 2, [8, 2]);
    bounds.check_montgomery(MulAdd, |m| [carried(m), carried(m), loose(80)], TIGHT, 7, [8, 8]);
    bounds.check_montgomery(MulAdd, |m| [carried(7), carried(7), loose(m)], TIGHT, 80, [2038, 2040]);
    bounds.check_montgomery(SquareAdd, |m| [carried(m), loose(80)], TIGHT, 7, [8, 8]);
    bounds.check_montgomery(SquareAdd, |m| [carried(7), loose(m)], TIGHT, 80, [2038, 2040]);
    bounds.check_montgomery(MulScaled, |m| [carried(m), carried(m)], TIGHT, 1, [2, 1]);
    bounds.check_montgomery(SquareScaled, |m| [carried(m)], |_| [carried(5)], 1, [8, 2]);
    bounds.check_montgomery(Difference, |m| [carried(2), carried(4), loose(m)], |_| [carried(5)], 2, [2, 2]);
    bounds.check_montgomery(MulPlus, |m| [carried(m), carried(m), carried(2), carried(4)], TIGHT, 4, [8, 8]);
    bounds.check_montgomery(MulPlusSquare, |m| [carried(4), carried(4), carried(m)], TIGHT, 2, [8, 2]);
    bounds.check_montgomery(SquarePlus, |m| [carried(m), carried(2), carried(4)], TIGHT, 4, [8, 8]);
    bounds.check_montgomery(LeaveMontgomery, |m| [carried(m)], NONE, 7, [32715, 32708]);
    bounds.check_montgomery(Invert, |m| [carried(m)], TIGHT, 7, [32768, 7419]);
}

/// Formulas for an A that is small, large, and small and negative: for every prime of the one family, and for those of
/// the other at both ends.
#[test]
fn formulas_with_a() {
    fn passes<F: Ranges>(formulas: impl Operation<11, 12>) {
        run::<F, 11, 12>(formulas, [carried(1); 11], carried(1));
    }
    passes::<Steep>(Formulas::<Sloped<7>>(PhantomData));
    passes::<Steep>(Formulas::<Sloped<11>>(PhantomData));
    passes::<Steep>(Formulas::<Sloped<13>>(PhantomData));
    passes::<MontX8<OrderN, Interval>>(Formulas::<Sloped<13>>(PhantomData));
    passes::<MontX8<BandersnatchBase, Interval>>(Formulas::<Sloped<13>>(PhantomData));
}
