//! Without the standard library there is no lock, and tables do not outlive a call.

use super::repeats::KeyId;
use crate::mul::{KEY_TABLE_BYTES, KeyTable};
use crate::tuning::TABLE_MEMORY;
use alloc::vec::Vec;

/// The bound on the tables of one call.
pub(in crate::bulk) struct KeyTableCache {
    most: usize,
}

impl Default for KeyTableCache {
    fn default() -> Self {
        Self::new(TABLE_MEMORY)
    }
}

impl KeyTableCache {
    /// Allows the tables that fit `bytes` bytes.
    pub(in crate::bulk) fn new(bytes: usize) -> Self {
        KeyTableCache { most: bytes / KEY_TABLE_BYTES }
    }

    /// The number of tables that the bound allows.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// No key has a table before a call.
    pub(in crate::bulk) fn has(&self, _: &KeyId) -> bool {
        false
    }

    /// No table for any key.
    pub(super) fn take<'a>(&self, keys: impl Iterator<Item = &'a KeyId>) -> Vec<Option<KeyTable>> {
        keys.map(|_| None).collect()
    }

    /// For each key its rows in this call.
    pub(super) fn count<'a>(&self, keys: impl Iterator<Item = (&'a KeyId, usize)>) -> Vec<usize> {
        keys.map(|(_, rows)| rows).collect()
    }

    /// Keeps nothing.
    pub(super) fn keep(&self, _: &[KeyId], _: Vec<(KeyId, KeyTable)>) {}
}
