//! Ethereum transactions as what files hold.

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, ColumnPlaces, Role};

use super::chain::{self, ChainSettings, JudgedRows};
use super::decoded::{Decoded, RowNumbers};
use super::format::{Format, Shown};
use super::keys::Keys;
use super::records::{self, Fields, Records};
use super::stream::BYTE_ORDER_MARK;
use super::{Content, InputSettings, KeptColumn, RawBlock, csv, lines, parquet};
use crate::exit::RunError;

/// Ethereum transactions.
#[derive(Default)]
pub(crate) struct ChainTransactions {
    pub(crate) chain: ChainSettings,
    pub(crate) settings: InputSettings,
}

impl Content for ChainTransactions {
    fn formats(&self) -> &'static [Format] {
        &TRANSACTIONS
    }

    fn settings(&self) -> &InputSettings {
        &self.settings
    }

    fn chain(&self) -> ChainSettings {
        self.chain
    }

    fn names(&self) -> ColumnNames {
        Role::ALL.map(|role| match role {
            Role::Id => "hash".to_owned(),
            Role::FromAddress => "from".to_owned(),
            role => role.name().to_owned(),
        })
    }

    fn select(&self, header: &[&str], names: &mut ColumnNames) -> Result<(Vec<usize>, ColumnPlaces), RunError> {
        chain::select(header, names)
    }

    /// The columns that the output has of each transaction, beside its sender: block, index and hash.
    fn kept(&self) -> Option<Vec<Option<KeptColumn>>> {
        let columns =
            [("block", DataType::UInt64), ("index", DataType::UInt64), ("hash", DataType::FixedSizeBinary(32))];
        Some(columns.map(|(name, data_type)| Some(KeptColumn { name: name.to_owned(), data_type })).to_vec())
    }

    fn table<'b>(&self, block: &'b RawBlock, table: &'b RecordBatch, places: &ColumnPlaces) -> Decoded<'b> {
        let column = |place: &Option<usize>| Some(table.column((*place)?));
        let columns = places.kept.iter().map(column).collect();
        judged(block, chain::decode_columns(columns, table.num_rows(), &[], self.chain))
    }

    fn records<'b>(&self, block: &'b RawBlock, records: &Records, fields: &Fields) -> Decoded<'b> {
        let parsed = records.parsed(fields);
        let kept = records::kept(&parsed, fields);
        let columns = kept.iter().map(Option::as_ref).collect();
        judged(block, chain::decode_columns(columns, parsed.rows, &parsed.uneven, self.chain))
    }

    fn lines<'b>(&self, block: &'b RawBlock, text: &[u8], _: usize, _: &Keys) -> Decoded<'b> {
        let (rows, lines) = chain::decode_lines(text, block.first_row, self.chain);
        Decoded { numbers: RowNumbers::Listed(lines), ..judged(block, rows) }
    }
}

/// ChainTransactions of a block, with the report on them.
pub(super) fn judged<'b>(block: &RawBlock, (rows, kept, report): JudgedRows) -> Decoded<'b> {
    Decoded { chain: Some(report), ..block.decoded((rows, kept)) }
}

/// The formats of Ethereum transactions, in the order of the help.
pub(crate) static TRANSACTIONS: [Format; 6] = [chain::RLP, chain::ERA1, JSONL, HEX, PARQUET, CSV];

const JSONL: Format = Format {
    help: "One block a line, as `eth_getBlockByNumber` answers with whole transactions; or one transaction a line",
    begins: |head| Shown::surely(matches!(text(head), [] | [b'{' | b'[' | b'"', ..])),
    // What the first line calls its keys does not matter.
    open: |source, content, names, shown| (lines::FORMAT.open)(source, content, &mut names.clone(), shown),
    ..lines::FORMAT
};

const HEX: Format = Format {
    word: "hex",
    help: "One raw transaction a line, in hex",
    name: "transactions in hex",
    endings: &[],
    begins: |head| Shown::surely(is_hex(text(head))),
    ..JSONL
};

const PARQUET: Format =
    Format { help: "A table of transactions: raw, or in fields as cryo writes them", ..parquet::FORMAT };

const CSV: Format = Format { help: "The same as text with a header", begins: |_| Shown::No, ..csv::FORMAT };

/// Text from its first letter on.
fn text(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start()
}

/// Whether a text begins with a line of hex digits, of which there are more than a word has.
fn is_hex(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")).unwrap_or(text);
    let count = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
    count >= 20 && digits.get(count).is_none_or(u8::is_ascii_whitespace)
}
