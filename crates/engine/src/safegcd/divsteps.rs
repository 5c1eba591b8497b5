//! Division steps on the low bits of f and g, collected into a matrix.
//!
//! One division step maps (delta, f, g), f odd, to
//!
//! - (1 - delta, g, (g - f) / 2) where delta > 0 and g is odd,
//! - (1 + delta, f, (g + (g mod 2) f) / 2) otherwise.
//!
//! k steps depend on f and g mod 2^k only, and act on (f, g) as an integer matrix over 2^k.

use crate::mask::{from_bit, from_sign};

/// `(f, g)` after a block of steps is `[[u, v], [q, r]] * (f, g) / 2^62`.
///
/// Each row satisfies |u| + |v| <= 2^62 and |q| + |r| <= 2^62: a step either keeps the row of f and doubles it, or
/// replaces it by twice the row of g, and the new row of g is a sum of the two rows; so the bound doubles with each of
/// the steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix {
    pub(super) u: i64,
    pub(super) v: i64,
    pub(super) q: i64,
    pub(super) r: i64,
}

impl Matrix {
    /// Checks the row sums, and the determinant against a power of two: 2 for each step, the square of the initial
    /// scale, and a sign where the steps swap without negating.
    pub(super) fn is_sound(&self, determinant_log2: u32, either_sign: bool) -> bool {
        let row = |a: i64, b: i64| a.unsigned_abs() + b.unsigned_abs() <= 1 << 62;
        let determinant = self.u as i128 * self.r as i128 - self.v as i128 * self.q as i128;
        let expected = 1i128 << determinant_log2;
        row(self.u, self.v)
            && row(self.q, self.r)
            && (determinant == expected || (either_sign && determinant == -expected))
    }
}

/// 59 division steps in constant time, for f0 and g0 mod 2^62. Ten such blocks are the 590 that suffice from
/// delta = 1/2 for 256 bits.
///
/// `zeta` is -(delta + 1/2), an integer below zero exactly where delta > 0. The matrix starts at 8 times the identity,
/// so that it comes out over 2^62 like that of a 62-step block.
#[inline(always)]
pub(super) fn divsteps_59(zeta: i64, f0: u64, g0: u64) -> (i64, Matrix) {
    let (mut zeta, mut f, mut g) = (zeta, f0, g0);
    let mut matrix = Matrix { u: 8, v: 0, q: 0, r: 8 };
    for count in [20, 20, 19] {
        let (next, Matrix { u, v, q, r }) = packed_steps(zeta, f, g, count);
        zeta = next;
        let combine =
            |a: i64, x: u64, b: i64, y: u64| (a as u64).wrapping_mul(x).wrapping_add((b as u64).wrapping_mul(y));
        // Exact in the low 62 - count bits, of which the 39 of the later parts are used.
        (f, g) = (combine(u, f, v, g) >> count, combine(q, f, r, g) >> count);
        // Entries grow by 2^count a part, from 2^3 to 2^62.
        matrix = Matrix {
            u: u * matrix.u + v * matrix.q,
            v: u * matrix.v + v * matrix.r,
            q: q * matrix.u + r * matrix.q,
            r: q * matrix.v + r * matrix.r,
        };
    }
    debug_assert!(matrix.is_sound(65, false));
    (zeta, matrix)
}

/// Bits of f and g in a packed word, and the steps that can be done on them.
const PACKED_STEPS: u32 = 20;
/// The bits where the coefficients of f0 and of g0 start in a packed word.
const COLUMN_F: u32 = PACKED_STEPS;
const COLUMN_G: u32 = 2 * PACKED_STEPS + 2;

/// At most 20 division steps on packed words, with their matrix over 2^count.
///
/// A word F carries f and its row of the matrix: F = f + 2^20 u + 2^42 v, and likewise G for g; one addition works on
/// all three. f and g are the low 20 bits as integers in [-2^19, 2^19), whose absolute values the steps do not
/// increase. The coefficients start at 2^20 and halve together with g, so |u| + |v| <= 2^20 throughout, and the word
/// stays below 2^63. They come out over 2^20, and are scaled to 2^count.
///
/// The word F is odd, and kept as h with F = 2 h + 1, because that makes the chain of dependent instructions short: for
/// odd G = 2 a + 1, (G + F) / 2 = a + h + 1 and (G - F) / 2 = a + !h + 1.
#[inline(always)]
fn packed_steps(zeta: i64, f0: u64, g0: u64, count: u32) -> (i64, Matrix) {
    let low = |word: u64| (word << (64 - PACKED_STEPS)) as i64 >> (64 - PACKED_STEPS);
    let mut h = (low(f0) + (1 << (PACKED_STEPS + COLUMN_F))) >> 1;
    let mut g = low(g0) + (1 << (PACKED_STEPS + COLUMN_G));
    let mut zeta = zeta;
    for _ in 0..count {
        let positive = from_sign(zeta);
        let bit = g & 1;
        let odd = from_bit(bit as u64) as i64;
        let half = g >> 1;
        let swap = positive & odd;
        g = half + bit + ((h ^ positive) & odd);
        h ^= (h ^ half) & swap;
        // delta -> 1 - delta is zeta -> -zeta - 2; delta -> delta + 1 is zeta -> zeta - 1.
        zeta = (zeta ^ swap) - 1;
        debug_assert!((-591..=591).contains(&zeta));
    }
    let unpack = |word: i64| {
        let word = word + (1 << (COLUMN_F - 1));
        let u = word << (64 - COLUMN_G) >> (64 - COLUMN_G + COLUMN_F);
        let v = (word + (1 << (COLUMN_G - 1))) >> COLUMN_G;
        (u >> (PACKED_STEPS - count), v >> (PACKED_STEPS - count))
    };
    let ((u, v), (q, r)) = (unpack(2 * h + 1), unpack(g));
    (zeta, Matrix { u, v, q, r })
}

