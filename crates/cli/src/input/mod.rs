//! Files in: what a file is, which columns of it are read, and its rows block by block.
//!
//! Reading is in two steps so that it overlaps with computing. One thread does what is serial: it reads, decompresses
//! and cuts the input into [`Block`]s. Whoever computes on a block first makes [`Decoded`] rows of it.

mod chain;
mod csv;
mod decoded;
mod gzip;
mod header;
mod index;
mod json;
mod keys;
mod lines;
mod non_finite;
mod nostr;
mod parquet;
mod quoted;
mod readable;
mod records;
mod relay;
mod stream;
mod tokens;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, ColumnPlaces, Job, Names, Role, Selection};

use crate::args::{ChainFormat, FileFormat};
use crate::exit::RunError;
use crate::process::guard::guard;
pub(crate) use chain::{ChainSettings, ChainTally};
use decoded::RowNumbers;
pub(crate) use decoded::{Decoded, Origin};
pub(crate) use index::{IndexBlock, IndexColumn};
use stream::Source;

/// A block ends after this many bytes of text even if it has room for more rows, so that memory stays bounded.
const BLOCK_BYTES: usize = 4 << 20;

/// No row may be longer: it is one malformed row then. Only where a CSV record may be long because a quote was left
/// open does the run end, since nothing tells where the next record begins.
const ROW_BYTES: usize = 16 << 20;

/// A pass-through column as the output needs to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptColumn {
    pub(crate) name: String,
    pub(crate) data_type: DataType,
}

impl KeptColumn {
    /// The column in one place of what some inputs keep: as the first of them has it, and as text where types differ.
    pub(crate) fn common(inputs: &[Input], place: usize) -> Option<KeptColumn> {
        let mut columns = inputs.iter().filter_map(|input| input.kept[place].as_ref());
        let first = columns.next()?;
        let same = columns.all(|column| column.data_type == first.data_type);
        let data_type = if same { first.data_type.clone() } else { DataType::Utf8 };
        Some(KeptColumn { name: first.name.clone(), data_type })
    }
}

/// How inputs are read.
pub(crate) struct InputSettings {
    pub(crate) names: Names,
    pub(crate) job: Job,
    /// What the files are. None: their names and contents decide.
    pub(crate) format: Option<FileFormat>,
    /// What stands between the columns of CSV. None: the header decides.
    pub(crate) delimiter: Option<u8>,
    /// Whether columns are written that are passed through. Without an output, they are only read.
    pub(crate) keeps: bool,
    pub(crate) content: Content,
}

/// What inputs hold.
#[derive(Clone, Copy)]
pub(crate) enum Content {
    /// Rows of the job, in columns that the names name.
    Rows,
    /// Ethereum transactions.
    Transactions(ChainSettings),
    /// An index of silent payments.
    SilentIndex,
}

impl InputSettings {
    /// For files of Ethereum transactions.
    pub(crate) fn of_chain(chain: ChainSettings) -> InputSettings {
        // A table's input is read like a message, which only verification reads.
        let (names, job) = (Names::default(), Job::VERIFY);
        InputSettings { names, job, format: None, delimiter: None, keeps: false, content: Content::Transactions(chain) }
    }

    /// For files of an index of silent payments, whose columns are passed through.
    pub(crate) fn of_index(format: Option<FileFormat>, delimiter: Option<u8>) -> InputSettings {
        // Terms of a sum are no events, whatever their keys.
        InputSettings {
            names: index::names(),
            job: Job::Sum,
            format,
            delimiter,
            keeps: true,
            content: Content::SilentIndex,
        }
    }

    /// Finds the columns that matter among those of a table, and writes down what the table calls them.
    fn select(&self, header: &[&str], columns: &mut ColumnNames) -> Result<Selection, RunError> {
        match self.content {
            Content::Transactions(_) => chain::select(header, columns),
            Content::SilentIndex => index::select(header),
            Content::Rows => {
                let selection = self.names.select(header, self.job)?;
                selection.name(header, columns);
                Ok(selection)
            }
        }
    }

    /// How Ethereum transactions are read, if they are what the inputs hold.
    fn chain(&self) -> Option<ChainSettings> {
        match self.content {
            Content::Transactions(chain) => Some(chain),
            Content::Rows | Content::SilentIndex => None,
        }
    }
}

/// An input that has been looked at and can be read once.
pub(crate) struct Input {
    /// As the user wrote it.
    name: String,
    settings: Arc<InputSettings>,
    /// Bytes to read, compressed as they are, if that is known.
    pub(crate) size: Option<u64>,
    /// In the places of [`phalanx_rows::Selection::kept`].
    pub(crate) kept: Vec<Option<KeptColumn>>,
    /// What cannot be opened twice. A regular file is closed until its turn comes, so that a thousand inputs are not a
    /// thousand open files.
    held: Option<Opened>,
}

