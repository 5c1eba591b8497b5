//! The transactions of a block, read in place.

use crate::error::SenderError;
use crate::rlp::Reader;

/// The transactions of a block or of a block's body, each as [`Transaction::decode`](crate::Transaction::decode) takes
/// it. An item that is no transaction is an error, and the last one.
#[derive(Debug, Clone)]
pub struct BlockTransactions<'a> {
    list: Reader<'a>,
}

impl<'a> Iterator for BlockTransactions<'a> {
    type Item = Result<&'a [u8], SenderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.list.is_empty() {
            return None;
        }
        let before = self.list.rest();
        // A legacy transaction is a list of the block, any other a string.
        let item = if self.list.at_list() {
            self.list.list("transactions").map(|_| &before[..before.len() - self.list.rest().len()])
        } else {
            self.list.string("transactions")
        };
        if item.is_err() {
            self.list = Reader::new(&[]);
        }
        Some(item)
    }
}

/// What is read of a block's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// The number of the block.
    pub number: u64,
    /// What the transactions must have: see [`transactions_root`](crate::transactions_root).
    pub transactions_root: [u8; 32],
}

impl BlockHeader {
    /// Reads the header of a block.
    ///
    /// # Errors
    /// [`SenderError::Malformed`] if the bytes are no list that has a root and a number in their places.
    pub fn decode(raw: &[u8]) -> Result<BlockHeader, SenderError> {
        let mut outer = Reader::new(raw);
        let mut header = outer.list("header")?;
        outer.finish("header")?;
        // Before the root stand the parent's hash, the uncles' hash, the coinbase and the root of the state.
        for _ in 0..4 {
            header.string("header")?;
        }
        let transactions_root = header.fixed("transactions_root")?;
        // The root of the receipts, the bloom filter, the difficulty.
        for _ in 0..3 {
            header.string("header")?;
        }
        Ok(BlockHeader { number: header.number64("number")?, transactions_root })
    }
}

/// The header of the block that begins with these bytes, its transactions, and the bytes after it. A block is a list:
/// the header, the transactions, the headers of uncles, and since Shanghai the withdrawals.
///
/// Of uncles and withdrawals nothing is read. Whether the transactions are those of the header is not checked.
///
/// # Errors
/// [`SenderError::Malformed`] if the bytes do not begin with such a list.
pub fn block_transactions(raw: &[u8]) -> Result<(BlockHeader, BlockTransactions<'_>, &[u8]), SenderError> {
    let mut outer = Reader::new(raw);
    let mut block = outer.list("block")?;
    let header = block.rest();
    block.list("header")?;
    let header = BlockHeader::decode(&header[..header.len() - block.rest().len()])?;
    Ok((header, rest_of_body(block)?, outer.rest()))
}

/// The transactions of a block's body: a block without its header.
///
/// # Errors
/// [`SenderError::Malformed`] if the bytes are no such list.
pub fn body_transactions(raw: &[u8]) -> Result<BlockTransactions<'_>, SenderError> {
    let mut outer = Reader::new(raw);
    let body = outer.list("body")?;
    outer.finish("body")?;
    rest_of_body(body)
}

fn rest_of_body(mut body: Reader<'_>) -> Result<BlockTransactions<'_>, SenderError> {
    let list = body.list("transactions")?;
    body.list("uncles")?;
    if !body.is_empty() {
        body.list("withdrawals")?;
    }
    body.finish("body")?;
    Ok(BlockTransactions { list })
}
