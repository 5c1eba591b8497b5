//! Tables with a transaction in each row, as cryo writes them: what was signed is computed from the columns.
//!
//! A table has no access lists, so the hash that it names decides whether there was one.

use arrow_array::RecordBatch;
use phalanx_ethereum::{Transaction, TransactionFields, TransactionType};
use phalanx_rows::{ColumnPlaces, Outcome, Role, RowFault, Selection, ValueColumn, Values};

use super::super::decoded::WithKept;
use super::ChainSettings;
use super::numbers::{from_bytes, from_decimal, from_hex, to_u64, to_u128};
use super::rows::{Stated, TransactionRows, malformed};
use crate::exit::RunError;

/// A column: its names, the preferred one first, and whether a table must have it.
type TableColumn = (&'static [&'static str], bool);

const BLOCK: usize = 0;
const INDEX: usize = 1;
const HASH: usize = 2;
const KIND: usize = 3;
const CHAIN_ID: usize = 4;
const NONCE: usize = 5;
const GAS_PRICE: usize = 6;
const PRIORITY_FEE: usize = 7;
const FEE: usize = 8;
const GAS: usize = 9;
const TO: usize = 10;
const VALUE: usize = 11;
const INPUT: usize = 12;
const V: usize = 13;
const R: usize = 14;
const S: usize = 15;
const FROM: usize = 16;

/// The columns, in the order of their numbers.
const COLUMNS: [TableColumn; 17] = [
    (&["block_number"], true),
    (&["transaction_index"], false),
    (&["transaction_hash"], true),
    (&["transaction_type"], true),
    (&["chain_id"], true),
    (&["nonce"], true),
    (&["gas_price"], true),
    (&["max_priority_fee_per_gas"], true),
    (&["max_fee_per_gas"], true),
    (&["gas_limit"], true),
    (&["to_address"], true),
    (&["value", "value_binary", "value_string"], true),
    (&["input"], true),
    (&["v"], true),
    (&["r"], true),
    (&["s"], true),
    (&["from_address"], false),
];

/// Where the columns stand among those of a table.
///
/// Fails where one is missing that is needed.
pub(in crate::input) fn select(header: &[&str]) -> Result<Selection, RunError> {
    let mut kept = Vec::with_capacity(COLUMNS.len());
    for (names, needed) in COLUMNS {
        let place = names.iter().find_map(|name| header.iter().position(|column| column == name));
        if needed && place.is_none() {
            return Err(RunError::new(format!("no column `{}`, which a table of transactions needs", names[0])));
        }
        kept.push(place);
    }
    let mut at = [None; Role::COUNT];
    // Like a message it is read from its beginning to its end, so what rows may share of it has a bound.
    at[Role::Message as usize] = kept[INPUT];
    Ok(Selection { at, kept })
}

/// Turns a table into rows.
pub(in crate::input) fn decode(
    table: &RecordBatch,
    layout: &ColumnPlaces,
    settings: ChainSettings,
) -> WithKept<'static> {
    let column = |place: &Option<usize>| Some(phalanx_rows::arrow::column(table.column((*place)?)));
    let table_row = TableRow { columns: layout.kept.iter().map(column).collect(), row: 0 };
    let mut rows = TransactionRows::new(settings, table.num_rows());
    for row in 0..table.num_rows() {
        let table_row = TableRow { row, ..table_row.clone() };
        let mut stated = Stated { without_access_list: true, ..Stated::default() };
        let fields = table_row.stated(&mut stated).and_then(|()| table_row.fields(&stated));
        rows.push_fields(fields, stated);
    }
    rows.finish()
}

/// A row of a table.
#[derive(Clone)]
struct TableRow<'a> {
    columns: std::rc::Rc<[Option<ValueColumn<'a>>]>,
    row: usize,
}

