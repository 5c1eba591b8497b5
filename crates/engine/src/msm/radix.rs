//! A sort by small keys that calls nothing and allocates nothing: digit by digit of the key, lowest first.

use crate::word::PointPair;

/// Bits of a digit, and digits of a key.
const BITS: u32 = 8;
const DIGITS: u32 = 4;

/// Sorts pairs by keys below 2^32. `spare` is as long as they are.
pub(super) fn sort_by_key(pairs: &mut [PointPair], spare: &mut [PointPair], key: impl Fn(&PointPair) -> usize) {
    assert_eq!(pairs.len(), spare.len());
    let (mut from, mut to) = (pairs, spare);
    // An even number of digits: the last pass writes to where the first one read.
    for digit in 0..DIGITS {
        let at = |pair: &PointPair| key(pair) >> (BITS * digit) & ((1 << BITS) - 1);
        let mut places = [0u32; 1 << BITS];
        from.iter().for_each(|pair| places[at(pair)] += 1);
        let mut start = 0;
        for place in &mut places {
            (*place, start) = (start, start + *place);
        }
        for pair in from.iter() {
            let place = &mut places[at(pair)];
            to[*place as usize] = *pair;
            *place += 1;
        }
        (from, to) = (to, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::PointRef;
    use alloc::vec::Vec;

    #[test]
    fn pairs_are_sorted_and_equal_keys_stay_in_order() {
        let mut state = 1u64;
        for count in [0, 1, 2, 300] {
            let pairs: Vec<PointPair> = (0..count)
                .map(|i| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    [PointRef::new((state >> 40) as usize % 100_000, false), PointRef::new(i, i % 2 == 0)]
                })
                .collect();
            let (mut sorted, mut expected) = (pairs.clone(), pairs.clone());
            sort_by_key(&mut sorted, &mut pairs.clone(), |pair| pair[0].index() % 70_000);
            expected.sort_by_key(|pair| pair[0].index() % 70_000);
            assert_eq!(sorted, expected);
        }
    }
}
