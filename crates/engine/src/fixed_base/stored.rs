//! Rows that are in memory of their own or in a file.

#[cfg(feature = "mmap")]
use super::{mapped::MappedFile, saved::SavedRows};
use crate::word::CacheLine;
use alloc::vec::Vec;

/// The rows of tables, wherever they are.
#[derive(Debug)]
pub enum StoredRows {
    /// In memory of their own.
    Built(Vec<CacheLine>),
    /// In a file that is mapped to memory.
    #[cfg(feature = "mmap")]
    Mapped(SavedRows<MappedFile>),
}

impl AsRef<[CacheLine]> for StoredRows {
    fn as_ref(&self) -> &[CacheLine] {
        match self {
            StoredRows::Built(rows) => rows,
            #[cfg(feature = "mmap")]
            StoredRows::Mapped(rows) => rows.as_ref(),
        }
    }
}
