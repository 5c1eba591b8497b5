//! Signing: BIP-340, "Default Signing".

use super::{Signature, verify};
use crate::{
    Error, Keypair, PublicKey, Scalar,
    declassify::declassify,
    hash::tags,
    mul::Unit,
    schnorr::verify::challenge,
    wipe::{GeneratorStack, wipe},
};
use subtle::Choice;
use zeroize::Zeroize;

/// Signs a message of any length. Constant time.
///
/// `aux` is fresh randomness where there is some, which protects against faults and measurements; without a source of
/// it, 32 zero bytes are safe. The same message, pair and `aux` always give the same signature, the one BIP-340
/// defines.
///
/// ```
/// use phalanx::{Keypair, schnorr};
/// let pair = Keypair::random();
/// let signature = schnorr::sign(b"the message", &pair, &[0; 32]);
/// schnorr::verify(b"the message", &signature, &pair.x_only())?;
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign(message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> Signature {
    sign_on(Unit::best(), message, pair, aux)
}

/// [`sign`] on a unit of the caller's choice.
pub(crate) fn sign_on(unit: Unit, message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> Signature {
    GeneratorStack::cleared(|| {
        let nonce = Nonce::derive(message, pair, aux);
        let point = PublicKey::of_secret(unit, &nonce.0);
        finish(message, pair, &nonce.0, &point)
    })
}

/// As [`sign`], and verifies the signature before giving it out, as BIP-340 recommends, so that a fault during signing
/// cannot leak the key through a wrong signature. Costs one verification more than signing. Signing is constant time,
/// the check is not: it sees public values only.
///
/// There is no bulk form: check what [`crate::Bulk`] has signed by its verification.
///
/// # Errors
/// [`Error::InvalidSignature`] if the check fails, which only a fault of the machine can cause.
///
/// ```
/// use phalanx::{Keypair, schnorr};
/// let pair = Keypair::random();
/// assert_eq!(schnorr::sign_checked(b"m", &pair, &[0; 32])?, schnorr::sign(b"m", &pair, &[0; 32]));
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign_checked(message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> Result<Signature, Error> {
    let signature = sign(message, pair, aux);
    verify(message, &signature, &pair.x_only())?;
    Ok(signature)
}

/// The nonce k' of one signature, not zero: whoever learns it learns the key. Wiped on drop.
pub(crate) struct Nonce(pub(crate) Scalar);

impl Nonce {
    /// Steps 4 to 6 of the default signing algorithm.
    pub(crate) fn derive(message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> Self {
        let mut scalar = pair.even_scalar();
        let mut seed = scalar.to_bytes();
        scalar.zeroize();
        for (byte, mask) in seed.iter_mut().zip(tags::BIP340_AUX.hash_uncleared(&[aux])) {
            *byte ^= mask;
        }
        let key = pair.public_key().x_bytes();
        let nonce = loop {
            seed = tags::BIP340_NONCE.hash_uncleared(&[&seed, &key, message]);
            let nonce = Nonce(Scalar::from_bytes_reduced(&seed));
            // BIP-340 gives up on a nonce of zero, which no input is known to reach; hashing once more avoids an error
            // that no caller could meet.
            if !bool::from(declassify(nonce.0.is_zero())) {
                break nonce;
            }
        };
        wipe(&mut seed);
        nonce
    }
}

impl Drop for Nonce {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Steps 8 to 11: the signature made with this nonce, whose point k' G is given. Constant time.
pub(crate) fn finish(message: &[u8], pair: &Keypair, nonce: &Scalar, point: &PublicKey) -> Signature {
    let e = challenge(&point.x_bytes(), &pair.public_key().x_bytes(), message);
    finish_with(pair, nonce, point, &e)
}

/// As [`finish`], given the challenge.
pub(crate) fn finish_with(pair: &Keypair, nonce: &Scalar, point: &PublicKey, challenge: &Scalar) -> Signature {
    let r = point.x_words();
    let nonce = Nonce(nonce.negate_if(Choice::from(u8::from(point.y_is_odd()))));
    let mut scalar = pair.even_scalar();
    let mut addend = nonce.0.limbs();
    let s = challenge.mul_add(&scalar, &addend);
    addend.zeroize();
    scalar.zeroize();
    // The signature is public.
    declassify(Signature { r, s })
}
