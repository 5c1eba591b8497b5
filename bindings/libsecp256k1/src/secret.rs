//! Secret scalars, read and judged in constant time.

use crate::wipe::wipe;
use phalanx::{
    FieldElement, Scalar,
    subtle::{Choice, ConditionallySelectable, ConstantTimeEq},
};
use std::ffi::c_int;
use zeroize::Zeroize;

/// A secret number modulo n. Wiped on drop.
pub(crate) struct Secret(pub(crate) Scalar);

impl Secret {
    /// 32 big-endian bytes modulo n, and whether they are below n.
    pub(crate) fn reduced(bytes: &[u8; 32]) -> (Secret, Choice) {
        let secret = Secret(Scalar::from_bytes_reduced(bytes));
        let mut canonical = secret.0.to_bytes();
        let below = is_zero(canonical.iter().zip(bytes).map(|(a, b)| a ^ b));
        wipe(&mut canonical);
        (secret, below)
    }

    /// A secret key, and whether it is one: not zero, below n.
    pub(crate) fn key(bytes: &[u8; 32]) -> (Secret, Choice) {
        let (secret, below) = Secret::reduced(bytes);
        let valid = below & !secret.0.is_zero();
        (secret, valid)
    }

    /// The secret where `valid` is set, else `other`.
    pub(crate) fn or(self, other: Scalar, valid: Choice) -> Secret {
        Secret(Scalar::conditional_select(&other, &self.0, valid))
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Whether all bytes are zero. Constant time.
pub(crate) fn is_zero(bytes: impl Iterator<Item = u8>) -> Choice {
    bytes.fold(0, |all, byte| all | byte).ct_eq(&0)
}

/// The bytes where `valid` is set, else zeros. Constant time.
pub(crate) fn or_zeros<const N: usize>(mut bytes: [u8; N], valid: Choice) -> [u8; N] {
    for byte in &mut bytes {
        *byte = u8::conditional_select(&0, byte, valid);
    }
    bytes
}

/// The coordinates of a point that is not infinity.
pub(crate) fn affine(point: &phalanx::Point) -> (FieldElement, FieldElement) {
    point.to_affine().unwrap_or_default()
}

/// What a function returns.
pub(crate) fn answer(valid: Choice) -> c_int {
    c_int::from(valid.unwrap_u8())
}
