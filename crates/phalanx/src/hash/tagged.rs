//! Tagged hashes: BIP-340, "Design", and their prefixes hashed in advance.

use super::{
    compress::{BuiltIn, Compression, State, compress},
    sha256::sha256_uncleared,
    sha256_by::{INITIAL, Sha256By},
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
    pub(super) state: State,
}

impl TaggedHash {
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
        self.hash_by(BuiltIn, parts)
    }

    /// A hasher that has taken the tag's prefix. The caller clears the stack.
    pub(crate) const fn begin<C: Compression>(&self, compression: C) -> Sha256By<C> {
        Sha256By::resume(compression, self.state, 1)
    }

    /// As [`hash`](Self::hash) by this compression function. The caller clears the stack.
    pub(crate) fn hash_by(&self, compression: impl Compression, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = self.begin(compression);
        parts.iter().for_each(|part| hasher.update_uncleared(part));
        hasher.finish_uncleared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::sha256;

    #[test]
    fn a_tag_is_its_hash_twice() {
        let tag = sha256(b"any tag");
        let expected = sha256(&[&tag[..], &tag, b"firstsecond"].concat());
        assert_eq!(TaggedHash::new(b"any tag").hash(&[b"first", b"second"]), expected);
    }
}
