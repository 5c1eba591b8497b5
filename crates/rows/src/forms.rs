//! The forms in which programs write bytes as text, beside plain hex.
//!
//! A text is read in another form only if that form is the only one that fits it. Hex stays hex: no text of hex digits
//! is taken for Base64 or for a decimal number of at most 64 digits. Nothing but hex is read as a message, which may
//! have any length, so that any form would fit.
//!
//! | form | who writes it |
//! |---|---|
//! | hex behind `0X` or `\x`, or between spaces | PostgreSQL (`bytea`), spreadsheets |
//! | pairs of digits with `:`, `-` or a space between them | OpenSSL, .NET |
//! | Base64 (RFC 4648), either alphabet, padded or not | BigQuery, JWK, wallets |
//! | bytes as characters, with `\xAB` for the others | DuckDB; Python, as `b'...'` |
//! | a decimal number of 65 to 78 digits, for r and s | web3.py, BigInt of JavaScript |

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use crate::roles::{LONGEST, Role};

/// What a text may stand for: the name of the form, and the bytes.
pub(crate) type Reading = (&'static str, Vec<u8>);

/// The bytes of a text that is not plain hex, if exactly one form fits the role.
pub(crate) fn read(role: Role, text: &[u8]) -> Option<Vec<u8>> {
    let hex = prefixed_hex(role, text.trim_ascii());
    if text.len() > most(role) {
        return hex;
    }
    let other = readings(role, text).into_iter().find(|(form, bytes)| fits(role, form, bytes));
    match (hex, other) {
        (Some(_), Some(_)) => None,
        (hex, other) => hex.or(other.map(|(_, bytes)| bytes)),
    }
}

/// What a text may stand for in other forms than hex, whether or not the role can have such a value.
pub(crate) fn readings(role: Role, text: &[u8]) -> Vec<Reading> {
    let trimmed = text.trim_ascii();
    let forms = [
        (DECIMAL, decimal(trimmed).filter(|_| matches!(role, Role::R | Role::S) && trimmed.len() > 64)),
        (SEPARATED, separated(trimmed)),
        (BASE64, base64(trimmed)),
        (BLOB, blob(text)),
        (LITERAL, literal(trimmed)),
    ];
    forms.into_iter().filter_map(|(form, bytes)| Some((form, bytes?.to_vec()))).collect()
}

const DECIMAL: &str = "a decimal number";
const SEPARATED: &str = "hex with separators";
const BASE64: &str = "Base64";
const BLOB: &str = "DuckDB's text of a blob";
const LITERAL: &str = "Python's text of bytes";

/// The longest text that is looked at in forms other than hex. Four characters a byte are the most that a form takes.
const fn most(role: Role) -> usize {
    if matches!(role, Role::Message) { 0 } else { 4 * LONGEST }
}

/// Whether a value of the role may be these bytes. Lengths decide, and where a role has many, the first bytes too.
fn fits(role: Role, form: &str, bytes: &[u8]) -> bool {
    match role {
        Role::Digest | Role::Scalar => bytes.len() == 32,
        Role::FromAddress => bytes.len() == 20,
        Role::PublicKey | Role::Point => match bytes {
            [2 | 3, ..] if bytes.len() == 33 => true,
            [4 | 6 | 7, ..] if bytes.len() == 65 => true,
            _ => matches!(bytes.len(), 32 | 64) && role == Role::PublicKey,
        },
        Role::Signature => matches!(bytes.len(), 64 | 65) || behind_der(bytes).is_some_and(|behind| behind <= 1),
        Role::R | Role::S if form == SEPARATED => (1..=32).contains(&bytes.len()),
        Role::R | Role::S => bytes.len() == 32,
        Role::Message | Role::Id | Role::Scheme | Role::V => false,
    }
}

/// How many bytes stand behind the DER sequence with which a value begins, if it begins with one of two integers.
pub(crate) fn behind_der(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0x30, length @ ..=0x7f, 0x02, ..] => bytes.len().checked_sub(2 + usize::from(*length)),
        _ => None,
    }
}

/// Hex behind `0x`, `0X` or `\x`. The numbers r and s may have an odd count of digits. A value that is too long for its
/// role is cut where that shows.
fn prefixed_hex(role: Role, text: &[u8]) -> Option<Vec<u8>> {
    let prefixes: [&[u8]; 3] = [b"0x", b"0X", b"\\x"];
    let digits = prefixes.into_iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    if text.starts_with(b"\\x") && matches!(role, Role::Message) && blob(text).is_some() {
        return None;
    }
    let number = matches!(role, Role::R | Role::S);
    if number && digits.len() == text.len() && digits.len() > 64 {
        return None;
    }
    let odd = digits.len() % 2;
    if odd == 1 && !number {
        return None;
    }
    let whole = matches!(role, Role::Message | Role::Signature);
    let digits = if whole { digits } else { &digits[..digits.len().min(2 * LONGEST + odd)] };
    let first = digits[..odd].iter().map(|digit| byte(b'0', *digit));
    let (pairs, _) = digits[odd..].as_chunks::<2>();
    first.chain(pairs.iter().map(|[high, low]| byte(*high, *low))).collect()
}

