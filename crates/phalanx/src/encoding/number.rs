//! 256-bit numbers as text.

use core::{fmt, str::FromStr};

/// Why bytes or a text are not a number of the wanted type.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParseNumberError {
    /// No digits.
    Empty,
    /// A character that is not a digit of the number's base.
    InvalidDigit,
    /// The number is not below the modulus.
    OutOfRange,
    /// Not 32 bytes.
    InvalidLength,
}

impl fmt::Display for ParseNumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseNumberError::Empty => "no digits",
            ParseNumberError::InvalidDigit => "a character is not a digit",
            ParseNumberError::OutOfRange => "the number is not below the modulus",
            ParseNumberError::InvalidLength => "the number has not 32 bytes",
        })
    }
}

impl core::error::Error for ParseNumberError {}

/// A number as text: `{}` decimal, `{:x}` and `{:X}` 64 hexadecimal digits, `{:#x}` with `0x` in front; read back from
/// decimal digits, or from hexadecimal ones after `0x`. Variable time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) [u64; 4]);

/// 10^19, the largest power of ten in a word.
const DECIMAL_WORD: u64 = 10_000_000_000_000_000_000;
const DIGITS_PER_WORD: usize = 19;

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // 2^256 has 78 digits, which is five words of 19.
        let mut digits = [b'0'; 5 * DIGITS_PER_WORD];
        let mut limbs = self.0;
        for word in digits.rchunks_exact_mut(DIGITS_PER_WORD) {
            let mut remainder = 0u64;
            for limb in limbs.iter_mut().rev() {
                let dividend = u128::from(remainder) << 64 | u128::from(*limb);
                *limb = (dividend / u128::from(DECIMAL_WORD)) as u64;
                remainder = (dividend % u128::from(DECIMAL_WORD)) as u64;
            }
            for digit in word.iter_mut().rev() {
                *digit += (remainder % 10) as u8;
                remainder /= 10;
            }
        }
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count().min(digits.len() - 1);
        f.pad_integral(true, "", ascii(&digits[zeros..]))
    }
}

impl fmt::LowerHex for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", ascii(&hex_digits(&self.0, b"0123456789abcdef")))
    }
}

impl fmt::UpperHex for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", ascii(&hex_digits(&self.0, b"0123456789ABCDEF")))
    }
}

fn hex_digits(limbs: &[u64; 4], alphabet: &[u8; 16]) -> [u8; 64] {
    core::array::from_fn(|i| alphabet[(limbs[3 - i / 16] >> (60 - 4 * (i % 16))) as usize & 15])
}

fn ascii(digits: &[u8]) -> &str {
    core::str::from_utf8(digits).unwrap_or_default()
}

impl Number {
    /// Reads hexadecimal digits of either case, `0x` in front or not; zeros before the first other digit do not count.
    pub(crate) const fn from_hex(text: &str) -> Result<Number, ParseNumberError> {
        let text = text.as_bytes();
        match text {
            [b'0', b'x' | b'X', digits @ ..] => Number::from_digits(digits, 16),
            digits => Number::from_digits(digits, 16),
        }
    }

    const fn from_digits(digits: &[u8], base: u64) -> Result<Number, ParseNumberError> {
        if digits.is_empty() {
            return Err(ParseNumberError::Empty);
        }
        let mut limbs = [0u64; 4];
        let mut overflow = false;
        let mut i = 0;
        while i < digits.len() {
            let digit = match digits[i] {
                c @ b'0'..=b'9' => c - b'0',
                c @ b'a'..=b'f' if base == 16 => c - b'a' + 10,
                c @ b'A'..=b'F' if base == 16 => c - b'A' + 10,
                _ => return Err(ParseNumberError::InvalidDigit),
            };
            let mut carry = digit as u64;
            let mut limb = 0;
            while limb < 4 {
                let product = limbs[limb] as u128 * base as u128 + carry as u128;
                (limbs[limb], carry) = (product as u64, (product >> 64) as u64);
                limb += 1;
            }
            overflow |= carry != 0;
            i += 1;
        }
        if overflow { Err(ParseNumberError::OutOfRange) } else { Ok(Number(limbs)) }
    }
}

