//! Prepared keys: tables of keys that many rows share, and in which order rows are computed for them.
//!
//! - [`Identity`], in `repeats`: which keys repeat;
//! - [`Kept`]: tables that outlive a call, and rows counted over calls.
//!
//! # When a table pays
//!
//! Rows with a table are computed eight at a time, the eight sharing it. A row then takes about 0.4 of the time of one
//! without, and a table as long as 10 to 16 rows without one save (`docs/lanes.md` has the figures) if eight are built side
//! by side, which is done whether there are eight or not. Rows of a key are counted over calls, until tables would have paid
//! for themselves: [`PAYS`]. Whatever comes then, no more time is lost on them than was lost before by not having them. Of the
//! rows of a key that do not fill a group of eight, a few are better computed without the table than with idle lanes:
//! [`WORTH_A_GROUP`].

mod kept;
mod repeats;

pub(super) use kept::Kept;
pub(super) use repeats::Identity;

use crate::{LowS, Verdict, backend::Threads, ecdsa, lanes::Table, schnorr, tables::LookupWindow};
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;
use phalanx_engine::word::LANES;

/// Rows of eight keys together for which their tables pay.
const PAYS: usize = 128;

/// Rows that are worth a group of eight.
const WORTH_A_GROUP: usize = 3;

/// What a backend offers that computes with tables of keys.
pub(super) trait Preparing: Sync {
    /// The table of each key that is a point.
    fn prepare(&self, keys: &[Identity], out: &mut [Option<Table>]);

    /// [`ecdsa::verify_row`] on each row, given the table of each eight rows' key.
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], tables: &[&[LookupWindow]], low_s: LowS, out: &mut [Verdict]);

    /// [`schnorr::verify_row`] on each row, given the table of each eight rows' key.
    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], tables: &[&[LookupWindow]], out: &mut [Verdict]);
}

/// A row under a key.
pub(super) trait Keyed: Copy + Sync {
    /// The key, if it can be read.
    fn identity(&self) -> Option<Identity>;
}

impl Keyed for ecdsa::Row<'_> {
    fn identity(&self) -> Option<Identity> {
        Identity::read(&self.public_key)
    }
}

impl Keyed for schnorr::Row<'_> {
    fn identity(&self) -> Option<Identity> {
        Identity::read_x_only(&self.public_key)
    }
}

/// Computes rows without tables.
type Ordinary<'a, R> = dyn Fn(&[R], &mut [Verdict]) + Sync + 'a;

/// Computes rows with the table of each eight.
type ByTables<'a, R> = dyn Fn(&[R], &[&[LookupWindow]], &mut [Verdict]) + Sync + 'a;

/// A call's rows and the ways to compute them.
pub(super) struct Work<'a, R> {
    pub(super) preparing: &'a dyn Preparing,
    pub(super) threads: &'a Threads,
    pub(super) kept: &'a Kept,
    pub(super) rows: &'a [R],
    pub(super) ordinary: &'a Ordinary<'a, R>,
    pub(super) prepared: &'a ByTables<'a, R>,
}

