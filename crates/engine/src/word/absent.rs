//! What stands for a vector unit in builds that have no code for it, so that nothing above this room has to ask.

use super::doubles::DoublesOp;
use super::{CacheLine, Op, PointRef};
use core::convert::Infallible;

/// No machine: there is no value of this type.
#[derive(Clone, Copy, Debug)]
pub struct Ifma(Infallible);

impl Ifma {
    /// None: this build has no code for the unit.
    pub fn detect() -> Option<Self> {
        None
    }

    /// Runs nothing.
    pub fn run<O: Op>(self, _: O) -> O::Output {
        match self.0 {}
    }

    /// Asks for nothing.
    pub fn prefetch(self, _: &[CacheLine], _: PointRef) {
        match self.0 {}
    }
}

/// No machine of doubles: there is no value of this type.
#[derive(Clone, Copy, Debug)]
pub struct Fma(Infallible);

impl Fma {
    /// None: this build has no code for the unit.
    pub fn detect() -> Option<Self> {
        None
    }

    /// Runs nothing.
    pub fn run<O: DoublesOp>(self, _: O) -> O::Output {
        match self.0 {}
    }
}
