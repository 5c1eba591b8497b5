//! The recovery id behind a number, be it a `v` or the 65th byte of a signature: 0 to 3 as it is, 27 to 30 with Bitcoin's
//! offset, 35 and above with a chain id (EIP-155), whose parity is all that is left of it. 4 to 26 and 31 to 34 hide none.

/// Stands for every `v` that hides no recovery id; recovery answers it with `out_of_range`.
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

/// A decimal number, which may have zeros behind a point, a hexadecimal one with `0x`, or `true` or `false`.
pub(crate) fn from_text(text: &[u8]) -> Option<u8> {
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
    fn every_disguise() {
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
}
