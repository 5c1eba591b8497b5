//! An index of silent payments as a table: the columns that Frigate's has.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx::PublicKey;
use phalanx_bitcoin::{Block, Output};
use phalanx_silent::Spending;

use super::checks::reversed;
use super::rows::{RowTable, Value};
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

/// Appends the transactions of a block that have taproot outputs and a tweak point. `spent` is what the block's inputs
/// spend.
pub(crate) fn push(
    table: &mut RowTable,
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
    for ((transaction, outputs), point) in transactions.iter().zip(phalanx_silent::tweaks(bulk, &spendings)) {
        let Ok(point) = point else { continue };
        table.push(&[
            Value::Fixed(&reversed(&transaction.txid())),
            Value::Small(Some(height)),
            Value::Fixed(&stored(&point)),
            Value::Numbers(outputs),
        ]);
    }
    Ok(())
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
