//! Keys that repeat, and where they do.

use crate::bulk::memory::with_arena;
use crate::keys::RowKey;
use alloc::{collections::BTreeMap, vec::Vec};
use phalanx_engine::{
    arena::{Arena, List},
    word::CacheLine,
};

/// A key by x and the parity of y: a [`RowKey`] as maps order it. Not necessarily a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bulk) struct KeyId {
    pub(in crate::bulk) x: [u64; 4],
    pub(in crate::bulk) odd: bool,
}

impl From<RowKey> for KeyId {
    fn from(key: RowKey) -> KeyId {
        KeyId { x: key.x_words(), odd: key.y_is_odd() }
    }
}

/// Each key with the numbers of its rows, in the order in which keys first occur. Rows without a key are left out.
pub(super) fn rows_by_key<K: Copy + Ord>(rows: usize, key: impl Fn(usize) -> Option<K>) -> Vec<(K, Vec<usize>)> {
    let mut places = BTreeMap::new();
    let mut keys: Vec<(K, Vec<usize>)> = Vec::new();
    for row in 0..rows {
        let Some(key) = key(row) else { continue };
        let place = *places.entry(key).or_insert(keys.len());
        if place == keys.len() {
            keys.push((key, Vec::new()));
        }
        keys[place].1.push(row);
    }
    keys
}

/// Looks at `2 sqrt(rows)` rows at fixed pseudo-random places. Tells whether two of them have the same key, or one of
/// them has a key that is `known`.
///
/// If every key has m rows, 2 m pairs of equal keys are expected among the rows looked at. All repeats are overlooked
/// with a chance of about exp(-2 m), which is exp(-8) for m = 4. If no key repeats, looking costs next to nothing.
/// Whoever places rows so that repeats are overlooked gets the ordinary speed.
pub(super) fn some_repeat<'env, K: Copy + Ord + 'env>(
    rows: usize,
    key: impl Fn(usize) -> Option<K>,
    known: impl Fn(&K) -> bool,
    memory: &mut [CacheLine],
) -> bool {
    let steps = steps(rows);
    with_arena(memory, |arena| {
        let place = |step: usize| ((u128::from(scattered(step as u64)) * rows as u128) >> 64) as usize;
        let (mut places, mut keys) = lists::<K>(steps, arena);
        (0..steps).for_each(|step| places.push(place(step)));
        places.sort_unstable();
        for (i, place) in places.iter().enumerate() {
            // A row that is met again says nothing of its key.
            if i > 0 && places[i - 1] == *place {
                continue;
            }
            let Some(key) = key(*place) else { continue };
            if known(&key) {
                return true;
            }
            keys.push(key);
        }
        keys.sort_unstable();
        !keys.is_sorted_by(|a, b| a < b)
    })
}

/// The number of rows that are looked at.
fn steps(rows: usize) -> usize {
    2 * rows.isqrt()
}

/// The cache lines that [`some_repeat`] takes.
pub(super) fn lines(rows: usize) -> usize {
    Arena::count(|arena| {
        lists::<KeyId>(steps(rows), arena);
    })
}

/// Memory for so many places, and for their keys.
fn lists<'m, 'env: 'm, K: Copy + 'env>(steps: usize, arena: &mut Arena<'m, 'env>) -> (List<'m, usize>, List<'m, K>) {
    (arena.list(steps), arena.list(steps))
}

/// A pseudo-random number that depends on all bits of `step`: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
fn scattered(step: u64) -> u64 {
    let z = (step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_found_in_any_order() {
        let memory = &mut [CacheLine([0; 8]); 200][..];
        for n in [256, 4096, 100_000usize] {
            assert!(some_repeat(n, |row| Some(row / 8), |_| false, memory));
            assert!(some_repeat(n, |row| Some(row % (n / 8)), |_| false, memory));
            assert!(!some_repeat(n, Some, |_| false, memory));
            assert!(some_repeat(n, Some, |key| key % 16 == 3, memory));
            assert!(!some_repeat(n, |_| None::<u8>, |_| true, memory));
        }
        assert!(!some_repeat(0, Some, |_| true, memory));
    }

    #[test]
    fn every_row_with_a_key_is_listed_once() {
        let keys = rows_by_key(100, |row| (row % 7 != 0).then_some(row % 3));
        assert_eq!(keys.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [1, 2, 0]);
        for (key, rows) in &keys {
            assert!(rows.is_sorted() && rows.iter().all(|row| row % 3 == *key && row % 7 != 0));
        }
        assert_eq!(keys.iter().map(|(_, rows)| rows.len()).sum::<usize>(), 100 - 15);
    }
}
