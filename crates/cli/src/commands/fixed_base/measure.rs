//! Sums, checked, counted and timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use phalanx_engine::affine_add::AffineAdder;
use phalanx_engine::fixed_base::{Operations, Tables, Vector, WorkspaceOf};

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

/// Sums of one length.
struct Cell {
    vectors: Vec<Vec<[u64; 4]>>,
    /// Sums in a sample.
    calls: usize,
    next: usize,
    nanoseconds: Vec<f64>,
}

/// Builds the tables, checks sums by them, and times all lengths in turn for so long.
pub(super) fn rows<A: AffineAdder>(
    ground: &Ground<A>,
    asked: &Asked,
    lengths: &[usize],
    time: Duration,
    random: &mut Random,
) -> Result<Vec<Row>, RunError> {
    let clock = Instant::now();
    let tables = Tables::build(&ground.adder, asked.configuration.clone(), &ground.basis).map_err(RunError::of)?;
    let build = clock.elapsed();
    let mut workspace = WorkspaceOf::<A>::default();
    let mut vector = |length| (0..length).map(|_| random.below(&ground.order)).collect::<Vec<_>>();
    let mut cells: Vec<Cell> = lengths
        .iter()
        .map(|length| Cell {
            vectors: (0..VECTORS).map(|_| vector(*length)).collect(),
            calls: 1,
            next: 0,
            nanoseconds: Vec::new(),
        })
        .collect();
    for cell in &mut cells {
        let scalars = &cell.vectors[0];
        let sum = tables.sum_vartime(&ground.adder, Vector::Dense(scalars), &mut workspace);
        if !ground.is_right(scalars, sum) {
            let wrong = format!("{}: a sum of {} products is wrong; nothing was measured", asked.kind, scalars.len());
            return Err(RunError::new(wrong));
        }
        while cell.calls < VECTORS && cell.time(ground, &tables, &mut workspace) < SAMPLE {
            cell.calls = (2 * cell.calls).min(VECTORS);
        }
    }
    let clock = Instant::now();
    while cells[0].nanoseconds.is_empty() || clock.elapsed() < time {
        for cell in &mut cells {
            let took = cell.time(ground, &tables, &mut workspace);
            cell.nanoseconds.push(took.as_nanos() as f64 / cell.calls as f64);
        }
    }
    let row = |(cell, length): (Cell, &usize)| {
        let counted = cell.vectors.iter().map(|vector| asked.configuration.operations(Vector::Dense(vector)));
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

impl Cell {
    /// The time of one sample: each goes on where the last one ended.
    fn time<A: AffineAdder>(
        &mut self,
        ground: &Ground<A>,
        tables: &Tables<A::Curve>,
        workspace: &mut WorkspaceOf<A>,
    ) -> Duration {
        let clock = Instant::now();
        for _ in 0..self.calls {
            let vector = Vector::Dense(&self.vectors[self.next]);
            self.next = (self.next + 1) % VECTORS;
            black_box(tables.sum_vartime(&ground.adder, vector, workspace));
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
