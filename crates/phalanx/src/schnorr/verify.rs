//! Verification: BIP-340, "Verification".

use super::{Row, Signature, equation, read_row};
use crate::{
    Error, PublicKey, Scalar, Verdict, XOnlyPublicKey,
    group::{Affine, Secp256k1},
    hash::tags,
    keys::RowKey,
    mul::Unit,
};

/// Whether the signature is one of this message under this key. Variable time: everything here is public.
///
/// # Errors
/// [`Error::InvalidSignature`] if the equation does not hold.
///
/// ```
/// use phalanx::{Error, Keypair, schnorr};
/// let pair = Keypair::random();
/// let signature = schnorr::sign(b"m", &pair, &[0; 32]);
/// assert_eq!(schnorr::verify(b"m", &signature, &pair.x_only()), Ok(()));
/// assert_eq!(schnorr::verify(b"n", &signature, &pair.x_only()), Err(Error::InvalidSignature));
/// ```
pub fn verify(message: &[u8], signature: &Signature, public_key: &XOnlyPublicKey) -> Result<(), Error> {
    verify_on(Unit::best(), message, signature, public_key)
}

/// [`verify`] on a unit of the caller's choice.
pub(crate) fn verify_on(
    unit: Unit,
    message: &[u8],
    signature: &Signature,
    public_key: &XOnlyPublicKey,
) -> Result<(), Error> {
    decide(unit, message, signature, &public_key.public_key())
}

/// The verdict on one row: what every bulk call gives for that row, computed one at a time. Variable time.
///
/// The checks, in this order: public key (32 bytes, liftable), signature encoding (64 bytes), range (r < p, s < n),
/// equation.
///
/// ```
/// use phalanx::{Keypair, Verdict, XOnlyKeyRef, schnorr};
/// let pair = Keypair::random();
/// let signature = schnorr::sign(b"m", &pair, &[0; 32]).to_bytes();
/// let key = pair.x_only();
/// let row = schnorr::Row { message: b"m", signature: &signature, public_key: XOnlyKeyRef::Parsed(&key) };
/// assert_eq!(schnorr::verify_row(&row), Verdict::Valid);
/// assert_eq!(schnorr::verify_row(&schnorr::Row { signature: &[], ..row }), Verdict::BadSignatureEncoding);
/// ```
pub fn verify_row(row: &Row<'_>) -> Verdict {
    verify_row_on(Unit::best(), row)
}

pub(crate) fn verify_row_on(unit: Unit, row: &Row<'_>) -> Verdict {
    check_row(row).and_then(|(key, signature)| decide(unit, row.message, &signature, &key)).into()
}

/// All checks before the equation, in the contract's order: the key, whose y is even, and the signature.
fn check_row(row: &Row<'_>) -> Result<(PublicKey, Signature), Error> {
    read_row(row, RowKey::read_x_only)?.finish(RowKey::point)
}

/// The equation, under the key with even y.
fn decide(unit: Unit, message: &[u8], signature: &Signature, key: &PublicKey) -> Result<(), Error> {
    let (e, point) = terms(message, signature, key);
    Error::check_equation(equation::holds::<Secp256k1>(unit, &signature.s, &e, &point, signature.r))
}

/// The challenge and the key's point.
fn terms(message: &[u8], signature: &Signature, key: &PublicKey) -> (Scalar, Affine) {
    (challenge(&signature.r_bytes(), &key.x_bytes(), message), key.affine())
}

/// The challenge e: the hash under `BIP0340/challenge` of r, the key's x and the message, modulo n.
pub(crate) fn challenge(r: &[u8; 32], key: &[u8; 32], message: &[u8]) -> Scalar {
    Scalar::from_bytes_reduced(&tags::BIP340_CHALLENGE.hash_uncleared(&[r, key, message]))
}
