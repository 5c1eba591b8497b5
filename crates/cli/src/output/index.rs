//! An index of silent payments as a table: the columns that Frigate's has.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, Int64Builder, ListBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx::PublicKey;
use phalanx_bitcoin::{Block, Output};
use phalanx_silent::Spending;

use crate::exit::RunError;

/// The columns.
pub(crate) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("txid", DataType::FixedSizeBinary(32), false),
        Field::new("height", DataType::UInt32, false),
        Field::new("tweak_key", DataType::FixedSizeBinary(64), false),
        Field::new_list("outputs", Field::new_list_field(DataType::Int64, true), false),
    ]))
}

/// Transactions that may pay silently, column by column.
pub(crate) struct IndexTable {
    txid: FixedSizeBinaryBuilder,
    height: UInt32Builder,
    tweak_key: FixedSizeBinaryBuilder,
    outputs: ListBuilder<Int64Builder>,
}

impl Default for IndexTable {
    fn default() -> IndexTable {
        IndexTable {
            txid: FixedSizeBinaryBuilder::new(32),
            height: UInt32Builder::new(),
            tweak_key: FixedSizeBinaryBuilder::new(64),
            outputs: ListBuilder::new(Int64Builder::new()),
        }
    }
}

impl IndexTable {
    /// Appends the transactions of a block that have taproot outputs and a tweak point. `spent` is what the block's
    /// inputs spend.
    pub(crate) fn push(
        &mut self,
        bulk: &phalanx::Bulk,
        height: u32,
        block: &Block<'_>,
        spent: &[Output<'_>],
    ) -> Result<(), RunError> {
        let (mut transactions, mut spendings, mut rest) = (Vec::new(), Vec::new(), spent);
        for transaction in block.transactions.iter().skip(1) {
            let (spent, after) = rest
                .split_at_checked(transaction.inputs.len())
                .ok_or_else(|| RunError::new("internal error: there are fewer spent outputs than inputs"))?;
            rest = after;
            let outputs: Vec<i64> = transaction.outputs.iter().filter_map(|output| prefix(&output.script)).collect();
            if !outputs.is_empty() {
                transactions.push((transaction, outputs));
                spendings.push(Spending { inputs: &transaction.inputs, spent });
            }
        }
        for ((transaction, outputs), point) in transactions.into_iter().zip(phalanx_silent::tweaks(bulk, &spendings)) {
            let Ok(point) = point else { continue };
            let mut txid = transaction.txid();
            txid.reverse();
            self.txid.append_value(txid).map_err(RunError::of)?;
            self.height.append_value(height);
            self.tweak_key.append_value(stored(&point)).map_err(RunError::of)?;
            self.outputs.append_value(outputs.into_iter().map(Some));
        }
        Ok(())
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.txid.finish()),
            Arc::new(self.height.finish()),
            Arc::new(self.tweak_key.finish()),
            Arc::new(self.outputs.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(RunError::of)
    }
}

/// The first eight bytes of a taproot output's key.
fn prefix(script: &[u8]) -> Option<i64> {
    match script {
        [0x51, 32, a, b, c, d, e, f, g, h, rest @ ..] if rest.len() == 24 => {
            Some(i64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]))
        }
        _ => None,
    }
}

/// The form in which libsecp256k1 keeps a point: x, then y, the least significant byte first.
fn stored(point: &PublicKey) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes.copy_from_slice(&point.to_bytes_uncompressed()[1..]);
    bytes.as_chunks_mut::<32>().0.iter_mut().for_each(|number| number.reverse());
    bytes
}
