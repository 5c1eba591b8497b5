//! Parquet: only the columns that matter, row group after row group, values borrowed from the decompressed pages.
//!
//! Nothing that a file says about itself is believed before it is weighed: [`footer`] weighs the directory, [`plan`]
//! the pages of the next rows, [`pages`] decompresses no more than was weighed, and [`cut`] makes blocks of what was
//! read.

mod chunk;
mod cut;
mod delta;
mod footer;
mod header;
mod pages;
mod plan;
mod thrift;

use std::fmt::Display;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Fields};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups};
use parquet::arrow::{FieldLevels, ProjectionMask, parquet_to_arrow_field_levels, parquet_to_arrow_schema_by_columns};
use parquet::basic::Repetition;
use parquet::column::page::PageIterator;
use parquet::errors::Result as Parquet;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type, TypePtr};
use phalanx_rows::{Cells, ColumnNames, ColumnPlaces, Role, RowBlock, RowFault};

use super::decoded::WithKept;
use super::format::{Format, OpenFile, Reader, Shown};
use super::stream::Source;
use super::{Content, Emit, KeptColumn, ROW_BYTES};
use crate::exit::RunError;
use chunk::Chunk;
use cut::{Cutter, SHARED};
use pages::ColumnChunks;

/// Tables of Parquet.
pub(super) const FORMAT: Format = Format {
    word: "parquet",
    help: "Apache Parquet",
    name: "Parquet",
    endings: &["parquet"],
    begins: |head| Shown::surely(head.starts_with(b"PAR1")),
    copied: true,
    open: ParquetInput::open,
};

/// Small row groups are read together, up to this many rows.
const RUN_ROWS: usize = 1 << 17;

/// What is wrong with a file, without the names of the crates that say so.
fn failed(error: impl Display) -> RunError {
    let text = error.to_string();
    let mut text = text.as_str();
    while let Some(rest) =
        ["Parquet argument error: ", "Parquet error: "].iter().find_map(|name| text.strip_prefix(name))
    {
        text = rest;
    }
    RunError::new(text)
}

/// Where a column stands that has a role, but no value of its own in each row.
const NESTED: usize = usize::MAX;

/// A Parquet file whose footer has been read.
struct ParquetInput {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    /// Where the columns that are read stand among all the file's, nested ones counted part by part.
    leaves: Vec<usize>,
    /// The type in which each is read.
    fields: Fields,
    levels: FieldLevels,
    layout: ColumnPlaces,
    /// Whether columns are written that are passed through.
    keeps: bool,
    size: u64,
}

impl ParquetInput {
    fn open(source: Source, content: &dyn Content, columns: &mut ColumnNames, _: Shown) -> Result<OpenFile, RunError> {
        let file = source.seekable()?;
        let size = file.metadata().map_err(failed)?.len();
        let metadata = footer::load(&file, size)?;
        let schema = metadata.file_metadata().schema_descr();
        let roots = schema.root_schema().get_fields();
        let header: Vec<&str> = roots.iter().map(|column| column.name()).collect();
        let (needed, mut layout) = content.select(&header, columns)?;
        let lists = content.reads_lists();
        let is_read = |root: &usize| is_plain(&roots[*root]) || lists && is_list(&roots[*root]);
        let plain: Vec<usize> = needed.iter().copied().filter(is_read).collect();
        let kept: Vec<Option<usize>> = layout.kept.iter().map(|place| Some(needed[(*place)?])).collect();
        refuse_nested(&kept, &header, &plain, lists)?;
        move_places(&mut layout, &needed, &plain);

        let mut leaves = vec![0; roots.len()];
        for leaf in 0..schema.num_columns() {
            leaves[schema.get_column_root_idx(leaf)] = leaf;
        }
        let read = plain.iter().map(|root| Arc::clone(&roots[*root])).collect();
        let read = Type::group_type_builder("rows").with_fields(read).build().map_err(failed)?;
        let read = SchemaDescriptor::new(Arc::new(read));
        // What is written in the file beside Parquet's own types is left alone: it is a second schema, nested without
        // bounds.
        let types = parquet_to_arrow_schema_by_columns(&read, ProjectionMask::all(), None).map_err(failed)?;
        let place = |root: usize| plain.binary_search(&root).ok();
        let kept = kept.iter().map(|root| {
            let field = types.field(place((*root)?)?);
            Some(KeptColumn { name: field.name().clone(), data_type: shown(field.data_type()) })
        });
        let kept = kept.collect();
        let viewed = types.fields().iter().map(|field| Field::clone(field).with_data_type(viewed(field.data_type())));
        let fields: Fields = viewed.collect();
        let levels = parquet_to_arrow_field_levels(&read, ProjectionMask::all(), Some(&fields)).map_err(failed)?;
        let leaves = plain.iter().map(|root| leaves[*root]).collect();
        let (file, keeps) = (Arc::new(file), content.settings().keeps);
        let input = ParquetInput { file, metadata, leaves, fields, levels, layout, keeps, size };
        input.refuse_overlaps()?;
        Ok((Box::new(input), kept))
    }

