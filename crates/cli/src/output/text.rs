//! CSV and JSON lines.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use csv::{Terminator, Writer, WriterBuilder};
use phalanx_rows::Answers;

use super::Shape;
use super::columns::OutputColumn;
use super::value::{JsonForm, Values, hex, quote};
use crate::exit::RunError;
use crate::input::Decoded;

/// A guess at the length of a row, for the first allocation.
const ROW: usize = 128;

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

/// The header line.
pub(super) fn csv_header(schema: &Schema) -> Result<Vec<u8>, RunError> {
    let mut writer = writer();
    writer.write_record(schema.fields().iter().map(|field| field.name())).map_err(RunError::of)?;
    writer.into_inner().map_err(RunError::of)
}

/// Rows that are ready to be written value by value.
pub(super) trait TextRows {
    fn rows(&self) -> usize;

    /// The names of the columns.
    fn names(&self) -> Vec<&str>;

    /// Appends the text of a cell, and says how JSON has it; see [`Values::write`].
    fn write(&self, row: usize, place: usize, raw: bool, out: &mut Vec<u8>) -> JsonForm;
}

/// The rows of a table.
pub(super) struct TableRows<'a> {
    table: &'a RecordBatch,
    values: Vec<Values<'a>>,
}

impl<'a> TableRows<'a> {
    pub(super) fn new(table: &'a RecordBatch) -> Result<TableRows<'a>, RunError> {
        let values = table.columns().iter().map(|array| Values::new(Some(array), false)).collect::<Result<_, _>>()?;
        Ok(TableRows { table, values })
    }
}

impl TextRows for TableRows<'_> {
    fn rows(&self) -> usize {
        self.table.num_rows()
    }

    fn names(&self) -> Vec<&str> {
        self.table.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn write(&self, row: usize, place: usize, raw: bool, out: &mut Vec<u8>) -> JsonForm {
        self.values[place].write(row, raw, out)
    }
}

/// The rows of a block with their answers.
pub(super) struct AnsweredRows<'a> {
    block: &'a Decoded<'a>,
    answers: &'a Answers,
    columns: Vec<(&'a OutputColumn, Option<Values<'a>>)>,
}

impl<'a> AnsweredRows<'a> {
    pub(super) fn new(
        shape: &'a Shape,
        block: &'a Decoded<'a>,
        answers: &'a Answers,
    ) -> Result<AnsweredRows<'a>, RunError> {
        assert_eq!(answers.outcomes.len(), block.rows.rows(), "as many outcomes as rows");
        let prepare = |column: &'a OutputColumn| match column {
            OutputColumn::Kept(place, _) => Ok((column, Some(Values::new(block.kept[*place].as_ref(), block.json)?))),
            _ => Ok((column, None)),
        };
        let columns = shape.columns.iter().map(prepare).collect::<Result<_, RunError>>()?;
        Ok(AnsweredRows { block, answers, columns })
    }
}

impl TextRows for AnsweredRows<'_> {
    fn rows(&self) -> usize {
        self.block.rows.rows()
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(column, _)| column.name()).collect()
    }

    fn write(&self, row: usize, place: usize, raw: bool, out: &mut Vec<u8>) -> JsonForm {
        let (column, values) = &self.columns[place];
        let outcome = self.answers.outcomes[row];
        let key = || self.answers.keys[row].as_ref();
        match column {
            OutputColumn::Kept(..) => {
                return values.as_ref().map_or(JsonForm::Null, |values| values.write(row, raw, out));
            }
            OutputColumn::File => out.extend_from_slice(self.block.origin.name.as_bytes()),
            OutputColumn::Row => {
                // Writing to memory does not fail.
                let _ = write!(out, "{}", self.block.numbers.get(row));
                return JsonForm::Bare;
            }
            OutputColumn::PublicKey => match key() {
                Some(key) => hex(&key.public_key, out),
                None => return JsonForm::Null,
            },
            OutputColumn::Address(_) => match key() {
                Some(key) => {
                    out.extend_from_slice(b"0x");
                    hex(&key.address, out);
                }
                None => return JsonForm::Null,
            },
            OutputColumn::Valid => match outcome.is_valid() {
                Some(valid) => {
                    out.extend_from_slice(if valid { b"true" } else { b"false" });
                    return JsonForm::Bare;
                }
                None => return JsonForm::Null,
            },
            OutputColumn::Reason => out.extend_from_slice(outcome.reason().as_bytes()),
            OutputColumn::Blamed => match outcome.column_name(&self.block.origin.columns) {
                Some(column) => out.extend_from_slice(column.as_bytes()),
                None => return JsonForm::Null,
            },
        }
        JsonForm::Quoted
    }
}

/// Rows as CSV.
pub(super) fn csv(rows: &impl TextRows) -> Result<Vec<u8>, RunError> {
    let mut writer = writer();
    let mut field = Vec::with_capacity(ROW);
    let columns = rows.names().len();
    for row in 0..rows.rows() {
        for place in 0..columns {
            field.clear();
            rows.write(row, place, false, &mut field);
            writer.write_field(&field).map_err(RunError::of)?;
        }
        writer.write_record(None::<&[u8]>).map_err(RunError::of)?;
    }
    writer.into_inner().map_err(RunError::of)
}

/// Rows as JSON lines.
pub(super) fn json(rows: &impl TextRows) -> Vec<u8> {
    let names: Vec<Vec<u8>> = rows.names().into_iter().enumerate().map(|(place, column)| name(place, column)).collect();
    let mut text = Vec::with_capacity(ROW);
    let mut out = Vec::with_capacity(rows.rows() * ROW);
    for row in 0..rows.rows() {
        for (place, name) in names.iter().enumerate() {
            out.extend_from_slice(name);
            text.clear();
            match rows.write(row, place, true, &mut text) {
                JsonForm::Null => out.extend_from_slice(b"null"),
                JsonForm::Bare => out.extend_from_slice(&text),
                JsonForm::Quoted => quote(&String::from_utf8_lossy(&text), &mut out),
            }
        }
        out.extend_from_slice(b"}\n");
    }
    out
}

/// What stands before a value: the comma or the brace, the name, the colon.
fn name(place: usize, column: &str) -> Vec<u8> {
    let mut name = vec![if place == 0 { b'{' } else { b',' }];
    quote(column, &mut name);
    name.push(b':');
    name
}
