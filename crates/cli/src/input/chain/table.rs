//! Tables with a transaction in each row: in its bytes, as archives of mempools have it, or in its fields, as cryo
//! writes them. What was signed is computed from the columns.
//!
//! A table of fields has no access lists, so the hash that it names decides whether there was one.

use arrow_array::ArrayRef;
use phalanx_ethereum::{Transaction, TransactionFields, TransactionType};
use phalanx_rows::{ColumnNames, ColumnPlaces, Role, ValueColumn, Values, is_same_name};

use super::super::without_roles;
use super::ChainSettings;
use super::detail::{Claim, Decision, Detail, Excerpt, line, malformed, malformed_column};
use super::numbers::{ValueFault, bytes_from_text, from_bytes, from_text, half_from_text, to_fixed, to_u64, to_u128};
use super::rows::{JudgedRows, Stated, TransactionRows};
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

const RAW: usize = 17;

/// The columns, in the order of their numbers. Names are compared without case and underscores.
const COLUMNS: [TableColumn; 18] = [
    (&["block_number", "block"], true),
    (&["transaction_index"], false),
    (&["transaction_hash", "hash", "tx_hash"], true),
    (&["transaction_type", "type"], true),
    (&["chain_id"], true),
    (&["nonce"], true),
    (&["gas_price"], true),
    (&["max_priority_fee_per_gas"], true),
    (&["max_fee_per_gas"], true),
    (&["gas_limit", "gas"], true),
    (&["to_address", "to"], true),
    (&["value", "value_binary", "value_string"], true),
    (&["input", "data"], true),
    (&["v"], true),
    (&["r"], true),
    (&["s"], true),
    (&["from_address", "from", "sender"], false),
    (&["raw", "raw_tx", "raw_transaction", "signed_tx", "signed_transaction"], false),
];

/// Where the columns stand among those of a table, and what the table calls those that rows are judged by. A column in
/// which whole transactions stand makes those of their fields needless.
///
/// Fails where one is missing that is needed.
pub(in crate::input) fn select(
    header: &[&str],
    names: &mut ColumnNames,
) -> Result<(Vec<usize>, ColumnPlaces), RunError> {
    let place = |(known, _): &TableColumn| {
        known.iter().find_map(|name| header.iter().position(|column| is_same_name(column, name)))
    };
    let mut kept: Vec<Option<usize>> = COLUMNS.iter().map(place).collect();
    if kept[RAW].is_some() {
        for (column, place) in kept.iter_mut().enumerate() {
            *place = place.filter(|_| [BLOCK, INDEX, HASH, FROM, RAW].contains(&column));
        }
    } else if let Some(lacking) = (0..kept.len()).find(|column| COLUMNS[*column].1 && kept[*column].is_none()) {
        return Err(RunError::new(format!(
            "no column `{}` with whole transactions, and no column `{}`, which a table of their fields needs",
            COLUMNS[RAW].0[0], COLUMNS[lacking].0[0]
        )));
    }
    let read = kept[RAW].or(kept[INPUT]);
    for (role, place) in [(Role::Message, read), (Role::Id, kept[HASH]), (Role::FromAddress, kept[FROM])] {
        if let Some(place) = place {
            names[role as usize] = header[place].to_owned();
        }
    }
    let (needed, mut places) = without_roles(&kept);
    // Like a message it is read from its beginning to its end, so what rows may share of it has a bound.
    places.roles[Role::Message as usize] = places.kept[RAW].or(places.kept[INPUT]);
    Ok((needed, places))
}

