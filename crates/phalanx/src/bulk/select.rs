//! Which backend's code a bulk call runs.
//!
//! A backend is one value of a type that implements [`Kernels`], and a value is had only from detection
//! ([`Backend::vectors`]), so that whoever holds one may run its instructions.

use super::{eight::Eight, kernels::Kernels, portable::Portable};
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
    Vectors(Eight<VectorUnit>),
    /// Eight emulated lanes, for tests.
    #[cfg(feature = "internals")]
    Emulated(Eight<Emulation>),
}

impl Code {
    /// The code of a backend, if it can run here: the only way to reach it.
    pub(super) fn of(backend: Backend) -> Result<Code, Error> {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return Ok(Code::Emulated(Eight(Emulation)));
        }
        let machine = backend.check()?.vectors();
        Ok(machine.map_or(Code::Portable(Portable), |machine| Code::Vectors(Eight(machine))))
    }

    /// The operations.
    pub(super) fn kernels(&self) -> &dyn Kernels {
        match self {
            Code::Portable(code) => code,
            Code::Vectors(code) => code,
            #[cfg(feature = "internals")]
            Code::Emulated(code) => code,
        }
    }
}
