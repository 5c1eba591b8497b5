//! What many rows and sums are computed on.

use super::{Backend, EmulatedLanes};
use crate::Error;
use phalanx_engine::word::{Machine, Op, VectorUnit};

/// One lane of any CPU, or eight lanes of a machine that this CPU is.
///
/// A value of eight lanes comes from detection ([`Backend::vectors`]), or from a caller that answers for the CPU. So
/// code that holds the value may run its instructions.
#[derive(Clone, Copy)]
pub(crate) enum Lanes {
    One,
    Eight(Eight),
}

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) enum Eight {
    /// Of a vector unit.
    Vectors(VectorUnit),
    /// Emulated, for tests.
    Emulated(EmulatedLanes),
}

impl Machine for Eight {
    #[inline(always)]
    fn run<O: Op>(self, op: O) -> O::Output {
        match self {
            Eight::Vectors(unit) => unit.run(op),
            Eight::Emulated(machine) => machine.run(op),
        }
    }
}

impl Backend {
    /// The lanes of this backend, which is there.
    pub(crate) fn lanes(self) -> Lanes {
        match self {
            Backend::Emulated(machine) => Lanes::Eight(Eight::Emulated(machine)),
            _ => self.vectors().map_or(Lanes::One, Lanes::of_vectors),
        }
    }
}

impl Lanes {
    /// The lanes of a backend, if it is there.
    pub(crate) fn of(backend: Backend) -> Result<Lanes, Error> {
        backend.check().map(Backend::lanes)
    }

    /// Eight lanes of a vector unit.
    pub(crate) const fn of_vectors(unit: VectorUnit) -> Lanes {
        Lanes::Eight(Eight::Vectors(unit))
    }

    /// The backend whose lanes these are.
    pub(crate) const fn backend(self) -> Backend {
        match self {
            Lanes::One => Backend::Portable,
            Lanes::Eight(Eight::Vectors(unit)) => Backend::of_vectors(unit),
            Lanes::Eight(Eight::Emulated(machine)) => Backend::Emulated(machine),
        }
    }

    /// The vector unit, if it is one.
    pub(crate) const fn vectors(self) -> Option<VectorUnit> {
        match self {
            Lanes::Eight(Eight::Vectors(unit)) => Some(unit),
            _ => None,
        }
    }
}
