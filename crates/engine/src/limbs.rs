//! Numbers of four 64-bit limbs, least significant first. Constant time, but for what is for constants.
//!
//! Looks at `mask`.

use crate::mask::{from_bit, select4};

/// `a + b` modulo 2^256, and the carry out.
#[inline(always)]
pub fn add(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, carry) = a[0].carrying_add(b[0], false);
    let (r1, carry) = a[1].carrying_add(b[1], carry);
    let (r2, carry) = a[2].carrying_add(b[2], carry);
    let (r3, carry) = a[3].carrying_add(b[3], carry);
    ([r0, r1, r2, r3], carry)
}

/// `a - b` modulo 2^256, and whether a < b.
#[inline(always)]
pub fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, borrow) = a[0].borrowing_sub(b[0], false);
    let (r1, borrow) = a[1].borrowing_sub(b[1], borrow);
    let (r2, borrow) = a[2].borrowing_sub(b[2], borrow);
    let (r3, borrow) = a[3].borrowing_sub(b[3], borrow);
    ([r0, r1, r2, r3], borrow)
}

/// [`subtract`] for constants.
pub const fn subtract_const(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (mut difference, mut borrow, mut i) = ([0; 4], false, 0);
    while i < 4 {
        let (partial, under) = a[i].overflowing_sub(b[i]);
        let (limb, under_again) = partial.overflowing_sub(borrow as u64);
        (difference[i], borrow) = (limb, under || under_again);
        i += 1;
    }
    (difference, borrow)
}

/// Whether a < b.
#[inline(always)]
pub fn less(a: &[u64; 4], b: &[u64; 4]) -> bool {
    subtract(a, b).1
}

/// a / 2 rounded down.
#[inline(always)]
pub const fn half(a: &[u64; 4]) -> [u64; 4] {
    [a[0] >> 1 | a[1] << 63, a[1] >> 1 | a[2] << 63, a[2] >> 1 | a[3] << 63, a[3] >> 1]
}

/// `a` modulo `modulus` for a below twice the modulus, and whether a was at least the modulus.
#[inline(always)]
pub fn reduce_once(a: &[u64; 4], modulus: &[u64; 4]) -> ([u64; 4], bool) {
    let (reduced, below) = subtract(a, modulus);
    (select4(&reduced, a, from_bit(u64::from(below))), !below)
}

/// `a + b` modulo 2^192, also in two's complement.
#[inline(always)]
pub fn add192(a: &[u64; 3], b: &[u64; 3]) -> [u64; 3] {
    let (r0, carry) = a[0].carrying_add(b[0], false);
    let (r1, carry) = a[1].carrying_add(b[1], carry);
    let (r2, _) = a[2].carrying_add(b[2], carry);
    [r0, r1, r2]
}

/// `a - b` modulo 2^192, also in two's complement.
#[inline(always)]
pub fn subtract192(a: &[u64; 3], b: &[u64; 3]) -> [u64; 3] {
    let (r0, borrow) = a[0].borrowing_sub(b[0], false);
    let (r1, borrow) = a[1].borrowing_sub(b[1], borrow);
    let (r2, _) = a[2].borrowing_sub(b[2], borrow);
    [r0, r1, r2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    fn int(limbs: &[u64]) -> BigUint {
        limbs.iter().rev().fold(BigUint::ZERO, |value, limb| (value << 64u32) + limb)
    }

    /// Limbs that are often all zeros or all ones.
    fn limb() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(u64::MAX), Just(1), any::<u64>()]
    }

    proptest! {
        #[test]
        fn limbs_are_the_integers(a in [limb(), limb(), limb(), limb()], b in [limb(), limb(), limb(), limb()]) {
            let (x, y, all) = (int(&a), int(&b), BigUint::from(1u8) << 256u32);
            let (sum, carry) = add(&a, &b);
            prop_assert_eq!((int(&sum), carry), ((&x + &y) % &all, &x + &y >= all));
            let (difference, borrow) = subtract(&a, &b);
            prop_assert_eq!((int(&difference), borrow), ((&all + &x - &y) % &all, x < y));
            prop_assert_eq!(subtract_const(&a, &b), (difference, borrow));
            prop_assert_eq!(less(&a, &b), x < y);
            prop_assert_eq!(int(&half(&a)), &x >> 1u32);
            if x < &y + &y {
                let (reduced, reached) = reduce_once(&a, &b);
                prop_assert_eq!((int(&reduced), reached), (&x % &y, x >= y));
            }
            let (a, b): ([u64; 3], [u64; 3]) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
            let (x, y, all) = (int(&a), int(&b), BigUint::from(1u8) << 192u32);
            prop_assert_eq!(int(&add192(&a, &b)), (&x + &y) % &all);
            prop_assert_eq!(int(&subtract192(&a, &b)), (&all + &x - &y) % &all);
        }
    }
}
