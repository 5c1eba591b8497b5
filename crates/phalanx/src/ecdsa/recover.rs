//! Recovery of the public key: SEC 1 section 4.1.6, with the one candidate that the recovery id names.

use super::{RecoverRow, Recovery, RecoveryId, Signature, SignedDigest, equation, read_recover_row};
use crate::{
    Error, PublicKey, Scalar,
    group::{Jacobian, Secp256k1, above_order},
    keys::RowKey,
    mul::Unit,
};

/// The public key under which the signature of this digest verifies, given which of the points with its r the id means.
/// Variable time: everything here is public. High s is accepted.
///
/// # Errors
/// [`Error::InvalidSignature`] if there is no such key: no point with that x, x not below p, or a key at infinity.
///
/// ```
/// use phalanx::{SecretKey, ecdsa};
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// let (signature, id) = ecdsa::sign_recoverable(&[7; 32], &secret);
/// assert_eq!(ecdsa::recover(&[7; 32], &signature, id)?, secret.public_key());
/// // An id of 2 or 3 says that r is x - n, which can be true only of r below p - n, about 2^128.
/// let other = ecdsa::RecoveryId::from_u8(id.to_u8() + 2)?;
/// assert_eq!(ecdsa::recover(&[7; 32], &signature, other), Err(phalanx::Error::InvalidSignature));
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn recover(digest: &[u8; 32], signature: &Signature, id: RecoveryId) -> Result<PublicKey, Error> {
    recover_on(Unit::best(), digest, signature, id)
}

/// [`recover`] on a unit of the caller's choice.
pub(crate) fn recover_on(
    unit: Unit,
    digest: &[u8; 32],
    signature: &Signature,
    id: RecoveryId,
) -> Result<PublicKey, Error> {
    Recovery { signed: SignedDigest { digest, signature: *signature }, id }.find(unit)
}

/// The public key of one row: what every bulk call gives for that row, computed one at a time. Variable time.
///
/// # Errors
/// The first that applies of: [`Error::BadDigest`], [`Error::BadSignatureEncoding`], [`Error::OutOfRange`] for r, s or
/// the recovery id, [`Error::InvalidSignature`] as [`recover`].
///
/// ```
/// use phalanx::{Error, ecdsa::{RecoverRow, SignatureRef, recover_row}};
/// let row = RecoverRow { digest: &[7; 32], signature: SignatureRef::Compact(&[1; 64]), recovery_id: 4 };
/// assert_eq!(recover_row(&row), Err(Error::OutOfRange));
/// ```
pub fn recover_row(row: &RecoverRow<'_>) -> Result<PublicKey, Error> {
    read_recover_row(row)?.find(Unit::best())
}

impl RecoveryId {
    /// The nonce's point, as far as r and the id tell it without a square root; none if its x is not below p.
    pub(crate) fn nonce(self, r: &Scalar) -> Option<RowKey> {
        let x = if self.x_overflowed() { above_order(r) } else { Some(r.limbs()) };
        x.map(|x| RowKey::Lift { x, odd: self.y_is_odd() })
    }
}

impl Recovery<'_> {
    /// What has to be inverted before [`find_with`](Self::find_with). Never zero.
    pub(crate) fn denominator(&self) -> Scalar {
        self.signed.r()
    }

    /// The nonce's point, as far as it is known without a square root.
    pub(crate) fn nonce(&self) -> Result<RowKey, Error> {
        self.id.nonce(&self.signed.r()).ok_or(Error::InvalidSignature)
    }

    /// The scalars of the nonce's point and of the generator whose combination is the key, times the denominator.
    pub(crate) fn numerators(&self) -> [Scalar; 2] {
        [self.signed.s(), -self.signed.z()]
    }

    /// The key's point, or infinity for no such key, given the denominator's inverse.
    pub(crate) fn find_with(&self, unit: Unit, inverse: &Scalar) -> Result<Jacobian, Error> {
        let nonce = self.nonce()?.point().map_err(|_| Error::InvalidSignature)?;
        let (z, s) = (self.signed.z(), self.signed.s());
        Ok(equation::recovered::<Secp256k1>(unit, &z, &s, inverse, &nonce.affine()))
    }

    fn find(&self, unit: Unit) -> Result<PublicKey, Error> {
        let point = self.find_with(unit, &self.denominator().invert_vartime().ok_or(Error::OutOfRange)?)?;
        PublicKey::from_jacobian_vartime(&point).ok_or(Error::InvalidSignature)
    }
}
