//! Tables of keys that many rows share, and the order in which rows with tables are computed.
//!
//! - [`KeyId`], in `repeats`: which keys repeat;
//! - `build`: the making of tables;
//! - [`KeyTableCache`]: tables that outlive a call, and rows counted over calls.
//!
//! # When a table pays
//!
//! Rows with a table are computed eight at a time, and the eight share the table. Such a row takes about 0.4 of the
//! time of a row without a table. Building a table takes as long as 10 to 16 such rows save (`lab/trials.md`,
//! "Tables of keys"). Eight tables are built side by side; building fewer takes as long.
//!
//! The rows of a key are counted over calls. Eight tables are built when the counted rows of their eight keys would
//! have paid for them: [`ROWS_TO_BUILD_8`]. If no further row of these keys comes, the tables have cost no more time
//! than the counted rows had lost without tables.
//!
//! The rows of a key may leave lanes of their last group idle. A few rows are faster without the table than in such a
//! group: [`MIN_ROWS_PER_GROUP`].

pub(super) mod build;
#[cfg_attr(not(feature = "std"), path = "no_cache.rs")]
mod cache;
mod repeats;
#[cfg(test)]
mod verdict_tests;

pub(super) use cache::KeyTableCache;
pub(super) use repeats::KeyId;

use super::{
    memory::{Lines, own},
    operation::OnRows,
    rows::{gathered, sealed::Rows},
};
use crate::tuning::{MIN_ROWS_PER_GROUP, ROWS_TO_BUILD_8};
use crate::{
    Verdict, backend::Threads, ecdsa, keys::RowKey, lanes::Machine, mul::KeyTable, schnorr, tables::LookupWindow,
};
use alloc::{vec, vec::Vec};
use core::{mem::take, ops::Range};
use phalanx_engine::word::LANES;

/// An operation on rows under keys, which can compute by tables of the keys.
pub(super) trait KeyedOperation<R: Keyed>: OnRows<R, Out = Verdict> {
    /// The verdicts of rows with tables.
    fn by_tables<M: Machine>(self, machine: M, rows: TableRows<'_, R>, out: &mut [Verdict], memory: &mut Lines);
}

/// Rows with tables: rows `8 i` to `8 i + 7` have one key, whose table is `tables[i]`.
#[derive(Clone, Copy)]
pub(super) struct TableRows<'a, R> {
    pub(super) rows: &'a [R],
    pub(super) tables: &'a [&'a [LookupWindow]],
}

/// A row under a key.
pub(super) trait Keyed: Copy + Sync {
    /// The key, if it can be read.
    fn key_id(&self) -> Option<KeyId>;
}

impl Keyed for ecdsa::Row<'_> {
    fn key_id(&self) -> Option<KeyId> {
        RowKey::read(&self.public_key).ok().map(KeyId::from)
    }
}

impl Keyed for schnorr::Row<'_> {
    fn key_id(&self) -> Option<KeyId> {
        RowKey::read_x_only(&self.public_key).ok().map(KeyId::from)
    }
}

/// A call's rows, and what computes them.
pub(super) struct TableScheduler<'a, O, R, M> {
    pub(super) operation: O,
    pub(super) rows: &'a dyn Rows<R>,
    pub(super) means: TableMeans<'a, M>,
}

/// What finds and builds the tables of a call, whatever its rows are.
pub(super) struct TableMeans<'a, M> {
    pub(super) machine: M,
    /// The cache lines of a workspace.
    pub(super) lines: usize,
    pub(super) threads: &'a Threads,
    pub(super) cache: &'a KeyTableCache,
}

/// A key with the numbers of its rows.
type RowsOfKey = (KeyId, Vec<usize>);

