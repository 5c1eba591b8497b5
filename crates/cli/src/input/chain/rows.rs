//! Transactions as rows: what was signed, the signature, and who is said to have sent it.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{FixedSizeBinaryBuilder, UInt64Builder};
use phalanx::Verdict;
use phalanx_ethereum::{Fork, SenderError, SenderRow, Signed, Transaction, TransactionType, transaction_hash};
use phalanx_rows::{At, Cells, Contest, Outcome, Packed, Role, RowBlock, RowFault};

use super::ChainSettings;
use super::detail::{Claim, Decision, Detail, malformed};
use super::report::ChainReport;

/// What a file says of a transaction beside its fields.
#[derive(Clone, Copy, Default)]
pub(super) struct Stated {
    pub(super) block: Option<u64>,
    pub(super) index: Option<u64>,
    pub(super) hash: Option<Claim<32>>,
    pub(super) sender: Option<Claim<20>>,
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
    contested: Vec<(usize, Contest)>,
    blocks: UInt64Builder,
    indices: UInt64Builder,
    hashes: FixedSizeBinaryBuilder,
    pub(super) report: ChainReport,
}

/// Rows, the columns that are passed through, and the report on the rows.
pub(in crate::input) type JudgedRows = (RowBlock<'static>, Vec<Option<ArrayRef>>, ChainReport);

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
            contested: Vec::new(),
            blocks: UInt64Builder::with_capacity(rows),
            indices: UInt64Builder::with_capacity(rows),
            hashes: FixedSizeBinaryBuilder::with_capacity(rows, 32),
            report: ChainReport::default(),
        }
    }

    /// Appends a transaction in its bytes, as a block holds it.
    pub(super) fn push(&mut self, raw: &[u8], stated: Stated) {
        self.push_decoded(Transaction::decode(raw), raw, stated);
    }

    /// Appends a transaction in its bytes, as a block holds it or as the network passes it on.
    pub(super) fn push_alone(&mut self, raw: &[u8], stated: Stated) {
        self.push_decoded(Transaction::decode_pooled(raw), raw, stated);
    }

    fn push_decoded(&mut self, decoded: Result<Transaction<'_>, SenderError>, raw: &[u8], stated: Stated) {
        let transaction = match decoded {
            Ok(transaction) => transaction,
            Err(SenderError::UnknownType(kind)) => {
                return self.push_other_type(kind.into(), stated, Some(transaction_hash(raw)));
            }
            Err(error) => {
                let hash = stated.hash.is_none().then(|| transaction_hash(raw));
                return self.decide(Decision::refused(error, self.settings.rules(stated.block), None), stated, hash);
            }
        };
        let hash = transaction.hash();
        let rules = self.settings.rules(stated.block);
        let row = match transaction.row(rules) {
            Ok(row) => row,
            Err(error) => {
                let by_rules = match error {
                    SenderError::TypeNotActive(_) | SenderError::OtherChain => true,
                    SenderError::BadV => transaction.chain_id().is_some() && rules.fork < Fork::SpuriousDragon,
                    _ => false,
                };
                if by_rules {
                    self.break_rules(transaction.chain_id());
                }
                return self.decide(Decision::refused(error, rules, transaction.chain_id()), stated, Some(hash));
            }
        };
        if let Some(other) = stated.hash.filter(|stated| *stated != Claim::Bytes(hash)) {
            if !stated.without_access_list || transaction.kind() == TransactionType::Legacy {
                return self.decide(other_hash(other), stated, Some(hash));
            }
            // If the sender is right, so are the fields, and the hash is wrong.
            let (hidden, wrong) = (malformed("access_list", Detail::NoAccessList(other)), other_hash(other));
            let Some(Claim::Bytes(_)) = stated.sender else { return self.decide(hidden, stated, None) };
            self.contested.push((self.rows, Contest { agreed: wrong.outcome, otherwise: hidden.outcome }));
            self.report.details.extend(hidden.detail.map(|detail| (self.rows, detail)));
            return self.push_row(&row, stated, None);
        }
        if let Some(other @ Claim::Other(_)) = stated.sender {
            let column = Some(At::Role(Role::FromAddress));
            let decision = Decision::new(Verdict::InvalidSignature, column, Detail::Sender(other));
            return self.decide(decision, stated, Some(hash));
        }
        self.push_row(&row, stated, Some(hash));
    }

    /// Appends a row whose sender is to be recovered.
    fn push_row(&mut self, row: &SenderRow, stated: Stated, hash: Option<[u8; 32]>) {
        self.digests.push(&row.signing_hash);
        let mut signature = [0; 65];
        signature[..64].copy_from_slice(&row.signature);
        signature[64] = row.odd_y.into();
        self.signatures.push(&signature);
        self.close(stated, hash);
    }

    /// Appends a transaction of a type that Ethereum does not define. The hash is the computed one, if it is known.
    pub(super) fn push_other_type(&mut self, kind: u64, stated: Stated, hash: Option<[u8; 32]>) {
        if !self.settings.is_unsigned(kind) {
            return self.decide(malformed("type", Detail::UnknownType(kind)), stated, hash);
        }
        if !self.settings.allows_unsigned(kind) {
            self.break_rules(None);
            return self.decide(Decision::invalid("type", Detail::UnsignedType(kind)), stated, hash);
        }
        match (stated.hash, hash) {
            (Some(other), Some(computed)) if other != Claim::Bytes(computed) => {
                self.decide(other_hash(other), stated, hash);
            }
            _ => {
                self.predecided.push((self.rows, Outcome::unsigned()));
                self.close_without_values(stated, hash);
            }
        }
    }

    /// Whether transactions of a type have no signature.
    pub(super) fn is_unsigned(&self, kind: u64) -> bool {
        self.settings.is_unsigned(kind)
    }

    /// Counts a row that the rules of a network refuse: the file may be another network's.
    fn break_rules(&mut self, chain_id: Option<u64>) {
        if self.settings.fork.is_none() {
            self.report.tally.foreign += 1;
            self.report.tally.foreign_chain = self.report.tally.foreign_chain.or(chain_id.filter(|id| *id != 1));
        }
    }

    /// Appends a row that has an outcome already.
    pub(super) fn decide(&mut self, decision: Decision, stated: Stated, hash: Option<[u8; 32]>) {
        self.predecided.push((self.rows, decision.outcome));
        self.report.details.extend(decision.detail.map(|detail| (self.rows, detail)));
        self.close_without_values(stated, hash);
    }

    fn close_without_values(&mut self, stated: Stated, hash: Option<[u8; 32]>) {
        self.digests.push_fault(RowFault::Absent);
        self.signatures.push_fault(RowFault::Absent);
        self.close(stated, hash);
    }

    fn close(&mut self, stated: Stated, hash: Option<[u8; 32]>) {
        match stated.sender.and_then(Claim::bytes) {
            Some(sender) => self.senders.push(&sender),
            None => self.senders.push_fault(RowFault::Absent),
        }
        self.blocks.append_option(stated.block);
        self.indices.append_option(stated.index);
        match hash.or(stated.hash.and_then(Claim::bytes)) {
            Some(hash) => self.hashes.append_value(hash).expect("hashes of 32 bytes"),
            None => self.hashes.append_null(),
        }
        self.rows += 1;
    }

    /// The rows, the columns that are passed through, and the report on the rows.
    pub(super) fn finish(mut self) -> JudgedRows {
        let mut cells = Role::ALL.map(|_| Cells::Absent);
        cells[Role::Digest as usize] = Cells::Packed(self.digests);
        cells[Role::Signature as usize] = Cells::Packed(self.signatures);
        cells[Role::FromAddress as usize] = Cells::Packed(self.senders);
        let kept: [ArrayRef; 3] =
            [Arc::new(self.blocks.finish()), Arc::new(self.indices.finish()), Arc::new(self.hashes.finish())];
        let rows = RowBlock::new(self.rows, cells).with_predecided(self.predecided).with_contested(self.contested);
        (rows, kept.map(Some).to_vec(), self.report)
    }
}

/// The transaction is another than the file says.
fn other_hash(stated: Claim<32>) -> Decision {
    Decision::new(Verdict::InvalidSignature, Some(At::Role(Role::Id)), Detail::Hash(stated))
}
