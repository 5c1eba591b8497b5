//! SHA-256 (FIPS 180-4) as a stream, startable from any block boundary, wiped when dropped.
//!
//! The compression function leaves words of the message on the stack. The public calls overwrite them, since their
//! message may be a secret. The calls that are named `_uncleared` do not: their message is public, or their caller
//! clears more of the stack than they use.

use super::compress::{BuiltIn, Compression, State};
use crate::wipe::{ScalarStack, wipe};
use core::{fmt, slice};

/// Where every hash starts: FIPS 180-4 section 5.3.3.
pub(crate) const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

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
    let mut hasher = Sha256::new();
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
pub struct Sha256<C = BuiltIn> {
    state: State,
    /// The message since the last block boundary: the first `length % 64` bytes.
    block: [u8; 64],
    /// Bytes taken so far; messages of 2^61 bytes and more are out of the standard's domain and out of reach.
    length: u64,
    /// That of this library, for programs.
    compression: C,
}

impl Sha256 {
    /// The hash of the empty message, to be continued.
    ///
    /// ```
    /// # use phalanx::hash::Sha256;
    /// assert_eq!(Sha256::new().finish()[..4], [0xe3, 0xb0, 0xc4, 0x42]);
    /// ```
    pub const fn new() -> Self {
        Self::by(BuiltIn)
    }
}

impl<C: Compression> Sha256<C> {
    /// The hash of the empty message by this compression function.
    #[doc(hidden)]
    pub const fn by(compression: C) -> Self {
        Self::resume(compression, INITIAL, 0)
    }

    /// Continues after `blocks` whole blocks that led to this state.
    #[doc(hidden)]
    pub const fn resume(compression: C, state: State, blocks: u64) -> Self {
        Sha256 { state, block: [0; 64], length: blocks * 64, compression }
    }

    /// The state at the last block boundary.
    #[doc(hidden)]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Appends bytes to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        ScalarStack::cleared(|| self.update_uncleared(bytes));
    }

    /// As [`update`](Self::update), without clearing the stack.
    #[doc(hidden)]
    pub fn update_uncleared(&mut self, mut bytes: &[u8]) {
        let used = (self.length % 64) as usize;
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if used > 0 {
            let (now, later) = bytes.split_at(bytes.len().min(64 - used));
            self.block[used..used + now.len()].copy_from_slice(now);
            if used + now.len() < 64 {
                return;
            }
            self.compress_block();
            bytes = later;
        }
        let (blocks, rest) = bytes.as_chunks::<64>();
        if !blocks.is_empty() {
            self.compression.compress(&mut self.state, blocks);
        }
        self.block[..rest.len()].copy_from_slice(rest);
    }

    fn compress_block(&mut self) {
        self.compression.compress(&mut self.state, slice::from_ref(&self.block));
    }

    /// The hash of the whole message.
    pub fn finish(mut self) -> [u8; 32] {
        ScalarStack::cleared(|| self.finish_uncleared())
    }

    /// As [`finish`](Self::finish), without clearing the stack, and without a move, which would leave a copy behind.
    /// What is left is to be dropped.
    #[doc(hidden)]
    pub fn finish_uncleared(&mut self) -> [u8; 32] {
        let used = (self.length % 64) as usize;
        let bits = self.length.wrapping_mul(8);
        self.block[used..].fill(0);
        self.block[used] = 0x80;
        if used >= 56 {
            self.compress_block();
            self.block.fill(0);
        }
        self.block[56..].copy_from_slice(&bits.to_be_bytes());
        self.compress_block();
        words_to_bytes(&self.state)
    }
}

pub(super) fn words_to_bytes(state: &State) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> fmt::Debug for Sha256<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sha256").field("length", &self.length).finish_non_exhaustive()
    }
}

impl<C> Drop for Sha256<C> {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(&mut self.block);
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
