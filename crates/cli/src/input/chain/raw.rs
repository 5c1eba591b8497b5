//! Transactions that a reader has cut out of blocks, still in their bytes, a bounded number at a time.

use phalanx_ethereum::{BlockTransactions, SenderError};

use super::super::decoded::WithKept;
use super::super::stream::BytesRead;
use super::super::{BLOCK_BYTES, Block, Emit};
use super::ChainSettings;
use super::rows::{Stated, TransactionRows};

/// Some transactions, end to end.
#[derive(Default)]
pub(in crate::input) struct RawTransactions {
    bytes: Vec<u8>,
    /// Of each transaction the block, the place in it, and where its bytes end.
    places: Vec<(u64, u64, usize)>,
}

impl RawTransactions {
    /// The bytes of all.
    pub(in crate::input) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The transactions as rows.
    pub(in crate::input) fn decode(&self, settings: ChainSettings) -> WithKept<'static> {
        let mut rows = TransactionRows::new(settings, self.places.len());
        let mut start = 0;
        for (block, index, end) in &self.places {
            let stated = Stated { block: Some(*block), index: Some(*index), ..Stated::default() };
            rows.push(&self.bytes[start..*end], stated);
            start = *end;
        }
        rows.finish()
    }
}

/// Takes the transactions of one block after the other, and hands them on.
pub(super) struct TransactionSink<'e, 'f> {
    rows: usize,
    emit: &'e mut Emit<'f>,
    progress: BytesRead,
    gathered: RawTransactions,
}

impl<'e, 'f> TransactionSink<'e, 'f> {
    /// Hands on at most `rows` transactions at a time.
    pub(super) fn new(rows: usize, emit: &'e mut Emit<'f>, progress: BytesRead) -> Self {
        TransactionSink { rows, emit, progress, gathered: RawTransactions::default() }
    }

    /// Takes a block's transactions; says whether to go on.
    pub(super) fn take(&mut self, block: u64, transactions: BlockTransactions<'_>) -> Result<bool, SenderError> {
        for (index, raw) in (0..).zip(transactions) {
            let gathered = &mut self.gathered;
            gathered.bytes.extend_from_slice(raw?);
            gathered.places.push((block, index, gathered.bytes.len()));
            let full = gathered.places.len() == self.rows || gathered.bytes.len() >= BLOCK_BYTES;
            if full && !self.hand_on() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands on what is left.
    pub(super) fn finish(mut self) {
        self.hand_on();
    }

    fn hand_on(&mut self) -> bool {
        let full = std::mem::take(&mut self.gathered);
        let rows = full.places.len() as u64;
        (self.emit)(Block::Transactions(full), rows, self.progress.since_last())
    }
}
