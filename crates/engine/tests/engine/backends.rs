//! One test body over every implementor of `Field`.
//!
//! A test sees numbers as five limbs in each of eight lanes. The one-lane field runs eight times; an eight-lane field
//! runs once, in a root of its own, so that what is tested is the code as it is compiled for the vector unit.

use crate::reference::from_limbs;
use crate::secp256k1::P256k1;
use core::marker::PhantomData;
use phalanx_engine::field::{Fe, Fe4, FeX8, Field};
use phalanx_engine::word::{Emulated, LANES, Mask, Op, Word};

/// The limbs of one number.
pub(crate) type Limbs = [u64; 5];
/// The limbs of the numbers in eight lanes.
pub(crate) type Eight = [Limbs; LANES];

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
    /// `Fe`, lane by lane.
    One,
    /// `Fe4`, lane by lane.
    OneOfFour,
    /// `FeX8` over emulated words.
    Emulated,
    /// `FeX8` over vector registers.
    #[cfg(target_arch = "x86_64")]
    Ifma(phalanx_engine::word::Ifma),
}

impl Backend {
    /// Every backend that this CPU has; says so, and says what is skipped.
    pub(crate) fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut all = vec![Self::One, Self::OneOfFour, Self::Emulated];
        #[cfg(target_arch = "x86_64")]
        all.extend(phalanx_engine::word::Ifma::detect().filter(|_| !phalanx_tiers::is_emulated()).map(Self::Ifma));
        let names: Vec<_> = all.iter().map(|backend| backend.name()).collect();
        println!("backends: {}", names.join(", "));
        if !names.contains(&"ifma") {
            phalanx_tiers::skipped("vector words", "every operation of field, formulas and memory on them");
        }
        all
    }

    /// The name of the words that the backend computes on.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::One => "one lane",
            Self::OneOfFour => "one lane of four digits",
            Self::Emulated => "emulated",
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(_) => "ifma",
        }
    }

    /// Whether a factor must be carried.
    pub(crate) fn multiplies_52_bits(self) -> bool {
        !matches!(self, Self::One)
    }

    /// The backends that compute on eight lanes.
    pub(crate) fn of_eight_lanes() -> Vec<Self> {
        Self::all().into_iter().filter(|backend| !matches!(backend, Self::One | Self::OneOfFour)).collect()
    }

    /// Runs work that is generic over words, on eight lanes.
    pub(crate) fn run_op<O: Op>(self, op: O) -> O::Output {
        match self {
            Self::One | Self::OneOfFour => unreachable!("one lane has no words of eight"),
            Self::Emulated => Emulated::root(op),
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(token) => token.run(op),
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
            Self::One => one_lane::<Fe<P256k1>, N, M, O>(operation, inputs),
            Self::OneOfFour => one_lane::<Fe4<P256k1>, N, M, O>(operation, inputs),
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

impl OneLane for Fe<P256k1> {
    fn load(limbs: Limbs) -> Self {
        Fe::from_limbs(limbs)
    }
    fn store(self) -> Limbs {
        self.limbs()
    }
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
        let load = |input: Eight| {
            let limbs = core::array::from_fn(|limb| W::from_lanes(input.map(|number| number[limb])));
            L::load(limbs)
        };
        let (results, truth) = self.operation.call(self.inputs.map(load));
        let outputs = results.map(|result| {
            let limbs = L::store::<W>(result).map(W::to_lanes);
            core::array::from_fn(|lane| core::array::from_fn(|limb| limbs[limb][lane]))
        });
        let mask = (0..LANES).fold(0, |mask, lane| mask | u8::from(truth.lane(lane)) << lane);
        (W::NAME, outputs, mask)
    }
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