/// Turns columns into rows, of which some have more or fewer fields than the header.
pub(in crate::input) fn decode(
    columns: Vec<Option<&ArrayRef>>,
    count: usize,
    uneven: &[usize],
    settings: ChainSettings,
) -> JudgedRows {
    let columns = columns.into_iter().map(|column| column.map(phalanx_rows::arrow::column)).collect();
    let table_row = TableRow { columns, row: 0 };
    let has_raw = table_row.columns[RAW].is_some();
    let mut rows = TransactionRows::new(settings, count);
    for row in 0..count {
        let table_row = TableRow { row, ..table_row.clone() };
        let mut stated = Stated { without_access_list: !has_raw, ..Stated::default() };
        let raw = match uneven.binary_search(&row) {
            Ok(_) => Err(line(Detail::FieldCount)),
            Err(_) => table_row.stated(&mut stated).and_then(|()| match has_raw {
                true => table_row.raw(),
                false => table_row.fields(&stated).map(|fields| fields.encode()),
            }),
        };
        if let Some(block) = stated.block {
            rows.report.tally.count_row(block);
        }
        match raw {
            Ok(raw) if has_raw => rows.push_alone(&raw, stated),
            Ok(raw) => rows.push(&raw, stated),
            Err(decision) => rows.decide(decision, stated, None),
        }
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
    fn stated(&self, stated: &mut Stated) -> Result<(), Decision> {
        let small = |column: usize| -> Result<Option<u64>, Decision> {
            self.number(column)?.map(|number| to_u64(number).map_err(|fault| self.wrong(column, fault))).transpose()
        };
        stated.block = small(BLOCK)?;
        stated.index = small(INDEX)?;
        stated.sender = self.claim(FROM)?;
        stated.hash = self.claim(HASH)?;
        // The hash alone says whether there was an access list, and the block which rules hold.
        match stated.without_access_list {
            true if stated.block.is_none() => Err(self.wrong(BLOCK, ValueFault::Null)),
            true if stated.hash.is_none() => Err(self.wrong(HASH, ValueFault::Null)),
            _ => Ok(()),
        }
    }

    /// The bytes of the whole transaction.
    fn raw(&self) -> Result<Vec<u8>, Decision> {
        self.bytes(RAW)?.ok_or_else(|| malformed_column(Role::Message, ValueFault::Null))
    }

    fn fields(&self, stated: &Stated) -> Result<TransactionFields, Decision> {
        let number = self.number(KIND)?.map_or(Ok(0), to_u64).map_err(|fault| self.wrong(KIND, fault))?;
        let kind = match TransactionType::from_number(number) {
            Some(kind) if kind <= TransactionType::FeeMarket => kind,
            Some(_) => return Err(malformed(COLUMNS[KIND].0[0], Detail::NotInTable(number))),
            None => return Err(malformed(COLUMNS[KIND].0[0], Detail::UnknownType(number))),
        };
        let mut fields = TransactionFields {
            kind,
            nonce: self.number64(NONCE)?,
            gas: self.number64(GAS)?,
            to: self.fixed(TO)?,
            value: self.number256(VALUE)?,
            input: self.bytes(INPUT)?.unwrap_or_default(),
            v: to_u128(self.number256(V)?).map_err(|fault| self.wrong(V, fault))?,
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
                if Transaction::decode(&fields.encode()).ok().map(|found| Claim::Bytes(found.hash())) == stated.hash {
                    break;
                }
            }
        }
        Ok(fields)
    }

    /// The value of a column. `None` if the column is absent or the text is empty.
    fn value(&self, column: usize) -> Option<&Values<'_>> {
        let found = self.columns[column].as_ref()?;
        let is_empty = match &found.values {
            Values::Null => true,
            Values::Text(text) => text.get(self.row).is_empty(),
            _ => false,
        };
        (!found.nulls.is_null(self.row) && !is_empty).then_some(&found.values)
    }

    /// A value that cannot be read, and what stands in its place if that is text.
    fn wrong(&self, column: usize, fault: ValueFault) -> Decision {
        let found = match self.value(column) {
            Some(Values::Text(text)) => Excerpt::of(text.get(self.row)),
            _ => Excerpt::default(),
        };
        let detail = Detail::Value(fault, found);
        match column {
            RAW => malformed_column(Role::Message, detail),
            HASH => malformed_column(Role::Id, detail),
            FROM => malformed_column(Role::FromAddress, detail),
            _ => malformed(COLUMNS[column].0[0], detail),
        }
    }

    fn number(&self, column: usize) -> Result<Option<[u8; 32]>, Decision> {
        let Some(values) = self.value(column) else { return Ok(None) };
        let row = self.row;
        let unsigned = |number: u64| from_bytes(&number.to_be_bytes());
        let signed = |number: i128| match u128::try_from(number) {
            Ok(number) => from_bytes(&number.to_be_bytes()),
            Err(_) => Err(ValueFault::NotWhole),
        };
        let number = match values {
            Values::Binary(bytes) => from_bytes(bytes.get(row)),
            Values::Text(text) if [R, S].contains(&column) => half_from_text(text.get(row)),
            Values::Text(text) => from_text(text.get(row)),
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
            _ => Err(ValueFault::Expected("a number")),
        };
        number.map(Some).map_err(|fault| self.wrong(column, fault))
    }

    fn number256(&self, column: usize) -> Result<[u8; 32], Decision> {
        self.number(column)?.ok_or_else(|| self.wrong(column, ValueFault::Null))
    }

    fn number64(&self, column: usize) -> Result<u64, Decision> {
        to_u64(self.number256(column)?).map_err(|fault| self.wrong(column, fault))
    }

    /// Bytes, or their hex. `None` if they are empty.
    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, Decision> {
        let bytes = match self.value(column) {
            None => return Ok(None),
            Some(Values::Binary(bytes)) => Ok(bytes.get(self.row).to_vec()),
            Some(Values::Text(text)) => bytes_from_text(text.get(self.row)),
            Some(_) => Err(ValueFault::Expected("bytes, or text in hex")),
        };
        let bytes = bytes.map_err(|fault| self.wrong(column, fault))?;
        Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    fn fixed<const N: usize>(&self, column: usize) -> Result<Option<[u8; N]>, Decision> {
        let bytes = self.bytes(column)?;
        bytes.map(|bytes| to_fixed(bytes).map_err(|fault| self.wrong(column, fault))).transpose()
    }

    /// Bytes that the table says are something's.
    fn claim<const N: usize>(&self, column: usize) -> Result<Option<Claim<N>>, Decision> {
        let Some(bytes) = self.bytes(column)? else { return Ok(None) };
        let shown = const_hex::encode_prefixed(&bytes[..bytes.len().min(N)]);
        Ok(Some(Claim::new(bytes, shown.as_bytes())))
    }
}
