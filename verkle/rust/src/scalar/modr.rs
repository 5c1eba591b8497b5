//! Arithmetic modulo r on four limbs, least significant first. Inputs and outputs are below r where nothing else is
//! said. Constant time.

use phalanx_engine::{
    limbs::{add as add_wide, carrying_add, carrying_mul_add, reduce_once, subtract as subtract_wide},
    mask::from_bit,
};

/// r, a prime of 253 bits.
pub(super) const ORDER: [u64; 4] =
    [0x74fd_06b5_2876_e7e1, 0xff8f_8700_7419_0471, 0x0cce_7602_0268_7600, 0x1cfb_69d4_ca67_5f52];

/// 8 r, 4 r, 2 r, r. Nine times r is above 2^256.
const MULTIPLES: [[u64; 4]; 4] = [doubled(doubled(doubled(ORDER))), doubled(doubled(ORDER)), doubled(ORDER), ORDER];

/// -1 / r modulo 2^64.
const MINUS_INVERSE: u64 = {
    // Newton's iteration doubles the correct low bits; an odd number is its own inverse modulo 8.
    let (mut inverse, mut bits) = (ORDER[0], 3);
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(ORDER[0].wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse.wrapping_neg()
};

/// 2^512 modulo r.
const SQUARE_OF_2_256: [u64; 4] =
    [0xdbb4_f5d6_58db_47cb, 0x40fa_7ca2_7fec_b938, 0xaa9e_6dae_c005_5cea, 0x0ae7_93dd_b14a_ec7d];

const fn doubled(a: [u64; 4]) -> [u64; 4] {
    add_wide(&a, &a).0
}

/// Any number below 2^256 modulo r: below 9 r, so that the binary digits of the quotient are four.
pub(super) fn reduce(a: &[u64; 4]) -> [u64; 4] {
    // Each step halves the bound: 16 r, 8 r, 4 r, 2 r, r.
    MULTIPLES.iter().fold(*a, |a, multiple| reduce_once(&a, multiple).0)
}

/// a + b.
#[inline]
pub(super) fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    // Below 2 r, which is below 2^254.
    reduce_once(&add_wide(a, b).0, &ORDER).0
}

/// a - b.
#[inline]
pub(super) fn subtract(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (difference, below) = subtract_wide(a, b);
    let mask = from_bit(u64::from(below));
    add_wide(&difference, &ORDER.map(|limb| limb & mask)).0
}

/// a b.
#[inline]
pub(super) fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    montgomery_product(&montgomery_product(a, b), &SQUARE_OF_2_256)
}

/// a b / 2^256 (Montgomery, 1985), operand scanning. With q r added for a q below 2^256, what is divided is below
/// r^2 + 2^256 r, so that the quotient is below 2 r; an intermediate sum is below 2^64 times 2 r, five limbs.
fn montgomery_product(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut sum = [0u64; 5];
    for &a in a {
        let mut carry = 0;
        for (limb, &b) in sum.iter_mut().zip(b) {
            (*limb, carry) = carrying_mul_add(a, b, *limb, carry);
        }
        let (top, over) = carrying_add(sum[4], carry, false);
        debug_assert!(!over, "five limbs hold the sum");
        let q = sum[0].wrapping_mul(MINUS_INVERSE);
        let (_, mut carry) = carrying_mul_add(q, ORDER[0], sum[0], 0);
        for i in 1..4 {
            (sum[i - 1], carry) = carrying_mul_add(q, ORDER[i], sum[i], carry);
        }
        let (limb, over) = carrying_add(top, carry, false);
        (sum[3], sum[4]) = (limb, u64::from(over));
    }
    let [a, b, c, d, _] = sum;
    reduce_once(&[a, b, c, d], &ORDER).0
}
