//! Pippenger's method as it is usually written: each point added to its bucket at once, and buckets weighed by running sums.
//!
//! One addition after another, in whatever form a group's sums have: for curves that have no rounds, and to measure what rounds
//! are worth.

use super::signed_digits::DigitMatrix;
use crate::word::PointRef;
use alloc::vec;

/// The sum of the windows of the terms, as if the first of these windows began at bit zero. `add_term` adds a term's point, or its
/// negative, to a sum.
pub fn running_sums<S: Copy>(
    terms: &DigitMatrix,
    zero: S,
    add_term: impl Fn(S, PointRef) -> S,
    add: impl Fn(S, S) -> S,
    double: impl Fn(S) -> S,
) -> S {
    terms.windows().rev().fold(zero, |total, window| {
        let mut buckets = vec![zero; terms.greatest_of(window)];
        for (term, digit) in terms.digits(window).iter().enumerate() {
            if let Some(bucket) = digit.bucket().checked_sub(1) {
                buckets[bucket] = add_term(buckets[bucket], digit.of(term));
            }
        }
        let weighted_sums = |(running, sum), bucket| {
            let running = add(running, bucket);
            (running, add(sum, running))
        };
        let (_, sum) = buckets.into_iter().rev().fold((zero, zero), weighted_sums);
        add((0..terms.width()).fold(total, |total, _| double(total)), sum)
    })
}
