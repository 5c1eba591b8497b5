//! Rows in steps: threads, workspace, progress.
#![allow(unsafe_code)]

use crate::{
    ffi::{Checked, Given, LinesToWrite, Output, Place, guard},
    handle::phalanx_bulk,
    status::{PHALANX_CANCELLED, PHALANX_NULL_POINTER, PHALANX_WORKSPACE_TOO_SMALL},
    types::{phalanx_call, phalanx_progress},
};
use core::{ffi::c_void, ops::Range, ptr};
use library::{
    Bulk,
    bindings::{CacheLine, OneThread},
};
use phalanx_ffi::operations::Operation;

/// Rows of a step where the program wants to know of progress.
const ROWS_PER_STEP: usize = 1 << 16;
/// Rows that are computed in a workspace at a time.
const ROWS_PER_CHUNK: usize = 256;

/// What a call computes with.
pub(crate) struct Run<'a> {
    handle: &'a phalanx_bulk,
    workspace: Option<&'a mut [CacheLine]>,
    progress: phalanx_progress,
    user: *mut c_void,
    step: usize,
}

/// What a call on rows is given: verdicts and resources at first; the rest is noted by its function.
pub(crate) struct Call<'a> {
    pub(crate) given: Given<'a>,
    verdicts: Place,
    resources: Resources<'a>,
}

impl<'a> Call<'a> {
    /// A call of an operation.
    ///
    /// # Safety
    /// The pointers, and those that are noted of the call, are NULL or good for the rows, for as long as `'a`.
    pub(crate) unsafe fn new(
        operation: Operation,
        bulk: *const phalanx_bulk,
        call: *const phalanx_call,
        out: *mut u8,
        rows: usize,
    ) -> Self {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let verdicts = given.verdicts(out, rows);
        let resources = Resources::new(operation, bulk, call, &mut given);
        Call { given, verdicts, resources }
    }

    /// The status of work on rows, with their verdicts and the resources of the call, once all that was noted is checked.
    pub(crate) fn work(self, work: impl FnOnce(&'a mut [u8], Run<'a>, Checked<'a>) -> Result<(), i32>) -> i32 {
        guard(|| {
            let checked = self.given.check()?;
            work(self.verdicts.bytes(&checked), self.resources.run(&checked)?, checked)
        })
    }
}

/// What a call computes with, as it is given.
struct Resources<'a> {
    handle: Option<&'a phalanx_bulk>,
    call: phalanx_call,
    workspace: Option<LinesToWrite<'a>>,
}

impl<'a> Resources<'a> {
    fn new(
        operation: Operation,
        bulk: *const phalanx_bulk,
        given_call: *const phalanx_call,
        given: &mut Given<'a>,
    ) -> Self {
        let handle = given.value(bulk);
        let mut call = phalanx_call {
            workspace: ptr::null_mut(),
            workspace_bytes: 0,
            progress: None,
            user: ptr::null_mut(),
            rows_per_step: 0,
        };
        if !given_call.is_null() {
            call = given.value(given_call).copied().unwrap_or(call);
        }
        let mut workspace = None;
        if !call.workspace.is_null() {
            // No more than the greatest call takes, whatever the caller says.
            let most = handle.map_or(0, |handle| operation.workspace_lines(handle.bulk.one_thread(), usize::MAX));
            let lines = most.min(call.workspace_bytes / size_of::<CacheLine>());
            workspace = Some(given.lines_to_write(call.workspace.cast(), lines));
        }
        Resources { handle, call, workspace }
    }

    fn run(self, checked: &Checked<'a>) -> Result<Run<'a>, i32> {
        let phalanx_call { progress, user, rows_per_step, .. } = self.call;
        let workspace = self.workspace.map(|lines| lines.get(checked));
        let step = match (rows_per_step, progress) {
            (0, None) => usize::MAX,
            (0, Some(_)) => ROWS_PER_STEP,
            (rows, _) => rows,
        };
        Ok(Run { handle: self.handle.ok_or(PHALANX_NULL_POINTER)?, workspace, progress, user, step })
    }
}

impl<'a> Run<'a> {
    pub(crate) fn bulk(&self) -> &'a Bulk {
        &self.handle.bulk
    }

    /// Whether rows may be computed by tables of keys.
    pub(crate) fn tables(&self) -> bool {
        self.handle.tables && self.workspace.is_none()
    }

    /// The resources to compute in the workspace, if there is one.
    pub(crate) fn in_workspace(&mut self) -> Option<(OneThread, &mut [CacheLine])> {
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
                // SAFETY: a function of the program, called as its type says. What unwinds out of it ends the program
                // in `guard`.
                let cancel = unsafe { progress(self.user, done, rows) } != 0;
                if cancel && done < rows {
                    return Err(PHALANX_CANCELLED);
                }
            }
        }
        Ok(())
    }

    /// Calls `work` on chunks of rows, each with its verdicts and with the resources to compute one: on the handle's
    /// threads, or on this thread in the workspace. Outputs are zero before.
    pub(crate) fn chunks(
        &mut self,
        verdicts: &mut [u8],
        outputs: impl IntoIterator<Item = Output>,
        work: impl Fn(Range<usize>, &mut [u8], OneThread, &mut [CacheLine]) + Sync,
    ) -> Result<(), i32> {
        let bulk = self.handle.bulk.one_thread();
        let needed = bulk.workspace_lines();
        if self.workspace.as_ref().is_some_and(|workspace| workspace.len() < needed) {
            return Err(PHALANX_WORKSPACE_TOO_SMALL);
        }
        // SAFETY: outputs are this call's alone, and no other thread has begun.
        outputs.into_iter().for_each(|output| unsafe { output.fill(0) });
        self.steps(verdicts.len(), |run, step| {
            let verdicts = &mut verdicts[step.clone()];
            match &mut run.workspace {
                None => run.handle.bulk.in_chunks(verdicts, |range, verdicts, bulk, memory| {
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
