//! The endomorphism split: a scalar k as k1 + k2 lambda with halves of 128 bits, so that k P costs half the doublings.
//!
//! Source: Gallant, Lambert and Vanstone, "Faster point multiplication on elliptic curves with efficient
//! endomorphisms",
//! 2001. `docs/inside/glv.md` derives the constants and proves the bound; the tests recompute both with exact integers.
//!
//! With A^2 + A B + B^2 = n and A = B lambda mod n, the lattice of pairs (x, y) with x + y lambda = 0 mod n has the
//! basis (A, -B), (A + B, A). The split subtracts from (k, 0) the lattice point c1 (A, -B) + c2 (A + B, A) nearest by
//! rounding, c1 = [k A / 2^256] and c2 = [k (B + 1) / 2^256]: division by n is multiplication by 2^256 / n, which is so
//! close to 1 that the products with it round to A and to B + 1. The algorithm is two rounded products of 256 by 128
//! bits and four products of 128 by 128 bits modulo 2^192; the constants are here for every width of limb to run it on.
//!
//! Looks at `scalar`.

use crate::scalar::Scalar;
use phalanx_engine::{
    limbs::{add192, carrying_mul_add, subtract192},
    mask::from_bit,
};

/// A cube root of 1 modulo n other than 1; multiplies a point (x, y) into (BETA x, y).
pub(crate) const LAMBDA: Scalar =
    Scalar::from_hex_const("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72");

/// The matching cube root of 1 modulo p, in little-endian limbs.
pub(crate) const BETA: [u64; 4] =
    [0xc139_6c28_7195_01ee, 0x9cf0_4975_12f5_8995, 0x6e64_479e_ac34_34e9, 0x7ae9_6a2b_657c_0710];

/// The first coordinate of the shortest lattice vector.
pub(crate) const A: u128 = 0x3086_d221_a7d4_6bcd_e86c_90e4_9284_eb15;
/// Minus its second coordinate.
pub(crate) const B: u128 = 0xe443_7ed6_010e_8828_6f54_7fa9_0abf_e4c3;
/// 2^256 A / n, rounded.
pub(crate) const ESTIMATE_1: u128 = A;
/// 2^256 B / n, rounded.
pub(crate) const ESTIMATE_2: u128 = B + 1;

/// Half of a split scalar: `magnitude`, or `-magnitude` where `neg` is all ones (else `neg` is zero).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Half {
    pub(crate) neg: u64,
    pub(crate) magnitude: u128,
}

/// Halves (k1, k2) of k = k1 + k2 LAMBDA mod n, with -0.64 < k1 / 2^128 < 0.83 and -0.76 < k2 / 2^128 < 0.57.
///
/// Constant time.
#[inline]
pub(crate) fn split(k: &Scalar) -> (Half, Half) {
    let k = k.limbs();
    let (c1, c2) = (estimate(&k, ESTIMATE_1), estimate(&k, ESTIMATE_2));
    // c1 A + c2 (A + B) = (c1 + c2) A + c2 B, where the sum may carry out of 128 bits.
    let (sum, carry) = c1.overflowing_add(c2);
    let [p0, p1, p2] = multiply192(sum, A);
    let p2 = p2.wrapping_add(A as u64 & from_bit(u64::from(carry)));
    let k1 = subtract192(&subtract192(&[k[0], k[1], k[2]], &[p0, p1, p2]), &multiply192(c2, B));
    let k2 = subtract192(&multiply192(c1, B), &multiply192(c2, A));
    (half(&k1), half(&k2))
}

/// As [`split`], with halves that are both odd where adding a short vector of the lattice, or taking it off, makes them
/// so and leaves them below 2^128 in absolute value. For one scalar in eleven it does not, and a half is even.
/// Variable time.
pub(crate) fn split_odd_vartime(k: &Scalar) -> (Half, Half) {
    let (k1, k2) = split(k);
    // The first number of (A + B, A) is even, and so are the second ones of (B, A + B) and (2 A + B, A - B).
    let vectors: &[Vector] = match (k1.magnitude & 1, k2.magnitude & 1) {
        (0, 0) => &const { [[wide(A), minus(&wide(B))]] },
        (1, 0) => &const { [[SUM, wide(A)]] },
        (0, 1) => &const { [[wide(B), SUM], [add192(&SUM, &wide(A)), subtract192(&wide(A), &wide(B))]] },
        _ => &[],
    };
    let halves = [signed(&k1), signed(&k2)];
    for [u, v] in vectors {
        for moved in
            [[add192(&halves[0], u), add192(&halves[1], v)], [subtract192(&halves[0], u), subtract192(&halves[1], v)]]
        {
            if moved.iter().all(|number| number[2] == from_bit(number[2] >> 63)) {
                return (half(&moved[0]), half(&moved[1]));
            }
        }
    }
    (k1, k2)
}

/// A vector of the lattice, modulo 2^192.
type Vector = [[u64; 3]; 2];

