//! Two jobs over the same rows, timed in turn.

use crate::{Failure, library::Running, stats::Summary};
use std::{
    ops::Range,
    time::{Duration, Instant},
};

/// A sample of the slower side is about this long, where rows can be cut that small.
const SAMPLE: Duration = Duration::from_millis(2);
/// Rows are repeated within a sample until it is at least so long. The coarsest clock, of a program in Go, counts microseconds.
const SHORTEST: Duration = Duration::from_micros(250);
/// Both sides run for about this long before the first sample counts.
const WARM_UP: Duration = Duration::from_millis(300);
/// Pairs of samples taken however long they take.
pub(crate) const FEWEST: usize = 5;
/// The same, where a sample of the slower side is longer than [`LONG`].
const FEWEST_LONG: usize = 3;
const LONG: Duration = Duration::from_secs(5);

/// How many rows make a sample and how often each side repeats them.
struct Plan {
    rows: usize,
    group: usize,
    sample: usize,
    times: [usize; 2],
    next: usize,
}

impl Plan {
    fn new(rows: usize, group: usize, nanoseconds: [f64; 2]) -> Self {
        let slower = nanoseconds[0].max(nanoseconds[1]).max(1e-3);
        let groups = (SAMPLE.as_nanos() as f64 / (slower * group as f64)) as usize;
        let sample = (groups * group).clamp(group, rows);
        let times = nanoseconds.map(|each| {
            let once = each.max(1e-3) * sample as f64;
            (SHORTEST.as_nanos() as f64 / once).ceil().max(1.0) as usize
        });
        Self { rows, group, sample, times, next: 0 }
    }

    /// How many pairs of samples are taken however long they take.
    fn fewest(&self, nanoseconds: [f64; 2]) -> usize {
        let slower = nanoseconds[0].max(nanoseconds[1]) * self.sample as f64;
        if slower > LONG.as_nanos() as f64 { FEWEST_LONG } else { FEWEST }
    }

    /// The rows of the next pair of samples: each pair goes on where the last one ended.
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

/// Times two jobs of `rows` rows, made of whole groups of `group`, in alternation for about so long: nanoseconds per
/// row of each, and the number of pairs of samples.
pub(crate) fn interleave(
    jobs: [&mut dyn Running; 2],
    rows: usize,
    group: usize,
    length: Duration,
) -> Result<([Summary; 2], usize), Failure> {
    let [left, right] = jobs;
    // The side that starts changes with every pair: whoever comes second meets a CPU that has just been busy.
    let mut left_starts = false;
    let mut sample = |range: Range<usize>, times: [usize; 2]| -> Result<[f64; 2], Failure> {
        let count = range.len() as f64;
        let time = |job: &mut dyn Running, times: usize| {
            let took = job.run(range.clone(), times).map_err(Failure::Broken)?;
            Ok(took.as_nanos() as f64 / (count * times as f64))
        };
        left_starts = !left_starts;
        Ok(if left_starts {
            let first = time(left, times[0])?;
            [first, time(right, times[1])?]
        } else {
            let first = time(right, times[1])?;
            [time(left, times[0])?, first]
        })
    };

    let begun = Instant::now();
    let mut speed = sample(0..rows.min(group), [1, 1])?;
    let mut plan = Plan::new(rows, group, speed);
    while begun.elapsed() < WARM_UP {
        speed = sample(plan.turn(), plan.times)?;
        plan = Plan { next: plan.next, ..Plan::new(rows, group, speed) };
    }

    let fewest = plan.fewest(speed);
    let mut series = [Vec::new(), Vec::new()];
    let begun = Instant::now();
    while begun.elapsed() < length || series[0].len() < fewest {
        let pair = sample(plan.turn(), plan.times)?;
        series[0].push(pair[0]);
        series[1].push(pair[1]);
    }
    Ok(([Summary::of(&series[0]), Summary::of(&series[1])], series[0].len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_whole_groups_inside_the_rows() {
        for (rows, group, speed) in [(4096, 4096, 5e4), (4096, 1, 5e4), (1024, 1, 2.0), (4096, 2, 2e4), (64, 64, 1e9)] {
            let mut plan = Plan::new(rows, group, [speed, speed / 10.0]);
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
            assert_eq!(Plan::new(667, 667, speed).fewest(speed), fewest, "{speed:?}");
        }
    }
}
