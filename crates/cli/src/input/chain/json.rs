//! Lines with a block each, as `eth_getBlockByNumber` answers with whole transactions, or with a transaction each: an
//! object of JSON, or its bytes in hex.

use phalanx_ethereum::{SenderError, Transaction, block_transactions, transaction_hash, transactions_root};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::super::ROW_BYTES;
use super::detail::{Claim, Decision, Detail, Excerpt, line, malformed};
use super::numbers::{ValueFault, bytes_from_text};
use super::object::{ReadTransaction, Token, TransactionObject, list, not_read, number64, root, text};
use super::rows::{JudgedRows, Stated, TransactionRows};
use super::{ChainSettings, MOST};

/// Every transaction has more bytes: the r and the s of an object alone have, and a hash.
const SHORTEST: usize = 64;

/// How many digits a hash has.
const HASH_DIGITS: usize = 64;

/// A block, or a response with a block or a transaction.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct LineObject<'a> {
    #[serde(borrow)]
    result: Token<'a>,
    /// Of a subscription.
    #[serde(borrow)]
    params: Token<'a>,
    #[serde(borrow)]
    error: Token<'a>,
    #[serde(borrow)]
    number: Token<'a>,
    #[serde(borrow)]
    block_number: Token<'a>,
    #[serde(borrow)]
    transactions: Token<'a>,
    #[serde(borrow)]
    transactions_root: Token<'a>,
    jsonrpc: Option<IgnoredAny>,
    id: Option<IgnoredAny>,
}

/// Turns lines into rows, each with the number of its line. Empty lines are skipped. A line that cannot be read
/// is a row with a fault.
pub(in crate::input) fn decode(text: &[u8], first_line: u64, settings: ChainSettings) -> (JudgedRows, Vec<u64>) {
    let mut rows = TransactionRows::new(settings, 0);
    let mut numbers = Vec::new();
    for (number, bytes) in (first_line..).zip(text.split(|byte| *byte == b'\n')) {
        if bytes.trim_ascii().is_empty() && bytes.len() <= ROW_BYTES {
            continue;
        }
        let count = match bytes.len() <= ROW_BYTES {
            true => push_line(bytes.trim_ascii(), &mut rows),
            false => Err(line(Detail::TooLong)),
        };
        let count = count.unwrap_or_else(|decision| {
            rows.decide(decision, Stated::default(), None);
            1
        });
        numbers.resize(numbers.len() + count, number);
    }
    (rows.finish(), numbers)
}

/// Appends the transactions of a line; returns how many rows there are.
fn push_line(bytes: &[u8], rows: &mut TransactionRows) -> Result<usize, Decision> {
    let text = std::str::from_utf8(bytes).map_err(|_| line(Detail::NotText))?;
    match bytes {
        [b'{', ..] => push_object(text, rows),
        [b'"', inside @ .., b'"'] => push_hex(inside, rows),
        [b'"' | b'[', ..] => Err(line(Detail::NotBlock)),
        _ => push_hex(bytes, rows),
    }
}

/// Appends a transaction in hex.
fn push_hex(digits: &[u8], rows: &mut TransactionRows) -> Result<usize, Decision> {
    let raw = bytes_from_text(digits).map_err(|_| line(Detail::NotLine))?;
    if raw.is_empty() {
        return Err(malformed("transaction", ValueFault::Null));
    }
    if raw.len() == HASH_DIGITS / 2 {
        return Err(malformed("transaction", Detail::HashAlone));
    }
    if raw.first().is_some_and(|first| *first >= 0xc0) && block_transactions(&raw).is_ok() {
        return Err(malformed("transaction", Detail::BlockInHex));
    }
    rows.push_alone(&raw, Stated::default());
    Ok(1)
}

fn push_object(text: &str, rows: &mut TransactionRows) -> Result<usize, Decision> {
    let read = |text| serde_json::from_str::<LineObject<'_>>(text).map_err(|error| not_read(&error, text));
    let mut object = read(text)?;
    let is_answer = object.jsonrpc.is_some() || object.id.is_some();
    let mut whole = text;
    // A notice of a subscription has its result within its parameters.
    for _ in 0..2 {
        let Some(inner) = object.result.or(object.params.filter(|_| object.transactions.is_none())) else { break };
        whole = inner.get();
        match whole.as_bytes() {
            [b'"', inside @ .., b'"'] => return push_hex(inside, rows),
            [b'[', ..] => {
                return Err(malformed("result", Detail::Value(ValueFault::Expected("an object"), Excerpt::of(b"["))));
            }
            _ => object = read(whole)?,
        }
    }
    match (object.transactions, object.error) {
        (Some(transactions), _) => push_block(&object, transactions, whole.len(), rows),
        (None, Some(error)) => Err(malformed("error", Detail::NodeError(Excerpt::of(error.get().as_bytes())))),
        (None, None) => {
            let token = serde_json::from_str::<&RawValue>(whole).map_err(|error| not_read(&error, whole))?;
            let transaction = TransactionObject::read(token)?;
            if !transaction.is_transaction() {
                return Err(match is_answer {
                    true => malformed("result", Detail::NoResult),
                    false => line(Detail::NotBlock),
                });
            }
            let stated = transaction.stated(None)?;
            match transaction.transaction(&stated) {
                Ok(ReadTransaction::Signed(raw)) => rows.push_alone(&raw, stated),
                Ok(ReadTransaction::Other(kind, _)) => rows.push_other_type(kind, stated, None),
                Err(decision) => rows.decide(decision, stated, None),
            }
            Ok(1)
        }
    }
}

