//! Numbers of four 64-bit limbs, least significant first, and the steps they are made of. Constant time.
//!
//! The steps are those that the standard library has from Rust 1.91 on; the code they compile to is the same.
//!
//! Looks at `mask`.

use crate::mask::{from_bit, select4};

/// `a + b` and a carry in: the sum modulo 2^64, and the carry out.
#[inline(always)]
pub const fn carrying_add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, over) = a.overflowing_add(b);
    let (sum, over_again) = sum.overflowing_add(carry as u64);
    (sum, over | over_again)
}

/// `a - b` less a borrow in: the difference modulo 2^64, and the borrow out.
#[inline(always)]
pub const fn borrowing_sub(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, under) = a.overflowing_sub(b);
    let (difference, under_again) = difference.overflowing_sub(borrow as u64);
    (difference, under | under_again)
}

/// `a * b + c + carry`, low word and high word: (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1 fits two words.
#[inline(always)]
pub const fn carrying_mul_add(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let wide = a as u128 * b as u128 + c as u128 + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// `a + b` modulo 2^256, and the carry out.
#[inline(always)]
pub const fn add(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, carry) = carrying_add(a[0], b[0], false);
    let (r1, carry) = carrying_add(a[1], b[1], carry);
    let (r2, carry) = carrying_add(a[2], b[2], carry);
    let (r3, carry) = carrying_add(a[3], b[3], carry);
    ([r0, r1, r2, r3], carry)
}

/// `a - b` modulo 2^256, and whether a < b.
#[inline(always)]
pub const fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (r0, borrow) = borrowing_sub(a[0], b[0], false);
    let (r1, borrow) = borrowing_sub(a[1], b[1], borrow);
    let (r2, borrow) = borrowing_sub(a[2], b[2], borrow);
    let (r3, borrow) = borrowing_sub(a[3], b[3], borrow);
    ([r0, r1, r2, r3], borrow)
}

/// Whether a < b.
#[inline(always)]
pub const fn less(a: &[u64; 4], b: &[u64; 4]) -> bool {
    subtract(a, b).1
}

/// `number` 2^exponent modulo a modulus that is above it, by doubling. Variable time.
pub const fn times_power_of_two(number: &[u64; 4], exponent: u32, modulus: &[u64; 4]) -> [u64; 4] {
    let mut power = *number;
    let mut step = 0;
    while step < exponent {
        let (twice, carry) = add(&power, &power);
        let (reduced, borrow) = subtract(&twice, modulus);
        power = if carry || !borrow { reduced } else { twice };
        step += 1;
    }
    power
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
pub const fn add192(a: &[u64; 3], b: &[u64; 3]) -> [u64; 3] {
    let (r0, carry) = carrying_add(a[0], b[0], false);
    let (r1, carry) = carrying_add(a[1], b[1], carry);
    let (r2, _) = carrying_add(a[2], b[2], carry);
    [r0, r1, r2]
}

/// `a - b` modulo 2^192, also in two's complement.
#[inline(always)]
pub const fn subtract192(a: &[u64; 3], b: &[u64; 3]) -> [u64; 3] {
    let (r0, borrow) = borrowing_sub(a[0], b[0], false);
    let (r1, borrow) = borrowing_sub(a[1], b[1], borrow);
    let (r2, _) = borrowing_sub(a[2], b[2], borrow);
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