    /// Fails where two of the chunks to read share bytes: a small file could be read without end.
    fn refuse_overlaps(&self) -> Result<(), RunError> {
        let groups = 0..self.metadata.num_row_groups();
        let chunks = groups.flat_map(|group| self.leaves.iter().map(move |leaf| (group, *leaf)));
        let mut places = chunks.map(|(group, leaf)| self.place(group, leaf)).collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable_by_key(|place| (place.start, place.end));
        match places.windows(2).any(|pair| pair[1].start < pair[0].end) {
            true => Err(RunError::new("damaged: two columns share bytes of the file")),
            false => Ok(()),
        }
    }

    /// Whether some column has a list in each row.
    fn has_lists(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.data_type(), DataType::List(_)))
    }

    /// The chunks of some row groups, column by column.
    fn run(&self, groups: Range<usize>) -> Result<Run, RunError> {
        let schema = self.metadata.file_metadata().schema_descr();
        let mut columns = Vec::with_capacity(self.leaves.len());
        for (leaf, field) in self.leaves.iter().zip(&self.fields) {
            let column = schema.column(*leaf);
            let chunk = |group| self.chunk(group, *leaf, &column, field);
            columns.push(groups.clone().map(chunk).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Run { file: Arc::clone(&self.file), metadata: Arc::clone(&self.metadata), groups, columns })
    }

    /// Where a chunk stands in the file.
    fn place(&self, group: usize, leaf: usize) -> Result<Range<u64>, RunError> {
        let chunk = self.metadata.row_group(group).column(leaf);
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let (Ok(start), Ok(length)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err(RunError::new("damaged: a column begins before the file"));
        };
        match start.checked_add(length).filter(|end| *end <= self.size) {
            Some(end) => Ok(start..end),
            None => Err(RunError::new("damaged, or cut off: a column goes beyond the end of the file")),
        }
    }

    fn chunk(&self, group: usize, leaf: usize, column: &ColumnDescriptor, field: &Field) -> Result<Chunk, RunError> {
        let place = self.place(group, leaf)?;
        let fixed = column.physical_type() == parquet::basic::Type::FIXED_LEN_BYTE_ARRAY;
        let width = if fixed { u32::try_from(column.type_length()).unwrap_or(0) } else { 0 };
        if fixed && (width == 0 || width as usize > ROW_BYTES) {
            let name = field.name();
            return Err(RunError::new(format!(
                "column `{name}` has values of {width} bytes; 1 to {ROW_BYTES} can be read"
            )));
        }
        Ok(Chunk {
            name: field.name().as_str().into(),
            physical: column.physical_type(),
            width,
            nullable: column.max_def_level() > 0,
            repeated: column.max_rep_level() > 0,
            viewed: matches!(field.data_type(), DataType::Utf8View | DataType::BinaryView),
            codec: self.metadata.row_group(group).column(leaf).compression(),
            rows: u64::try_from(self.metadata.row_group(group).num_rows()).unwrap_or(0),
            start: place.start,
            length: place.end - place.start,
        })
    }
}

impl Reader for ParquetInput {
    fn read(self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let total = u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0);
        let mut cutter = Cutter { layout: Arc::new(self.layout.clone()), keeps: self.keeps, left: 0 };
        let (mut read, mut reported) = (0, 0);
        let mut hand_on = |block, rows| {
            read += rows;
            let reached = (u128::from(self.size) * u128::from(read) / u128::from(total.max(1))) as u64;
            emit(block, rows, reached.saturating_sub(std::mem::replace(&mut reported, reached)))
        };
        let most = if self.has_lists() { 0 } else { RUN_ROWS };
        for run in runs(&self.metadata, most) {
            let run = self.run(run)?;
            let plan = plan::plan(&self.file, &run.columns, rows).map_err(failed)?;
            let pages = plan.bytes.iter().enumerate();
            let pages = pages.filter(|(column, _)| Cutter::is_looked_through(&self.layout, *column));
            let (each, once) = SHARED;
            let own = pages.fold(once, |sum, (_, bytes)| sum.saturating_add(*bytes));
            cutter.left = (run.num_rows() as u64).saturating_mul(each).saturating_add(own);
            let reader = ParquetRecordBatchReader::try_new_with_row_groups(&self.levels, &run, plan.rows, None);
            for table in reader.map_err(failed)? {
                if !cutter.blocks(table.map_err(failed)?, &mut hand_on)? {
                    return Ok(());
                }
            }
        }
        if read == total {
            Ok(())
        } else {
            Err(RunError::new(format!("the footer promises {total} rows, {read} are there")))
        }
    }
}