impl<R: Keyed> Work<'_, R> {
    /// Fills `out` with the verdicts of all rows, by tables where they are there or pay.
    pub(super) fn verify(&self, out: &mut [Verdict]) {
        let key = |row: usize| self.rows[row].identity();
        let repeats = self.kept.most() > 0 && repeats::some_repeat(self.rows.len(), key, |key| self.kept.has(key));
        if !repeats {
            self.threads.fill(out, |range, out| (self.ordinary)(&self.rows[range], out));
            return;
        }
        let mut keys = repeats::rows_by_key(self.rows.len(), key);
        keys.sort_by_key(|(_, rows)| Reverse(rows.len()));
        let tables = self.tables(&keys);

        let Order { prepared, tables, ordinary } = order(self.rows.len(), &keys, &tables);
        self.fill(&prepared, out, |range, rows, out| {
            (self.prepared)(rows, &tables[range.start / LANES..][..rows.len() / LANES], out);
        });
        self.fill(&ordinary, out, |_, rows, out| (self.ordinary)(rows, out));
    }

    /// The tables of the keys, which come by falling number of rows: those that are kept, and new ones that pay.
    fn tables(&self, keys: &[(Identity, Vec<usize>)]) -> Vec<Option<Table>> {
        let useful = keys.partition_point(|(_, rows)| rows.len() >= WORTH_A_GROUP);
        let mut tables = self.kept.take(keys[..useful].iter().map(|(key, _)| key));
        let room = self.kept.most().saturating_sub(tables.iter().flatten().count());
        let without: Vec<usize> = (0..useful).filter(|key| tables[*key].is_none()).collect();
        let rows = self.kept.count(without.iter().map(|key| (&keys[*key].0, keys[*key].1.len())));
        let mut without: Vec<(usize, usize)> = rows.into_iter().zip(without).collect();
        without.sort_by_key(|(rows, _)| Reverse(*rows));
        without.truncate(room);
        let pays =
            |eight: &&[(usize, usize)]| eight.iter().fold(0, |sum: usize, (rows, _)| sum.saturating_add(*rows)) >= PAYS;
        let paying: Vec<usize> = without.chunks(LANES).take_while(pays).flatten().map(|(_, key)| *key).collect();
        if paying.is_empty() {
            return tables;
        }
        let identities: Vec<Identity> = paying.iter().map(|key| keys[*key].0).collect();
        let mut new = vec![None; paying.len()];
        self.threads.fill(&mut new, |range, out| self.preparing.prepare(&identities[range], out));
        let named = identities.iter().zip(&new).filter_map(|(key, table)| Some((*key, table.clone()?)));
        self.kept.keep(&identities, named.collect());
        for (key, table) in paying.into_iter().zip(new) {
            tables[key] = table;
        }
        tables
    }

    /// Computes the rows at these places.
    fn fill(
        &self,
        places: &[usize],
        out: &mut [Verdict],
        compute: impl Fn(core::ops::Range<usize>, &[R], &mut [Verdict]) + Sync,
    ) {
        let rows: Vec<R> = places.iter().map(|row| self.rows[*row]).collect();
        let mut verdicts = vec![Verdict::InvalidSignature; rows.len()];
        self.threads.fill(&mut verdicts, |range, out| compute(range.clone(), &rows[range], out));
        for (row, verdict) in places.iter().zip(verdicts) {
            out[*row] = verdict;
        }
    }
}

/// The order in which rows are computed.
struct Order<'a> {
    /// Rows with tables, in eights of one key each; where a key's rows end before the eight, the last one is repeated.
    prepared: Vec<usize>,
    /// The table of each eight.
    tables: Vec<&'a [LookupWindow]>,
    /// All other rows.
    ordinary: Vec<usize>,
}

fn order<'a>(rows: usize, keys: &[(Identity, Vec<usize>)], tables: &'a [Option<Table>]) -> Order<'a> {
    let mut order = Order { prepared: Vec::new(), tables: Vec::new(), ordinary: Vec::new() };
    let mut planned = vec![false; rows];
    for ((_, rows), table) in keys.iter().zip(tables) {
        let Some(table) = table else { continue };
        for eight in rows.chunks(LANES).filter(|eight| eight.len() >= WORTH_A_GROUP) {
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
        let identity = |i: usize| Identity { x: [i as u64, 0, 0, 0], odd: false };
        let mut start = 0;
        let keys: Vec<_> = (1..30)
            .map(|i| {
                start += i;
                (identity(i), (start - i..start).collect::<Vec<_>>())
            })
            .collect();
        let table = |i: usize| (!i.is_multiple_of(3)).then(|| vec![LookupWindow([[i as u64; 32]; 10])].into());
        let tables: Vec<Option<Table>> = (1..30).map(table).collect();
        let order = order(start, &keys, &tables);
        assert_eq!(order.prepared.len(), LANES * order.tables.len());
        for (eight, table) in order.prepared.chunks(LANES).zip(&order.tables) {
            let key = table[0].0[0][0] as usize;
            assert!(!key.is_multiple_of(3) && eight.iter().all(|row| keys[key - 1].1.contains(row)));
        }
        let mut all: Vec<usize> = order.prepared.iter().chain(&order.ordinary).copied().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, (0..start).collect::<Vec<_>>());
        assert!(order.ordinary.iter().all(|row| !order.prepared.contains(row)));
    }
}