/// What a loop over trailing zeros does in one turn, in variable time, with `eta = -delta`.
///
/// `SIGNED` steps swap (f, g) to (g, -f); others to (g, f), which keeps non-negative values so, as the Jacobi symbol
/// needs. The second result has the parity of the number of sign changes of the Jacobi symbol (f / g); it is
/// meaningful only where f0 and g0 are the values mod 2^64 and the steps are not signed.
#[inline(always)]
fn divsteps_62_vartime<const SIGNED: bool>(eta: i64, f0: u64, g0: u64) -> (i64, Matrix, u64) {
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let (mut eta, mut f, mut g) = (eta, f0, g0);
    let mut flips = 0;
    let mut left = 62;
    loop {
        // Even g: as many steps as g has trailing zeros, up to those left, only halve g.
        let zeros = (g | u64::MAX << left).trailing_zeros();
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros as i64;
        left -= zeros;
        if !SIGNED {
            // (2 / f) = -1 exactly for f = 3, 5 mod 8, where bits 1 and 2 differ.
            flips ^= zeros as u64 & (f >> 1 ^ f >> 2);
        }
        if left == 0 {
            break;
        }
        debug_assert!(f & g & 1 == 1);
        debug_assert!(u.wrapping_mul(f0).wrapping_add(v.wrapping_mul(g0)) == f << (62 - left));
        debug_assert!(q.wrapping_mul(f0).wrapping_add(r.wrapping_mul(g0)) == g << (62 - left));
        // The multiple w of f that clears the lowest bits of g does as many steps at once: up to five, no more than are
        // left, and no more than until the sign of delta changes. Fewer are right too, which is why the count of a
        // shift may wrap. f (3 f ^ 2) = 1 mod 32 for odd f.
        let multiple = |eta: i64, f: u64, g: u64| {
            let clear = 31 & !(u64::MAX << left) & 2u64.wrapping_shl(eta as u32).wrapping_sub(1);
            let w = g.wrapping_neg().wrapping_mul(f.wrapping_mul(3) ^ 2) & clear;
            debug_assert!(clear != 0 && g.wrapping_add(f.wrapping_mul(w)) & clear == 0);
            w
        };
        let w;
        // Nearly always: with several zeros a turn, delta changes sign in each.
        if eta < 0 {
            eta = -eta;
            if SIGNED {
                (f, g) = (g, f.wrapping_neg());
                (u, q) = (q, u.wrapping_neg());
                (v, r) = (r, v.wrapping_neg());
            } else {
                // Quadratic reciprocity: swapping odd values changes the sign where both are 3 mod 4.
                flips ^= (f & g) >> 1;
                (f, g) = (g, f);
                (u, q) = (q, u);
                (v, r) = (r, v);
            }
            w = multiple(eta, f, g);
        } else {
            w = multiple(eta, f, g);
        }
        g = g.wrapping_add(f.wrapping_mul(w));
        q = q.wrapping_add(u.wrapping_mul(w));
        r = r.wrapping_add(v.wrapping_mul(w));
    }
    let matrix = Matrix { u: u as i64, v: v as i64, q: q as i64, r: r as i64 };
    debug_assert!(matrix.is_sound(62, !SIGNED));
    (eta, matrix, flips & 1)
}

/// 62 division steps in variable time, with `eta = -delta`.
#[inline(always)]
pub(super) fn signed_steps_vartime(eta: i64, f0: u64, g0: u64) -> (i64, Matrix) {
    let (eta, matrix, _) = divsteps_62_vartime::<true>(eta, f0, g0);
    (eta, matrix)
}

/// 62 division steps without negation, for f, g >= 0 given mod 2^64. The last result is 1 where the Jacobi symbol of g
/// over f changed its sign on the way.
#[inline(always)]
pub(super) fn positive_steps_vartime(eta: i64, f0: u64, g0: u64) -> (i64, Matrix, u64) {
    divsteps_62_vartime::<false>(eta, f0, g0)
}
