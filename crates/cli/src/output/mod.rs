//! Answers out: the columns of the output, its formats, and a file that appears only when it is complete.
//!
//! Columns: what is passed through, `file` where there are several inputs, `row`, then for recovery `public_key` and
//! `address`, then `valid`, `reason` and, for rows that cannot be judged, the `column` to blame.
//!
//! [`Shape`] knows the columns and turns a batch into a [`Payload`] on whichever thread computed it; [`Output`] puts
//! payloads, which must come in order, into the file.

mod file;
mod shown;
mod table;
mod text;
mod value;

use std::io::{BufWriter, Write};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use phalanx_rows::{Answers, RowJob};

use crate::failure::Failure;
use crate::input::{Decoded, Input, KeptColumn};
use file::Target;

/// How the output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Apache Parquet, binary values as bytes.
    Parquet,
    /// Comma-separated text with a header, binary values as hex.
    Csv,
    /// One JSON object a line, binary values as hex.
    Jsonl,
}

impl Format {
    /// The format that a file's name ends in.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "parquet" => Some(Format::Parquet),
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            _ => None,
        }
    }
}

/// The columns of the output.
pub(crate) struct Shape {
    format: Format,
    /// Which of a batch's kept columns, under what name and type.
    kept: Vec<(usize, KeptColumn)>,
    file: bool,
    recovered: bool,
}

impl Shape {
    /// The columns for these inputs. A kept column that has different types in different inputs becomes text.
    ///
    /// Fails when a kept column has the name of one that is written anyway.
    pub(crate) fn new(format: Format, job: RowJob, inputs: &[Input]) -> Result<Shape, Failure> {
        let places = inputs.first().map_or(0, |input| input.kept.len());
        let kept = (0..places).filter_map(|place| {
            let mut columns = inputs.iter().filter_map(|input| input.kept[place].as_ref());
            let first = columns.next()?;
            let same = columns.all(|column| column.data_type == first.data_type);
            let data_type = if same { first.data_type.clone() } else { DataType::Utf8 };
            Some((place, KeptColumn { name: first.name.clone(), data_type }))
        });
        let shape = Shape { format, kept: kept.collect(), file: inputs.len() > 1, recovered: job == RowJob::Recover };
        let names = shape.names();
        match names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
            Some((_, name)) => Err(Failure::new(format!("the output would have two columns `{name}`"))),
            None => Ok(shape),
        }
    }

    /// Writes down the answers of a block.
    pub(crate) fn render(&self, block: &Decoded<'_>, answers: &Answers) -> Result<Payload, Failure> {
        match self.format {
            Format::Parquet => Ok(Payload::Table(table::render(self, block, answers)?)),
            Format::Csv => Ok(Payload::Text(text::csv(self, block, answers)?)),
            Format::Jsonl => Ok(Payload::Text(text::json(self, block, answers)?)),
        }
    }

    /// The names of all columns, in order.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.kept.iter().map(|(_, column)| column.name.as_str()).collect();
        if self.file {
            names.push("file");
        }
        names.push("row");
        if self.recovered {
            names.extend(["public_key", "address"]);
        }
        names.extend(["valid", "reason", "column"]);
        names
    }
}

/// A batch's part of the output.
pub(crate) enum Payload {
    Text(Vec<u8>),
    Table(RecordBatch),
}

/// The output, under construction.
pub(crate) struct Output {
    name: String,
    writer: Writer,
}

enum Writer {
    Text(BufWriter<Target>),
    Table(Box<table::TableWriter>),
}

impl Output {
    /// Begins an output at a path; `-` is standard output.
    pub(crate) fn create(path: &Path, shape: &Shape) -> Result<Output, Failure> {
        let standard = path == Path::new("-");
        let name = if standard { "standard output".to_owned() } else { path.display().to_string() };
        let target = if standard { Ok(Target::standard()) } else { Target::create(path) };
        let target = target.map_err(|error| Failure::io(&name, &error))?;
        let writer = match shape.format {
            Format::Parquet => Writer::Table(Box::new(table::TableWriter::new(shape, target, &name)?)),
            Format::Csv | Format::Jsonl => Writer::Text(BufWriter::with_capacity(1 << 20, target)),
        };
        let mut output = Output { name, writer };
        if shape.format == Format::Csv {
            output.put(Payload::Text(text::csv_header(shape)?))?;
        }
        Ok(output)
    }

    pub(crate) fn put(&mut self, payload: Payload) -> Result<(), Failure> {
        match (&mut self.writer, payload) {
            (Writer::Text(writer), Payload::Text(text)) => {
                writer.write_all(&text).map_err(|error| Failure::io(&self.name, &error))
            }
            (Writer::Table(writer), Payload::Table(table)) => writer.put(table, &self.name),
            _ => unreachable!("the shape that rendered the payload is the one the output was created with"),
        }
    }

    /// Writes what is left and makes it durable. The output is whole then, but does not have its name yet.
    pub(crate) fn finish(self) -> Result<Finished, Failure> {
        let failed = |error: std::io::Error| Failure::io(&self.name, &error);
        let mut target = match self.writer {
            Writer::Text(writer) => writer.into_inner().map_err(|error| failed(error.into_error()))?,
            Writer::Table(writer) => writer.finish(&self.name)?,
        };
        target.sync().map_err(failed)?;
        Ok(Finished { name: self.name, target })
    }
}

/// An output that is written and waits for its name.
pub(crate) struct Finished {
    name: String,
    target: Target,
}

impl Finished {
    pub(crate) fn commit(self) -> Result<(), Failure> {
        self.target.commit().map_err(|error| Failure::io(&self.name, &error))
    }
}
