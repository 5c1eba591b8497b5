//! One column of a batch as bytes: borrowed from an Arrow array where its type holds bytes, decoded where it holds text.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Decimal256Type, DecimalType, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, PrimitiveArray,
};
use arrow_schema::{DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION, DataType};

use crate::columns::Role;
use crate::fault::Fault;
use crate::recovery_id;

/// The values of one role in one batch. A value is bytes; text has been read as hex, except a scheme, which is text.
pub(crate) enum Cells {
    /// The file has no such column.
    Absent,
    /// The whole column fails for one reason.
    All(Fault),
    /// Arrow's own layouts of bytes, not copied.
    Fixed(FixedSizeBinaryArray),
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    /// Values decoded from text or numbers.
    Packed(Packed),
}

impl Cells {
    /// Decodes a column for the role it plays.
    pub(crate) fn new(role: Role, array: &ArrayRef) -> Cells {
        match role {
            Role::Scheme => Cells::text(array),
            Role::V => Cells::recovery_ids(array),
            _ => Cells::bytes(role, array),
        }
    }

    fn bytes(role: Role, array: &ArrayRef) -> Cells {
        match array.data_type() {
            DataType::Utf8 => Cells::hex(role, array.as_string::<i32>().iter()),
            DataType::LargeUtf8 => Cells::hex(role, array.as_string::<i64>().iter()),
            DataType::Utf8View => Cells::hex(role, array.as_string_view().iter()),
            _ => Cells::binary(array),
        }
    }

    fn text(array: &ArrayRef) -> Cells {
        match array.data_type() {
            DataType::Utf8 => Cells::Small(array.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Cells::Large(array.as_string::<i64>().clone().into()),
            DataType::Utf8View => Cells::View(array.as_string_view().clone().to_binary_view()),
            _ => Cells::binary(array),
        }
    }

    fn binary(array: &ArrayRef) -> Cells {
        match array.data_type() {
            DataType::FixedSizeBinary(_) => Cells::Fixed(array.as_fixed_size_binary().clone()),
            DataType::Binary => Cells::Small(array.as_binary::<i32>().clone()),
            DataType::LargeBinary => Cells::Large(array.as_binary::<i64>().clone()),
            DataType::BinaryView => Cells::View(array.as_binary_view().clone()),
            DataType::Null => Cells::All(Fault::Null),
            _ => Cells::All(Fault::WrongType),
        }
    }

    fn hex<'a>(role: Role, values: impl ExactSizeIterator<Item = Option<&'a str>>) -> Cells {
        let mut packed = Packed::with_capacity(values.len());
        for value in values {
            match value {
                Some(text) => packed.push_hex(role, text.as_bytes()),
                None => packed.push_fault(Fault::Null),
            }
        }
        Cells::Packed(packed)
    }

    fn recovery_ids(array: &ArrayRef) -> Cells {
        macro_rules! integers {
            ($kind:ty) => {
                Packed::numbers(array.as_primitive::<$kind>().iter(), |v| recovery_id::from_integer(v.into()))
            };
        }
        Cells::Packed(match array.data_type() {
            DataType::Boolean => Packed::numbers(array.as_boolean().iter(), |v| recovery_id::from_integer(v.into())),
            DataType::Int8 => integers!(Int8Type),
            DataType::Int16 => integers!(Int16Type),
            DataType::Int32 => integers!(Int32Type),
            DataType::Int64 => integers!(Int64Type),
            DataType::UInt8 => integers!(UInt8Type),
            DataType::UInt16 => integers!(UInt16Type),
            DataType::UInt32 => integers!(UInt32Type),
            DataType::UInt64 => integers!(UInt64Type),
            DataType::Float32 => {
                Packed::ids(array.as_primitive::<Float32Type>(), |v| recovery_id::from_float(v.into(), 2_f64.powi(24)))
            }
            DataType::Float64 => {
                Packed::ids(array.as_primitive::<Float64Type>(), |v| recovery_id::from_float(v, 2_f64.powi(53)))
            }
            DataType::Decimal128(_, scale) => {
                let text = |v| Decimal128Type::format_decimal(v, DECIMAL128_MAX_PRECISION, *scale);
                Packed::ids(array.as_primitive::<Decimal128Type>(), |v| recovery_id::from_text(text(v).as_bytes()))
            }
            DataType::Decimal256(_, scale) => {
                let text = |v| Decimal256Type::format_decimal(v, DECIMAL256_MAX_PRECISION, *scale);
                Packed::ids(array.as_primitive::<Decimal256Type>(), |v| recovery_id::from_text(text(v).as_bytes()))
            }
            DataType::Utf8 => Packed::ids_in_text(array.as_string::<i32>().iter()),
            DataType::LargeUtf8 => Packed::ids_in_text(array.as_string::<i64>().iter()),
            DataType::Utf8View => Packed::ids_in_text(array.as_string_view().iter()),
            _ => match Cells::binary(array) {
                cells @ (Cells::Absent | Cells::All(_)) => return cells,
                cells => {
                    let mut packed = Packed::with_capacity(array.len());
                    for row in 0..array.len() {
                        match cells.get(row) {
                            Ok(bytes) => packed.push_id(recovery_id::from_bytes(bytes)),
                            Err(fault) => packed.push_fault(fault),
                        }
                    }
                    packed
                }
            },
        })
    }

