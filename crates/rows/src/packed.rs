//! Values that were decoded from text or numbers, end to end in one buffer.

use crate::fault::RowFault;
use crate::forms;
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

    /// Appends text as the role has it: a scheme as it is, a `v` as the number it stands for, other values as hex or in
    /// another form that nothing else can be.
    pub fn push_text(&mut self, role: Role, text: &[u8]) {
        match role {
            Role::Scheme => self.push(text),
            Role::V => match recovery_id::from_text(text) {
                Some(v) => self.push(&[v]),
                None => self.push_unread(role, text, RowFault::NotNumber),
            },
            _ => self.push_hex(role, text),
        }
    }

    /// Appends a number that was written as one, in decimal digits. Only r and s are numbers.
    pub fn push_number(&mut self, role: Role, digits: &[u8]) {
        match forms::decimal(digits).filter(|_| matches!(role, Role::R | Role::S)) {
            Some(number) => self.push(&number),
            None => self.push_unread(role, digits, RowFault::WrongType),
        }
    }

    /// Appends a `v` that is one byte once it is decoded, or no number at all.
    pub(crate) fn push_v(&mut self, v: Option<u8>) {
        match v {
            Some(v) => self.push(&[v]),
            None => self.push_fault(RowFault::NotNumber),
        }
    }

    /// Appends hex, decoded, with or without `0x`; or what [`forms::read`] reads. The numbers `r` and `s` may have an odd
    /// count of digits, as JSON-RPC quantities do. Of a value that is too long for its role, only so much is looked at as
    /// shows that.
    pub(crate) fn push_hex(&mut self, role: Role, text: &[u8]) {
        let digits = text.strip_prefix(b"0x").unwrap_or(text);
        // So many digits are more than a number of 32 bytes has in hex, but not in decimal.
        let decimal = digits.len() > 64 && digits.len() == text.len() && matches!(role, Role::R | Role::S);
        if decimal || !self.push_digits(role, digits) {
            self.push_other(role, text);
        }
    }

    /// Appends what digits of hex stand for, if they do.
    fn push_digits(&mut self, role: Role, digits: &[u8]) -> bool {
        let start = self.bytes.len();
        let mut even = if digits.len().is_multiple_of(2) {
            digits
        } else {
            let number = matches!(role, Role::R | Role::S);
            let Some(value) = char::from(digits[0]).to_digit(16).filter(|_| number) else {
                return false;
            };
            self.bytes.push(value as u8);
            &digits[1..]
        };
        if even.len() > 2 * LONGEST && !matches!(role, Role::Message | Role::Signature) {
            even = &even[..2 * LONGEST];
        }
        let decoded = self.bytes.len();
        self.bytes.resize(decoded + even.len() / 2, 0);
        let read = const_hex::decode_to_slice(even, &mut self.bytes[decoded..]).is_ok();
        if read {
            self.close(None);
        } else {
            self.bytes.truncate(start);
        }
        read
    }

    /// Appends text that is not plain hex, or a number that may be decimal.
    #[cold]
    fn push_other(&mut self, role: Role, text: &[u8]) {
        match forms::read(role, text) {
            Some(value) => self.push(&value),
            None if matches!(role, Role::R | Role::S) && self.push_digits(role, text) => {}
            None => self.push_unread(role, text, RowFault::NotHex),
        }
    }

    /// Appends a row without a value, and keeps the beginning of the text that stands there. Of a scalar, which may be
    /// secret, nothing is kept.
    fn push_unread(&mut self, role: Role, text: &[u8], fault: RowFault) {
        self.bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        if role != Role::Scalar {
            self.bytes.extend_from_slice(&text[..text.len().min(4 * LONGEST)]);
        }
        self.close(Some(fault));
    }

    /// Of a row whose text could not be read: how long it is, and how it begins.
    pub(crate) fn unread(&self, row: usize) -> Option<(u64, &[u8])> {
        self.faults[row]?;
        let (length, text) = self.slot(row).split_first_chunk()?;
        Some((u64::from_le_bytes(*length), text))
    }

    /// The bytes that were appended with a row.
    fn slot(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.bytes[start..self.ends[row]]
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
    /// What was appended instead of a value.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> Result<&[u8], RowFault> {
        match self.faults[row] {
            Some(fault) => Err(fault),
            None => Ok(self.slot(row)),
        }
    }
}
