//! Modular inversion and the Jacobi symbol by division steps.
//!
//! Source: Daniel J. Bernstein and Bo-Yin Yang, "Fast constant-time gcd computation and modular inversion", 2019, with
//! the start value delta = 1/2 for the constant-time form (Pieter Wuille, 2021) and non-negative division steps for the
//! Jacobi symbol. The [explanation below](#inversion-and-the-jacobi-symbol-by-division-steps) starts from the beginning
//! and proves the bounds. The example `divstep_bounds` in the repository computes the step counts with exact integers.
//!
//! | file | holds |
//! |---|---|
//! | `divsteps` | 59 or 62 division steps on one machine word, as a 2x2 matrix |
//! | `signed62` | integers in limbs of 62 bits, and the product of a matrix and a pair of them |
//! | `inverse` | the constant-time and the variable-time inversion |
//! | `jacobi` | the Jacobi symbol, variable time |
//!
//! The room uses [`crate::mask`] only.
#![doc = ""]
#![doc = include_str!("../../docs/safegcd.md")]

mod divsteps;
mod inverse;
mod jacobi;
mod signed62;

use signed62::Signed62;

/// An odd modulus between 3 and 2^256 - 1 with what inversion modulo it needs, computed at compile time.
///
/// ```
/// use phalanx_engine::safegcd::Modulus;
///
/// const M: Modulus = Modulus::new([1_000_003, 0, 0, 0]);
/// assert_eq!(M.invert(&[2, 0, 0, 0]), [500_002, 0, 0, 0]);
/// assert_eq!(M.invert_vartime(&[500_002, 0, 0, 0]), [2, 0, 0, 0]);
/// assert_eq!(M.jacobi_vartime(&[4, 0, 0, 0]), 1);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Modulus {
    /// Little-endian limbs of 64 bits.
    value: [u64; 4],
    /// The same value with the four lower limbs balanced around zero, so that a modulus close to a power of two has
    /// zero limbs, whose products vanish at compile time where the modulus is a constant.
    balanced: Signed62,
    /// 1 / modulus mod 2^62.
    inverse62: u64,
}

impl Modulus {
    /// Describes the modulus with these little-endian limbs.
    ///
    /// # Panics
    ///
    /// If the value is even or 1; at compile time where the result is a constant.
    pub const fn new(value: [u64; 4]) -> Modulus {
        assert!(value[0] & 1 == 1, "the modulus must be odd");
        assert!(value[0] > 1 || value[1] | value[2] | value[3] != 0, "the modulus must be at least 3");
        // Newton's iteration doubles the number of correct low bits: an odd number is its own inverse mod 8.
        let mut inverse = value[0];
        let mut correct_bits = 3;
        while correct_bits < 62 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(value[0].wrapping_mul(inverse)));
            correct_bits *= 2;
        }
        Modulus { value, balanced: Signed62::from_limbs(&value).balanced(), inverse62: inverse & signed62::LIMB_MASK }
    }

    /// The modulus in little-endian limbs.
    pub const fn value(&self) -> &[u64; 4] {
        &self.value
    }
}

#[cfg(test)]
mod tests;
