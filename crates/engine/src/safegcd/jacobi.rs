//! The Jacobi symbol, in variable time.

use super::Modulus;
use super::divsteps::positive_steps_vartime;
use super::signed62::{Signed62, shorten, update_fg};
use crate::limbs::{half, subtract};

/// Blocks of 62 non-negative division steps before the symbol is computed another way. No bound is proved for these
/// steps; random 256-bit input takes about 7 blocks to come down to 124 bits, so that 32 are out of reach and cost
/// nothing. Values with a common factor of more than 124 bits take them all.
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

    /// The symbol by non-negative division steps down to two limbs, or `None` where [`BLOCKS`] blocks do not get there.
    #[inline(always)]
    pub(super) fn jacobi_by_divsteps(&self, x: &[u64; 4]) -> Option<i32> {
        let (mut f, mut g) = (self.balanced.carried(), Signed62::from_limbs(x));
        let mut eta = -1;
        let mut length = 5;
        let mut flips = 0;
        for _ in 0..BLOCKS {
            let (next, matrix, flipped) = positive_steps_vartime(eta, f.low_word(), g.low_word());
            eta = next;
            flips ^= flipped;
            update_fg(&mut f, &mut g, &matrix, length);
            // Each step replaces g by g / 2 or by a mean of two values that are not negative.
            debug_assert!(f.0[length - 1] >= 0 && g.0[length - 1] >= 0);
            length = shorten(&mut f, &mut g, length);
            if length <= 2 {
                let joined = |n: &Signed62| n.0[0] as u128 | if length == 2 { (n.0[1] as u128) << 62 } else { 0 };
                return Some(jacobi_of_words(joined(&g), joined(&f), flips));
            }
        }
        None
    }
}

/// The symbol (`a` / `n`), with its sign changed where `flips` is odd, for odd n, by halving and subtracting without a
/// branch on which is larger: two words first, then one.
#[inline(always)]
fn jacobi_of_words(a: u128, n: u128, flips: u64) -> i32 {
    let (mut a, mut n, mut flips) = (a, n, flips);
    while a >> 64 != 0 || n >> 64 != 0 {
        if a == 0 {
            // n is the greatest common divisor, and above 1.
            return 0;
        }
        let zeros = a.trailing_zeros();
        a >>= zeros;
        flips ^= u64::from(zeros) & (n >> 1 ^ n >> 2) as u64;
        // Exchange where a < n, which changes the sign where both are 3 mod 4; then subtract.
        let below = u128::from(a < n).wrapping_neg();
        flips ^= ((a & n) as u64 >> 1) & below as u64;
        let difference = a.wrapping_sub(n);
        n = n.wrapping_add(difference & below);
        a = (difference ^ below).wrapping_sub(below);
    }
    let (mut a, mut n) = (a as u64, n as u64);
    while a != 0 {
        let zeros = a.trailing_zeros();
        a >>= zeros;
        flips ^= u64::from(zeros) & (n >> 1 ^ n >> 2);
        let below = u64::from(a < n).wrapping_neg();
        flips ^= ((a & n) >> 1) & below;
        let difference = a.wrapping_sub(n);
        n = n.wrapping_add(difference & below);
        a = (difference ^ below).wrapping_sub(below);
    }
    if n == 1 { 1 - 2 * (flips & 1) as i32 } else { 0 }
}

/// The symbol (`x` / `modulus`) for odd `modulus` by halving and subtracting: at most 512 turns for any input.
pub(super) fn jacobi_by_subtraction(x: &[u64; 4], modulus: &[u64; 4]) -> i32 {
    let (mut a, mut n) = (*x, *modulus);
    let mut negative = 0;
    while a != [0; 4] {
        if a[0] & 1 == 0 {
            a = half(&a);
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
