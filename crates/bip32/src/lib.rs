//! Extended keys of Bitcoin wallets (BIP-32): text, paths, secret and public children, addresses.
//!
//! ```
//! use phalanx::Bulk;
//! use phalanx_bip32::{Chain, ExtendedPublicKey, LockingScript, ScriptKind};
//!
//! // The receiving branch of the first account of BIP-84's example.
//! let account: ExtendedPublicKey = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fM\
//!                                   FMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V".parse()?;
//! let receiving = account.derive(&"0".parse()?)?;
//!
//! // Many children in one call.
//! let rows: Vec<_> = receiving.rows(0..1000)?.collect();
//! let children = Bulk::new().derive_children(&rows, ScriptKind::P2wpkh.payload());
//! let script = LockingScript::of_child(ScriptKind::P2wpkh, &children[0]?).expect("the payload that was asked for");
//! assert_eq!(script.address(Chain::Main), "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A secret key is derived in constant time, and wiped. Text is read and written in variable time. Children of public
//! keys take variable time, too: an extended public key tells who owns which coins, and no more.

mod address;
mod chain;
mod descriptor;
mod error;
mod expression;
mod origin;
mod path;
mod public;
mod secret;
#[cfg(feature = "arrow")]
mod table;
mod text;
mod version;
mod wipe;

pub use address::{LockingScript, ScriptKind};
pub use chain::Chain;
pub use error::Error;
pub use expression::KeyExpression;
pub use path::{DerivationPath, HARDENED};
pub use public::ExtendedPublicKey;
pub use secret::ExtendedSecretKey;
#[cfg(feature = "arrow")]
pub use table::ChildTable;
