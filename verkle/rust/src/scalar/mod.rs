//! Integers modulo r, the order of the group.
//!
//! `modr` holds the arithmetic on limbs, `operators` the traits.

mod modr;
mod operators;

use crate::field::{be_bytes_of_words, words_of_be_bytes};
use phalanx_engine::{limbs, mask::is_zero};

/// An integer modulo the order r of the group.
///
/// Always canonical, 0 <= value < r, in four limbs. Constant time, comparison included, except `Debug`.
///
/// There are two readers. The canonical one refuses numbers that are not below r; the reducing one takes any 256-bit
/// number modulo r. Nothing reduces silently.
///
/// ```
/// use phalanx_banderwagon::Scalar;
///
/// let x = Scalar::from(7u64) * Scalar::from(3u64) - Scalar::ONE;
/// assert_eq!(x, Scalar::from(20u64));
/// assert_eq!(Scalar::from_le_bytes(&[0xff; 32]), None);
/// assert_eq!(Scalar::from_le_bytes_reduced(&x.to_le_bytes()), x);
/// ```
#[derive(Clone, Copy, Default)]
pub struct Scalar([u64; 4]);

impl Scalar {
    /// 0.
    pub const ZERO: Scalar = Scalar([0; 4]);
    /// 1.
    pub const ONE: Scalar = Scalar([1, 0, 0, 0]);
    /// 2^128.
    pub(crate) const TWO_TO_128: Scalar = Scalar([0, 0, 1, 0]);
    /// The modulus r, a prime of 253 bits, in four words, least significant first.
    pub const ORDER: [u64; 4] = modr::ORDER;

    /// A number below 2^128.
    #[inline]
    pub const fn from_u128(value: u128) -> Scalar {
        Scalar([value as u64, (value >> 64) as u64, 0, 0])
    }

    /// The scalar of four words, least significant first, or `None` if it is not below r. Only the answer depends on
    /// the value, not the time.
    #[inline]
    pub fn from_limbs(words: [u64; 4]) -> Option<Scalar> {
        limbs::less(&words, &Self::ORDER).then_some(Scalar(words))
    }

    /// A number of four words, least significant first, modulo r.
    #[inline]
    pub fn from_limbs_reduced(words: [u64; 4]) -> Scalar {
        Scalar(modr::reduce(&words))
    }

    /// The value in four words, least significant first.
    #[inline]
    pub const fn limbs(&self) -> [u64; 4] {
        self.0
    }

    /// The scalar in 32 little-endian bytes, or `None` if it is not below r.
    #[inline]
    pub fn from_le_bytes(bytes: &[u8; 32]) -> Option<Scalar> {
        Self::from_limbs(words_of_le_bytes(bytes))
    }

    /// The scalar in 32 big-endian bytes, or `None` if it is not below r.
    #[inline]
    pub fn from_be_bytes(bytes: &[u8; 32]) -> Option<Scalar> {
        Self::from_limbs(words_of_be_bytes(bytes))
    }

    /// 32 little-endian bytes as a number modulo r.
    #[inline]
    pub fn from_le_bytes_reduced(bytes: &[u8; 32]) -> Scalar {
        Self::from_limbs_reduced(words_of_le_bytes(bytes))
    }

    /// 32 big-endian bytes as a number modulo r.
    #[inline]
    pub fn from_be_bytes_reduced(bytes: &[u8; 32]) -> Scalar {
        Self::from_limbs_reduced(words_of_be_bytes(bytes))
    }

    /// The value in 32 little-endian bytes.
    #[inline]
    pub fn to_le_bytes(&self) -> [u8; 32] {
        let mut bytes = self.to_be_bytes();
        bytes.reverse();
        bytes
    }

    /// The value in 32 big-endian bytes.
    #[inline]
    pub fn to_be_bytes(&self) -> [u8; 32] {
        be_bytes_of_words(&self.0)
    }

    /// Whether the value is 0, for public scalars.
    #[inline]
    pub fn is_zero_vartime(&self) -> bool {
        self.0 == [0; 4]
    }

    /// All ones where the two are the same, else zero.
    fn equality(&self, other: &Scalar) -> u64 {
        is_zero(&core::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

/// Words, least significant first, of little-endian bytes.
fn words_of_le_bytes(bytes: &[u8; 32]) -> [u64; 4] {
    let (chunks, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_le_bytes(chunks[i]))
}
