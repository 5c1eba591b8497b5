//! What bulk calls run on.

use super::{
    memory::Lines,
    operation::{OnRows, RowOperation, RowSet},
    rows::{Rows, check, gathered},
};
use crate::{Backend, Error, tuning::ROWS_PER_CHUNK_MAX, wipe::ChunkStack};
#[cfg(feature = "internals")]
use phalanx_engine::word::Emulation;
use phalanx_engine::word::{CacheLine, Machine, Op, VectorUnit};

/// One lane of any CPU, or eight lanes of a machine that this CPU is.
///
/// Only detection makes a value of eight lanes ([`Backend::vectors`]), or a caller that answers for the CPU. So code
/// that holds the value may run its instructions.
#[derive(Clone, Copy)]
pub(super) enum BulkMachine {
    OneLane,
    EightLanes(Eight),
}

/// Eight lanes.
#[derive(Clone, Copy)]
pub(super) enum Eight {
    /// Of a vector unit.
    Vectors(VectorUnit),
    /// Emulated, for tests.
    #[cfg(feature = "internals")]
    Emulated,
}

impl Machine for Eight {
    #[inline(always)]
    fn run<O: Op>(self, op: O) -> O::Output {
        match self {
            Eight::Vectors(unit) => unit.run(op),
            #[cfg(feature = "internals")]
            Eight::Emulated => Emulation.run(op),
        }
    }
}

impl BulkMachine {
    /// The machine of a backend, if it is there.
    pub(super) fn of(backend: Backend) -> Result<BulkMachine, Error> {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return Ok(BulkMachine::EightLanes(Eight::Emulated));
        }
        let unit = backend.check()?.vectors();
        Ok(unit.map_or(BulkMachine::OneLane, BulkMachine::of_vectors))
    }

    /// Eight lanes of a vector unit.
    pub(super) const fn of_vectors(unit: VectorUnit) -> BulkMachine {
        BulkMachine::EightLanes(Eight::Vectors(unit))
    }

    /// The backend whose machine this is.
    pub(super) const fn backend(self) -> Backend {
        match self {
            BulkMachine::OneLane => Backend::Portable,
            BulkMachine::EightLanes(Eight::Vectors(unit)) => Backend::of_vectors(unit),
            #[cfg(feature = "internals")]
            BulkMachine::EightLanes(Eight::Emulated) => Backend::Emulated,
        }
    }

    /// The vector unit, if it is one.
    pub(super) const fn vectors(self) -> Option<VectorUnit> {
        match self {
            BulkMachine::EightLanes(Eight::Vectors(unit)) => Some(unit),
            _ => None,
        }
    }

    /// The cache lines that an operation on a given number of rows takes. It stops growing where rows are computed in
    /// chunks.
    pub(super) fn lines<O: RowOperation>(self, rows: usize) -> usize {
        let rows = rows.min(ROWS_PER_CHUNK_MAX);
        match self {
            BulkMachine::OneLane => O::lines_of_one_lane(rows),
            BulkMachine::EightLanes(_) => O::lines_of_eight_lanes(rows),
        }
    }

    /// Writes the answers of rows, of which there are as many as answers, in chunks. The memory is of
    /// [`BulkMachine::lines`].
    pub(super) fn run<O: RowOperation>(self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out], memory: &mut Lines) {
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_CHUNK_MAX) {
            let rows = rows.part(first..first + out.len());
            first += out.len();
            let mut chunk = || match self {
                BulkMachine::OneLane => operation.one_lane(rows, out, memory),
                BulkMachine::EightLanes(machine) => operation.eight_lanes(machine, rows, out, memory),
            };
            if O::SECRET { ChunkStack::cleared(chunk) } else { chunk() }
        }
    }

    /// Writes the answers of rows that may have to be gathered, or no answer anywhere.
    pub(super) fn on_rows<R: Copy, O: OnRows<R>>(
        self,
        operation: O,
        rows: impl Rows<R>,
        out: &mut [O::Out],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(O::NONE);
        check(&rows, out)?;
        let chunk = out.len().min(ROWS_PER_CHUNK_MAX);
        let memory = enough(workspace, O::lines_of_gathered(chunk) + self.lines::<O>(chunk))?;
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_CHUNK_MAX) {
            let range = first..first + out.len();
            first = range.end;
            gathered(&rows, range, memory, |rows, memory| self.run(operation, O::rows(rows), out, memory));
        }
        Ok(())
    }
}

/// As much of the workspace as is needed.
pub(super) fn enough(workspace: &mut [CacheLine], needed: usize) -> Result<&mut [CacheLine], Error> {
    let given = workspace.len();
    workspace.get_mut(..needed).ok_or(Error::WorkspaceTooSmall { needed, given })
}
