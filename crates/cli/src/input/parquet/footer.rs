//! A file's directory, weighed before it is trusted: it stands at the end, and what it says decides how much memory its
//! reading takes, how deep recursion goes, and how many columns there are.
//!
//! The schema is a flat list in which a group says how many of the following belong to it. Its depth can be counted
//! without recursion, and is, because the crate that reads it in earnest recurses for each level.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use parquet::errors::Result;
use parquet::file::metadata::{
    ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, ParquetStatisticsPolicy,
};

use super::failed;
use super::thrift::{Compact, Wire, damaged, expect};
use crate::exit::RunError;

/// How long a directory may be.
const BYTES: u64 = 32 << 20;

/// What a directory may take in memory, by the estimates below.
const MEMORY: u64 = 128 << 20;

/// How deep groups may stand in each other. Stacks of threads hold several hundred.
const DEPTH: usize = 64;

/// More than the parts take in the crate, each with what hangs on it: an element of the schema, a row group, a column's
/// part of a row group, and an element of any other list.
const ELEMENT_MEMORY: u64 = 1024;
const ROW_GROUP_MEMORY: u64 = 512;
const CHUNK_MEMORY: u64 = 1024;
const OTHER_MEMORY: u64 = 64;

const MAGIC: &[u8; 4] = b"PAR1";

/// Reads the directory at the end of a file. Statistics are left out: nothing asks for them.
pub(super) fn load(mut file: &File, size: u64) -> std::result::Result<Arc<ParquetMetaData>, RunError> {
    let mut tail = [0; 8];
    let length = match size.checked_sub(8) {
        Some(start) => {
            file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut tail)).map_err(failed)?;
            let [a, b, c, d, magic @ ..] = tail;
            (magic == *MAGIC).then(|| u64::from(u32::from_le_bytes([a, b, c, d])))
        }
        None => None,
    };
    let Some(length) = length else {
        return Err(RunError::new("not a Parquet file, or cut off: it does not end as one"));
    };
    let Some(start) = (size - 8).checked_sub(length) else {
        return Err(RunError::new("damaged: the Parquet directory is longer than the file"));
    };
    if length > BYTES {
        return Err(RunError::new(format!("the Parquet directory takes {length} bytes; {BYTES} can be read")));
    }
    let mut footer = vec![0; length as usize];
    file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut footer)).map_err(failed)?;
    let memory = weigh(&footer).map_err(failed)?;
    if memory > MEMORY {
        return Err(RunError::new(format!(
            "the Parquet directory would take about {} MiB of memory; {} MiB can be read: too many columns times row groups",
            memory >> 20,
            MEMORY >> 20
        )));
    }
    let options = ParquetMetaDataOptions::new()
        .with_column_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_encoding_stats_policy(ParquetStatisticsPolicy::SkipAll)
        .with_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    let metadata = ParquetMetaDataReader::decode_metadata_with_options(&footer, Some(&options)).map_err(failed)?;
    Ok(Arc::new(metadata))
}

/// Estimates the memory that a directory takes, from above; fails where it cannot be read at all.
fn weigh(footer: &[u8]) -> Result<u64> {
    let mut input = Compact::new(footer, footer.len() as u64);
    let mut memory = 2 * footer.len() as u64;
    let mut last = 0;
    while let Some(wire) = input.field(&mut last)? {
        match last {
            2 => memory = memory.saturating_add(schema(&mut input, wire)?),
            4 => memory = memory.saturating_add(row_groups(&mut input, wire)?),
            5 | 7 => input.skip_expected(wire, Wire::List)?,
            1 | 3 => input.skip_expected(wire, Wire::Integer)?,
            6 => input.skip_expected(wire, Wire::Binary)?,
            _ => input.skip(wire)?,
        }
    }
    Ok(memory.saturating_add(input.elements.saturating_mul(OTHER_MEMORY)))
}

/// A group whose members are being listed.
struct RowGroup {
    /// Members that are still to come.
    members: u32,
    /// Length of the path to the group and all above it.
    path: u64,
}

fn schema(input: &mut Compact<&[u8]>, wire: Wire) -> Result<u64> {
    let length = input.structures(wire)?;
    let mut memory = length.saturating_mul(ELEMENT_MEMORY);
    let mut above: Vec<RowGroup> = Vec::new();
    for number in 0..length {
        let (name, members) = schema_element(input)?;
        while above.pop_if(|group| group.members == 0).is_some() {}
        let path = above.last().map_or(0, |group| group.path) + name + 32;
        memory = memory.saturating_add(path);
        match above.last_mut() {
            Some(group) => group.members -= 1,
            None if number == 0 => {}
            None => return Err(damaged("the schema has more than one root")),
        }
        if u64::from(members) > length {
            return Err(damaged("a group has more members than the schema"));
        }
        if members > 0 {
            above.push(RowGroup { members, path });
        }
        if above.len() > DEPTH {
            return Err(damaged(&format!("groups of columns are nested more than {DEPTH} deep")));
        }
    }
    Ok(memory)
}

/// The length of an element's name, and how many members it has.
fn schema_element(input: &mut Compact<&[u8]>) -> Result<(u64, u32)> {
    let (mut name, mut members) = (0, 0);
    let mut last = 0;
    while let Some(wire) = input.field(&mut last)? {
        match last {
            4 => {
                expect(wire, Wire::Binary)?;
                name = input.binary()?;
            }
            5 => {
                expect(wire, Wire::Integer)?;
                members = input.count()?;
            }
            1..=9 => input.skip_expected(wire, Wire::Integer)?,
            10 => input.skip_expected(wire, Wire::Struct)?,
            _ => input.skip(wire)?,
        }
    }
    Ok((name, members))
}

fn row_groups(input: &mut Compact<&[u8]>, wire: Wire) -> Result<u64> {
    let length = input.structures(wire)?;
    let mut memory = length.saturating_mul(ROW_GROUP_MEMORY);
    for _ in 0..length {
        let mut last = 0;
        while let Some(wire) = input.field(&mut last)? {
            match last {
                1 => {
                    let chunks = input.structures(wire)?;
                    memory = memory.saturating_add(chunks.saturating_mul(CHUNK_MEMORY));
                    (0..chunks).try_for_each(|_| input.skip(Wire::Struct))?;
                }
                4 => input.skip_expected(wire, Wire::List)?,
                2..=7 => input.skip_expected(wire, Wire::Integer)?,
                _ => input.skip(wire)?,
            }
        }
    }
    Ok(memory)
}