/// The byte of two hex digits.
fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
    Some(digit(high)? << 4 | digit(low)?)
}

/// Pairs of hex digits with the same character between them.
fn separated(text: &[u8]) -> Option<Vec<u8>> {
    let separator = *text.get(2).filter(|separator| b":- ".contains(separator))?;
    let even = text.len() % 3 == 2 && text.iter().skip(2).step_by(3).all(|byte| *byte == separator);
    even.then(|| text.chunks(3).map(|pair| byte(pair[0], pair[1])).collect()).flatten()
}

/// Without padding, and with nothing behind the last bit.
const DIGITS: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone);
const BASE64_STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, DIGITS);
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, DIGITS);

/// Base64, if it cannot be anything else: it has padding; or a fourth of its characters are not hex digits, and it has a
/// character that Base58 lacks, or the first bytes of a key or of DER.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let others = digits.iter().filter(|byte| !byte.is_ascii_hexdigit()).count();
    let url = digits.iter().any(|byte| b"-_".contains(byte));
    let last = digits.len() % 4;
    let canonical = padding == 0 || (padding <= 2 && text.len().is_multiple_of(4));
    let prefixed = digits.starts_with(b"0x") || digits.starts_with(b"0X");
    let may_be_hex = padding == 0 && (prefixed || 4 * others < digits.len());
    if may_be_hex || !canonical || last == 1 {
        return None;
    }
    let bytes = (if url { &BASE64_URL } else { &BASE64_STANDARD }).decode(digits).ok()?;
    let told = padding > 0 || digits.iter().any(|byte| b"0OIl+/-_".contains(byte));
    let known =
        matches!(bytes[..], [2 | 3, ..] if bytes.len() == 33) || behind_der(&bytes).is_some_and(|more| more <= 1);
    (told || known).then_some(bytes)
}

/// Bytes as DuckDB writes them: printable ones as they are, and others, quotes and backslashes as `\xAB`. Text without
/// an escape is not read.
fn blob(text: &[u8]) -> Option<Vec<u8>> {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"\\'\"".contains(&byte);
    let lower = |digit: u8| digit.is_ascii_lowercase();
    let (mut bytes, mut rest, mut escapes) = (Vec::new(), text, 0);
    while let [first, behind @ ..] = rest {
        let (value, next) = match behind {
            [b'x', high, low, next @ ..] if *first == b'\\' => {
                escapes += 1;
                (byte(*high, *low).filter(|_| !lower(*high) && !lower(*low))?, next)
            }
            _ => (*first, behind),
        };
        // What may stand as it is has no escape, and nothing else stands as it is.
        if plain(value) != (next.len() == behind.len()) {
            return None;
        }
        bytes.push(value);
        rest = next;
    }
    (escapes > 0).then_some(bytes)
}

/// Bytes as Python shows them: `b'...'`.
fn literal(text: &[u8]) -> Option<Vec<u8>> {
    let [b'b', quote @ (b'\'' | b'"'), inner @ .., end] = text else { return None };
    let (mut bytes, mut rest) = (Vec::new(), inner);
    while let [first, behind @ ..] = rest {
        let (value, next) = match (first, behind) {
            (b'\\', [b'x', high, low, next @ ..]) => (byte(*high, *low)?, next),
            (b'\\', [escaped, next @ ..]) => match escaped {
                b'n' => (b'\n', next),
                b'r' => (b'\r', next),
                b't' => (b'\t', next),
                b'\\' | b'\'' | b'"' => (*escaped, next),
                _ => return None,
            },
            (b' '..=b'~', _) if first != quote && *first != b'\\' => (*first, behind),
            _ => return None,
        };
        bytes.push(value);
        rest = next;
    }
    (quote == end).then_some(bytes)
}

