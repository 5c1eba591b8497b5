//! ECDSA signatures as DER: `SEQUENCE { r INTEGER, s INTEGER }`, X.690 and SEC 1 section C.8.
//!
//! Two readers. The strict one accepts exactly what DER allows, as BIP-66 demands of Bitcoin blocks since 2015. The lax
//! one accepts what Bitcoin nodes accepted before that, so that old chain data can be checked: superfluous length
//! bytes, missing or excess padding, numbers whose top bit is set taken as positive, bytes after the end.

use super::Hex;
use crate::Error;
use core::{fmt, ops::Deref};

const INTEGER: u8 = 0x02;
const SEQUENCE: u8 = 0x30;

/// r and s as 32 big-endian bytes each.
type RsBytes = ([u8; 32], [u8; 32]);

/// A DER-encoded signature on the stack: at most 72 bytes, because r and s are below 2^256.
///
/// ```
/// use phalanx::ecdsa::Signature;
/// let der = Signature::from_compact(&[1; 64])?.to_der();
/// assert_eq!((der.len(), &der[..4]), (70, &[0x30, 68, 2, 32][..]));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Der {
    bytes: [u8; 72],
    length: u8,
}

impl Der {
    /// Encodes two big-endian numbers.
    pub(crate) fn from_numbers(r: &[u8; 32], s: &[u8; 32]) -> Self {
        let mut der = Der { bytes: [0; 72], length: 2 };
        der.push_integer(r);
        der.push_integer(s);
        der.bytes[0] = SEQUENCE;
        der.bytes[1] = der.length - 2;
        der
    }

    fn push_integer(&mut self, number: &[u8; 32]) {
        let zeros = number.iter().take(31).take_while(|byte| **byte == 0).count();
        let digits = &number[zeros..];
        // A number whose top bit is set would read as negative without a zero in front.
        let padding = usize::from(digits[0] >> 7);
        let start = usize::from(self.length);
        let body = start + 2 + padding;
        let end = body + digits.len();
        self.bytes[start] = INTEGER;
        self.bytes[start + 1] = (padding + digits.len()) as u8;
        self.bytes[body..end].copy_from_slice(digits);
        self.length = end as u8;
    }
}

impl Deref for Der {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl AsRef<[u8]> for Der {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Display for Der {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(self).fmt(f)
    }
}

impl fmt::Debug for Der {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Der({self})")
    }
}

/// Reads exactly one DER signature and nothing after it.
///
/// [`Error::BadSignatureEncoding`] for anything DER forbids, a negative number included; [`Error::OutOfRange`] for a
/// well formed number of more than 256 bits.
pub(crate) fn parse_strict(bytes: &[u8]) -> Result<RsBytes, Error> {
    let (body, after) = strict_value(bytes, SEQUENCE)?;
    let (r, rest) = strict_value(body, INTEGER)?;
    let (s, end) = strict_value(rest, INTEGER)?;
    if !after.is_empty() || !end.is_empty() || !is_minimal_natural(r) || !is_minimal_natural(s) {
        return Err(Error::BadSignatureEncoding);
    }
    Ok((to_32_bytes(r)?, to_32_bytes(s)?))
}

/// The contents of the value at the front, which must carry this tag, and what follows the value.
fn strict_value(bytes: &[u8], tag: u8) -> Result<(&[u8], &[u8]), Error> {
    let [first, length, rest @ ..] = bytes else { return Err(Error::BadSignatureEncoding) };
    if *first != tag {
        return Err(Error::BadSignatureEncoding);
    }
    if *length < 0x80 {
        return rest.split_at_checked(usize::from(*length)).ok_or(Error::BadSignatureEncoding);
    }
    // Long form: 0x80 + the number of length bytes, which must be as few as can be (X.690 section 10.1). 0x80 alone,
    // the indefinite form, falls out because its length has no bytes and is below 128.
    let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f)).ok_or(Error::BadSignatureEncoding)?;
    let length = big_endian_length(digits).ok_or(Error::BadSignatureEncoding)?;
    if digits.first() == Some(&0) || length < 0x80 {
        return Err(Error::BadSignatureEncoding);
    }
    rest.split_at_checked(length).ok_or(Error::BadSignatureEncoding)
}

