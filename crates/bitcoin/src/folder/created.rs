//! Outputs that blocks of the folder create, for blocks without undo data: such as the first ones of the main network,
//! or those of a folder that another program wrote.
//!
//! A transaction is found by its id, which is its hash: what is found is what is spent, whatever the chain.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::block::Block;
use crate::bytes::put_bytes;
use crate::opcode::OP_RETURN;
use crate::transaction::Transaction;
use crate::undo::MAX_SCRIPT_BYTES;

/// The bytes of blocks whose transactions are indexed: some 100 MB in memory if transactions are of the usual size. The
/// first 100,000 blocks of the main network take a fourth of it.
const MOST_BLOCK_BYTES: u64 = 1 << 28;
/// The most bytes of outputs that are collected for a block.
const MOST_COLLECTED: usize = 1 << 25;

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TransactionPlace {
    /// The place of its block in the chain.
    pub(super) block: u32,
    /// Where it begins in the block.
    pub(super) at: u32,
    pub(super) length: u32,
}

/// The transactions of the first blocks of a chain.
#[derive(Default)]
pub(super) struct TransactionIndex {
    by_id: HashMap<[u8; 32], TransactionPlace>,
    /// How many blocks of the chain are in it, and their bytes.
    blocks: usize,
    bytes: u64,
    /// The place of the first block of the chain that is known to be too much.
    end: Option<usize>,
}

impl TransactionIndex {
    /// The blocks still to be added, as places in the chain, so that the index holds all blocks up to `place`. Empty if
    /// they are too many. `size` gives the length of the block at a place.
    pub(super) fn lacking(&mut self, place: usize, size: impl Fn(usize) -> u32) -> Range<usize> {
        if self.end.is_some_and(|end| place >= end) {
            return 0..0;
        }
        let mut bytes = self.bytes;
        for next in self.blocks..=place {
            bytes += u64::from(size(next));
            if bytes > MOST_BLOCK_BYTES {
                self.end = Some(next);
                return 0..0;
            }
        }
        self.bytes = bytes;
        self.blocks..self.blocks.max(place + 1)
    }

    /// Adds the next block that [`lacking`](Self::lacking) named. Nothing of one that cannot be read is found.
    pub(super) fn add(&mut self, bytes: Option<&[u8]>) {
        let place = self.blocks as u32;
        self.blocks += 1;
        let Some(block) = bytes.and_then(|bytes| Block::decode(bytes).ok()) else { return };
        let mut at = block.head_size();
        for transaction in &block.transactions {
            let length = transaction.size();
            let found = TransactionPlace { block: place, at: at as u32, length: length as u32 };
            self.by_id.insert(transaction.txid(), found);
            at += length;
        }
    }

    /// The inputs of a block that spend something, by the transactions whose outputs they spend: the number of each, and
    /// of the output. None if a transaction is not here.
    pub(super) fn spent_by(&self, block: &Block<'_>) -> Option<BTreeMap<TransactionPlace, Vec<(usize, u32)>>> {
        let mut spent: BTreeMap<TransactionPlace, Vec<(usize, u32)>> = BTreeMap::new();
        let inputs = block.transactions.iter().skip(1).flat_map(|transaction| &transaction.inputs);
        for (number, input) in inputs.enumerate() {
            let place = self.by_id.get(&input.previous.txid)?;
            spent.entry(*place).or_default().push((number, input.previous.index));
        }
        Some(spent)
    }
}

/// Outputs by the numbers of the inputs that spend them.
pub(super) struct Collected {
    outputs: Vec<Vec<u8>>,
    left: usize,
}

impl Collected {
    /// Empty room for the outputs that a transaction with this number of inputs spends.
    pub(super) fn new(inputs: usize) -> Collected {
        Collected { outputs: vec![Vec::new(); inputs], left: MOST_COLLECTED }
    }

    /// Takes outputs of a transaction. None if it has no such output, or if there is too much.
    pub(super) fn take(&mut self, transaction: &[u8], spent: &[(usize, u32)]) -> Option<()> {
        let transaction = Transaction::decode(transaction).ok()?;
        for (number, index) in spent {
            let output = transaction.outputs.get(*index as usize)?;
            // What undo data has in its place.
            let script = if output.script.len() > MAX_SCRIPT_BYTES { &[OP_RETURN] } else { &output.script[..] };
            let bytes = &mut self.outputs[*number];
            bytes.extend(output.value.to_le_bytes());
            put_bytes(script, bytes);
            self.left = self.left.checked_sub(bytes.len())?;
        }
        Some(())
    }

    /// The outputs one after another, as [`decode_outputs`](crate::decode_outputs) reads them.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.outputs.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_indexed_up_to_a_bound() {
        let size = 4_000_000;
        let most = MOST_BLOCK_BYTES as usize / size as usize;
        let mut index = TransactionIndex::default();
        for (place, lacking) in [(0, 0..1), (0, 1..1), (6, 1..7), (3, 7..7), (most - 1, 7..most)] {
            assert_eq!(index.lacking(place, |_| size), lacking);
            lacking.for_each(|_| index.add(None));
        }
        for place in [most, most + 500, most] {
            assert!(index.lacking(place, |_| size).is_empty());
        }
        assert_eq!((index.blocks, index.end), (most, Some(most)));
    }

    #[test]
    fn outputs_are_collected_up_to_a_bound() {
        let transaction = |length: usize| {
            let output = [&[7, 0, 0, 0, 0, 0, 0, 0, 0xfd][..], &(length as u16).to_le_bytes(), &vec![0x51; length]];
            [&[1, 0, 0, 0, 1][..], &[1; 36], &[0], &[0; 4], &[1], &output.concat(), &[0; 4]].concat()
        };
        let collected = |length: usize, inputs: usize| {
            let mut collected = Collected::new(inputs);
            let spent: Vec<(usize, u32)> = (0..inputs).map(|number| (number, 0)).collect();
            collected.take(&transaction(length), &spent).map(|()| collected.into_bytes())
        };
        let whole = collected(MAX_SCRIPT_BYTES, 2).expect("two outputs");
        let outputs = crate::transaction::decode_outputs(&whole).expect("two outputs");
        assert!(outputs.iter().all(|output| output.value == 7 && output.script[..] == [0x51; MAX_SCRIPT_BYTES]));
        assert_eq!(collected(MAX_SCRIPT_BYTES + 1, 1).expect("one"), [7, 0, 0, 0, 0, 0, 0, 0, 1, OP_RETURN]);
        let most = MOST_COLLECTED / (8 + 3 + MAX_SCRIPT_BYTES);
        assert!(collected(MAX_SCRIPT_BYTES, most).is_some() && collected(MAX_SCRIPT_BYTES, most + 1).is_none());
        // There is no second output.
        assert_eq!(Collected::new(1).take(&transaction(300), &[(0, 1)]), None);
    }
}
