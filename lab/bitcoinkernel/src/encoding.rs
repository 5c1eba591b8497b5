//! Lengths, byte strings and hashes, as transactions have them.

use phalanx::hash::sha256;

/// The compact size in front of bytes, and the bytes.
pub(crate) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_size(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// A compact size.
pub(crate) fn put_size(size: usize, out: &mut Vec<u8>) {
    match size {
        0..=0xfc => out.push(size as u8),
        0xfd..=0xffff => {
            out.push(0xfd);
            out.extend_from_slice(&(size as u16).to_le_bytes());
        }
        _ => {
            out.push(0xfe);
            out.extend_from_slice(&(size as u32).to_le_bytes());
        }
    }
}

/// SHA-256 of SHA-256.
pub(crate) fn double_sha256(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}