/// A length that fits four bytes; a longer one exceeds any signature that could be handed in.
fn big_endian_length(digits: &[u8]) -> Option<usize> {
    let value = digits.iter().try_fold(0u32, |value, digit| Some(value.checked_mul(256)? | u32::from(*digit)))?;
    usize::try_from(value).ok()
}

/// At least one byte, top bit clear, no zero byte in front that the top bit does not call for (X.690 section 8.3).
fn is_minimal_natural(digits: &[u8]) -> bool {
    match digits {
        [] => false,
        [0, second, ..] => second >> 7 == 1,
        [first, ..] => first >> 7 == 0,
    }
}

/// Pads to 32 bytes on the left after leaving out leading zeros; [`Error::OutOfRange`] if more are needed.
fn to_32_bytes(digits: &[u8]) -> Result<[u8; 32], Error> {
    let zeros = digits.iter().take_while(|byte| **byte == 0).count();
    let digits = &digits[zeros..];
    let mut bytes = [0; 32];
    let start = bytes.len().checked_sub(digits.len()).ok_or(Error::OutOfRange)?;
    bytes[start..].copy_from_slice(digits);
    Ok(bytes)
}

/// Reads a signature the way Bitcoin nodes did before BIP-66: the union of what the OpenSSL versions of the time took,
/// as `ecdsa_signature_parse_der_lax` in libsecp256k1's `contrib` and Bitcoin Core delimits it.
///
/// The sequence's length is skipped unread, integers are unsigned with any padding, and what follows s is ignored.
pub(crate) fn parse_lax(bytes: &[u8]) -> Result<RsBytes, Error> {
    let [SEQUENCE, length, rest @ ..] = bytes else { return Err(Error::BadSignatureEncoding) };
    let length_bytes = if length & 0x80 == 0 { 0 } else { usize::from(length & 0x7f) };
    let body = rest.get(length_bytes..).ok_or(Error::BadSignatureEncoding)?;
    let (r, body) = lax_integer(body)?;
    let (s, _) = lax_integer(body)?;
    Ok((to_32_bytes(r)?, to_32_bytes(s)?))
}

