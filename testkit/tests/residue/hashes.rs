//! Nonces as their standards define them, step by step, with every secret on the way put among the needles.
//!
//! The answers are checked by the signatures that belong to them, so that what is searched for is what was computed.

use crate::needles::{Needles, order, to_bytes};
use num_bigint::BigUint;
use sha2::block_api::compress256;

type State = [u32; 8];

const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

impl Needles {
    /// One compression. The state that it ends in is secret; the message schedule if the block is.
    fn compress(&mut self, what: &str, mut state: State, block: &[u8; 64], secret_block: bool) -> State {
        if secret_block {
            self.schedule(what, block);
        }
        compress256(&mut state, &[*block]);
        self.of(&format!("state after {what}")).bytes(&digest(&state));
        state
    }

    /// What a compression makes of a secret block before its first round.
    pub(crate) fn schedule(&mut self, what: &str, block: &[u8; 64]) {
        let mut secret = self.of(&format!("message schedule of {what}"));
        schedule(block)[16..].windows(2).for_each(|pair| secret.hash_words(pair[0], pair[1]));
    }

    /// The hash of a message whose first block is secret, from a state after `before` bytes.
    fn hash(&mut self, what: &str, mut state: State, before: u64, message: &[u8]) -> [u8; 32] {
        let mut padded = message.to_vec();
        padded.push(0x80);
        while padded.len() % 64 != 56 {
            padded.push(0);
        }
        padded.extend(((before + message.len() as u64) * 8).to_be_bytes());
        for (i, block) in padded.as_chunks().0.iter().enumerate() {
            // V0 is known to all.
            state = self.compress(&format!("{what}, block {i}"), state, block, i == 0 && message != [1; 32]);
        }
        digest(&state)
    }

    /// SHA-256 of a secret, with what it passes through.
    pub(crate) fn sha256(&mut self, message: &[u8]) -> [u8; 32] {
        self.hash("the hash", INITIAL, 0, message)
    }

    /// The tagged hash of a secret, with what it passes through.
    pub(crate) fn tagged(&mut self, what: &str, tag: &[u8], message: &[u8]) -> [u8; 32] {
        let tag = phalanx::hash::sha256(tag);
        let mut state = INITIAL;
        compress256(&mut state, &[[tag, tag].concat().try_into().expect("a block")]);
        self.hash(what, state, 64, message)
    }

    /// A key of HMAC as its two states; the key of zeros is public.
    fn hmac_key(&mut self, what: &str, key: &[u8; 32]) -> [State; 2] {
        [("inner", 0x36), ("outer", 0x5c)].map(|(place, pad)| {
            let mut block = [pad; 64];
            block.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
            let mut state = INITIAL;
            if *key == [0; 32] {
                compress256(&mut state, &[block]);
                return state;
            }
            self.of(&format!("{place} pad of {what}")).bytes(block.first_chunk().expect("32 of 64"));
            self.compress(&format!("{place} pad of {what}"), state, &block, true)
        })
    }

    fn mac(&mut self, what: &str, [inner, outer]: [State; 2], message: &[u8]) -> [u8; 32] {
        let hash = self.hash(&format!("inner hash of {what}"), inner, 64, message);
        self.hash(&format!("outer hash of {what}"), outer, 64, &hash)
    }

    /// The first nonce of RFC 6979, section 3.2, for HMAC-SHA-256.
    pub(crate) fn rfc6979(&mut self, secret: &[u8; 32], digest: &[u8; 32], extra: &[u8]) -> BigUint {
        let reduced = to_bytes(&(BigUint::from_bytes_be(digest) % order()));
        let (mut key, mut value) = (self.hmac_key("K0", &[0; 32]), [1; 32]);
        for round in 0..2u8 {
            let message = [&value[..], &[round], secret, &reduced, extra].concat();
            let new = self.mac(&format!("K{}", round + 1), key, &message);
            self.of(&format!("K{}", round + 1)).bytes(&new);
            key = self.hmac_key(&format!("K{}", round + 1), &new);
            value = self.mac(&format!("V{}", round + 1), key, &value);
            self.of(&format!("V{}", round + 1)).bytes(&value);
        }
        let nonce = BigUint::from_bytes_be(&self.mac("V3", key, &value));
        assert!(nonce < order());
        nonce
    }

    /// The nonce of BIP-340's default signing, for the scalar of the even point.
    pub(crate) fn bip340(&mut self, even: &BigUint, x: &[u8; 32], message: &[u8], aux: &[u8; 32]) -> BigUint {
        let mut masked = to_bytes(even);
        let mask = phalanx::hash::TaggedHash::new(b"BIP0340/aux").hash(&[aux]);
        masked.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        self.of("masked key").number(&BigUint::from_bytes_be(&masked));
        let hash = self.tagged("the nonce's hash", b"BIP0340/nonce", &[&masked, &x[..], message].concat());
        let hash = BigUint::from_bytes_be(&hash);
        self.of("nonce's hash").number(&hash);
        hash % order()
    }
}

fn digest(state: &State) -> [u8; 32] {
    state.map(u32::to_be_bytes).concat().try_into().expect("32 bytes")
}

/// FIPS 180-4, section 6.2.2, step 1.
fn schedule(block: &[u8; 64]) -> Vec<u32> {
    let mut w: Vec<u32> = block.as_chunks().0.iter().map(|word| u32::from_be_bytes(*word)).collect();
    for t in 16..64 {
        let (a, b) = (w[t - 15], w[t - 2]);
        let sigma0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let sigma1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        w.push(sigma1.wrapping_add(w[t - 7]).wrapping_add(sigma0).wrapping_add(w[t - 16]));
    }
    w
}
