//! Silent payments that were found, as a table.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx_silent::Match;

use crate::exit::RunError;

/// The columns.
pub(crate) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("txid", DataType::Utf8, true),
        Field::new("height", DataType::UInt64, true),
        Field::new("output", DataType::UInt64, false),
        Field::new("k", DataType::UInt32, false),
        Field::new("label", DataType::UInt32, true),
        Field::new("key", DataType::FixedSizeBinary(32), false),
        Field::new("tweak", DataType::FixedSizeBinary(32), false),
    ]))
}

/// Matches, column by column.
pub(crate) struct MatchTable {
    txid: StringBuilder,
    height: UInt64Builder,
    output: UInt64Builder,
    k: UInt32Builder,
    label: UInt32Builder,
    key: FixedSizeBinaryBuilder,
    tweak: FixedSizeBinaryBuilder,
}

impl Default for MatchTable {
    fn default() -> MatchTable {
        MatchTable {
            txid: StringBuilder::new(),
            height: UInt64Builder::new(),
            output: UInt64Builder::new(),
            k: UInt32Builder::new(),
            label: UInt32Builder::new(),
            key: FixedSizeBinaryBuilder::new(32),
            tweak: FixedSizeBinaryBuilder::new(32),
        }
    }
}

impl MatchTable {
    /// Appends a match, with what the index says of the transaction. The tweak becomes part of the output, for which
    /// it was asked.
    pub(crate) fn push(&mut self, txid: Option<&str>, height: Option<u64>, found: &Match) -> Result<(), RunError> {
        self.txid.append_option(txid);
        self.height.append_option(height);
        self.output.append_value(found.output as u64);
        self.k.append_value(found.k);
        self.label.append_option(found.label);
        self.key.append_value(found.key).map_err(RunError::of)?;
        self.tweak.append_value(found.tweak.to_bytes()).map_err(RunError::of)
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.txid.finish()),
            Arc::new(self.height.finish()),
            Arc::new(self.output.finish()),
            Arc::new(self.k.finish()),
            Arc::new(self.label.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.tweak.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(RunError::of)
    }
}