fn lax_integer(bytes: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let [INTEGER, length, rest @ ..] = bytes else { return Err(Error::BadSignatureEncoding) };
    if length & 0x80 == 0 {
        return rest.split_at_checked(usize::from(*length)).ok_or(Error::BadSignatureEncoding);
    }
    let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f)).ok_or(Error::BadSignatureEncoding)?;
    let zeros = digits.iter().take_while(|byte| **byte == 0).count();
    // Four significant bytes or more are refused, as Bitcoin Core refuses them, not merely as too long for the input.
    if digits.len() - zeros >= 4 {
        return Err(Error::BadSignatureEncoding);
    }
    let length = big_endian_length(digits).ok_or(Error::BadSignatureEncoding)?;
    rest.split_at_checked(length).ok_or(Error::BadSignatureEncoding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::join;
    use alloc::vec::Vec;
    use secp256k1::ecdsa::Signature as Oracle;

    fn number(digits: &[u8]) -> [u8; 32] {
        to_32_bytes(digits).unwrap()
    }

    #[test]
    fn lengths_run_from_8_to_72() {
        let smallest = Der::from_numbers(&number(&[1]), &number(&[2]));
        assert_eq!(&*smallest, [0x30, 6, 2, 1, 1, 2, 1, 2]);
        let largest = Der::from_numbers(&[0xff; 32], &[0x80; 32]);
        assert_eq!(largest.len(), 72);
        assert_eq!(parse_strict(&largest), Ok(([0xff; 32], [0x80; 32])));
    }

    #[test]
    fn what_ber_allows_and_der_forbids() {
        let cases: [(&[u8], &str); 13] = [
            (&[], "empty"),
            (&[0x30], "no length"),
            (&[0x30, 0x81, 6, 2, 1, 1, 2, 1, 2], "long form of a short length"),
            (&[0x30, 0x80, 2, 1, 1, 2, 1, 2, 0, 0], "indefinite length"),
            (&[0x30, 7, 2, 1, 1, 2, 1, 2], "length beyond the end"),
            (&[0x30, 6, 2, 1, 1, 2, 1, 2, 0], "byte after the end"),
            (&[0x30, 7, 2, 1, 1, 2, 1, 2, 0], "byte after s"),
            (&[0x30, 7, 2, 2, 0, 1, 2, 1, 2], "padded r"),
            (&[0x30, 6, 2, 1, 0x81, 2, 1, 2], "negative r"),
            (&[0x30, 5, 2, 0, 2, 1, 2], "empty r"),
            (&[0x31, 6, 2, 1, 1, 2, 1, 2], "not a sequence"),
            (&[0x30, 6, 3, 1, 1, 2, 1, 2], "not an integer"),
            (&[0x30, 3, 2, 1, 1], "no s"),
        ];
        for (bytes, what) in cases {
            assert_eq!(parse_strict(bytes), Err(Error::BadSignatureEncoding), "{what}");
        }
    }

    #[test]
    fn well_formed_and_too_large_is_a_matter_of_range() {
        let mut large = [1u8; 33 + 8];
        large[..4].copy_from_slice(&[0x30, 39, 2, 33]);
        large[37..].copy_from_slice(&[2, 1, 2, 0]);
        large[1] = 38;
        assert_eq!(parse_strict(&large[..40]), Err(Error::OutOfRange));
        assert_eq!(parse_lax(&large), Err(Error::OutOfRange));
        let mut longest = Vec::from([0x30, 0x81, 0x86, 2, 0x81, 0x80]);
        longest.extend([1; 0x80]);
        longest.extend([2, 1, 2]);
        assert_eq!(parse_strict(&longest), Err(Error::OutOfRange));
    }

    /// r and s if a checker could go on with them: both parsed, neither zero nor reduced.
    fn usable(parsed: Result<RsBytes, Error>) -> Option<[u8; 64]> {
        let (r, s) = parsed.ok()?;
        nonzero(Oracle::from_compact(&join(&r, &s)).ok()?.serialize_compact())
    }

    fn nonzero(compact: [u8; 64]) -> Option<[u8; 64]> {
        (compact[..32] != [0; 32] && compact[32..] != [0; 32]).then_some(compact)
    }

    #[test]
    fn both_readers_agree_with_libsecp256k1_on_mutations() {
        let mut draws = phalanx_tiers::Draws::of(7);
        let mut random = move |bound: usize| draws.below(bound);
        const STRUCTURAL: [u8; 10] = [0, 1, 2, 0x20, 0x21, 0x30, 0x7f, 0x80, 0x81, 0xff];
        let (mut strict, mut lax) = (0, 0);
        for _ in 0..40_000 {
            let lengths = [random(32), random(32)];
            let [r, s] = lengths.map(|zeros| {
                let mut bytes = [0; 32];
                bytes[zeros..].fill_with(|| STRUCTURAL[random(10)].wrapping_add(random(3) as u8));
                bytes
            });
            let mut bytes = Vec::from(&*Der::from_numbers(&r, &s));
            for _ in 0..random(4) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = STRUCTURAL[random(10)],
                    1 => bytes.insert(at, STRUCTURAL[random(10)]),
                    2 => bytes[at] = bytes[at].wrapping_add(1),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let expected = Oracle::from_der(&bytes).ok().and_then(|sig| nonzero(sig.serialize_compact()));
            assert_eq!(usable(parse_strict(&bytes)), expected, "strict {bytes:02x?}");
            strict += u32::from(expected.is_some());
            let expected = Oracle::from_der_lax(&bytes).ok().and_then(|sig| nonzero(sig.serialize_compact()));
            assert_eq!(usable(parse_lax(&bytes)), expected, "lax {bytes:02x?}");
            lax += u32::from(expected.is_some());
        }
        assert!(strict > 5_000 && lax > strict + 1_000, "the mutations reach both sides: {strict} {lax}");
    }
}
