//! Ethereum transactions in: blocks in RLP, era1 archives, answers of nodes as JSON lines, transactions in hex, tables.
//! Whatever the file is, each transaction becomes a row with what was signed, the signature and the sender that is
//! expected.

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
mod unsigned;

use phalanx_ethereum::{Fork, Rules};

pub(super) use era1::FORMAT as ERA1;
pub(super) use json::decode as decode_lines;
pub(super) use raw::RawTransactions;
pub(crate) use report::{ChainReport, ChainTally};
pub(super) use rlp::FORMAT as RLP;
pub(super) use rows::JudgedRows;
pub(super) use table::{decode as decode_columns, select};
pub(crate) use unsigned::UnsignedTypes;

/// More transactions than any block has: with 21,000 gas each, they would take thirty times the gas of a block of 2025.
const MOST: usize = 1 << 16;

/// How transactions are judged.
#[derive(Clone, Copy, Default)]
pub(crate) struct ChainSettings {
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
