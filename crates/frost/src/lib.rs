//! Threshold signatures by FROST on secp256k1: any t of n participants sign together, and the signature is one of one
//! key.
//!
//! ```
//! use phalanx::{Bulk, SecretKey};
//! use phalanx_frost::{Error, Identifier, Nonces, Session, Suite, dealer};
//!
//! let bulk = Bulk::new();
//! let participants = [1, 2, 3].map(|number| Identifier::new(number).expect("not zero"));
//! let dealing = dealer::deal(Suite::Taproot, 2, &SecretKey::random(), &participants, &bulk)?;
//!
//! // Round 1: two of the three draw nonces, and publish commitments.
//! let signers = [&dealing.shares[0], &dealing.shares[2]];
//! let nonces = signers.map(Nonces::generate);
//! let published = [0, 1].map(|i| (signers[i].identifier(), nonces[i].commitments()));
//!
//! // Round 2: each signs with its nonces, which are then gone.
//! let session = Session::new(&dealing.group, &published, b"message", &bulk)?;
//! let mut shares = Vec::new();
//! for (share, nonces) in signers.into_iter().zip(nonces) {
//!     shares.push((share.identifier(), session.sign(nonces, share)?));
//! }
//!
//! // The coordinator checks all shares by one sum.
//! let signature = session.aggregate(&shares, &bulk)?;
//! signature.verify(b"message", &dealing.group.key())?;
//!
//! // A wrong share is named.
//! shares[1].1 = shares[0].1;
//! assert_eq!(session.aggregate(&shares, &bulk), Err(Error::BadSignatureShares(vec![participants[2]])));
//! # Ok::<(), Error>(())
//! ```
//!
//! # Protocols
//!
//! A [`Suite`] is RFC 9591's FROST(secp256k1, SHA-256), the suite of the crate `frost-secp256k1-tr`, or the draft BIP-445
//! (module [`bip445`]). They share one code and differ in hashes, in binding factors and in the form of signatures.
//! Shares come from a [`dealer`] or from the participants themselves ([`dkg`], for BIP-445 [`chilldkg`]), and lost ones
//! from [`repair`].
//!
//! # What holds everywhere
//!
//! - **Errors name culprits**: every participant who sent something wrong ([`Error::culprits`]).
//! - **Nonces are used once.** [`Nonces`] cannot be copied or stored, and [`Session::sign`] takes them away.
//! - **Constant time.** Operations on secrets do not branch on them and do not use them as addresses.
//! - **Wiping.** Values that hold secrets wipe themselves. Copies that moves leave on the stack are not overwritten
//!   everywhere.
//! - **Trust.** Messages must come from whom they seem to come from: signed, or over an authenticated channel.
//! - **Costs.** Messages are read in time that their length bounds. A session takes time with the square of the number of
//!   its signers, who are of the group. Key generation and recovery take time with the number of participants times the
//!   threshold, and memory in proportion to the messages.

#![no_std]

extern crate alloc;

mod declassify;
mod identifier;
mod wipe;

mod error;

mod suite;

mod lagrange;

mod equations;

mod polynomial;

mod group;

mod nonces;
mod signature;
mod tweak;

mod session;

pub mod bip445;
pub mod chilldkg;
pub mod dealer;
pub mod dkg;
pub mod repair;

pub use error::Error;
pub use group::{Group, KeyShare};
pub use identifier::Identifier;
pub use nonces::{AggregateNonce, NonceCommitments, Nonces};
pub use polynomial::Commitment;
pub use session::{Session, SignatureShare};
pub use signature::Signature;
pub use suite::Suite;
