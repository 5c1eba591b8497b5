//! Senders of Ethereum transactions, many in one call.
//!
//! [`senders`] takes rows of a signing hash and a signature, and [`senders_in_columns`] takes columns of them.
//! [`signers`] takes what was signed: [`Transaction`]s, which are read from their bytes, and [`Authorization`]s of
//! EIP-7702. [`Rules`] are those of a fork.
//!
//! ```text
//! bytes of a transaction ──> Transaction::decode ──> Signed::row(Rules) ──> SenderRow ──> senders ──> addresses
//! fields of JSON, of a table ──> TransactionFields::encode ──> the same bytes
//! bytes of a block ──> block_transactions ──> the header, and the bytes of each transaction ──> transactions_root
//! ```
//!
//! ```
//! use phalanx::Bulk;
//! use phalanx_ethereum::{Fork, Rules, SenderError, Transaction, signers};
//! # use phalanx_ethereum::{TransactionFields, address};
//! # let secret = phalanx::SecretKey::from_bytes(&[7; 32])?;
//! # let fields = TransactionFields { chain_id: Some(1), ..TransactionFields::default() };
//! # let first = fields.sign(&secret)?;
//! # let second = TransactionFields { nonce: 1, ..fields }.sign(&secret)?;
//! # let expected = address(&secret.public_key());
//!
//! // Transactions as blocks and networks carry them.
//! let raw: [&[u8]; 2] = [&first, &second];
//! let transactions = raw.map(Transaction::decode).into_iter().collect::<Result<Vec<_>, _>>()?;
//! let rules = Rules { fork: Fork::Prague, chain_id: Some(1) };
//!
//! // An address for each transaction, or why there is none.
//! let some: Vec<Result<[u8; 20], SenderError>> = signers(&Bulk::new(), &transactions, rules);
//! // All addresses, or the first reason why there is none.
//! let all: Vec<[u8; 20]> = some.into_iter().collect::<Result<_, _>>()?;
//! # assert_eq!(all, [expected; 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing fails open: an address is given only where every check has passed. No input makes these functions panic, and
//! a length that an input claims takes no memory. All functions but [`TransactionFields::sign`] take variable time.
//! Without the feature `std`, a default one, the crate is `no_std` with `alloc`.

#![no_std]

extern crate alloc;

mod address;
#[cfg(feature = "alloy")]
pub mod alloy;
mod authorization;
mod block;
mod error;
mod fields;
mod fork;
mod rlp;
mod rules;
mod senders;
mod sidecar;
mod signed;
mod transaction;
mod transaction_type;
mod trie;
mod unsigned;

pub use address::address;
pub use authorization::Authorization;
pub use block::{BlockHeader, BlockTransactions, block_transactions, body_transactions};
pub use error::{Fault, SenderError};
pub use fields::{AuthorizationFields, TransactionFields};
pub use fork::Fork;
pub use rules::Rules;
pub use senders::{SenderRow, senders, senders_in_columns};
pub use signed::{Signed, signers};
pub use transaction::Transaction;
pub use transaction_type::TransactionType;
pub use trie::transactions_root;
pub use unsigned::{DepositFields, is_unsigned_type, transaction_hash};
