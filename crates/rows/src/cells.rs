//! The cells of one role as bytes: borrowed from a column where its type holds bytes, decoded where it holds text or
//! numbers.

use crate::column::{Bytes, Nulls, ValueColumn, Values, bit};
use crate::fault::RowFault;
use crate::packed::Packed;
use crate::recovery_id;
use crate::roles::Role;

/// The cells of one role in a block of rows. A cell is bytes; text has been read as hex, except a scheme, which is
/// text.
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
    let ids = |id: &dyn Fn(usize) -> Option<u8>| packed(rows, nulls, |row, packed| packed.push_id(id(row)));
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
        Values::Text(text) => ids(&|row| recovery_id::from_text(text.get(row))),
        Values::Binary(bytes) => ids(&|row| recovery_id::from_bytes(bytes.get(row))),
        Values::Null => Cells::All(RowFault::Null),
        Values::Other => Cells::All(RowFault::WrongType),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roles::LONGEST;

    fn all(cells: &Cells<'_>, rows: usize) -> Vec<Result<Vec<u8>, RowFault>> {
        (0..rows).map(|row| cells.get(row).map(<[u8]>::to_vec)).collect()
    }

    /// The same values in every layout: text end to end, the offsets, and views of which the long ones stand in a
    /// buffer.
    struct Layouts {
        values: Vec<u8>,
        small: Vec<i32>,
        large: Vec<i64>,
        views: Vec<[u8; 16]>,
    }

    impl Layouts {
        fn new(values: &[&[u8]]) -> Layouts {
            let mut layouts = Layouts { values: Vec::new(), small: vec![0], large: vec![0], views: Vec::new() };
            for value in values {
                let mut view = [0; 16];
                view[..4].copy_from_slice(&(value.len() as u32).to_ne_bytes());
                if value.len() <= 12 {
                    view[4..4 + value.len()].copy_from_slice(value);
                } else {
                    view[4..8].copy_from_slice(&value[..4]);
                    view[12..].copy_from_slice(&(layouts.values.len() as u32).to_ne_bytes());
                }
                layouts.views.push(view);
                layouts.values.extend_from_slice(value);
                layouts.small.push(layouts.values.len() as i32);
                layouts.large.push(layouts.values.len() as i64);
            }
            layouts
        }

        fn all(&self) -> [Bytes<'_>; 3] {
            [
                Bytes::Offsets32 { values: &self.values, offsets: &self.small },
                Bytes::Offsets64 { values: &self.values, offsets: &self.large },
                Bytes::Views { views: &self.views, buffers: vec![&self.values] },
            ]
        }
    }

    fn column<'a>(rows: usize, values: Values<'a>, nulls: &'a [u8]) -> ValueColumn<'a> {
        ValueColumn { rows, values, nulls: Nulls::bits(nulls, 1) }
    }

    #[test]
    fn every_layout_gives_the_same_bytes() {
        let long = [b"0x".as_slice(), &[b'a'; 64]].concat();
        let text = Layouts::new(&[b"0x0102", b"ABcd", b"", b"xy", b"123", &long]);
        let hex = [
            Ok(vec![1, 2]),
            Ok(vec![0xab, 0xcd]),
            Err(RowFault::Null),
            Err(RowFault::NotHex),
            Err(RowFault::NotHex),
            Ok(vec![0xaa; 32]),
        ];
        // The first bit is before the first row; the third row is null.
        let nulls = [0b111_0110];
        for bytes in text.all() {
            let cells = Cells::new(Role::Signature, column(6, Values::Text(bytes.clone()), &nulls));
            assert_eq!(all(&cells, 6), hex);
            let scheme = Cells::new(Role::Scheme, column(6, Values::Text(bytes), &nulls));
            assert_eq!(all(&scheme, 6)[3..], [Ok(b"xy".to_vec()), Ok(b"123".to_vec()), Ok(long.clone())]);
        }
        let bytes = Layouts::new(&[&[1, 2], &[0xab, 0xcd], &[0, 0], &[7; 2]]);
        let fixed = Bytes::Fixed { values: &bytes.values, width: 2 };
        for bytes in bytes.all().into_iter().chain([fixed]) {
            let cells = Cells::new(Role::Signature, column(3, Values::Binary(bytes), &nulls));
            assert_eq!(all(&cells, 3), hex[..3]);
        }
    }

    #[test]
    #[should_panic(expected = "a value for each row")]
    fn a_column_that_is_too_short_is_refused() {
        let bytes = Bytes::Fixed { values: &[0; 63], width: 32 };
        Cells::new(Role::Digest, ValueColumn { rows: 2, values: Values::Binary(bytes), nulls: Nulls::default() });
    }

    fn text(role: Role, values: &[&[u8]]) -> Vec<Result<Vec<u8>, RowFault>> {
        let layouts = Layouts::new(values);
        let [bytes, ..] = layouts.all();
        let nulls = Nulls::default();
        all(&Cells::new(role, ValueColumn { rows: values.len(), values: Values::Text(bytes), nulls }), values.len())
    }

    #[test]
    fn numbers_may_be_odd_and_nothing_else_may() {
        let expected = [Ok(vec![1, 0xff]), Err(RowFault::NotHex), Ok(vec![]), Err(RowFault::NotHex)];
        assert_eq!(text(Role::R, &[b"0x1ff", b"g11", b"", b"0x0x11"]), expected);
        assert_eq!(text(Role::Digest, &[b"0x1ff"]), [Err(RowFault::NotHex)]);
    }

    #[test]
    fn a_column_of_the_wrong_type_fails_in_every_row() {
        for (role, values) in [
            (Role::Scheme, Values::Float64(&[1.0, 2.0])),
            (Role::Digest, Values::Float64(&[1.0, 2.0])),
            (Role::V, Values::Other),
        ] {
            let cells = Cells::new(role, ValueColumn { rows: 2, values, nulls: Nulls::default() });
            assert_eq!(cells.get(1), Err(RowFault::WrongType));
        }
        for role in Role::ALL {
            let cells = Cells::new(role, ValueColumn { rows: 2, values: Values::Null, nulls: Nulls::default() });
            assert_eq!(cells.get(1), Err(RowFault::Null));
        }
    }

    fn ids(values: Values<'_>, nulls: &[u8], rows: usize) -> Vec<Result<Vec<u8>, RowFault>> {
        all(&Cells::new(Role::V, column(rows, values, nulls)), rows)
    }

    #[test]
    fn recovery_ids_come_in_every_type() {
        let out_of_range = Ok(vec![recovery_id::OUT_OF_RANGE]);
        let nulls = [0b10_1110];
        let expected = [Ok(vec![0]), Ok(vec![1]), Ok(vec![1]), Err(RowFault::Null), out_of_range.clone()];
        let (wide, narrow) = ([0, 28, 38, 0, -1], [0, 28, 38, 0, -1]);
        assert_eq!(ids(Values::Int64(&wide), &nulls, 5), expected);
        assert_eq!(ids(Values::Int8(&narrow), &nulls, 5), expected);
        assert_eq!(ids(Values::Int16(&[0, 28, 38, 0, -1]), &nulls, 5), expected);
        assert_eq!(ids(Values::Int32(&[0, 28, 38, 0, -1]), &nulls, 5), expected);
        assert_eq!(ids(Values::UInt8(&[0, 28, 38, 0, 4]), &nulls, 5), expected);
        assert_eq!(ids(Values::UInt16(&[0, 28, 38, 0, 4]), &nulls, 5), expected);
        assert_eq!(ids(Values::UInt32(&[0, 28, 38, 0, 4]), &nulls, 5), expected);
        assert_eq!(ids(Values::UInt64(&[0, 28, 38, 0, 4]), &nulls, 5), expected);
        for bytes in Layouts::new(&[b"0", b"0x1c", b"38", b"", b"-1"]).all() {
            assert_eq!(ids(Values::Text(bytes), &nulls, 5), expected);
        }
        for bytes in Layouts::new(&[&[0], &[28], &[0, 38], &[], &[255; 9]]).all() {
            let found = ids(Values::Binary(bytes), &nulls, 5);
            assert_eq!(found[..4], expected[..4]);
            assert_eq!(found[4], Err(RowFault::NotNumber));
        }
        // Bits from the second on.
        assert_eq!(ids(Values::Boolean(&[0b100], 1), &[0xff], 2), [Ok(vec![0]), Ok(vec![1])]);
    }

    #[test]
    fn recovery_ids_are_whole_numbers_whatever_their_type() {
        let nulls = [0b1_0110];
        let expected = [Ok(vec![0]), Ok(vec![1]), Err(RowFault::Null), Err(RowFault::NotNumber)];
        let wide = [27_00_i128, 38_00, 0, 27_50].map(|value| {
            let mut wide = [0; 32];
            wide[..16].copy_from_slice(&value.to_le_bytes());
            wide
        });
        for values in [
            Values::Float64(&[27.0, 38.0, 0.0, 27.5]),
            Values::Float32(&[27.0, 38.0, 0.0, 27.5]),
            Values::Decimal128(&[27_00, 38_00, 0, 27_50], 2),
            Values::Decimal256(&wide, 2),
        ] {
            assert_eq!(ids(values, &nulls, 4), expected);
        }
    }

    #[test]
    fn a_value_that_is_too_long_is_not_decoded_whole() {
        let long = "0x".to_owned() + &"ab".repeat(1 << 20);
        for role in Role::ALL.into_iter().filter(|role| !matches!(role, Role::Scheme | Role::V)) {
            let bytes = text(role, &[long.as_bytes()])[0].as_ref().unwrap().len();
            let whole = matches!(role, Role::Message | Role::Signature);
            assert_eq!(bytes, if whole { 1 << 20 } else { LONGEST });
        }
    }
}
