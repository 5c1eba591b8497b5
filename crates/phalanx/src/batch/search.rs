//! Which rows of a batch do not hold.

use super::Batch;
use crate::{Verdict, msm::Products};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use phalanx_engine::word::Mask;

/// Rows whose sum of products is infinity if all hold.
pub(super) trait Claims {
    fn products(&self, rows: Range<usize>) -> Products;
}

/// Rows that are verified alone rather than halved further: a sum of so few costs as much.
const ALONE: usize = 32;
/// Rows of a failed batch that are verified alone first, spread over it, to learn how many culprits to expect.
const SAMPLE: usize = 16;

impl Batch {
    /// The verdict of each row. `alone` verifies the rows with these numbers one by one.
    ///
    /// When a batch fails, a sample tells many culprits from few. Many, and all rows are verified alone. Few, and they are
    /// searched for by halving: a half is summed, and when it holds the culprits are in the other, which need not be summed.
    /// Each culprit found costs at most two sums of each length on the way; when the sums together have come to as many rows
    /// as the batch, what is left is verified alone.
    pub(super) fn search(
        &self,
        claims: &impl Claims,
        count: usize,
        alone: impl Fn(&[usize]) -> Vec<Verdict>,
    ) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::Valid; count];
        if count == 0 {
            return verdicts;
        }
        let holds = |rows: Range<usize>| self.msm.sum(&claims.products(rows)).is_infinity().any();
        let mut judge = |rows: &[usize]| {
            let found = alone(rows);
            let culprits = found.iter().filter(|verdict| !verdict.is_valid()).count();
            rows.iter().zip(found).for_each(|(&row, verdict)| verdicts[row] = verdict);
            culprits
        };
        if count > ALONE {
            if holds(0..count) {
                return verdicts;
            }
            let sample: Vec<usize> = (0..SAMPLE).map(|i| i * count / SAMPLE).collect();
            if judge(&sample) < 2 {
                let mut budget = count;
                // Ranges to be cleared; whether each is known to fail.
                let mut open = vec![(0..count, true)];
                while let Some((rows, fails)) = open.pop() {
                    if rows.len() <= ALONE || rows.len() > budget {
                        judge(&rows.collect::<Vec<_>>());
                        continue;
                    }
                    if !fails {
                        budget -= rows.len();
                        if holds(rows.clone()) {
                            continue;
                        }
                    }
                    let middle = rows.start + rows.len() / 2;
                    let (first, second) = (rows.start..middle, middle..rows.end);
                    if first.len() > budget {
                        judge(&rows.collect::<Vec<_>>());
                        continue;
                    }
                    budget -= first.len();
                    if holds(first.clone()) {
                        open.push((second, true));
                    } else {
                        open.push((second, false));
                        open.push((first, true));
                    }
                }
                return verdicts;
            }
        }
        judge(&(0..count).collect::<Vec<_>>());
        verdicts
    }
}
