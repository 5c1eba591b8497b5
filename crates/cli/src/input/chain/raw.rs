//! Transactions that a reader has cut out of blocks, still in their bytes, a bounded number at a time.

use phalanx_ethereum::{BlockHeader, BlockTransactions, transactions_root};

use super::super::stream::BytesRead;
use super::super::{BLOCK_BYTES, Block, Emit};
use super::rows::{JudgedRows, Stated, TransactionRows};
use super::{ChainSettings, MOST};
use crate::exit::RunError;

/// The transactions of some whole blocks, end to end.
#[derive(Default)]
pub(crate) struct RawTransactions {
    bytes: Vec<u8>,
    /// Where the bytes of each transaction end.
    ends: Vec<usize>,
    /// The header of each block, and how many transactions there are to its end.
    blocks: Vec<(BlockHeader, usize)>,
}

impl RawTransactions {
    /// The bytes of all.
    pub(in crate::input) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The transactions as rows.
    ///
    /// Fails where a block's transactions are not those of its header: what is read is then no block of the chain.
    pub(in crate::input) fn decode(&self, settings: ChainSettings) -> Result<JudgedRows, RunError> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let raws: Vec<&[u8]> = starts.zip(&self.ends).map(|(start, end)| &self.bytes[*start..*end]).collect();
        let mut rows = TransactionRows::new(settings, raws.len());
        let mut start = 0;
        for (BlockHeader { number, transactions_root: root }, end) in &self.blocks {
            let raws = &raws[start..*end];
            if transactions_root(raws) != *root {
                return Err(RunError::new(format!("block {number}: its transactions are not those of its header")));
            }
            for (index, raw) in (0..).zip(raws) {
                let stated = Stated { block: Some(*number), index: Some(index), ..Stated::default() };
                rows.push(raw, stated);
            }
            start = *end;
        }
        rows.report.tally.blocks = self.blocks.len() as u64;
        Ok(rows.finish())
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
    /// Hands on at most `rows` transactions at a time, or those of one block.
    pub(super) fn new(rows: usize, emit: &'e mut Emit<'f>, progress: BytesRead) -> Self {
        TransactionSink { rows, emit, progress, gathered: RawTransactions::default() }
    }

    /// Takes a block's transactions; says whether to go on.
    pub(super) fn take(&mut self, header: BlockHeader, transactions: BlockTransactions<'_>) -> Result<bool, String> {
        let count = transactions.clone().take(MOST + 1).count();
        if count > MOST {
            return Err(format!("more than {MOST} transactions"));
        }
        let gathered = &self.gathered;
        // Blocks without transactions take room, too.
        let full = gathered.ends.len() + count > self.rows || gathered.blocks.len() >= self.rows;
        if !gathered.blocks.is_empty() && (full || gathered.bytes.len() >= BLOCK_BYTES) && !self.hand_on() {
            return Ok(false);
        }
        let gathered = &mut self.gathered;
        for raw in transactions {
            gathered.bytes.extend_from_slice(raw.map_err(|error| error.to_string())?);
            gathered.ends.push(gathered.bytes.len());
        }
        gathered.blocks.push((header, gathered.ends.len()));
        Ok(true)
    }

    /// Hands on what is left.
    pub(super) fn finish(mut self) {
        self.hand_on();
    }

    fn hand_on(&mut self) -> bool {
        let full = std::mem::take(&mut self.gathered);
        let rows = full.ends.len() as u64;
        (self.emit)(Block::Transactions(full), rows, self.progress.since_last())
    }
}
