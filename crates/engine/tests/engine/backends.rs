//! One test body over every implementor of `Field`.
//!
//! A test sees numbers as five limbs in each of eight lanes. The one-lane field runs eight times; an eight-lane field
//! runs once, in a root of its own, so that what is tested is the code as it is compiled for the vector unit.

use crate::reference::{Eight, Limbs, from_limbs};
use crate::samples::Shape;
use crate::secp256k1::P256k1;
use core::marker::PhantomData;
use phalanx_engine::field::{Fe4, FeF64X8, FeX8, Field, FieldX8};
use phalanx_engine::word::{Emulated, EmulatedDoubles, LANES, Machine, Mask, Op, VectorUnit, Word};

/// A family of eight-lane fields: one for every kind of word.
pub(crate) trait Lanes {
    /// The field over the words `W`.
    type Over<W: Word>: Field;
    /// From limbs.
    fn load<W: Word>(limbs: [W; 5]) -> Self::Over<W>;
    /// The limbs.
    fn store<W: Word>(number: Self::Over<W>) -> [W; 5];
}

/// `FeX8` modulo secp256k1's p.
pub(crate) struct ModP;

impl Lanes for ModP {
    type Over<W: Word> = FeX8<P256k1, W>;
    #[inline(always)]
    fn load<W: Word>(limbs: [W; 5]) -> FeX8<P256k1, W> {
        FeX8::from_limbs(limbs)
    }
    #[inline(always)]
    fn store<W: Word>(number: FeX8<P256k1, W>) -> [W; 5] {
        number.limbs()
    }
}

/// Something to compute from `N` numbers to `M` numbers and a truth value, in every field.
pub(crate) trait Operation<const N: usize, const M: usize>: Copy {
    /// Implementors mark it `#[inline(always)]`.
    fn call<F: Field>(self, inputs: [F; N]) -> ([F; M], F::Mask);
}

/// An implementor of `Field`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Backend {
    /// `Fe4`, lane by lane.
    One,
    /// `FeX8` over emulated words.
    Emulated,
    /// `FeF64X8` over emulated doubles.
    Doubles,
    /// `FeX8` over the words of a vector unit.
    Unit(VectorUnit),
}

impl Backend {
    /// Every backend that this CPU has; says so, and says what is skipped.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::One, Self::Emulated, Self::Doubles];
        if !phalanx_tiers::is_emulated() {
            all.extend(VectorUnit::NAMES.into_iter().filter_map(VectorUnit::detect).map(Self::Unit));
        }
        let names: Vec<_> = all.iter().map(|backend| backend.name()).collect();
        println!("backends: {}", names.join(", "));
        for name in VectorUnit::NAMES_HERE.iter().filter(|name| !names.contains(name)) {
            let what = format!("every operation of field, formulas and memory on the words of {name}");
            phalanx_tiers::skipped("vector words", &what);
        }
        all
    }

    /// The name of the words that the backend computes on.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::One => "one lane",
            Self::Emulated => "emulated",
            Self::Unit(unit) => unit.name(),
            Self::Doubles => "emulated doubles",
        }
    }

    /// Whether numbers are in doubles, which come from carried limbs of magnitude 1 only.
    pub(crate) fn has_doubles(self) -> bool {
        match self {
            Self::Unit(unit) => !matches!(unit, VectorUnit::Ifma(_)),
            _ => matches!(self, Self::Doubles),
        }
    }

    /// The shape of the limbs that the backend takes where others take this one.
    pub(crate) fn takes(self, shape: Shape) -> Shape {
        if self.has_doubles() { Shape::carried(1) } else { shape }
    }

    /// The backends that compute on words of eight lanes.
    pub(crate) fn of_eight_lanes() -> Vec<Self> {
        Self::all().into_iter().filter(|backend| !matches!(backend, Self::One | Self::Doubles)).collect()
    }

    /// Runs work that is generic over words, on eight lanes.
    pub(crate) fn run_op<O: Op>(self, op: O) -> O::Output {
        match self {
            Self::Emulated => Emulated::root(op),
            Self::Unit(unit) => unit.run(op),
            _ => unreachable!("{} has no words of eight", self.name()),
        }
    }

    /// As [`Self::run`] in another family of eight-lane fields.
    pub(crate) fn run_in<L: Lanes, const N: usize, const M: usize, O: Operation<N, M>>(
        self,
        operation: O,
        inputs: &[Eight; N],
    ) -> ([Eight; M], u8) {
        let work = InLanes { operation, inputs, family: PhantomData::<L> };
        let (ran, outputs, mask) = self.run_op(work);
        assert_eq!(ran, self.name(), "the operation ran on other words than asked for");
        (outputs, mask)
    }

    /// Runs the operation on eight lanes; bit `i` of the second value is lane `i` of its truth value.
    pub(crate) fn run<const N: usize, const M: usize, O: Operation<N, M>>(
        self,
        operation: O,
        inputs: &[Eight; N],
    ) -> ([Eight; M], u8) {
        match self {
            Self::One => one_lane::<Fe4<P256k1>, N, M, O>(operation, inputs),
            Self::Doubles => emulated_doubles(operation, inputs),
            _ => self.run_in::<ModP, N, M, O>(operation, inputs),
        }
    }
}

