//! One test body over every implementor of `Field`.
//!
//! A test sees numbers as five limbs in each of eight lanes. The one-lane field runs eight times; an eight-lane field runs
//! once, in a root of its own, so that what is tested is the code as it is compiled for the vector unit.

use crate::secp256k1::P256k1;
use phalanx_engine::field::{Fe, FeX8, Field};
use phalanx_engine::word::{Emulated, LANES, Mask, Op, Word};

/// The limbs of one number.
pub(crate) type Limbs = [u64; 5];
/// The limbs of the numbers in eight lanes.
pub(crate) type Eight = [Limbs; LANES];

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
        let mut all = vec![Self::One, Self::Emulated];
        #[cfg(target_arch = "x86_64")]
        all.extend(phalanx_engine::word::Ifma::detect().map(Self::Ifma));
        let names: Vec<_> = all.iter().map(|backend| backend.name()).collect();
        println!("backends: {}", names.join(", "));
        if !names.contains(&"ifma") {
            println!("SKIPPED: the ifma backend, which this CPU does not have");
        }
        all
    }

    /// The name of the words that the backend computes on.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::One => "one lane",
            Self::Emulated => "emulated",
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(_) => "ifma",
        }
    }

    /// Whether a factor must be carried.
    pub(crate) fn multiplies_52_bits(self) -> bool {
        !matches!(self, Self::One)
    }

    /// Runs the operation on eight lanes; bit `i` of the second value is lane `i` of its truth value.
    pub(crate) fn run<const N: usize, const M: usize, O: Operation<N, M>>(
        self,
        operation: O,
        inputs: &[Eight; N],
    ) -> ([Eight; M], u8) {
        let (ran, outputs, mask) = match self {
            Self::One => one_lane(operation, inputs),
            Self::Emulated => Emulated::root(InLanes { operation, inputs }),
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(token) => token.run(InLanes { operation, inputs }),
        };
        assert_eq!(ran, self.name(), "the operation ran on other words than asked for");
        (outputs, mask)
    }
}

type Results<const M: usize> = (&'static str, [Eight; M], u8);

fn one_lane<const N: usize, const M: usize, O: Operation<N, M>>(operation: O, inputs: &[Eight; N]) -> Results<M> {
    let mut outputs = [[[0; 5]; LANES]; M];
    let mut mask = 0;
    for lane in 0..LANES {
        let (results, truth) = operation.call(inputs.map(|input| Fe::<P256k1>::from_limbs(input[lane])));
        for (output, result) in outputs.iter_mut().zip(results) {
            output[lane] = result.limbs();
        }
        mask |= u8::from(truth.lane(0)) << lane;
    }
    ("one lane", outputs, mask)
}

struct InLanes<'a, const N: usize, const M: usize, O> {
    operation: O,
    inputs: &'a [Eight; N],
}

impl<const N: usize, const M: usize, O: Operation<N, M>> Op for InLanes<'_, N, M, O> {
    type Output = Results<M>;

    #[inline(always)]
    fn call<W: Word>(self) -> Results<M> {
        let load = |input: Eight| {
            let limbs = core::array::from_fn(|limb| W::from_lanes(input.map(|number| number[limb])));
            FeX8::<P256k1, W>::from_limbs(limbs)
        };
        let (results, truth) = self.operation.call(self.inputs.map(load));
        let outputs = results.map(|result| {
            let limbs = result.limbs().map(W::to_lanes);
            core::array::from_fn(|lane| core::array::from_fn(|limb| limbs[limb][lane]))
        });
        let mask = (0..LANES).fold(0, |mask, lane| mask | u8::from(truth.lane(lane)) << lane);
        (W::NAME, outputs, mask)
    }
}

/// Declares operations: a name, the numbers of inputs and outputs, what is computed, and the truth value where there is one.
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
