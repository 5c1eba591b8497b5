//! Transactions as rows: what was signed, the signature, and who is said to have sent it.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{FixedSizeBinaryBuilder, UInt64Builder};
use phalanx_ethereum::{Fault, SenderError, Signed, Transaction, TransactionFields, TransactionType};
use phalanx_rows::{At, Cells, Outcome, Packed, Role, RowBlock, RowFault};

use super::super::decoded::WithKept;
use super::ChainSettings;

/// What a file says of a transaction beside its fields.
#[derive(Clone, Copy, Default)]
pub(super) struct Stated {
    pub(super) block: Option<u64>,
    pub(super) index: Option<u64>,
    pub(super) hash: Option<[u8; 32]>,
    pub(super) sender: Option<[u8; 20]>,
    /// Whether the file cannot say what access list there was.
    pub(super) without_access_list: bool,
}

/// Rows that grow transaction by transaction.
pub(super) struct TransactionRows {
    settings: ChainSettings,
    rows: usize,
    digests: Packed,
    /// r, s and the recovery id.
    signatures: Packed,
    senders: Packed,
    predecided: Vec<(usize, Outcome)>,
    blocks: UInt64Builder,
    indices: UInt64Builder,
    hashes: FixedSizeBinaryBuilder,
}

/// A row that cannot be read because of a field.
pub(super) fn malformed(field: &'static str, fault: RowFault) -> Outcome {
    Outcome { column: Some(At::Field(field)), ..Outcome::malformed(None, fault) }
}

impl TransactionRows {
    pub(super) fn new(settings: ChainSettings, rows: usize) -> TransactionRows {
        let packed = || Packed::with_capacity(rows);
        TransactionRows {
            settings,
            rows: 0,
            digests: packed(),
            signatures: packed(),
            senders: packed(),
            predecided: Vec::new(),
            blocks: UInt64Builder::with_capacity(rows),
            indices: UInt64Builder::with_capacity(rows),
            hashes: FixedSizeBinaryBuilder::with_capacity(rows, 32),
        }
    }

    /// Appends a transaction in its bytes.
    pub(super) fn push(&mut self, raw: &[u8], stated: Stated) {
        let (transaction, row) = match Transaction::decode(raw) {
            Ok(transaction) => (Some(transaction), transaction.row(self.settings.rules(stated.block))),
            Err(error) => (None, Err(error)),
        };
        let hash = transaction.map(|transaction| transaction.hash());
        let kind = transaction.map(|transaction| transaction.kind());
        let other = stated.hash.is_some_and(|stated| hash.is_some_and(|hash| hash != stated));
        match row {
            Err(error) => self.decide(outcome(error), stated, hash),
            Ok(_) if other && stated.without_access_list && kind != Some(TransactionType::Legacy) => {
                self.decide(malformed("access_list", RowFault::Absent), stated, None);
            }
            Ok(_) if other => {
                let verdict = phalanx::Verdict::InvalidSignature;
                let column = Some(At::Field("hash"));
                self.decide(Outcome { verdict, column, fault: Some(RowFault::OtherHash) }, stated, hash);
            }
            Ok(row) => {
                self.digests.push(&row.signing_hash);
                let mut signature = [0; 65];
                signature[..64].copy_from_slice(&row.signature);
                signature[64] = row.odd_y.into();
                self.signatures.push(&signature);
                self.close(stated, hash);
            }
        }
    }

    /// Appends a transaction in its fields, or why they could not be read.
    pub(super) fn push_fields(&mut self, fields: Result<TransactionFields, Outcome>, stated: Stated) {
        match fields {
            Ok(fields) => self.push(&fields.encode(), stated),
            Err(outcome) => self.decide(outcome, stated, None),
        }
    }

    /// Appends a row that has an outcome already.
    pub(super) fn decide(&mut self, outcome: Outcome, stated: Stated, hash: Option<[u8; 32]>) {
        self.predecided.push((self.rows, outcome));
        let fault = outcome.fault.unwrap_or(RowFault::Absent);
        self.digests.push_fault(fault);
        self.signatures.push_fault(fault);
        self.close(stated, hash);
    }

    fn close(&mut self, stated: Stated, hash: Option<[u8; 32]>) {
        match stated.sender {
            Some(sender) => self.senders.push(&sender),
            None => self.senders.push_fault(RowFault::Absent),
        }
        self.blocks.append_option(stated.block);
        self.indices.append_option(stated.index);
        match hash.or(stated.hash) {
            Some(hash) => self.hashes.append_value(hash).expect("hashes of 32 bytes"),
            None => self.hashes.append_null(),
        }
        self.rows += 1;
    }

    /// The rows, and the columns that are passed through.
    pub(super) fn finish(mut self) -> WithKept<'static> {
        let mut cells = Role::ALL.map(|_| Cells::Absent);
        cells[Role::Digest as usize] = Cells::Packed(self.digests);
        cells[Role::Signature as usize] = Cells::Packed(self.signatures);
        cells[Role::FromAddress as usize] = Cells::Packed(self.senders);
        let kept: [ArrayRef; 3] =
            [Arc::new(self.blocks.finish()), Arc::new(self.indices.finish()), Arc::new(self.hashes.finish())];
        (RowBlock::new(self.rows, cells).with_predecided(self.predecided), kept.map(Some).to_vec())
    }
}

/// Why a transaction has no sender, in the words of rows.
fn outcome(error: SenderError) -> Outcome {
    let (column, fault) = match error {
        SenderError::Malformed { field, fault } => {
            let fault = match fault {
                Fault::TooShort => RowFault::Absent,
                Fault::WrongLength => RowFault::WrongLength,
                _ => RowFault::NotCanonical,
            };
            (Some(field), Some(fault))
        }
        SenderError::UnknownType(_) => (Some("type"), Some(RowFault::UnknownType)),
        SenderError::TypeNotActive(_) => (Some("type"), Some(RowFault::TypeNotActive)),
        SenderError::BadV => (Some("v"), None),
        SenderError::OtherChain => (Some("chain_id"), Some(RowFault::OtherChain)),
        _ => (None, None),
    };
    Outcome { verdict: error.verdict(), column: column.map(At::Field), fault }
}