impl FromStr for Number {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Number, ParseNumberError> {
        match text.as_bytes() {
            [b'0', b'x' | b'X', digits @ ..] => Number::from_digits(digits, 16),
            digits => Number::from_digits(digits, 10),
        }
    }
}

/// Gives a type with `limbs()` and `from_limbs()` the text of a [`Number`], and serde: 64 hexadecimal digits in text
/// formats, 32 big-endian bytes in binary ones.
macro_rules! number_text {
    ($type:ident) => {
        impl TryFrom<$crate::encoding::number::Number> for $type {
            type Error = ParseNumberError;

            fn try_from(number: $crate::encoding::number::Number) -> Result<$type, ParseNumberError> {
                $type::from_limbs(number.0).ok_or(ParseNumberError::OutOfRange)
            }
        }

        /// Reads decimal digits, or hexadecimal ones after `0x`. Variable time.
        impl core::str::FromStr for $type {
            type Err = ParseNumberError;

            fn from_str(text: &str) -> Result<$type, ParseNumberError> {
                text.parse::<$crate::encoding::number::Number>().and_then($type::try_from)
            }
        }

        $crate::encoding::number::number_text!(@format $type, Display, "Decimal. Variable time.");
        $crate::encoding::number::number_text!(@format $type, LowerHex,
            "64 hexadecimal digits, with `0x` in front under `{:#x}`. Variable time.");
        $crate::encoding::number::number_text!(@format $type, UpperHex,
            "64 hexadecimal digits, with `0x` in front under `{:#X}`. Variable time.");

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({self:#x})", stringify!($type))
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::encoding::serde::serialize(&self.to_bytes(), serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                $crate::encoding::serde::deserialize(deserializer, "64 hexadecimal digits or 32 bytes", |bytes| {
                    $type::from_bytes(bytes).map_err(|wrong| match wrong {
                        $crate::ParseNumberError::InvalidLength => $crate::Error::BadHex,
                        _ => $crate::Error::OutOfRange,
                    })
                })
            }
        }
    };
    (@format $type:ident, $trait:ident, $doc:literal) => {
        #[doc = $doc]
        impl core::fmt::$trait for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::$trait::fmt(&$crate::encoding::number::Number(self.limbs()), f)
            }
        }
    };
}

pub(crate) use number_text;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    #[test]
    fn text_of_extremes() {
        let largest = Number([u64::MAX; 4]);
        let text = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(largest.to_string(), text);
        assert_eq!(text.parse(), Ok(largest));
        assert_eq!(format!("{largest:#x}").parse(), Ok(largest));
        let past = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
        assert_eq!(past.parse::<Number>(), Err(ParseNumberError::OutOfRange));
        assert_eq!(Number([0; 4]).to_string(), "0");
        assert_eq!(format!("{:>4}|{:04}", Number([7, 0, 0, 0]), Number([7, 0, 0, 0])), "   7|0007");
        // 10^19 k: every word but one is zero.
        for k in 0..4u32 {
            let power = 10u128.pow(9 * k);
            let number = Number([power as u64, (power >> 64) as u64, 0, 0]);
            assert_eq!(number.to_string(), power.to_string());
            assert_eq!(power.to_string().parse(), Ok(number));
        }
    }

    #[test]
    fn what_is_not_a_number() {
        for (text, error) in [
            ("", ParseNumberError::Empty),
            ("0x", ParseNumberError::Empty),
            ("-1", ParseNumberError::InvalidDigit),
            ("+1", ParseNumberError::InvalidDigit),
            ("ff", ParseNumberError::InvalidDigit),
            ("0xfg", ParseNumberError::InvalidDigit),
            ("1 ", ParseNumberError::InvalidDigit),
            ("é", ParseNumberError::InvalidDigit),
        ] {
            assert_eq!(text.parse::<Number>(), Err(error), "{text:?}");
        }
        assert_eq!(Number::from_hex("Ff"), Ok(Number([255, 0, 0, 0])));
        assert_eq!(Number::from_hex("0XfF"), Ok(Number([255, 0, 0, 0])));
        assert_eq!(Number::from_hex(&"f".repeat(65)), Err(ParseNumberError::OutOfRange));
        assert_eq!(Number::from_hex(&format!("00{}", "f".repeat(64))), Ok(Number([u64::MAX; 4])));
    }
}
