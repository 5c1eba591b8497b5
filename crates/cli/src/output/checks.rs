//! Checks of signatures as a table: the columns that `phalanx verify` reads, and where each stands in a chain.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx_bitcoin::{Check, CheckRow};

use super::rows::{RowTable, Value};

/// The columns.
pub(crate) fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("height", DataType::UInt32, true),
        Field::new("block", DataType::FixedSizeBinary(32), false),
        Field::new("txid", DataType::FixedSizeBinary(32), false),
        Field::new("input", DataType::UInt32, false),
        Field::new("scheme", DataType::Utf8, false),
        Field::new("msg_hash", DataType::FixedSizeBinary(32), false),
        Field::new("pubkey", DataType::Binary, false),
        Field::new("sig", DataType::FixedSizeBinary(64), false),
        Field::new("valid", DataType::Boolean, false),
    ]))
}

/// Appends a check of a signature; commitments of Taproot have no row. Hashes are those in the order in which they are
/// hashed, and are written as text shows them.
pub(crate) fn push(table: &mut RowTable, height: Option<u32>, block: &[u8; 32], txid: &[u8; 32], row: &CheckRow<'_>) {
    let (scheme, digest, key, signature) = match row.check {
        Check::Ecdsa { digest, key, signature } => ("ecdsa", digest, key.as_bytes(), signature.to_compact()),
        Check::Schnorr { digest, key, signature } => ("schnorr", digest, &key[..], *signature),
        Check::Commitment { .. } => return,
    };
    table.push(&[
        Value::Small(height),
        Value::Fixed(&reversed(block)),
        Value::Fixed(&reversed(txid)),
        Value::Small(Some(row.input as u32)),
        Value::Text(Some(scheme)),
        Value::Fixed(digest),
        Value::Bytes(key),
        Value::Fixed(&signature),
        Value::Truth(row.holds),
    ]);
}

/// A hash as text shows it.
pub(super) fn reversed(hash: &[u8; 32]) -> [u8; 32] {
    let mut hash = *hash;
    hash.reverse();
    hash
}
