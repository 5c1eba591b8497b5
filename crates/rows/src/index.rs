//! An index of silent payments in arrays of Arrow: a transaction in each row, with its tweak point and its outputs.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, GenericListArray, Int64Array, OffsetSizeTrait};
use arrow_schema::{ArrowError, DataType};
use phalanx::bindings::payments::{Outputs, Row};

use crate::arrow;
use crate::cells::Cells;
use crate::column::Values;
use crate::fault::RowFault;
use crate::roles::Role;

/// Why a row cannot be scanned.
pub type BadIndexRow = &'static str;

/// What a scan says of a row whose tweak point is none.
pub const NO_TWEAK_POINT: BadIndexRow = "tweak_key is no point of the curve";

/// The columns of an index.
#[derive(Debug)]
pub struct Index {
    points: ArrayRef,
    outputs: Lists,
}

/// The outputs of all rows.
#[derive(Debug)]
enum Lists {
    /// The place of each row's prefixes, if it has a list.
    Prefixes(Vec<Option<Range<usize>>>, Int64Array),
    /// The same for keys; which of them are some: the others are zeros.
    Keys(Vec<Option<Range<usize>>>, Vec<[u8; 32]>, Vec<bool>),
    /// Of lists in text.
    Text(Vec<Result<List, BadIndexRow>>),
    /// A column of another type.
    None(BadIndexRow),
}

/// The outputs of a row.
#[derive(Debug)]
enum List {
    Prefixes(Vec<i64>),
    Keys(Vec<[u8; 32]>),
}

const MISSING: BadIndexRow = "outputs is missing";

impl Index {
    /// Takes the column of tweak points, as bytes or hex; and that of outputs: lists of prefixes, lists of keys as bytes
    /// or hex, or text such as `[1, -2]`. There are as many outputs as points.
    ///
    /// # Errors
    /// More bytes than the offsets of a type can count.
    pub fn new(tweak_key: &ArrayRef, outputs: &ArrayRef) -> Result<Index, ArrowError> {
        Ok(Index { points: arrow::plain(tweak_key)?, outputs: Lists::of(outputs)? })
    }

    /// The rows, whose tweak points are decoded here if they are text.
    pub fn rows(&self) -> IndexRows<'_> {
        IndexRows { points: Cells::new(Role::Point, arrow::column(&self.points)), outputs: &self.outputs }
    }
}

/// The rows of an [`Index`].
#[derive(Debug)]
pub struct IndexRows<'a> {
    points: Cells<'a>,
    outputs: &'a Lists,
}

impl IndexRows<'_> {
    /// A row as a scan takes it. Whether the tweak point is one, the scan finds out.
    ///
    /// # Errors
    /// Why there is none, in words.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn get(&self, row: usize) -> Result<Row<'_>, BadIndexRow> {
        let tweak_point = self.points.get(row).map_err(|fault| match fault {
            RowFault::Null | RowFault::Absent => "tweak_key is missing",
            RowFault::WrongType => "tweak_key is neither bytes nor hex",
            _ => "tweak_key is not hex",
        })?;
        Ok(Row { tweak_point, outputs: self.outputs.get(row)? })
    }
}

impl Lists {
    fn of(lists: &ArrayRef) -> Result<Lists, ArrowError> {
        let (ranges, values) = match lists.data_type() {
            DataType::List(_) => in_offsets(lists.as_list::<i32>()),
            DataType::LargeList(_) => in_offsets(lists.as_list::<i64>()),
            DataType::FixedSizeList(..) => {
                let lists = lists.as_fixed_size_list();
                let width = lists.value_length() as usize;
                let range = |row| lists.is_valid(row).then_some(row * width..(row + 1) * width);
                ((0..lists.len()).map(range).collect(), Arc::clone(lists.values()))
            }
            _ => return Ok(Lists::of_text(lists)),
        };
        if let Some(prefixes) = values.as_primitive_opt::<Int64Type>() {
            return Ok(Lists::Prefixes(ranges, prefixes.clone()));
        }
        let values = arrow::plain(&values)?;
        let cells = Cells::new(Role::Digest, arrow::column(&values));
        if matches!(cells, Cells::All(RowFault::WrongType)) {
            return Ok(Lists::None("outputs is no list of 64-bit numbers, nor of keys"));
        }
        let key = |at| cells.get(at).ok().and_then(|key| <[u8; 32]>::try_from(key).ok());
        let read: Vec<_> = (0..values.len()).map(key).collect();
        let are_some = read.iter().map(Option::is_some).collect();
        Ok(Lists::Keys(ranges, read.into_iter().map(Option::unwrap_or_default).collect(), are_some))
    }

