//! How rates are measured: short samples, backend after backend, round after round, and the median of each.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use phalanx::{Backend, Error};

use super::inputs::EncodedRows;
use super::work::{BenchBackend, Operation, Way};
use crate::exit::RunError;
use crate::pipeline::grouped;

/// Samples that are planned for each rate. There are fewer if the shortest call of a slow backend is longer than a
/// sample.
const SAMPLES: u32 = 64;
/// How long a sample is. Shorter ones meet a cold cache for much of their time. Of longer ones fewer go by without
/// another program in between, and the median needs half of them to.
const SAMPLE: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(4)];

/// A rate, from the samples of one backend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The median.
    pub(super) rows_per_second: f64,
    /// The distance between the quartiles, as a share of the median.
    pub(super) spread: f64,
    pub(super) samples: usize,
    pub(super) rows_per_call: usize,
}

impl Rate {
    /// Rows per second, to three digits: the others are noise.
    pub(super) fn shown(self) -> String {
        let digits = self.rows_per_second.max(1.0).log10().floor() as i32;
        let unit = 10f64.powi((digits - 2).max(0));
        grouped(((self.rows_per_second / unit).round() * unit) as u64)
    }
}

/// The rates of all backends in one operation, computed one way.
pub(super) struct Measured {
    pub(super) operation: Operation,
    pub(super) way: Way,
    /// In the order of the backends; none for a backend that does not compute this.
    pub(super) rates: Vec<Option<Rate>>,
    /// The rate of the chosen backend over that of the portable one: the median over the rounds.
    pub(super) gain: Option<f64>,
}

/// What a backend is timed on.
struct TimedCall<'a> {
    tested: &'a BenchBackend,
    /// Rows in a call of the library, or single calls in a row.
    rows: usize,
    /// Calls in a sample.
    calls: usize,
    next: usize,
    seconds_per_row: Vec<f64>,
}

impl TimedCall<'_> {
    /// The rows of the next call: each goes on where the last one ended.
    fn turn(&mut self, count: usize) -> Range<usize> {
        if self.next + self.rows > count {
            self.next = 0;
        }
        let range = self.next..self.next + self.rows;
        self.next = range.end;
        range
    }

    fn time(&mut self, operation: Operation, way: Way, rows: &EncodedRows<'_>) -> Result<Duration, Error> {
        let clock = Instant::now();
        for _ in 0..self.calls {
            let range = self.turn(rows.count());
            black_box(self.tested.compute(operation, way, rows, range)?);
        }
        Ok(clock.elapsed())
    }

    /// Warms up, and finds how many rows and calls fill a sample.
    fn warm_up(
        &mut self,
        operation: Operation,
        way: Way,
        rows: &EncodedRows<'_>,
        most: usize,
        sample: Duration,
    ) -> Result<(), Error> {
        loop {
            // The shorter of two: another program in between is not to pass for a long call.
            let took = self.time(operation, way, rows)?.min(self.time(operation, way, rows)?);
            if took >= sample / 2 {
                return Ok(());
            }
            if self.rows == most {
                self.calls = (sample.as_secs_f64() / took.as_secs_f64().max(1e-6)).ceil() as usize;
                return Ok(());
            }
            self.rows = (2 * self.rows).min(most);
        }
    }
}

/// All backends in one operation, computed one way.
struct OperationCells<'a> {
    operation: Operation,
    way: Way,
    cells: Vec<Option<TimedCall<'a>>>,
}

