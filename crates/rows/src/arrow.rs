//! Arrow's arrays: as columns of rows, of which nothing is copied, and made of what is found of rows.

use arrow_array::builder::FixedSizeBinaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, ByteViewType, Decimal128Type, Decimal256Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, GenericBinaryArray, GenericByteViewArray, GenericListArray,
    OffsetSizeTrait, StringArray, make_array,
};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType};
use std::ops::Range;
use std::sync::Arc;

use crate::column::{Bytes, Nulls, ValueColumn, Values};
use crate::outcome::{Outcome, Recovered};
use crate::roles::ColumnNames;

/// The same values in an array that a column can borrow them from. A dictionary's are written out. Lists of unsigned
/// bytes become bytes, which share their memory; a list that holds a null becomes null. All others are not touched.
///
/// # Errors
/// More bytes than the offsets of the type can count.
pub fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some(encoded) = array.as_any_dictionary_opt() else { return unlisted(array) };
    let values = encoded.values().to_data();
    let mut plain = MutableArrayData::new(vec![&values], true, array.len());
    for (row, key) in encoded.normalized_keys().into_iter().enumerate() {
        if array.is_null(row) {
            plain.try_extend_nulls(1)?;
        } else {
            plain.try_extend(0, key, key + 1)?;
        }
    }
    unlisted(&make_array(plain.freeze()))
}

/// Whether [`plain`] makes bytes of lists of this type.
pub fn are_bytes(lists: &DataType) -> bool {
    match lists {
        DataType::FixedSizeList(item, width) => *width > 0 && *item.data_type() == DataType::UInt8,
        DataType::List(item) | DataType::LargeList(item) => *item.data_type() == DataType::UInt8,
        _ => false,
    }
}

/// Lists of unsigned bytes as bytes; any other array as it is.
fn unlisted(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        lists if !are_bytes(lists) => Ok(ArrayRef::clone(array)),
        DataType::List(_) => of_lists(array.as_list::<i32>()),
        DataType::LargeList(_) => of_lists(array.as_list::<i64>()),
        _ => {
            let lists = array.as_fixed_size_list();
            let bytes = lists.values().as_primitive::<UInt8Type>();
            let width = lists.value_length();
            let whole = without_nulls(lists, bytes, |row| row * width as usize..(row + 1) * width as usize);
            let nulls = whole.map(Into::into).or_else(|| lists.nulls().cloned());
            Ok(Arc::new(FixedSizeBinaryArray::try_new(width, bytes.values().inner().clone(), nulls)?))
        }
    }
}

fn of_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<ArrayRef, ArrowError> {
    let bytes = lists.values().as_primitive::<UInt8Type>();
    let ends = lists.value_offsets();
    let whole = without_nulls(lists, bytes, |row| ends[row].as_usize()..ends[row + 1].as_usize());
    let nulls = whole.map(Into::into).or_else(|| lists.nulls().cloned());
    let bytes = GenericBinaryArray::try_new(lists.offsets().clone(), bytes.values().inner().clone(), nulls)?;
    Ok(Arc::new(bytes))
}

/// Whether each list is there and holds no null, if any list may hold one. A list's values stand in this range.
fn without_nulls(lists: &dyn Array, values: &dyn Array, range: impl Fn(usize) -> Range<usize>) -> Option<Vec<bool>> {
    let whole = |row| lists.is_valid(row) && range(row).all(|at| values.is_valid(at));
    (values.null_count() > 0).then(|| (0..lists.len()).map(whole).collect())
}

/// An array as a column.
pub fn column(array: &ArrayRef) -> ValueColumn<'_> {
    let nulls = array.nulls().map(|nulls| Nulls::bits(nulls.validity(), nulls.offset()));
    ValueColumn { rows: array.len(), values: values(array), nulls: nulls.unwrap_or_default() }
}

