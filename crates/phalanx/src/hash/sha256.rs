//! SHA-256 (FIPS 180-4) of a message in one piece or in several, wiped when dropped.
//!
//! The compression function leaves words of the message on the stack. The calls here overwrite them, since their
//! message may be a secret, but for [`sha256_uncleared`].

use super::{compress::BuiltIn, sha256_by::Sha256By};
use crate::wipe::ScalarStack;
use core::fmt;

/// SHA-256 of the bytes.
///
/// ```
/// assert_eq!(phalanx::hash::sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    ScalarStack::cleared(|| sha256_uncleared(bytes))
}

/// As [`sha256`], without clearing the stack.
pub(crate) fn sha256_uncleared(bytes: &[u8]) -> [u8; 32] {
    let mut hasher = Sha256By::new(BuiltIn);
    hasher.update_uncleared(bytes);
    hasher.finish_uncleared()
}

/// A SHA-256 computation that takes its message in pieces.
///
/// Time depends on lengths alone. Dropping or finishing wipes the state and the buffered part of the message.
///
/// ```
/// use phalanx::hash::{Sha256, sha256};
/// let mut hasher = Sha256::new();
/// hasher.update(b"ab");
/// hasher.update(b"c");
/// assert_eq!(hasher.finish(), sha256(b"abc"));
/// ```
#[derive(Clone)]
pub struct Sha256(Sha256By<BuiltIn>);

impl Sha256 {
    /// The hash of the empty message, to be continued.
    ///
    /// ```
    /// # use phalanx::hash::Sha256;
    /// assert_eq!(Sha256::new().finish()[..4], [0xe3, 0xb0, 0xc4, 0x42]);
    /// ```
    pub const fn new() -> Self {
        Sha256(Sha256By::new(BuiltIn))
    }

    /// Appends bytes to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        ScalarStack::cleared(|| self.0.update_uncleared(bytes));
    }

    /// The hash of the whole message.
    pub fn finish(mut self) -> [u8; 32] {
        ScalarStack::cleared(|| self.0.finish_uncleared())
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sha256").field("length", &self.0.length()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::Digest;

    #[test]
    fn agrees_with_sha2_at_every_length_and_split() {
        let message: [u8; 200] = core::array::from_fn(|i| (i * 7) as u8);
        for length in 0..=200 {
            let expected: [u8; 32] = sha2::Sha256::digest(&message[..length]).into();
            assert_eq!(sha256(&message[..length]), expected, "{length}");
            for split in 0..=length {
                let (first, second) = message[..length].split_at(split);
                let mut hasher = Sha256::new();
                [first, second].iter().for_each(|part| hasher.update(part));
                assert_eq!(hasher.finish(), expected, "{split} of {length}");
            }
        }
    }
}