/// The places of the numbers, that of the largest first; equal ones in order. Sorted as pairs of numbers, so that one
/// sort is compiled for all.
fn largest_first(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<(usize, usize)> = numbers.map(|number| usize::MAX - number).zip(0..).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

impl<R: Keyed, O: KeyedOperation<R>, M: Machine> TableScheduler<'_, O, R, M> {
    /// Writes the verdict of each row to `out`. A row is computed with its key's table if there is one, or if one pays.
    pub(super) fn verify(&self, out: &mut [Verdict]) {
        let (count, TableMeans { machine, lines, threads, .. }) = (self.rows.count(), &self.means);
        let without = |rows: &[R], out: &mut [Verdict], memory: &mut Lines| {
            self.operation.eight_lanes(*machine, O::rows(rows), out, memory);
        };
        let Some(keys) = self.means.repeated(count, &|row| self.rows.row(row).key_id()) else {
            threads.fill(out, |range, out| {
                own(*lines, |memory| {
                    gathered(self.rows, range, memory, |rows, memory| without(rows, out, memory));
                });
            });
            return;
        };
        let tables = self.means.tables(&keys);

        let RowOrder { prepared, tables, ordinary } = order(count, &keys, &tables);
        self.fill(&prepared, out, &|range, rows, out, memory| {
            let tables = &tables[range.start / LANES..][..rows.len() / LANES];
            self.operation.by_tables(*machine, TableRows { rows, tables }, out, memory);
        });
        self.fill(&ordinary, out, &|_, rows, out, memory| without(rows, out, memory));
    }

    /// Computes the rows with the numbers `places`, and writes their verdicts to the same places of `out`. `compute`
    /// gets a range of `places`, the rows there, and a workspace.
    fn fill(&self, places: &[usize], out: &mut [Verdict], compute: &ComputeRows<'_, R>) {
        let rows: Vec<R> = places.iter().map(|row| self.rows.row(*row)).collect();
        let mut verdicts = vec![Verdict::InvalidSignature; rows.len()];
        self.means.threads.fill(&mut verdicts, |range, out| {
            own(self.means.lines, |memory| compute(range.clone(), &rows[range], out, memory));
        });
        assert_eq!(places.len(), verdicts.len(), "a verdict for each row");
        for (row, verdict) in places.iter().zip(verdicts) {
            out[*row] = verdict;
        }
    }
}

/// Computes the verdicts of rows. Known when it runs, so that little is compiled twice.
type ComputeRows<'a, R> = dyn Fn(Range<usize>, &[R], &mut [Verdict], &mut Lines) + Sync + 'a;

impl<M: Machine> TableMeans<'_, M> {
    /// The keys of the rows, that with the most rows first; `None` if none seems to repeat, and none has a table.
    fn repeated(&self, count: usize, key: &dyn Fn(usize) -> Option<KeyId>) -> Option<Vec<RowsOfKey>> {
        let some_repeat = self.cache.most() > 0
            && own(repeats::lines(count), |memory| repeats::some_repeat(count, key, |key| self.cache.has(key), memory));
        if !some_repeat {
            return None;
        }
        let mut keys = repeats::rows_by_key(count, key);
        let places = largest_first(keys.iter().map(|(_, rows)| rows.len()));
        Some(places.into_iter().map(|place| (keys[place].0, take(&mut keys[place].1))).collect())
    }

    /// The table of each key that has one: a table that was kept, or a new one that pays. `keys` come by falling number
    /// of rows.
    fn tables(&self, keys: &[RowsOfKey]) -> Vec<Option<KeyTable>> {
        let useful = keys.partition_point(|(_, rows)| rows.len() >= MIN_ROWS_PER_GROUP);
        let mut tables = self.cache.take(keys[..useful].iter().map(|(key, _)| key));
        let room = self.cache.most().saturating_sub(tables.iter().flatten().count());
        let without: Vec<usize> = (0..useful).filter(|key| tables[*key].is_none()).collect();
        let rows = self.cache.count(without.iter().map(|key| (&keys[*key].0, keys[*key].1.len())));
        let mut places = largest_first(rows.iter().copied());
        places.truncate(room);
        let pays = |eight: &&[usize]| {
            eight.iter().fold(0, |sum: usize, place| sum.saturating_add(rows[*place])) >= ROWS_TO_BUILD_8
        };
        let paying: Vec<usize> = places.chunks(LANES).take_while(pays).flatten().map(|place| without[*place]).collect();
        if paying.is_empty() {
            return tables;
        }
        let identities: Vec<KeyId> = paying.iter().map(|key| keys[*key].0).collect();
        let mut new = vec![None; paying.len()];
        self.threads.fill(&mut new, |range, out| {
            own(self.lines, |memory| build::build_tables(self.machine, &identities[range], out, memory));
        });
        let named = identities.iter().zip(&new).filter_map(|(key, table)| Some((*key, table.clone()?)));
        self.cache.keep(&identities, named.collect());
        for (key, table) in paying.into_iter().zip(new) {
            tables[key] = table;
        }
        tables
    }
}

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
