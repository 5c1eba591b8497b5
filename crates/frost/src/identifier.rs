//! Who takes part.

use core::fmt;
use phalanx::Scalar;

/// A participant: a number from 1 to n - 1, at which the shared polynomial is evaluated. Ordered as a number.
///
/// ```
/// use phalanx_frost::Identifier;
/// assert!(Identifier::new(1).unwrap() < Identifier::new(2).unwrap());
/// assert_eq!(Identifier::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier([u8; 32]);

impl Identifier {
    /// The participant of this number, `None` for zero.
    pub fn new(number: u64) -> Option<Self> {
        Self::from_bytes(&Scalar::from(number).to_bytes())
    }

    /// From 32 big-endian bytes. `None` for zero, and for numbers that are not below the group order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let scalar = Scalar::from_bytes(bytes).ok().filter(|scalar| *scalar != Scalar::ZERO);
        scalar.map(|_| Identifier(*bytes))
    }

    /// The number in 32 big-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    pub(crate) fn scalar(&self) -> Scalar {
        Scalar::from_bytes_reduced(&self.0)
    }
}

/// Small numbers in decimal digits, others in hexadecimal ones.
impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = self.0.split_at(24);
        match low.try_into() {
            Ok(low) if high.iter().all(|byte| *byte == 0) => write!(f, "{}", u64::from_be_bytes(low)),
            _ => {
                f.write_str("0x")?;
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identifier({self})")
    }
}
