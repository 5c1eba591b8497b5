//! Keccak-256, and the address of a key.

use phalanx::PublicKey;

/// Keccak-256 of some bytes.
pub(crate) fn keccak256(bytes: &[u8]) -> [u8; 32] {
    keccak256_of(&[bytes])
}

/// Keccak-256 of parts that stand one after another.
#[cfg(not(all(target_arch = "aarch64", target_os = "none")))]
pub(crate) fn keccak256_of(parts: &[&[u8]]) -> [u8; 32] {
    use sha3::{Digest, Keccak256};
    let mut hash = Keccak256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// The same in the Go module's image of arm64, which has no variable for what `sha3` finds out about the CPU.
#[cfg(all(target_arch = "aarch64", target_os = "none"))]
pub(crate) fn keccak256_of(parts: &[&[u8]]) -> [u8; 32] {
    use tiny_keccak::{Hasher, Keccak};
    let (mut hash, mut found) = (Keccak::v256(), [0; 32]);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize(&mut found);
    found
}

/// The Ethereum address of a key: the last 20 bytes of Keccak-256 over its two coordinates (Yellow Paper, appendix F).
///
/// ```
/// let key = phalanx::SecretKey::from_bytes(&[1; 32])?.public_key();
/// let address = phalanx_ethereum::address(&key);
/// assert_eq!(address[..4], [0x1a, 0x64, 0x2f, 0x0e]);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn address(key: &PublicKey) -> [u8; 20] {
    address_of(&key.to_bytes_uncompressed())
}

/// The address of an uncompressed key: a prefix and two coordinates.
pub(crate) fn address_of(key: &[u8]) -> [u8; 20] {
    let mut address = [0; 20];
    address.copy_from_slice(&keccak256(&key[1..])[12..]);
    address
}
