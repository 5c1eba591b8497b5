//! Pippenger's method as it is usually written: each point is added to its bucket at once, and buckets are weighted by
//! running sums.
//!
//! Jacobian additions follow one another. Comparing with this shows what rounds are worth.

use super::{
    horner::{Sum, add_row},
    signed_digits::DigitMatrix,
};
use crate::{curve::Curve, word::CacheLine};
use alloc::vec;

/// The sum of digits times points, over all windows of `terms`. The point of term `i` is `rows[i]`. The first of the
/// windows counts as if it began at bit zero.
pub fn running_sums<C: Curve>(terms: &DigitMatrix<'_>, rows: &[CacheLine]) -> Sum<C> {
    let zero = Sum::<C>::infinity();
    terms.windows().rev().fold(zero, |total, window| {
        let mut buckets = vec![zero; terms.greatest_of(window)];
        for (term, digit) in terms.digits(window).enumerate() {
            if let Some(bucket) = digit.bucket().checked_sub(1) {
                let point = digit.of(term);
                buckets[bucket] = add_row::<C>(buckets[bucket], &rows[point.index()], point.is_negated());
            }
        }
        let weighted_sums = |(running, sum): (Sum<C>, Sum<C>), bucket| {
            let running = running.add_vartime::<C>(bucket);
            (running, sum.add_vartime::<C>(running))
        };
        let (_, sum) = buckets.into_iter().rev().fold((zero, zero), weighted_sums);
        (0..terms.width()).fold(total, |total, _| total.double_vartime::<C>()).add_vartime::<C>(sum)
    })
}
