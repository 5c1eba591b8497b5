//! One test body over every implementor of `Field`.
//!
//! A test sees numbers as five limbs in each of eight lanes. The one-lane field runs eight times; an eight-lane field
//! runs once, in a root of its own, so that what is tested is the code as it is compiled for the vector unit.

use crate::reference::{Eight, Limbs, from_limbs};
use crate::samples::Shape;
use crate::secp256k1::P256k1;
use core::marker::PhantomData;
use phalanx_engine::field::{Fe4, FeF64X8, FeX8, Field, FieldX8, Prime};
use phalanx_engine::word::{Emulated, LANES, Machine, Mask, Op, VectorUnit, Word, proof::EmulatedDoubles};

/// A family of eight-lane fields: one for every kind of word.
pub(crate) trait Lanes {
    /// The field over the words `W`.
    type Over<W: Word>: Field;
    /// From limbs.
    fn load<W: Word>(limbs: [W; 5]) -> Self::Over<W>;
    /// The limbs.
    fn store<W: Word>(number: Self::Over<W>) -> [W; 5];
}

/// `FeX8` modulo a prime.
pub(crate) struct ModP<P>(PhantomData<P>);

impl<P: Prime> Lanes for ModP<P> {
    type Over<W: Word> = FeX8<P, W>;
    #[inline(always)]
    fn load<W: Word>(limbs: [W; 5]) -> FeX8<P, W> {
        if W::IN_DOUBLES { of_limbs(limbs) } else { FeX8::from_limbs(limbs) }
    }
    #[inline(always)]
    fn store<W: Word>(number: FeX8<P, W>) -> [W; 5] {
        if W::IN_DOUBLES { to_limbs(number) } else { number.limbs() }
    }
}

/// A carried number from carried limbs of magnitude 1.
#[inline(always)]
fn of_limbs<F: FieldX8>([a, b, c, d, e]: [F::Word; 5]) -> F {
    let above = e.shr::<48>();
    let words = [
        a.or(b.shl::<52>()),
        b.shr::<12>().or(c.shl::<40>()),
        c.shr::<24>().or(d.shl::<28>()),
        d.shr::<36>().or(e.shl::<16>()),
    ];
    let zero = F::Word::splat(0);
    let above = F::from_words([above, zero, zero, zero]).mul(F::constant([P256k1::C, 0, 0, 0]));
    F::from_words(words).add(above).carry()
}

/// The limbs of the canonical number.
#[inline(always)]
fn to_limbs<F: FieldX8>(number: F) -> [F::Word; 5] {
    let [a, b, c, d] = number.normalize().to_words();
    let full = F::Word::splat((1 << 52) - 1);
    [
        a.and(full),
        a.shr::<52>().or(b.shl::<12>()).and(full),
        b.shr::<40>().or(c.shl::<24>()).and(full),
        c.shr::<28>().or(d.shl::<36>()).and(full),
        d.shr::<16>(),
    ]
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
    Vectors(VectorUnit),
}

/// The vector units on which tests run.
pub(crate) fn vector_units() -> impl Iterator<Item = VectorUnit> {
    VectorUnit::NAMES.into_iter().filter(|_| !phalanx_tiers::is_emulated()).filter_map(VectorUnit::detect)
}

impl Backend {
    /// Every backend that this CPU has; says so, and says what is skipped.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::One, Self::Emulated, Self::Doubles];
        all.extend(vector_units().map(Self::Vectors));
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
            Self::Vectors(unit) => unit.name(),
            Self::Doubles => "emulated doubles",
        }
    }

    /// Whether numbers are in doubles, which come from carried limbs of magnitude 1 only.
    pub(crate) fn has_doubles(self) -> bool {
        matches!(self, Self::Doubles | Self::Vectors(VectorUnit::Neon(_) | VectorUnit::Fma(_) | VectorUnit::Fma512(_)))
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
            Self::Vectors(unit) => unit.run(op),
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
            Self::One => one_lane(operation, inputs),
            Self::Doubles => emulated_doubles(operation, inputs),
            _ => self.run_in::<ModP<P256k1>, N, M, O>(operation, inputs),
        }
    }
}

type Results<const M: usize> = (&'static str, [Eight; M], u8);

/// Carried limbs make a carried number; all others keep what is above 2^256 in the top digit.
fn in_one_lane(limbs: Limbs) -> Fe4<P256k1> {
    let mut digits = from_limbs(limbs).to_u64_digits();
    digits.resize(5, 0);
    let number = Fe4::from_digits(digits.try_into().expect("limbs stand for five digits"));
    if limbs[..4].iter().all(|limb| limb >> 52 == 0) { number.carry() } else { number }
}

fn one_lane<const N: usize, const M: usize>(operation: impl Operation<N, M>, inputs: &[Eight; N]) -> ([Eight; M], u8) {
    let mut outputs = [[[0; 5]; LANES]; M];
    let mut mask = 0;
    for lane in 0..LANES {
        let (results, truth) = operation.call(inputs.map(|input| in_one_lane(input[lane])));
        for (output, result) in outputs.iter_mut().zip(results) {
            output[lane] = result.weaken().limbs();
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
    let load = |input: Eight| of_limbs::<FeF64X8<P256k1, EmulatedDoubles>>(words(input));
    let (results, truth) = operation.call(inputs.map(load));
    (results.map(|result| numbers(to_limbs(result))), bits(truth))
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