/// A decimal number below 2^256, most significant byte first.
pub(crate) fn decimal(text: &[u8]) -> Option<Vec<u8>> {
    let plain = !text.is_empty() && text.len() <= 78 && (text[0] != b'0' || text.len() == 1);
    if !plain || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut number = [0_u8; 32];
    for digit in text {
        let mut carry = u16::from(digit - b'0');
        for byte in number.iter_mut().rev() {
            let part = u16::from(*byte) * 10 + carry;
            *byte = part as u8;
            carry = part >> 8;
        }
        if carry > 0 {
            return None;
        }
    }
    Some(number.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 32 bytes with printable ones, quotes and a backslash among them.
    fn value() -> Vec<u8> {
        let mut value: Vec<u8> = (0..32).map(|byte: u8| byte.wrapping_mul(151).wrapping_add(11)).collect();
        value[3..6].copy_from_slice(b"\\'\"");
        value
    }

    const ENCODED: &[u8] = b"C6I5XCcilSzDWvGIH7ZN5HsSqUDXbgWcM8ph+I8mvVQ=";

    fn blob_of(bytes: &[u8]) -> Vec<u8> {
        let text = bytes.iter().map(|byte| match byte {
            b'\\' | b'\'' | b'"' => format!("\\x{byte:02X}"),
            b' '..=b'~' => char::from(*byte).to_string(),
            _ => format!("\\x{byte:02X}"),
        });
        text.collect::<String>().into_bytes()
    }

    #[test]
    fn every_form_of_a_digest() {
        let hex = const_hex::encode(value());
        let pairs = |between: &str| value().iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(between);
        let python: String = value()
            .iter()
            .map(|byte| match byte {
                b'\\' | b'\'' => format!("\\{}", char::from(*byte)),
                b' '..=b'~' => char::from(*byte).to_string(),
                _ => format!("\\x{byte:02x}"),
            })
            .collect();
        for text in [
            format!(" {hex}"),
            format!("0X{}", hex.to_uppercase()),
            format!("\\x{hex}\t"),
            pairs(":"),
            pairs("-"),
            pairs(" "),
            String::from_utf8(ENCODED.to_vec()).unwrap(),
            String::from_utf8(blob_of(&value())).unwrap(),
            format!("b'{python}'"),
        ] {
            assert_eq!(read(Role::Digest, text.as_bytes()), Some(value()), "{text}");
            assert_eq!(read(Role::FromAddress, text.as_bytes()).filter(|bytes| bytes.len() == 20), None, "{text}");
        }
        let unpadded = &ENCODED[..43];
        let url: Vec<u8> = unpadded.iter().map(|byte| if *byte == b'+' { b'-' } else { *byte }).collect();
        let zeros = format!("{}=", "A".repeat(43));
        assert_eq!(read(Role::Digest, zeros.as_bytes()), Some(vec![0; 32]));
        assert_eq!([read(Role::R, unpadded), read(Role::Scalar, &url)], [Some(value()), Some(value())]);
    }

    #[test]
    fn what_fits_two_forms_or_none_is_not_read() {
        let mixed = [&ENCODED[..20], b"-", &ENCODED[21..]].concat();
        let broken = [&ENCODED[..42], b"x="].concat();
        // Base58 has all of these characters too.
        let base58 = b"C6i5XCcijS3EWzKJiLdo5XwTqkHYbwadNMtiJnpyXuw";
        for text in [
            &mixed[..],
            &broken,
            base58,
            &ENCODED[..42],
            b"0xI5XCcilSzDWvGIH7ZN5HsSqUDXbgWcM8ph+I8mvVQ",
            // Hex of 43 digits is hex that lacks some.
            b"0123456789abcdef0123456789abcdef0123456789A",
            b"42:a9-8f",
            b"\\x41",
            b"b'\\q'",
            b"",
        ] {
            assert_eq!(read(Role::Digest, text).filter(|bytes| bytes.len() == 32), None, "{text:?}");
        }
        // Of a message, any of both would do: a byte and four characters, or three bytes.
        assert_eq!(read(Role::Message, b"\\x00ff12"), None);
        assert_eq!(read(Role::Message, b"\\x6869"), Some(b"hi".to_vec()));
        assert_eq!([&b"aGVsbG8="[..], b"68:69", b"b'hi'"].map(|text| read(Role::Message, text)), [None, None, None]);
    }

    #[test]
    fn decimal_numbers_are_longer_than_hex() {
        let number = "28623264497937274098230542592153965251110793255463834016108167848129351196273";
        let hex = "3f48318f48f6f7db00d5a8ceed56e6ab822327015950ba86b8dc082260611e71";
        assert_eq!(read(Role::R, number.as_bytes()), const_hex::decode(hex).ok());
        let limit = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        let below = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!([read(Role::S, limit.as_bytes()), read(Role::S, below.as_bytes())], [None, Some(vec![0xff; 32])]);
        assert_eq!(read(Role::R, format!("0{number}").as_bytes()), None);
        assert_eq!([decimal(b"0"), decimal(b"12")].map(|number| number.unwrap()[31]), [0, 12]);
        assert_eq!([&b""[..], b"-1", b"1e3", b"012"].map(decimal), [None, None, None, None]);
    }

    #[test]
    fn signatures_are_told_by_length_or_as_der() {
        let der = [&[0x30, 0x44, 2, 0x20][..], &[7; 32], &[2, 0x20], &[9; 32]].concat();
        assert_eq!(behind_der(&der), Some(0));
        for (bytes, expected) in [(der.clone(), true), ([&der[..], &[1]].concat(), true), (vec![7; 66], false)] {
            let text = blob_of(&bytes);
            assert_eq!(read(Role::Signature, &text), expected.then_some(bytes));
        }
        // The same characters as hex and as a blob, of which only hex has the length of a signature.
        let hex = [b"\\x".to_vec(), b"82".repeat(64)].concat();
        assert_eq!(read(Role::Signature, &hex), Some(vec![0x82; 64]));
    }
}
