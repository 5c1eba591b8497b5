//! An index of silent payments: tables with a transaction in each row, as Frigate has them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray, new_null_array};
use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, ColumnPlaces, Index, IndexRows, Names, Values};

use super::decoded::Decoded;
use super::format::Format;
use super::{Content, InputSettings, without_roles};
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

/// An index, whose columns are passed through.
pub(crate) struct SilentIndex(InputSettings);

impl SilentIndex {
    pub(crate) fn new(format: Option<&'static Format>, delimiter: Option<u8>) -> SilentIndex {
        let mut names = Names::default();
        // For lines of JSON. The first place is that of the id, of which txid is a name.
        names.keep = IndexColumn::ALL.iter().skip(1).map(|column| column.name().to_owned()).collect();
        SilentIndex(InputSettings { names, format, delimiter, keeps: true })
    }
}

impl Content for SilentIndex {
    fn settings(&self) -> &InputSettings {
        &self.0
    }

    fn select(&self, header: &[&str], _: &mut ColumnNames) -> Result<(Vec<usize>, ColumnPlaces), RunError> {
        let place = |column: IndexColumn| header.iter().position(|name| name.eq_ignore_ascii_case(column.name()));
        for column in [IndexColumn::TweakKey, IndexColumn::Outputs] {
            if place(column).is_none() {
                return Err(RunError::new(format!("no column `{}`, which an index has", column.name())));
            }
        }
        Ok(without_roles(&IndexColumn::ALL.map(place)))
    }

    fn reads_lists(&self) -> bool {
        true
    }
}

/// The columns of a block.
pub(crate) struct IndexBlock<'b> {
    block: &'b Decoded<'b>,
    index: Index,
}

impl<'b> IndexBlock<'b> {
    /// Takes the columns of a block. One that it lacks is null in every row.
    pub(crate) fn of(block: &'b Decoded<'b>) -> Result<IndexBlock<'b>, RunError> {
        let column = |column: IndexColumn| match &block.kept[column as usize] {
            Some(array) => bare(array, block.json),
            None => new_null_array(&DataType::Null, block.rows.rows()),
        };
        let index = Index::new(&column(IndexColumn::TweakKey), &column(IndexColumn::Outputs)).map_err(RunError::of)?;
        Ok(IndexBlock { block, index })
    }

    /// The rows.
    pub(crate) fn rows(&self) -> IndexRows<'_> {
        self.index.rows()
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

/// Values of text without what stands around them: the quotes of JSON, and the spaces of CSV.
fn bare(array: &ArrayRef, json: bool) -> ArrayRef {
    let Some(texts) = array.as_string_opt::<i32>() else { return Arc::clone(array) };
    let bare = |text| if json { unquoted(text) } else { text.trim_ascii() };
    Arc::new(texts.iter().map(|text| text.map(bare)).collect::<StringArray>())
}

/// Text without the quotes of JSON. In hex, numbers and brackets nothing is escaped.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
