//! Ethereum transactions in: blocks in RLP, era1 archives, answers of nodes as JSON lines, transactions in hex, tables.
//! Whatever the file is, each transaction becomes a row with what was signed, the signature and the sender that is
//! expected.
//!
//! - `numbers`: numbers in text and in bytes;
//! - `detail`: what is wrong with a row, in words;
//! - `report`: the hints and counts of a table, beside the verdicts of its rows;
//! - `rows`: transactions as rows;
//! - `raw`: transactions that were cut out of blocks, in their bytes;
//! - `rlp`, `era1`: readers of blocks;
//! - `json`: lines with a block or a transaction each; `object`: a transaction in JSON;
//! - `table`: tables with a transaction in each row.

mod detail;
mod era1;
mod json;
mod numbers;
mod object;
mod raw;
mod report;
mod rlp;
mod rows;
mod table;

use arrow_schema::DataType;
use phalanx_ethereum::{Fork, Rules};
use phalanx_rows::{ColumnNames, Role};

use super::KeptColumn;
use crate::args::{ChainFormat, UnsignedTypes};
pub(super) use era1::Era1Input;
pub(super) use json::decode as decode_lines;
pub(super) use raw::RawTransactions;
pub(crate) use report::{ChainReport, ChainTally};
pub(super) use rlp::RlpInput;
pub(super) use rows::JudgedRows;
pub(super) use table::{decode as decode_table, decode_columns, select};

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
    /// Types without a signature, beside those that are known.
    pub(crate) unsigned: UnsignedTypes,
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

    /// Whether transactions of a type have no signature.
    fn is_unsigned(self, kind: u64) -> bool {
        u8::try_from(kind).is_ok_and(|kind| phalanx_ethereum::is_unsigned_type(kind) || self.unsigned.has(kind))
    }

    /// Whether the rules allow a type without a signature. Ethereum's main chain has none.
    fn allows_unsigned(self, kind: u64) -> bool {
        self.fork.is_some() || u8::try_from(kind).is_ok_and(|kind| self.unsigned.has(kind))
    }
}

/// The columns that the output has of each transaction, beside its sender: block, index and hash.
pub(super) fn kept() -> Vec<Option<KeptColumn>> {
    let columns = [("block", DataType::UInt64), ("index", DataType::UInt64), ("hash", DataType::FixedSizeBinary(32))];
    columns.map(|(name, data_type)| Some(KeptColumn { name: name.to_owned(), data_type })).to_vec()
}

/// What the columns of a row's roles are called.
pub(super) fn columns() -> ColumnNames {
    Role::ALL.map(|role| match role {
        Role::Id => "hash".to_owned(),
        Role::FromAddress => "from".to_owned(),
        role => role.name().to_owned(),
    })
}
