//! The signature (r, s) and the recovery id.

use crate::{
    Error, Scalar,
    encoding::{Der, halves, join, parse_lax, parse_strict, text},
};

/// An ECDSA signature: two scalars r and s, neither of them zero.
///
/// ```
/// use phalanx::{SecretKey, ecdsa};
/// let signature = ecdsa::sign(&[7; 32], &SecretKey::from_bytes(&[1; 32])?);
/// assert_eq!(ecdsa::Signature::from_der(&signature.to_der())?, signature);
/// assert_eq!(signature.to_string().parse(), Ok(signature));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    pub(super) r: Scalar,
    pub(super) s: Scalar,
}

impl Signature {
    /// Fills memory that is about to be written.
    pub(crate) const PLACEHOLDER: Signature = Signature { r: Scalar::ONE, s: Scalar::ONE };

    /// Takes two scalars.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if either is zero.
    ///
    /// ```
    /// # use phalanx::{Error, Scalar, ecdsa::Signature};
    /// assert_eq!(Signature::from_scalars(Scalar::ONE, Scalar::ZERO), Err(Error::OutOfRange));
    /// ```
    pub fn from_scalars(r: Scalar, s: Scalar) -> Result<Self, Error> {
        if (r.is_zero() | s.is_zero()).into() { Err(Error::OutOfRange) } else { Ok(Signature { r, s }) }
    }

    fn from_numbers((r, s): ([u8; 32], [u8; 32])) -> Result<Self, Error> {
        let scalar = |bytes| Scalar::from_bytes(bytes).map_err(|_| Error::OutOfRange);
        Self::from_scalars(scalar(&r)?, scalar(&s)?)
    }

    /// Reads the 64-byte form: r and s, big-endian, one after the other.
    ///
    /// # Errors
    /// [`Error::BadSignatureEncoding`] for any other length, [`Error::OutOfRange`] if r or s is zero or not below the
    /// group order.
    ///
    /// ```
    /// # use phalanx::{Error, ecdsa::Signature};
    /// assert_eq!(Signature::from_compact(&[1; 63]), Err(Error::BadSignatureEncoding));
    /// assert_eq!(Signature::from_compact(&[0; 64]), Err(Error::OutOfRange));
    /// assert!(Signature::from_compact(&[1; 64]).is_ok());
    /// ```
    pub fn from_compact(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_numbers(halves(bytes)?)
    }

    /// Reads strict DER, the only form that Bitcoin blocks may contain since BIP-66.
    ///
    /// # Errors
    /// [`Error::BadSignatureEncoding`] for anything DER forbids, [`Error::OutOfRange`] if r or s is zero or not below
    /// the group order.
    ///
    /// ```
    /// # use phalanx::{Error, ecdsa::Signature};
    /// assert!(Signature::from_der(&[0x30, 6, 2, 1, 1, 2, 1, 1]).is_ok());
    /// assert_eq!(Signature::from_der(&[0x30, 7, 2, 2, 0, 1, 2, 1, 1]), Err(Error::BadSignatureEncoding));
    /// ```
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_numbers(parse_strict(bytes)?)
    }

    /// Reads what Bitcoin nodes took for DER before BIP-66: excess length bytes and padding, numbers whose top bit is
    /// set read as positive, bytes after the end ignored. For old chain data; nothing else should need it.
    ///
    /// # Errors
    /// [`Error::BadSignatureEncoding`] where even that reader finds no two numbers, [`Error::OutOfRange`] as
    /// [`from_der`](Self::from_der).
    ///
    /// ```
    /// # use phalanx::ecdsa::Signature;
    /// let padded = [0x30, 7, 2, 2, 0, 1, 2, 1, 1];
    /// assert_eq!(Signature::from_der_lax(&padded), Signature::from_der(&[0x30, 6, 2, 1, 1, 2, 1, 1]));
    /// ```
    pub fn from_der_lax(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_numbers(parse_lax(bytes)?)
    }

    /// The 64-byte form: r and s, big-endian, one after the other.
    ///
    /// ```
    /// # use phalanx::ecdsa::Signature;
    /// assert_eq!(Signature::from_compact(&[1; 64])?.to_compact(), [1; 64]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn to_compact(&self) -> [u8; 64] {
        join(&self.r.to_bytes(), &self.s.to_bytes())
    }

    /// The DER form, on the stack.
    ///
    /// ```
    /// # use phalanx::ecdsa::Signature;
    /// let der = Signature::from_compact(&[0x80; 64])?.to_der();
    /// assert_eq!(der.len(), 72);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn to_der(&self) -> Der {
        Der::from_numbers(&self.r.to_bytes(), &self.s.to_bytes())
    }

    /// Whether s is above half the group order, so that [`LowS::Require`](crate::LowS::Require) refuses the signature.
    ///
    /// ```
    /// # use phalanx::{Scalar, ecdsa::Signature};
    /// let signature = Signature::from_scalars(Scalar::ONE, -Scalar::ONE)?;
    /// assert!(signature.is_high_s());
    /// assert!(!signature.normalize_s().is_high_s());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn is_high_s(&self) -> bool {
        self.s.is_high().into()
    }

    /// The signature with the smaller of s and n - s, valid for exactly what this one is valid for.
    ///
    /// ```
    /// # use phalanx::{Scalar, ecdsa::Signature};
    /// let signature = Signature::from_scalars(Scalar::ONE, -Scalar::ONE)?;
    /// assert_eq!(signature.normalize_s().s(), Scalar::ONE);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[must_use]
    pub fn normalize_s(&self) -> Signature {
        Signature { r: self.r, s: self.s.negate_if(self.s.is_high()) }
    }

    /// r: the x coordinate of the nonce's point, modulo the group order.
    ///
    /// ```
    /// # use phalanx::ecdsa::Signature;
    /// assert_eq!(Signature::from_compact(&[1; 64])?.r().to_bytes(), [1; 32]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn r(&self) -> Scalar {
        self.r
    }

    /// s.
    ///
    /// ```
    /// # use phalanx::ecdsa::Signature;
    /// let signature = Signature::from_compact(&[1; 64])?;
    /// assert_eq!(Signature::from_scalars(signature.r(), signature.s()), Ok(signature));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn s(&self) -> Scalar {
        self.s
    }
}

