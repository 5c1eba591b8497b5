//! Silent payments that were found, as a table.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx_silent::Match;

use super::rows::{RowTable, Value};

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

/// Appends a match, with what the index says of the transaction. The tweak becomes part of the output, for which it was
/// asked.
pub(crate) fn push(table: &mut RowTable, txid: Option<&str>, height: Option<u64>, found: &Match) {
    table.push(&[
        Value::Text(txid),
        Value::Large(height),
        Value::Large(Some(found.output as u64)),
        Value::Small(Some(found.k)),
        Value::Small(found.label),
        Value::Fixed(&found.key),
        Value::Fixed(&found.tweak.to_bytes()),
    ]);
}
