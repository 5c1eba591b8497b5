//! Files in: what a file is, which columns of it are read, and its rows block by block.
//!
//! ```text
//! file ──> format::open ──> Reader::read ──> queue of RawBlock ──> RawBlock::decode ──> Decoded
//!          on opening       one thread                             whoever computes on the block
//! ```
//!
//! One thread does what is serial: it reads, decompresses and cuts the input into blocks. Whatever else a block costs
//! is left to `decode`. What files hold is a [`Content`]; what they look like is a [`Format`], with a
//! [`Reader`](format::Reader).
//!
//! To add a format, write a file with a constant [`Format`] in it, and put the constant into the list [`TABLES`]. Its
//! reader asks [`Content::select`] which columns to read. A format with types emits a [`Block::Table`] of Arrow for some
//! thousand rows, as `parquet` does. Text emits [`Block::Records`], as `csv` does: these trim fields, bear rows that are
//! uneven or too long, and read escapes. A format that transactions of Ethereum come in goes into [`TRANSACTIONS`] too;
//! `chain::rlp` holds nothing else. CONTRIBUTING.md names what else a format needs.
//!
//! To add a content, write a file with a type that implements [`Content`], as `index` is; a command opens its files with
//! it.

mod chain;
mod csv;
mod decoded;
mod format;
mod gzip;
mod header;
mod index;
mod json;
mod keys;
mod lines;
mod non_finite;
mod nostr;
mod opened;
mod parquet;
mod quoted;
mod readable;
mod records;
mod relay;
mod rows;
mod stream;
mod tokens;
mod transactions;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, ColumnPlaces, Job, Names, Role};

use crate::exit::RunError;
pub(crate) use chain::{ChainSettings, ChainTally, UnsignedTypes};
pub(crate) use decoded::{Decoded, Origin};
use decoded::{RowNumbers, WithKept};
pub(crate) use format::Format;
pub(crate) use index::{IndexBlock, IndexColumn, SilentIndex};
use keys::Keys;
pub(crate) use opened::Input;
use records::{Fields, Records};
pub(crate) use rows::Rows;
pub(crate) use transactions::{ChainTransactions, TRANSACTIONS};

/// The formats of tables, in the order of the help. Of two that say `Maybe` to the same bytes the first is tried.
pub(crate) static TABLES: [Format; 3] = [parquet::FORMAT, csv::FORMAT, lines::FORMAT];

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

/// How files are read, whatever their rows are.
#[derive(Default)]
pub(crate) struct InputSettings {
    pub(crate) names: Names,
    /// What the files are. None: their names and contents decide.
    pub(crate) format: Option<&'static Format>,
    /// What stands between the columns of CSV. None: the header decides.
    pub(crate) delimiter: Option<u8>,
    /// Whether columns are written that are passed through. Without an output, they are only read.
    pub(crate) keeps: bool,
}

/// What files hold, and what is made of their blocks.
pub(crate) trait Content: Send + Sync {
    /// The formats that its files may have.
    fn formats(&self) -> &'static [Format] {
        &TABLES
    }

    /// How its files are read.
    fn settings(&self) -> &InputSettings;

    /// What the columns of the roles are called unless a file says otherwise.
    fn names(&self) -> ColumnNames {
        Role::ALL.map(|role| self.settings().names.name_of(role).to_owned())
    }

    /// How Ethereum transactions are judged.
    fn chain(&self) -> ChainSettings {
        ChainSettings::default()
    }

    /// What rows are for, if they are judged by roles.
    fn job(&self) -> Option<Job> {
        None
    }

    /// The columns of a table that are read, ascending, and their places among these. Writes down what the table calls
    /// them.
    ///
    /// Fails where a column is missing that is needed.
    fn select(&self, header: &[&str], names: &mut ColumnNames) -> Result<(Vec<usize>, ColumnPlaces), RunError>;

    /// Whether lists of numbers are read.
    fn reads_lists(&self) -> bool {
        false
    }

    /// The columns that are passed through, if those are not the file's own.
    fn kept(&self) -> Option<Vec<Option<KeptColumn>>> {
        None
    }

    /// Decodes a table.
    fn table<'b>(&self, block: &'b RawBlock, table: &'b RecordBatch, places: &ColumnPlaces) -> Decoded<'b> {
        block.decoded(parquet::decode(table, places))
    }

    /// Decodes records of CSV.
    fn records<'b>(&self, block: &'b RawBlock, records: &Records, fields: &Fields) -> Decoded<'b> {
        block.decoded(records::decode(records, fields))
    }

    /// Decodes lines of text, of which `filled` are not blank.
    fn lines<'b>(&self, block: &'b RawBlock, text: &[u8], filled: usize, keys: &Keys) -> Decoded<'b> {
        let (rows, lines) = json::decode(text, filled, keys, block.first_row);
        Decoded { json: true, numbers: RowNumbers::Listed(lines), ..block.decoded(rows) }
    }
}

