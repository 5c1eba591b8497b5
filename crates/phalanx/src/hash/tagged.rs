//! Tagged hashes: BIP-340, "Design", and their prefixes hashed in advance.

use super::{
    Sha256,
    compress::{State, compress},
    sha256::{INITIAL, sha256_uncleared},
};
use crate::wipe::ScalarStack;

/// A tag of BIP-340's hashes, SHA-256 of SHA256(tag) || SHA256(tag) || message. The prefix, one block, is hashed in
/// advance.
///
/// The tag separates uses of the hash from each other: no message hashed under one tag collides with one under another.
///
/// ```
/// use phalanx::hash::TaggedHash;
/// let leaf = TaggedHash::new(b"TapLeaf").hash(&[&[0xc0], b"script"]);
/// # assert_eq!(leaf, TaggedHash::new(b"TapLeaf").hash(&[b"\xc0script"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedHash {
    state: State,
}

impl TaggedHash {
    /// The tag `BIP0340/aux`, which masks the secret key of a Schnorr signature with fresh randomness.
    pub(crate) const BIP340_AUX: TaggedHash = TaggedHash {
        state: [0x24dd_3219, 0x4eba_7e70, 0xca0f_abb9, 0x0fa3_166d, 0x3afb_e4b1, 0x4c44_df97, 0x4aac_2739, 0x249e_850a],
    };

    /// The tag `BIP0340/nonce`, from which a Schnorr signature's nonce comes.
    pub(crate) const BIP340_NONCE: TaggedHash = TaggedHash {
        state: [0x4661_5b35, 0xf4bf_bff7, 0x9f8d_c671, 0x8362_7ab3, 0x6021_7180, 0x5735_8661, 0x21a2_9e54, 0x68b0_7b4c],
    };

    /// The tag `BIP0340/challenge`, which binds a Schnorr signature to nonce, key and message.
    pub(crate) const BIP340_CHALLENGE: TaggedHash = TaggedHash {
        state: [0x9cec_ba11, 0x2392_5381, 0x1167_9112, 0xd162_7e0f, 0x97c8_7550, 0x003c_c765, 0x90f6_1164, 0x33e9_b66a],
    };

    /// The tag `TapTweak` of BIP-341, which commits a taproot output key to its script tree.
    pub(crate) const TAP_TWEAK: TaggedHash = TaggedHash {
        state: [0xd129_a2f3, 0x701c_655d, 0x6583_b6c3, 0xb941_9727, 0x95f4_e232, 0x94fd_54f4, 0xa2ae_8d85, 0x47ca_590b],
    };

    /// The tag `BIP0352/SharedSecret`, from which the tweaks of silent payments come.
    pub(crate) const BIP352_SHARED_SECRET: TaggedHash = TaggedHash {
        state: [0x8883_1537, 0x5127_079b, 0x69c2_137b, 0xab03_03e6, 0x98fa_21fa, 0x4a88_8523, 0xbd99_daab, 0xf25e_5e0a],
    };

    /// The tag under which encodings of public keys in 64 bytes are drawn, as libsecp256k1 does.
    pub(crate) const ELLSWIFT_ENCODE: TaggedHash = TaggedHash {
        state: [0xd1a6_524b, 0x0285_94b3, 0x96e4_2f4e, 0x1037_a177, 0x1b8f_cb8b, 0x5602_3885, 0x2560_ede1, 0xd626_b715],
    };

    /// The same for the public key of a secret key.
    pub(crate) const ELLSWIFT_CREATE: TaggedHash = TaggedHash {
        state: [0xd29e_1bf5, 0xf702_5f42, 0x9b02_4773, 0x094c_b7d5, 0xe59e_d789, 0x03bc_9786, 0x6833_5b35, 0x4e36_3b53],
    };

    /// The tag of the secret that two peers of BIP-324 share.
    pub(crate) const BIP324_ECDH: TaggedHash = TaggedHash {
        state: [0x8c12_d730, 0x827b_d392, 0x9e4f_b2ee, 0x207b_373e, 0x2292_bd7a, 0xaa54_41bc, 0x15c3_779f, 0xcfb5_2549],
    };

    /// Hashes the prefix of a tag.
    pub fn new(tag: &[u8]) -> Self {
        let tag = sha256_uncleared(tag);
        let mut prefix = [0; 64];
        prefix[..32].copy_from_slice(&tag);
        prefix[32..].copy_from_slice(&tag);
        let mut state = INITIAL;
        compress(&mut state, &[prefix]);
        TaggedHash { state }
    }

    /// The state after the prefix.
    pub(crate) const fn state(&self) -> State {
        self.state
    }

    /// The state after the prefix and one block more. The caller clears the stack.
    pub(crate) fn state_after(&self, block: &[u8; 64]) -> State {
        let mut state = self.state;
        compress(&mut state, core::slice::from_ref(block));
        state
    }

    /// The hash of the parts, one after another.
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        ScalarStack::cleared(|| self.hash_uncleared(parts))
    }

    /// As [`hash`](Self::hash), without clearing the stack.
    pub(crate) fn hash_uncleared(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = Sha256::resume(self.state, 1);
        parts.iter().for_each(|part| hasher.update_uncleared(part));
        hasher.finish_uncleared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn precomputed_prefixes_are_those_of_their_tags() {
        assert_eq!(TaggedHash::BIP340_AUX, TaggedHash::new(b"BIP0340/aux"));
        assert_eq!(TaggedHash::BIP340_NONCE, TaggedHash::new(b"BIP0340/nonce"));
        assert_eq!(TaggedHash::BIP340_CHALLENGE, TaggedHash::new(b"BIP0340/challenge"));
        assert_eq!(TaggedHash::TAP_TWEAK, TaggedHash::new(b"TapTweak"));
        assert_eq!(TaggedHash::BIP352_SHARED_SECRET, TaggedHash::new(b"BIP0352/SharedSecret"));
        assert_eq!(TaggedHash::ELLSWIFT_ENCODE, TaggedHash::new(b"secp256k1_ellswift_encode"));
        assert_eq!(TaggedHash::ELLSWIFT_CREATE, TaggedHash::new(b"secp256k1_ellswift_create"));
        assert_eq!(TaggedHash::BIP324_ECDH, TaggedHash::new(b"bip324_ellswift_xonly_ecdh"));
    }

    #[test]
    fn a_tag_is_its_hash_twice() {
        let tag = sha256(b"any tag");
        let expected = sha256(&[&tag[..], &tag, b"firstsecond"].concat());
        assert_eq!(TaggedHash::new(b"any tag").hash(&[b"first", b"second"]), expected);
    }
}
