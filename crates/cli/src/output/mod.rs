//! Answers out: the columns of the output, its formats, and a file that appears only when it is complete.
//!
//! [`Shape`] knows the columns and turns a block into a [`Payload`] on whichever thread computed it; [`Output`] puts
//! payloads, which must come in order, into the file.

pub(crate) mod checks;
mod columns;
mod file;
mod format;
pub(crate) mod index;
pub(crate) mod inputs;
pub(crate) mod matches;
mod pending;
mod replacing;
mod rows;
mod table;
mod text;
mod unnamed;
mod value;

use std::io::{BufWriter, Write};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use phalanx_rows::Answers;

use crate::exit::RunError;
use crate::input::{Decoded, Input};
pub(crate) use columns::Finding;
use columns::OutputColumn;
use file::Target;
pub(crate) use format::OutputFormat;
pub(crate) use pending::Pending;
pub(crate) use replacing::{ReadPlace, refuse_replacing};
pub(crate) use rows::RowTable;

/// The form of the output.
pub(crate) struct Shape {
    format: OutputFormat,
    columns: Vec<OutputColumn>,
}

impl Shape {
    /// The form for these inputs, of `files` that were asked for.
    ///
    /// Fails when a kept column has the name of one that is written anyway.
    pub(crate) fn new(
        format: OutputFormat,
        finding: Finding,
        inputs: &[Input],
        files: usize,
    ) -> Result<Shape, RunError> {
        Ok(Shape { format, columns: columns::columns(finding, inputs, files > 1)? })
    }

    /// Whether a row may have no signature, so that it is neither valid nor invalid: a transaction.
    fn may_lack_signatures(&self) -> bool {
        self.columns.iter().any(|column| matches!(column, OutputColumn::Address("sender")))
    }

    /// The names and types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        table::schema(self)
    }

    /// Writes down the answers of a block.
    pub(crate) fn render(&self, block: &Decoded<'_>, answers: &Answers) -> Result<Payload, RunError> {
        match self.format {
            OutputFormat::Parquet => Ok(Payload::Table(table::render(self, block, answers)?)),
            OutputFormat::Csv => Ok(Payload::Text(text::csv(&text::AnsweredRows::new(self, block, answers)?)?)),
            OutputFormat::Jsonl => Ok(Payload::Text(text::json(&text::AnsweredRows::new(self, block, answers)?))),
        }
    }
}

/// A block's part of the output.
pub(crate) enum Payload {
    Text(Vec<u8>),
    Table(RecordBatch),
}

impl Payload {
    /// A table in a format.
    pub(crate) fn of_table(table: RecordBatch, format: OutputFormat) -> Result<Payload, RunError> {
        match format {
            OutputFormat::Parquet => Ok(Payload::Table(table)),
            OutputFormat::Csv => Ok(Payload::Text(text::csv(&text::TableRows::new(&table)?)?)),
            OutputFormat::Jsonl => Ok(Payload::Text(text::json(&text::TableRows::new(&table)?))),
        }
    }
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
    /// Begins an output of these columns at a path; `-` is standard output.
    pub(crate) fn create(path: &Path, format: OutputFormat, schema: SchemaRef) -> Result<Output, RunError> {
        let standard = path == Path::new("-");
        let name = if standard { "standard output".to_owned() } else { path.display().to_string() };
        let target = if standard { Ok(Target::standard()) } else { Target::create(path) };
        let target = target.map_err(|error| RunError::io(&name, &error))?;
        let header = text::csv_header(&schema)?;
        let writer = match format {
            OutputFormat::Parquet => Writer::Table(Box::new(table::TableWriter::new(schema, target, &name)?)),
            OutputFormat::Csv | OutputFormat::Jsonl => Writer::Text(BufWriter::with_capacity(1 << 20, target)),
        };
        let mut output = Output { name, writer };
        if format == OutputFormat::Csv {
            output.put(Payload::Text(header))?;
        }
        Ok(output)
    }

    /// Begins lines of text on standard output.
    pub(crate) fn of_lines() -> Result<Output, RunError> {
        // JSON lines have no header.
        Output::create(Path::new("-"), OutputFormat::Jsonl, SchemaRef::new(Schema::empty()))
    }

    pub(crate) fn put(&mut self, payload: Payload) -> Result<(), RunError> {
        match (&mut self.writer, payload) {
            (Writer::Text(writer), Payload::Text(text)) => {
                writer.write_all(&text).map_err(|error| RunError::io(&self.name, &error))
            }
            (Writer::Table(writer), Payload::Table(table)) => writer.put(table, &self.name),
            _ => Err(RunError::new("internal error: the answers have another format than the output")),
        }
    }

    /// Writes what is left and makes it durable. The output is whole then, but does not have its name yet.
    pub(crate) fn finish(self) -> Result<Finished, RunError> {
        let failed = |error: std::io::Error| RunError::io(&self.name, &error);
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
    pub(crate) fn commit(self) -> Result<(), RunError> {
        self.target.commit().map_err(|error| RunError::io(&self.name, &error))
    }
}
