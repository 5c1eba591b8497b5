//! Jobs over the same rows, timed in turn.

use crate::{Failure, library::Running, stats::Summary};
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// A sample of the slowest side is about this long, where rows can be cut that small.
const SAMPLE: Duration = Duration::from_millis(2);
/// Rows are repeated within a sample until it is at least so long. The coarsest clock, of a program in Go, counts microseconds.
const SHORTEST: Duration = Duration::from_micros(250);
/// All sides run for about this long before the first sample counts, or as long as the samples take if that is less.
const WARM_UP: Duration = Duration::from_millis(300);
/// Rounds of samples taken however long they take.
pub(crate) const FEWEST: usize = 5;
/// The same, where a sample of the slowest side is longer than [`LONG`].
const FEWEST_LONG: usize = 3;
const LONG: Duration = Duration::from_secs(5);

/// How many rows make a sample and how often each side repeats them.
struct Plan {
    rows: usize,
    group: usize,
    sample: usize,
    times: Vec<usize>,
    next: usize,
}

impl Plan {
    fn new(rows: usize, group: usize, nanoseconds: &[f64]) -> Self {
        let slowest = nanoseconds.iter().copied().fold(1e-3, f64::max);
        let groups = (SAMPLE.as_nanos() as f64 / (slowest * group as f64)) as usize;
        let sample = (groups * group).clamp(group, rows);
        let times = nanoseconds.iter().map(|each| {
            let once = each.max(1e-3) * sample as f64;
            (SHORTEST.as_nanos() as f64 / once).ceil().max(1.0) as usize
        });
        Self { rows, group, sample, times: times.collect(), next: 0 }
    }

    /// How many rounds of samples are taken however long they take.
    fn fewest(&self, nanoseconds: &[f64]) -> usize {
        let slowest = nanoseconds.iter().copied().fold(0.0, f64::max) * self.sample as f64;
        if slowest > LONG.as_nanos() as f64 { FEWEST_LONG } else { FEWEST }
    }

    /// The rows of the next round of samples: each goes on where the last one ended.
    fn turn(&mut self) -> Range<usize> {
        if self.next + self.sample > self.rows {
            self.next = 0;
        }
        let range = self.next..self.next + self.sample;
        self.next = range.end;
        debug_assert!(range.start.is_multiple_of(self.group));
        range
    }
}

/// Times jobs of `rows` rows, made of whole groups of `group`, in turn, each pair for about so long: nanoseconds per row
/// of each, and the number of rounds.
pub(crate) fn interleave(
    jobs: &mut [&mut dyn Running],
    rows: usize,
    group: usize,
    length: Duration,
) -> Result<(Vec<Summary>, usize), Failure> {
    let (count, length) = (jobs.len(), length.mul_f64(jobs.len() as f64 / 2.0));
    // The side that starts changes with every round: whoever comes later meets a CPU that has just been busy.
    let mut start = 0;
    let mut sample = |range: Range<usize>, times: &[usize]| -> Result<Vec<f64>, Failure> {
        let mut each = vec![0.0; count];
        for place in (start..count).chain(0..start) {
            let took = jobs[place].run(range.clone(), times[place]).map_err(Failure::Broken)?;
            each[place] = took.as_nanos() as f64 / (range.len() * times[place]) as f64;
        }
        start = (start + 1) % count;
        Ok(each)
    };

    let begun = Instant::now();
    let mut speed = sample(0..rows.min(group), &vec![1; count])?;
    let mut plan = Plan::new(rows, group, &speed);
    while begun.elapsed() < WARM_UP.min(length) {
        speed = sample(plan.turn(), &plan.times)?;
        plan = Plan { next: plan.next, ..Plan::new(rows, group, &speed) };
    }

    let fewest = plan.fewest(&speed);
    let mut series = vec![Vec::new(); count];
    let begun = Instant::now();
    while begun.elapsed() < length || series[0].len() < fewest {
        let round = sample(plan.turn(), &plan.times)?;
        series.iter_mut().zip(round).for_each(|(series, each)| series.push(each));
    }
    Ok((series.iter().map(|samples| Summary::of(samples)).collect(), series[0].len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_whole_groups_inside_the_rows() {
        for (rows, group, speed) in [(4096, 4096, 5e4), (4096, 1, 5e4), (1024, 1, 2.0), (4096, 2, 2e4), (64, 64, 1e9)] {
            let mut plan = Plan::new(rows, group, &[speed, speed / 10.0]);
            for _ in 0..1000 {
                let range = plan.turn();
                assert!(!range.is_empty() && range.end <= rows);
                assert!(range.start.is_multiple_of(group) && range.len().is_multiple_of(group));
            }
            assert!(plan.times[1] >= plan.times[0]);
        }
    }

    #[test]
    fn long_samples_are_fewer() {
        for (speed, fewest) in [([3e7, 1e4], 3), ([1e4, 3e7], 3), ([7e6, 7e6], 5), ([1.0, 1.0], 5)] {
            assert_eq!(Plan::new(667, 667, &speed).fewest(&speed), fewest, "{speed:?}");
        }
    }
}
