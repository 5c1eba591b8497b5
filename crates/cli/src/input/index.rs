//! An index of silent payments: tables with a transaction in each row, as Frigate has them.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use phalanx::silent::{Outputs, Row};
use phalanx_rows::{Names, Role, Selection, Values};

use super::Decoded;
use crate::exit::RunError;

/// The columns, in the places of what is passed through: the transaction, as it is; the height; the tweak point, and
/// the outputs.
#[derive(Clone, Copy)]
pub(crate) enum IndexColumn {
    Txid,
    Height,
    TweakKey,
    Outputs,
}

impl IndexColumn {
    const ALL: [IndexColumn; 4] = [IndexColumn::Txid, IndexColumn::Height, IndexColumn::TweakKey, IndexColumn::Outputs];

    const fn name(self) -> &'static str {
        match self {
            IndexColumn::Txid => "txid",
            IndexColumn::Height => "height",
            IndexColumn::TweakKey => "tweak_key",
            IndexColumn::Outputs => "outputs",
        }
    }
}

/// The names for lines of JSON. The first place is that of the id, of which txid is a name.
pub(super) fn names() -> Names {
    let mut names = Names::default();
    names.keep = IndexColumn::ALL.iter().skip(1).map(|column| column.name().to_owned()).collect();
    names
}

/// Where the columns stand among those of a table.
///
/// Fails where one is missing that is needed.
pub(super) fn select(header: &[&str]) -> Result<Selection, RunError> {
    let place = |column: IndexColumn| header.iter().position(|name| name.eq_ignore_ascii_case(column.name()));
    for column in [IndexColumn::TweakKey, IndexColumn::Outputs] {
        if place(column).is_none() {
            return Err(RunError::new(format!("no column `{}`, which an index has", column.name())));
        }
    }
    Ok(Selection { at: [None; Role::COUNT], kept: IndexColumn::ALL.map(place).to_vec() })
}

/// The rows of a block.
pub(crate) struct IndexRows<'b> {
    block: &'b Decoded<'b>,
    rows: Vec<Result<IndexRow, &'static str>>,
}

/// A row of which everything was read.
pub(crate) struct IndexRow {
    point: Vec<u8>,
    outputs: OwnOutputs,
}

enum OwnOutputs {
    Keys(Vec<[u8; 32]>),
    Prefixes(Vec<i64>),
}

impl IndexRow {
    /// The row as a scan takes it.
    pub(crate) fn row(&self) -> Row<'_> {
        let outputs = match &self.outputs {
            OwnOutputs::Keys(keys) => Outputs::Keys(keys),
            OwnOutputs::Prefixes(prefixes) => Outputs::Prefixes(prefixes),
        };
        Row { tweak_point: &self.point, outputs }
    }
}

impl<'b> IndexRows<'b> {
    /// Reads the rows of a block. A row that cannot be read has a reason in its place.
    pub(crate) fn read(block: &'b Decoded<'b>) -> IndexRows<'b> {
        let read = |row| Ok(IndexRow { point: point(block, row)?, outputs: outputs(block, row)? });
        IndexRows { block, rows: (0..block.rows.rows()).map(read).collect() }
    }

    /// The rows, or why there is none.
    pub(crate) fn rows(&self) -> &[Result<IndexRow, &'static str>] {
        &self.rows
    }

    /// A value of a column of any type as text, if there is one: bytes in hex.
    pub(crate) fn text(&self, column: IndexColumn, row: usize) -> Option<String> {
        let array = self.block.kept[column as usize].as_ref().filter(|array| array.is_valid(row))?;
        Some(match phalanx_rows::arrow::column(array).values {
            Values::Binary(bytes) => const_hex::encode(bytes.get(row)),
            Values::Text(text) => unquoted(std::str::from_utf8(text.get(row)).ok()?).to_owned(),
            Values::Int8(numbers) => numbers[row].to_string(),
            Values::Int16(numbers) => numbers[row].to_string(),
            Values::Int32(numbers) => numbers[row].to_string(),
            Values::Int64(numbers) => numbers[row].to_string(),
            Values::UInt8(numbers) => numbers[row].to_string(),
            Values::UInt16(numbers) => numbers[row].to_string(),
            Values::UInt32(numbers) => numbers[row].to_string(),
            Values::UInt64(numbers) => numbers[row].to_string(),
            _ => return None,
        })
    }
}

/// The value of a column, if there is one.
fn value<'a>(block: &'a Decoded<'_>, column: IndexColumn, row: usize) -> Option<&'a ArrayRef> {
    block.kept[column as usize].as_ref().filter(|array| array.is_valid(row))
}

fn point(block: &Decoded<'_>, row: usize) -> Result<Vec<u8>, &'static str> {
    let array = value(block, IndexColumn::TweakKey, row).ok_or("tweak_key is missing")?;
    match phalanx_rows::arrow::column(array).values {
        Values::Binary(bytes) => Ok(bytes.get(row).to_vec()),
        Values::Text(text) => {
            let text = std::str::from_utf8(text.get(row)).map_err(|_| "tweak_key is not hex")?;
            const_hex::decode(unquoted(text).as_bytes()).map_err(|_| "tweak_key is not hex")
        }
        _ => Err("tweak_key is neither binary nor hex"),
    }
}

fn outputs(block: &Decoded<'_>, row: usize) -> Result<OwnOutputs, &'static str> {
    let array = value(block, IndexColumn::Outputs, row).ok_or("outputs is missing")?;
    if let Some(lists) = array.as_list_opt::<i32>() {
        let list = lists.value(row);
        if *list.data_type() != DataType::Int64 || list.null_count() > 0 {
            return Err("outputs is no list of 64-bit numbers");
        }
        return Ok(OwnOutputs::Prefixes(list.as_primitive::<Int64Type>().values().to_vec()));
    }
    match phalanx_rows::arrow::column(array).values {
        Values::Text(text) => {
            let text = std::str::from_utf8(text.get(row)).map_err(|_| "outputs is no list")?;
            list(unquoted(text)).ok_or("outputs is no list of numbers, nor of keys in hex")
        }
        _ => Err("outputs is no list"),
    }
}

/// A list in brackets: numbers, or keys of 32 bytes in hex.
fn list(text: &str) -> Option<OwnOutputs> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    if inside.is_empty() {
        return Some(OwnOutputs::Prefixes(Vec::new()));
    }
    let items = || inside.split(',').map(|item| item.trim().trim_matches('"'));
    if let Some(prefixes) = items().map(|item| item.parse().ok()).collect() {
        return Some(OwnOutputs::Prefixes(prefixes));
    }
    let key = |item| {
        let mut key = [0; 32];
        const_hex::decode_to_slice(item, &mut key).ok().map(|()| key)
    };
    items().map(key).collect::<Option<_>>().map(OwnOutputs::Keys)
}

/// Text without the quotes of JSON. In hex, numbers and brackets nothing is escaped.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