/// A + B.
const SUM: [u64; 3] = add192(&wide(A), &wide(B));

/// A half as a 192-bit number in two's complement. Constant time.
pub(crate) fn signed(half: &Half) -> [u64; 3] {
    add192(&wide(half.magnitude).map(|word| word ^ half.neg), &[half.neg & 1, 0, 0])
}

pub(crate) const fn wide(number: u128) -> [u64; 3] {
    [number as u64, (number >> 64) as u64, 0]
}

pub(crate) const fn minus(number: &[u64; 3]) -> [u64; 3] {
    subtract192(&[0; 3], number)
}

/// `k * factor / 2^256`, rounded half up.
#[inline(always)]
fn estimate(k: &[u64; 4], factor: u128) -> u128 {
    let (low, high) = (factor as u64, (factor >> 64) as u64);
    let (_, carry) = carrying_mul_add(k[0], low, 0, 0);
    let (r1, carry) = carrying_mul_add(k[1], low, 0, carry);
    let (r2, carry) = carrying_mul_add(k[2], low, 0, carry);
    let (r3, r4) = carrying_mul_add(k[3], low, 0, carry);
    let (_, carry) = carrying_mul_add(k[0], high, 0, r1);
    let (_, carry) = carrying_mul_add(k[1], high, r2, carry);
    let (r3, carry) = carrying_mul_add(k[2], high, r3, carry);
    let (r4, r5) = carrying_mul_add(k[3], high, r4, carry);
    // k < 2^256 and factor < 2^128 - 1, so the rounded quotient is below 2^128.
    (u128::from(r5) << 64 | u128::from(r4)) + u128::from(r3 >> 63)
}

/// `a * b` mod 2^192.
#[inline(always)]
fn multiply192(a: u128, b: u128) -> [u64; 3] {
    let (a0, a1, b0, b1) = (a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64);
    let (r0, carry) = carrying_mul_add(a0, b0, 0, 0);
    let (r1, r2) = carrying_mul_add(a0, b1, 0, carry);
    let (r1, carry) = carrying_mul_add(a1, b0, 0, r1);
    [r0, r1, a1.wrapping_mul(b1).wrapping_add(r2).wrapping_add(carry)]
}

