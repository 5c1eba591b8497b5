//! Arithmetic modulo the group order n on four little-endian limbs. Constant time throughout.
//!
//! Inputs and outputs are below n where nothing else is said. The one fact that makes it fast is that
//! C = 2^256 - n is a number of 129 bits: 2^256 = C mod n folds high limbs down.

use phalanx_engine::{
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
    reduce_wide(&multiply_wide(a, b))
}

/// `a b + c` for any c < 2^256.
#[inline(always)]
pub(super) fn multiply_add(a: &[u64; 4], b: &[u64; 4], c: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&multiply_add_wide(a, b, c))
}

#[inline(always)]
pub(super) fn square(a: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&square_wide(a))
}

/// The 512-bit product of any two numbers below 2^256.
#[inline(always)]
pub(crate) fn multiply_wide(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
    multiply_add_wide(a, b, &[0; 4])
}

/// `a b + c` in 512 bits, for any three numbers below 2^256.
#[inline(always)]
fn multiply_add_wide(a: &[u64; 4], b: &[u64; 4], [c0, c1, c2, c3]: &[u64; 4]) -> [u64; 8] {
    let mut r = [*c0, *c1, *c2, *c3, 0, 0, 0, 0];
    let mut i = 0;
    while i < 4 {
        let mut carry = 0;
        let mut j = 0;
        while j < 4 {
            // (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: product, limb and carry fit two words.
            (r[i + j], carry) = carrying_mul_add(a[i], b[j], r[i + j], carry);
            j += 1;
        }
        r[i + 4] = carry;
        i += 1;
    }
    r
}

/// The 512-bit square of any number below 2^256: each mixed product once, doubled together by a shift.
#[inline(always)]
fn square_wide(a: &[u64; 4]) -> [u64; 8] {
    let [a0, a1, a2, a3] = *a;
    let (r1, carry) = carrying_mul_add(a0, a1, 0, 0);
    let (r2, carry) = carrying_mul_add(a0, a2, 0, carry);
    let (r3, r4) = carrying_mul_add(a0, a3, 0, carry);
    let (r3, carry) = carrying_mul_add(a1, a2, r3, 0);
    let (r4, r5) = carrying_mul_add(a1, a3, r4, carry);
    let (r5, r6) = carrying_mul_add(a2, a3, r5, 0);
    let r7 = r6 >> 63;
    let r6 = r6 << 1 | r5 >> 63;
    let r5 = r5 << 1 | r4 >> 63;
    let r4 = r4 << 1 | r3 >> 63;
    let r3 = r3 << 1 | r2 >> 63;
    let r2 = r2 << 1 | r1 >> 63;
    let r1 = r1 << 1;
    let (r0, high) = carrying_mul_add(a0, a0, 0, 0);
    let (r1, carry) = carrying_add(r1, high, false);
    let (low, high) = carrying_mul_add(a1, a1, 0, 0);
    let (r2, carry) = carrying_add(r2, low, carry);
    let (r3, carry) = carrying_add(r3, high, carry);
    let (low, high) = carrying_mul_add(a2, a2, 0, 0);
    let (r4, carry) = carrying_add(r4, low, carry);
    let (r5, carry) = carrying_add(r5, high, carry);
    let (low, high) = carrying_mul_add(a3, a3, 0, 0);
    let (r6, carry) = carrying_add(r6, low, carry);
    let (r7, _) = carrying_add(r7, high, carry);
    [r0, r1, r2, r3, r4, r5, r6, r7]
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
    // Fold 1, row by row: C0, C1, 1.
    let (m0, carry) = carrying_mul_add(h0, C0, 0, a0);
    let (m1, carry) = carrying_mul_add(h1, C0, a1, carry);
    let (m2, carry) = carrying_mul_add(h2, C0, a2, carry);
    let (m3, m4) = carrying_mul_add(h3, C0, a3, carry);
    let (m1, carry) = carrying_mul_add(h0, C1, 0, m1);
    let (m2, carry) = carrying_mul_add(h1, C1, m2, carry);
    let (m3, carry) = carrying_mul_add(h2, C1, m3, carry);
    let (m4, m5) = carrying_mul_add(h3, C1, m4, carry);
    let (m2, carry) = carrying_add(m2, h0, false);
    let (m3, carry) = carrying_add(m3, h1, carry);
    let (m4, carry) = carrying_add(m4, h2, carry);
    let (m5, m6) = carrying_add(m5, h3, carry);
    // Fold 2: the limbs m4, m5 by C0, C1, 1, then the bit m6.
    let (p0, carry) = carrying_mul_add(m4, C0, 0, m0);
    let (p1, carry) = carrying_mul_add(m5, C0, m1, carry);
    let (p2, carry) = carrying_add(m2, carry, false);
    let (p3, over_a) = carrying_add(m3, 0, carry);
    let (p1, carry) = carrying_mul_add(m4, C1, 0, p1);
    let (p2, carry) = carrying_mul_add(m5, C1, p2, carry);
    let (p3, over_b) = carrying_add(p3, carry, false);
    let (p2, carry) = carrying_add(p2, m4, false);
    let (p3, over_c) = carrying_add(p3, m5, carry);
    let m6 = u64::from(m6);
    let bit = from_bit(m6);
    let (p2, carry) = carrying_add(p2, C0 & bit, false);
    let (p3, over_d) = carrying_add(p3, C1 & bit, carry);
    let p4 = m6 + u64::from(over_a) + u64::from(over_b) + u64::from(over_c) + u64::from(over_d);
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
