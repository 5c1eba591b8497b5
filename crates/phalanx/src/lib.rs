//! secp256k1, one computation at a time and many side by side: ECDSA, BIP-340 Schnorr signatures, ECDH and keys.
//!
//! ```
//! use phalanx::{Bulk, Keypair, LowS, SecretKey, ecdh, ecdsa, hash, schnorr};
//!
//! let secret = SecretKey::from_bytes(&[0x11; 32])?;              // 1 <= d < n, or an error that says why not
//! let public = secret.public_key();
//! let digest = hash::sha256(b"the message");
//!
//! let signature = ecdsa::sign(&digest, &secret);                 // RFC 6979, low s
//! ecdsa::verify(&digest, &signature, &public, LowS::Require)?;   // the policy on high s is named in every call
//! let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
//! assert_eq!(ecdsa::recover(&digest, &signature, id)?, public);
//!
//! let pair = Keypair::from_secret(secret);
//! let signature = schnorr::sign(b"the message", &pair, &[0; 32]);
//! schnorr::verify(b"the message", &signature, &pair.x_only())?;
//!
//! let theirs = SecretKey::from_bytes(&[0x22; 32])?;
//! let shared = ecdh::shared_secret(&theirs.public_key(), pair.secret_key());
//! assert_eq!(shared, ecdh::shared_secret(&pair.public_key(), &theirs));
//!
//! let bulk = Bulk::new();                                        // the best backend, all cores
//! let rows = ecdsa::rows(&[digest], &[ecdsa::sign(&digest, &theirs)], &[theirs.public_key()])?.len();
//! # let _ = (bulk, rows);
//! # Ok::<(), phalanx::Error>(())
//! ```
//!
//! The [guide] walks through the arithmetic underneath, from numbers modulo p to signatures made by hand.
//!
//! # What holds everywhere
//!
//! - **No set-up.** No contexts, no global state; no feature is needed for correctness.
//! - **Valid by type.** A [`SecretKey`], [`PublicKey`] or signature that exists is one: constructors check, so that
//!   nothing later has to. What comes from outside and is wrong is an [`Error`], never a panic.
//! - **Constant time.** Operations on secrets neither branch on them nor use them as addresses. Verification, recovery and
//!   parsing of public values take variable time. The documentation of each function says which.
//! - **One item is computed on eight lanes too**, where the CPU has AVX-512 IFMA and the feature `std` is on. The environment
//!   variable `PHALANX_BACKEND=portable` keeps single calls, and [`Bulk::new`], to code for any CPU. A name of no available
//!   backend is an error of calls that choose one, and has no effect on single calls, which have no error to give.
//! - **No allocation** in single operations. The crate needs `alloc` for bulk calls.
//! - **One contract of verdicts.** A row gets the same [`Verdict`] from the single call and from every bulk backend.
//!
//! # Features
//!
//! - `std` (default): threads for [`Bulk`], detection of the CPU, keys from the operating system's randomness. Without it
//!   the crate is `no_std` with `alloc`.
//! - `serde`: keys, signatures, points, scalars and field elements in serde's formats.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// Each room looks only at those above it in this list; `hash` and the numbers stand beside each other.
mod declassify;
mod wipe;

mod encoding;
mod error;
pub mod hash;

mod backend;

mod arithmetic;
pub mod field;
mod glv;
pub mod scalar;

mod tables;

mod group;

mod lanes;

mod mul;

pub mod point;

pub mod keys;

pub mod ecdh;
pub mod ecdsa;
pub mod schnorr;

pub mod bulk;
pub mod msm;

pub mod batch;

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;

#[doc = include_str!("../../../docs/guide.md")]
pub mod guide {}

pub use backend::Backend;
pub use batch::Batch;
pub use bulk::Bulk;
pub use encoding::{Der, secret_hex};
pub use error::{AskedName, Class, Error, LowS, Verdict};
pub use field::FieldElement;
pub use keys::{Keypair, PublicKey, PublicKeyRef, SecretKey, XOnlyKeyRef, XOnlyPublicKey};
pub use point::Point;
pub use scalar::Scalar;
