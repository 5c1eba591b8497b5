//! Sums, checked, counted and timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use phalanx_engine::fixed_base::{Operations, Vector};

use super::ground::{Ground, Random};
use super::plan::{Asked, Sweep, TablesName};
use crate::exit::RunError;

/// Random vectors of each length: sums take turns with them, and counts are means over them.
const VECTORS: usize = 128;
/// How long a sample is at least, unless it has a sum of every vector.
const SAMPLE: Duration = Duration::from_micros(500);

/// Sums of one length by one configuration.
#[derive(Clone, Debug)]
pub(super) struct MeasuredSum {
    pub(super) kind: TablesName,
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
    /// To read a file of the tables back, checked, where that was asked for.
    pub(super) read: Option<Duration>,
}

/// The positions and scalars of a vector, as limbs and as their library takes them.
type VectorTerms<G> = (Vec<(usize, [u64; 4])>, Vec<<G as Ground>::Term>);

/// Sums of one length.
struct SumsOfLength<G: Ground> {
    vectors: Vec<VectorTerms<G>>,
    /// Sums in a sample.
    calls: usize,
    next: usize,
    nanoseconds: Vec<f64>,
}

/// Builds the tables, checks sums by them, and times all lengths in turn for so long.
pub(super) fn rows<G: Ground>(
    ground: &G,
    asked: &Asked,
    Sweep { points, lengths, positions, check_files, .. }: &Sweep,
    time: Duration,
    random: &mut Random,
) -> Result<Vec<MeasuredSum>, RunError> {
    let clock = Instant::now();
    let tables = ground.build(asked.configuration.clone())?;
    let build = clock.elapsed();
    let read = check_files.then(|| {
        let file = ground.save(&tables);
        let clock = Instant::now();
        ground.read(asked.configuration.clone(), &file).map(|_| clock.elapsed())
    });
    let read = read.transpose()?;
    let mut sum = ground.summer(&tables);
    let mut vector = |length| {
        let places = positions.of(length, *points);
        let limbs: Vec<_> = places.map(|place| (place, random.below(&G::ORDER))).collect();
        let terms = limbs.iter().map(|(place, limbs)| G::term(*place, *limbs)).collect();
        (limbs, terms)
    };
    let mut cells: Vec<SumsOfLength<G>> = lengths
        .iter()
        .map(|length| SumsOfLength {
            vectors: (0..VECTORS).map(|_| vector(*length)).collect(),
            calls: 1,
            next: 0,
            nanoseconds: Vec::new(),
        })
        .collect();
    for cell in &mut cells {
        let (_, terms) = &cell.vectors[0];
        if sum(terms) != ground.sum_without_tables(terms) {
            let wrong = format!("{}: a sum of {} products is wrong; nothing was measured", asked.kind, terms.len());
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
    let row = |(cell, length): (SumsOfLength<G>, &usize)| {
        let counted = cell.vectors.iter().map(|(limbs, _)| asked.configuration.operations(Vector::Sparse(limbs)));
        let count =
            |of: fn(&Operations) -> usize| counted.clone().map(|c| of(&c)).sum::<usize>() as f64 / VECTORS as f64;
        MeasuredSum {
            kind: asked.kind,
            length: *length,
            samples: cell.nanoseconds.len(),
            additions: count(|counted| counted.additions),
            doublings: count(|counted| counted.doublings),
            nanoseconds: median(cell.nanoseconds),
            published_bytes: asked.configuration.published_bytes(),
            bytes: asked.configuration.bytes(),
            build,
            read,
        }
    };
    Ok(cells.into_iter().zip(lengths).map(row).collect())
}

impl<G: Ground> SumsOfLength<G> {
    /// The time of one sample: each goes on where the last one ended.
    fn time(&mut self, mut sum: impl FnMut(&[G::Term]) -> G::Sum) -> Duration {
        let clock = Instant::now();
        for _ in 0..self.calls {
            let (_, terms) = &self.vectors[self.next];
            self.next = (self.next + 1) % VECTORS;
            black_box(sum(terms));
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
