//! Inputs of blocks as a table: where each stands in a chain, its verdict, and why.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::checks::reversed;
use crate::exit::RunError;

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

/// Rows of inputs, column by column.
pub(crate) struct InputTable {
    height: UInt32Builder,
    block: FixedSizeBinaryBuilder,
    txid: FixedSizeBinaryBuilder,
    input: UInt32Builder,
    verdict: StringBuilder,
    reason: StringBuilder,
}

impl Default for InputTable {
    fn default() -> InputTable {
        InputTable {
            height: UInt32Builder::new(),
            block: FixedSizeBinaryBuilder::new(32),
            txid: FixedSizeBinaryBuilder::new(32),
            input: UInt32Builder::new(),
            verdict: StringBuilder::new(),
            reason: StringBuilder::new(),
        }
    }
}

impl InputTable {
    /// Appends an input. Hashes are those in the order in which they are hashed, and are written as text shows them.
    pub(crate) fn push(
        &mut self,
        height: u32,
        block: &[u8; 32],
        txid: &[u8; 32],
        input: usize,
        verdict: InputVerdict<'_>,
    ) -> Result<(), RunError> {
        let (verdict, reason) = match verdict {
            InputVerdict::Valid => ("valid", None),
            InputVerdict::Invalid(reason) => ("invalid", Some(reason)),
            InputVerdict::BlockInvalid(rule) => ("block_invalid", Some(rule)),
        };
        self.height.append_value(height);
        self.block.append_value(reversed(block)).map_err(RunError::of)?;
        self.txid.append_value(reversed(txid)).map_err(RunError::of)?;
        self.input.append_value(input as u32);
        self.verdict.append_value(verdict);
        self.reason.append_option(reason);
        Ok(())
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.height.finish()),
            Arc::new(self.block.finish()),
            Arc::new(self.txid.finish()),
            Arc::new(self.input.finish()),
            Arc::new(self.verdict.finish()),
            Arc::new(self.reason.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(RunError::of)
    }
}
