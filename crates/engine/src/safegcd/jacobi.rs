//! The Jacobi symbol, in variable time.

use super::Modulus;
use super::divsteps::positive_steps_vartime;
use super::signed62::{Signed62, shorten, update_fg};

/// Blocks of 62 non-negative division steps before the symbol is computed another way. No bound is proved for these
/// steps; random 256-bit input takes 12 to 14 blocks, so that 32 are out of reach and cost nothing.
const BLOCKS: usize = 32;

impl Modulus {
    /// The Jacobi symbol (`x` / modulus): 1, -1, or 0 where they have a common factor. For a prime modulus, 1 says that
    /// `x` is a non-zero square. `x` in little-endian limbs, below the modulus.
    ///
    /// Variable time: for public values only.
    #[inline(always)]
    pub fn jacobi_vartime(&self, x: &[u64; 4]) -> i32 {
        debug_assert!(self.is_reduced(x));
        self.jacobi_by_divsteps(x).unwrap_or_else(|| jacobi_by_subtraction(x, &self.value))
    }

    /// The symbol by non-negative division steps, or `None` where [`BLOCKS`] blocks do not end.
    #[inline(always)]
    pub(super) fn jacobi_by_divsteps(&self, x: &[u64; 4]) -> Option<i32> {
        if *x == [0; 4] {
            return Some(0);
        }
        let (mut f, mut g) = (self.balanced.carried(), Signed62::from_limbs(x));
        let mut eta = -1;
        let mut length = 5;
        let mut flips = 0;
        for _ in 0..BLOCKS {
            let (next, matrix, flipped) = positive_steps_vartime(eta, f.low_word(), g.low_word());
            eta = next;
            flips ^= flipped;
            update_fg(&mut f, &mut g, &matrix, length);
            // Both stay positive: each step replaces g by g / 2 or by a mean of two positive values.
            debug_assert!(f.0[length - 1] >= 0 && g.0[length - 1] >= 0);
            if f.0[0] == 1 && f.0[1..length].iter().all(|&limb| limb == 0) {
                return Some(1 - 2 * flips as i32);
            }
            // Equal values are a fixed point of the steps, and the greatest common divisor.
            if f.0[..length] == g.0[..length] {
                return Some(0);
            }
            length = shorten(&mut f, &mut g, length);
        }
        None
    }
}

/// The symbol (`x` / `modulus`) for odd `modulus` by halving and subtracting: at most 512 turns for any input.
pub(super) fn jacobi_by_subtraction(x: &[u64; 4], modulus: &[u64; 4]) -> i32 {
    let (mut a, mut n) = (*x, *modulus);
    let mut negative = 0;
    while a != [0; 4] {
        if a[0] & 1 == 0 {
            a = core::array::from_fn(|i| a[i] >> 1 | if i < 3 { a[i + 1] << 63 } else { 0 });
            negative ^= n[0] >> 1 ^ n[0] >> 2;
            continue;
        }
        let (difference, below) = subtract(&a, &n);
        if below {
            negative ^= (a[0] & n[0]) >> 1;
            (a, n) = (subtract(&n, &a).0, a);
        } else {
            a = difference;
        }
    }
    if n == [1, 0, 0, 0] { 1 - 2 * (negative & 1) as i32 } else { 0 }
}

/// `a - b` mod 2^256, and whether a < b.
fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let mut borrow = false;
    let difference = core::array::from_fn(|i| {
        let (limb, out) = a[i].borrowing_sub(b[i], borrow);
        borrow = out;
        limb
    });
    (difference, borrow)
}
