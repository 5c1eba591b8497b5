//! Single calls on one lane: what they cost where the CPU has no vector unit, or where it is not used.

use crate::{Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdsa, mul::Unit, schnorr};

/// As [`ecdsa::verify`].
///
/// # Errors
/// As there.
pub fn verify_ecdsa(
    digest: &[u8; 32],
    signature: &ecdsa::Signature,
    public_key: &PublicKey,
    low_s: LowS,
) -> Result<(), Error> {
    ecdsa::verify_on(Unit::OneLane, digest, signature, public_key, low_s)
}

/// As [`schnorr::verify`].
///
/// # Errors
/// As there.
pub fn verify_schnorr(message: &[u8], signature: &schnorr::Signature, key: &XOnlyPublicKey) -> Result<(), Error> {
    schnorr::verify_on(Unit::OneLane, message, signature, key)
}

/// As [`ecdsa::sign`].
pub fn sign_ecdsa(digest: &[u8; 32], secret: &SecretKey) -> ecdsa::Signature {
    ecdsa::sign_recoverable_on(Unit::OneLane, digest, secret).0
}

/// As [`schnorr::sign`].
pub fn sign_schnorr(message: &[u8], pair: &Keypair, aux: &[u8; 32]) -> schnorr::Signature {
    schnorr::sign_on(Unit::OneLane, message, pair, aux)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn one_lane_answers_as_the_calls_do() {
        for label in 0..4u8 {
            let (digest, aux) = (sha256(&[label]), sha256(&[label, 1]));
            let secret = SecretKey::from_bytes(&sha256(&digest)).unwrap();
            let pair = Keypair::from_secret(secret.clone());
            let (key, x_only) = (secret.public_key(), pair.x_only());
            let (ours, theirs) = (sign_ecdsa(&digest, &secret), sign_schnorr(&digest, &pair, &aux));
            assert_eq!((ours, theirs), (ecdsa::sign(&digest, &secret), schnorr::sign(&digest, &pair, &aux)));
            assert!(verify_ecdsa(&digest, &ours, &key, LowS::Require).is_ok());
            assert!(verify_schnorr(&digest, &theirs, &x_only).is_ok());
            assert!(verify_ecdsa(&aux, &ours, &key, LowS::Require).is_err());
            assert!(verify_schnorr(&aux, &theirs, &x_only).is_err());
        }
    }
}
