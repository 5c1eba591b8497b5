//! Values that were decoded from text or numbers, end to end in one buffer.

use crate::fault::RowFault;
use crate::recovery_id;
use crate::roles::{LONGEST, Role};

/// Values end to end in one buffer, with a fault for each row that has none.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    faults: Vec<Option<RowFault>>,
}

impl Packed {
    /// No values yet, with room for `rows` values of 32 bytes.
    pub fn with_capacity(rows: usize) -> Packed {
        Packed {
            bytes: Vec::with_capacity(rows * 32),
            ends: Vec::with_capacity(rows),
            faults: Vec::with_capacity(rows),
        }
    }

    /// Appends a value as it is.
    pub fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.close(None);
    }

    /// Appends a row without a value.
    pub fn push_fault(&mut self, fault: RowFault) {
        self.close(Some(fault));
    }

    /// Appends rows without a value until there are so many.
    pub fn pad(&mut self, rows: usize) {
        if self.ends.len() >= rows {
            return;
        }
        self.ends.resize(rows, self.bytes.len());
        self.faults.resize(rows, Some(RowFault::Absent));
    }

    /// Drops the values of all rows but the first `rows`.
    pub fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.faults.truncate(rows);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Appends text as the role has it: a scheme as it is, a recovery id as the number it encodes, other values as hex.
    pub fn push_text(&mut self, role: Role, text: &[u8]) {
        match role {
            Role::Scheme => self.push(text),
            Role::V => self.push_id(recovery_id::from_text(text)),
            _ => self.push_hex(role, text),
        }
    }

    /// Appends a recovery id that is one byte once it is decoded, or no number at all.
    pub(crate) fn push_id(&mut self, id: Option<u8>) {
        match id {
            Some(id) => self.push(&[id]),
            None => self.push_fault(RowFault::NotNumber),
        }
    }

    /// Appends hex, decoded, with or without `0x`. The numbers `r` and `s` may have an odd count of digits, as JSON-RPC
    /// quantities do. Of a value that is too long for its role, only so much is looked at as shows that.
    pub(crate) fn push_hex(&mut self, role: Role, text: &[u8]) {
        let digits = text.strip_prefix(b"0x").unwrap_or(text);
        let start = self.bytes.len();
        let mut even = if digits.len().is_multiple_of(2) {
            digits
        } else {
            let number = matches!(role, Role::R | Role::S);
            let Some(value) = char::from(digits[0]).to_digit(16).filter(|_| number) else {
                return self.push_fault(RowFault::NotHex);
            };
            self.bytes.push(value as u8);
            &digits[1..]
        };
        if even.len() > 2 * LONGEST && !matches!(role, Role::Message | Role::Signature) {
            even = &even[..2 * LONGEST];
        }
        let decoded = self.bytes.len();
        self.bytes.resize(decoded + even.len() / 2, 0);
        match const_hex::decode_to_slice(even, &mut self.bytes[decoded..]) {
            Ok(()) => self.close(None),
            Err(_) => {
                self.bytes.truncate(start);
                self.push_fault(RowFault::NotHex);
            }
        }
    }

    fn close(&mut self, fault: Option<RowFault>) {
        self.ends.push(self.bytes.len());
        self.faults.push(fault);
    }

    /// The bytes of all values.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The number of values, faults included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The value in a row, or why there is none.
    ///
    /// # Errors
    /// What was pushed instead of a value.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> Result<&[u8], RowFault> {
        match self.faults[row] {
            Some(fault) => Err(fault),
            None => {
                let start = if row == 0 { 0 } else { self.ends[row - 1] };
                Ok(&self.bytes[start..self.ends[row]])
            }
        }
    }
}