    /// The value in a row, or why there is none.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<&[u8], Fault> {
        fn known<'a, A: Array>(
            array: &'a A,
            row: usize,
            value: fn(&'a A, usize) -> &'a [u8],
        ) -> Result<&'a [u8], Fault> {
            if array.is_null(row) { Err(Fault::Null) } else { Ok(value(array, row)) }
        }
        match self {
            Cells::Absent => Err(Fault::Absent),
            Cells::All(fault) => Err(*fault),
            Cells::Fixed(array) => known(array, row, |array, row| array.value(row)),
            Cells::Small(array) => known(array, row, |array, row| array.value(row)),
            Cells::Large(array) => known(array, row, |array, row| array.value(row)),
            Cells::View(array) => known(array, row, |array, row| array.value(row)),
            Cells::Packed(packed) => packed.get(row),
        }
    }
}

/// Longer than any value may be but a message, and a signature in lax DER: that may end in any number of bytes.
const LONGEST: usize = 256;

/// Values end to end in one buffer, with a fault for each row that has none.
#[derive(Default)]
pub(crate) struct Packed {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    faults: Vec<Option<Fault>>,
}

impl Packed {
    pub(crate) fn with_capacity(rows: usize) -> Packed {
        Packed {
            bytes: Vec::with_capacity(rows * 32),
            ends: Vec::with_capacity(rows),
            faults: Vec::with_capacity(rows),
        }
    }

    fn numbers<T>(values: impl ExactSizeIterator<Item = Option<T>>, id: impl Fn(T) -> u8) -> Packed {
        let mut packed = Packed::with_capacity(values.len());
        for value in values {
            match value {
                Some(value) => packed.push(&[id(value)]),
                None => packed.push_fault(Fault::Null),
            }
        }
        packed
    }

