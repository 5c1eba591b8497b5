//! What is known of a column of a row group before it is read.

use std::sync::Arc;

use parquet::basic::{Compression, Type};

/// One column of one row group, as the footer and the schema describe it.
#[derive(Clone)]
pub(super) struct Chunk {
    pub(super) name: Arc<str>,
    pub(super) physical: Type,
    /// Of values of fixed length.
    pub(super) width: u32,
    pub(super) nullable: bool,
    /// Whether a row has a list of values.
    pub(super) repeated: bool,
    /// Values are slices of the pages.
    pub(super) viewed: bool,
    pub(super) codec: Compression,
    /// Of the row group.
    pub(super) rows: u64,
    pub(super) start: u64,
    pub(super) length: u64,
}
