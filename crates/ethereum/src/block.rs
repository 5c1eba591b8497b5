//! The transactions of a block, read in place.

use crate::error::SenderError;
use crate::rlp::Reader;

/// The transactions of a block or of a block's body, each as [`Transaction::decode`](crate::Transaction::decode) takes
/// it. An item that is no transaction is an error, and the last one.
#[derive(Clone)]
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

/// The number of the block that begins with these bytes, its transactions, and the bytes behind it. A block is a list:
/// the header, the transactions, the headers of uncles, and since Shanghai the withdrawals.
///
/// Of the header the number is read, and of uncles and withdrawals nothing.
///
/// # Errors
/// [`SenderError::Malformed`] if the bytes do not begin with such a list.
pub fn block_transactions(raw: &[u8]) -> Result<(u64, BlockTransactions<'_>, &[u8]), SenderError> {
    let mut outer = Reader::new(raw);
    let mut block = outer.list("block")?;
    let header = block.rest();
    block.list("header")?;
    let number = header_number(&header[..header.len() - block.rest().len()])?;
    Ok((number, rest_of_body(block)?, outer.rest()))
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

/// The number in the header of a block.
///
/// # Errors
/// [`SenderError::Malformed`] if the bytes are no list that has a number in the place of the number.
pub fn header_number(raw: &[u8]) -> Result<u64, SenderError> {
    // parent hash, uncles' hash, coinbase, state root, transactions root, receipts root, bloom, difficulty
    const BEFORE: usize = 8;
    let mut outer = Reader::new(raw);
    let mut header = outer.list("header")?;
    outer.finish("header")?;
    for _ in 0..BEFORE {
        header.string("header")?;
    }
    header.number64("number")
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
