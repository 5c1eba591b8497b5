//! Arithmetic modulo the group order n on four little-endian limbs. Constant time throughout.
//!
//! Inputs and outputs are below n where nothing else is said. The one fact that makes it fast is that
//! C = 2^256 - n is a number of 129 bits: 2^256 = C mod n folds high limbs down.

use phalanx_engine::{
    field::digits::{self, add_row, product, product_and, row},
    limbs::{self, add as add_wide, carrying_add, carrying_mul_add, subtract as subtract_wide},
    mask::{from_bit, select4},
};

/// The group order n (SEC 2, section 2.4.1).
pub(super) const ORDER: [u64; 4] =
    [0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff];

/// n / 2 rounded down: the largest scalar that is not high.
pub(super) const HALF_ORDER: [u64; 4] =
    [0xdfe9_2f46_681b_20a0, 0x5d57_6e73_57a4_501d, 0xffff_ffff_ffff_ffff, 0x7fff_ffff_ffff_ffff];

/// C = 2^256 - n = C0 + 2^64 C1 + 2^128.
const C0: u64 = 0x402d_a173_2fc9_bebf;
const C1: u64 = 0x4551_2319_50b7_5fc4;

/// Whether a < n, for constants: in variable time.
pub(super) const fn is_reduced_const(a: &[u64; 4]) -> bool {
    let mut i = 3;
    while i > 0 && a[i] == ORDER[i] {
        i -= 1;
    }
    a[i] < ORDER[i]
}

/// `a mod n` for any a < 2^256, and whether a was at least n.
#[inline(always)]
pub(super) fn reduce_once(a: &[u64; 4]) -> ([u64; 4], bool) {
    limbs::reduce_once(a, &ORDER)
}

#[inline(always)]
pub(super) fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (sum, carry) = add_wide(a, b);
    let (reduced, borrow) = subtract_wide(&sum, &ORDER);
    // a + b < 2n: the difference is right unless it is negative, that is, borrowed without a carry to borrow from.
    select4(&reduced, &sum, from_bit(u64::from(borrow & !carry)))
}

#[inline(always)]
pub(super) fn subtract(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (difference, borrow) = subtract_wide(a, b);
    let mask = from_bit(u64::from(borrow));
    add_wide(&difference, &ORDER.map(|limb| limb & mask)).0
}

#[inline(always)]
pub(super) fn negate(a: &[u64; 4]) -> [u64; 4] {
    let mask = !phalanx_engine::mask::is_zero(a);
    subtract_wide(&ORDER, a).0.map(|limb| limb & mask)
}

#[inline(always)]
pub(super) fn multiply(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&product(*a, *b))
}

/// `a b + c` for any c < 2^256.
#[inline(always)]
pub(super) fn multiply_add(a: &[u64; 4], b: &[u64; 4], c: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&product_and(*a, *b, *c))
}

#[inline(always)]
pub(super) fn square(a: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&digits::square(*a))
}

/// `a mod n` for any a < 2^512.
///
/// C < 1.28 * 2^128. Fold 1 replaces the high 256 bits h by h C, which leaves less than 1.28 * 2^384 + 2^256, so the
/// part above 2^256 is below 1.29 * 2^128. Fold 2 replaces that by less than 1.29 * 1.28 * 2^256, which leaves less
/// than 2.66 * 2^256, so p4 <= 2. The last step subtracts q n with q = p4 + 1, which leaves a number in [-n, 3 C), and
/// adds n back where that is negative.
#[inline(always)]
pub(super) fn reduce_wide(a: &[u64; 8]) -> [u64; 4] {
    let [a0, a1, a2, a3, h0, h1, h2, h3] = *a;
    // Fold 1: the upper limbs by C0, C1, 1.
    let high = [h0, h1, h2, h3];
    let [m0, m1, m2, m3, m4] = add_row([a0, a1, a2, a3], row(high, C0));
    let [m1, m2, m3, m4, m5] = add_row([m1, m2, m3, m4], row(high, C1));
    let [m2, m3, m4, m5, m6] = add_row([m2, m3, m4, m5], [h0, h1, h2, h3, 0]);
    // Fold 2: the limbs m4, m5 by C0, C1, 1, then the bit m6. C0 + 2^64 C1 is below 0.28 * 2^128, so that f3 does not
    // overflow.
    let [f0, f1, f2] = two_by_one([m4, m5], C0);
    let [g0, g1, g2] = two_by_one([m4, m5], C1);
    let (f1, carry) = carrying_add(f1, g0, false);
    let (f2, carry) = carrying_add(f2, g1, carry);
    let f3 = g2 + u64::from(carry);
    let bit = from_bit(m6);
    let (f2, carry) = carrying_add(f2, m4, false);
    let (f3, over_a) = carrying_add(f3, m5, carry);
    let (f2, carry) = carrying_add(f2, C0 & bit, false);
    let (f3, over_b) = carrying_add(f3, C1 & bit, carry);
    let ([p0, p1, p2, p3], over_c) = add_wide(&[m0, m1, m2, m3], &[f0, f1, f2, f3]);
    let p4 = m6 + u64::from(over_a) + u64::from(over_b) + u64::from(over_c);
    debug_assert!(p4 <= 2);
    // p - q n = (p mod 2^256) + q C - 2^256: not negative exactly where the sum carries out.
    let q = p4 + 1;
    let (t0, carry) = carrying_mul_add(q, C0, 0, p0);
    let (t1, carry) = carrying_mul_add(q, C1, p1, carry);
    let (t2, carry) = carrying_add(p2, q + carry, false);
    let (t3, carry) = carrying_add(p3, 0, carry);
    let back = from_bit(1 ^ u64::from(carry));
    // Adding n is subtracting C mod 2^256.
    subtract_wide(&[t0, t1, t2, t3], &[C0 & back, C1 & back, 1 & back, 0]).0
}

/// The product of two limbs and one.
#[inline(always)]
fn two_by_one([a0, a1]: [u64; 2], b: u64) -> [u64; 3] {
    let (r0, carry) = carrying_mul_add(a0, b, 0, 0);
    let (r1, r2) = carrying_mul_add(a1, b, 0, carry);
    [r0, r1, r2]
}