    fn of_text(lists: &ArrayRef) -> Lists {
        let column = arrow::column(lists);
        match column.values {
            Values::Null => Lists::None(MISSING),
            Values::Text(text) => {
                let list = |row| {
                    let text = std::str::from_utf8(text.get(row)).ok();
                    text.and_then(List::of_text).ok_or("outputs is no list of numbers, nor of keys in hex")
                };
                let read = |row| if lists.is_valid(row) { list(row) } else { Err(MISSING) };
                Lists::Text((0..lists.len()).map(read).collect())
            }
            _ => Lists::None("outputs is no list"),
        }
    }

    fn get(&self, row: usize) -> Result<Outputs<'_>, BadIndexRow> {
        match self {
            Lists::Prefixes(ranges, values) => {
                let range = ranges[row].clone().ok_or(MISSING)?;
                if values.null_count() > 0 && range.clone().any(|at| values.is_null(at)) {
                    return Err("outputs holds a null");
                }
                Ok(Outputs::Prefixes(&values.values()[range]))
            }
            Lists::Keys(ranges, keys, are_some) => {
                let range = ranges[row].clone().ok_or(MISSING)?;
                if are_some[range.clone()].iter().all(|some| *some) {
                    Ok(Outputs::Keys(&keys[range]))
                } else {
                    Err("outputs holds what is no key of 32 bytes")
                }
            }
            Lists::Text(lists) => match lists[row].as_ref().map_err(|why| *why)? {
                List::Prefixes(prefixes) => Ok(Outputs::Prefixes(prefixes)),
                List::Keys(keys) => Ok(Outputs::Keys(keys)),
            },
            Lists::None(why) => Err(why),
        }
    }
}

impl List {
    /// A list in brackets: numbers, or keys of 32 bytes in hex.
    fn of_text(text: &str) -> Option<List> {
        let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
        if inside.is_empty() {
            return Some(List::Prefixes(Vec::new()));
        }
        let items: Vec<&str> = inside.split(',').map(|item| unquoted(item.trim())).collect::<Option<_>>()?;
        if let Some(prefixes) = items.iter().map(|item| item.parse().ok()).collect() {
            return Some(List::Prefixes(prefixes));
        }
        let key = |item: &&str| {
            let mut key = [0; 32];
            const_hex::decode_to_slice(item, &mut key).ok().map(|()| key)
        };
        items.iter().map(key).collect::<Option<_>>().map(List::Keys)
    }
}

/// The text between two quotes, or all of it where it begins with none.
fn unquoted(text: &str) -> Option<&str> {
    text.strip_prefix('"').map_or(Some(text), |rest| rest.strip_suffix('"'))
}

