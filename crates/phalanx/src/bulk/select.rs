//! The choice of the backend whose code a bulk call runs.
//!
//! A backend is a value of a type that implements [`Kernels`]. Only detection makes such a value
//! ([`Backend::vectors`]), or a caller that answers for the CPU. So code that holds the value may run its instructions.

use super::{eight::LaneKernels, kernels::Kernels, portable::Portable};
use crate::{Backend, Error};
#[cfg(feature = "internals")]
use phalanx_engine::word::Emulation;
use phalanx_engine::word::VectorUnit;

/// The code of a backend, on a machine that can run it.
#[derive(Clone, Copy)]
pub(super) enum Code {
    /// One lane, on any CPU.
    Portable(Portable),
    /// Eight lanes of a vector unit.
    Vectors(LaneKernels<VectorUnit>),
    /// Eight emulated lanes, for tests.
    #[cfg(feature = "internals")]
    Emulated(LaneKernels<Emulation>),
}

/// Evaluates an expression with the code of the backend, whichever it is: without a table of functions, which an image
/// that is loaded anywhere could not hold.
macro_rules! on {
    ($code:expr, $kernels:ident => $work:expr) => {
        match $code {
            $crate::bulk::select::Code::Portable($kernels) => $work,
            $crate::bulk::select::Code::Vectors($kernels) => $work,
            #[cfg(feature = "internals")]
            $crate::bulk::select::Code::Emulated($kernels) => $work,
        }
    };
}

pub(super) use on;

impl Code {
    /// The code of a backend, if it can run here.
    pub(super) fn of(backend: Backend) -> Result<Code, Error> {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return Ok(Code::Emulated(LaneKernels(Emulation)));
        }
        let machine = backend.check()?.vectors();
        Ok(machine.map_or(Code::Portable(Portable), |machine| Code::Vectors(LaneKernels(machine))))
    }

    /// The backend whose code this is.
    pub(super) const fn backend(&self) -> Backend {
        match self {
            Code::Portable(_) => Backend::Portable,
            Code::Vectors(LaneKernels(machine)) => Backend::of_vectors(*machine),
            #[cfg(feature = "internals")]
            Code::Emulated(_) => Backend::Emulated,
        }
    }

    /// The operations.
    pub(super) fn kernels(&self) -> &dyn Kernels {
        on!(self, code => code)
    }
}
