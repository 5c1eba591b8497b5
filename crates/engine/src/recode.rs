//! Scalars as digits.
//!
//! Two forms: windows of a fixed width with signed digits, whose schedule is the same for every scalar and serves
//! secrets and lanes alike; and the width-w non-adjacent form, whose few non-zero digits stand where the scalar puts
//! them.

/// Splits a number of `4 * 64` bits, below 2^255, into signed digits of `width` bits, least significant first:
/// `number = sum of digits[i] 2^(width i)` with every digit from `1 - 2^(width-1)` to `2^(width-1)`. Constant time.
///
/// `digits` must have room for 256 bits: `width * digits.len() >= 256`, so that no carry is left.
#[inline(always)]
pub fn signed_windows(number: &[u64; 4], width: u32, digits: &mut [i16]) {
    debug_assert!(width as usize * digits.len() >= 256 && width < 16);
    let ones = (1u64 << width) - 1;
    let mut carry = 0;
    for (i, digit) in digits.iter_mut().enumerate() {
        let bit = i * width as usize;
        let (word, shift) = (bit / 64, bit as u32 % 64);
        let mut window = if word < 4 { number[word] >> shift } else { 0 };
        if shift + width > 64 && word < 3 {
            window |= number[word + 1] << (64 - shift);
        }
        let value = (window & ones) + carry;
        // Above half the range the digit is negative and the next one pays.
        carry = ((1u64 << (width - 1)).wrapping_sub(value)) >> 63;
        *digit = (value as i64 - ((carry << width) as i64)) as i16;
    }
    debug_assert!(carry == 0, "the number has more bits than the digits");
}

/// The largest number of digits of a non-adjacent form of a 128-bit number.
pub const WNAF_DIGITS: usize = 130;

/// The width-w non-adjacent form of a number below 2^128: `magnitude = sum of digits[i] 2^i`, each digit zero or odd
/// and below 2^(width-1) in absolute value, among any `width` consecutive ones at most one not zero. Returns the number
/// of digits in use. Variable time.
#[inline]
pub fn wnaf_vartime(magnitude: u128, width: u32, digits: &mut [i16; WNAF_DIGITS]) -> usize {
    digits.fill(0);
    wnaf_for_each_vartime(magnitude, width, |at, digit| digits[at] = digit)
}

/// As [`wnaf_vartime`], telling each digit that is not zero with its position, from the lowest up.
#[inline]
pub fn wnaf_for_each_vartime(magnitude: u128, width: u32, mut tell: impl FnMut(usize, i16)) -> usize {
    debug_assert!((2..=16).contains(&width));
    let (mut rest, mut carry, mut at, mut used) = (magnitude, 0u128, 0, 0);
    // Invariant: magnitude = digits so far + (rest + carry) 2^at, where carry is 0 or 1. A carry into ones stays a
    // carry. The carry comes after a shift, so that with it the top bit of rest is clear: nothing is left exactly where
    // no bit differs from the carry.
    while rest ^ carry.wrapping_neg() != 0 {
        let zeros = (rest ^ carry.wrapping_neg()).trailing_zeros();
        rest >>= zeros;
        at += zeros as usize;
        let window = ((rest & ((1 << width) - 1)) + carry) as i32;
        carry = u128::from(window > 1 << (width - 1));
        tell(at, (window - ((carry as i32) << width)) as i16);
        used = at + 1;
        rest >>= width;
        at += width as usize;
    }
    used
}

