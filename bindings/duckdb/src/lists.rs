//! The lists of the answer, written into DuckDB's vectors.
#![allow(unsafe_code)]

use crate::answer::{Answer, Item};
use crate::table::{BLOB, Functions, ListEntry, UBIGINT, UINTEGER, VARCHAR, Vector};
use std::ffi::CStr;
use std::slice;
use zeroize::Zeroizing;

/// The fields of an item, with their types. An item that says what is malformed has no other field, and a match not
/// that one.
pub(crate) const FIELDS: [(&CStr, u32); 6] = [
    (c"output", UBIGINT),
    (c"k", UINTEGER),
    (c"label", UINTEGER),
    (c"key", BLOB),
    (c"tweak", BLOB),
    (c"malformed", VARCHAR),
];

/// Writes a list for each row.
///
/// # Safety
/// DuckDB has given the vector for the answer to a function that returns lists of items with [`FIELDS`], and has given
/// as many rows as there are lists.
pub(crate) unsafe fn write(functions: &Functions, vector: *mut Vector, answer: &Answer) -> Result<(), &'static str> {
    let count = answer.items.len();
    // SAFETY: the vector is there, and is one of lists. Their number is set when there is room for all items.
    let failed = unsafe {
        (functions.list_vector_reserve)(vector, count as u64) != 0
            || (functions.list_vector_set_size)(vector, count as u64) != 0
    };
    if failed {
        return Err("DuckDB has no room for the answer");
    }
    if count > 0 {
        // SAFETY: there is room for all items, whose fields these are.
        unsafe { write_items(functions, (functions.list_vector_get_child)(vector), &answer.items)? };
    }
    // SAFETY: a vector of lists has an entry for each row.
    let mut entries = unsafe { Column::of(functions, vector, answer.lists.len())? };
    for (row, list) in answer.lists.iter().enumerate() {
        let entry = |list: &std::ops::Range<usize>| ListEntry { offset: list.start as u64, length: list.len() as u64 };
        entries.put(row, list.as_ref().map(entry));
    }
    Ok(())
}

/// # Safety
/// The vector is one of structures with [`FIELDS`], and has room for all items.
unsafe fn write_items(functions: &Functions, vector: *mut Vector, items: &[Item]) -> Result<(), &'static str> {
    let rows = items.len();
    // SAFETY: a structure's vector has one for each field, and each has that room. The types are those of the fields.
    let (mut outputs, mut ks, mut labels, mut keys, mut tweaks, mut whys) = unsafe {
        let field = |number| (functions.struct_vector_get_child)(vector, number);
        (
            Column::<u64>::of(functions, field(0), rows)?,
            Column::<u32>::of(functions, field(1), rows)?,
            Column::<u32>::of(functions, field(2), rows)?,
            BlobColumn::of(functions, field(3), rows)?,
            BlobColumn::of(functions, field(4), rows)?,
            BlobColumn::of(functions, field(5), rows)?,
        )
    };
    for (row, item) in items.iter().enumerate() {
        let (found, why) = match item {
            Item::Match(found) => (Some(found), None),
            Item::Malformed(why) => (None, Some(why.as_bytes())),
        };
        outputs.put(row, found.map(|found| found.output as u64));
        ks.put(row, found.map(|found| found.k));
        labels.put(row, found.and_then(|found| found.label));
        keys.put(row, found.map(|found| &found.key[..]));
        let tweak = found.map(|found| Zeroizing::new(found.tweak.to_bytes()));
        tweaks.put(row, tweak.as_ref().map(|tweak| &tweak[..]));
        whys.put(row, why);
    }
    Ok(())
}

/// Values of a vector that is being written.
struct Column<'v, T> {
    values: &'v mut [T],
    valid: Valid<'v>,
}

impl<T> Column<'_, T> {
    /// # Safety
    /// The vector has room for so many rows of this type, for which anything is a value. Nobody else uses it while the
    /// column is used.
    unsafe fn of(functions: &Functions, vector: *mut Vector, rows: usize) -> Result<Self, &'static str> {
        // SAFETY: the vector is there.
        let (valid, values) =
            unsafe { (Valid::of(functions, vector, rows)?, (functions.vector_get_data)(vector).cast::<T>()) };
        if values.is_null() || !values.is_aligned() {
            return Err("DuckDB has no room for the answer");
        }
        // SAFETY: there is room, and DuckDB's memory counts as written.
        Ok(Column { values: unsafe { slice::from_raw_parts_mut(values, rows) }, valid })
    }

    fn put(&mut self, row: usize, value: Option<T>) {
        self.valid.put(row, value.is_some());
        if let Some(value) = value {
            self.values[row] = value;
        }
    }
}

/// Bytes or text of a vector that is being written.
struct BlobColumn<'v> {
    functions: &'v Functions,
    vector: *mut Vector,
    valid: Valid<'v>,
}

impl<'v> BlobColumn<'v> {
    /// # Safety
    /// The vector has room for so many rows of bytes, or of text that is UTF-8. Nobody else uses it while the column is
    /// used.
    unsafe fn of(functions: &'v Functions, vector: *mut Vector, rows: usize) -> Result<Self, &'static str> {
        // SAFETY: the vector is there.
        Ok(BlobColumn { functions, vector, valid: unsafe { Valid::of(functions, vector, rows)? } })
    }

    fn put(&mut self, row: usize, value: Option<&[u8]>) {
        self.valid.put(row, value.is_some());
        if let Some(value) = value {
            // SAFETY: the row was found among those for which there is room. DuckDB copies the bytes.
            unsafe {
                (self.functions.vector_assign_string_element_len)(
                    self.vector,
                    row as u64,
                    value.as_ptr().cast(),
                    value.len() as u64,
                );
            }
        }
    }
}

/// A bit for each row of a vector, which is 0 for NULL.
struct Valid<'v>(&'v mut [u64]);

impl Valid<'_> {
    /// # Safety
    /// The vector has room for so many rows, and nobody else uses its bits while these are used.
    unsafe fn of(functions: &Functions, vector: *mut Vector, rows: usize) -> Result<Self, &'static str> {
        // SAFETY: the vector is there. It has bits as soon as they can be written.
        let bits = unsafe {
            (functions.vector_ensure_validity_writable)(vector);
            (functions.vector_get_validity)(vector)
        };
        if bits.is_null() {
            return Err("DuckDB has no room for the answer");
        }
        // SAFETY: a bit for each row for which there is room.
        Ok(Valid(unsafe { slice::from_raw_parts_mut(bits, rows.div_ceil(64)) }))
    }

    fn put(&mut self, row: usize, valid: bool) {
        let bit = 1 << (row % 64);
        match valid {
            true => self.0[row / 64] |= bit,
            false => self.0[row / 64] &= !bit,
        }
    }
}