struct Opened {
    origin: Arc<Origin>,
    size: Option<u64>,
    format: InputFormat,
}

enum InputFormat {
    Parquet(Box<parquet::ParquetInput>),
    Csv(Box<csv::CsvInput>),
    Lines(Box<lines::LinesInput>),
    Rlp(chain::RlpInput),
    Era1(chain::Era1Input),
}

impl Input {
    /// Opens a file, or standard input for `-`, finds out what it is and which of its columns matter.
    ///
    /// Fails when it cannot be read, is of no known format, or lacks a column that the job needs.
    pub(crate) fn open(name: &str, settings: &Arc<InputSettings>) -> Result<Input, RunError> {
        Ok(Input::of(Opened::new(name, settings)?, name, settings))
    }

    /// Opens a stream, as if it were standard input.
    #[cfg(feature = "fuzzing")]
    pub(crate) fn of_stream(
        stream: Box<dyn std::io::Read + Send>,
        settings: &Arc<InputSettings>,
    ) -> Result<Input, RunError> {
        let open = || Opened::of_source(Source::Once(stream), "-", settings);
        let opened = guard("damaged", open).map_err(|failure| failure.about(display_name("-")))?;
        Ok(Input::of(opened, "-", settings))
    }

    fn of(opened: Opened, name: &str, settings: &Arc<InputSettings>) -> Input {
        let kept = match &opened.format {
            _ if settings.chain().is_some() => chain::kept(),
            InputFormat::Parquet(input) => input.kept(),
            InputFormat::Csv(input) => input.kept(),
            InputFormat::Lines(input) => input.kept(),
            InputFormat::Rlp(_) | InputFormat::Era1(_) => Vec::new(),
        };
        let (settings, size) = (Arc::clone(settings), opened.size);
        let held = size.is_none().then_some(opened);
        Input { name: name.to_owned(), settings, size, kept, held }
    }

    /// Reads to the end and hands on one block of at most `rows` rows after the other, until `emit` says `false`.
    pub(crate) fn read(self, rows: usize, emit: &mut dyn FnMut(RawBlock) -> bool) -> Result<(), RunError> {
        let Opened { origin, format, .. } = match self.held {
            Some(opened) => opened,
            None => Opened::new(&self.name, &self.settings)?,
        };
        let (mut first_row, chain) = (1, self.settings.chain());
        let mut hand_on = |block: Block, rows: u64, bytes: u64| {
            let raw = RawBlock { origin: Arc::clone(&origin), first_row, bytes, weight: block.weight(), block, chain };
            first_row += rows;
            emit(raw) && !origin.is_given_up()
        };
        let read = || match format {
            InputFormat::Parquet(input) => input.read(rows, &mut hand_on),
            InputFormat::Csv(input) => input.read(rows, &mut hand_on),
            InputFormat::Lines(input) => input.read(rows, &mut hand_on),
            InputFormat::Rlp(input) => input.read(rows, &mut hand_on),
            InputFormat::Era1(input) => input.read(rows, &mut hand_on),
        };
        guard("damaged", read).map_err(|failure| failure.about(display_name(&self.name)))
    }
}

impl Opened {
    fn new(name: &str, settings: &InputSettings) -> Result<Opened, RunError> {
        let open = || Opened::of_source(Source::new(name)?, name, settings);
        guard("damaged", open).map_err(|failure| failure.about(display_name(name)))
    }

    fn of_source(source: Source, name: &str, settings: &InputSettings) -> Result<Opened, RunError> {
        if let Some(chain) = settings.chain() {
            return Opened::of_chain(source, name, settings, chain);
        }
        let size = source.size();
        let (kind, source) = match settings.format {
            Some(format) => (Some(format), source),
            None => source.kind()?,
        };
        let mut columns = Role::ALL.map(|role| settings.names.name_of(role).to_owned());
        let names = &mut columns;
        let format = match kind {
            Some(FileFormat::Parquet) => {
                InputFormat::Parquet(Box::new(parquet::ParquetInput::open(source, settings, names)?))
            }
            Some(FileFormat::Jsonl) => {
                InputFormat::Lines(Box::new(lines::LinesInput::open(source, &settings.names, names)?))
            }
            Some(FileFormat::Csv) | None => {
                InputFormat::Csv(Box::new(csv::CsvInput::open(source, settings, names, kind.is_none())?))
            }
        };
        let json = matches!(format, InputFormat::Lines(_));
        let origin = Origin { name: display_name(name).to_owned(), columns, json, given_up: AtomicBool::new(false) };
        Ok(Opened { origin: Arc::new(origin), size, format })
    }
}

