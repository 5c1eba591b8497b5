//! Arithmetic modulo p and on the curve by big integers and the school formulas.

use num_bigint::BigUint;
use phalanx_engine::word::LANES;
use std::{cell::RefCell, collections::HashMap};

/// The limbs of one number.
pub(crate) type Limbs = [u64; 5];
/// The limbs of the numbers in eight lanes.
pub(crate) type Eight = [Limbs; LANES];

/// The number that 64-bit words stand for, least significant first.
pub(crate) fn from_words(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << 64u32) + word)
}

/// The four 64-bit words of a number below 2^256.
pub(crate) fn to_words(number: &BigUint) -> [u64; 4] {
    let mut words = [0; 4];
    let digits = number.to_u64_digits();
    words[..digits.len()].copy_from_slice(&digits);
    words
}

/// The number that five limbs of weight 2^52 stand for, whatever is in them.
pub(crate) fn from_limbs(limbs: Limbs) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |number, &limb| (number << 52u32) + limb)
}

/// Limbs 0 to 3 below 2^52, the rest in limb 4.
pub(crate) fn to_limbs(number: &BigUint) -> Limbs {
    core::array::from_fn(|i| {
        let up = number >> (52 * i);
        let limb = if i < 4 { up & BigUint::from((1u64 << 52) - 1) } else { up };
        u64::try_from(limb).expect("the number fits five limbs")
    })
}

/// secp256k1's p.
pub(crate) fn p() -> BigUint {
    (BigUint::from(1u8) << 256u32) - 0x1_0000_03d1u64
}

/// The inverse modulo the prime p, and zero for zero.
pub(crate) fn invert(x: &BigUint) -> BigUint {
    invert_modulo(&p(), x)
}

/// The inverse modulo a prime, and zero for zero. Every backend is asked about the same numbers, so inverses are kept.
fn invert_modulo(p: &BigUint, x: &BigUint) -> BigUint {
    std::thread_local! {
        static KNOWN: RefCell<HashMap<[BigUint; 2], BigUint>> = RefCell::default();
    }
    let inverse = || x.modpow(&(p - 2u8), p);
    KNOWN.with_borrow_mut(|known| known.entry([p.clone(), x % p]).or_insert_with(inverse).clone())
}

/// The opposite modulo p.
pub(crate) fn negate(x: &BigUint) -> BigUint {
    negate_modulo(&p(), x)
}

/// The opposite modulo a prime.
pub(crate) fn negate_modulo(p: &BigUint, x: &BigUint) -> BigUint {
    (p - x % p) % p
}

/// A point of the curve; `None` is infinity.
pub(crate) type Point = Option<(BigUint, BigUint)>;

/// The negated point.
pub(crate) fn negated(point: &Point) -> Point {
    point.as_ref().map(|(x, y)| (x.clone(), negate(y)))
}

/// The sum by chord and tangent, of points of y^2 = x^3 + slope x + B modulo a prime.
pub(crate) fn sum_modulo(p: &BigUint, slope: &BigUint, a: &Point, b: &Point) -> Point {
    let (Some((x1, y1)), Some((x2, y2))) = (a, b) else {
        return if a.is_none() { b.clone() } else { a.clone() };
    };
    let negate = |x: &BigUint| negate_modulo(p, x);
    let invert = |x: &BigUint| invert_modulo(p, x);
    let line = if x1 != x2 {
        (y1 + negate(y2)) * invert(&(x1 + negate(x2)))
    } else if y1 == y2 {
        (3u8 * x1 * x1 + slope) * invert(&(2u8 * y1))
    } else {
        return None;
    } % p;
    let x3 = (&line * &line + negate(x1) + negate(x2)) % p;
    let y3 = (line * (x1 + negate(&x3)) + negate(y1)) % p;
    Some((x3, y3))
}

/// `k` times a point of y^2 = x^3 + slope x + B modulo a prime.
pub(crate) fn multiple_modulo(p: &BigUint, slope: &BigUint, k: &BigUint, point: &Point) -> Point {
    (0..k.bits()).rev().fold(None, |acc, bit| {
        let twice = sum_modulo(p, slope, &acc, &acc);
        if k.bit(bit) { sum_modulo(p, slope, &twice, point) } else { twice }
    })
}
