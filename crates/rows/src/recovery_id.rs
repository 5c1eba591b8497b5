//! The recovery id behind a number, be it a `v` or the 65th byte of a signature: 0 to 3 as it is, 27 to 30 with
//! Bitcoin's offset, 35 and above with a chain id (EIP-155), whose parity is all that is left of it. 4 to 26 and 31 to
//! 34 encode none.

use crate::roles::LONGEST;

/// Stands for every `v` that encodes no recovery id; recovery answers it with `out_of_range`.
pub(crate) const OUT_OF_RANGE: u8 = u8::MAX;

/// EIP-155: v = 35 + 2 * chain id + parity, so the parity of v - 35 is the id.
pub(crate) const fn from_integer(v: i128) -> u8 {
    match v {
        0..=3 => v as u8,
        27..=30 => (v - 27) as u8,
        35.. => ((v - 35) & 1) as u8,
        _ => OUT_OF_RANGE,
    }
}

/// A number of at most eight bytes, the most significant first.
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<u8> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    Some(from_integer(bytes.iter().fold(0, |number, byte| number << 8 | i128::from(*byte))))
}

/// A whole number that was stored as one with a fraction. Above `exact` such numbers have lost their last digits.
pub(crate) fn from_float(v: f64, exact: f64) -> Option<u8> {
    (v.fract() == 0.0 && v.abs() <= exact).then(|| from_integer(v as i128))
}

/// An integer of 256 bits with a sign, least significant byte first, divided by ten to the power of the scale: whole,
/// and of 128 bits.
pub(crate) fn from_decimal(value: &[u8; 32], scale: i8) -> Option<u8> {
    let (words, _) = value.as_chunks::<8>();
    let negative = value[31] >= 0x80;
    let mut magnitude = [0; 4];
    let mut carry = negative;
    for (limb, word) in magnitude.iter_mut().zip(words) {
        let word = u64::from_le_bytes(*word);
        (*limb, carry) = if negative { (!word).overflowing_add(carry.into()) } else { (word, false) };
    }
    for _ in 0..scale.unsigned_abs() {
        if magnitude == [0; 4] {
            break;
        }
        let exact = if scale > 0 { divide_by_ten(&mut magnitude) == 0 } else { multiply_by_ten(&mut magnitude) == 0 };
        if !exact {
            return None;
        }
    }
    let [low, high, 0, 0] = magnitude else { return None };
    let magnitude = u128::from(high) << 64 | u128::from(low);
    let value = if negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() };
    value.map(from_integer)
}

/// Divides a number, least significant limb first; returns the remainder.
fn divide_by_ten(number: &mut [u64; 4]) -> u64 {
    number.iter_mut().rev().fold(0, |remainder, limb| {
        let part = u128::from(remainder) << 64 | u128::from(*limb);
        // The quotient is one limb: the remainder before is below ten.
        *limb = (part / 10) as u64;
        (part % 10) as u64
    })
}

/// Multiplies a number, least significant limb first; returns what does not fit.
fn multiply_by_ten(number: &mut [u64; 4]) -> u64 {
    number.iter_mut().fold(0, |carry, limb| {
        let part = u128::from(*limb) * 10 + u128::from(carry);
        *limb = part as u64;
        (part >> 64) as u64
    })
}

