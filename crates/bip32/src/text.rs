//! Base58 with a checksum. Buffers are wiped, since the key may be a secret.

use phalanx::hash::sha256;
use zeroize::{Zeroize, Zeroizing};

use crate::Error;

/// Bytes of an extended key.
pub(crate) const BYTES: usize = 78;
/// Bytes of a checksum.
const CHECKSUM: usize = 4;
/// Digits of an extended key at most: 82 bytes are below 58^112.
const DIGITS: usize = 112;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let [a, b, c, d, ..] = sha256(&sha256(bytes));
    [a, b, c, d]
}

/// The bytes of an extended key. Longer text is refused before it is read.
pub(crate) fn decode(text: &str) -> Result<Zeroizing<[u8; BYTES]>, Error> {
    if text.len() > DIGITS {
        return Err(Error::BadText);
    }
    let mut all = Zeroizing::new([0; BYTES + CHECKSUM]);
    if bs58::decode(text).onto(all.as_mut_slice()) != Ok(BYTES + CHECKSUM) {
        return Err(Error::BadText);
    }
    let mut bytes = Zeroizing::new([0; BYTES]);
    bytes.copy_from_slice(&all[..BYTES]);
    if all[BYTES..] == checksum(&bytes[..]) { Ok(bytes) } else { Err(Error::BadChecksum) }
}

/// The text of an extended key.
pub(crate) fn encode(bytes: &[u8; BYTES]) -> Zeroizing<String> {
    let mut all = Zeroizing::new([0; BYTES + CHECKSUM]);
    all[..BYTES].copy_from_slice(bytes);
    all[BYTES..].copy_from_slice(&checksum(bytes));
    let mut digits = [0; DIGITS];
    let length = bs58::encode(all.as_slice()).onto(digits.as_mut_slice()).expect("82 bytes are at most 112 digits");
    let mut text = Zeroizing::new(String::with_capacity(DIGITS));
    text.extend(digits[..length].iter().copied().map(char::from));
    digits.zeroize();
    text
}

/// The text of a prefix and a hash.
pub(crate) fn encode_hash(prefix: u8, hash: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(1 + hash.len() + CHECKSUM);
    bytes.push(prefix);
    bytes.extend_from_slice(hash);
    bytes.extend_from_slice(&checksum(&bytes));
    bs58::encode(bytes).into_string()
}
