//! Machines: the tokens by which work gets to the words it runs on.

use super::{CacheLine, Emulated, Ifma, Op, PointRef, Tracked, Word};

/// What runs work on words. Whoever holds a machine may run its instructions: a machine that needs some CPU is made by
/// detection of that CPU only.
pub trait Machine: Copy + Sync {
    /// Runs the work in a root of its own (see [`Word::root`]).
    fn run<O: Op>(self, op: O) -> O::Output;

    /// Asks for a row that will be read before long.
    #[inline(always)]
    fn prefetch(self, _rows: &[CacheLine], _reference: PointRef) {}
}

/// The machine that any CPU can be: it runs work on [`Emulated`] words.
#[derive(Clone, Copy, Debug)]
pub struct Emulation;

impl Machine for Emulation {
    fn run<O: Op>(self, op: O) -> O::Output {
        Emulated::root(op)
    }
}

/// The machine of [`Tracked`] words, for tests.
#[derive(Clone, Copy, Debug)]
pub struct Tracking;

impl Machine for Tracking {
    fn run<O: Op>(self, op: O) -> O::Output {
        Tracked::root(op)
    }
}

impl Machine for Ifma {
    #[inline(always)]
    fn run<O: Op>(self, op: O) -> O::Output {
        self.run(op)
    }
    #[inline(always)]
    fn prefetch(self, rows: &[CacheLine], reference: PointRef) {
        self.prefetch(rows, reference);
    }
}