/// A decimal number, which may have zeros behind a point, a hexadecimal one with `0x`, or `true` or `false`. Text that
/// is longer than any value may be is no number.
pub(crate) fn from_text(text: &[u8]) -> Option<u8> {
    if text.len() > LONGEST {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    match text {
        "true" | "True" | "TRUE" => Some(1),
        "false" | "False" | "FALSE" => Some(0),
        _ => match text.strip_prefix("0x") {
            Some(digits) if digits.starts_with(['+', '-']) => None,
            Some(digits) => i128::from_str_radix(digits, 16).ok().map(from_integer),
            None => {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
                let zeros = !fraction.is_empty() && fraction.bytes().all(|digit| digit == b'0');
                whole.parse().ok().filter(|_| zeros).map(from_integer)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding() {
        for (v, id) in [(0, 0), (1, 1), (2, 2), (3, 3), (27, 0), (28, 1), (29, 2), (30, 3), (37, 0), (38, 1)] {
            assert_eq!(from_integer(v), id, "{v}");
        }
        for v in [-1, 4, 26, 31, 34, i128::MIN] {
            assert_eq!(from_integer(v), OUT_OF_RANGE, "{v}");
        }
        assert_eq!(from_integer(35 + 2 * i128::from(u64::MAX) + 1), 1);
    }

    #[test]
    fn text_and_bytes() {
        assert_eq!(from_text(b"0x1b"), Some(0));
        assert_eq!(from_text(b"28"), Some(1));
        assert_eq!(from_text(b"true"), Some(1));
        assert_eq!(from_text(b"28.00"), Some(1));
        let zeros = |count| [&vec![b'0'; count][..], b"28"].concat();
        assert_eq!([from_text(&zeros(LONGEST - 2)), from_text(&zeros(LONGEST - 1))], [Some(1), None]);
        for text in [&b"0x"[..], b"0x-1", b"", b"1.", b".0", b"1.5", b"0x1.0", b"1.0.0", b"1.0e0", b"\xff"] {
            assert_eq!(from_text(text), None);
        }
        let exact = (1_u64 << 53) as f64;
        for (v, id) in [(27.0, Some(0)), (38.0, Some(1)), (-0.0, Some(0)), (4.0, Some(OUT_OF_RANGE)), (exact, Some(1))]
        {
            assert_eq!(from_float(v, exact), id, "{v}");
        }
        for v in [0.5, exact * 2.0, f64::NAN, f64::INFINITY, -1e300] {
            assert_eq!(from_float(v, exact), None, "{v}");
        }
        assert_eq!(from_bytes(&[0x01, 0x00]), Some(from_integer(256)));
        assert_eq!(from_bytes(&[]), None);
    }

    #[test]
    fn decimals() {
        let wide = |value: i128| {
            let mut wide = [if value < 0 { 0xff } else { 0 }; 32];
            wide[..16].copy_from_slice(&value.to_le_bytes());
            wide
        };
        let (ten, minimum) = (10_i128.pow(38), i128::MIN);
        for (value, scale, id) in [
            (27, 0, Some(0)),
            (2800, 2, Some(1)),
            (2850, 2, None),
            (-2800, 2, Some(OUT_OF_RANGE)),
            (-1, 2, None),
            (0, 76, Some(0)),
            (ten, 38, Some(1)),
            (ten, 39, None),
            (3, -1, Some(3)),
            (1, -1, Some(OUT_OF_RANGE)),
            (1, -38, Some(1)),
            (1, -39, None),
            (1, -128, None),
            (i128::MAX, 0, Some(0)),
            (minimum, 0, Some(OUT_OF_RANGE)),
        ] {
            assert_eq!(from_decimal(&wide(value), scale), id, "{value}, {scale}");
        }
        // Numbers of more than 128 bits, as text with as many digits would be read.
        let mut large = [0; 32];
        large[16] = 1;
        assert_eq!([from_decimal(&large, 0), from_decimal(&[0xff; 32], 0)], [None, Some(OUT_OF_RANGE)]);
        // 37 times 10^40.
        let mut number = [37, 0, 0, 0];
        (0..40).for_each(|_| assert_eq!(multiply_by_ten(&mut number), 0));
        let bytes: Vec<u8> = number.into_iter().flat_map(u64::to_le_bytes).collect();
        let bytes = bytes.try_into().unwrap();
        assert_eq!(
            [from_decimal(&bytes, 40), from_decimal(&bytes, 41), from_decimal(&bytes, 0)],
            [Some(0), None, None]
        );
    }
}
