//! Pippenger's method as it is usually written: each point added to its bucket at once, and buckets weighed by running sums.
//!
//! One addition after another, in whatever form a group's sums have: for curves that have no rounds, and to measure what rounds
//! are worth.

use super::terms::{Recoding, Terms};
use crate::word::Reference;
use alloc::vec;

/// The sum of the windows of the terms, as if the first of these windows began at bit zero. `add_term` adds a term's point, or its
/// opposite, to a sum.
///
/// # Panics
/// If the digits are not signed ones.
pub fn running_sums<S: Copy>(
    terms: &Terms,
    zero: S,
    add_term: impl Fn(S, Reference) -> S,
    add: impl Fn(S, S) -> S,
    double: impl Fn(S) -> S,
) -> S {
    assert!(matches!(terms.recoding(), Recoding::Signed(_)));
    terms.windows().iter().enumerate().rev().fold(zero, |total, (index, window)| {
        let mut buckets = vec![zero; window.reach];
        for (term, &digit) in terms.digits(index).iter().enumerate() {
            if let Some(bucket) = digit.bucket().checked_sub(1) {
                let point = digit.reference(term);
                buckets[bucket] = add_term(buckets[bucket], point);
            }
        }
        let weigh = |(running, sum), bucket| {
            let running = add(running, bucket);
            (running, add(sum, running))
        };
        let (_, sum) = buckets.into_iter().rev().fold((zero, zero), weigh);
        add((0..window.width).fold(total, |total, _| double(total)), sum)
    })
}
