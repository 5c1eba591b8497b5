//! Squares and square roots modulo p. Variable time, for public numbers.

use super::{Fe, Fp, is_equal_vartime};
use phalanx_engine::field::{BaseField, Field, FieldX1};

/// p - 1 = 2^TWO_ADICITY t, with t odd.
const TWO_ADICITY: u32 = 32;

/// (t - 1) / 2.
const HALF_OF_T_MINUS_ONE: [u64; 4] =
    [0x7fff_2dff_7fff_ffff, 0x04d0_ec02_a9de_d201, 0x94ce_bea4_199c_ec04, 0x0000_0000_39f6_d3a9];

/// 7^t, of order 2^TWO_ADICITY, because 7 is not a square.
const ROOT_OF_UNITY: [u64; 4] =
    [0x3829_971f_439f_0d2b, 0xb636_8350_8c22_80b9, 0xd09b_6819_22c8_13b4, 0x16a2_a19e_dfe8_1f20];

/// Whether the number is a square, zero included: by its Jacobi symbol.
pub(crate) fn is_square_vartime(number: Fe) -> bool {
    Fp::MODULUS.jacobi_vartime(&number.normalize().to_words()) >= 0
}

/// A square root, if there is one; of magnitude 1. By the method of Tonelli and Shanks.
///
/// Invariant: root^2 = number * excess, and the order of `excess` divides 2^(order_bits - 1), while `unity` has order
/// 2^order_bits. Where excess has order 2^k, squaring `unity` until it has order 2^(k + 1) gives a factor of the root
/// whose square has order 2^k too, so that it halves the order of the excess at least. An excess of order
/// 2^TWO_ADICITY belongs to a number that is not a square.
pub(crate) fn sqrt_vartime(number: Fe) -> Option<Fe> {
    if number.is_zero_vartime() {
        return Some(Fe::zero());
    }
    let power = power_vartime(number, &HALF_OF_T_MINUS_ONE);
    let mut root = number.mul(power);
    let mut excess = root.mul(power);
    let mut unity = Fe::constant(ROOT_OF_UNITY);
    let mut order_bits = TWO_ADICITY;
    while !is_equal_vartime(excess, Fe::one()) {
        let (mut k, mut square) = (0, excess);
        while !is_equal_vartime(square, Fe::one()) {
            square = square.square();
            k += 1;
            if k == order_bits {
                return None;
            }
        }
        let factor = unity.square_times(order_bits - k - 1);
        root = root.mul(factor);
        unity = factor.square();
        excess = excess.mul(unity);
        order_bits = k;
    }
    Some(root)
}

/// `base^exponent`, by windows of four bits.
fn power_vartime(base: Fe, exponent: &[u64; 4]) -> Fe {
    let mut powers = [Fe::one(); 16];
    for i in 1..16 {
        powers[i] = powers[i - 1].mul(base);
    }
    let mut result = Fe::one();
    for word in exponent.iter().rev() {
        for shift in (0..64).step_by(4).rev() {
            result = result.square_times(4).mul(powers[(word >> shift) as usize % 16]);
        }
    }
    result
}
