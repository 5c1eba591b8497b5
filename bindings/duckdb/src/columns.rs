//! The rows of a chunk, read where DuckDB has them.
//!
//! DuckDB makes the vectors of a chunk flat before it calls: a value for each row, and for lists a value for each item.
#![allow(unsafe_code)]

use crate::answer::{Malformed, ReadRow};
use crate::table::{DataChunk, Functions, ListEntry, Vector};
use phalanx::bindings::payments::{Outputs, Row};
use std::marker::PhantomData;
use std::slice;

/// What is wrong with a chunk. DuckDB never does this.
type Broken = &'static str;

/// The columns of the two arguments that are read for each row.
pub(crate) struct Columns<'c> {
    points: Blobs<'c>,
    outputs: Lists<'c>,
}

/// What lists hold: prefixes, or keys.
pub(crate) enum Listed<'c> {
    Prefixes(Values<'c, i64>),
    /// Keys, of which the others are zeros; and which items are some.
    Keys(Vec<[u8; 32]>, Vec<bool>),
}

impl<'c> Columns<'c> {
    /// Reads a chunk whose second column has lists of keys, or of prefixes.
    ///
    /// # Safety
    /// DuckDB has given the chunk to a function with these columns, which has not returned for `'c`.
    pub(crate) unsafe fn of(functions: &Functions, chunk: *mut DataChunk, keys: bool) -> Result<Columns<'c>, Broken> {
        // SAFETY: the chunk is there, and has both columns. A list's vector has one of its items.
        unsafe {
            let rows = (functions.data_chunk_get_size)(chunk);
            let vector = |column| (functions.data_chunk_get_vector)(chunk, column);
            let points = Blobs(Values::of(functions, vector(0), rows)?);
            let entries = Values::of(functions, vector(1), rows)?;
            let child = (functions.list_vector_get_child)(vector(1));
            let items = (functions.list_vector_get_size)(vector(1));
            let listed = match keys {
                true => read_keys(&Blobs(Values::of(functions, child, items)?)),
                false => Listed::Prefixes(Values::of(functions, child, items)?),
            };
            Ok(Columns { points, outputs: Lists { entries, listed } })
        }
    }

    /// The rows. Fails where a list reaches beyond the items.
    pub(crate) fn rows(&self) -> Result<Vec<ReadRow<'_>>, Broken> {
        let row = |row: usize| {
            let (Some(tweak_point), Some(outputs)) = (self.points.get(row), self.outputs.get(row)?) else {
                return Ok(None);
            };
            Ok(Some(outputs.map(|outputs| Row { tweak_point, outputs })))
        };
        (0..self.points.0.values.len()).map(row).collect()
    }
}

fn read_keys<'c>(blobs: &Blobs<'_>) -> Listed<'c> {
    let key = |item| blobs.get(item).and_then(|key| <[u8; 32]>::try_from(key).ok());
    let read: Vec<_> = (0..blobs.0.values.len()).map(key).collect();
    let are_some = read.iter().map(Option::is_some).collect();
    Listed::Keys(read.into_iter().map(|key| key.unwrap_or([0; 32])).collect(), are_some)
}

/// The values of a flat vector.
pub(crate) struct Values<'c, T> {
    values: &'c [T],
    /// A bit for each value, which is 0 for NULL; no bits where none is.
    valid: Option<&'c [u64]>,
}

impl<'c, T> Values<'c, T> {
    /// # Safety
    /// The vector is flat, and has so many values of this type for `'c`.
    unsafe fn of(functions: &Functions, vector: *mut Vector, count: u64) -> Result<Values<'c, T>, Broken> {
        let count = usize::try_from(count).map_err(|_| "a vector is too long")?;
        if count == 0 {
            return Ok(Values { values: &[], valid: None });
        }
        // SAFETY: the vector is there.
        let (values, valid) = unsafe {
            ((functions.vector_get_data)(vector).cast::<T>(), (functions.vector_get_validity)(vector).cast_const())
        };
        if values.is_null() || !values.is_aligned() {
            return Err("a vector has no values");
        }
        // SAFETY: there are so many values, as the caller promises, and a bit for each where there are bits.
        unsafe {
            let valid = (!valid.is_null()).then(|| slice::from_raw_parts(valid, count.div_ceil(64)));
            Ok(Values { values: slice::from_raw_parts(values, count), valid })
        }
    }

    fn get(&self, index: usize) -> Option<&'c T> {
        let valid = self.valid.is_none_or(|valid| valid[index / 64] >> (index % 64) & 1 == 1);
        valid.then(|| &self.values[index])
    }
}

/// Bytes as DuckDB keeps them: their number, and either themselves or where they are.
#[repr(C)]
struct Blob<'c> {
    length: u32,
    start: [u8; 4],
    rest: BlobRest,
    bytes: PhantomData<&'c [u8]>,
}

/// The other half: more bytes, or the address of all.
#[repr(C)]
#[derive(Clone, Copy)]
union BlobRest {
    inlined: [u8; 8],
    address: *const u8,
}

/// As many bytes stand in a value itself.
const INLINED: usize = 12;

struct Blobs<'c>(Values<'c, Blob<'c>>);

impl<'c> Blobs<'c> {
    fn get(&self, index: usize) -> Option<&'c [u8]> {
        let blob: &'c Blob<'c> = self.0.get(index)?;
        let length = blob.length as usize;
        if length <= INLINED {
            let whole: *const Blob<'c> = blob;
            // SAFETY: bytes of the value from its fifth on, which are there for `'c`.
            return Some(unsafe { slice::from_raw_parts(whole.cast::<u8>().add(4), length) });
        }
        // SAFETY: so many bytes are elsewhere, at this address, for as long as the value.
        Some(unsafe { slice::from_raw_parts(blob.rest.address, length) })
    }
}

struct Lists<'c> {
    entries: Values<'c, ListEntry>,
    listed: Listed<'c>,
}

impl Lists<'_> {
    /// The outputs of a row, or what is wrong with them; none where the list is NULL.
    fn get(&self, row: usize) -> Result<Option<Result<Outputs<'_>, Malformed>>, Broken> {
        let Some(entry) = self.entries.get(row) else { return Ok(None) };
        let (items, broken) = (self.listed.items(), "a list reaches beyond its items");
        let range = usize::try_from(entry.offset).ok().zip(usize::try_from(entry.length).ok());
        let range = range.and_then(|(first, length)| Some(first..first.checked_add(length)?)).ok_or(broken)?;
        if range.end > items {
            return Err(broken);
        }
        Ok(Some(match &self.listed {
            Listed::Prefixes(prefixes) if range.clone().any(|item| prefixes.get(item).is_none()) => {
                Err("outputs holds a null")
            }
            Listed::Prefixes(prefixes) => Ok(Outputs::Prefixes(&prefixes.values[range])),
            Listed::Keys(keys, are_some) if are_some[range.clone()].iter().all(|some| *some) => {
                Ok(Outputs::Keys(&keys[range]))
            }
            Listed::Keys(..) => Err("outputs holds what is no key of 32 bytes"),
        }))
    }
}

impl Listed<'_> {
    fn items(&self) -> usize {
        match self {
            Listed::Prefixes(prefixes) => prefixes.values.len(),
            Listed::Keys(keys, _) => keys.len(),
        }
    }
}
