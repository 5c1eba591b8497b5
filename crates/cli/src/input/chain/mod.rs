//! Ethereum transactions in: blocks in RLP, era1 archives, answers of nodes as JSON lines, tables of cryo. Whatever the
//! file is, each transaction becomes a row with what was signed, the signature and the sender that is expected.
//!
//! - `numbers`: numbers in text and in bytes;
//! - `rows`: transactions as rows;
//! - `raw`: transactions that were cut out of blocks, in their bytes;
//! - `rlp`, `era1`: readers of blocks;
//! - `json`: lines with a block each;
//! - `table`: tables with a transaction in each row.

mod era1;
mod json;
mod numbers;
mod raw;
mod rlp;
mod rows;
mod table;

use arrow_schema::DataType;
use phalanx_ethereum::{Fork, Rules};
use phalanx_rows::{ColumnNames, Role};

use super::KeptColumn;
use crate::args::ChainFormat;
pub(super) use era1::Era1Input;
pub(super) use json::decode as decode_lines;
pub(super) use raw::RawTransactions;
pub(super) use rlp::RlpInput;
pub(super) use table::{decode as decode_table, select};

/// More transactions than any block has: with 21,000 gas each, they would take thirty times the gas of a block of 2025.
const MOST: usize = 1 << 16;

/// How files of transactions are read and judged.
#[derive(Clone, Copy)]
pub(crate) struct ChainSettings {
    /// What the files are. None: their names and contents decide.
    pub(crate) format: Option<ChainFormat>,
    /// Whose rules hold. None: those of the main chain for the number of the block.
    pub(crate) fork: Option<Fork>,
    /// The chain id that transactions must have.
    pub(crate) chain_id: Option<u64>,
}

impl ChainSettings {
    /// The rules for a block. A block without a number is to come, and has those of the last fork.
    fn rules(self, block: Option<u64>) -> Rules {
        let rules = match self.fork {
            Some(fork) => Rules { fork, chain_id: None },
            None => Rules::of_mainnet_block(block.unwrap_or(u64::MAX)),
        };
        Rules { chain_id: self.chain_id.or(rules.chain_id), ..rules }
    }
}

/// The columns that the output has of each transaction, beside its sender: block, index and hash.
pub(super) fn kept() -> Vec<Option<KeptColumn>> {
    let columns = [("block", DataType::UInt64), ("index", DataType::UInt64), ("hash", DataType::FixedSizeBinary(32))];
    columns.map(|(name, data_type)| Some(KeptColumn { name: name.to_owned(), data_type })).to_vec()
}

/// What the columns of a row's roles are called.
pub(super) fn columns() -> ColumnNames {
    Role::ALL.map(|role| if role == Role::FromAddress { "from".to_owned() } else { role.name().to_owned() })
}
