//! Rows in steps: threads, workspace, progress.
#![allow(unsafe_code)]

use crate::{
    border::{Spans, check_pointer, guard, value, verdicts},
    handle::phalanx_bulk,
    status::{PHALANX_CANCELLED, PHALANX_WORKSPACE_TOO_SMALL},
    types::{phalanx_call, phalanx_progress},
};
use core::{ffi::c_void, ops::Range, ptr, slice};
use library::{
    Bulk, CacheLine,
    bulk::{OneThread, Operation},
};

/// Rows of a step where the program wants to know of progress.
const ROWS_PER_STEP: usize = 1 << 16;
/// Rows that are computed in a workspace at a time.
const ROWS_PER_CHUNK: usize = 256;

/// The means of a call.
pub(crate) struct Run<'a> {
    handle: &'a phalanx_bulk,
    workspace: Option<&'a mut [CacheLine]>,
    progress: phalanx_progress,
    user: *mut c_void,
    step: usize,
}

/// What every call on rows is given.
pub(crate) struct Given {
    bulk: *const phalanx_bulk,
    call: *const phalanx_call,
    out: *mut u8,
    rows: usize,
    /// The lines of workspace that such a call takes at most.
    most: fn(OneThread) -> usize,
}

impl Given {
    /// # Safety
    /// The pointers are NULL or good for the rows, for the time of the call.
    pub(crate) unsafe fn new(bulk: *const phalanx_bulk, call: *const phalanx_call, out: *mut u8, rows: usize) -> Self {
        let most = |one: OneThread| {
            Operation::ALL.map(|operation| one.lines(operation, usize::MAX)).into_iter().max().unwrap_or(0)
        };
        Given { bulk, call, out, rows, most }
    }

    /// The same for verification of a batch, which takes more.
    ///
    /// # Safety
    /// As [`Given::new`].
    pub(crate) unsafe fn batch(
        bulk: *const phalanx_bulk,
        call: *const phalanx_call,
        out: *mut u8,
        rows: usize,
    ) -> Self {
        let most = |one: OneThread| one.lines_of_batch_ecdsa(usize::MAX).max(one.lines_of_batch_schnorr(usize::MAX));
        Given { bulk, call, out, rows, most }
    }
}

/// The status of work on rows, with their verdicts, the means of the call, and the spans so far.
pub(crate) fn on_rows<'a>(given: Given, work: impl FnOnce(&'a mut [u8], Run<'a>, Spans) -> Result<(), i32>) -> i32 {
    guard(|| {
        let mut spans = Spans::new();
        // SAFETY: the pointers are NULL or good, as whoever made `given` promises.
        let out = unsafe { verdicts(given.out, given.rows, &mut spans) }?;
        // SAFETY: as above.
        let run = unsafe { Run::new(&given, &mut spans) }?;
        work(out, run, spans)
    })
}

impl<'a> Run<'a> {
    /// # Safety
    /// Handle, call and workspace are good for the time of the call, and nobody else uses the workspace.
    unsafe fn new(given: &Given, spans: &mut Spans) -> Result<Self, i32> {
        let call = given.call;
        // SAFETY: the caller's promise.
        let handle = unsafe { value(given.bulk) }?;
        let none = phalanx_call {
            workspace: ptr::null_mut(),
            workspace_bytes: 0,
            progress: None,
            user: ptr::null_mut(),
            rows_per_step: 0,
        };
        // SAFETY: the caller's promise.
        let call = if call.is_null() { none } else { *unsafe { value(call) }? };
        let phalanx_call { workspace, workspace_bytes, progress, user, rows_per_step } = call;
        let workspace = if workspace.is_null() {
            None
        } else {
            let lines = workspace.cast::<CacheLine>();
            check_pointer(lines)?;
            // No more than the greatest call takes, whatever the caller says.
            let most = (given.most)(handle.bulk.one_thread());
            let count = most.min(workspace_bytes / size_of::<CacheLine>());
            spans.add(lines, count * size_of::<CacheLine>(), true);
            // SAFETY: aligned, and so many lines are there, which nobody else uses, as the caller promises. Any words
            // are lines.
            Some(unsafe { slice::from_raw_parts_mut(lines, count) })
        };
        let step = match (rows_per_step, progress) {
            (0, None) => usize::MAX,
            (0, Some(_)) => ROWS_PER_STEP,
            (rows, _) => rows,
        };
        Ok(Run { handle, workspace, progress, user, step })
    }

    pub(crate) fn bulk(&self) -> &'a Bulk {
        &self.handle.bulk
    }

    /// Whether rows may be computed by tables of keys.
    pub(crate) fn tables(&self) -> bool {
        self.handle.tables && self.workspace.is_none()
    }

    /// The means to compute in the workspace, if there is one.
    pub(crate) fn lent(&mut self) -> Option<(OneThread, &mut [CacheLine])> {
        let one = self.handle.bulk.one_thread();
        self.workspace.as_deref_mut().map(|workspace| (one, workspace))
    }

    /// Calls `work` with the rows of each step, and tells the program after each.
    pub(crate) fn steps(
        &mut self,
        rows: usize,
        mut work: impl FnMut(&mut Self, Range<usize>) -> Result<(), i32>,
    ) -> Result<(), i32> {
        let mut done = 0;
        while done < rows {
            let end = done + self.step.min(rows - done);
            work(self, done..end)?;
            done = end;
            if let Some(progress) = self.progress {
                // SAFETY: a function of the program, called as its type says.
                let cancel = unsafe { progress(self.user, done, rows) } != 0;
                if cancel && done < rows {
                    return Err(PHALANX_CANCELLED);
                }
            }
        }
        Ok(())
    }

    /// Calls `work` on chunks of rows, each with its verdicts and with the means to compute one: on the handle's
    /// threads, or on this thread in the workspace.
    pub(crate) fn chunks(
        &mut self,
        operation: Operation,
        verdicts: &mut [u8],
        work: impl Fn(Range<usize>, &mut [u8], OneThread, &mut [CacheLine]) + Sync,
    ) -> Result<(), i32> {
        let bulk = self.handle.bulk.one_thread();
        let needed = bulk.lines(operation, verdicts.len());
        if self.workspace.as_ref().is_some_and(|workspace| workspace.len() < needed) {
            return Err(PHALANX_WORKSPACE_TOO_SMALL);
        }
        self.steps(verdicts.len(), |run, step| {
            let verdicts = &mut verdicts[step.clone()];
            match &mut run.workspace {
                None => run.handle.bulk.in_chunks(operation, verdicts, |range, verdicts, bulk, memory| {
                    work(step.start + range.start..step.start + range.end, verdicts, bulk, memory);
                }),
                Some(workspace) => {
                    let starts = (step.start..).step_by(ROWS_PER_CHUNK);
                    for (start, verdicts) in starts.zip(verdicts.chunks_mut(ROWS_PER_CHUNK)) {
                        work(start..start + verdicts.len(), verdicts, bulk, workspace);
                    }
                }
            }
            Ok(())
        })
    }
}
