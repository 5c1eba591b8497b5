//! Which rows of a batch do not hold.

use super::{backend::BatchBackend, equation::Equations, verdicts::Verdicts};
use crate::tuning::{MIN_BISECTION, SAMPLE};
use crate::{
    Verdict,
    group::{Jacobian, Secp256k1},
};
use core::ops::Range;
use phalanx_engine::{
    arena::{Arena, List},
    word::Mask,
};

/// Halves that wait: fewer than the bits of a number of rows.
const OPEN: usize = 64;

/// The memory of a search.
pub(super) struct Search<'m> {
    verdicts: Verdicts<'m>,
    /// The numbers of the rows that are verified alone, and their verdicts.
    alone: List<'m, u32>,
    found: List<'m, Verdict>,
    /// Rows, and the sum of their equations.
    open: List<'m, (usize, usize, Jacobian)>,
}

impl<'m> Search<'m> {
    /// Room for a search among so many equations.
    pub(super) fn with_room(count: usize, arena: &mut Arena<'m, '_>) -> Self {
        Search {
            verdicts: Verdicts::with_room(count, arena),
            alone: arena.list(count),
            found: arena.filled(count, Verdict::InvalidSignature),
            open: arena.list(OPEN),
        }
    }

    /// The verdict of each row. `alone` verifies the rows with these numbers one by one.
    ///
    /// A sample tells many culprits from few. Many, and all rows are verified alone, without a sum. Few or none, and
    /// the batch is summed; when it fails, culprits are searched for by halving: one half is summed, and the sum of the
    /// other is what is left of the whole. A half whose sum is infinity holds. When the sums on the way have come to as
    /// many rows as the batch, what is left is verified alone.
    pub(super) fn run<B: BatchBackend>(
        &mut self,
        backend: &mut B,
        equations: &mut Equations<'_>,
        alone: &impl Fn(&mut B, &Equations<'_>, &[u32], &mut [Verdict]),
    ) -> impl ExactSizeIterator<Item = Verdict> {
        let count = equations.as_slice().len();
        self.verdicts.begin(count);
        if count > MIN_BISECTION {
            let span = count / SAMPLE;
            let sample = |i| (i * span + (equations.random(i) % span as u64) as usize) as u32;
            let sample = core::array::from_fn::<_, SAMPLE, _>(sample);
            if self.judge(backend, equations, sample.into_iter(), alone) < 2 {
                self.halve(backend, equations, alone);
                return self.verdicts.finish();
            }
        }
        self.judge(backend, equations, 0..count as u32, alone);
        self.verdicts.finish()
    }

    /// Verifies these rows alone, and answers how many are not valid.
    fn judge<B: BatchBackend>(
        &mut self,
        backend: &mut B,
        equations: &Equations<'_>,
        rows: impl Iterator<Item = u32>,
        alone: &impl Fn(&mut B, &Equations<'_>, &[u32], &mut [Verdict]),
    ) -> usize {
        self.alone.clear();
        rows.for_each(|row| self.alone.push(row));
        let found = &mut self.found[..self.alone.len()];
        found.fill(Verdict::InvalidSignature);
        alone(backend, equations, &self.alone, found);
        self.verdicts.set_all(&self.alone, found);
        found.iter().filter(|verdict| !verdict.is_valid()).count()
    }

    fn halve<B: BatchBackend>(
        &mut self,
        backend: &mut B,
        equations: &mut Equations<'_>,
        alone: &impl Fn(&mut B, &Equations<'_>, &[u32], &mut [Verdict]),
    ) {
        let count = equations.as_slice().len();
        let sum =
            |backend: &mut B, equations: &mut Equations<'_>, rows: Range<usize>| backend.sum(equations.products(rows));
        let mut budget = count;
        self.open.clear();
        self.open.push((0, count, sum(backend, equations, 0..count)));
        while let Some((start, end, total)) = self.open.pop() {
            let half = (end - start) / 2;
            if total.is_infinity().any() {
                self.verdicts.clear(start..end);
                continue;
            }
            if end - start <= MIN_BISECTION || half > budget {
                self.judge(backend, equations, start as u32..end as u32, alone);
                continue;
            }
            budget -= half;
            let middle = start + half;
            let first = sum(backend, equations, start..middle);
            self.open.push((middle, end, total.add_any::<Secp256k1>(first.negate())));
            self.open.push((start, middle, first));
        }
    }
}