fn values(array: &ArrayRef) -> Values<'_> {
    match array.data_type() {
        DataType::Null => Values::Null,
        DataType::Boolean => {
            let bits = array.as_boolean().values();
            Values::Boolean(bits.values(), bits.offset())
        }
        DataType::Int8 => Values::Int8(numbers::<Int8Type>(array)),
        DataType::Int16 => Values::Int16(numbers::<Int16Type>(array)),
        DataType::Int32 => Values::Int32(numbers::<Int32Type>(array)),
        DataType::Int64 => Values::Int64(numbers::<Int64Type>(array)),
        DataType::UInt8 => Values::UInt8(numbers::<UInt8Type>(array)),
        DataType::UInt16 => Values::UInt16(numbers::<UInt16Type>(array)),
        DataType::UInt32 => Values::UInt32(numbers::<UInt32Type>(array)),
        DataType::UInt64 => Values::UInt64(numbers::<UInt64Type>(array)),
        DataType::Float32 => Values::Float32(numbers::<Float32Type>(array)),
        DataType::Float64 => Values::Float64(numbers::<Float64Type>(array)),
        DataType::Decimal128(_, scale) => Values::Decimal128(numbers::<Decimal128Type>(array), *scale),
        DataType::Decimal256(_, scale) => {
            let (numbers, _) = array.as_primitive::<Decimal256Type>().values().inner().as_slice().as_chunks();
            Values::Decimal256(numbers, *scale)
        }
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Values::Text(Bytes::Offsets32 { values: array.value_data(), offsets: array.value_offsets() })
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Values::Text(Bytes::Offsets64 { values: array.value_data(), offsets: array.value_offsets() })
        }
        DataType::Utf8View => Values::Text(views(array.as_string_view())),
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Values::Binary(Bytes::Offsets32 { values: array.value_data(), offsets: array.value_offsets() })
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Values::Binary(Bytes::Offsets64 { values: array.value_data(), offsets: array.value_offsets() })
        }
        DataType::BinaryView => Values::Binary(views(array.as_binary_view())),
        DataType::FixedSizeBinary(width) => {
            let width = usize::try_from(*width).unwrap_or(0);
            Values::Binary(Bytes::Fixed { values: array.as_fixed_size_binary().value_data(), width })
        }
        _ => Values::Other,
    }
}

fn numbers<T: ArrowPrimitiveType>(array: &ArrayRef) -> &[T::Native] {
    array.as_primitive::<T>().values()
}

fn views<T: ByteViewType>(array: &GenericByteViewArray<T>) -> Bytes<'_> {
    let (views, _) = array.views().inner().as_slice().as_chunks();
    Bytes::Views { views, buffers: array.data_buffers().iter().map(|buffer| buffer.as_slice()).collect() }
}

/// Whether each row is valid; null where a row has no signature.
pub fn valid(outcomes: &[Outcome]) -> BooleanArray {
    outcomes.iter().map(|outcome| outcome.is_valid()).collect()
}

/// The name of each row's verdict.
pub fn reasons(outcomes: &[Outcome]) -> StringArray {
    StringArray::from_iter_values(outcomes.iter().map(|outcome| outcome.reason()))
}

/// The name of the column at fault, of each row that has one.
pub fn blamed(outcomes: &[Outcome], names: &ColumnNames) -> StringArray {
    outcomes.iter().map(|outcome| outcome.column_name(names)).collect()
}

/// The key of each row that has one, compressed.
pub fn public_keys(keys: &[Option<Recovered>]) -> FixedSizeBinaryArray {
    fixed(keys, |key| key.public_key)
}

/// The Ethereum address of each row that has a key.
pub fn addresses(keys: &[Option<Recovered>]) -> FixedSizeBinaryArray {
    fixed(keys, |key| key.address)
}