impl<'a> OperationCells<'a> {
    /// None if no backend computes this.
    fn new(
        operation: Operation,
        way: Way,
        tested: &'a [BenchBackend],
        threads: usize,
        rows: &EncodedRows<'_>,
    ) -> Result<Option<Self>, Error> {
        let (fewest, _) = way.rows(operation, threads, rows.count());
        let cell = |tested: &'a BenchBackend| {
            let there = tested.compute(operation, way, rows, 0..fewest)?.is_some();
            Ok(there.then(|| TimedCall { tested, rows: fewest, calls: 1, next: 0, seconds_per_row: Vec::new() }))
        };
        let cells = tested.iter().map(cell).collect::<Result<Vec<_>, Error>>()?;
        Ok(cells.iter().any(Option::is_some).then_some(OperationCells { operation, way, cells }))
    }

    /// Samples that are not kept. Threads that have slept since the last round share a core at first.
    fn wake(&mut self, rows: &EncodedRows<'_>) -> Result<(), Error> {
        for cell in self.cells.iter_mut().flatten() {
            cell.time(self.operation, self.way, rows)?;
        }
        Ok(())
    }

    /// A sample of each backend, one after another. Who begins changes from round to round.
    fn round(&mut self, round: usize, rows: &EncodedRows<'_>) -> Result<(), Error> {
        let backends = self.cells.len();
        for turn in 0..backends {
            if let Some(cell) = &mut self.cells[(round + turn) % backends] {
                let took = cell.time(self.operation, self.way, rows)?;
                cell.seconds_per_row.push(took.as_secs_f64().max(1e-9) / (cell.rows * cell.calls) as f64);
            }
        }
        Ok(())
    }

    fn measured(self, chosen: Backend) -> Measured {
        let of = |backend| self.cells.iter().flatten().find(|cell| cell.tested.backend == backend);
        let gain = match (of(Backend::Portable), of(chosen)) {
            (Some(portable), Some(best)) if chosen != Backend::Portable => {
                let rounds = portable.seconds_per_row.iter().zip(&best.seconds_per_row);
                Some(quartiles(rounds.map(|(portable, best)| portable / best).collect())[1])
            }
            _ => None,
        };
        let rate = |cell: &Option<TimedCall<'_>>| {
            let cell = cell.as_ref()?;
            let [low, median, high] = quartiles(cell.seconds_per_row.iter().map(|seconds| 1.0 / seconds).collect());
            Some(Rate {
                rows_per_second: median,
                spread: (high - low) / median,
                samples: cell.seconds_per_row.len(),
                rows_per_call: if self.way == Way::Single { 1 } else { cell.rows },
            })
        };
        Measured { operation: self.operation, way: self.way, rates: self.cells.iter().map(rate).collect(), gain }
    }
}

/// The quartiles of at least one value; the second is the median.
fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| {
        let place = (values.len() - 1) as f64 * f64::from(quarter) / 4.0;
        let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
        low + (high - low) * place.fract()
    })
}

/// Measures all operations in all ways until `clock` shows `length`. Each is measured once at least.
pub(super) fn measure(
    tested: &[BenchBackend],
    chosen: Backend,
    threads: usize,
    rows: &EncodedRows<'_>,
    clock: Instant,
    length: Duration,
) -> Result<Vec<Measured>, RunError> {
    let mut groups = Vec::new();
    for way in Way::ALL {
        for operation in Operation::all() {
            groups.extend(OperationCells::new(operation, way, tested, threads, rows).map_err(RunError::of)?);
        }
    }
    let cells: usize = groups.iter().map(|group| group.cells.iter().flatten().count()).sum();
    let sample = (length / (SAMPLES * cells as u32)).clamp(SAMPLE[0], SAMPLE[1]);
    for OperationCells { operation, way, cells } in &mut groups {
        let (_, most) = way.rows(*operation, threads, rows.count());
        for cell in cells.iter_mut().flatten() {
            cell.warm_up(*operation, *way, rows, most, sample).map_err(RunError::of)?;
        }
    }
    'rounds: for round in 0.. {
        let mut last_way = None;
        for group in &mut groups {
            if round > 0 && clock.elapsed() >= length {
                break 'rounds;
            }
            if last_way.replace(group.way) != Some(group.way) {
                group.wake(rows).map_err(RunError::of)?;
            }
            group.round(round, rows).map_err(RunError::of)?;
        }
    }
    Ok(groups.into_iter().map(|group| group.measured(chosen)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_few_values() {
        assert_eq!(quartiles(vec![7.0]), [7.0; 3]);
        assert_eq!(quartiles(vec![3.0, 1.0]), [1.5, 2.0, 2.5]);
        assert_eq!(quartiles(vec![9.0, 1.0, 5.0, 3.0, 7.0]), [3.0, 5.0, 7.0]);
    }

    #[test]
    fn three_digits_of_a_rate() {
        for (rows_per_second, text) in
            [(0.4, "0"), (7.0, "7"), (999.6, "1,000"), (25_349.0, "25,300"), (1.2361e6, "1,240,000")]
        {
            assert_eq!(Rate { rows_per_second, spread: 0.0, samples: 1, rows_per_call: 1 }.shown(), text);
        }
    }
}
