//! Words from rows in memory, on every word.

use crate::backends::Backend;
use phalanx_engine::word::interval::Interval;
use phalanx_engine::word::{LANES, Op, Row, Word};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Row `i` holds 1000 i + j in place j.
fn rows(count: u64) -> Vec<Row> {
    (0..count).map(|i| Row(core::array::from_fn(|j| 1000 * i + j as u64))).collect()
}

/// Gathers rows, one a lane.
struct Gather<'a>(&'a [Row], [u64; LANES]);

impl Op for Gather<'_> {
    type Output = [[u64; LANES]; LANES];
    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let mut lanes = [[0; LANES]; LANES];
        for (lanes, word) in lanes.iter_mut().zip(W::gather(self.0, W::from_lanes(self.1))) {
            *lanes = word.to_lanes();
        }
        lanes
    }
}

/// Transposes the first eight rows.
struct Transpose<'a>(&'a [Row]);

impl Op for Transpose<'_> {
    type Output = [[u64; LANES]; LANES];
    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let row = |lane: usize| &self.0[lane].0;
        let words = W::transpose([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]);
        let mut lanes = [[0; LANES]; LANES];
        for (lanes, word) in lanes.iter_mut().zip(words) {
            *lanes = word.to_lanes();
        }
        lanes
    }
}

/// Lane i of word j is place j of row `at[i]`.
fn expected(at: [u64; LANES]) -> [[u64; LANES]; LANES] {
    core::array::from_fn(|j| at.map(|i| 1000 * i + j as u64))
}

#[test]
fn rows_become_lanes() {
    for backend in Backend::of_eight_lanes() {
        assert_eq!(backend.run_op(Transpose(&rows(8))), expected([0, 1, 2, 3, 4, 5, 6, 7]), "{}", backend.name());
    }
}

#[test]
fn gathered_rows_become_lanes() {
    for backend in Backend::of_eight_lanes() {
        let orders =
            [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [99, 3, 3, 41, 0, 99, 64, 3], [99; 8], [0; 8]];
        for at in orders {
            assert_eq!(backend.run_op(Gather(&rows(100), at)), expected(at), "{}", backend.name());
        }
        assert_eq!(backend.run_op(Gather(&rows(1), [0; LANES])), expected([0; LANES]), "{}", backend.name());
    }
}

/// In whichever lane the index is, and however far out, up to where a byte offset would wrap around.
#[test]
fn an_index_that_is_not_of_a_row_panics() {
    let refuses = |backend: Backend, rows: &[Row], at| {
        let work = AssertUnwindSafe(|| backend.run_op(Gather(rows, at)));
        assert!(catch_unwind(work).is_err(), "{} reads {at:?} of {} rows", backend.name(), rows.len());
    };
    for backend in Backend::of_eight_lanes() {
        for lane in 0..LANES {
            for beyond in [9, 10, 1 << 32, 1 << 58, 1 << 63, u64::MAX] {
                let mut at = [8; LANES];
                at[lane] = beyond;
                refuses(backend, &rows(9), at);
            }
        }
        refuses(backend, &[], [0; LANES]);
    }
}

#[test]
fn intervals_hold_what_any_of_the_rows_gives() {
    let word = |low, high| {
        let mut at = [high; LANES];
        at[0] = low;
        Interval::from_lanes(at)
    };
    let gathered = Interval::gather(&rows(4), word(1, 3));
    assert_eq!(
        gathered.map(|word| word.to_lanes()[0]),
        core::array::from_fn(|j| 3000 + j as u64),
        "the highest values"
    );
    for (j, gathered) in gathered.into_iter().enumerate() {
        // Row 1, and no lower value, is among them.
        assert!(word(1000 + j as u64, 1000 + j as u64).is_within(gathered) && gathered.is_within(word(1000, 3007)));
    }
    assert!(catch_unwind(|| Interval::gather(&rows(4), word(1, 4))).is_err(), "row 4 of four rows");
}
