//! The cells of one role as bytes: borrowed from a column where its type holds bytes, decoded where it holds text or
//! numbers.

use crate::column::{Bytes, Nulls, ValueColumn, Values, bit};
use crate::fault::RowFault;
use crate::packed::Packed;
use crate::recovery_id;
use crate::roles::Role;

/// The cells of one role in a block of rows. A cell is bytes; text has been read as hex, except a scheme, which is
/// text. Of a `v` it is one byte, which [`recovery_id_of`](crate::recovery_id_of) reads.
#[derive(Clone, Debug)]
pub enum Cells<'a> {
    /// The table has no such column.
    Absent,
    /// The whole column fails for one reason.
    All(RowFault),
    /// Values that are not copied.
    Borrowed(Bytes<'a>, Nulls<'a>),
    /// Values decoded from text or numbers.
    Packed(Packed),
}

impl<'a> Cells<'a> {
    /// Decodes a column for the role it plays. A column of a type that the role cannot have fails in every row.
    ///
    /// # Panics
    /// Where the column has fewer values than it says it has rows.
    pub fn new(role: Role, column: ValueColumn<'a>) -> Cells<'a> {
        let ValueColumn { rows, values, nulls } = column;
        match (role, values) {
            (_, Values::Null) => Cells::All(RowFault::Null),
            (Role::V, values) => recovery_ids(rows, values, nulls),
            (_, Values::Binary(bytes)) | (Role::Scheme, Values::Text(bytes)) => {
                assert!(bytes.covers(rows), "a column has a value for each row");
                Cells::Borrowed(bytes, nulls)
            }
            (_, Values::Text(text)) => packed(rows, nulls, |row, packed| packed.push_hex(role, text.get(row))),
            _ => Cells::All(RowFault::WrongType),
        }
    }

    /// The value in a row, or why there is none.
    ///
    /// # Errors
    /// What is wrong with the column or with the cell.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> Result<&[u8], RowFault> {
        match self {
            Cells::Absent => Err(RowFault::Absent),
            Cells::All(fault) => Err(*fault),
            Cells::Borrowed(_, nulls) if nulls.is_null(row) => Err(RowFault::Null),
            Cells::Borrowed(bytes, _) => Ok(bytes.get(row)),
            Cells::Packed(packed) => packed.get(row),
        }
    }

    /// Of a row whose text could not be read: how long it is, and how it begins.
    pub(crate) fn unread(&self, row: usize) -> Option<(u64, &[u8])> {
        match self {
            Cells::Packed(packed) => packed.unread(row),
            _ => None,
        }
    }

    /// Whether there is a cell for each of `rows` rows.
    pub(crate) fn covers(&self, rows: usize) -> bool {
        match self {
            Cells::Absent | Cells::All(_) => true,
            Cells::Borrowed(bytes, _) => bytes.covers(rows),
            Cells::Packed(packed) => packed.len() >= rows,
        }
    }
}

/// Values that `push` appends one by one, with null rows between them.
fn packed<'a>(rows: usize, nulls: Nulls<'_>, mut push: impl FnMut(usize, &mut Packed)) -> Cells<'a> {
    let mut packed = Packed::with_capacity(rows);
    for row in 0..rows {
        match nulls.is_null(row) {
            true => packed.push_fault(RowFault::Null),
            false => push(row, &mut packed),
        }
    }
    Cells::Packed(packed)
}

/// Numbers, truth values and text, whatever their type.
fn recovery_ids<'a>(rows: usize, values: Values<'_>, nulls: Nulls<'_>) -> Cells<'a> {
    let ids = |v: &dyn Fn(usize) -> Option<u8>| packed(rows, nulls, |row, packed| packed.push_v(v(row)));
    macro_rules! integers {
        ($values:expr) => {
            ids(&|row| Some(recovery_id::from_integer($values[row].into())))
        };
    }
    match values {
        Values::Boolean(bits, first) => ids(&|row| Some(recovery_id::from_integer(bit(bits, first + row).into()))),
        Values::Int8(values) => integers!(values),
        Values::Int16(values) => integers!(values),
        Values::Int32(values) => integers!(values),
        Values::Int64(values) => integers!(values),
        Values::UInt8(values) => integers!(values),
        Values::UInt16(values) => integers!(values),
        Values::UInt32(values) => integers!(values),
        Values::UInt64(values) => integers!(values),
        Values::Float32(values) => ids(&|row| recovery_id::from_float(values[row].into(), 2_f64.powi(24))),
        Values::Float64(values) => ids(&|row| recovery_id::from_float(values[row], 2_f64.powi(53))),
        Values::Decimal128(values, scale) => ids(&|row| {
            let mut wide = [if values[row] < 0 { 0xff } else { 0 }; 32];
            wide[..16].copy_from_slice(&values[row].to_le_bytes());
            recovery_id::from_decimal(&wide, scale)
        }),
        Values::Decimal256(values, scale) => ids(&|row| recovery_id::from_decimal(&values[row], scale)),
        Values::Text(text) => packed(rows, nulls, |row, packed| packed.push_text(Role::V, text.get(row))),
        Values::Binary(bytes) => ids(&|row| recovery_id::from_bytes(bytes.get(row))),
        Values::Null => Cells::All(RowFault::Null),
        Values::Other => Cells::All(RowFault::WrongType),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roles::LONGEST;

    #[test]
    #[should_panic(expected = "a value for each row")]
    fn a_column_that_is_too_short_is_refused() {
        let bytes = Bytes::Fixed { values: &[0; 63], width: 32 };
        Cells::new(Role::Digest, ValueColumn { rows: 2, values: Values::Binary(bytes), nulls: Nulls::default() });
    }

    fn text(role: Role, text: &str) -> Result<Vec<u8>, RowFault> {
        let offsets = [0, text.len() as i32];
        let values = Values::Text(Bytes::Offsets32 { values: text.as_bytes(), offsets: &offsets });
        Cells::new(role, ValueColumn { rows: 1, values, nulls: Nulls::default() }).get(0).map(<[u8]>::to_vec)
    }

    #[test]
    fn numbers_may_be_odd_and_nothing_else_may() {
        let not_hex = Err(RowFault::NotHex);
        for (digits, expected) in
            [("0x1ff", Ok(vec![1, 0xff])), ("g11", not_hex.clone()), ("", Ok(vec![])), ("0x0x11", not_hex.clone())]
        {
            assert_eq!(text(Role::R, digits), expected);
        }
        assert_eq!(text(Role::Digest, "0x1ff"), not_hex);
    }

    #[test]
    fn a_column_of_the_wrong_type_fails_in_every_row() {
        let get = |role, values| {
            Cells::new(role, ValueColumn { rows: 2, values, nulls: Nulls::default() }).get(1).map(<[u8]>::to_vec)
        };
        for (role, values) in [
            (Role::Scheme, Values::Float64(&[1.0, 2.0])),
            (Role::Digest, Values::Float64(&[1.0, 2.0])),
            (Role::V, Values::Other),
        ] {
            assert_eq!(get(role, values), Err(RowFault::WrongType));
        }
        for role in Role::ALL {
            assert_eq!(get(role, Values::Null), Err(RowFault::Null));
        }
    }

    #[test]
    fn a_value_that_is_too_long_is_not_decoded_whole() {
        let long = "0x".to_owned() + &"ab".repeat(1 << 20);
        for role in Role::ALL.into_iter().filter(|role| !matches!(role, Role::Scheme | Role::V)) {
            let whole = matches!(role, Role::Message | Role::Signature);
            assert_eq!(text(role, &long).unwrap().len(), if whole { 1 << 20 } else { LONGEST });
        }
    }
}
