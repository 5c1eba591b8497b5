//! Transactions of rollups that nobody signs.

use crate::address::keccak256;
use crate::rlp::{put_list, put_number, put_string};
use alloc::vec::Vec;

/// Whether transactions of this type (EIP-2718) have no signature on the networks that use it: the OP stack's deposits
/// and Scroll's messages (0x7e), and what Arbitrum's own code makes (0x64 to 0x66, 0x68 to 0x6a). Ethereum has none of
/// these types.
///
/// ```
/// assert!(phalanx_ethereum::is_unsigned_type(0x7e) && !phalanx_ethereum::is_unsigned_type(2));
/// ```
pub const fn is_unsigned_type(kind: u8) -> bool {
    matches!(kind, 0x64..=0x66 | 0x68..=0x6a | DepositFields::TYPE)
}

/// The hash of a transaction of any type in the bytes that a block holds: their Keccak-256.
pub fn transaction_hash(raw: &[u8]) -> [u8; 32] {
    keccak256(raw)
}

/// The fields of a deposit of the OP stack. Numbers of 32 bytes have the most significant byte first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct DepositFields {
    pub source_hash: [u8; 32],
    pub from: [u8; 20],
    /// `None`: the transaction makes a contract.
    pub to: Option<[u8; 20]>,
    pub mint: [u8; 32],
    pub value: [u8; 32],
    pub gas: u64,
    pub is_system: bool,
    pub input: Vec<u8>,
}

impl DepositFields {
    /// The type of a deposit (EIP-2718).
    pub const TYPE: u8 = 0x7e;

    /// The bytes that a block holds. Source: the OP stack's specification of deposits.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(160 + self.input.len());
        out.push(Self::TYPE);
        put_list(&mut out, |out| {
            put_string(&self.source_hash, out);
            put_string(&self.from, out);
            put_string(self.to.as_ref().map_or(&[], |to| &to[..]), out);
            put_number(&self.mint, out);
            put_number(&self.value, out);
            put_number(&self.gas.to_be_bytes(), out);
            put_number(&[u8::from(self.is_system)], out);
            put_string(&self.input, out);
        });
        out
    }
}
