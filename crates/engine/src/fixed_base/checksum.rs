//! A checksum of rows: it finds damage, and is no defence against one who makes tables up.
//!
//! Each word of a row goes to a chain of its own, h <- rotate((h + word) K). Every step can be undone, so that a change
//! within one word, or within the words of one chain that are a single bit apart, never goes unseen. It runs at the speed of
//! memory. A hash against attackers would promise what a table file cannot keep: who can write it can write the sums.

use crate::word::{CacheLine, LANES};

/// An odd constant: 2^64 divided by the golden ratio.
const K: u64 = 0x9e37_79b9_7f4a_7c15;

/// A checksum of 256 bits.
pub(super) type Checksum = [u64; 4];

/// The checksum of some rows.
pub(super) fn checksum(rows: &[CacheLine]) -> Checksum {
    let step = |h: u64, word: u64| h.wrapping_add(word).wrapping_mul(K).rotate_left(29);
    let mut chains: [u64; LANES] = core::array::from_fn(|lane| lane as u64 + 1);
    for CacheLine(words) in rows {
        for (chain, word) in chains.iter_mut().zip(words) {
            *chain = step(*chain, *word);
        }
    }
    let [a, b, c, d, e, f, g, h] = chains;
    let length = rows.len() as u64;
    // Two chains make a word: with one of them given, the word says the other.
    [(a, e), (b, f), (c, g), (d, h)].map(|(one, other)| step(step(length, one), other))
}
