//! Arithmetic on a library's own values, one lane: a loop over rows, as a stream or as dependent chains.

use crate::{
    peer::Job,
    request::{Request, Shape},
};
use std::ops::Range;

/// A loop over rows with two operands.
pub struct Loop<A, B, S, C, const N: usize> {
    a: Vec<A>,
    b: Vec<B>,
    results: Vec<A>,
    lanes: usize,
    shape: Shape,
    stream: S,
    chain: C,
    write: fn(&A) -> [u8; N],
}

impl<A: Copy, B, S, C, const N: usize> Loop<A, B, S, C, N>
where
    S: Fn(A, &B) -> A,
    C: Fn(A, &B) -> A,
{
    /// A job that computes `stream(a, b)` for each row, or chains of `chain(last, b)`; `write` gives a result's bytes.
    pub fn new(request: &Request, a: Vec<A>, b: Vec<B>, stream: S, chain: C, write: fn(&A) -> [u8; N]) -> Self {
        let count = if request.shape == Shape::Chain { request.lanes } else { a.len() };
        let results = a[..count].to_vec();
        Self { a, b, results, lanes: request.lanes, shape: request.shape, stream, chain, write }
    }
}

impl<A: Copy, B, S, C, const N: usize> Job for Loop<A, B, S, C, N>
where
    S: Fn(A, &B) -> A,
    C: Fn(A, &B) -> A,
{
    fn run(&mut self, rows: Range<usize>) {
        let (a, b) = (&self.a[rows.clone()], &self.b[rows.clone()]);
        match self.shape {
            Shape::Stream => {
                for ((result, a), b) in self.results[rows].iter_mut().zip(a).zip(b) {
                    *result = (self.stream)(*a, b);
                }
            }
            Shape::Chain => {
                for (lane, result) in self.results.iter_mut().enumerate() {
                    *result = b[lane..].iter().step_by(self.lanes).fold(a[lane], &self.chain);
                }
            }
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.iter().flat_map(self.write).collect()
    }
}
