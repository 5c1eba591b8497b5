//! Verification: SEC 1 section 4.1.4.

use super::{
    Row, Signature, SignedDigest, equation,
    read_row::{check_low_s, read_row},
};
use crate::{Error, LowS, PublicKey, Verdict, group::Secp256k1, keys::RowKey, mul::Unit};

/// Whether the signature is one of this digest under this key. Variable time: everything here is public.
///
/// # Errors
/// [`Error::HighS`] if s is high and the policy refuses that, [`Error::InvalidSignature`] if the equation does not
/// hold.
///
/// ```
/// use phalanx::{Error, LowS, SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let signature = ecdsa::sign(&[7; 32], &secret);
/// let key = secret.public_key();
/// ecdsa::verify(&[7; 32], &signature, &key, LowS::Require)?;
/// assert_eq!(ecdsa::verify(&[8; 32], &signature, &key, LowS::Require), Err(Error::InvalidSignature));
/// let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s())?;
/// assert_eq!(ecdsa::verify(&[7; 32], &high, &key, LowS::Require), Err(Error::HighS));
/// assert_eq!(ecdsa::verify(&[7; 32], &high, &key, LowS::Allow), Ok(()));
/// # Ok::<(), Error>(())
/// ```
pub fn verify(digest: &[u8; 32], signature: &Signature, public_key: &PublicKey, low_s: LowS) -> Result<(), Error> {
    verify_on(Unit::best(), digest, signature, public_key, low_s)
}

/// [`verify`] on a unit of the caller's choice.
pub(crate) fn verify_on(
    unit: Unit,
    digest: &[u8; 32],
    signature: &Signature,
    public_key: &PublicKey,
    low_s: LowS,
) -> Result<(), Error> {
    check_low_s(signature, low_s)?;
    decide(unit, public_key, &SignedDigest { digest, signature: *signature })
}

/// The verdict on one row: what every bulk call gives for that row, computed one at a time. Variable time.
///
/// ```
/// use phalanx::{LowS, PublicKeyRef, SecretKey, Verdict, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let der = ecdsa::sign(&[7; 32], &secret).to_der();
/// let key = secret.public_key().to_bytes();
/// let row = ecdsa::Row {
///     digest: &[7; 32],
///     signature: ecdsa::SignatureRef::Der(&der),
///     public_key: PublicKeyRef::Encoded(&key),
/// };
/// assert_eq!(ecdsa::verify_row(&row, LowS::Require), Verdict::Valid);
/// assert_eq!(ecdsa::verify_row(&ecdsa::Row { digest: &[7; 31], ..row }, LowS::Require), Verdict::MalformedRow);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn verify_row(row: &Row<'_>, low_s: LowS) -> Verdict {
    verify_row_on(Unit::best(), row, low_s)
}

pub(crate) fn verify_row_on(unit: Unit, row: &Row<'_>, low_s: LowS) -> Verdict {
    check_row(row, low_s).and_then(|(public_key, signed)| decide(unit, &public_key, &signed)).into()
}

/// All checks before the equation, in the contract's order.
fn check_row<'a>(row: &Row<'a>, low_s: LowS) -> Result<(PublicKey, SignedDigest<'a>), Error> {
    read_row(row, low_s, RowKey::read)?.finish(RowKey::point)
}

/// The equation. s is not zero.
fn decide(unit: Unit, public_key: &PublicKey, signed: &SignedDigest<'_>) -> Result<(), Error> {
    let inverse = signed.s().invert_vartime().ok_or(Error::OutOfRange)?;
    let (z, r) = (signed.z(), signed.r());
    Error::check_equation(equation::holds::<Secp256k1>(unit, &z, &r, &inverse, &public_key.affine()))
}