/// The columns to read where none has a role, and their places, by what is passed through.
fn without_roles(kept: &[Option<usize>]) -> (Vec<usize>, ColumnPlaces) {
    let mut needed: Vec<usize> = kept.iter().copied().flatten().collect();
    needed.sort_unstable();
    needed.dedup();
    let kept = kept.iter().map(|column| needed.binary_search(&(*column)?).ok()).collect();
    (needed, ColumnPlaces { roles: Default::default(), kept })
}

/// Takes a block, the rows (lines, for JSON) it covers and the bytes of the input read since the last one; says whether
/// to go on.
pub(crate) type Emit<'a> = dyn FnMut(Block, u64, u64) -> bool + 'a;

/// Rows as they were read, not yet decoded.
pub(crate) enum Block {
    /// A table, and the bytes of its values. Rows may share them.
    Table(RecordBatch, Arc<ColumnPlaces>, usize),
    /// So many rows that are too long. There may be none: then the block only says how far its reader is.
    Overlong(usize),
    Records(Records, Arc<Fields>),
    /// Lines, and how many of them are not blank.
    Lines(Vec<u8>, usize, Arc<Keys>),
    Transactions(chain::RawTransactions),
}

impl Block {
    /// The bytes that decoding goes through.
    fn weight(&self) -> usize {
        match self {
            Block::Table(_, _, bytes) => *bytes,
            Block::Overlong(_) => 0,
            Block::Records(records, ..) => records.bytes(),
            Block::Lines(text, ..) => text.len(),
            Block::Transactions(raw) => raw.bytes(),
        }
    }
}

/// A block with its place in the input.
pub(crate) struct RawBlock {
    pub(crate) origin: Arc<Origin>,
    content: Arc<dyn Content>,
    first_row: u64,
    /// How many bytes of the input were read for it.
    pub(crate) bytes: u64,
    /// The bytes that decoding goes through.
    pub(crate) weight: usize,
    /// How many columns are passed through.
    kept: usize,
    block: Block,
}

impl RawBlock {
    /// Decodes the block, borrowing from it. Whatever is wrong with a row becomes that row's outcome.
    ///
    /// Fails where what was read belongs to no file that can be judged.
    pub(crate) fn decode(&self) -> Result<Decoded<'_>, RunError> {
        Ok(match &self.block {
            Block::Table(table, places, _) => self.content.table(self, table, places),
            Block::Overlong(rows) => self.decoded(decoded::overlong(*rows, self.kept)),
            Block::Records(records, fields) => self.content.records(self, records, fields),
            Block::Lines(text, filled, keys) => self.content.lines(self, text, *filled, keys),
            Block::Transactions(raw) => {
                let rows = raw.decode(self.content.chain()).map_err(|failure| failure.about(&self.origin.name))?;
                transactions::judged(self, rows)
            }
        })
    }

    /// What is decoded of the block: rows in the order of their numbers.
    fn decoded<'b>(&self, (rows, kept): WithKept<'b>) -> Decoded<'b> {
        let (origin, numbers) = (Arc::clone(&self.origin), RowNumbers::From(self.first_row));
        Decoded { origin, rows, numbers, kept, json: false, chain: None }
    }
}
