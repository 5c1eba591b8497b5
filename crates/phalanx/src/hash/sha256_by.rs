//! SHA-256 (FIPS 180-4) by any compression function, startable from any block boundary, wiped when dropped.
//!
//! The compression function leaves words of the message on the stack, and nothing here overwrites them: the message is
//! public, or the caller clears more of the stack than the hash uses.

use super::compress::{Compression, State};
use crate::wipe::wipe;
use core::slice;

/// Where every hash starts: FIPS 180-4 section 5.3.3.
pub(crate) const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// [`Sha256`](super::Sha256) by a compression function. It does not clear the stack.
#[derive(Clone)]
pub struct Sha256By<C> {
    state: State,
    /// The message since the last block boundary: the first `length % 64` bytes.
    block: [u8; 64],
    /// Bytes taken so far; messages of 2^61 bytes and more are out of the standard's domain and out of reach.
    length: u64,
    /// How blocks are compressed: [`BuiltIn`](super::BuiltIn) for programs.
    compression: C,
}

impl<C: Compression> Sha256By<C> {
    /// The hash of the empty message, to be continued.
    pub const fn new(compression: C) -> Self {
        Self::resume(compression, INITIAL, 0)
    }

    /// Continues after `blocks` whole blocks that led to this state.
    pub const fn resume(compression: C, state: State, blocks: u64) -> Self {
        Sha256By { state, block: [0; 64], length: blocks * 64, compression }
    }

    /// The state at the last block boundary.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Appends bytes to the message. [`Compression`] says which blocks are compressed, and when. The caller clears the
    /// stack.
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

    /// The hash of the whole message, without a move, which would leave a copy behind. What is left is to be dropped.
    /// The caller clears the stack.
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

impl<C> Sha256By<C> {
    pub(super) const fn length(&self) -> u64 {
        self.length
    }
}

pub(super) fn words_to_bytes(state: &State) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

impl<C> Drop for Sha256By<C> {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(&mut self.block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{BuiltIn, sha256};
    use core::cell::RefCell;
    use std::vec::Vec;

    /// Notes how many blocks each call is given.
    #[derive(Clone, Copy)]
    struct Noted<'a>(&'a RefCell<Vec<usize>>);

    impl Compression for Noted<'_> {
        fn compress(self, state: &mut State, blocks: &[[u8; 64]]) {
            self.0.borrow_mut().push(blocks.len());
            BuiltIn.compress(state, blocks);
        }
    }

    /// The blocks of each call, for a message in pieces of these lengths.
    fn calls(pieces: &[usize]) -> Vec<usize> {
        let message: Vec<u8> = (0..pieces.iter().sum()).map(|i: usize| (i * 7) as u8).collect();
        let (calls, mut rest) = (RefCell::default(), &message[..]);
        let mut hasher = Sha256By::new(Noted(&calls));
        for length in pieces {
            let (piece, later) = rest.split_at(*length);
            hasher.update_uncleared(piece);
            rest = later;
        }
        assert_eq!(hasher.finish_uncleared(), sha256(&message), "{pieces:?}");
        drop(hasher);
        calls.into_inner()
    }

    #[test]
    fn calls_of_the_compression_function_are_as_documented() {
        for (pieces, expected) in [
            // Padding alone: one block up to 55 bytes, and two calls from 56 on.
            (&[][..], &[1][..]),
            (&[0], &[1]),
            (&[55], &[1]),
            (&[56], &[1, 1]),
            (&[63], &[1, 1]),
            // All whole blocks of a piece, and the padding.
            (&[64], &[1, 1]),
            (&[64 * 5 + 3], &[5, 1]),
            (&[64, 128], &[1, 2, 1]),
            // A full buffer alone, even where whole blocks follow it.
            (&[10, 54], &[1, 1]),
            (&[10, 53], &[1, 1]),
            (&[10, 54 + 64 * 3 + 1], &[1, 3, 1]),
            (&[1, 62, 1, 64], &[1, 1, 1]),
            (&[63, 1 + 64 + 60], &[1, 1, 1, 1]),
        ] {
            assert_eq!(calls(pieces), expected, "{pieces:?}");
        }
    }
}
