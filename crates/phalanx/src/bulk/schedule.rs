//! The schedule of a call: which thread computes which rows, in what order, and which by tables of their keys.

use super::{
    key_tables::{KeyTableCache, KeyTables, Keyed, KeyedOperation, RowsOfKey, TableRows},
    memory::{Lines, own},
    rows::{gathered, sealed::Rows},
};
use crate::{
    Verdict,
    backend::{Lanes, Threads},
    lanes::Machine,
    mul::KeyTable,
    tables::LookupWindow,
    tuning::MIN_ROWS_PER_GROUP,
};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use phalanx_engine::word::LANES;

/// What a call has to compute with, beside lanes.
#[derive(Clone, Copy)]
pub(super) struct Schedule<'a> {
    pub(super) threads: &'a Threads,
    /// The cache lines of a workspace.
    pub(super) lines: usize,
    pub(super) cache: &'a KeyTableCache,
}

impl Schedule<'_> {
    /// Calls `work` with chunks of `out`, the numbers of their rows and a workspace, on all threads.
    pub(super) fn chunks<T: Send>(&self, out: &mut [T], work: impl Fn(Range<usize>, &mut [T], &mut Lines) + Sync) {
        self.threads.fill(out, |range, out| own(self.lines, |memory| work(range, out, memory)));
    }

    /// The verdicts of rows, of which there are as many as verdicts.
    pub(super) fn verify<R: Keyed, O: KeyedOperation<R>>(
        &self,
        lanes: Lanes,
        operation: O,
        rows: &dyn Rows<R>,
        out: &mut [Verdict],
    ) {
        // Stands where no operation writes, which would be an error of this program.
        out.fill(O::NONE);
        match lanes {
            Lanes::Eight(machine) => self.verify_in_lanes(machine, operation, rows, out),
            Lanes::One => self.chunks(out, |range, out, memory| {
                gathered(rows, range, memory, |rows, memory| lanes.run(operation, O::rows(rows), out, memory));
            }),
        }
    }

    /// The same in eight lanes. A row is computed with its key's table if there is one, or if one pays.
    pub(super) fn verify_in_lanes<R: Keyed, O: KeyedOperation<R>>(
        &self,
        machine: impl Machine,
        operation: O,
        rows: &dyn Rows<R>,
        out: &mut [Verdict],
    ) {
        let without = |rows: &[R], out: &mut [Verdict], memory: &mut Lines| {
            operation.eight_lanes(machine, O::rows(rows), out, memory);
        };
        let finder = KeyTables { machine, lines: self.lines, threads: self.threads, cache: self.cache };
        let Some(keys) = finder.repeated(rows.count(), &|row| rows.row(row).key_id()) else {
            return self.threads.fill(out, |range, out| {
                own(self.lines, |memory| {
                    gathered(rows, range, memory, |rows, memory| without(rows, out, memory));
                });
            });
        };
        let tables = finder.tables(&keys);
        let RowOrder { prepared, tables, ordinary } = order(rows.count(), &keys, &tables);
        self.fill(rows, &prepared, out, &|range, rows, out, memory| {
            let tables = &tables[range.start / LANES..][..rows.len() / LANES];
            operation.by_tables(machine, TableRows { rows, tables }, out, memory);
        });
        self.fill(rows, &ordinary, out, &|_, rows, out, memory| without(rows, out, memory));
    }

    /// Computes the rows with the numbers `places`, and writes their verdicts to the same places of `out`. `compute`
    /// gets a range of `places`, the rows there, and a workspace.
    fn fill<R: Keyed>(&self, all: &dyn Rows<R>, places: &[usize], out: &mut [Verdict], compute: &ComputeRows<'_, R>) {
        let rows: Vec<R> = places.iter().map(|row| all.row(*row)).collect();
        let mut verdicts = vec![Verdict::InvalidSignature; rows.len()];
        self.chunks(&mut verdicts, |range, out, memory| compute(range.clone(), &rows[range], out, memory));
        assert_eq!(places.len(), verdicts.len(), "a verdict for each row");
        for (row, verdict) in places.iter().zip(verdicts) {
            out[*row] = verdict;
        }
    }
}

/// Computes the verdicts of rows. Known when it runs, so that little is compiled twice.
type ComputeRows<'a, R> = dyn Fn(Range<usize>, &[R], &mut [Verdict], &mut Lines) + Sync + 'a;

/// The order in which rows are computed.
struct RowOrder<'a> {
    /// The numbers of the rows with tables, in eights of one key. If the rows of a key do not fill an eight, the last
    /// one is repeated.
    prepared: Vec<usize>,
    /// The table of each eight.
    tables: Vec<&'a [LookupWindow]>,
    /// The numbers of all other rows.
    ordinary: Vec<usize>,
}

fn order<'a>(rows: usize, keys: &[RowsOfKey], tables: &'a [Option<KeyTable>]) -> RowOrder<'a> {
    let mut order = RowOrder { prepared: Vec::new(), tables: Vec::new(), ordinary: Vec::new() };
    let mut planned = vec![false; rows];
    for ((_, rows), table) in keys.iter().zip(tables) {
        let Some(table) = table else { continue };
        for eight in rows.chunks(LANES).filter(|eight| eight.len() >= MIN_ROWS_PER_GROUP) {
            order.tables.push(table);
            eight.iter().for_each(|row| planned[*row] = true);
            order.prepared.extend(eight.iter().chain(eight.last().into_iter().cycle()).take(LANES));
        }
    }
    order.ordinary.extend((0..rows).filter(|row| !planned[*row]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bulk::key_tables::KeyId;

    #[test]
    fn eights_have_one_key_and_no_row_is_lost() {
        // Key i has i rows.
        let key_id = |i: usize| KeyId { x: [i as u64, 0, 0, 0], odd: false };
        let mut start = 0;
        let keys: Vec<_> = (1..30)
            .map(|i| {
                start += i;
                (key_id(i), (start - i..start).collect::<Vec<_>>())
            })
            .collect();
        let table = |i: usize| (!i.is_multiple_of(3)).then(|| vec![LookupWindow([[[i as u32; 32]; 2]; 10])].into());
        let tables: Vec<Option<KeyTable>> = (1..30).map(table).collect();
        let order = order(start, &keys, &tables);
        assert_eq!(order.prepared.len(), LANES * order.tables.len());
        for (eight, table) in order.prepared.chunks(LANES).zip(&order.tables) {
            let key = table[0].0[0][0][0] as usize;
            assert!(!key.is_multiple_of(3) && eight.iter().all(|row| keys[key - 1].1.contains(row)));
        }
        let mut all: Vec<usize> = order.prepared.iter().chain(&order.ordinary).copied().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, (0..start).collect::<Vec<_>>());
        assert!(order.ordinary.iter().all(|row| !order.prepared.contains(row)));
    }
}