/// A number in (-2^128, 2^128) given mod 2^192, as sign and magnitude.
#[inline(always)]
fn half(number: &[u64; 3]) -> Half {
    let neg = from_bit(number[2] >> 63);
    debug_assert!(number[2] == neg, "a half of more than 128 bits");
    let mask = u128::from(neg) << 64 | u128::from(neg);
    let low = u128::from(number[1]) << 64 | u128::from(number[0]);
    Half { neg, magnitude: (low ^ mask).wrapping_sub(mask) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use num_bigint::{BigInt, BigUint, Sign};
    use proptest::prelude::*;

    fn order() -> BigInt {
        limbs_to_int(&Scalar::ORDER)
    }

    fn limbs_to_int(limbs: &[u64; 4]) -> BigInt {
        limbs.iter().rev().fold(BigInt::ZERO, |value, &limb| (value << 64u32) + limb)
    }

    /// The scalar that an integer of either sign is modulo n.
    fn scalar(value: &BigInt) -> Scalar {
        let n = order();
        let (_, bytes) = (((value % &n) + &n) % &n).to_bytes_be();
        let mut padded = [0; 32];
        padded[32 - bytes.len()..].copy_from_slice(&bytes);
        Scalar::from_bytes(&padded).unwrap()
    }

    fn int(half: &Half) -> BigInt {
        let magnitude = BigInt::from(half.magnitude);
        if half.neg == 0 { magnitude } else { -magnitude }
    }

    /// Largest and least halves, times 2^257 so that they are whole numbers, from the errors that docs/inside/glv.md
    /// derives: r1 in [-1/2, 1/2 + delta1), r2 in [-1/2, 1/2 + delta2), delta = (2^256 {A, B} / n - estimate) n /
    /// 2^256.
    fn bounds() -> [(BigInt, BigInt); 2] {
        let (n, a, b) = (order(), BigInt::from(A), BigInt::from(B));
        let one = BigInt::from(1);
        // k A / n - k ESTIMATE / 2^256 = k (2^256 A - n ESTIMATE) / (2^256 n), and k < n.
        let delta1 = (&a << 256u32) - &n * BigInt::from(ESTIMATE_1);
        let delta2 = (&b << 256u32) - &n * BigInt::from(ESTIMATE_2);
        assert!(delta1 > BigInt::ZERO && delta2 > BigInt::ZERO, "both estimates err to the same side");
        let half = &one << 256u32;
        let (r1, r2) = (&half + &delta1 * 2, &half + &delta2 * 2);
        // k1 = A r1 + (A + B) r2, k2 = -B r1 + A r2.
        [((&a * 2 + &b) * -&half, &a * &r1 + (&a + &b) * &r2), (&a * -&half - &b * &r1, &b * &half + &a * &r2)]
    }

    fn check(k: &Scalar) {
        let (k1, k2) = split(k);
        let (k1, k2) = (int(&k1), int(&k2));
        let lambda = limbs_to_int(&LAMBDA.limbs());
        assert_eq!(scalar(&(&k1 + &k2 * &lambda)), *k);
        let (odd1, odd2) = split_odd_vartime(k);
        assert_eq!(scalar(&(int(&odd1) + int(&odd2) * lambda)), *k);
        // Of two even halves both are made odd.
        let odd = [odd1, odd2].iter().filter(|half| half.magnitude % 2 == 1).count();
        assert!(odd >= 1, "{k:?}");
        for (half, (least, largest)) in [k1, k2].iter().zip(bounds()) {
            let scaled = half << 257u32;
            assert!(least <= scaled && scaled <= largest, "{k:?} gives {half:x}");
        }
    }

    #[test]
    fn constants_are_what_the_derivation_says() {
        let (n, a, b) = (order(), BigInt::from(A), BigInt::from(B));
        assert_eq!(&a * &a + &a * &b + &b * &b, n);
        assert_eq!(LAMBDA.square() + LAMBDA + Scalar::ONE, Scalar::ZERO);
        assert_eq!(scalar(&a), scalar(&b) * LAMBDA);
        let p = (BigUint::from(1u32) << 256u32) - 4_294_968_273u64;
        let beta = limbs_to_int(&BETA).to_biguint().unwrap();
        assert_eq!((&beta * &beta + &beta + 1u32) % &p, BigUint::ZERO);
        // Rounding to the nearest: floor((2^257 x + n) / 2n).
        for (x, estimate) in [(&a, ESTIMATE_1), (&b, ESTIMATE_2)] {
            assert_eq!(((x << 257u32) + &n) / (&n * 2), BigInt::from(estimate));
        }
    }

    /// The bound itself: recomputed exactly, below 2^128, and as tight as the documentation says.
    #[test]
    fn halves_fit_128_bits() {
        let percent = |value: &BigInt| value * 100 / (BigInt::from(1) << 385u32);
        let [(least1, largest1), (least2, largest2)] = bounds();
        assert_eq!([&least1, &largest1, &least2, &largest2].map(percent), [-63, 82, -75, 56].map(BigInt::from));
        let limit = BigInt::from(1) << 385u32;
        assert!([least1, largest1, least2, largest2].iter().all(|bound| bound.magnitude() < limit.magnitude()));
    }

    /// Scalars around every place where an estimate rounds the other way, at both ends and across the whole range, and
    /// scalars whose halves are closest to the corners of the region of halves.
    #[test]
    fn corners_of_rounding_and_of_the_region() {
        let n = order();
        let mut corners: Vec<BigInt> = (-3..=3).map(BigInt::from).collect();
        for estimate in [BigInt::from(ESTIMATE_1), BigInt::from(ESTIMATE_2)] {
            let turns: BigInt = &estimate - 1;
            for step in 0..=600u32 {
                // k estimate / 2^256 = j + 1/2 at k = (2 j + 1) 2^255 / estimate.
                for j in [BigInt::from(step), &turns - step, &turns * step / 600] {
                    let k = ((j * 2 + 1) << 255u32) / &estimate;
                    corners.extend((-2..=2).map(|near| &k + near));
                }
            }
        }
        let (a, b, lambda) = (BigInt::from(A), BigInt::from(B), limbs_to_int(&LAMBDA.limbs()));
        for (s1, s2) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            for (d1, d2) in (-12..=12).flat_map(|x| (-12..=12).map(move |y| (x, y))) {
                let (k1, k2) = ((&a * s1 + (&a + &b) * s2) / 2 + d1, (&a * s2 - &b * s1) / 2 + d2);
                corners.push(k1 + k2 * &lambda);
            }
        }
        for bit in 0..256u32 {
            let power = BigInt::from(1) << bit;
            corners.extend([&power - 1, power.clone(), &n - &power, &lambda + &power, &lambda * &power]);
        }
        assert!(corners.iter().any(|k| k.sign() == Sign::Minus));
        corners.iter().for_each(|k| check(&scalar(k)));
    }

    #[test]
    fn most_halves_are_odd() {
        let even = (0..1000u32).filter(|i| {
            let (first, second) =
                split_odd_vartime(&Scalar::from_bytes_reduced(&crate::hash::sha256(&i.to_le_bytes())));
            first.magnitude % 2 == 0 || second.magnitude % 2 == 0
        });
        assert!((50..130).contains(&even.count()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn any_scalar(limbs in prop::array::uniform4(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)])) {
            let (low, high) = (limbs_to_int(&limbs), limbs_to_int(&[limbs[3], limbs[0], 0, 0]));
            check(&scalar(&low));
            check(&scalar(&-high));
        }
    }
}