text!(Signature, "ecdsa::Signature", "an ECDSA signature of 64 bytes", [64], to_compact, from_compact);

/// Which of the at most four points with a given r is the nonce's: a number from 0 to 3.
///
/// The lowest bit is the parity of y; the next is set if x was not below the group order, so that r is x - n.
/// Ethereum's `v` is this number, plus 27 in its oldest form, or in EIP-155 plus 35 and twice the chain's number.
///
/// ```
/// use phalanx::{Error, ecdsa::RecoveryId};
/// assert_eq!(RecoveryId::from_u8(1)?.to_u8(), 1);
/// assert_eq!(RecoveryId::from_u8(4), Err(Error::OutOfRange));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// Fills memory that is about to be written.
    pub(crate) const PLACEHOLDER: RecoveryId = RecoveryId(0);

    /// Takes 0, 1, 2 or 3.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for anything above.
    ///
    /// ```
    /// # use phalanx::{Error, ecdsa::RecoveryId};
    /// assert_eq!(RecoveryId::from_u8(27), Err(Error::OutOfRange));
    /// ```
    pub const fn from_u8(id: u8) -> Result<Self, Error> {
        if id <= 3 { Ok(RecoveryId(id)) } else { Err(Error::OutOfRange) }
    }

    /// The number, from 0 to 3.
    ///
    /// ```
    /// # use phalanx::ecdsa::RecoveryId;
    /// assert_eq!(27 + RecoveryId::from_u8(1)?.to_u8(), 28);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub const fn to_u8(self) -> u8 {
        self.0
    }

    pub(super) const fn new(y_is_odd: bool, x_overflowed: bool) -> Self {
        RecoveryId(y_is_odd as u8 | (x_overflowed as u8) << 1)
    }

    pub(super) const fn y_is_odd(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) const fn x_overflowed(self) -> bool {
        self.0 & 2 == 2
    }
}

impl TryFrom<u8> for RecoveryId {
    type Error = Error;

    fn try_from(id: u8) -> Result<Self, Error> {
        Self::from_u8(id)
    }
}

impl From<RecoveryId> for u8 {
    fn from(id: RecoveryId) -> u8 {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn range_of_r_and_s() {
        let mut order = [0xff; 32];
        order[15] = 0xfe;
        order[16..].copy_from_slice(&0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141u128.to_be_bytes());
        let mut above = order;
        above[31] += 1;
        let mut below = order;
        below[31] -= 1;
        let one = Scalar::ONE.to_bytes();
        for bad in [[0; 32], order, above, [0xff; 32]] {
            for bytes in [join(&bad, &one), join(&one, &bad)] {
                assert_eq!(Signature::from_compact(&bytes), Err(Error::OutOfRange));
                let (r, s) = halves(&bytes).unwrap();
                assert_eq!(Signature::from_der(&Der::from_numbers(&r, &s)), Err(Error::OutOfRange));
                assert_eq!(Signature::from_der_lax(&Der::from_numbers(&r, &s)), Err(Error::OutOfRange));
            }
        }
        let largest = Signature::from_compact(&join(&below, &below)).unwrap();
        assert!(largest.is_high_s());
        assert_eq!(largest.normalize_s().s(), Scalar::ONE);
        assert_eq!(Signature::from_der(&largest.to_der()), Ok(largest));
    }

    #[test]
    fn text_is_the_compact_form() {
        let signature = Signature::from_compact(&[0xab; 64]).unwrap();
        assert_eq!(signature.to_string(), "ab".repeat(64));
        assert_eq!("ab".repeat(64).parse(), Ok(signature));
        assert_eq!("ab".repeat(63).parse::<Signature>(), Err(Error::BadHex));
        assert_eq!("00".repeat(64).parse::<Signature>(), Err(Error::OutOfRange));
    }
}
