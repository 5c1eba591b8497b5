//! Hashes as text.

/// A hash as text shows it: its bytes backwards, in hex.
pub fn reversed_hex(hash: &[u8; 32]) -> String {
    let mut bytes = *hash;
    bytes.reverse();
    const_hex::encode(bytes)
}
