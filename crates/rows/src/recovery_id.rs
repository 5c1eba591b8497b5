//! The recovery id behind a number, be it a `v` or a byte of a signature: 0 to 3 as it is, 27 to 30 with Bitcoin's
//! offset, 35 and above with a chain id (EIP-155), whose parity is all that is left of it; or 27 to 42 as the header of
//! BIP-137, which also tells the kind of address.

use crate::policy::RecoveryIds;
use crate::roles::LONGEST;

/// Stands for what encodes no recovery id; recovery answers it with `out_of_range`.
pub(crate) const OUT_OF_RANGE: u8 = u8::MAX;

/// A `v` as a byte that means the same: itself up to 42, above it 43 or 44, whichever has its parity.
pub(crate) const fn from_integer(v: i128) -> u8 {
    match v {
        0..=42 => v as u8,
        43.. => 43 + ((v - 43) & 1) as u8,
        _ => OUT_OF_RANGE,
    }
}

/// The recovery id that a byte of a signature encodes.
pub(crate) const fn of_byte(byte: u8, ids: RecoveryIds) -> u8 {
    match (ids, byte) {
        (RecoveryIds::Header, 27..=42) => (byte - 27) & 3,
        (_, 0..=3) => byte,
        (RecoveryIds::Header, _) => OUT_OF_RANGE,
        (_, 27..=30) => byte - 27,
        // v = 35 + 2 * chain id + parity.
        (RecoveryIds::Eip155, 35..) => (byte - 35) & 1,
        _ => OUT_OF_RANGE,
    }
}

/// The recovery id that a `v` in a column of its own encodes, given what [`from_integer`] makes of it. EIP-155 counts
/// there under every rule but BIP-137's: such a `v` is a number that somebody wrote as one, and a header from 35 to 42
/// has the same parity.
pub(crate) fn of_column(v: u8, ids: RecoveryIds) -> u8 {
    match ids {
        RecoveryIds::Header if v <= 3 => OUT_OF_RANGE,
        RecoveryIds::Header => of_byte(v, ids),
        _ if v == OUT_OF_RANGE => v,
        _ => of_byte(v, RecoveryIds::Eip155),
    }
}

/// The recovery id that a cell of [`Role::V`](crate::Role::V) encodes, or a number above 3 if it encodes none.
pub fn recovery_id_of(cell: u8) -> u8 {
    of_column(cell, RecoveryIds::Last)
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
        let column = |v| recovery_id_of(from_integer(v));
        for (v, id) in [(0, 0), (1, 1), (2, 2), (3, 3), (27, 0), (28, 1), (29, 2), (30, 3), (37, 0), (38, 1)] {
            assert_eq!(column(v), id, "{v}");
        }
        for v in [-1, 4, 26, 31, 34, i128::MIN] {
            assert_eq!(column(v), OUT_OF_RANGE, "{v}");
        }
        for v in 35..1000 {
            assert_eq!(i128::from(column(v)), (v - 35) & 1, "{v}");
        }
        assert_eq!([35 + 2 * i128::from(u64::MAX) + 1, i128::MAX].map(column), [1, 0]);
    }

    #[test]
    fn a_byte_behind_a_signature_is_eip_155_only_if_asked_for() {
        for byte in 0..=u8::MAX {
            let plain = match byte {
                0..=3 => byte,
                27..=30 => byte - 27,
                _ => OUT_OF_RANGE,
            };
            let header = if (27..=42).contains(&byte) { (byte - 27) % 4 } else { OUT_OF_RANGE };
            let in_front = if byte <= 3 { byte } else { header };
            let eip155 = if byte >= 35 { (byte - 35) % 2 } else { plain };
            let expected = [plain, eip155, in_front, plain];
            let ids = [RecoveryIds::Last, RecoveryIds::Eip155, RecoveryIds::Header, RecoveryIds::Eip2098];
            assert_eq!(ids.map(|ids| of_byte(byte, ids)), expected, "{byte}");
            let column = if byte == u8::MAX { OUT_OF_RANGE } else { eip155 };
            assert_eq!(ids.map(|ids| of_column(byte, ids)), [column, column, header, column], "{byte}");
        }
    }

    #[test]
    fn text_and_bytes() {
        assert_eq!(from_text(b"0x1b"), Some(27));
        assert_eq!(from_text(b"28"), Some(28));
        assert_eq!(from_text(b"true"), Some(1));
        assert_eq!(from_text(b"28.00"), Some(28));
        let zeros = |count| [&vec![b'0'; count][..], b"28"].concat();
        assert_eq!([from_text(&zeros(LONGEST - 2)), from_text(&zeros(LONGEST - 1))], [Some(28), None]);
        for text in [&b"0x"[..], b"0x-1", b"", b"1.", b".0", b"1.5", b"0x1.0", b"1.0.0", b"1.0e0", b"\xff"] {
            assert_eq!(from_text(text), None);
        }
        let exact = (1_u64 << 53) as f64;
        for (v, byte) in [(27.0, 27), (38.0, 38), (-0.0, 0), (4.0, 4), (exact, 44)] {
            assert_eq!(from_float(v, exact), Some(byte), "{v}");
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
        for (value, scale, byte) in [
            (27, 0, Some(27)),
            (2800, 2, Some(28)),
            (2850, 2, None),
            (-2800, 2, Some(OUT_OF_RANGE)),
            (-1, 2, None),
            (0, 76, Some(0)),
            (ten, 38, Some(1)),
            (ten, 39, None),
            (3, -1, Some(30)),
            (1, -1, Some(10)),
            (1, -38, Some(44)),
            (1, -39, None),
            (1, -128, None),
            (i128::MAX, 0, Some(43)),
            (minimum, 0, Some(OUT_OF_RANGE)),
        ] {
            assert_eq!(from_decimal(&wide(value), scale), byte, "{value}, {scale}");
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
            [Some(37), None, None]
        );
    }
}
