//! SHA-256 (FIPS 180-4) with the compression function of a context.
//!
//! Blocks reach the compression function as they do in the original: a full buffer alone, then all whole blocks of a
//! piece in one call.

use crate::{callbacks::Compression, wipe::wipe};
use std::slice;
use zeroize::Zeroize;

/// FIPS 180-4, section 5.3.3.
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// A hash that takes its message in pieces. Wiped on drop.
#[derive(Clone)]
pub(crate) struct Sha256 {
    state: [u32; 8],
    /// The message since the last block boundary: the first `length % 64` bytes.
    block: [u8; 64],
    length: u64,
    compression: Compression,
}

impl Sha256 {
    pub(crate) fn new(compression: Compression) -> Sha256 {
        Sha256 { state: INITIAL, block: [0; 64], length: 0, compression }
    }

    /// The hash after one block that led to this state.
    pub(crate) fn after_block(state: [u32; 8], compression: Compression) -> Sha256 {
        Self::after_blocks(state, 1, compression)
    }

    /// The hash after so many blocks that led to this state.
    pub(crate) fn after_blocks(state: [u32; 8], blocks: u64, compression: Compression) -> Sha256 {
        Sha256 { state, block: [0; 64], length: 64 * blocks, compression }
    }

    /// The state at the last block boundary.
    pub(crate) fn state(&self) -> [u32; 8] {
        self.state
    }

    /// A hash that begins with the hash of a tag, twice (BIP-340).
    pub(crate) fn tagged(compression: Compression, tag: &[u8]) -> Sha256 {
        let tag = hash(compression, &[tag]);
        Sha256::new(compression).with(&tag).with(&tag)
    }

    fn with(mut self, bytes: &[u8]) -> Sha256 {
        self.update(bytes);
        self
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let waiting = self.waiting();
        self.length = self.length.wrapping_add(bytes.len() as u64);
        let bytes = match bytes.split_at_checked(64 - waiting) {
            Some((first, rest)) if waiting > 0 => {
                self.block[waiting..].copy_from_slice(first);
                self.compress_block();
                rest
            }
            None if waiting > 0 => return self.block[waiting..][..bytes.len()].copy_from_slice(bytes),
            _ => bytes,
        };
        let (blocks, rest) = bytes.as_chunks();
        if !blocks.is_empty() {
            self.compression.call(&mut self.state, blocks);
        }
        self.block[..rest.len()].copy_from_slice(rest);
    }

    /// How many bytes since the last block boundary there are.
    fn waiting(&self) -> usize {
        (self.length % 64) as usize
    }

    fn compress_block(&mut self) {
        self.compression.call(&mut self.state, slice::from_ref(&self.block));
    }

    /// The hash of the whole message. What is left is to be dropped.
    pub(crate) fn finish(&mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8);
        let (_, padding) = self.block.split_at_mut((self.length % 64) as usize);
        padding.fill(0);
        padding[0] = 0x80;
        // The length takes eight bytes, of this block or of one more.
        if padding.len() < 9 {
            self.compress_block();
            self.block = [0; 64];
        }
        *self.block.last_chunk_mut().unwrap() = bits.to_be_bytes();
        self.compress_block();
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        bytes
    }
}

impl Drop for Sha256 {
    fn drop(&mut self) {
        self.state.zeroize();
        wipe(&mut self.block);
    }
}

/// The hash of parts, one after another.
pub(crate) fn hash(compression: Compression, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new(compression);
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finish()
}

/// Whether the function hashes a text of one padded block as SHA-256 does, with a digest from a published vector
/// (FIPS 180-4's example of 448 bits).
pub(crate) fn is_right(compression: Compression) -> bool {
    const DIGEST: [u8; 32] = [
        0x24, 0x8d, 0x6a, 0x61, 0xd2, 0x06, 0x38, 0xb8, 0xe5, 0xc0, 0x26, 0x93, 0x0c, 0x3e, 0x60, 0x39, 0xa3, 0x3c,
        0xe4, 0x59, 0x64, 0xff, 0x21, 0x67, 0xf6, 0xec, 0xed, 0xd4, 0x19, 0xdb, 0x06, 0xc1,
    ];
    hash(compression, &[b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"]) == DIGEST
}

/// Whether the function does what the built-in one does, for 1 to 9 blocks in a call at each alignment modulo 64.
pub(crate) fn agrees_with_built_in(compression: Compression) -> bool {
    // No two blocks are equal: 251 is prime.
    let mut message = [0u8; 64 + 9 * 64];
    for (i, byte) in message.iter_mut().enumerate() {
        *byte = (i % 251) as u8;
    }
    let lengths = [0, 1, 28, 55, 56, 64, 128, 192, 256, 320, 384, 448, 512, 576];
    (0..64).all(|start| {
        lengths.iter().all(|length| {
            let message = &message[start..start + length];
            hash(compression, &[message]) == hash(Compression::BUILT_IN, &[message])
        })
    })
}