impl TableRow<'_> {
    fn stated(&self, stated: &mut Stated) -> Result<(), Outcome> {
        stated.block = Some(self.number64(BLOCK)?);
        stated.index =
            self.number(INDEX)?.map(to_u64).transpose().map_err(|fault| malformed(COLUMNS[INDEX].0[0], fault))?;
        stated.sender = self.fixed(FROM)?;
        stated.hash = Some(self.fixed(HASH)?.ok_or_else(|| malformed(COLUMNS[HASH].0[0], RowFault::Null))?);
        Ok(())
    }

    fn fields(&self, stated: &Stated) -> Result<TransactionFields, Outcome> {
        let name = COLUMNS[KIND].0[0];
        let kind = match self.number(KIND)? {
            None => TransactionType::Legacy,
            Some(number) => to_u64(number)
                .ok()
                .and_then(TransactionType::from_number)
                .ok_or_else(|| malformed(name, RowFault::UnknownType))?,
        };
        if kind > TransactionType::FeeMarket {
            return Err(malformed(name, RowFault::Absent));
        }
        let mut fields = TransactionFields {
            kind,
            nonce: self.number64(NONCE)?,
            gas: self.number64(GAS)?,
            to: self.fixed(TO)?,
            value: self.number256(VALUE)?,
            input: self.bytes(INPUT)?.unwrap_or_default(),
            v: to_u128(self.number256(V)?).map_err(|fault| malformed("v", fault))?,
            r: self.number256(R)?,
            s: self.number256(S)?,
            ..TransactionFields::default()
        };
        if kind == TransactionType::FeeMarket {
            fields.max_priority_fee_per_gas = self.number256(PRIORITY_FEE)?;
            fields.max_fee_per_gas = self.number256(FEE)?;
        } else {
            fields.gas_price = self.number256(GAS_PRICE)?;
        }
        if kind != TransactionType::Legacy {
            fields.chain_id = Some(self.number64(CHAIN_ID)?);
        } else if fields.v < 2 {
            // Some versions write the parity alone; the hash decides what v was.
            let parity = fields.v;
            let chain_id = u128::from(self.number64(CHAIN_ID)?);
            for v in [27 + parity, 35 + 2 * chain_id + parity] {
                fields.v = v;
                if Transaction::decode(&fields.encode()).ok().map(|found| found.hash()) == stated.hash {
                    break;
                }
            }
        }
        Ok(fields)
    }

    /// The value of a column, if there is one.
    fn value(&self, column: usize) -> Option<&Values<'_>> {
        let found = self.columns[column].as_ref()?;
        (!found.nulls.is_null(self.row) && !matches!(found.values, Values::Null)).then_some(&found.values)
    }

    fn number(&self, column: usize) -> Result<Option<[u8; 32]>, Outcome> {
        let Some(values) = self.value(column) else { return Ok(None) };
        let row = self.row;
        let unsigned = |number: u64| from_bytes(&number.to_be_bytes());
        let signed = |number: i128| match u128::try_from(number) {
            Ok(number) => from_bytes(&number.to_be_bytes()),
            Err(_) => Err(RowFault::NotNumber),
        };
        let number = match values {
            Values::Binary(bytes) => from_bytes(bytes.get(row)),
            Values::Text(text) if text.get(row).starts_with(b"0x") => from_hex(text.get(row)),
            Values::Text(text) => from_decimal(text.get(row)),
            Values::Boolean(bits, first) => {
                let place = first + row;
                unsigned(u64::from(bits[place / 8] >> (place % 8) & 1))
            }
            Values::UInt8(numbers) => unsigned(numbers[row].into()),
            Values::UInt16(numbers) => unsigned(numbers[row].into()),
            Values::UInt32(numbers) => unsigned(numbers[row].into()),
            Values::UInt64(numbers) => unsigned(numbers[row]),
            Values::Int8(numbers) => signed(numbers[row].into()),
            Values::Int16(numbers) => signed(numbers[row].into()),
            Values::Int32(numbers) => signed(numbers[row].into()),
            Values::Int64(numbers) => signed(numbers[row].into()),
            Values::Decimal128(numbers, 0) => signed(numbers[row]),
            _ => Err(RowFault::WrongType),
        };
        number.map(Some).map_err(|fault| malformed(COLUMNS[column].0[0], fault))
    }

    fn number256(&self, column: usize) -> Result<[u8; 32], Outcome> {
        self.number(column)?.ok_or_else(|| malformed(COLUMNS[column].0[0], RowFault::Null))
    }

    fn number64(&self, column: usize) -> Result<u64, Outcome> {
        to_u64(self.number256(column)?).map_err(|fault| malformed(COLUMNS[column].0[0], fault))
    }

    /// Bytes, or their hex.
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, Outcome> {
        let wrong = |fault| malformed(COLUMNS[column].0[0], fault);
        match self.value(column) {
            None => Ok(None),
            Some(Values::Binary(bytes)) => Ok(Some(bytes.get(self.row).to_vec())),
            Some(Values::Text(text)) => {
                let digits = text.get(self.row).strip_prefix(b"0x").unwrap_or(text.get(self.row));
                const_hex::decode(digits).map(Some).map_err(|_| wrong(RowFault::NotHex))
            }
            Some(_) => Err(wrong(RowFault::WrongType)),
        }
    }

    fn fixed<const N: usize>(&self, column: usize) -> Result<Option<[u8; N]>, Outcome> {
        let wrong = |_| malformed(COLUMNS[column].0[0], RowFault::WrongLength);
        self.bytes(column)?.map(|bytes| bytes.try_into().map_err(wrong)).transpose()
    }
}
