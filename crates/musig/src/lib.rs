//! MuSig2 (BIP-327): one Schnorr signature by many signers.
//!
//! ```
//! use phalanx::{Keypair, schnorr};
//! use phalanx_musig::{AggregateNonce, KeyAggregation, NonceInputs, SecretNonce, Session};
//!
//! let signers = [Keypair::random(), Keypair::random(), Keypair::random()];
//! let keys = KeyAggregation::new(&signers.each_ref().map(Keypair::public_key))?;
//! let message = b"the message";
//!
//! // First round: each signer makes a nonce, keeps the secret half and sends the public half.
//! let nonces = signers.each_ref().map(|signer| {
//!     let inputs = NonceInputs { secret_key: Some(signer.secret_key()), message: Some(message), ..Default::default() };
//!     SecretNonce::generate(&signer.public_key(), &inputs)
//! });
//! let (secret_nonces, public_nonces): (Vec<_>, Vec<_>) = nonces.into_iter().unzip();
//! let session = Session::new(&keys, &AggregateNonce::sum(&public_nonces), message);
//!
//! // Second round: each signer signs, which uses the secret nonce up, and sends the partial signature.
//! let partial = |(nonce, signer)| session.sign(nonce, signer);
//! let partials = secret_nonces.into_iter().zip(&signers).map(partial).collect::<Result<Vec<_>, _>>()?;
//!
//! // Whoever has them all makes the signature, or learns who cheated.
//! let signature = session.aggregate_checked(&public_nonces, &partials)?;
//! schnorr::verify(message, &signature, &keys.x_only())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a signer must know
//!
//! - **A nonce signs once.** Two signatures by one secret nonce give the secret key away. [`SecretNonce`] cannot be
//!   copied or written down, and [`Session::sign`] consumes it. Randomness that repeats is as bad: see
//!   [`SecretNonce::from_randomness`].
//! - **The order of the keys counts.** All signers take the same order. BIP-327's is that of `keys.sort()`, since
//!   [`PublicKey`](phalanx::PublicKey) is ordered by its compressed bytes.
//!
//! Operations on secret keys and secret nonces take constant time. All else is public and takes variable time.
//!
//! From the bottom up:
//!
//! - `error`: who cheated; `wipe`: overwriting of the stack;
//! - `keys`: aggregation of keys, and tweaks;
//! - `nonce`, `partial`: what signers send;
//! - `session`: signing, and aggregation of partial signatures;
//! - `verify`: partial signatures of many signers;
//! - `deterministic`: signing without randomness, by the last signer.

#![no_std]
// What only bindings use.
#![cfg_attr(not(feature = "bindings"), allow(dead_code, unreachable_pub))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod deterministic;
mod error;
mod keys;
mod nonce;
mod partial;
mod session;
#[cfg(test)]
mod tests;
mod verify;
mod wipe;

pub use deterministic::sign_deterministically;
pub use error::{Contribution, Error};
pub use keys::KeyAggregation;
pub use nonce::{AggregateNonce, NonceInputs, PublicNonce, SecretNonce};
pub use partial::PartialSignature;
pub use session::Session;

/// The steps, for interfaces to other languages that keep keys, nonces and sessions in their own way. Without any promise
/// of stability, as `phalanx::bindings`.
#[cfg(feature = "bindings")]
pub mod bindings {
    pub use crate::{
        keys::{Tweaks, coefficient},
        nonce::{NonceSum, masked, nonce_hash, numbers, points},
        session::{Values, partial},
    };
}
