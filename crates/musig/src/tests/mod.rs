//! Secret nonces of published vectors are made by this crate alone, so its tests are inside.

mod beside_libsecp256k1;
mod cheaters;
mod rows;
mod vectors;

use crate::{AggregateNonce, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce, Session};
use phalanx::{Keypair, SecretKey, hash::sha256};
use std::vec::Vec;

/// Signers by number.
fn signer(number: usize) -> Keypair {
    Keypair::from_secret(SecretKey::from_bytes(&sha256(&number.to_le_bytes())).unwrap())
}

/// A nonce that depends on the signer's key alone.
fn nonce(signer: &Keypair) -> (SecretNonce, PublicNonce) {
    let mut randomness = sha256(&signer.secret_key().to_bytes());
    SecretNonce::from_randomness(&mut randomness, &signer.public_key(), &NonceInputs::default()).unwrap()
}

/// All that signers of a message send, and the sum of their nonces.
struct Round {
    keys: KeyAggregation,
    nonces: Vec<PublicNonce>,
    sum: AggregateNonce,
    partials: Vec<PartialSignature>,
}

fn round(count: usize, message: &[u8], tweak: impl Fn(KeyAggregation) -> KeyAggregation) -> Round {
    let signers: Vec<Keypair> = (0..count).map(signer).collect();
    let keys = KeyAggregation::new(&signers.iter().map(Keypair::public_key).collect::<Vec<_>>()).unwrap();
    let keys = tweak(keys);
    let (secrets, nonces): (Vec<_>, Vec<_>) = signers.iter().map(nonce).unzip();
    let sum = AggregateNonce::sum(&nonces);
    let session = Session::new(&keys, &sum, message);
    let sign = |(nonce, signer)| session.sign(nonce, signer).unwrap();
    let partials = secrets.into_iter().zip(&signers).map(sign).collect();
    Round { keys, nonces, sum, partials }
}
