//! ECDSA over secp256k1 with 32-byte message digests (SEC 1 version 2, section 4.1).
//!
//! Signing is deterministic (RFC 6979) and gives low-S signatures. Every verification call names its policy on high s.
//! The public key can be recovered from a signature and its recovery id.
//!
//! ```
//! use phalanx::{LowS, SecretKey, ecdsa, hash};
//! let secret = SecretKey::from_bytes(&[1; 32])?;
//! let digest = hash::sha256(b"the message");
//! let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
//! ecdsa::verify(&digest, &signature, &secret.public_key(), LowS::Require)?;
//! assert_eq!(ecdsa::recover(&digest, &signature, id)?, secret.public_key());
//! # Ok::<(), phalanx::Error>(())
//! ```

pub(crate) mod equation;
mod read_row;
mod recover;
pub(crate) mod row;
mod sign;
mod signature;
#[cfg(feature = "signature")]
mod signature_traits;
mod verify;

pub use crate::encoding::Der;
pub use recover::{recover, recover_row};
pub use row::{Hint, HintedRow, RecoverRow, Row, SignatureRef, rows};
pub use sign::{sign, sign_checked, sign_recoverable, sign_with_entropy};
pub use signature::{RecoveryId, Signature};
pub use verify::{verify, verify_row};

pub(crate) use read_row::{Recovery, SignedDigest, read_recover_row, read_row};
pub(crate) use recover::recover_on;
pub(crate) use sign::{finish, first_nonce, sign_recoverable_on};
pub(crate) use verify::{verify_on, verify_row_on};
