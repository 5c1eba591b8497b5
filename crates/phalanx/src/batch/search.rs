//! Which rows of a batch do not hold.

use super::{Batch, verdicts::Verdicts};
use crate::tuning::{MIN_BISECTION, SAMPLE};
use crate::{Verdict, msm::Products};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use phalanx_engine::word::Mask;

/// The equations of rows, each times its coefficient: a sum of products that is infinity if all hold.
pub(super) trait Equations {
    fn count(&self) -> usize;
    fn products(&self, rows: Range<usize>) -> Products<'static>;
    /// A number that nobody could know when the rows were chosen.
    fn random(&self, index: usize) -> u64;
}

impl Batch {
    /// The verdict of each row. `alone` verifies the rows with these numbers one by one.
    ///
    /// A sample tells many culprits from few. Many, and all rows are verified alone, without a sum. Few or none, and
    /// the batch is summed; when it fails, culprits are searched for by halving: one half is summed, and the sum of the
    /// other is what is left of the whole. A half whose sum is infinity holds. When the sums on the way have come to as
    /// many rows as the batch, what is left is verified alone.
    pub(super) fn search(&self, equations: &impl Equations, alone: impl Fn(&[usize]) -> Vec<Verdict>) -> Vec<Verdict> {
        let count = equations.count();
        let mut verdicts = Verdicts::none(count);
        let sum = |rows: Range<usize>| self.msm.sum(&equations.products(rows));
        let judge = |rows: &[usize], verdicts: &mut Verdicts| {
            let found = alone(rows);
            let culprits = found.iter().filter(|verdict| !verdict.is_valid()).count();
            verdicts.set_all(rows.iter().copied(), found);
            culprits
        };
        if count > MIN_BISECTION {
            let span = count / SAMPLE;
            let place = |i| i * span + (equations.random(i) % span as u64) as usize;
            let sample: Vec<usize> = (0..SAMPLE).map(place).collect();
            if judge(&sample, &mut verdicts) < 2 {
                let mut budget = count;
                let mut open = vec![(0..count, sum(0..count))];
                while let Some((rows, total)) = open.pop() {
                    let half = rows.len() / 2;
                    if total.is_infinity().any() {
                        verdicts.clear(rows);
                        continue;
                    }
                    if rows.len() <= MIN_BISECTION || half > budget {
                        judge(&rows.collect::<Vec<_>>(), &mut verdicts);
                        continue;
                    }
                    budget -= half;
                    let middle = rows.start + half;
                    let first = sum(rows.start..middle);
                    open.push((middle..rows.end, total.add_complete(first.negate())));
                    open.push((rows.start..middle, first));
                }
                return verdicts.finish();
            }
        }
        judge(&(0..count).collect::<Vec<_>>(), &mut verdicts);
        verdicts.finish()
    }
}