/// Appends the transactions of a block, whose text has this length.
fn push_block(
    block: &LineObject<'_>,
    transactions: &RawValue,
    length: usize,
    rows: &mut TransactionRows,
) -> Result<usize, Decision> {
    // They are counted before anything is kept of them.
    let count = list::<IgnoredAny>("transactions", transactions)?.len();
    if count > MOST {
        return Err(malformed("transactions", Detail::TooMany));
    }
    if count > 1 + length / SHORTEST {
        return Err(malformed("transactions", Detail::NotBlock));
    }
    // A pending block has no number.
    let (name, number) = match block.number {
        Some(number) => ("number", Some(number)),
        None => ("blockNumber", block.block_number),
    };
    let number = number.map(|number| number64(name, Some(number))).transpose()?;
    let root = block.transactions_root.map(|token| root("transactionsRoot", token)).transpose()?;
    let tokens: Vec<&RawValue> = list("transactions", transactions)?;
    rows.report.tally.blocks += 1;
    let of_block = Stated { block: number, ..Stated::default() };
    if !tokens.is_empty() && tokens.iter().all(|token| is_hash(token)) {
        rows.decide(malformed("transactions", Detail::HashesOnly), of_block, None);
        return Ok(1);
    }
    let transactions: Vec<_> = (0..).zip(&tokens).map(|(index, token)| read(token, number, index)).collect();
    match root.map(|root| check_root(&transactions, root, |kind| rows.is_unsigned(kind))) {
        None | Some(RootCheck::Passed) => {}
        Some(RootCheck::Failed(computed)) => {
            rows.decide(malformed("transactionsRoot", Detail::Root(computed)), of_block, None);
            return Ok(1);
        }
        Some(RootCheck::Unknown) => rows.report.tally.unchecked_roots += 1,
    }
    for (transaction, stated) in transactions {
        match transaction {
            Ok(ReadTransaction::Signed(raw)) => rows.push(&raw, stated),
            Ok(ReadTransaction::Other(kind, raw)) => {
                rows.push_other_type(kind, stated, raw.as_deref().map(transaction_hash));
            }
            Err(decision) => rows.decide(decision, stated, None),
        }
    }
    Ok(count)
}

/// Whether an element is the hash of a transaction.
fn is_hash(token: &RawValue) -> bool {
    let digits = text(token).map(|text| text.strip_prefix(b"0x").unwrap_or(text));
    digits.is_some_and(|digits| digits.len() == HASH_DIGITS)
}

/// Reads an element of a block's transactions: an object, or bytes in hex.
fn read(token: &RawValue, number: Option<u64>, index: u64) -> (Result<ReadTransaction, Decision>, Stated) {
    let mut stated = Stated { block: number, index: Some(index), ..Stated::default() };
    let transaction = match text(token) {
        Some(_) if is_hash(token) => Err(malformed("transaction", Detail::HashAlone)),
        Some(digits) => bytes_from_text(digits)
            .map(ReadTransaction::Signed)
            .map_err(|fault| malformed("transaction", Detail::Value(fault, Excerpt::of(digits)))),
        None => TransactionObject::read(token).and_then(|object| {
            stated = object.stated(Some((number, index)))?;
            object.transaction(&stated)
        }),
    };
    (transaction, stated)
}

/// What is found of a block's root.
enum RootCheck {
    Passed,
    /// The transactions have another root: this one.
    Failed([u8; 32]),
    /// Nobody knows the bytes of some transaction, whose type has no signature.
    Unknown,
}

/// Compares the root of a block with that of its transactions. It passes if a transaction cannot be read, or has another
/// hash than it says: that is told of the transaction.
fn check_root(
    transactions: &[(Result<ReadTransaction, Decision>, Stated)],
    root: [u8; 32],
    is_unsigned: impl Fn(u64) -> bool,
) -> RootCheck {
    let mut raws: Vec<&[u8]> = Vec::with_capacity(transactions.len());
    for (transaction, _) in transactions {
        match transaction {
            Ok(ReadTransaction::Signed(raw) | ReadTransaction::Other(_, Some(raw))) => raws.push(raw),
            Ok(ReadTransaction::Other(kind, None)) if is_unsigned(*kind) => return RootCheck::Unknown,
            Ok(ReadTransaction::Other(_, None)) | Err(_) => return RootCheck::Passed,
        }
    }
    let computed = transactions_root(&raws);
    let is_named = |(raw, (_, stated)): (&&[u8], &(_, Stated))| match Transaction::decode(raw) {
        Ok(found) => stated.hash.is_none_or(|hash| hash == Claim::Bytes(found.hash())),
        Err(error) => matches!(error, SenderError::UnknownType(kind) if is_unsigned(kind.into())),
    };
    match computed != root && raws.iter().zip(transactions).all(is_named) {
        true => RootCheck::Failed(computed),
        false => RootCheck::Passed,
    }
}
