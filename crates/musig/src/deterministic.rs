//! Signing without fresh randomness, by the signer who knows everybody else's nonces (`DeterministicSign`).

use crate::{
    AggregateNonce, Error, KeyAggregation, PartialSignature, PublicNonce, SecretNonce, Session, nonce::masked,
    wipe::cleared,
};
use phalanx::{
    Keypair,
    bindings::{BuiltIn, hasher},
    hash::TaggedHash,
};
use zeroize::Zeroize;

/// A signer's public nonce and partial signature, made at once from the sum of all other signers' public nonces.
/// Constant time in the secret key.
///
/// The nonce depends on the secret key, the other nonces, the aggregate key and the message, so it repeats only with all
/// of them. One signer of a session can sign in this way, after the others have sent their nonces. 32 bytes of randomness
/// make side channels harder to use.
///
/// The sum of the other nonces is read as a public nonce: neither half may be infinity.
///
/// # Errors
/// [`Error::NotASigner`] if the key is not among the aggregated ones.
///
/// ```
/// use phalanx::{Keypair, schnorr};
/// use phalanx_musig::{AggregateNonce, KeyAggregation, NonceInputs, SecretNonce, Session, sign_deterministically};
/// let signers = [Keypair::random(), Keypair::random()];
/// let keys = KeyAggregation::new(&signers.each_ref().map(Keypair::public_key))?;
/// let (secret, theirs) = SecretNonce::generate(&signers[0].public_key(), &NonceInputs::default());
/// let (mine, last) = sign_deterministically(&signers[1], &theirs, &keys, b"message", None)?;
/// let session = Session::new(&keys, &AggregateNonce::sum(&[theirs, mine]), b"message");
/// let first = session.sign(secret, &signers[0])?;
/// assert!(session.aggregate_checked(&[theirs, mine], &[first, last]).is_ok());
/// # Ok::<(), phalanx_musig::Error>(())
/// ```
pub fn sign_deterministically(
    keypair: &Keypair,
    others: &PublicNonce,
    keys: &KeyAggregation,
    message: &[u8],
    randomness: Option<&[u8; 32]>,
) -> Result<(PublicNonce, PartialSignature), Error> {
    let public_key = keypair.public_key();
    let (nonce, public_nonce) = cleared(|| {
        let mut secret = keypair.secret_key().to_bytes();
        if let Some(randomness) = randomness {
            secret = masked(BuiltIn, randomness, Some(secret));
        }
        let (others_bytes, key) = (others.to_bytes(), keys.x_only().to_bytes());
        let length = (message.len() as u64).to_be_bytes();
        let mut hash = hasher(&TaggedHash::new(b"MuSig/deterministic/nonce"), BuiltIn);
        [&secret[..], &others_bytes, &key, &length, message].iter().for_each(|part| hash.update_uncleared(part));
        secret.zeroize();
        SecretNonce::of_hash(&public_key, &hash).with_public_half()
    })?;
    let sum = AggregateNonce::sum(&[public_nonce, *others]);
    let partial = Session::new(keys, &sum, message).sign(nonce, keypair)?;
    Ok((public_nonce, partial))
}
