//! HMAC-SHA-256 (RFC 2104) under 32-byte keys, with both key blocks hashed in advance.

use super::{
    compress::{BuiltIn, Compression, State},
    sha256_by::{INITIAL, Sha256By, words_to_bytes},
};
use crate::wipe::wipe;
use core::slice;

/// The two states of the key of 32 zero bytes, with which RFC 6979 starts: after the inner and after the outer key
/// block.
pub(crate) const ZERO_KEY: [State; 2] = [
    [0xf454_dead, 0x9725_214f, 0x90da_f2a0, 0xdf12_28ea, 0x64e5_750f, 0xa392_4181, 0x824a_932b, 0xf8e0_4e32],
    [0xd385_480f, 0x7abb_6477, 0x37c9_c538, 0x5dd8_2467, 0x8e04_3a72, 0x7534_34b0, 0xdeb8_2818, 0x361d_45a6],
];

/// A key, as the two states that SHA-256 reaches after the inner and the outer key block. Wiped when dropped.
pub struct HmacKey<C = BuiltIn> {
    inner: State,
    outer: State,
    compression: C,
}

impl HmacKey {
    /// The key of 32 zero bytes.
    pub(super) const fn zero() -> Self {
        HmacKey { inner: ZERO_KEY[0], outer: ZERO_KEY[1], compression: BuiltIn }
    }
}

impl<C: Compression> HmacKey<C> {
    /// The key of 32 bytes. The caller clears the stack.
    pub fn new(compression: C, key: &[u8; 32]) -> Self {
        let mut hmac = HmacKey { inner: INITIAL, outer: INITIAL, compression };
        let mut block = [0x36; 64];
        for (pad, key) in block.iter_mut().zip(key) {
            *pad ^= key;
        }
        compression.compress(&mut hmac.inner, slice::from_ref(&block));
        for pad in &mut block {
            *pad ^= 0x36 ^ 0x5c;
        }
        compression.compress(&mut hmac.outer, slice::from_ref(&block));
        wipe(&mut block);
        hmac
    }

    /// The code of the parts, one after another. The caller clears the stack.
    pub fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = Sha256By::resume(self.compression, self.inner, 1);
        parts.iter().for_each(|part| hasher.update_uncleared(part));
        let mut digest = hasher.finish_uncleared();
        let code = self.last_block(self.outer, &digest);
        wipe(&mut digest);
        code
    }

    /// The code of a message of 32 bytes, in the two compressions it needs.
    pub(super) fn mac_32(&self, message: &[u8; 32]) -> [u8; 32] {
        let mut digest = self.last_block(self.inner, message);
        let code = self.last_block(self.outer, &digest);
        wipe(&mut digest);
        code
    }

    /// SHA-256 of 96 bytes: the key block that led to the state, and these 32. Padded, they are one block.
    fn last_block(&self, mut state: State, message: &[u8; 32]) -> [u8; 32] {
        let mut block = [0; 64];
        block[..32].copy_from_slice(message);
        block[32] = 0x80;
        block[62..].copy_from_slice(&(96u16 * 8).to_be_bytes());
        self.compression.compress(&mut state, slice::from_ref(&block));
        let digest = words_to_bytes(&state);
        wipe(&mut block);
        wipe(&mut state);
        digest
    }
}

impl<C> Drop for HmacKey<C> {
    fn drop(&mut self) {
        wipe(&mut self.inner);
        wipe(&mut self.outer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hmac::{KeyInit, Mac};

    #[test]
    fn agrees_with_the_hmac_crate() {
        let message: [u8; 150] = core::array::from_fn(|i| i as u8);
        for key in [[0; 32], [0xff; 32], core::array::from_fn(|i| (i * 11) as u8)] {
            for length in 0..=150 {
                let mut oracle = hmac::Hmac::<sha2::Sha256>::new_from_slice(&key).unwrap();
                oracle.update(&message[..length]);
                let expected: [u8; 32] = oracle.finalize().into_bytes().into();
                let (first, second) = message[..length].split_at(length / 3);
                assert_eq!(HmacKey::new(BuiltIn, &key).mac(&[first, second]), expected, "{length}");
                if let Ok(message) = message[..length].try_into() {
                    assert_eq!(HmacKey::new(BuiltIn, &key).mac_32(message), expected);
                }
                if key == [0; 32] {
                    assert_eq!(HmacKey::zero().mac(&[first, second]), expected, "{length}");
                }
            }
        }
    }
}
