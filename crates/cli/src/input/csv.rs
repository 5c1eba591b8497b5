//! CSV with a header: records are split on the reading thread, hex is decoded by whoever computes on them.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::DataType;
use csv::{ByteRecord, Reader, ReaderBuilder};

use super::stream::{Progress, Source, Text};
use super::{BLOCK_BYTES, Block, Emit, KeptColumn, ROW_BYTES};
use crate::batch::{Batch, Numbers, Origin};
use crate::cells::{Cells, Packed};
use crate::columns::{Job, Layout, Names, Role};
use crate::failure::Failure;
use crate::fault::{Fault, Outcome};
use crate::recovery_id;

/// A CSV text whose header has been read.
pub(super) struct CsvInput {
    reader: Reader<Bounded>,
    since_record: Arc<AtomicUsize>,
    progress: Progress,
    fields: usize,
    needed: Vec<usize>,
    layout: Layout,
    kept: Vec<Option<KeptColumn>>,
}

/// Some thousand records, the needed fields of each, as they stood in the text.
pub(super) struct Records {
    rows: usize,
    columns: Vec<Packed>,
    /// Rows with more or fewer fields than the header, ascending.
    uneven: Vec<usize>,
}

impl CsvInput {
    pub(super) fn open(
        source: Source,
        names: &Names,
        job: Job,
        columns: &mut [String; Role::COUNT],
    ) -> Result<CsvInput, Failure> {
        let text = Text::new(source)?;
        let since_record = Arc::new(AtomicUsize::new(0));
        let bounded = Bounded { text: text.reader, since_record: Arc::clone(&since_record) };
        let mut reader = ReaderBuilder::new().flexible(true).buffer_capacity(256 << 10).from_reader(bounded);
        let header = reader.byte_headers().map_err(broken)?;
        if header.is_empty() {
            return Err(Failure::new("empty: CSV begins with a header line"));
        }
        let header: Vec<&str> = header
            .iter()
            .map(|name| std::str::from_utf8(name).map(str::trim))
            .collect::<Result<_, _>>()
            .map_err(|_| Failure::new("the header line is not UTF-8 text"))?;
        let fields = header.len();
        let selection = names.select(&header, job)?;
        selection.name(&header, columns);
        let kept = selection
            .kept
            .iter()
            .map(|index| Some(KeptColumn { name: header[(*index)?].to_owned(), data_type: DataType::Utf8 }))
            .collect();
        let (needed, layout) = selection.project(job);
        Ok(CsvInput { reader, since_record, progress: text.progress, fields, needed, layout, kept })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.kept.clone()
    }

    pub(super) fn read(mut self, rows: usize, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let layout = Arc::new(self.layout);
        let mut record = ByteRecord::new();
        loop {
            let columns = self.needed.iter().map(|_| Packed::with_capacity(rows.min(8192))).collect();
            let mut block = Records { rows: 0, columns, uneven: Vec::new() };
            let mut bytes = 0;
            while block.rows < rows
                && bytes < BLOCK_BYTES
                && self.reader.read_byte_record(&mut record).map_err(broken)?
            {
                self.since_record.store(0, Ordering::Relaxed);
                bytes += record.as_slice().len();
                if record.len() != self.fields {
                    block.uneven.push(block.rows);
                }
                for (column, field) in block.columns.iter_mut().zip(&self.needed) {
                    match record.get(*field) {
                        Some(value) => column.push(value),
                        None => column.push_fault(Fault::Absent),
                    }
                }
                block.rows += 1;
            }
            let count = block.rows as u64;
            let read = self.progress.since_last();
            if count == 0 || !emit(Block::Records(block, Arc::clone(&layout)), count, read) {
                return Ok(());
            }
        }
    }
}

fn broken(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Failure::new(error.to_string()),
        kind => Failure::new(format!("CSV: {kind:?}")),
    }
}

/// Refuses to read on for ever in search of a record's end.
struct Bounded {
    text: Box<dyn io::BufRead + Send>,
    since_record: Arc<AtomicUsize>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since_record.load(Ordering::Relaxed) > ROW_BYTES {
            let limit = ROW_BYTES >> 20;
            return Err(io::Error::other(format!("a CSV record is longer than {limit} MiB; is a quote left open?")));
        }
        let count = self.text.read(buffer)?;
        self.since_record.fetch_add(count, Ordering::Relaxed);
        Ok(count)
    }
}

/// Turns records into rows. An empty field is null, except an empty message, which is one.
pub(super) fn decode(records: &Records, layout: &Layout, origin: Arc<Origin>, first_row: u64) -> Batch {
    let mut settled: Vec<_> =
        records.uneven.iter().map(|row| (*row, Outcome::malformed(None, Fault::FieldCount))).collect();
    let mut unreadable = |row: usize, role: Option<Role>| {
        if let Err(place) = settled.binary_search_by_key(&row, |(row, _)| *row) {
            settled.insert(place, (row, Outcome::malformed(role, Fault::NotText)));
        }
    };
    let mut kept = Vec::with_capacity(layout.kept.len());
    for (place, column) in layout.kept.iter().enumerate() {
        // The id stands first; the columns of `--keep` have no role by which to name them.
        let role = (place == 0).then_some(Role::Id);
        kept.push(column.map(|column| text(&records.columns[column], |row| unreadable(row, role))));
    }
    Batch {
        origin,
        rows: records.rows,
        numbers: Numbers::From(first_row),
        cells: Role::ALL.map(|role| match layout.roles[role as usize] {
            Some(column) => cells(role, &records.columns[column]),
            None => Cells::Absent,
        }),
        kept,
        settled,
        stale: Vec::new(),
    }
}

fn cells(role: Role, column: &Packed) -> Cells {
    let mut packed = Packed::with_capacity(column.len());
    for row in 0..column.len() {
        match column.get(row) {
            Err(fault) => packed.push_fault(fault),
            Ok(b"") if role != Role::Message => packed.push_fault(Fault::Null),
            Ok(text) => match role {
                Role::Scheme => packed.push(text),
                Role::V => packed.push_id(recovery_id::from_text(text)),
                _ => packed.push_hex(role, text),
            },
        }
    }
    Cells::Packed(packed)
}

/// A kept column as text; a value that is not UTF-8 is null and told to `unreadable`.
fn text(column: &Packed, mut unreadable: impl FnMut(usize)) -> ArrayRef {
    let mut builder = StringBuilder::with_capacity(column.len(), column.size());
    for row in 0..column.len() {
        match column.get(row).map(std::str::from_utf8) {
            Ok(Ok(value)) => builder.append_value(value),
            Ok(Err(_)) => {
                builder.append_null();
                unreadable(row);
            }
            Err(_) => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}
