//! Operations on lanes: chunk by chunk, in the memory of a chunk.

use super::{
    memory::Lines,
    operation::{OnRows, RowOperation, RowSet},
    rows::{Rows, check, gathered},
};
use crate::{Error, backend::Lanes, tuning::ROWS_PER_CHUNK_MAX, wipe::ChunkStack};
use phalanx_engine::word::CacheLine;

impl Lanes {
    /// Writes the answers of rows, of which there are as many as answers, in chunks. The memory is of
    /// [`Lanes::lines_of_rows`].
    pub(super) fn run<O: RowOperation>(self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out], memory: &mut Lines) {
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_CHUNK_MAX) {
            let rows = rows.part(first..first + out.len());
            first += out.len();
            let mut chunk = || match self {
                Lanes::One => operation.one_lane(rows, out, memory),
                Lanes::Eight(machine) => operation.eight_lanes(machine, rows, out, memory),
            };
            if O::SECRET { ChunkStack::cleared(chunk) } else { chunk() }
        }
    }

    /// Writes the answers of rows that may have to be gathered. On an error every answer is [`RowOperation::NONE`].
    pub(super) fn on_rows<R: Copy, O: OnRows<R>>(
        self,
        operation: O,
        rows: impl Rows<R>,
        out: &mut [O::Out],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        out.fill(O::NONE);
        check(&rows, out)?;
        let memory = self.enough(workspace)?;
        let mut first = 0;
        for out in out.chunks_mut(ROWS_PER_CHUNK_MAX) {
            let range = first..first + out.len();
            first = range.end;
            gathered(&rows, range, memory, |rows, memory| self.run(operation, O::rows(rows), out, memory));
        }
        Ok(())
    }

    /// As much of a workspace as is needed.
    pub(super) fn enough(self, workspace: &mut [CacheLine]) -> Result<&mut [CacheLine], Error> {
        let (needed, given) = (self.lines_of_rows(), workspace.len());
        workspace.get_mut(..needed).ok_or(Error::WorkspaceTooSmall { needed, given })
    }
}
