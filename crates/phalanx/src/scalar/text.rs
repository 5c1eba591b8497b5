//! [`Scalar`] as text. Variable time: never for secrets whose timing an attacker sees.

use super::Scalar;
use crate::encoding::number::{Number, ParseNumberError};
use core::{fmt, str::FromStr};

impl Scalar {
    /// Reads 1 to 64 hexadecimal digits of either case, `0x` in front or not. Variable time.
    ///
    /// ```
    /// use phalanx::Scalar;
    /// assert_eq!(Scalar::from_hex("ff"), Ok(Scalar::from(255u64)));
    /// ```
    pub fn from_hex(text: &str) -> Result<Scalar, ParseNumberError> {
        Number::from_hex(text).and_then(Scalar::try_from)
    }
}

impl TryFrom<Number> for Scalar {
    type Error = ParseNumberError;

    fn try_from(number: Number) -> Result<Scalar, ParseNumberError> {
        Scalar::from_limbs(number.0).ok_or(ParseNumberError::OutOfRange)
    }
}

/// Reads decimal digits, or hexadecimal ones after `0x`. Variable time.
///
/// ```
/// use phalanx::Scalar;
/// assert_eq!("100".parse::<Scalar>().unwrap(), "0x64".parse::<Scalar>().unwrap());
/// ```
impl FromStr for Scalar {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Scalar, ParseNumberError> {
        text.parse::<Number>().and_then(Scalar::try_from)
    }
}

/// Decimal. Variable time.
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Number(self.0).fmt(f)
    }
}

/// 64 hexadecimal digits, with `0x` in front under `{:#x}`. Variable time.
impl fmt::LowerHex for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&Number(self.0), f)
    }
}

/// 64 hexadecimal digits, with `0x` in front under `{:#X}`. Variable time.
impl fmt::UpperHex for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&Number(self.0), f)
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalar({self:#x})")
    }
}
