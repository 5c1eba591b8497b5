//! Tables of keys that outlive a call, and the numbers of rows of keys that have no table.

use super::repeats::KeyId;
use crate::mul::{KEY_TABLE_BYTES, KeyTable};
use crate::tuning::{COUNTED_KEYS_PER_TABLE, TABLE_MEMORY};
use alloc::{collections::BTreeMap, vec::Vec};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tables that were used last, at most `most` of them. Shared by all clones of a [`crate::Bulk`].
pub(in crate::bulk) struct KeyTableCache {
    most: usize,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    of: BTreeMap<KeyId, CachedTable>,
    /// The number of calls that have asked for tables: the time of a use.
    now: u64,
    /// The number of rows so far of each key that has no table.
    rows: BTreeMap<KeyId, usize>,
}

struct CachedTable {
    table: KeyTable,
    /// The time of the last use.
    used: u64,
}

impl Default for KeyTableCache {
    fn default() -> Self {
        Self::new(TABLE_MEMORY)
    }
}

impl KeyTableCache {
    /// Keeps at most the tables that fit `bytes` bytes.
    pub(in crate::bulk) fn new(bytes: usize) -> Self {
        KeyTableCache { most: bytes / KEY_TABLE_BYTES, tables: Mutex::default() }
    }

    /// The number of tables that the bound allows.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Whether the key has a table.
    pub(in crate::bulk) fn has(&self, key: &KeyId) -> bool {
        self.lock().of.contains_key(key)
    }

    /// The table of each key that has one. These tables count as used last from now on.
    pub(super) fn take<'a>(&self, keys: impl Iterator<Item = &'a KeyId>) -> Vec<Option<KeyTable>> {
        let mut tables = self.lock();
        tables.now += 1;
        let now = tables.now;
        let mut take = |key| {
            let dated = tables.of.get_mut(key)?;
            dated.used = now;
            Some(dated.table.clone())
        };
        keys.map(&mut take).collect()
    }

    /// Adds the rows of keys without a table to their counts. Returns for each key its rows so far, these included.
    pub(super) fn count<'a>(&self, keys: impl Iterator<Item = (&'a KeyId, usize)>) -> Vec<usize> {
        let mut tables = self.lock();
        if tables.rows.len() > COUNTED_KEYS_PER_TABLE * self.most {
            tables.rows.clear();
        }
        let mut add = |(key, rows): (&KeyId, usize)| {
            let so_far = tables.rows.entry(*key).or_default();
            *so_far = so_far.saturating_add(rows);
            *so_far
        };
        keys.map(&mut add).collect()
    }

    /// Keeps the tables `new`. If there are more tables than the bound then, those whose last use is longest ago go.
    /// The rows of the keys `wanted` are counted from zero again.
    pub(super) fn keep(&self, wanted: &[KeyId], new: Vec<(KeyId, KeyTable)>) {
        let mut tables = self.lock();
        for key in wanted {
            tables.rows.remove(key);
        }
        let now = tables.now;
        tables.of.extend(new.into_iter().map(|(key, table)| (key, CachedTable { table, used: now })));
        let over = tables.of.len().saturating_sub(self.most);
        if over > 0 {
            let mut by_use: Vec<_> = tables.of.iter().map(|(key, dated)| (dated.used, *key)).collect();
            by_use.sort_unstable_by_key(|(used, _)| *used);
            by_use.iter().take(over).for_each(|(_, key)| drop(tables.of.remove(key)));
        }
    }

    /// Locks the tables. A panic elsewhere does not matter: every change is whole when the lock is given back.
    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn key(i: u64) -> KeyId {
        KeyId { x: [i, 0, 0, 0], odd: i % 2 == 1 }
    }

    fn table() -> KeyTable {
        Vec::new().into()
    }

    fn known(cache: &KeyTableCache) -> Vec<u64> {
        (0..10).filter(|i| cache.has(&key(*i))).collect()
    }

    #[test]
    fn the_tables_used_last_stay() {
        let cache = KeyTableCache::new(3 * KEY_TABLE_BYTES + 1);
        assert_eq!(cache.most(), 3);
        for i in 0..3 {
            assert!(cache.take([key(i)].iter())[0].is_none());
            cache.keep(&[], vec![(key(i), table())]);
        }
        assert_eq!(known(&cache), [0, 1, 2]);
        assert_eq!(cache.take([key(0), key(9)].iter()).iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
        cache.keep(&[], vec![(key(3), table())]);
        assert_eq!(known(&cache), [0, 2, 3]);
        cache.take([key(2)].iter());
        cache.keep(&[], vec![(key(4), table()), (key(5), table())]);
        assert_eq!(known(&cache), [2, 4, 5]);
        let none = KeyTableCache::new(KEY_TABLE_BYTES - 1);
        none.keep(&[], vec![(key(1), table())]);
        assert!(known(&none).is_empty());
    }

    #[test]
    fn rows_are_counted_until_a_table_is_wanted() {
        let cache = KeyTableCache::new(KEY_TABLE_BYTES);
        let count = |rows: [usize; 2]| cache.count([key(0), key(1)].iter().zip(rows));
        assert_eq!(count([3, 4]), [3, 4]);
        assert_eq!(count([5, usize::MAX]), [8, usize::MAX]);
        cache.keep(&[key(1)], vec![]);
        assert_eq!(count([1, 2]), [9, 2]);
        // With too many keys all are forgotten.
        cache.count((2..20).map(|i| (key(i), 1)).collect::<Vec<_>>().iter().map(|(key, rows)| (key, *rows)));
        assert_eq!(count([1, 2]), [1, 2]);
    }
}
