//! Recovery of the public key: SEC 1 section 4.1.6, with the one candidate that the recovery id names.

use super::{RecoverRow, RecoveryId, Signature, equation};
use crate::{
    Error, PublicKey, Scalar,
    group::{Jacobian, Secp256k1, above_order, lift_x_vartime},
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
    Recovery { digest: *digest, signature: *signature, id }.find()
}

/// The public key of one row: what every bulk call gives for that row, computed one at a time. Variable time.
///
/// # Errors
/// The first that applies of: [`Error::BadDigest`], [`Error::BadSignatureEncoding`], [`Error::OutOfRange`] for r, s or the
/// recovery id, [`Error::InvalidSignature`] as [`recover`].
///
/// ```
/// use phalanx::{Error, ecdsa::{RecoverRow, SignatureRef, recover_row}};
/// let row = RecoverRow { digest: &[7; 32], signature: SignatureRef::Compact(&[1; 64]), recovery_id: 4 };
/// assert_eq!(recover_row(&row), Err(Error::OutOfRange));
/// ```
pub fn recover_row(row: &RecoverRow<'_>) -> Result<PublicKey, Error> {
    prepare_recovery(row)?.find()
}

/// A row that has passed every check but whether a key exists.
pub(crate) struct Recovery {
    digest: [u8; 32],
    signature: Signature,
    id: RecoveryId,
}

/// All checks that need no arithmetic on the curve, in the contract's order.
pub(crate) fn prepare_recovery(row: &RecoverRow<'_>) -> Result<Recovery, Error> {
    let digest = row.digest.try_into().map_err(|_| Error::BadDigest)?;
    let signature = row.signature.parse()?;
    let id = RecoveryId::from_u8(row.recovery_id)?;
    Ok(Recovery { digest, signature, id })
}

impl Recovery {
    /// What has to be inverted before [`find_with`](Self::find_with). Never zero.
    pub(crate) fn denominator(&self) -> Scalar {
        self.signature.r
    }

    /// The x of the nonce's point, none if it is not below p, and whether its y is odd.
    pub(crate) fn nonce(&self) -> Option<([u64; 4], bool)> {
        let r = &self.signature.r;
        let x = if self.id.x_overflowed() { above_order(r) } else { Some(r.limbs()) };
        x.map(|x| (x, self.id.y_is_odd()))
    }

    /// The scalars of the nonce's point and of the generator whose combination is the key, times the denominator.
    pub(crate) fn numerators(&self) -> [Scalar; 2] {
        [self.signature.s, -Scalar::from_bytes_reduced(&self.digest)]
    }

    /// The key's point, or infinity for no such key, given the denominator's inverse.
    pub(crate) fn find_with(&self, unit: Unit, inverse: &Scalar) -> Result<Jacobian, Error> {
        let nonce = self.nonce().and_then(|(x, odd)| lift_x_vartime(x, odd)).ok_or(Error::InvalidSignature)?;
        let z = Scalar::from_bytes_reduced(&self.digest);
        Ok(equation::recovered::<Secp256k1>(unit, &z, &self.signature.s, inverse, &nonce))
    }

    fn find(&self) -> Result<PublicKey, Error> {
        let point = self.find_with(Unit::best(), &self.denominator().invert_vartime().ok_or(Error::OutOfRange)?)?;
        PublicKey::from_jacobian_vartime(&point).ok_or(Error::InvalidSignature)
    }
}
