//! Blocks of Bitcoin in, verdicts out: consensus' own verdict on every input, with the signatures of a whole block
//! verified in bulk.
//!
//! ```
//! use phalanx::Bulk;
//! use phalanx_bitcoin::{Flags, Network, Output, Transaction, Verifier};
//!
//! // The first payment, of block 170, and the output that it spends: a key, and OP_CHECKSIG.
//! let hex = "0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932\
//!            b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac46\
//!            22082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d\
//!            71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee000000004341041\
//!            1db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d\
//!            4c03f999b8643f656b412a3ac00000000";
//! let bytes = const_hex::decode(hex).expect("hex");
//! let transaction = Transaction::decode(&bytes)?;
//! let script = transaction.outputs[1].script.clone();
//! let spent = [Output { value: 5_000_000_000, script }];
//!
//! let flags = Network::Main.flags(170, &[0; 32]);
//! let verifier = Verifier::new(&Bulk::new());
//! let report = verifier.verify_transaction(&transaction, &spent, flags, |row| assert!(row.holds))?;
//! assert_eq!((report.inputs, report.ecdsa, report.invalid.len()), (1, 1, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From the bottom up:
//!
//! - `bytes`, `text`, `flags`, `script_error`, `opcode`: words and numbers;
//! - `number`, `script`, `transaction`, `block`, `network`: what a chain is made of;
//! - `sighash`, `signature`, `check`, `stack`: what signatures sign, and what scripts ask;
//! - `answer`, `judge`: what is known of the answers;
//! - `interpreter`, `spend`: scripts, and the three of an input;
//! - `limits`, `settle`, `verifier`: many inputs;
//! - `work`, `undo`, `folder`: what lies on a node's disk.
//!
//! The verdict on an input is that of its scripts. Amounts, the age of what is spent and the chain of blocks are not
//! judged. All is public and takes variable time.

mod answer;
mod block;
mod bytes;
mod check;
mod flags;
mod folder;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod interpreter;
mod judge;
mod limits;
mod network;
mod number;
mod opcode;
mod script;
mod script_error;
mod settle;
mod sighash;
mod signature;
mod spend;
mod stack;
mod text;
mod transaction;
mod undo;
mod verifier;
mod work;

pub use block::{Block, Header};
pub use bytes::{DecodeError, put_compact_size};
pub use check::{Check, EcdsaKey};
pub use flags::Flags;
pub use folder::{BlockFolder, FolderFault, StoredBlock};
pub use limits::BlockFault;
pub use network::Network;
pub use script_error::ScriptError;
pub use text::reversed_hex;
pub use transaction::{Input, OutPoint, Output, Transaction, TransactionFault, decode_outputs};
pub use verifier::{CheckRow, InvalidInput, Report, Verifier};