impl Opened {
    /// Opens what holds Ethereum transactions.
    fn of_chain(
        source: Source,
        name: &str,
        settings: &InputSettings,
        chain: ChainSettings,
    ) -> Result<Opened, RunError> {
        let size = source.size();
        let (kind, source) = match chain.format {
            Some(format) => (format, source),
            None => source.chain_kind()?,
        };
        let mut columns = chain::columns();
        let format = match kind {
            ChainFormat::Parquet => {
                InputFormat::Parquet(Box::new(parquet::ParquetInput::open(source, settings, &mut columns)?))
            }
            ChainFormat::Csv => InputFormat::Csv(Box::new(csv::CsvInput::open(source, settings, &mut columns, false)?)),
            ChainFormat::Jsonl | ChainFormat::Hex => {
                // What the first line calls its keys does not matter.
                let mut unused = columns.clone();
                InputFormat::Lines(Box::new(lines::LinesInput::open(source, &settings.names, &mut unused)?))
            }
            ChainFormat::Rlp => InputFormat::Rlp(chain::RlpInput::open(source)?),
            ChainFormat::Era1 => InputFormat::Era1(chain::Era1Input::open(source)?),
        };
        let name = display_name(name).to_owned();
        let origin = Origin { name, columns, json: false, given_up: AtomicBool::new(false) };
        Ok(Opened { origin: Arc::new(origin), size, format })
    }
}

/// What to call an input in messages.
fn display_name(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}

/// Takes a block, the rows (lines, for JSON) it covers and the bytes of the input read since the last one; says whether
/// to go on.
type Emit<'a> = dyn FnMut(Block, u64, u64) -> bool + 'a;

/// Rows as they were read, not yet decoded.
enum Block {
    /// A table, and the bytes of its values. Rows may share them.
    Table(RecordBatch, Arc<ColumnPlaces>, usize),
    /// Rows that are too long, and how many columns of their file are passed through. There may be none: then the
    /// block only says how far its reader is.
    Overlong {
        rows: usize,
        kept: usize,
    },
    Records(records::Records, Arc<records::Fields>, Arc<ColumnPlaces>),
    /// Lines, and how many of them are not blank.
    Lines(Vec<u8>, usize, Arc<keys::Keys>),
    Transactions(chain::RawTransactions),
}

impl Block {
    /// The bytes that decoding goes through.
    fn weight(&self) -> usize {
        match self {
            Block::Table(_, _, bytes) => *bytes,
            Block::Overlong { .. } => 0,
            Block::Records(records, ..) => records.bytes(),
            Block::Lines(text, ..) => text.len(),
            Block::Transactions(raw) => raw.bytes(),
        }
    }
}

/// A block with its place in the input.
pub(crate) struct RawBlock {
    pub(crate) origin: Arc<Origin>,
    first_row: u64,
    /// How many bytes of the input were read for it.
    pub(crate) bytes: u64,
    /// The bytes that decoding goes through.
    pub(crate) weight: usize,
    block: Block,
    chain: Option<ChainSettings>,
}

impl RawBlock {
    /// Decodes the block, borrowing from it. Whatever is wrong with a row becomes that row's outcome.
    ///
    /// Fails where what was read belongs to no file that can be judged.
    pub(crate) fn decode(&self, job: Job) -> Result<Decoded<'_>, RunError> {
        let mut numbers = RowNumbers::From(self.first_row);
        let mut listed = |lines| numbers = RowNumbers::Listed(lines);
        let mut report = None;
        let mut judged = |(rows, kept, said): chain::JudgedRows| {
            report = Some(said);
            (rows, kept)
        };
        let (rows, kept) = match (&self.block, self.chain) {
            (Block::Table(table, layout, _), None) => parquet::decode(table, layout),
            (Block::Table(table, layout, _), Some(chain)) => judged(chain::decode_table(table, layout, chain)),
            (Block::Overlong { rows, kept }, None) => decoded::overlong(*rows, *kept),
            (Block::Overlong { rows, .. }, Some(_)) => decoded::overlong(*rows, chain::kept().len()),
            (Block::Records(records, fields, layout), None) => records::decode(records, fields, layout),
            (Block::Records(records, fields, layout), Some(chain)) => {
                let parsed = records.parsed(fields);
                let kept = records::kept(&parsed, layout);
                let columns = kept.iter().map(Option::as_ref).collect();
                judged(chain::decode_columns(columns, parsed.rows, &parsed.uneven, chain))
            }
            (Block::Lines(text, filled, keys), None) => {
                let (rows, kept, lines) = json::decode(text, *filled, keys, self.first_row, job);
                listed(lines);
                (rows, kept)
            }
            (Block::Lines(text, ..), Some(chain)) => {
                let (rows, lines) = chain::decode_lines(text, self.first_row, chain);
                listed(lines);
                judged(rows)
            }
            (Block::Transactions(raw), Some(chain)) => {
                judged(raw.decode(chain).map_err(|failure| failure.about(&self.origin.name))?)
            }
            (Block::Transactions(_), None) => unreachable!("only files of Ethereum transactions have them"),
        };
        Ok(Decoded { origin: Arc::clone(&self.origin), rows, numbers, kept, chain: report })
    }
}
