//! CSV and JSON lines.

use std::io::Write;

use csv::{Terminator, Writer, WriterBuilder};
use phalanx_rows::{Answers, Outcome, Recovered};

use super::Shape;
use super::columns::OutputColumn;
use super::value::{Values, hex, quote};
use crate::exit::RunError;
use crate::input::Decoded;

/// A guess at the length of a row, for the first allocation.
const ROW: usize = 128;

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

/// The header line.
pub(super) fn csv_header(shape: &Shape) -> Result<Vec<u8>, RunError> {
    let mut writer = writer();
    writer.write_record(shape.columns.iter().map(OutputColumn::name)).map_err(RunError::of)?;
    writer.into_inner().map_err(RunError::of)
}

/// The rows of a block, ready to be written value by value.
struct Table<'a> {
    block: &'a Decoded<'a>,
    answers: &'a Answers,
    columns: Vec<(&'a OutputColumn, Option<Values<'a>>)>,
}

impl<'a> Table<'a> {
    fn new(shape: &'a Shape, block: &'a Decoded<'a>, answers: &'a Answers) -> Result<Table<'a>, RunError> {
        assert_eq!(answers.outcomes.len(), block.rows.rows(), "as many outcomes as rows");
        let prepare = |column: &'a OutputColumn| match column {
            OutputColumn::Kept(place, _) => {
                Ok((column, Some(Values::new(block.kept[*place].as_ref(), block.origin.json)?)))
            }
            _ => Ok((column, None)),
        };
        let columns = shape.columns.iter().map(prepare).collect::<Result<_, RunError>>()?;
        Ok(Table { block, answers, columns })
    }

    fn key(&self, row: usize) -> Option<&Recovered> {
        self.answers.keys[row].as_ref()
    }

    fn faulty_column(&self, outcome: Outcome) -> Option<&str> {
        outcome.column_name(&self.block.origin.columns)
    }
}

/// A block as CSV.
pub(super) fn csv(shape: &Shape, block: &Decoded<'_>, answers: &Answers) -> Result<Vec<u8>, RunError> {
    let table = Table::new(shape, block, answers)?;
    let mut writer = writer();
    let mut field = Vec::with_capacity(ROW);
    for (row, outcome) in answers.outcomes.iter().enumerate() {
        for (column, values) in &table.columns {
            field.clear();
            match column {
                OutputColumn::Kept(..) => {
                    if let Some(values) = values {
                        values.text(row, &mut field);
                    }
                }
                OutputColumn::File => field.extend_from_slice(block.origin.name.as_bytes()),
                OutputColumn::Row => number(block.numbers.get(row), &mut field),
                OutputColumn::PublicKey => table.key(row).into_iter().for_each(|key| hex(&key.public_key, &mut field)),
                OutputColumn::Address => table.key(row).into_iter().for_each(|key| address(key, &mut field)),
                OutputColumn::Valid => field.extend_from_slice(truth(outcome.verdict.is_valid())),
                OutputColumn::Reason => field.extend_from_slice(outcome.verdict.reason().as_bytes()),
                OutputColumn::Blamed => {
                    field.extend_from_slice(table.faulty_column(*outcome).unwrap_or_default().as_bytes());
                }
            }
            writer.write_field(&field).map_err(RunError::of)?;
        }
        writer.write_record(None::<&[u8]>).map_err(RunError::of)?;
    }
    writer.into_inner().map_err(RunError::of)
}

/// A block as JSON lines.
pub(super) fn json(shape: &Shape, block: &Decoded<'_>, answers: &Answers) -> Result<Vec<u8>, RunError> {
    let table = Table::new(shape, block, answers)?;
    let names: Vec<Vec<u8>> = shape.columns.iter().enumerate().map(|(place, column)| name(place, column)).collect();
    let mut file = Vec::new();
    quote(&block.origin.name, &mut file);
    let mut scratch = Vec::with_capacity(ROW);
    let mut out = Vec::with_capacity(block.rows.rows() * ROW);
    for (row, outcome) in answers.outcomes.iter().enumerate() {
        for ((column, values), name) in table.columns.iter().zip(&names) {
            out.extend_from_slice(name);
            match (column, values) {
                (OutputColumn::Kept(..), Some(values)) => values.json(row, &mut scratch, &mut out),
                (OutputColumn::Kept(..), None) => out.extend_from_slice(b"null"),
                (OutputColumn::File, _) => out.extend_from_slice(&file),
                (OutputColumn::Row, _) => number(block.numbers.get(row), &mut out),
                (OutputColumn::PublicKey, _) => quoted(table.key(row), &mut out, |key, out| hex(&key.public_key, out)),
                (OutputColumn::Address, _) => quoted(table.key(row), &mut out, address),
                (OutputColumn::Valid, _) => out.extend_from_slice(truth(outcome.verdict.is_valid())),
                (OutputColumn::Reason, _) => quote(outcome.verdict.reason(), &mut out),
                (OutputColumn::Blamed, _) => match table.faulty_column(*outcome) {
                    Some(column) => quote(column, &mut out),
                    None => out.extend_from_slice(b"null"),
                },
            }
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
}

/// What stands before a value: the comma or the brace, the name, the colon.
fn name(place: usize, column: &OutputColumn) -> Vec<u8> {
    let mut name = vec![if place == 0 { b'{' } else { b',' }];
    quote(column.name(), &mut name);
    name.push(b':');
    name
}

fn quoted<T>(value: Option<&T>, out: &mut Vec<u8>, write: impl FnOnce(&T, &mut Vec<u8>)) {
    match value {
        None => out.extend_from_slice(b"null"),
        Some(value) => {
            out.push(b'"');
            write(value, out);
            out.push(b'"');
        }
    }
}

fn address(key: &Recovered, out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    hex(&key.address, out);
}

fn number(number: u64, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(out, "{number}");
}

fn truth(valid: bool) -> &'static [u8] {
    if valid { b"true" } else { b"false" }
}
