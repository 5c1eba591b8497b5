//! Primes for Montgomery's multiplication, and what eight lanes, with R = 2^260, derive from them at compile time.

use super::columns::{FULL, FULL_TOP, limbs_of};
use crate::limbs::{add, subtract, times_power_of_two};
use core::marker::PhantomData;

/// An odd prime modulus between 2^192 and 2^256. Eight lanes refuse one below 2^254 when they are compiled.
pub trait MontgomeryPrime: Copy + 'static {
    /// The modulus in four 64-bit words, least significant first.
    const MODULUS: [u64; 4];
}

/// What eight lanes need to know of a modulus, computed at compile time.
pub(super) struct Derived<M>(PhantomData<M>);

impl<M: MontgomeryPrime> Derived<M> {
    pub(super) const MODULUS: [u64; 5] = {
        assert!(M::MODULUS[0] & 1 == 1 && M::MODULUS[3] >> 62 != 0, "the modulus is odd and above 2^254");
        limbs_of(M::MODULUS)
    };
    /// -1 / M modulo 2^52.
    pub(super) const MINUS_INVERSE: u64 = minus_inverse(M::MODULUS[0]) & FULL;
    /// X with k M = 2^52 X - 1 for some k below 2^52: the lowest limb of a number is how often to add this to clear it.
    pub(super) const CLEARS_ONE: [u64; 5] = clears(M::MODULUS, 52);
    /// X with k M = 2^104 X - 1 for some k below 2^104, likewise for the two lowest limbs.
    pub(super) const CLEARS_TWO: [u64; 5] = clears(M::MODULUS, 104);
    /// 2^256 - M.
    pub(super) const FOLD: [u64; 5] = limbs_of(subtract(&[0; 4], &M::MODULUS).0);
    /// Whether M is so close to 2^256 that what stands above 2^256 is the multiple of M to take away.
    pub(super) const NEAR: bool = Self::MODULUS[4] == FULL_TOP;
    /// Whether M is below 2^255, so that a quotient by R needs no multiple of M taken away.
    pub(super) const SPARE: bool = M::MODULUS[3] >> 63 == 0;
    /// 2^96 / (top limb + 1), rounded down: 2^52 times how often M goes into 2^252, a little less.
    pub(super) const QUOTIENT: u64 = ((1u128 << 96) / (Self::MODULUS[4] as u128 + 1)) as u64;
    /// R modulo M: the number one.
    pub(super) const ONE: [u64; 5] = limbs_of(power_of_two(260, M::MODULUS));
    /// R^2 modulo M: a product with it enters Montgomery's form.
    pub(super) const SQUARE: [u64; 5] = limbs_of(power_of_two(520, M::MODULUS));
}

/// -1 / m modulo 2^64 for an odd m.
pub(super) const fn minus_inverse(m: u64) -> u64 {
    // Newton's iteration doubles the correct low bits; an odd number is its own inverse modulo 8.
    let (mut inverse, mut bits) = (m, 3);
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse.wrapping_neg()
}

/// (k m + 1) / 2^bits, below m, for the k below 2^bits that makes it whole: the inverse of 2^bits modulo m, by halving.
const fn clears(m: [u64; 4], bits: u32) -> [u64; 5] {
    let mut x = [1, 0, 0, 0];
    let mut step = 0;
    while step < bits {
        let (sum, carry) = if x[0] & 1 == 1 { add(&x, &m) } else { (x, false) };
        let [a, b, c, d] = sum;
        x = [a >> 1 | b << 63, b >> 1 | c << 63, c >> 1 | d << 63, d >> 1 | (carry as u64) << 63];
        step += 1;
    }
    limbs_of(x)
}

/// 2^exponent modulo the modulus.
pub(super) const fn power_of_two(exponent: u32, modulus: [u64; 4]) -> [u64; 4] {
    times_power_of_two(&[1, 0, 0, 0], exponent, &modulus)
}
