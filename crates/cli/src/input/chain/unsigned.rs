//! Types of transactions that have no signature.

use std::str::FromStr;

/// Types of transactions that have no signature.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnsignedTypes {
    /// A bit for each number.
    bits: [u128; 2],
}

impl UnsignedTypes {
    pub(crate) fn has(self, kind: u8) -> bool {
        self.bits[usize::from(kind / 128)] >> (kind % 128) & 1 == 1
    }
}

impl FromStr for UnsignedTypes {
    type Err = String;

    /// Numbers of types from 5 to 255, decimal or hex after 0x, with commas between them.
    fn from_str(text: &str) -> Result<UnsignedTypes, String> {
        let mut types = UnsignedTypes::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let number = match word.strip_prefix("0x") {
                Some(digits) => u8::from_str_radix(digits, 16),
                None => word.parse(),
            };
            match number {
                Ok(kind @ 5..) => types.bits[usize::from(kind / 128)] |= 1 << (kind % 128),
                Ok(kind) => return Err(format!("type {kind} has a signature")),
                Err(_) => return Err(format!("{word:?} is not a number from 5 to 255, as in 0x7b or 123")),
            }
        }
        Ok(types)
    }
}