    /// Numbers that may have a fraction.
    fn ids<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, id: impl Fn(T::Native) -> Option<u8>) -> Packed {
        let mut packed = Packed::with_capacity(array.len());
        for value in array {
            match value {
                Some(value) => packed.push_id(id(value)),
                None => packed.push_fault(Fault::Null),
            }
        }
        packed
    }

    fn ids_in_text<'a>(values: impl ExactSizeIterator<Item = Option<&'a str>>) -> Packed {
        let mut packed = Packed::with_capacity(values.len());
        for value in values {
            match value {
                Some(text) => packed.push_id(recovery_id::from_text(text.as_bytes())),
                None => packed.push_fault(Fault::Null),
            }
        }
        packed
    }

    pub(crate) fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.close(None);
    }

    pub(crate) fn push_fault(&mut self, fault: Fault) {
        self.close(Some(fault));
    }

    /// A recovery id that is one byte once its disguise is off, or no number at all.
    pub(crate) fn push_id(&mut self, id: Option<u8>) {
        match id {
            Some(id) => self.push(&[id]),
            None => self.push_fault(Fault::NotNumber),
        }
    }

    /// Decodes hex, with or without `0x`. The numbers `r` and `s` may have an odd count of digits, as JSON-RPC
    /// quantities do. Of a value that is too long for its role, only so much is looked at as shows that.
    pub(crate) fn push_hex(&mut self, role: Role, text: &[u8]) {
        let digits = text.strip_prefix(b"0x").unwrap_or(text);
        let start = self.bytes.len();
        let mut even = if digits.len().is_multiple_of(2) {
            digits
        } else {
            let number = matches!(role, Role::R | Role::S);
            let Some(value) = char::from(digits[0]).to_digit(16).filter(|_| number) else {
                return self.push_fault(Fault::NotHex);
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
                self.push_fault(Fault::NotHex);
            }
        }
    }

    fn close(&mut self, fault: Option<Fault>) {
        self.ends.push(self.bytes.len());
        self.faults.push(fault);
    }

    /// The bytes of all values.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The number of values, faults included.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<&[u8], Fault> {
        match self.faults[row] {
            Some(fault) => Err(fault),
            None => {
                let start = if row == 0 { 0 } else { self.ends[row - 1] };
                Ok(&self.bytes[start..self.ends[row]])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{
        Date32Array, Decimal128Array, Float32Array, Float64Array, Int64Array, LargeStringArray, StringArray,
        StringViewArray,
    };

    use super::*;

    fn all(cells: &Cells, rows: usize) -> Vec<Result<Vec<u8>, Fault>> {
        (0..rows).map(|row| cells.get(row).map(<[u8]>::to_vec)).collect()
    }

    #[test]
    fn every_layout_gives_the_same_bytes() {
        let text = [Some("0x0102"), Some("ABcd"), None, Some("xy"), Some("123")];
        let arrays: [ArrayRef; 3] = [
            Arc::new(StringArray::from(text.to_vec())),
            Arc::new(LargeStringArray::from(text.to_vec())),
            Arc::new(StringViewArray::from(text.to_vec())),
        ];
        let hex = [Ok(vec![1, 2]), Ok(vec![0xab, 0xcd]), Err(Fault::Null), Err(Fault::NotHex), Err(Fault::NotHex)];
        for array in arrays {
            assert_eq!(all(&Cells::new(Role::Signature, &array), 5), hex);
        }
        let bytes = [Some(&[1u8, 2][..]), Some(&[0xab, 0xcd]), None];
        let arrays: [ArrayRef; 4] = [
            Arc::new(BinaryArray::from(bytes.to_vec())),
            Arc::new(LargeBinaryArray::from(bytes.to_vec())),
            Arc::new(BinaryViewArray::from(bytes.to_vec())),
            Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes.into_iter(), 2).unwrap()),
        ];
        for array in arrays {
            assert_eq!(all(&Cells::new(Role::Signature, &array), 3), hex[..3]);
        }
    }

    #[test]
    fn numbers_may_be_odd_and_nothing_else_may() {
        let array: ArrayRef = Arc::new(StringArray::from(vec!["0x1ff", "g11", "", "0x0x11"]));
        let expected = [Ok(vec![1, 0xff]), Err(Fault::NotHex), Ok(vec![]), Err(Fault::NotHex)];
        assert_eq!(all(&Cells::new(Role::R, &array), 4), expected);
        assert_eq!(Cells::new(Role::Digest, &array).get(0), Err(Fault::NotHex));
    }

    #[test]
    fn a_column_of_the_wrong_type_fails_in_every_row() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
        let days: ArrayRef = Arc::new(Date32Array::from(vec![1, 2]));
        for (role, array) in [(Role::Scheme, &floats), (Role::Digest, &floats), (Role::V, &days)] {
            assert_eq!(Cells::new(role, array).get(1), Err(Fault::WrongType));
        }
    }

    #[test]
    fn recovery_ids_come_in_every_type() {
        let arrays: [ArrayRef; 3] = [
            Arc::new(Int64Array::from(vec![Some(0), Some(28), Some(38), None, Some(-1)])),
            Arc::new(StringArray::from(vec![Some("0"), Some("0x1c"), Some("38"), None, Some("-1")])),
            Arc::new(BinaryArray::from(vec![Some(&[0u8][..]), Some(&[28]), Some(&[0, 38]), None, Some(&[255; 9])])),
        ];
        for array in arrays {
            let ids = all(&Cells::new(Role::V, &array), 5);
            assert_eq!(ids[..4], [Ok(vec![0]), Ok(vec![1]), Ok(vec![1]), Err(Fault::Null)]);
            assert!(ids[4] == Ok(vec![recovery_id::OUT_OF_RANGE]) || ids[4] == Err(Fault::NotNumber));
        }
    }

    #[test]
    fn recovery_ids_are_whole_numbers_whatever_their_type() {
        let decimals = Decimal128Array::from(vec![Some(2700), Some(3800), None, Some(2750)]);
        let decimals = decimals.with_precision_and_scale(38, 2).unwrap();
        let wide = arrow_cast::cast(&decimals, &DataType::Decimal256(60, 12)).unwrap();
        let arrays: [ArrayRef; 4] = [
            Arc::new(Float64Array::from(vec![Some(27.0), Some(38.0), None, Some(27.5)])),
            Arc::new(Float32Array::from(vec![Some(27.0), Some(38.0), None, Some(27.5)])),
            Arc::new(decimals),
            wide,
        ];
        for array in arrays {
            let expected = [Ok(vec![0]), Ok(vec![1]), Err(Fault::Null), Err(Fault::NotNumber)];
            assert_eq!(all(&Cells::new(Role::V, &array), 4), expected, "{:?}", array.data_type());
        }
    }

    #[test]
    fn a_value_that_is_too_long_is_not_decoded_whole() {
        let long = "0x".to_owned() + &"ab".repeat(1 << 20);
        let array: ArrayRef = Arc::new(StringArray::from(vec![long]));
        for role in Role::ALL.into_iter().filter(|role| !matches!(role, Role::Scheme | Role::V)) {
            let bytes = Cells::new(role, &array).get(0).unwrap().len();
            let whole = matches!(role, Role::Message | Role::Signature);
            assert_eq!(bytes, if whole { 1 << 20 } else { LONGEST });
        }
    }
}
