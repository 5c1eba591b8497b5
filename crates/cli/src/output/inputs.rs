//! Inputs of blocks as a table: where each stands in a chain, its verdict, and why.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::checks::reversed;
use super::rows::{RowTable, Value};

/// The columns.
pub(crate) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("height", DataType::UInt32, false),
        Field::new("block", DataType::FixedSizeBinary(32), false),
        Field::new("txid", DataType::FixedSizeBinary(32), false),
        Field::new("input", DataType::UInt32, false),
        Field::new("verdict", DataType::Utf8, false),
        Field::new("reason", DataType::Utf8, true),
    ]))
}

/// What is found of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputVerdict<'r> {
    /// Its scripts allow the spend.
    Valid,
    /// They do not, for a reason of this name.
    Invalid(&'r str),
    /// Its block breaks a rule as a whole, and no script ran.
    BlockInvalid(&'r str),
}

/// Appends an input. Hashes are those in the order in which they are hashed, and are written as text shows them.
pub(crate) fn push(
    table: &mut RowTable,
    height: u32,
    block: &[u8; 32],
    txid: &[u8; 32],
    input: usize,
    verdict: InputVerdict<'_>,
) {
    let (verdict, reason) = match verdict {
        InputVerdict::Valid => ("valid", None),
        InputVerdict::Invalid(reason) => ("invalid", Some(reason)),
        InputVerdict::BlockInvalid(rule) => ("block_invalid", Some(rule)),
    };
    table.push(&[
        Value::Small(Some(height)),
        Value::Fixed(&reversed(block)),
        Value::Fixed(&reversed(txid)),
        Value::Small(Some(input as u32)),
        Value::Text(Some(verdict)),
        Value::Text(reason),
    ]);
}