/// Whether a column of the root has one value in each row, or none.
fn is_plain(column: &TypePtr) -> bool {
    column.is_primitive() && column.get_basic_info().repetition() != Repetition::REPEATED
}

/// Whether a column of the root has a list of numbers of 64 bits in each row, or none. Numbers alone, because a value of
/// a dictionary is copied as often as lists have it.
fn is_list(column: &TypePtr) -> bool {
    let is_number = |value: &Type| value.is_primitive() && value.get_physical_type() == parquet::basic::Type::INT64;
    match &**column {
        // A repeated group, or a repeated value as some writers have it, with one value in it.
        Type::GroupType { fields, .. } => match &fields[..] {
            [item] if item.get_basic_info().repetition() == Repetition::REPEATED => match &**item {
                Type::GroupType { fields, .. } => matches!(&fields[..], [value] if is_plain(value) && is_number(value)),
                value => is_number(value),
            },
            _ => false,
        },
        Type::PrimitiveType { .. } => false,
    }
}

/// Fails where a column cannot be passed through, and where there is none at all to read.
fn refuse_nested(kept: &[Option<usize>], header: &[&str], plain: &[usize], lists: bool) -> Result<(), RunError> {
    let nested = kept.iter().flatten().find(|root| plain.binary_search(root).is_err());
    match nested {
        Some(root) if lists => Err(RunError::new(format!(
            "column `{}` is a group or a list; of lists, those of 64-bit numbers alone are read",
            header[*root]
        ))),
        Some(root) => Err(RunError::new(format!(
            "column `{}` is a group or a list, which cannot be passed through; --columns id=NAME names another id",
            header[*root]
        ))),
        None if plain.is_empty() => {
            Err(RunError::new("the columns to read are groups or lists; plain ones are needed"))
        }
        None => Ok(()),
    }
}

/// Makes places among the needed columns into places among those that are read.
fn move_places(layout: &mut ColumnPlaces, needed: &[usize], plain: &[usize]) {
    for place in layout.roles.iter_mut().chain(&mut layout.kept).flatten() {
        *place = plain.binary_search(&needed[*place]).unwrap_or(NESTED);
    }
}

/// Row groups that are read together up to so many rows, so that blocks do not end with each small one.
fn runs(metadata: &ParquetMetaData, most: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut rows = 0;
    for (group, metadata) in metadata.row_groups().iter().enumerate() {
        let more = usize::try_from(metadata.num_rows()).unwrap_or(usize::MAX);
        match runs.last_mut() {
            Some(run) if more <= most.saturating_sub(rows) && most > 0 => {
                run.end = group + 1;
                rows += more;
            }
            _ => {
                runs.push(group..group + 1);
                rows = more.min(most);
            }
        }
    }
    runs
}

/// Some row groups of a file.
struct Run {
    file: Arc<File>,
    metadata: Arc<ParquetMetaData>,
    groups: Range<usize>,
    /// Column by column.
    columns: Vec<Vec<Chunk>>,
}

impl RowGroups for Run {
    fn num_rows(&self) -> usize {
        let rows = self.row_groups().map(|group| usize::try_from(group.num_rows()).unwrap_or(0));
        rows.fold(0, usize::saturating_add)
    }

    fn column_chunks(&self, column: usize) -> Parquet<Box<dyn PageIterator>> {
        let chunks = self.columns[column].clone().into_iter();
        Ok(Box::new(ColumnChunks { file: Arc::clone(&self.file), chunks }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups()[self.groups.clone()].iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The layout in which values are slices of the pages they came in, where Parquet's type allows it.
fn viewed(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Utf8 => DataType::Utf8View,
        DataType::Binary => DataType::BinaryView,
        other => shown(other),
    }
}

/// The type under which a value is passed on: moments in UTC by its offset, because its name is in a table of time
/// zones.
fn shown(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        other => other.clone(),
    }
}

/// Turns a table into rows, which borrow its values.
pub(super) fn decode<'a>(table: &'a RecordBatch, layout: &ColumnPlaces) -> WithKept<'a> {
    let cells = Role::ALL.map(|role| match layout.roles[role as usize] {
        Some(NESTED) => Cells::All(RowFault::WrongType),
        Some(column) => Cells::new(role, phalanx_rows::arrow::column(table.column(column))),
        None => Cells::Absent,
    });
    let kept = layout.kept.iter().map(|column| Some(Arc::clone(table.column((*column)?))));
    (RowBlock::new(table.num_rows(), cells), kept.collect())
}
