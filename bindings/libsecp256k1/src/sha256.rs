//! SHA-256 (FIPS 180-4) with the compression function of a context.
//!
//! Blocks reach the compression function as they do in the original: [`phalanx::hash::Compression`] says how.

use crate::callbacks::Compression;

/// A hash that takes its message in pieces. Wiped on drop.
pub(crate) type Sha256 = phalanx::bindings::Sha256By<Compression>;

/// A hash that begins with the hash of a tag, twice (BIP-340).
pub(crate) fn tagged(compression: Compression, tag: &[u8]) -> Sha256 {
    let tag = hash(compression, &[tag]);
    let mut hash = Sha256::new(compression);
    hash.update_uncleared(&tag);
    hash.update_uncleared(&tag);
    hash
}

/// The hash of parts, one after another.
pub(crate) fn hash(compression: Compression, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new(compression);
    parts.iter().for_each(|part| hasher.update_uncleared(part));
    hasher.finish_uncleared()
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
