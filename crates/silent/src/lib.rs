//! Silent payments of Bitcoin ([BIP-352]): one address, and no two payments to it that others can link.
//!
//! - [`scan`] finds the outputs of receivers in many transactions, in bulk, by the rows of an index: a tweak point, and
//!   the keys of outputs or their first eight bytes.
//! - [`tweaks`] computes the tweak points of many transactions from their inputs: what an index holds.
//! - [`outputs`] computes what a sender pays to.
//! - [`DleqProof`] shows that a sender computed a shared point as it should (BIP-374).
//! - [`Address`] reads and writes addresses, with labels or without.
//!
//! [BIP-352]: https://github.com/bitcoin/bips/blob/master/bip-0352.mediawiki

mod address;
mod dleq;
mod error;
mod hash;
mod inputs;
mod limits;
mod outputs_of;
mod scan;
mod scanner;
mod send;
mod tweaks;
mod wipe;

pub use address::Address;
pub use dleq::DleqProof;
pub use error::Error;
pub use limits::MAX_LABELS;
/// The rows that a scan reads, and the most outputs of one receiver.
pub use phalanx::bindings::payments::{MAX_OUTPUTS, Outputs, Row};
/// What transactions are made of, as [`tweaks`] and [`outputs`] take it.
pub use phalanx_bitcoin::{Input, OutPoint, Output};
pub use scan::{Match, Scan, scan, scan_read};
pub use scanner::Scanner;
pub use send::{SendingKey, outputs};
pub use tweaks::{Spending, tweak_point, tweaks};
