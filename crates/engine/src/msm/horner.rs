//! The sum of points times powers of two, by one chain of doublings.

use alloc::vec::Vec;

/// 2^bit times a point or its negative.
#[derive(Debug, Clone, Copy)]
pub struct ShiftedPoint<E> {
    /// The power of two.
    pub bit: usize,
    /// The point.
    pub point: E,
    /// Whether its negative is meant.
    pub negated: bool,
}

/// The sum of all parts, by Horner's rule: `double` doubles a sum, `add` adds a point or its negative.
pub fn horner<E: Copy, S>(
    parts: &[ShiftedPoint<E>],
    zero: S,
    double: impl Fn(S) -> S,
    add: impl Fn(S, E, bool) -> S,
) -> S {
    let bits = parts.iter().map(|part| part.bit + 1).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_unstable_by_key(|&part| parts[part].bit);
    let mut sum = zero;
    for bit in (0..bits).rev() {
        sum = double(sum);
        while let Some(part) = order.pop_if(|part| parts[*part].bit == bit) {
            sum = add(sum, parts[part].point, parts[part].negated);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn integers_sum_up() {
        let part = |(bit, point, negated)| ShiftedPoint { bit, point, negated };
        let parts: Vec<_> =
            vec![(3, 5, false), (0, 7, true), (3, 1, true), (9, 2, false)].into_iter().map(part).collect();
        let add = |sum, point: i64, negated| if negated { sum - point } else { sum + point };
        assert_eq!(horner(&parts, 0, |sum| 2 * sum, add), (5 << 3) - 7 - (1 << 3) + (2 << 9));
        assert_eq!(horner(&[], 0, |sum: i64| 2 * sum, add), 0);
    }
}