type Results<const M: usize> = (&'static str, [Eight; M], u8);

/// A one-lane field, from and to limbs.
trait OneLane: Field {
    fn load(limbs: Limbs) -> Self;
    fn store(self) -> Limbs;
}

/// Carried limbs make a carried number; all others keep what is above 2^256 in the top digit.
impl OneLane for Fe4<P256k1> {
    fn load(limbs: Limbs) -> Self {
        let mut digits = from_limbs(limbs).to_u64_digits();
        digits.resize(5, 0);
        let number = Fe4::from_digits(digits.try_into().expect("limbs stand for five digits"));
        if limbs[..4].iter().all(|limb| limb >> 52 == 0) { number.carry() } else { number }
    }
    fn store(self) -> Limbs {
        self.weaken().limbs()
    }
}

fn one_lane<F: OneLane, const N: usize, const M: usize, O: Operation<N, M>>(
    operation: O,
    inputs: &[Eight; N],
) -> ([Eight; M], u8) {
    let mut outputs = [[[0; 5]; LANES]; M];
    let mut mask = 0;
    for lane in 0..LANES {
        let (results, truth) = operation.call(inputs.map(|input| F::load(input[lane])));
        for (output, result) in outputs.iter_mut().zip(results) {
            output[lane] = result.store();
        }
        mask |= u8::from(truth.lane(0)) << lane;
    }
    (outputs, mask)
}

struct InLanes<'a, const N: usize, const M: usize, O, L> {
    operation: O,
    inputs: &'a [Eight; N],
    family: PhantomData<L>,
}

impl<const N: usize, const M: usize, O: Operation<N, M>, L: Lanes> Op for InLanes<'_, N, M, O, L> {
    type Output = Results<M>;

    #[inline(always)]
    fn call<W: Word>(self) -> Results<M> {
        let (results, truth) = self.operation.call(self.inputs.map(|input| L::load(words(input))));
        (W::NAME, results.map(|result| numbers(L::store::<W>(result))), bits(truth))
    }
}

/// `FeF64X8` over emulated doubles, which belong to no machine.
fn emulated_doubles<const N: usize, const M: usize, O: Operation<N, M>>(
    operation: O,
    inputs: &[Eight; N],
) -> ([Eight; M], u8) {
    let load = |input: Eight| FeF64X8::<P256k1, EmulatedDoubles>::from_table(words(input));
    let (results, truth) = operation.call(inputs.map(load));
    (results.map(|result| numbers(result.to_table())), bits(truth))
}

/// The limbs as words, a number in each lane.
#[inline(always)]
fn words<W: Word>(input: Eight) -> [W; 5] {
    core::array::from_fn(|limb| W::from_lanes(input.map(|number| number[limb])))
}

/// The limbs of each lane.
#[inline(always)]
fn numbers<W: Word>(limbs: [W; 5]) -> Eight {
    let limbs = limbs.map(W::to_lanes);
    core::array::from_fn(|lane| core::array::from_fn(|limb| limbs[limb][lane]))
}

/// A truth value in each bit.
#[inline(always)]
fn bits(truth: impl Mask) -> u8 {
    (0..LANES).fold(0, |mask, lane| mask | u8::from(truth.lane(lane)) << lane)
}

/// Declares operations: a name, the numbers of inputs and outputs, what is computed, and the truth value where there is
/// one.
macro_rules! operations {
    ($($(#[$note:meta])* $name:ident: $n:literal => $m:literal, |$inputs:pat_param| $outputs:expr $(, $truth:expr)?;)*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name;

        impl $crate::backends::Operation<$n, $m> for $name {
            #[inline(always)]
            fn call<F: phalanx_engine::field::Field>(self, inputs: [F; $n]) -> ([F; $m], F::Mask) {
                let $inputs = inputs;
                let truth = <F::Mask as phalanx_engine::word::Mask>::NONE;
                $(let truth = { let _ = truth; $truth };)?
                ($outputs, truth)
            }
        }
    )*};
}
pub(crate) use operations;
