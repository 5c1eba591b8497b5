//! The draft BIP-445's nonces, from randomness and whatever else is known (`nonce_gen`), or from all of a signature
//! (`deterministic_sign`).

use super::Nonces;
use crate::{Error, KeyShare, wipe::cleared};
use alloc::vec::Vec;
use phalanx::{PublicKey, Scalar, SecretKey, XOnlyPublicKey, hash::TaggedHash};
use zeroize::Zeroizing;

/// What is known when nonces are made. All of it is optional: with randomness alone nonces are good, and the rest is a
/// second defence, should the randomness be bad.
#[derive(Debug, Clone, Copy, Default)]
pub struct NonceInputs<'a> {
    /// The signer's secret share.
    pub secret_share: Option<&'a SecretKey>,
    /// The signer's verifying share.
    pub verifying_share: Option<PublicKey>,
    /// The group's key, with its tweaks.
    pub group_key: Option<XOnlyPublicKey>,
    /// The message.
    pub message: Option<&'a [u8]>,
    /// Anything else. At most 2^32 - 1 bytes.
    pub extra: &'a [u8],
}

impl<'a> NonceInputs<'a> {
    /// What a share tells.
    pub(crate) fn of(share: &'a KeyShare) -> Self {
        NonceInputs {
            secret_share: Some(share.secret()),
            verifying_share: Some(share.verifying_share()),
            group_key: Some(share.group_key().x_only().0),
            ..Self::default()
        }
    }
}

/// `nonce_gen` with its 32 random bytes, which must never be used again.
pub(crate) fn generate(randomness: &[u8; 32], inputs: &NonceInputs<'_>) -> Result<Nonces, Error> {
    let masked = mask(inputs.secret_share, randomness);
    let share = inputs.verifying_share.map(|share| share.to_bytes());
    let key = inputs.group_key.map(|key| key.to_bytes());
    let (share, key) = (share.as_ref().map_or(&[][..], |bytes| bytes), key.as_ref().map_or(&[][..], |bytes| bytes));
    let message = inputs.message.map(|message| (message, (message.len() as u64).to_be_bytes()));
    let message: [&[u8]; 3] = message.as_ref().map_or([&[0], &[], &[]], |(bytes, length)| [&[1], length, bytes]);
    let lengths = [[share.len() as u8], [key.len() as u8]];
    let extra = u32::try_from(inputs.extra.len()).map_err(|_| Error::BadEncoding)?.to_be_bytes();
    let parts =
        [&masked[..], &lengths[0], share, &lengths[1], key, message[0], message[1], message[2], &extra, inputs.extra];
    pair(b"BIP0445/nonce", &parts)
}

/// The nonces of `deterministic_sign`, from all that they are used for. `participants` are all signers in order, each in
/// four bytes; `others` is the sum of all other signers' nonces, empty if there are none.
pub(crate) fn deterministic(
    share: &SecretKey,
    randomness: Option<&[u8; 32]>,
    signer: [u8; 4],
    participants: &[u8],
    others: &[u8],
    key: &[u8; 32],
    message: &[u8],
) -> Result<Nonces, Error> {
    let plain = Zeroizing::new(share.to_bytes());
    let masked = randomness.map_or(plain, |randomness| mask(Some(share), randomness));
    let (count, length) = ((participants.len() as u32 / 4).to_be_bytes(), (message.len() as u64).to_be_bytes());
    let parts = [&masked[..], &signer, &count, participants, others, key, &length, message];
    pair(b"BIP0445/deterministic/nonce", &parts)
}

/// The secret, masked by the hash of the randomness; without a secret the randomness itself.
fn mask(secret: Option<&SecretKey>, randomness: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let Some(secret) = secret else { return Zeroizing::new(*randomness) };
    let mut masked = Zeroizing::new(secret.to_bytes());
    let mask = Zeroizing::new(TaggedHash::new(b"BIP0445/aux").hash(&[randomness]));
    masked.iter_mut().zip(mask.iter()).for_each(|(byte, mask)| *byte ^= mask);
    masked
}

/// The hash of the parts and of each nonce's number.
fn pair(tag: &[u8], parts: &[&[u8]]) -> Result<Nonces, Error> {
    let tag = TaggedHash::new(tag);
    let nonce = |number: u8| {
        let number = [number];
        let parts: Vec<&[u8]> = parts.iter().copied().chain([&number[..]]).collect();
        let reduce = |hash: &[u8; 32]| SecretKey::try_from(*Zeroizing::new(Scalar::from_bytes_reduced(hash)));
        cleared(|| reduce(&Zeroizing::new(tag.hash(&parts)))).map_err(|_| Error::BadNonceSum)
    };
    Ok(Nonces::of_secrets(nonce(0)?, nonce(1)?))
}
