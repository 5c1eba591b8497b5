//! Sums of products over a library's own scalars and points, group by group.

use crate::{
    peer::{Job, Refusal},
    request::Request,
    rows::{part, records},
};
use std::ops::Range;

/// A job that calls `sum(scalars, points)` for each group; `write` turns a sum into affine bytes, zeros for infinity.
pub struct Sums<S, P, R, F, W> {
    scalars: Vec<S>,
    points: Vec<P>,
    group: usize,
    results: Vec<Option<R>>,
    sum: F,
    write: W,
}

impl<S, P, R, F: FnMut(&[S], &[P]) -> R, W: Fn(&R) -> [u8; 64]> Sums<S, P, R, F, W> {
    /// Reads the rows of [`crate::Op::Msm`] by `scalar` and `point` (affine bytes), untimed.
    pub fn new(
        request: &Request,
        input: &[u8],
        scalar: impl Fn(&[u8; 32]) -> Option<S>,
        point: impl Fn(&[u8; 64]) -> Option<P>,
        sum: F,
        write: W,
    ) -> Result<Self, Refusal> {
        let rows = records::<96>(input);
        let scalars =
            rows.iter().map(|row| scalar(part(row, 0))).collect::<Option<_>>().ok_or("a scalar is refused")?;
        let points = rows.iter().map(|row| point(part(row, 32))).collect::<Option<_>>().ok_or("a point is refused")?;
        let results = (0..request.rows / request.group).map(|_| None).collect();
        Ok(Self { scalars, points, group: request.group, results, sum, write })
    }
}

impl<S, P, R, F: FnMut(&[S], &[P]) -> R, W: Fn(&R) -> [u8; 64]> Job for Sums<S, P, R, F, W> {
    fn run(&mut self, rows: Range<usize>) {
        let groups = rows.start / self.group..rows.end / self.group;
        let terms = self.scalars[rows.clone()].chunks_exact(self.group).zip(self.points[rows].chunks_exact(self.group));
        for ((scalars, points), result) in terms.zip(&mut self.results[groups]) {
            *result = Some((self.sum)(scalars, points));
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.results.iter().flatten().flat_map(&self.write).collect()
    }
}