fn fixed<const N: usize>(keys: &[Option<Recovered>], bytes: impl Fn(&Recovered) -> [u8; N]) -> FixedSizeBinaryArray {
    let mut builder = FixedSizeBinaryBuilder::with_capacity(keys.len(), N as i32);
    for key in keys {
        match key {
            Some(key) => builder.append_value(bytes(key)).expect("values of the builder's width"),
            None => builder.append_null(),
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cells;
    use crate::fault::RowFault;
    use crate::roles::Role;
    use arrow_array::builder::StringDictionaryBuilder;
    use arrow_array::{
        BinaryArray, BinaryViewArray, FixedSizeListArray, LargeBinaryArray, LargeListArray, LargeStringArray,
        ListArray, PrimitiveArray, StringViewArray,
    };

    /// What a role reads from an array behind its first row, whose bit of validity then is not the first of its byte.
    fn cells(role: Role, array: &ArrayRef) -> Vec<Result<Vec<u8>, RowFault>> {
        let array = array.slice(1, array.len() - 1);
        let cells = Cells::new(role, column(&array));
        (0..array.len()).map(|row| cells.get(row).map(<[u8]>::to_vec)).collect()
    }

    /// The same text in every layout.
    fn text(values: &[Option<&str>]) -> [ArrayRef; 3] {
        let values = || values.iter().copied();
        [
            Arc::new(values().collect::<StringArray>()),
            Arc::new(values().collect::<LargeStringArray>()),
            Arc::new(values().collect::<StringViewArray>()),
        ]
    }

    /// The same bytes in every layout that has values of any length.
    fn binary(values: &[Option<&[u8]>]) -> [ArrayRef; 3] {
        let values = || values.iter().copied();
        [
            Arc::new(values().collect::<BinaryArray>()),
            Arc::new(values().collect::<LargeBinaryArray>()),
            Arc::new(values().collect::<BinaryViewArray>()),
        ]
    }

    #[test]
    fn every_layout_gives_the_same_bytes() {
        let long = format!("0x{}", "a".repeat(64));
        let hex = [
            Ok(vec![1, 2]),
            Ok(vec![0xab, 0xcd]),
            Err(RowFault::Null),
            Err(RowFault::NotHex),
            Err(RowFault::NotHex),
            Ok(vec![0xaa; 32]),
        ];
        for array in text(&[None, Some("0x0102"), Some("ABcd"), None, Some("xy"), Some("123"), Some(&long)]) {
            assert_eq!(cells(Role::Signature, &array), hex);
            let schemes = ["xy", "123", &long].map(|scheme| Ok(scheme.as_bytes().to_vec()));
            assert_eq!(cells(Role::Scheme, &array)[3..], schemes);
        }
        let bytes: [Option<&[u8]>; 4] = [None, Some(&[1, 2]), Some(&[0xab, 0xcd]), None];
        let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes.into_iter(), 2).unwrap();
        for array in binary(&bytes).into_iter().chain([Arc::new(fixed) as ArrayRef]) {
            assert_eq!(cells(Role::Signature, &array), hex[..3]);
        }
    }

    /// A null, three ids, a null and a number that is none.
    fn ids<T: ArrowPrimitiveType<Native: TryFrom<i8>>>(none: i8) -> ArrayRef {
        let ids = [None, Some(0), Some(28), Some(38), None, Some(none)];
        Arc::new(
            ids.map(|id: Option<i8>| id.and_then(|id| id.try_into().ok())).into_iter().collect::<PrimitiveArray<T>>(),
        )
    }

    /// The recovery ids that the cells of an array encode.
    fn recovery_ids(array: &ArrayRef) -> Vec<Result<Vec<u8>, RowFault>> {
        let id = |v: Vec<u8>| v.into_iter().map(crate::recovery_id_of).collect();
        cells(Role::V, array).into_iter().map(|cell| cell.map(id)).collect()
    }

    #[test]
    fn recovery_ids_come_in_every_type() {
        let out_of_range = Ok(vec![crate::recovery_id::OUT_OF_RANGE]);
        let expected = [Ok(vec![0]), Ok(vec![1]), Ok(vec![1]), Err(RowFault::Null), out_of_range];
        let numbers = [
            ids::<Int8Type>(-1),
            ids::<Int16Type>(-1),
            ids::<Int32Type>(-1),
            ids::<Int64Type>(-1),
            ids::<UInt8Type>(4),
            ids::<UInt16Type>(4),
            ids::<UInt32Type>(4),
            ids::<UInt64Type>(4),
        ];
        let text = text(&[None, Some("0"), Some("0x1c"), Some("38"), None, Some("-1")]);
        for array in numbers.into_iter().chain(text) {
            assert_eq!(recovery_ids(&array), expected, "{}", array.data_type());
        }
        for array in binary(&[None, Some(&[0]), Some(&[28]), Some(&[0, 38]), None, Some(&[255; 9])]) {
            let found = recovery_ids(&array);
            assert_eq!((&found[..4], &found[4]), (&expected[..4], &Err(RowFault::NotNumber)));
        }
        let truths: ArrayRef = Arc::new(BooleanArray::from(vec![None, Some(false), Some(true)]));
        assert_eq!(cells(Role::V, &truths), expected[..2]);
    }

    #[test]
    fn recovery_ids_are_whole_numbers_whatever_their_type() {
        let expected = [Ok(vec![0]), Ok(vec![1]), Err(RowFault::Null), Err(RowFault::NotNumber)];
        let hundredths = || [None, Some(27_00), Some(38_00), None, Some(27_50)].into_iter();
        let numbers = || hundredths().map(|number| number.map(|number| number as f32 / 100.0));
        type Wide = <Decimal256Type as ArrowPrimitiveType>::Native;
        let decimals = hundredths().collect::<PrimitiveArray<Decimal128Type>>();
        let wide = hundredths().map(|number| number.map(Wide::from_i128)).collect::<PrimitiveArray<Decimal256Type>>();
        let arrays: [ArrayRef; 4] = [
            Arc::new(numbers().collect::<PrimitiveArray<Float32Type>>()),
            Arc::new(numbers().map(|number| number.map(f64::from)).collect::<PrimitiveArray<Float64Type>>()),
            Arc::new(decimals.with_precision_and_scale(9, 2).unwrap()),
            Arc::new(wide.with_precision_and_scale(50, 2).unwrap()),
        ];
        for array in arrays {
            assert_eq!(recovery_ids(&array), expected, "{}", array.data_type());
        }
    }

    #[test]
    fn dictionaries_are_written_out() {
        let mut builder = StringDictionaryBuilder::<Int8Type>::new();
        for value in [Some("ecdsa"), None, Some("schnorr"), Some("ecdsa")] {
            builder.append_option(value);
        }
        let array: ArrayRef = Arc::new(builder.finish());
        for (first, rows) in [(0, 4), (1, 3), (3, 1), (2, 0)] {
            let expected = StringArray::from(vec![Some("ecdsa"), None, Some("schnorr"), Some("ecdsa")]);
            assert_eq!(plain(&array.slice(first, rows)).unwrap().as_string::<i32>(), &expected.slice(first, rows));
        }
        let array: ArrayRef = Arc::new(StringArray::from(vec!["ecdsa"]));
        assert!(Arc::ptr_eq(&plain(&array).unwrap(), &array));
    }

    #[test]
    fn lists_of_unsigned_bytes_are_bytes_without_a_copy() {
        let rows = [Some([1, 2]), None, Some([3, 4]), Some([5, 6])];
        let lists = || rows.map(|row| row.map(|bytes| bytes.map(Some)));
        let expected = BinaryArray::from(rows.each_ref().map(|row| row.as_ref().map(|bytes| &bytes[..])).to_vec());
        let fixed = FixedSizeListArray::from_iter_primitive::<UInt8Type, _, _>(lists(), 2);
        let long = LargeListArray::from_iter_primitive::<UInt8Type, _, _>(lists());
        let list = ListArray::from_iter_primitive::<UInt8Type, _, _>(lists());
        for (first, length) in [(0, 4), (1, 3), (2, 2), (3, 0)] {
            let fixed = plain(&(Arc::new(fixed.slice(first, length)) as ArrayRef)).unwrap();
            let long = plain(&(Arc::new(long.slice(first, length)) as ArrayRef)).unwrap();
            let same = plain(&(Arc::new(list.slice(first, length)) as ArrayRef)).unwrap();
            let expected = expected.slice(first, length);
            assert!(fixed.as_fixed_size_binary().iter().eq(expected.iter()));
            assert!(long.as_binary::<i64>().iter().eq(expected.iter()));
            assert!(same.as_binary::<i32>().iter().eq(expected.iter()));
        }
        let same = plain(&(Arc::new(list.clone()) as ArrayRef)).unwrap();
        let before = list.values().as_primitive::<UInt8Type>().values().as_ptr();
        assert_eq!(same.as_binary::<i32>().value_data().as_ptr(), before);
    }

    #[test]
    fn a_list_that_holds_a_null_is_null() {
        let rows = [Some([Some(1), Some(2)]), Some([Some(3), None]), Some([Some(5), Some(6)])];
        let list: ArrayRef = Arc::new(ListArray::from_iter_primitive::<UInt8Type, _, _>(rows));
        let fixed: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<UInt8Type, _, _>(rows, 2));
        for lists in [list, fixed] {
            assert_eq!([0, 1, 2].map(|row| plain(&lists).unwrap().is_null(row)), [false, true, false]);
            assert_eq!([0, 1].map(|row| plain(&lists.slice(1, 2)).unwrap().is_null(row)), [true, false]);
        }
    }

    #[test]
    fn lists_of_other_values_are_not_touched() {
        let longs: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)])]));
        let empty = FixedSizeListArray::from_iter_primitive::<UInt8Type, _, _>([Some([]), Some([])], 0);
        for lists in [longs, Arc::new(empty) as ArrayRef] {
            assert!(!are_bytes(lists.data_type()) && Arc::ptr_eq(&plain(&lists).unwrap(), &lists));
        }
    }
}
