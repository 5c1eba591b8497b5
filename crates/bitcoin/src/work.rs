//! The work that a header proves.

use crate::block::Header;

/// A target: hashes up to it, read as little-endian numbers, prove the work. Big-endian bytes.
pub(crate) type Target = [u8; 32];

/// The target that a header names in short form: three digits of base 256, and the number of digits. None if it is
/// zero, negative or too large.
pub(crate) fn target(bits: u32) -> Option<Target> {
    let [size, digits @ ..] = bits.to_be_bytes();
    let mut target = [0; 32];
    for (place, digit) in digits.into_iter().enumerate() {
        // The last digit stands for 256^(size - 3).
        match (usize::from(size)).checked_sub(place + 1) {
            Some(power) if power < 32 => target[31 - power] = digit,
            Some(_) if digit != 0 => return None,
            _ => {}
        }
    }
    (digits[0] & 0x80 == 0 && target != [0; 32]).then_some(target)
}

/// How many hashes a target takes on average: 2^256 / (target + 1), rounded down; `u128::MAX` if it is more.
fn work(target: &Target) -> u128 {
    // The target is below 2^256 and not zero; long division of 2^256 by it, bit by bit, of which 128 bits are kept.
    let Some(divisor) = increased(target) else { return 1 };
    let (mut quotient, mut rest) = (0_u128, [0; 32]);
    for bit in (0..=256).rev() {
        let carry = doubled(&mut rest);
        rest[31] |= u8::from(bit == 256);
        if carry || rest >= divisor {
            subtract(&mut rest, &divisor);
            if bit >= 128 {
                return u128::MAX;
            }
            quotient |= 1 << bit;
        }
    }
    quotient
}

/// One more; none at 2^256.
fn increased(number: &Target) -> Option<Target> {
    let mut sum = *number;
    sum.iter_mut()
        .rev()
        .any(|digit| {
            *digit = digit.wrapping_add(1);
            *digit != 0
        })
        .then_some(sum)
}

/// Twice the number, and whether it has become too long.
fn doubled(number: &mut Target) -> bool {
    number.iter_mut().rev().fold(false, |carry, digit| {
        let top = *digit >> 7 == 1;
        *digit = *digit << 1 | u8::from(carry);
        top
    })
}

/// The difference modulo 2^256.
fn subtract(number: &mut Target, other: &Target) {
    let mut borrow = false;
    for (digit, other) in number.iter_mut().zip(other).rev() {
        let (first, below) = digit.overflowing_sub(*other);
        let (second, below_again) = first.overflowing_sub(u8::from(borrow));
        (*digit, borrow) = (second, below || below_again);
    }
}

/// The work of a header, if its hash proves it and its target is no easier than `limit`.
pub(crate) fn proved(header: &Header, limit: u32) -> Option<u128> {
    let mut hash = header.hash();
    hash.reverse();
    let target = target(header.bits)?;
    (hash <= target && target <= self::target(limit)?).then(|| work(&target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_from_their_short_form() {
        let text = |bits| target(bits).map(|target| const_hex::encode(target).trim_start_matches('0').to_owned());
        assert_eq!(text(0x1d00_ffff), Some(format!("ffff{}", "0".repeat(52))));
        assert_eq!(text(0x0312_3456), Some("123456".into()));
        assert_eq!(text(0x0212_3456), Some("1234".into()));
        assert_eq!(text(0x2000_ffff).map(|text| text.len()), Some(62));
        for none in [0, 0x0100_0000, 0x0100_3456, 0x2101_0000, 0x2101_0001, 0x2300_0001, 0x1d80_0001] {
            assert_eq!(text(none), None, "{none:x}");
        }
    }

    #[test]
    fn work_is_the_share_of_hashes() {
        // The first block's, that of regtest, and powers of two, which are one below the power.
        assert_eq!(work(&target(0x1d00_ffff).unwrap()), 0x1_0001_0001);
        assert_eq!(work(&target(0x207f_ffff).unwrap()), 2);
        assert_eq!(work(&[0xff; 32]), 1);
        let mut half = [0; 32];
        half[0] = 0x80;
        assert_eq!(work(&half), 1);
        assert_eq!(work(&target(0x1100_0001).unwrap()), u128::MAX);
        let mut power = [0; 32];
        power[14] = 1;
        assert_eq!(work(&power), u128::MAX >> 8);
    }
}
