//! Signing: SEC 1 section 4.1.3 with the nonce of RFC 6979 and the smaller of the two values of s.

use super::{RecoveryId, Signature, verify};
use crate::{
    Error, Keypair, LowS, PublicKey, Scalar, SecretKey,
    declassify::declassify,
    encoding::{bytes_of_words, words},
    hash::NonceGenerator,
    mul::Unit,
    wipe::{GeneratorStack, wipe},
};
use zeroize::Zeroize;

/// Signs a 32-byte message digest: RFC 6979 nonce, low s. Constant time.
///
/// The same digest and key always give the same signature, the same one that libsecp256k1 gives.
///
/// ```
/// use phalanx::{LowS, SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let signature = ecdsa::sign(&[7; 32], &secret);
/// ecdsa::verify(&[7; 32], &signature, &secret.public_key(), LowS::Require)?;
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign(digest: &[u8; 32], secret: &SecretKey) -> Signature {
    sign_on(Unit::best(), digest, secret, &[]).0
}

/// As [`sign`], with 32 bytes of additional data mixed into the nonce (RFC 6979 section 3.6). Constant time.
///
/// Fresh randomness there protects the key against faults and measurements that need two signatures of the same
/// message; a counter yields different signatures of it. The bytes go where libsecp256k1 puts its `ndata`, so that the
/// signatures are the same.
///
/// ```
/// use phalanx::{LowS, SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let signature = ecdsa::sign_with_entropy(&[7; 32], &secret, &[9; 32]);
/// assert_ne!(signature, ecdsa::sign(&[7; 32], &secret));
/// ecdsa::verify(&[7; 32], &signature, &secret.public_key(), LowS::Require)?;
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign_with_entropy(digest: &[u8; 32], secret: &SecretKey, entropy: &[u8; 32]) -> Signature {
    sign_on(Unit::best(), digest, secret, entropy).0
}

/// As [`sign`], with the recovery id from which [`recover`](super::recover) finds the public key. Constant time.
///
/// ```
/// use phalanx::{SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (signature, id) = ecdsa::sign_recoverable(&[7; 32], &secret);
/// assert_eq!(ecdsa::recover(&[7; 32], &signature, id)?, secret.public_key());
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign_recoverable(digest: &[u8; 32], secret: &SecretKey) -> (Signature, RecoveryId) {
    sign_recoverable_on(Unit::best(), digest, secret)
}

/// As [`sign`], and verifies the signature before giving it out, so that a fault during signing cannot leak the key
/// through a wrong signature. Costs one verification more than signing. Signing is constant time, the check is not: it
/// sees public values only.
///
/// There is no bulk form: check what [`crate::Bulk`] has signed by its verification. Nor is there one with entropy of
/// the caller's for ECDSA: verify after [`sign_with_entropy`].
///
/// # Errors
/// [`Error::InvalidSignature`] if the check fails, which only a fault of the machine can cause.
///
/// ```
/// use phalanx::{Keypair, ecdsa};
/// let pair = Keypair::random();
/// assert_eq!(ecdsa::sign_checked(&[7; 32], &pair)?, ecdsa::sign(&[7; 32], pair.secret_key()));
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn sign_checked(digest: &[u8; 32], pair: &Keypair) -> Result<Signature, Error> {
    let signature = sign(digest, pair.secret_key());
    verify(digest, &signature, &pair.public_key(), LowS::Require).map_err(|_| Error::InvalidSignature)?;
    Ok(signature)
}

/// [`sign_recoverable`] on a unit of the caller's choice.
pub(crate) fn sign_recoverable_on(unit: Unit, digest: &[u8; 32], secret: &SecretKey) -> (Signature, RecoveryId) {
    let (signature, id) = sign_on(unit, digest, secret, &[]);
    // The id is public beside the signature.
    (signature, declassify(id))
}

fn sign_on(unit: Unit, digest: &[u8; 32], secret: &SecretKey, extra: &[u8]) -> (Signature, RecoveryId) {
    GeneratorStack::cleared(|| {
        let mut nonces = Nonces::new(digest, secret, extra);
        loop {
            let nonce = nonces.next();
            let point = PublicKey::of_secret(unit, &nonce.0);
            let inverse = Nonce(nonce.0.inverse());
            if let Some(signature) = finish(digest, secret, &inverse.0, &point) {
                return signature;
            }
        }
    })
}

/// The nonce of [`sign`]. Whoever learns it learns the key.
pub(crate) fn first_nonce(digest: &[u8; 32], secret: &SecretKey) -> Scalar {
    Nonces::new(digest, secret, &[]).next().0
}

/// The nonces for one digest and key, in RFC 6979's order.
struct Nonces(NonceGenerator);

impl Nonces {
    fn new(digest: &[u8; 32], secret: &SecretKey, extra: &[u8]) -> Self {
        let order = bytes_of_words(&Scalar::ORDER);
        let mut secret = secret.to_bytes();
        let nonces = Nonces(NonceGenerator::seeded(&order, &secret, digest, extra));
        wipe(&mut secret);
        nonces
    }

    fn next(&mut self) -> Nonce {
        let mut bytes = [0; 32];
        self.0.draw(&mut bytes);
        // In range already, so reducing changes nothing and answers without a branch.
        let nonce = Nonce(Scalar::from_bytes_reduced(&bytes));
        wipe(&mut bytes);
        nonce
    }
}

/// A nonce or its inverse: whoever learns it learns the key. Wiped on drop.
struct Nonce(Scalar);

impl Drop for Nonce {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The signature made with the nonce of this inverse and point: r = x mod n, s = (z + r d) / k or its negative.
///
/// None if r or s is zero, which must be answered with another nonce. Constant time but for that.
pub(crate) fn finish(
    digest: &[u8; 32],
    secret: &SecretKey,
    inverse: &Scalar,
    point: &PublicKey,
) -> Option<(Signature, RecoveryId)> {
    // r tells which x it comes from, but for a bit that the recovery id publishes.
    let x = declassify(point.x_words());
    let r = Scalar::from_limbs_reduced(x);
    let x_overflowed = r.limbs() != x;
    let s = inverse * r.mul_add(secret.scalar(), &words(digest));
    let high = s.is_high();
    // The signature is public.
    let signature = declassify(Signature { r, s: s.negate_if(high) });
    if (signature.r.is_zero() | signature.s.is_zero()).into() {
        return None;
    }
    let y_is_odd = point.y_is_odd() ^ bool::from(high);
    Some((signature, RecoveryId::new(y_is_odd, x_overflowed)))
}
