//! What the draft BIP-445 has besides: participants who are counted from zero, aggregate nonces, tweaks, and signing
//! without a state.

use crate::{
    AggregateNonce, Error, Group, Identifier, KeyShare, NonceCommitments, Nonces, Session, SignatureShare, Suite,
    nonces::bip445,
    session::{index, indices},
    tweak::TweakedKey,
};
use alloc::vec::Vec;
use phalanx::{PublicKey, SecretKey};
use zeroize::Zeroizing;

pub use crate::{nonces::bip445::NonceInputs, tweak::Tweak};

/// The participant of this number among so many, counted from zero.
///
/// # Errors
/// [`Error::BadIdentifier`] if there is no such number.
pub fn participant(number: u32, participants: u32) -> Result<Identifier, Error> {
    Identifier::new(u64::from(number) + 1).filter(|_| number < participants).ok_or(Error::BadIdentifier)
}

/// New nonces (`nonce_gen`), from the operating system's randomness and what else is known.
///
/// # Errors
/// [`Error::BadEncoding`] if there are more than 2^32 - 1 extra bytes.
///
/// # Panics
/// If the operating system has no randomness to give.
pub fn generate_nonces(inputs: &NonceInputs<'_>) -> Result<Nonces, Error> {
    bip445::generate(&Zeroizing::new(SecretKey::random().to_bytes()), inputs)
}

/// As [`generate_nonces`], with its 32 random bytes given: for published vectors. Bytes that were used once must not be
/// used again.
///
/// # Errors
/// As [`generate_nonces`]. [`Error::BadNonceSum`] if a nonce is zero, for which no bytes are known.
pub fn nonces_from_randomness(randomness: &[u8; 32], inputs: &NonceInputs<'_>) -> Result<Nonces, Error> {
    bip445::generate(randomness, inputs)
}

/// A signer's session, which knows the sum of all nonces and not the nonces themselves. Shares cannot be checked in it.
///
/// # Errors
/// As [`Session::with_tweaks`], [`Error::NotInSuite`] if the group is of another suite, and [`Error::BadIdentifier`] for
/// participants who are not counted.
pub fn session(
    group: &Group,
    signers: &[Identifier],
    nonce: &AggregateNonce,
    tweaks: &[Tweak],
    message: &[u8],
) -> Result<Session, Error> {
    if group.suite() != Suite::Bip445 {
        return Err(Error::NotInSuite);
    }
    let mut signers = signers.to_vec();
    signers.sort_unstable();
    Session::of_sum(group, &signers, nonce, tweaks, message)
}

/// Signs without a state (`deterministic_sign`), as the one signer who knows the sum of all others' nonces, `None` if it
/// signs alone. Answers this signer's public nonces and share. Constant time in the key share.
///
/// The sum has the bytes of an [`AggregateNonce`], and none of its points is infinity: that a cheater brings about.
/// All nonces follow from what is signed and who signs, so they cannot be used for another signature. At most one signer
/// of a session may do so. Randomness is optional.
///
/// # Errors
/// As [`session`] and [`Session::sign`].
pub fn sign_deterministically(
    share: &KeyShare,
    group: &Group,
    signers: &[Identifier],
    others: Option<&NonceCommitments>,
    tweaks: &[Tweak],
    message: &[u8],
    randomness: Option<&[u8; 32]>,
) -> Result<(NonceCommitments, SignatureShare), Error> {
    let mut sorted: Vec<Identifier> = signers.to_vec();
    sorted.sort_unstable();
    let key: PublicKey = TweakedKey::new(group.key(), tweaks)?.key;
    let encoded = others.map(NonceCommitments::to_bytes);
    let nonces = bip445::deterministic(
        share.secret(),
        randomness,
        index(&share.identifier())?,
        &indices(&sorted)?,
        encoded.as_ref().map_or(&[], |bytes| &bytes[..]),
        &key.x_only().0.to_bytes(),
        message,
    )?;
    let commitments = nonces.commitments();
    let sum = AggregateNonce::sum(others).plus(&commitments);
    let session = session(group, &sorted, &sum, tweaks, message)?;
    Ok((commitments, session.sign(nonces, share)?))
}
