//! Integers in five limbs of 62 bits with a signed top limb, and what a division-step matrix does to a pair of them.

use super::Modulus;
use super::divsteps::Matrix;
use crate::mask::from_sign;

/// The low 62 bits.
pub(super) const LIMB_MASK: u64 = u64::MAX >> 2;

/// The integer sum of `limb[i] * 2^(62 i)`.
///
/// *Plain* form: limbs 0 to 3 in [0, 2^62), limb 4 signed; every function below returns plain form. *Balanced* form,
/// used for the modulus only: limbs 0 to 3 in [-2^61, 2^61). All values here lie strictly between -2^257 and 2^257, so
/// |limb 4| <= 2^9 in either form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signed62(pub(super) [i64; 5]);

impl Signed62 {
    pub(super) const ZERO: Signed62 = Signed62([0; 5]);
    pub(super) const ONE: Signed62 = Signed62([1, 0, 0, 0, 0]);

    #[inline(always)]
    pub(super) const fn from_limbs(limbs: &[u64; 4]) -> Signed62 {
        let [a, b, c, d] = *limbs;
        Signed62([
            (a & LIMB_MASK) as i64,
            ((a >> 62 | b << 2) & LIMB_MASK) as i64,
            ((b >> 60 | c << 4) & LIMB_MASK) as i64,
            ((c >> 58 | d << 6) & LIMB_MASK) as i64,
            (d >> 56) as i64,
        ])
    }

    /// Needs plain form and a value in [0, 2^256).
    #[inline(always)]
    pub(super) const fn to_limbs(self) -> [u64; 4] {
        let [a, b, c, d, e] = self.0;
        let [a, b, c, d, e] = [a as u64, b as u64, c as u64, d as u64, e as u64];
        [a | b << 62, b >> 2 | c << 60, c >> 4 | d << 58, d >> 6 | e << 56]
    }

    /// The same value in balanced form.
    pub(super) const fn balanced(self) -> Signed62 {
        let mut limbs = self.0;
        let mut i = 0;
        while i < 4 {
            // Limbs come in [0, 2^62] (a carry may have been added), so one subtraction balances them.
            if limbs[i] >= 1 << 61 {
                limbs[i] -= 1 << 62;
                limbs[i + 1] += 1;
            }
            i += 1;
        }
        Signed62(limbs)
    }

    /// The value modulo 2^64, whichever form.
    #[inline(always)]
    pub(super) const fn low_word(&self) -> u64 {
        (self.0[0] as u64).wrapping_add((self.0[1] as u64) << 62)
    }

    /// Plain form of limbs that each lie in (-2^63, 2^63).
    #[inline(always)]
    pub(super) fn carried(self) -> Signed62 {
        let mut limbs = self.0;
        for i in 0..4 {
            limbs[i + 1] += limbs[i] >> 62;
            limbs[i] &= LIMB_MASK as i64;
        }
        Signed62(limbs)
    }

    /// `self + multiple * modulus` has this sign (-1, 0, 1). For bounds checked under test; `multiple` is in [-2, 2].
    pub(super) fn sign_of_sum(&self, multiple: i64, modulus: &Modulus) -> i64 {
        let sum = Signed62(core::array::from_fn(|i| self.0[i] + multiple * modulus.balanced.0[i])).carried();
        match sum.0 {
            [0, 0, 0, 0, 0] => 0,
            [_, _, _, _, top] => top.signum() | 1,
        }
    }

    /// Whether `-2 * modulus < self < modulus`, the interval in which the cofactors d and e stay.
    pub(super) fn is_cofactor(&self, modulus: &Modulus) -> bool {
        self.sign_of_sum(2, modulus) > 0 && self.sign_of_sum(-1, modulus) < 0
    }

    /// Whether `-modulus <= self <= modulus`, the interval in which f and g stay.
    pub(super) fn is_within(&self, modulus: &Modulus) -> bool {
        self.sign_of_sum(1, modulus) >= 0 && self.sign_of_sum(-1, modulus) <= 0
    }

    /// The representative in [0, modulus) of `self`, or of `-self` where `negate` is all ones.
    ///
    /// On input: a value in (-2 modulus, modulus), plain form.
    #[inline(always)]
    pub(super) fn normalised(self, negate: i64, modulus: &Modulus) -> Signed62 {
        debug_assert!(self.is_cofactor(modulus));
        // (-2M, M) -> (-M, M) -> negation keeps the interval -> [0, M).
        let add = from_sign(self.0[4]);
        let mut limbs = self.0;
        for (limb, m) in limbs.iter_mut().zip(modulus.balanced.0) {
            // |limb| < 2^62 + 2^61 before and after the negation: no overflow.
            *limb = ((*limb + (m & add)) ^ negate) - negate;
        }
        let mut result = Signed62(limbs).carried();
        let add = from_sign(result.0[4]);
        for (limb, m) in result.0.iter_mut().zip(modulus.balanced.0) {
            *limb += m & add;
        }
        result = result.carried();
        debug_assert!(result.sign_of_sum(0, modulus) >= 0 && result.sign_of_sum(-1, modulus) < 0);
        result
    }
}