/// The range of each row's values, and the values of these rows.
fn in_offsets<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (Vec<Option<Range<usize>>>, ArrayRef) {
    let ends = lists.value_offsets();
    let (first, last) = (ends[0].as_usize(), ends[lists.len()].as_usize());
    let range = |row: usize| ends[row].as_usize() - first..ends[row + 1].as_usize() - first;
    let ranges = (0..lists.len()).map(|row| lists.is_valid(row).then(|| range(row)));
    (ranges.collect(), lists.values().slice(first, last - first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{BinaryBuilder, Int64Builder, LargeListBuilder, ListBuilder};
    use arrow_array::{BinaryArray, Int32Array, NullArray, StringArray};

    /// What each row is: its outputs, or why there is none.
    fn read(points: &dyn Fn(usize) -> ArrayRef, outputs: ArrayRef) -> Vec<Result<Vec<Vec<u8>>, BadIndexRow>> {
        let (count, index) = (outputs.len(), Index::new(&points(outputs.len()), &outputs).unwrap());
        let rows = index.rows();
        let outputs = |row| {
            rows.get(row).map(|row| match row.outputs {
                Outputs::Keys(keys) => keys.iter().map(|key| key.to_vec()).collect(),
                Outputs::Prefixes(prefixes) => prefixes.iter().map(|prefix| prefix.to_be_bytes().to_vec()).collect(),
            })
        };
        (0..count).map(outputs).collect()
    }

    fn bytes(rows: usize) -> ArrayRef {
        Arc::new(BinaryArray::from_iter_values(std::iter::repeat_n([2; 33], rows)))
    }

    #[test]
    fn lists_are_read_whatever_their_type() {
        let mut prefixes = LargeListBuilder::new(Int64Builder::new());
        let mut keys = ListBuilder::new(BinaryBuilder::new());
        prefixes.append_value([Some(9)]);
        prefixes.append_value([Some(1), Some(-2)]);
        prefixes.append_null();
        prefixes.append_value([Some(1), None]);
        prefixes.append_value([]);
        keys.append_value([Some([7; 32]), Some([8; 32])]);
        keys.append_value([Some(&[7; 31][..])]);
        let two = vec![1_i64.to_be_bytes().to_vec(), (-2_i64).to_be_bytes().to_vec()];
        // A part of an array, whose values do not begin at its first one.
        let part = prefixes.finish().slice(1, 4);
        let expected = [Ok(two.clone()), Err("outputs is missing"), Err("outputs holds a null"), Ok(vec![])];
        assert_eq!(read(&bytes, Arc::new(part)), expected);
        let expected = [Ok(vec![vec![7; 32], vec![8; 32]]), Err("outputs holds what is no key of 32 bytes")];
        assert_eq!(read(&bytes, Arc::new(keys.finish())), expected);
        let key = "07".repeat(32);
        let texts = ["[1, -2]".into(), " [ ] ".into(), format!("[{key}]"), format!("[1, {key}]"), "1".into()];
        let wrong = Err("outputs is no list of numbers, nor of keys in hex");
        let expected = [Ok(two), Ok(vec![]), Ok(vec![vec![7; 32]]), wrong.clone(), wrong];
        assert_eq!(read(&bytes, Arc::new(StringArray::from_iter_values(texts))), expected);
    }

    #[test]
    fn items_of_text_have_two_quotes_or_none() {
        let texts = ["[\"1\", 2]", "[\"1]", "[1\"]", "[\"]", "[\"\"1\"\"]"];
        let read = texts.map(|text| List::of_text(text).is_some());
        assert_eq!(read, [true, false, false, false, false]);
    }

    #[test]
    fn a_column_that_holds_something_else_fails_in_every_row() {
        let texts = |_| Arc::new(StringArray::from(vec![Some("0x02ff"), Some("of"), None])) as ArrayRef;
        let lists = Arc::new(StringArray::from(vec!["[]"; 3]));
        let expected = [Ok(vec![]), Err("tweak_key is not hex"), Err("tweak_key is missing")];
        assert_eq!(read(&texts, lists.clone()), expected);
        let numbers = |rows| Arc::new(Int32Array::from(vec![1; rows])) as ArrayRef;
        assert_eq!(read(&numbers, lists), vec![Err("tweak_key is neither bytes nor hex"); 3]);
        assert_eq!(read(&bytes, numbers(2)), vec![Err("outputs is no list"); 2]);
        assert_eq!(read(&bytes, Arc::new(NullArray::new(2))), vec![Err("outputs is missing"); 2]);
        let mut lists = ListBuilder::new(Int32Array::builder(1));
        lists.append_value([Some(1)]);
        let wrong = Err("outputs is no list of 64-bit numbers, nor of keys");
        assert_eq!(read(&bytes, Arc::new(lists.finish())), [wrong]);
    }
}
