//! The root of the trie that a header commits to its transactions by (Yellow Paper, appendix D).
//!
//! The keys are the RLP of the places in the block. None is the beginning of another, so that no branch has a value.

use crate::address::keccak256;
use crate::rlp::{put_list, put_number, put_string};
use alloc::vec::Vec;
use core::ops::Range;

/// The nibbles of a key: two for each of at most nine bytes.
struct Key {
    nibbles: [u8; 18],
    length: usize,
}

impl Key {
    fn of(place: usize) -> Key {
        let mut bytes = Vec::with_capacity(9);
        put_number(&(place as u64).to_be_bytes(), &mut bytes);
        let mut nibbles = [0; 18];
        for (pair, byte) in nibbles.chunks_exact_mut(2).zip(&bytes) {
            pair.copy_from_slice(&[byte >> 4, byte & 15]);
        }
        Key { nibbles, length: 2 * bytes.len() }
    }

    fn nibbles(&self) -> &[u8] {
        &self.nibbles[..self.length]
    }
}

/// The root of the trie of some transactions, each as a block holds it: the header's field `transactions_root`.
///
/// ```
/// let root = phalanx_ethereum::transactions_root(&[]);
/// assert_eq!(root[..4], [0x56, 0xe8, 0x1f, 0x17]);
/// ```
pub fn transactions_root(transactions: &[&[u8]]) -> [u8; 32] {
    let mut entries: Vec<(Key, &[u8])> = transactions.iter().enumerate().map(|(i, raw)| (Key::of(i), *raw)).collect();
    entries.sort_unstable_by(|(one, _), (other, _)| one.nibbles().cmp(other.nibbles()));
    let mut root = Vec::new();
    match entries.is_empty() {
        true => put_string(&[], &mut root),
        false => put_node(&entries, 0, &mut root),
    }
    keccak256(&root)
}

/// Appends the node of some entries in the order of their keys, whose first `depth` nibbles are the same.
fn put_node(entries: &[(Key, &[u8])], depth: usize, out: &mut Vec<u8>) {
    let first = &entries[0].0.nibbles()[depth..];
    if let [(_, value)] = entries {
        return put_list(out, |out| {
            put_string(&compact(first, true), out);
            put_string(value, out);
        });
    }
    let last = &entries[entries.len() - 1].0.nibbles()[depth..];
    let shared = first.iter().zip(last).take_while(|(one, other)| one == other).count();
    if shared > 0 {
        return put_list(out, |out| {
            put_string(&compact(&first[..shared], false), out);
            put_reference(entries, depth + shared, out);
        });
    }
    put_list(out, |out| {
        for nibble in 0..16 {
            let Range { start, end } = with_nibble(entries, depth, nibble);
            match start < end {
                true => put_reference(&entries[start..end], depth + 1, out),
                false => put_string(&[], out),
            }
        }
        put_string(&[], out);
    });
}

/// Where the entries stand that have this nibble at this depth.
fn with_nibble(entries: &[(Key, &[u8])], depth: usize, nibble: u8) -> Range<usize> {
    let before = |most: u8| entries.partition_point(|(key, _)| key.nibbles()[depth] < most);
    before(nibble)..before(nibble + 1)
}

/// Appends a node where another refers to it: as it is if it is short, else its hash.
fn put_reference(entries: &[(Key, &[u8])], depth: usize, out: &mut Vec<u8>) {
    let mut node = Vec::new();
    put_node(entries, depth, &mut node);
    if node.len() < 32 { out.extend(node) } else { put_string(&keccak256(&node), out) }
}

/// Nibbles as bytes, the first of which says whether they are odd in number, and whether they end at a value.
fn compact(nibbles: &[u8], is_leaf: bool) -> Vec<u8> {
    let flag = 2 * u8::from(is_leaf);
    let (first, rest) = match nibbles.len() % 2 {
        1 => ((flag + 1) << 4 | nibbles[0], &nibbles[1..]),
        _ => (flag << 4, nibbles),
    };
    let pairs = rest.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]);
    core::iter::once(first).chain(pairs).collect()
}
