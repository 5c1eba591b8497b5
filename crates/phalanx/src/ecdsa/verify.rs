//! Verification: SEC 1 section 4.1.4, in the order of checks that the verdict contract lays down.

use super::{Row, Signature, equation};
use crate::{Error, LowS, PublicKey, Scalar, Verdict, group::Secp256k1, mul::Unit};

/// Whether the signature is one of this digest under this key. Variable time: everything here is public.
///
/// # Errors
/// [`Error::HighS`] if s is high and the policy refuses that, [`Error::InvalidSignature`] if the equation does not hold.
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
    check_low_s(signature, low_s)?;
    Claim { digest: *digest, signature: *signature, public_key: *public_key }.decide()
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
    prepare(row, low_s).and_then(|claim| claim.decide()).into()
}

/// A row that has passed every check but the equation.
pub(crate) struct Claim {
    digest: [u8; 32],
    signature: Signature,
    public_key: PublicKey,
}

/// All checks before the equation, in the contract's order: message, public key, signature encoding, range, low-S policy.
pub(crate) fn prepare(row: &Row<'_>, low_s: LowS) -> Result<Claim, Error> {
    let digest = row.digest.try_into().map_err(|_| Error::BadDigest)?;
    let public_key = row.public_key.parse()?;
    let signature = row.signature.parse()?;
    check_low_s(&signature, low_s)?;
    Ok(Claim { digest, signature, public_key })
}

fn check_low_s(signature: &Signature, low_s: LowS) -> Result<(), Error> {
    match low_s {
        LowS::Require if signature.is_high_s() => Err(Error::HighS),
        LowS::Require | LowS::Allow => Ok(()),
    }
}

impl Claim {
    /// What has to be inverted before [`decide_with`](Self::decide_with). Never zero.
    pub(crate) fn denominator(&self) -> Scalar {
        self.signature.s
    }

    /// The equation, given the denominator's inverse.
    pub(crate) fn decide_with(&self, unit: Unit, inverse: &Scalar) -> Result<(), Error> {
        let z = Scalar::from_bytes_reduced(&self.digest);
        let holds = equation::holds::<Secp256k1>(unit, &z, &self.signature.r, inverse, &self.public_key.affine());
        if holds { Ok(()) } else { Err(Error::InvalidSignature) }
    }

    fn decide(&self) -> Result<(), Error> {
        self.decide_with(Unit::best(), &self.denominator().invert_vartime().ok_or(Error::OutOfRange)?)
    }
}
