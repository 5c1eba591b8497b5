//! Numbers of 256 bits: from hex, from decimal digits, from bytes, and to fewer bits; and why a value cannot be read.

use std::fmt;

/// Why a value cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueFault {
    /// It is not there.
    Missing,
    /// It is null or empty.
    Null,
    /// Text that is not hex.
    NotHex,
    /// Digits that are hex or decimal: nothing says which.
    Unprefixed,
    /// Neither a whole number in decimal digits nor hex after `0x`.
    NotWhole,
    /// A number of more bits than these.
    TooLarge(u32),
    /// Another number of bytes than the second.
    Length(usize, usize),
    /// A value of another type than this.
    Expected(&'static str),
}

impl fmt::Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueFault::Missing => f.write_str("missing"),
            ValueFault::Null => f.write_str("null or empty"),
            ValueFault::NotHex => f.write_str("not hex"),
            ValueFault::Unprefixed => f.write_str("decimal or hex? hex needs 0x in front"),
            ValueFault::NotWhole => f.write_str("neither a whole number nor hex after 0x"),
            ValueFault::TooLarge(bits) => write!(f, "a number of more than {bits} bits"),
            ValueFault::Length(1, expected) => write!(f, "1 byte, expected {expected}"),
            ValueFault::Length(found, expected) => write!(f, "{found} bytes, expected {expected}"),
            ValueFault::Expected(kind) => write!(f, "expected {kind}"),
        }
    }
}

/// What follows `0x`, or the `\x` of PostgreSQL.
pub(super) fn behind_prefix(text: &[u8]) -> Option<&[u8]> {
    [b"0x", b"0X", b"\\x"].into_iter().find_map(|prefix| text.strip_prefix(prefix))
}

/// A number in bytes, the most significant first.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<[u8; 32], ValueFault> {
    let mut number = [0; 32];
    let place = number.len().checked_sub(bytes.len()).ok_or(ValueFault::TooLarge(256))?;
    number[place..].copy_from_slice(bytes);
    Ok(number)
}

/// A number in hex digits.
fn from_digits(digits: &[u8]) -> Result<[u8; 32], ValueFault> {
    let mut padded = [b'0'; 64];
    let place = padded.len().checked_sub(digits.len()).ok_or(ValueFault::TooLarge(256))?;
    padded[place..].copy_from_slice(digits);
    let mut number = [0; 32];
    const_hex::decode_to_slice(padded, &mut number).map_err(|_| ValueFault::NotHex)?;
    Ok(number)
}

/// A number in decimal digits, with some zeros in front at most.
pub(super) fn from_decimal(text: &[u8]) -> Result<[u8; 32], ValueFault> {
    match text.len() {
        0 => return Err(ValueFault::NotWhole),
        101.. => return Err(ValueFault::TooLarge(256)),
        _ => {}
    }
    let mut number = [0; 32];
    for digit in text {
        let mut carry = match digit {
            b'0'..=b'9' => u16::from(digit - b'0'),
            _ => return Err(ValueFault::NotWhole),
        };
        for byte in number.iter_mut().rev() {
            carry += u16::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return Err(ValueFault::TooLarge(256));
        }
    }
    Ok(number)
}

/// A number in hex digits after `0x`, or in decimal digits.
pub(super) fn from_text(text: &[u8]) -> Result<[u8; 32], ValueFault> {
    match behind_prefix(text) {
        Some(b"") => Err(ValueFault::NotHex),
        Some(digits) => from_digits(digits),
        None => from_decimal(text),
    }
}

/// Half of a signature: also in hex without `0x`, if it has a letter or all 64 digits. A decimal number needs more than
/// 64 digits to be taken for one.
pub(super) fn half_from_text(text: &[u8]) -> Result<[u8; 32], ValueFault> {
    let is_decimal = text.iter().all(u8::is_ascii_digit);
    match (behind_prefix(text), text.len()) {
        (Some(_), _) => from_text(text),
        (None, 0) => Err(ValueFault::Null),
        (None, 65..) if is_decimal => from_decimal(text),
        (None, 1) if text == b"0" => Ok([0; 32]),
        (None, ..=63) if is_decimal => Err(ValueFault::Unprefixed),
        (None, _) => from_digits(text),
    }
}