/// `(f, g) <- matrix * (f, g) / 2^62`, exact, on the low `length` limbs, the last of which is the signed one.
///
/// Row sums of the matrix are at most 2^62 in absolute value and limbs below 2^62, so a column is at most 2^124, and
/// with the carry of the column before, below 2^63, it is far inside 128 bits.
#[inline(always)]
pub(super) fn update_fg(f: &mut Signed62, g: &mut Signed62, matrix: &Matrix, length: usize) {
    let Matrix { u, v, q, r } = *matrix;
    let column = |a: i64, b: i64, i: usize| a as i128 * f.0[i] as i128 + b as i128 * g.0[i] as i128;
    let mut cf = column(u, v, 0);
    let mut cg = column(q, r, 0);
    debug_assert!(cf as u64 & LIMB_MASK == 0 && cg as u64 & LIMB_MASK == 0, "the division by 2^62 is exact");
    cf >>= 62;
    cg >>= 62;
    for i in 1..length {
        cf += u as i128 * f.0[i] as i128 + v as i128 * g.0[i] as i128;
        cg += q as i128 * f.0[i] as i128 + r as i128 * g.0[i] as i128;
        f.0[i - 1] = (cf as u64 & LIMB_MASK) as i64;
        g.0[i - 1] = (cg as u64 & LIMB_MASK) as i64;
        cf >>= 62;
        cg >>= 62;
    }
    f.0[length - 1] = cf as i64;
    g.0[length - 1] = cg as i64;
    debug_assert!(cf == cf as i64 as i128 && cg == cg as i64 as i128);
}

/// Drops the top limb where it only repeats the sign of both f and g, and gives the length that is left.
#[inline(always)]
pub(super) fn shorten(f: &mut Signed62, g: &mut Signed62, length: usize) -> usize {
    let top = length - 1;
    let is_sign_only = |limb: i64| limb ^ (limb >> 63) == 0;
    if top == 0 || !is_sign_only(f.0[top]) || !is_sign_only(g.0[top]) {
        return length;
    }
    // A limb in [0, 2^62) and a sign above it are a signed limb in [-2^62, 2^62).
    f.0[top - 1] |= f.0[top] << 62;
    g.0[top - 1] |= g.0[top] << 62;
    top
}

/// `(d, e) <- matrix * (d, e) / 2^62 mod modulus`; d and e in (-2 modulus, modulus) on input and on output.
///
/// With M the modulus: negative inputs are lifted by M into (-M, M) by adding the matrix entries to the multiple of M
/// (`md`, `me`) that is added anyway. The row sums of the matrix are at most 2^62, so the products lie in
/// (-2^62 M, 2^62 M); subtracting k M with 0 <= k < 2^62, chosen so that the low 62 bits vanish, gives
/// (-2^63 M, 2^62 M), which divided by 2^62 is the output interval. md = lift - k lies in (-2^63, 2^62], so it fits a
/// word; a column is below 2^124 + 2^61 * 2^63, and with the carry before it below 2^126.
#[inline(always)]
pub(super) fn update_de(d: &mut Signed62, e: &mut Signed62, matrix: &Matrix, modulus: &Modulus) {
    debug_assert!(d.is_cofactor(modulus) && e.is_cofactor(modulus));
    let Matrix { u, v, q, r } = *matrix;
    let (d_negative, e_negative) = (from_sign(d.0[4]), from_sign(e.0[4]));
    let lift_d = (u & d_negative) + (v & e_negative);
    let lift_e = (q & d_negative) + (r & e_negative);
    let mut cd = u as i128 * d.0[0] as i128 + v as i128 * e.0[0] as i128;
    let mut ce = q as i128 * d.0[0] as i128 + r as i128 * e.0[0] as i128;
    let cancel = |low: u64, lift: i64| -> i64 {
        let k = modulus.inverse62.wrapping_mul(low).wrapping_add(lift as u64) & LIMB_MASK;
        lift - k as i64
    };
    let md = cancel(cd as u64, lift_d);
    let me = cancel(ce as u64, lift_e);
    let m = &modulus.balanced.0;
    cd += m[0] as i128 * md as i128;
    ce += m[0] as i128 * me as i128;
    debug_assert!(cd as u64 & LIMB_MASK == 0 && ce as u64 & LIMB_MASK == 0, "the division by 2^62 is exact");
    cd >>= 62;
    ce >>= 62;
    #[allow(clippy::needless_range_loop, reason = "one index runs over five arrays")]
    for i in 1..5 {
        cd += u as i128 * d.0[i] as i128 + v as i128 * e.0[i] as i128;
        ce += q as i128 * d.0[i] as i128 + r as i128 * e.0[i] as i128;
        // The branch is on a limb of the public modulus, and gone where that is a constant.
        if m[i] != 0 {
            cd += m[i] as i128 * md as i128;
            ce += m[i] as i128 * me as i128;
        }
        d.0[i - 1] = (cd as u64 & LIMB_MASK) as i64;
        e.0[i - 1] = (ce as u64 & LIMB_MASK) as i64;
        cd >>= 62;
        ce >>= 62;
    }
    d.0[4] = cd as i64;
    e.0[4] = ce as i64;
    debug_assert!(d.is_cofactor(modulus) && e.is_cofactor(modulus));
}
