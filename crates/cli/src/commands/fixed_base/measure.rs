//! Sums, checked, counted and timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use phalanx_engine::fixed_base::{Operations, Vector};

use super::ground::{Ground, Random};
use super::plan::{Asked, Kind};
use crate::exit::RunError;

/// Random vectors of each length: sums take turns with them, and counts are means over them.
const VECTORS: usize = 128;
/// How long a sample is at least, unless it has a sum of every vector.
const SAMPLE: Duration = Duration::from_micros(500);

/// Sums of one length by one configuration.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) length: usize,
    /// The median.
    pub(super) nanoseconds: f64,
    pub(super) samples: usize,
    /// Means.
    pub(super) additions: f64,
    pub(super) doublings: f64,
    /// By the published accounting, and as they are.
    pub(super) published_bytes: usize,
    pub(super) bytes: usize,
    pub(super) build: Duration,
}

/// The scalars of a vector, as limbs and as their library takes them.
type Numbers<G> = (Vec<[u64; 4]>, Vec<<G as Ground>::Scalar>);

/// Sums of one length.
struct Cell<G: Ground> {
    vectors: Vec<Numbers<G>>,
    /// Sums in a sample.
    calls: usize,
    next: usize,
    nanoseconds: Vec<f64>,
}

/// Builds the tables, checks sums by them, and times all lengths in turn for so long.
pub(super) fn rows<G: Ground>(
    ground: &G,
    asked: &Asked,
    lengths: &[usize],
    time: Duration,
    random: &mut Random,
) -> Result<Vec<Row>, RunError> {
    let clock = Instant::now();
    let tables = ground.build(asked.configuration.clone())?;
    let build = clock.elapsed();
    let mut sum = ground.summer(&tables);
    let mut vector = |length| {
        let limbs: Vec<_> = (0..length).map(|_| random.below(&G::ORDER)).collect();
        let scalars = limbs.iter().map(|limbs| G::scalar(*limbs)).collect();
        (limbs, scalars)
    };
    let mut cells: Vec<Cell<G>> = lengths
        .iter()
        .map(|length| Cell {
            vectors: (0..VECTORS).map(|_| vector(*length)).collect(),
            calls: 1,
            next: 0,
            nanoseconds: Vec::new(),
        })
        .collect();
    for cell in &mut cells {
        let (_, scalars) = &cell.vectors[0];
        if sum(scalars) != ground.sum_without_tables(scalars) {
            let wrong = format!("{}: a sum of {} products is wrong; nothing was measured", asked.kind, scalars.len());
            return Err(RunError::new(wrong));
        }
        while cell.calls < VECTORS && cell.time(&mut sum) < SAMPLE {
            cell.calls = (2 * cell.calls).min(VECTORS);
        }
    }
    let clock = Instant::now();
    while cells[0].nanoseconds.is_empty() || clock.elapsed() < time {
        for cell in &mut cells {
            let took = cell.time(&mut sum);
            cell.nanoseconds.push(took.as_nanos() as f64 / cell.calls as f64);
        }
    }
    let row = |(cell, length): (Cell<G>, &usize)| {
        let counted = cell.vectors.iter().map(|(limbs, _)| asked.configuration.operations(Vector::Dense(limbs)));
        let count =
            |of: fn(&Operations) -> usize| counted.clone().map(|c| of(&c)).sum::<usize>() as f64 / VECTORS as f64;
        Row {
            kind: asked.kind,
            length: *length,
            samples: cell.nanoseconds.len(),
            additions: count(|counted| counted.additions),
            doublings: count(|counted| counted.doublings),
            nanoseconds: median(cell.nanoseconds),
            published_bytes: asked.configuration.published_bytes(),
            bytes: asked.configuration.bytes(),
            build,
        }
    };
    Ok(cells.into_iter().zip(lengths).map(row).collect())
}

impl<G: Ground> Cell<G> {
    /// The time of one sample: each goes on where the last one ended.
    fn time(&mut self, mut sum: impl FnMut(&[G::Scalar]) -> G::Sum) -> Duration {
        let clock = Instant::now();
        for _ in 0..self.calls {
            let (_, scalars) = &self.vectors[self.next];
            self.next = (self.next + 1) % VECTORS;
            black_box(sum(scalars));
        }
        clock.elapsed()
    }
}

/// The median of at least one value.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_few_values() {
        assert_eq!([vec![7.0], vec![3.0, 1.0], vec![9.0, 1.0, 5.0]].map(median), [7.0, 2.0, 5.0]);
    }
}
