//! Transaction types, and the fields of each.

use crate::fork::Fork;

/// A transaction type (EIP-2718).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum TransactionType {
    /// Type 0: an RLP list without a byte in front. With or without a chain id (EIP-155).
    #[default]
    Legacy,
    /// Type 1, EIP-2930.
    AccessList,
    /// Type 2, EIP-1559.
    FeeMarket,
    /// Type 3, EIP-4844.
    Blob,
    /// Type 4, EIP-7702.
    SetCode,
}

/// What a field holds.
#[derive(Clone, Copy)]
pub(crate) enum FieldKind {
    ChainId,
    Number64,
    Number256,
    Address,
    /// An address, or nothing: the transaction makes a contract.
    Receiver,
    Bytes,
    AccessList,
    Hashes,
    Authorizations,
}

pub(crate) type Field = (&'static str, FieldKind);

const CHAIN_ID: Field = ("chain_id", FieldKind::ChainId);
const NONCE: Field = ("nonce", FieldKind::Number64);
const GAS_PRICE: Field = ("gas_price", FieldKind::Number256);
const PRIORITY_FEE: Field = ("max_priority_fee_per_gas", FieldKind::Number256);
const FEE: Field = ("max_fee_per_gas", FieldKind::Number256);
const GAS: Field = ("gas", FieldKind::Number64);
const TO_OR_NEW: Field = ("to", FieldKind::Receiver);
const TO: Field = ("to", FieldKind::Address);
const VALUE: Field = ("value", FieldKind::Number256);
const INPUT: Field = ("input", FieldKind::Bytes);
pub(crate) const ACCESS_LIST: Field = ("access_list", FieldKind::AccessList);
const BLOB_FEE: Field = ("max_fee_per_blob_gas", FieldKind::Number256);
const BLOB_HASHES: Field = ("blob_versioned_hashes", FieldKind::Hashes);
const AUTHORIZATIONS: Field = ("authorization_list", FieldKind::Authorizations);

impl TransactionType {
    /// All types, in the order of their numbers.
    pub const ALL: [TransactionType; 5] = [
        TransactionType::Legacy,
        TransactionType::AccessList,
        TransactionType::FeeMarket,
        TransactionType::Blob,
        TransactionType::SetCode,
    ];

    /// The type of a number, if there is one.
    pub fn from_number(number: u64) -> Option<TransactionType> {
        TransactionType::ALL.into_iter().find(|kind| *kind as u64 == number)
    }

    /// The fork that brought it.
    pub const fn since(self) -> Fork {
        match self {
            TransactionType::Legacy => Fork::Frontier,
            TransactionType::AccessList => Fork::Berlin,
            TransactionType::FeeMarket => Fork::London,
            TransactionType::Blob => Fork::Cancun,
            TransactionType::SetCode => Fork::Prague,
        }
    }

    /// The fields before v, r and s.
    pub(crate) const fn fields(self) -> &'static [Field] {
        match self {
            TransactionType::Legacy => &[NONCE, GAS_PRICE, GAS, TO_OR_NEW, VALUE, INPUT],
            TransactionType::AccessList => &[CHAIN_ID, NONCE, GAS_PRICE, GAS, TO_OR_NEW, VALUE, INPUT, ACCESS_LIST],
            TransactionType::FeeMarket => {
                &[CHAIN_ID, NONCE, PRIORITY_FEE, FEE, GAS, TO_OR_NEW, VALUE, INPUT, ACCESS_LIST]
            }
            TransactionType::Blob => {
                &[CHAIN_ID, NONCE, PRIORITY_FEE, FEE, GAS, TO, VALUE, INPUT, ACCESS_LIST, BLOB_FEE, BLOB_HASHES]
            }
            TransactionType::SetCode => {
                &[CHAIN_ID, NONCE, PRIORITY_FEE, FEE, GAS, TO, VALUE, INPUT, ACCESS_LIST, AUTHORIZATIONS]
            }
        }
    }
}
