//! Arithmetic on a library's own values, one lane: a loop over rows, as a stream or as dependent chains.

use crate::{
    peer::Job,
    request::{Request, Shape},
};
use std::ops::Range;

/// A loop over rows with two operands.
pub struct Loop<A, B, S, const N: usize> {
    a: Vec<A>,
    b: Vec<B>,
    results: Vec<A>,
    lanes: usize,
    shape: Shape,
    step: S,
    write: fn(&A) -> [u8; N],
}

impl<A: Copy, B, S: Fn(A, &B) -> A, const N: usize> Loop<A, B, S, N> {
    /// A job that computes `step(a, b)` for each row, or chains of `step(last, b)`; `write` gives a result's bytes.
    pub fn new(request: &Request, a: Vec<A>, b: Vec<B>, step: S, write: fn(&A) -> [u8; N]) -> Self {
        let count = if request.shape == Shape::Chain { request.lanes } else { a.len() };
        let results = a[..count].to_vec();
        Self { a, b, results, lanes: request.lanes, shape: request.shape, step, write }
    }
}

impl<A: Copy, B, S: Fn(A, &B) -> A, const N: usize> Job for Loop<A, B, S, N> {
    fn run(&mut self, rows: Range<usize>) {
        let (a, b) = (&self.a[rows.clone()], &self.b[rows.clone()]);
        match self.shape {
            Shape::Stream => {
                for ((result, a), b) in self.results[rows].iter_mut().zip(a).zip(b) {
                    *result = (self.step)(*a, b);
                }
            }
            Shape::Chain => {
                for (lane, result) in self.results.iter_mut().enumerate() {
                    *result = b[lane..].iter().step_by(self.lanes).fold(a[lane], &self.step);
                }
            }
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.iter().flat_map(self.write).collect()
    }
}
