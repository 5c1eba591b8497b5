//! Tables of keys that many rows share: which keys get one, and when.
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
};
use crate::tuning::{MIN_ROWS_PER_GROUP, ROWS_TO_BUILD_8};
use crate::{
    Verdict, backend::Threads, ecdsa, keys::RowKey, lanes::Machine, mul::KeyTable, schnorr, tables::LookupWindow,
};
use alloc::{vec, vec::Vec};
use core::mem::take;
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

/// What finds and builds the tables of a call, whatever its rows are.
pub(super) struct KeyTables<'a, M> {
    pub(super) machine: M,
    /// The cache lines of a workspace.
    pub(super) lines: usize,
    pub(super) threads: &'a Threads,
    pub(super) cache: &'a KeyTableCache,
}

/// A key with the numbers of its rows.
pub(super) type RowsOfKey = (KeyId, Vec<usize>);

/// The places of the numbers, that of the largest first; equal ones in order. Sorted as pairs of numbers, so that one
/// sort is compiled for all.
fn largest_first(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<(usize, usize)> = numbers.map(|number| usize::MAX - number).zip(0..).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

impl<M: Machine> KeyTables<'_, M> {
    /// The keys of the rows, that with the most rows first; `None` if none seems to repeat, and none has a table.
    pub(super) fn repeated(&self, count: usize, key: &dyn Fn(usize) -> Option<KeyId>) -> Option<Vec<RowsOfKey>> {
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
    pub(super) fn tables(&self, keys: &[RowsOfKey]) -> Vec<Option<KeyTable>> {
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