/// As [`wnaf_for_each_vartime`] for a number of 64-bit words, least significant first; the number has a place more than
/// it has bits.
#[inline]
pub fn wnaf_words_vartime<const N: usize>(number: &[u64; N], width: u32, mut tell: impl FnMut(usize, i16)) {
    debug_assert!((2..=16).contains(&width));
    let word = |at: usize| number.get(at).copied().unwrap_or(0);
    // The next bits, with zeros above the number.
    let window = |at: usize| {
        let (low, high) = (word(at / 64), word(at / 64 + 1));
        low >> (at % 64) | high << 1 << (63 - at % 64)
    };
    // Invariant: number = digits so far + (what is left from `at` on + carry) 2^at, where carry is 0 or 1.
    let (mut at, mut carry) = (0, 0u64);
    while at <= 64 * N {
        // Places where what is left and the carry come to an even number: a carry into ones stays a carry.
        let zeros = (window(at) ^ carry.wrapping_neg()).trailing_zeros();
        if zeros > 0 {
            at += zeros as usize;
            continue;
        }
        let digit = (window(at) & ((1 << width) - 1)) + carry;
        carry = u64::from(digit > 1 << (width - 1));
        tell(at, (digit as i64 - ((carry as i64) << width)) as i16);
        at += width as usize;
    }
    debug_assert!(carry == 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    fn numbers() -> Vec<u128> {
        let mut numbers = vec![0, 1, 2, 3, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1, u128::MAX / 3];
        numbers.extend((0..128).flat_map(|bit| [1u128 << bit, (1u128 << bit).wrapping_sub(1), u128::MAX << bit]));
        let mut state = 1u128;
        for _ in 0..2000 {
            state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
            numbers.push(state ^ state >> 71);
        }
        numbers
    }

    #[test]
    fn non_adjacent_forms_add_up() {
        for width in 2..=16 {
            for number in numbers() {
                let mut digits = [0; WNAF_DIGITS];
                let used = wnaf_vartime(number, width, &mut digits);
                assert!(digits[used..].iter().all(|&digit| digit == 0));
                let mut rest = number;
                let mut quiet = 0;
                for &digit in &digits[..used] {
                    assert!(
                        digit == 0 || quiet == 0 && digit % 2 != 0 && (digit.unsigned_abs() as u32) < 1 << (width - 1)
                    );
                    quiet = if digit == 0 { u32::saturating_sub(quiet, 1) } else { width - 1 };
                    let odd = rest & 1;
                    assert_eq!(odd == 0, digit == 0 || digit % 2 == 0);
                    // Exact division by two of rest - digit, which may pass 2^128 by the last digit's borrow.
                    let negative = digit < 0;
                    let (value, over) = if negative {
                        rest.overflowing_add(digit.unsigned_abs().into())
                    } else {
                        (rest - digit as u128, false)
                    };
                    rest = value >> 1 | u128::from(over) << 127;
                }
                assert_eq!(rest, 0, "{number:#x} at width {width}");
            }
        }
    }

    #[test]
    fn signed_windows_add_up() {
        for width in [4u32, 5, 6, 7, 8, 13] {
            for pair in numbers().windows(2) {
                let number =
                    [pair[0] as u64, (pair[0] >> 64) as u64, pair[1] as u64, (pair[1] >> 64) as u64 & (u64::MAX >> 1)];
                let mut digits = vec![0; 256usize.div_ceil(width as usize)];
                signed_windows(&number, width, &mut digits);
                // Horner from the top in wrapping 256-bit arithmetic, as 8 words of 32 bits.
                let mut sum = [0i64; 8];
                for &digit in digits.iter().rev() {
                    let mut carry = i64::from(digit);
                    for word in &mut sum {
                        let value = (*word << width) + carry;
                        (*word, carry) = (value & 0xffff_ffff, value >> 32);
                    }
                    assert!(i32::from(digit) <= 1 << (width - 1) && i32::from(digit) > -(1 << (width - 1)));
                }
                let words: Vec<u64> = sum.chunks(2).map(|pair| pair[0] as u64 | (pair[1] as u64) << 32).collect();
                assert_eq!(words, number, "width {width}");
            }
        }
    }

    #[test]
    fn words_have_the_same_form() {
        for number in numbers() {
            for width in 2..=16 {
                let (mut expected, mut found, mut above) = (Vec::new(), Vec::new(), Vec::new());
                wnaf_for_each_vartime(number, width, |at, digit| expected.push((at, digit)));
                let words = [number as u64, (number >> 64) as u64];
                wnaf_words_vartime(&words, width, |at, digit| found.push((at, digit)));
                assert_eq!(found, expected, "{number:#x}, width {width}");
                // The same number from place 128 on.
                wnaf_words_vartime(&[0, 0, words[0], words[1]], width, |at, digit| above.push((at - 128, digit)));
                assert_eq!(above, expected, "{number:#x}, width {width}");
            }
        }
    }
}
