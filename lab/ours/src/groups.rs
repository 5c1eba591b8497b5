//! The job of a bulk call: whole groups of rows, one call a group.

use lab_abi::{Job, Request};
use std::ops::Range;

/// A job that calls `compute(rows, results)` for each group.
pub(crate) struct Groups<F> {
    group: usize,
    width: usize,
    results: Vec<u8>,
    compute: F,
}

impl<F: FnMut(Range<usize>, &mut [u8])> Groups<F> {
    /// Room for the results of every row, as wide as the request's operation says.
    pub(crate) fn new(request: &Request, compute: F) -> Self {
        let width = request.op.result_bytes();
        Self { group: request.group, width, results: vec![0; request.rows * width], compute }
    }
}

impl<F: FnMut(Range<usize>, &mut [u8])> Job for Groups<F> {
    fn run(&mut self, rows: Range<usize>) {
        for start in rows.step_by(self.group) {
            let group = start..start + self.group;
            let results = &mut self.results[group.start * self.width..group.end * self.width];
            (self.compute)(group, results);
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.clone()
    }
}

/// Writes results one after the other.
pub(crate) fn put<const N: usize>(out: &mut [u8], results: impl IntoIterator<Item = [u8; N]>) {
    for (to, result) in out.as_chunks_mut::<N>().0.iter_mut().zip(results) {
        *to = result;
    }
}
