//! The inverses of eight lanes by one inversion: the engine's, modulo p, and what it leaves wiped.

use super::memory::{FeX8, FeX8Mem, Machine};
use crate::{
    group::Coordinates,
    wipe::{overwrite, wipe},
};
use phalanx_engine::{
    field::batch_inversion::BatchInverted,
    lanes,
    word::{Mask8, Word},
};

/// Divisions modulo p for any word: [`lanes::BatchStep`] without the name of the field.
pub(crate) trait BatchStep {
    /// The same with the words named.
    type ForWord<'a, W: Word>: BatchInverted<FeX8<W>>
    where
        Self: 'a;

    fn for_word<W: Word>(&mut self) -> Self::ForWord<'_, W>;

    fn is_empty(&self) -> bool;

    /// What is left to do when all divisions are done.
    #[inline(always)]
    fn end<W: Word>(_: Self::ForWord<'_, W>) {}
}

/// Runs all divisions of a stage. The lanes of which some denominator was zero, where every result is void, come back.
/// Variable time.
pub(crate) fn divide<M: Machine, D: BatchStep>(machine: M, stage: &mut D) -> Mask8 {
    lanes::divide(machine, &mut ModP(stage))
}

/// As [`divide`], in constant time, for stages of which no denominator can be zero.
pub(crate) fn divide_secret<M: Machine, D: BatchStep>(machine: M, stage: &mut D) {
    lanes::divide_secret(machine, &mut ModP(stage), |inverse, factors| {
        wipe(inverse);
        overwrite(factors, FeX8Mem::ZERO);
    });
}

/// Divisions in the field of the coordinates.
struct ModP<'a, D>(&'a mut D);

impl<D: BatchStep> lanes::BatchStep for ModP<'_, D> {
    type Field = Coordinates;
    type ForWord<'b, W: Word>
        = D::ForWord<'b, W>
    where
        Self: 'b;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> D::ForWord<'_, W> {
        self.0.for_word()
    }
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    #[inline(always)]
    fn end<W: Word>(divisions: D::ForWord<'_, W>) {
        D::end(divisions);
    }
}
