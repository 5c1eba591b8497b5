//! Tagged hashes: BIP-340, "Design", and their prefixes hashed in advance.

use super::{
    Sha256,
    compress::{BuiltIn, Compression, State},
    sha256::{INITIAL, sha256_uncleared},
};
use crate::wipe::ScalarStack;

/// SHA-256 of SHA256(tag) || SHA256(tag) || the parts one after another.
///
/// The tag separates uses of the hash from each other: no message hashed under one tag collides with one under another.
/// For a tag used often, [`TaggedHash`] hashes the prefix once.
///
/// ```
/// use phalanx::hash::{TaggedHash, tagged_hash};
/// let leaf = tagged_hash(b"TapLeaf", &[&[0xc0], b"script"]);
/// assert_eq!(leaf, TaggedHash::new(b"TapLeaf").hash(&[&[0xc0], b"script"]));
/// ```
pub fn tagged_hash(tag: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    TaggedHash::new(tag).hash(parts)
}

/// A tag whose prefix, one block of SHA-256, is already hashed.
///
/// ```
/// use phalanx::hash::{TaggedHash, tagged_hash};
/// let challenge = TaggedHash::BIP340_CHALLENGE.start().chain(b"R").chain(b"P").chain(b"m").finish();
/// assert_eq!(challenge, tagged_hash(b"BIP0340/challenge", &[b"RPm"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaggedHash {
    state: State,
}

impl TaggedHash {
    /// The tag `BIP0340/aux`, which masks the secret key of a Schnorr signature with fresh randomness.
    pub const BIP340_AUX: TaggedHash = TaggedHash {
        state: [0x24dd_3219, 0x4eba_7e70, 0xca0f_abb9, 0x0fa3_166d, 0x3afb_e4b1, 0x4c44_df97, 0x4aac_2739, 0x249e_850a],
    };

    /// The tag `BIP0340/nonce`, from which a Schnorr signature's nonce comes.
    pub const BIP340_NONCE: TaggedHash = TaggedHash {
        state: [0x4661_5b35, 0xf4bf_bff7, 0x9f8d_c671, 0x8362_7ab3, 0x6021_7180, 0x5735_8661, 0x21a2_9e54, 0x68b0_7b4c],
    };

    /// The tag `BIP0340/challenge`, which binds a Schnorr signature to nonce, key and message.
    pub const BIP340_CHALLENGE: TaggedHash = TaggedHash {
        state: [0x9cec_ba11, 0x2392_5381, 0x1167_9112, 0xd162_7e0f, 0x97c8_7550, 0x003c_c765, 0x90f6_1164, 0x33e9_b66a],
    };

    /// The tag `TapTweak` of BIP-341, which commits a taproot output key to its script tree.
    pub const TAP_TWEAK: TaggedHash = TaggedHash {
        state: [0xd129_a2f3, 0x701c_655d, 0x6583_b6c3, 0xb941_9727, 0x95f4_e232, 0x94fd_54f4, 0xa2ae_8d85, 0x47ca_590b],
    };

    /// Hashes the prefix of any tag.
    ///
    /// ```
    /// # use phalanx::hash::TaggedHash;
    /// assert_eq!(TaggedHash::new(b"TapTweak"), TaggedHash::TAP_TWEAK);
    /// ```
    pub fn new(tag: &[u8]) -> Self {
        let tag = sha256_uncleared(tag);
        let mut prefix = [0; 64];
        prefix[..32].copy_from_slice(&tag);
        prefix[32..].copy_from_slice(&tag);
        let mut state = INITIAL;
        BuiltIn.compress(&mut state, &[prefix]);
        TaggedHash { state }
    }

    /// The state after the prefix.
    pub(crate) const fn state(&self) -> State {
        self.state
    }

    /// A hasher that has taken the prefix and waits for the message.
    ///
    /// ```
    /// # use phalanx::hash::TaggedHash;
    /// let tag = TaggedHash::new(b"tag");
    /// assert_eq!(tag.start().chain(b"message").finish(), tag.hash(&[b"message"]));
    /// ```
    pub const fn start(&self) -> Sha256 {
        self.start_by(BuiltIn)
    }

    /// As [`start`](Self::start), with a compression function of the caller's.
    pub const fn start_by<C: Compression>(&self, compression: C) -> Sha256<C> {
        Sha256::resume(compression, self.state, 1)
    }

    /// The hash of the parts, one after another.
    ///
    /// ```
    /// # use phalanx::hash::TaggedHash;
    /// assert_eq!(TaggedHash::TAP_TWEAK.hash(&[b"a", b"b"]), TaggedHash::TAP_TWEAK.hash(&[b"ab"]));
    /// ```
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        ScalarStack::cleared(|| self.hash_uncleared(parts))
    }

    /// As [`hash`](Self::hash), without clearing the stack.
    pub(crate) fn hash_uncleared(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.hash_uncleared_by(BuiltIn, parts)
    }

    /// The same, with a compression function of the caller's.
    pub(crate) fn hash_uncleared_by(&self, compression: impl Compression, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = self.start_by(compression);
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
    }

    #[test]
    fn a_tag_is_its_hash_twice() {
        let tag = sha256(b"any tag");
        let expected = Sha256::new().chain(&tag).chain(&tag).chain(b"first").chain(b"second").finish();
        assert_eq!(tagged_hash(b"any tag", &[b"first", b"second"]), expected);
    }
}