/// The same number in 128 bits, if it has no more.
pub(super) fn to_u128(number: [u8; 32]) -> Result<u128, ValueFault> {
    let (high, low) = number.split_at(16);
    match high.iter().all(|byte| *byte == 0) {
        true => Ok(low.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))),
        false => Err(ValueFault::TooLarge(128)),
    }
}

/// The same number in 64 bits, if it has no more.
pub(super) fn to_u64(number: [u8; 32]) -> Result<u64, ValueFault> {
    to_u128(number).ok().and_then(|number| number.try_into().ok()).ok_or(ValueFault::TooLarge(64))
}

/// Bytes in hex digits, with or without `0x`.
pub(super) fn bytes_from_text(text: &[u8]) -> Result<Vec<u8>, ValueFault> {
    const_hex::decode(behind_prefix(text).unwrap_or(text)).map_err(|_| ValueFault::NotHex)
}

/// The same bytes, if there are `N`.
pub(super) fn to_fixed<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], ValueFault> {
    bytes.try_into().map_err(|bytes: Vec<u8>| ValueFault::Length(bytes.len(), N))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_number() {
        for text in ["0x1ff", "0X1FF", "\\x1ff", "511", "0x0000000000000000001ff", "000511"] {
            assert_eq!(from_text(text.as_bytes()).and_then(to_u64), Ok(511), "{text}");
        }
        assert_eq!(from_bytes(&[1, 255]).and_then(to_u64), Ok(511));
        let largest = b"115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(from_decimal(largest), Ok([255; 32]));
        let mut more = *largest;
        more[77] = b'6';
        assert_eq!(from_decimal(&more), Err(ValueFault::TooLarge(256)));
        assert_eq!(from_decimal(&[b'9'; 79]), Err(ValueFault::TooLarge(256)));
        assert_eq!(from_text(&[b"0x".as_slice(), &[b'f'; 65]].concat()), Err(ValueFault::TooLarge(256)));
        for wrong in ["0x", "0x-1", "0xg", "0x 1"] {
            assert_eq!(from_text(wrong.as_bytes()), Err(ValueFault::NotHex), "{wrong}");
        }
        for wrong in ["", "1f", "-1", "+1", "1.0", "1e3", " 1"] {
            assert_eq!(from_text(wrong.as_bytes()), Err(ValueFault::NotWhole), "{wrong}");
        }
        assert_eq!(from_bytes(&[0; 33]), Err(ValueFault::TooLarge(256)));
        assert_eq!(from_text(b"0x10000000000000000").and_then(to_u64), Err(ValueFault::TooLarge(64)));
        assert_eq!(from_text(b"0x10000000000000000").and_then(to_u128), Ok(1 << 64));
    }

    #[test]
    fn halves_of_signatures_are_hex_or_long_decimals() {
        let number = |last: u8| {
            let mut number = [0; 32];
            number[31] = last;
            Ok(number)
        };
        assert_eq!(half_from_text(b"0x1f"), number(31));
        assert_eq!(half_from_text(b"1f"), number(31));
        assert_eq!(half_from_text(b"0"), number(0));
        assert_eq!(half_from_text(&[b'0'; 64]), number(0));
        assert_eq!(half_from_text(&[[b'0'; 70].as_slice(), b"31"].concat()), number(31));
        for digits in [1, 2, 62, 63] {
            assert_eq!(half_from_text(&vec![b'1'; digits]), Err(ValueFault::Unprefixed), "{digits} digits");
        }
        assert_eq!(half_from_text(&[b'f'; 65]), Err(ValueFault::TooLarge(256)));
        assert_eq!(half_from_text(b""), Err(ValueFault::Null));
        assert_eq!(half_from_text(b"xyz"), Err(ValueFault::NotHex));
    }
}
