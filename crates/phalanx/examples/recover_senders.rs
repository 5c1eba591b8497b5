//! The senders of Ethereum transactions: from a digest, r, s and the parity to a key, and from the key to an address.
//!
//! `cargo run --release --example recover_senders`

use phalanx::{
    Bulk, Error, PublicKey, SecretKey,
    ecdsa::{self, RecoverRow, SignatureRef},
    hash,
};
use sha3::{Digest, Keccak256};

/// The last 20 bytes of the Keccak-256 hash of x and y.
fn address(key: &PublicKey) -> [u8; 20] {
    let hash = Keccak256::digest(&key.to_bytes_uncompressed()[1..]);
    hash[12..].try_into().expect("a hash has 32 bytes")
}

fn main() -> Result<(), Error> {
    // A block's worth of signed transactions: each has the hash that was signed, a signature, and one bit of parity.
    let secrets: Vec<SecretKey> = (0..200).map(|_| SecretKey::random()).collect();
    let digests: Vec<[u8; 32]> = (0..200u32).map(|i| hash::sha256(&i.to_le_bytes())).collect();
    let signed: Vec<_> =
        digests.iter().zip(&secrets).map(|(digest, secret)| ecdsa::sign_recoverable(digest, secret)).collect();

    // Rows in, keys out; a row without a key has an error in its place.
    let row = |i: usize| {
        let (signature, id) = &signed[i];
        RecoverRow { digest: &digests[i], signature: SignatureRef::Parsed(signature), recovery_id: id.to_u8() }
    };
    let rows: Vec<_> = (0..200).map(row).collect();
    let keys = Bulk::new().recover(&rows);
    for (key, secret) in keys.iter().zip(&secrets) {
        assert_eq!(key.as_ref().map(address), Ok(address(&secret.public_key())));
    }
    let first = address(keys[0].as_ref().map_err(|error| *error)?);
    let hex: String = first.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{} senders; the first is 0x{hex}", keys.len());
    Ok(())
}
