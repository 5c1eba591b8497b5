//! Hexadecimal text, read without branching on the digits' values and written without a heap.

use crate::{Error, declassify::declassify, wipe::wipe};
use core::fmt;
use phalanx_engine::mask::from_bit;

/// Reads exactly `2 * N` hexadecimal digits of either case into a buffer, which holds part of the number after an
/// error: where that is a secret, the caller wipes it. Constant time, as [`decode_prefix`].
pub(crate) fn decode_into<const N: usize>(text: &str, bytes: &mut [u8; N]) -> Result<(), Error> {
    if decode_prefix(text, bytes)?.len() == N { Ok(()) } else { Err(Error::BadHex) }
}

/// Reads hexadecimal digits of either case into the front of a buffer, and gives the part that was filled.
///
/// Time does not depend on the digits, so that secret keys may be read with it; that a digit was none at all is told
/// only at the end.
pub(crate) fn decode_prefix<'a>(text: &str, buffer: &'a mut [u8]) -> Result<&'a [u8], Error> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = buffer.get_mut(..pairs.len()).filter(|_| rest.is_empty()).ok_or(Error::BadHex)?;
    let mut bad = 0;
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let value = nibble(*high) << 4 | nibble(*low);
        bad |= value & !0xff;
        *byte = value.to_le_bytes()[0];
    }
    // Whether the text is hexadecimal is what the caller asked.
    if declassify(bad == 0) { Ok(bytes) } else { Err(Error::BadHex) }
}

/// The value of one digit; for anything else, a number with bits above the lowest eight (after a shift by 0 or 4).
fn nibble(digit: u8) -> u32 {
    let digit = u32::from(digit);
    let lower = digit | 0x20;
    // A mask of ones where first <= c <= last: both differences are non-negative only then.
    let within = |c: u32, first: u32, last: u32| {
        let outside = (c.wrapping_sub(first) | last.wrapping_sub(c)) >> 31;
        from_bit(u64::from(outside ^ 1)) as u32
    };
    let (number, letter) = (within(digit, 0x30, 0x39), within(lower, 0x61, 0x66));
    (number & digit.wrapping_sub(0x30)) | (letter & lower.wrapping_sub(0x57)) | (!(number | letter) & 0xff00)
}

/// The 64 lower-case hexadecimal digits of 32 secret bytes, such as a secret key or a secret that two keys share.
/// Constant time. The caller should wipe them.
///
/// ```
/// use phalanx::{SecretKey, bindings::secret_hex};
/// let digits = secret_hex(&SecretKey::from_bytes(&[0x5a; 32])?.to_bytes());
/// assert_eq!(digits, [*b"5a"; 32].concat()[..]);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn secret_hex(bytes: &[u8; 32]) -> [u8; 64] {
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 0xf)];
    }
    digits
}

/// The digit of a value of four bits.
fn digit(value: u8) -> u8 {
    // One where 9 - value is negative: those are letters, and `a` stands 39 places behind the end of the numbers.
    let letter = from_bit(u64::from(9u8.wrapping_sub(value) >> 7)) as u8;
    b'0' + value + (letter & (b'a' - b'9' - 1))
}

/// The digits of a secret. Wiped on drop.
pub(crate) struct DisplaySecret([u8; 64]);

impl DisplaySecret {
    pub(crate) fn new(bytes: &[u8; 32]) -> Self {
        DisplaySecret(secret_hex(bytes))
    }
}

impl fmt::Display for DisplaySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.0).map_err(|_| fmt::Error)?)
    }
}

impl Drop for DisplaySecret {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Displays bytes as lower-case hexadecimal digits.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_byte_reads_as_the_digit_it_is() {
        for byte in 0..=255u8 {
            let expected = char::from(byte).to_digit(16).ok_or(());
            let value = nibble(byte);
            assert_eq!(if value > 0xf { Err(()) } else { Ok(value) }, expected, "{byte:#x}");
        }
    }

    #[test]
    fn every_byte_is_written_as_the_digits_it_is() {
        for byte in 0..=255u8 {
            let digits = secret_hex(&[byte; 32]);
            assert_eq!(core::str::from_utf8(&digits), Ok(&*Hex(&[byte; 32]).to_string()));
        }
    }

    #[test]
    fn lengths_and_foreign_digits_are_refused() {
        let decode = |text| {
            let mut bytes = [0; 2];
            decode_into(text, &mut bytes).map(|()| bytes)
        };
        assert_eq!(decode("0aFf"), Ok([0x0a, 0xff]));
        for text in ["0aF", "0aFfa", "0aFf00", "", "0xff", "g000", "000g", "0 00", "é00"] {
            assert_eq!(decode(text), Err(Error::BadHex), "{text}");
        }
        assert_eq!(Hex(&[0x0a, 0xff]).to_string(), "0aff");
    }
}
