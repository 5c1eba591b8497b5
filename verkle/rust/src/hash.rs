//! SHA-256, behind a call.
//!
//! Where the compiler inlines the CPU's SHA instructions beside moves of 256 bits, some CPUs take a hundred times as
//! long over each. The compression is therefore a function of its own, and the padding is done here. The test `roots`
//! of `phalanx-testkit` looks for functions that mix the two.

use alloc::vec::Vec;
use sha2::block_api::compress256;

/// The first 32 bits of the fractional parts of the square roots of the first eight primes (FIPS 180-4, 5.3.3).
const INITIAL: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The hash of a message that is public.
pub(crate) fn sha256(message: &[u8]) -> [u8; 32] {
    let mut padded: Vec<u8> = message.to_vec();
    padded.push(0x80);
    // The length in bits stands in the last eight bytes of the last block.
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    let mut state = INITIAL;
    compress(&mut state, padded.as_chunks().0);
    let mut digest = [0; 32];
    digest.as_chunks_mut().0.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
    digest
}

#[inline(never)]
fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    compress256(state, blocks);
}

#[cfg(test)]
mod tests {
    use super::sha256;
    use sha2::{Digest, Sha256};

    #[test]
    fn every_length_of_the_last_block_is_padded() {
        for length in 0..200 {
            let message = &[0x5a; 200][..length];
            assert_eq!(sha256(message), <[u8; 32]>::from(Sha256::digest(message)), "{length} bytes");
        }
    }
}
