//! The usual job: one independent computation a row, split over threads by equal ranges.

use crate::{
    peer::{Job, Prepared, Refusal},
    request::{Inputs, Request},
};
use std::{ops::Range, thread};

/// Splits an input block into rows of `W` bytes.
///
/// # Panics
///
/// When the block does not consist of whole rows.
pub fn records<const W: usize>(input: &[u8]) -> Vec<[u8; W]> {
    let (rows, rest) = input.as_chunks::<W>();
    assert!(rest.is_empty(), "input is not made of rows of {W} bytes");
    rows.to_vec()
}

/// `N` bytes of a row from `at` on.
#[inline(always)]
pub fn part<const N: usize>(row: &[u8], at: usize) -> &[u8; N] {
    row[at..].first_chunk().expect("the row is as wide as its operation says")
}

/// Writes the result of a row, or zeros where there is none.
#[inline(always)]
pub fn put<const N: usize>(out: &mut [u8], result: impl IntoIterator<Item = [u8; N]>) {
    out.copy_from_slice(&result.into_iter().next().unwrap_or([0; N]));
}

/// A row of [`crate::Op::SignSchnorr`]: message, key pair, auxiliary randomness.
pub type WithPair<P> = ([u8; 32], P, [u8; 32]);

/// The rows of [`crate::Op::SignSchnorr`], their key pairs made by `pair`.
pub fn with_pairs<P, E: ToString>(
    input: &[u8],
    pair: impl Fn(&[u8; 32]) -> Result<P, E>,
) -> Result<Vec<WithPair<P>>, Refusal> {
    let pair = |row| pair(part(row, 32)).map_err(|error| error.to_string());
    records::<96>(input).iter().map(|row| Ok((*part(row, 0), pair(row)?, *part(row, 64)))).collect()
}

/// A job that calls `compute(row, result)` for each row.
pub struct PerRow<T, F> {
    rows: Vec<T>,
    results: Vec<u8>,
    width: usize,
    threads: usize,
    compute: F,
}

impl<T: Sync, F: Fn(&T, &mut [u8]) + Sync> PerRow<T, F> {
    /// A job over prepared rows, with results as wide as the request's operation says.
    pub fn new(request: &Request, rows: Vec<T>, compute: F) -> Self {
        let width = request.op.result_bytes();
        Self { results: vec![0; rows.len() * width], rows, width, threads: request.threads.max(1), compute }
    }
}

/// A job that calls `compute(parsed, result)` for each row. Rows are parsed in the timed part, or beforehand where the
/// request says so.
pub fn parsing<const W: usize, P: Sync + 'static>(
    request: &Request,
    input: &[u8],
    parse: impl Fn(&[u8; W]) -> P + Sync + 'static,
    compute: impl Fn(&P, &mut [u8]) + Sync + 'static,
) -> Prepared {
    let rows = records::<W>(input);
    match request.inputs {
        Inputs::Encoded => Prepared::plain(PerRow::new(request, rows, move |row, out| compute(&parse(row), out))),
        Inputs::Parsed => Prepared::plain(PerRow::new(request, rows.iter().map(parse).collect(), compute)),
    }
}

impl<T: Sync, F: Fn(&T, &mut [u8]) + Sync> Job for PerRow<T, F> {
    fn run(&mut self, range: Range<usize>) {
        let (width, compute) = (self.width, &self.compute);
        let rows = &self.rows[range.clone()];
        let results = &mut self.results[range.start * width..range.end * width];
        let work = |rows: &[T], results: &mut [u8]| {
            for (row, result) in rows.iter().zip(results.chunks_exact_mut(width)) {
                compute(row, result);
            }
        };
        if self.threads == 1 {
            return work(rows, results);
        }
        let share = rows.len().div_ceil(self.threads).max(1);
        thread::scope(|scope| {
            for (rows, results) in rows.chunks(share).zip(results.chunks_mut(share * width)) {
                scope.spawn(move || work(rows, results));
            }
        });
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Op;

    #[test]
    fn any_number_of_threads_computes_every_row_once() {
        for threads in 1..6 {
            for count in [0, 1, 5, 8, 33] {
                let mut request = Request::new(Op::VerifyEcdsa, count);
                request.threads = threads;
                let rows: Vec<u8> = (0..count as u8).collect();
                let mut job = PerRow::new(&request, rows.clone(), |row, result: &mut [u8]| result[0] += row + 1);
                job.run(0..count);
                assert_eq!(job.output(), rows.iter().map(|row| row + 1).collect::<Vec<_>>());
            }
        }
    }
}
