//! HMAC-SHA-512 (RFC 2104), with both key blocks hashed in advance.

use super::compress::{State512, compress512};
use crate::wipe::{GeneratorStack, wipe};
use core::fmt;

/// Where every hash starts: FIPS 180-4 section 5.3.5.
const INITIAL: State512 = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// Bytes of a block.
const BLOCK: usize = 128;

/// A key of HMAC-SHA-512, hashed in advance. Wiped when dropped.
///
/// BIP-32 derives keys by this code: the chain code is the key.
///
/// ```
/// use phalanx::hash::HmacSha512;
/// let key = HmacSha512::new(b"Jefe"); // RFC 4231, test case 2
/// assert_eq!(key.mac(&[b"what do ya want ", b"for nothing?"])[..4], [0x16, 0x4b, 0x7a, 0x7b]);
/// ```
#[derive(Clone)]
pub struct HmacSha512 {
    /// The states that SHA-512 reaches after the inner and the outer key block.
    states: [State512; 2],
}

impl HmacSha512 {
    /// Hashes the two blocks of a key of any length. The time depends on the length alone.
    pub fn new(key: &[u8]) -> Self {
        GeneratorStack::cleared(|| Self::new_uncleared(key))
    }

    fn new_uncleared(key: &[u8]) -> Self {
        let mut block = [0; BLOCK];
        if let Some(place) = block.get_mut(..key.len()) {
            place.copy_from_slice(key);
        } else {
            block[..64].copy_from_slice(&finish(INITIAL, 0, &[key]));
        }
        let mut hmac = HmacSha512 { states: [INITIAL; 2] };
        for (state, pad) in hmac.states.iter_mut().zip([0x36, 0x36 ^ 0x5c]) {
            block.iter_mut().for_each(|byte| *byte ^= pad);
            compress512(state, &block);
        }
        wipe(&mut block);
        hmac
    }

    /// The code of the parts, one after another. The time depends on their lengths alone.
    pub fn mac(&self, parts: &[&[u8]]) -> [u8; 64] {
        GeneratorStack::cleared(|| self.mac_uncleared(parts))
    }

    /// As [`mac`](Self::mac), without clearing the stack.
    pub(crate) fn mac_uncleared(&self, parts: &[&[u8]]) -> [u8; 64] {
        let [inner, outer] = self.states;
        let mut digest = finish(inner, BLOCK, parts);
        let code = finish(outer, BLOCK, &[&digest]);
        wipe(&mut digest);
        code
    }

    /// The states after the inner and the outer key block.
    pub(crate) fn states(&self) -> &[State512; 2] {
        &self.states
    }
}

/// SHA-512 of a message whose first `length` bytes, which are whole blocks, have led to the state.
fn finish(mut state: State512, mut length: usize, parts: &[&[u8]]) -> [u8; 64] {
    let (mut block, mut used) = ([0; BLOCK], 0);
    for mut part in parts.iter().copied() {
        length += part.len();
        while !part.is_empty() {
            let (now, later) = part.split_at(part.len().min(BLOCK - used));
            block[used..used + now.len()].copy_from_slice(now);
            (used, part) = (used + now.len(), later);
            if used == BLOCK {
                compress512(&mut state, &block);
                used = 0;
            }
        }
    }
    block[used..].fill(0);
    block[used] = 0x80;
    if used >= BLOCK - 16 {
        compress512(&mut state, &block);
        block.fill(0);
    }
    block[BLOCK - 16..].copy_from_slice(&(8 * length as u128).to_be_bytes());
    compress512(&mut state, &block);
    let mut digest = [0; 64];
    for (bytes, word) in digest.as_chunks_mut::<8>().0.iter_mut().zip(&state) {
        *bytes = word.to_be_bytes();
    }
    wipe(&mut block);
    wipe(&mut state);
    digest
}

impl fmt::Debug for HmacSha512 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HmacSha512(..)")
    }
}

impl Drop for HmacSha512 {
    fn drop(&mut self) {
        wipe(&mut self.states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hmac::{KeyInit, Mac};

    #[test]
    fn agrees_with_the_hmac_crate() {
        let bytes: [u8; 300] = core::array::from_fn(|i| (i * 7) as u8);
        for key in [0, 1, 12, 32, 63, 64, 65, 127, 128, 129, 200, 300] {
            for length in (0..=300).filter(|length| key == 32 || length % 37 == 0) {
                let mut oracle = hmac::Hmac::<sha2::Sha512>::new_from_slice(&bytes[..key]).unwrap();
                oracle.update(&bytes[..length]);
                let expected: [u8; 64] = oracle.finalize().into_bytes().into();
                let (first, second) = bytes[..length].split_at(length / 3);
                assert_eq!(HmacSha512::new(&bytes[..key]).mac(&[first, second, &[]]), expected, "{key}, {length}");
            }
        }
    }
}
