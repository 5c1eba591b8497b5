//! ECDSA, BIP-340 Schnorr signatures, ECDH, ElligatorSwift and keys over secp256k1: single calls, and bulk calls on
//! many rows.
//!
//! ```
//! use phalanx::{Bulk, Keypair, LowS, SecretKey, Verdict, ecdh, ecdsa, hash, schnorr};
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
//! // Many rows in one call, on the best backend and all cores: one verdict per row, in the order of the rows.
//! let digests: Vec<[u8; 32]> = (0..100u8).map(|i| hash::sha256(&[i])).collect();
//! let signatures: Vec<_> = digests.iter().map(|digest| ecdsa::sign(digest, &theirs)).collect();
//! let keys = [theirs.public_key(); 100];
//! let mut rows = ecdsa::rows(&digests, &signatures, &keys)?;
//! rows[7].digest = &[0; 32];                                     // another message than the one that was signed
//! let verdicts = Bulk::new().verify_ecdsa(&rows, LowS::Require);
//! assert!(verdicts[6].is_valid());
//! assert_eq!(verdicts[7], Verdict::InvalidSignature);
//! # Ok::<(), phalanx::Error>(())
//! ```
//!
//! The [guide] walks through the arithmetic underneath, from numbers modulo p to signatures made by hand.
//!
//! # What holds everywhere
//!
//! - **No set-up.** There are no contexts and no global state. Right results need no feature.
//! - **Valid by type.** Every value of the type [`SecretKey`] or [`PublicKey`], or of a signature's type, is valid:
//!   constructors check it once. A wrong value from outside is an [`Error`], never a panic.
//! - **Constant time.** Operations on secrets do not branch on them and do not use them as addresses. Verification,
//!   recovery and parsing of public values take variable time. The documentation of each function says which.
//! - **Single calls use the vector unit too**, if the CPU has AVX-512 IFMA and the feature `std` is on.
//! - **No allocation** in single operations. Bulk calls need `alloc`.
//! - **One contract of verdicts.** A row gets the same [`Verdict`] from the single call and from every bulk backend.
//!
//! # Environment
//!
//! The variable `PHALANX_BACKEND` names the [`Backend`] of a [`Bulk`], [`Batch`] or [`msm::Msm`] whose program chooses
//! none by [`Builder::backend`], and of [`msm::sum_of_products`]. `PHALANX_BACKEND=portable` keeps them to code for any
//! CPU. The variable is read with the feature `std` only. If it is empty, it counts as not set.
//!
//! If this machine cannot run a backend of that name, [`Builder::build`] and [`msm::sum_of_products`] return
//! [`Error::BackendUnavailable`], which repeats the name. `Bulk::new`, `Batch::new` and `Msm::new` panic with its text.
//!
//! **Single calls do not read it.** They run on the fastest backend.
//!
//! # What constructors and inverses return
//!
//! - **Readers of bytes and text** (`from_bytes`, `from_compact`, `from_der`, `from_hex`, `parse`) take slices of any
//!   length and return a `Result`. Whether the value is right becomes public.
//! - **Constant-time functions** whose result may not exist return a `CtOption` of [`subtle`], which does not branch:
//!   [`Scalar::invert`], [`FieldElement::sqrt`], [`Point::from_x`].
//! - **Functions with `_vartime` in their name** return an `Option`. [`Point::to_affine`] does so too: its time may
//!   tell whether the point is infinity.
//!
//! # Features
//!
//! - `std` (default): detection of the CPU, the choice of a backend by the environment, memory that is kept from call
//!   to call. Without it the crate is `no_std` with `alloc`.
//! - `bulk` (default): many rows in one call: [`Bulk`], [`Batch`], [`msm`]. Without it the crate has single calls, and
//!   compiles in a quarter of the time.
//! - `threads` (default): [`Bulk`] and sums on many threads.
//! - `getrandom` (default): [`SecretKey::random`], and fresh coefficients for [`Batch`].
//! - `vectors` (default): the backends of vector units, [`Backend::Ifma`], [`Backend::Fma512`] and [`Backend::Fma`],
//!   on aarch64 [`Backend::Neon`].
//! - `rand_core`: keys from the program's own generator, by `SecretKey::generate`.
//! - `group`: the traits of the crates `group` and `ff` for [`Point`], [`Scalar`] and [`FieldElement`], for generic
//!   protocols.
//! - `signature`: the traits of the crate `signature` for keys and signatures.
//! - `serde`: keys, signatures, points, scalars and field elements in serde's formats.
//! - `mmap`: tables of [`msm::FixedBase`] in files that are mapped to memory.
//! - `bindings`: the module `bindings`, for interfaces to other languages, without any promise of stability.

#![no_std]
// What only calls on many rows, or bindings, use.
#![cfg_attr(not(all(feature = "bulk", feature = "bindings")), allow(dead_code, unused_imports, unreachable_pub))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// `docs/inside/architecture.md` of the repository draws these rooms; the test `house_rules` of its test kit holds which
// may know which.
mod column;
mod declassify;
mod encoding;
mod error;
pub mod hash;
mod tuning;
mod wipe;

mod arithmetic;
mod field;
mod glv;
mod scalar;

mod tables;

mod group;

mod lanes;

mod mul;

mod backend;

mod point;

mod keys;

pub mod children;
pub mod ecdh;
pub mod ecdsa;
pub mod ellswift;
pub mod schnorr;

mod one_thread;

#[cfg(feature = "bulk")]
mod payments;

#[cfg(feature = "bulk")]
mod bulk;
#[cfg(feature = "bulk")]
pub mod msm;

#[cfg(feature = "bulk")]
mod batch;

#[cfg(feature = "bindings")]
pub mod bindings;

#[cfg(feature = "internals")]
pub mod internals;

#[doc = include_str!("../docs/guide.md")]
pub mod guide {}

/// Runs the example of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// What only `bindings` makes public.
use {column::Column, one_thread::OneThread};

pub use backend::{Backend, Builder};
#[cfg(feature = "bulk")]
pub use batch::Batch;
#[cfg(feature = "bulk")]
pub use bulk::{Bulk, Rows};
pub use encoding::number::ParseNumberError;
pub use error::{AskedName, Class, Error, LowS, Verdict};
pub use field::FieldElement;
pub use keys::{Keypair, PublicKey, PublicKeyRef, SecretKey, XOnlyKeyRef, XOnlyPublicKey};
pub use point::Point;
#[cfg(feature = "group")]
pub use point::{AffinePoint, PointBytes};
/// Generators of randomness, as the feature `rand_core` takes them.
#[cfg(feature = "rand_core")]
pub use rand_core;
pub use scalar::Scalar;
/// Constant-time choices, as signatures of this crate have them.
pub use subtle;
