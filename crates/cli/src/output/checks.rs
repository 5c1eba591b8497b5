//! Checks of signatures as a table: the columns that `phalanx verify` reads, and where each stands in a chain.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use phalanx_bitcoin::{Check, CheckRow};

use crate::exit::RunError;

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

/// Rows of checks, column by column.
pub(crate) struct CheckTable {
    height: UInt32Builder,
    block: FixedSizeBinaryBuilder,
    txid: FixedSizeBinaryBuilder,
    input: UInt32Builder,
    scheme: StringBuilder,
    digest: FixedSizeBinaryBuilder,
    key: BinaryBuilder,
    signature: FixedSizeBinaryBuilder,
    valid: BooleanBuilder,
    /// A value had another length than its column.
    broken: bool,
}

impl Default for CheckTable {
    fn default() -> CheckTable {
        CheckTable {
            height: UInt32Builder::new(),
            block: FixedSizeBinaryBuilder::new(32),
            txid: FixedSizeBinaryBuilder::new(32),
            input: UInt32Builder::new(),
            scheme: StringBuilder::new(),
            digest: FixedSizeBinaryBuilder::new(32),
            key: BinaryBuilder::new(),
            signature: FixedSizeBinaryBuilder::new(64),
            valid: BooleanBuilder::new(),
            broken: false,
        }
    }
}

impl CheckTable {
    /// Appends a check of a signature; commitments of Taproot have no row. Hashes are those in the order in which they
    /// are hashed, and are written as text shows them.
    pub(crate) fn push(&mut self, height: Option<u32>, block: &[u8; 32], txid: &[u8; 32], row: &CheckRow<'_>) {
        let (scheme, digest, key, signature) = match row.check {
            Check::Ecdsa { digest, key, signature } => ("ecdsa", digest, key.as_bytes(), signature.to_compact()),
            Check::Schnorr { digest, key, signature } => ("schnorr", digest, &key[..], *signature),
            Check::Commitment { .. } => return,
        };
        self.height.append_option(height);
        self.input.append_value(row.input as u32);
        self.scheme.append_value(scheme);
        self.key.append_value(key);
        self.valid.append_value(row.holds);
        let mut fixed = |column: &mut FixedSizeBinaryBuilder, value: &[u8]| {
            self.broken |= column.append_value(value).is_err();
        };
        fixed(&mut self.block, &reversed(block));
        fixed(&mut self.txid, &reversed(txid));
        fixed(&mut self.digest, digest);
        fixed(&mut self.signature, &signature);
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        if self.broken {
            return Err(RunError::new("internal error: a value had another length than its column"));
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.height.finish()),
            Arc::new(self.block.finish()),
            Arc::new(self.txid.finish()),
            Arc::new(self.input.finish()),
            Arc::new(self.scheme.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.signature.finish()),
            Arc::new(self.valid.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(RunError::of)
    }
}

/// A hash as text shows it.
pub(super) fn reversed(hash: &[u8; 32]) -> [u8; 32] {
    let mut hash = *hash;
    hash.reverse();
    hash
}
