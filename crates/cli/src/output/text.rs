//! CSV and JSON lines.

use std::io::Write;

use csv::{Terminator, Writer, WriterBuilder};
use phalanx_rows::{Answers, Recovered};

use super::Shape;
use super::value::{Values, hex, quote};
use crate::failure::Failure;
use crate::input::Decoded;

/// A guess at the length of a row, for the first allocation.
const ROW: usize = 128;

fn kept<'a>(shape: &Shape, block: &'a Decoded<'_>) -> Result<Vec<Values<'a>>, Failure> {
    let values = |place: &usize| Values::new(block.kept[*place].as_ref(), block.origin.json);
    shape.kept.iter().map(|(place, _)| values(place)).collect()
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

/// The header line.
pub(super) fn csv_header(shape: &Shape) -> Result<Vec<u8>, Failure> {
    let mut writer = writer();
    writer.write_record(shape.names()).map_err(Failure::of)?;
    writer.into_inner().map_err(Failure::of)
}

/// A batch as CSV.
pub(super) fn csv(shape: &Shape, block: &Decoded<'_>, answers: &Answers) -> Result<Vec<u8>, Failure> {
    let kept = kept(shape, block)?;
    assert_eq!(answers.outcomes.len(), block.rows.rows(), "as many outcomes as rows");
    let mut fields = FieldWriter { writer: writer(), scratch: Vec::with_capacity(ROW) };
    for (row, outcome) in answers.outcomes.iter().enumerate() {
        for values in &kept {
            fields.put(|out| {
                values.text(row, out);
            })?;
        }
        if shape.file {
            fields.put(|out| out.extend_from_slice(block.origin.name.as_bytes()))?;
        }
        fields.put(|out| number(block.numbers.get(row), out))?;
        if shape.recovered {
            let key = answers.keys[row].as_ref();
            fields.put(|out| key.into_iter().for_each(|key| hex(&key.public_key, out)))?;
            fields.put(|out| key.into_iter().for_each(|key| address(key, out)))?;
        }
        fields.put(|out| out.extend_from_slice(truth(outcome.verdict.is_valid())))?;
        fields.put(|out| out.extend_from_slice(outcome.verdict.reason().as_bytes()))?;
        let column = outcome.column_name(&block.origin.columns).unwrap_or_default();
        fields.put(|out| out.extend_from_slice(column.as_bytes()))?;
        fields.end()?;
    }
    fields.writer.into_inner().map_err(Failure::of)
}

struct FieldWriter {
    writer: Writer<Vec<u8>>,
    scratch: Vec<u8>,
}

impl FieldWriter {
    fn put(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), Failure> {
        self.scratch.clear();
        write(&mut self.scratch);
        self.writer.write_field(&self.scratch).map_err(Failure::of)
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.writer.write_record(None::<&[u8]>).map_err(Failure::of)
    }
}

/// A batch as JSON lines.
pub(super) fn json(shape: &Shape, block: &Decoded<'_>, answers: &Answers) -> Result<Vec<u8>, Failure> {
    let kept = kept(shape, block)?;
    let names: Vec<Vec<u8>> = shape
        .names()
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let mut key = vec![if place == 0 { b'{' } else { b',' }];
            quote(name, &mut key);
            key.push(b':');
            key
        })
        .collect();
    let mut file = Vec::new();
    quote(&block.origin.name, &mut file);
    assert_eq!(answers.outcomes.len(), block.rows.rows(), "as many outcomes as rows");
    let mut scratch = Vec::with_capacity(ROW);
    let mut out = Vec::with_capacity(block.rows.rows() * ROW);
    for (row, outcome) in answers.outcomes.iter().enumerate() {
        let mut names = names.iter();
        let mut key = |out: &mut Vec<u8>| out.extend_from_slice(names.next().map_or(&[], Vec::as_slice));
        for values in &kept {
            key(&mut out);
            values.json(row, &mut scratch, &mut out);
        }
        if shape.file {
            key(&mut out);
            out.extend_from_slice(&file);
        }
        key(&mut out);
        number(block.numbers.get(row), &mut out);
        if shape.recovered {
            let recovered = answers.keys[row].as_ref();
            key(&mut out);
            quoted(recovered, &mut out, |key, out| hex(&key.public_key, out));
            key(&mut out);
            quoted(recovered, &mut out, address);
        }
        key(&mut out);
        out.extend_from_slice(truth(outcome.verdict.is_valid()));
        key(&mut out);
        quoted(Some(outcome), &mut out, |outcome, out| out.extend_from_slice(outcome.verdict.reason().as_bytes()));
        key(&mut out);
        match outcome.column_name(&block.origin.columns) {
            Some(column) => quote(column, &mut out),
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(out)
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
