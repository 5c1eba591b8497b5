//! Lines of JSON with a block each, as `eth_getBlockByNumber` answers with whole transactions.

use arrow_array::ArrayRef;
use phalanx_ethereum::{AuthorizationFields, Transaction, TransactionFields, TransactionType, transactions_root};
use phalanx_rows::{Outcome, RowBlock, RowFault};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny};
use serde_json::value::RawValue;

use super::super::ROW_BYTES;
use super::numbers::{from_hex, to_u64, to_u128};
use super::rows::{Stated, TransactionRows, malformed};
use super::{ChainSettings, MOST};

/// Every transaction's object has more bytes: its r and s alone have.
const SHORTEST: usize = 64;

/// A value as it stands in the line.
type Token<'a> = Option<&'a RawValue>;

/// A block, or a response with one.
#[derive(serde::Deserialize)]
struct BlockObject<'a> {
    #[serde(borrow)]
    result: Token<'a>,
    #[serde(borrow)]
    number: Token<'a>,
    #[serde(borrow)]
    transactions: Token<'a>,
    #[serde(borrow, rename = "transactionsRoot")]
    transactions_root: Token<'a>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct TransactionObject<'a> {
    #[serde(borrow, rename = "type")]
    kind: Token<'a>,
    #[serde(borrow)]
    chain_id: Token<'a>,
    #[serde(borrow)]
    nonce: Token<'a>,
    #[serde(borrow)]
    gas_price: Token<'a>,
    #[serde(borrow)]
    max_priority_fee_per_gas: Token<'a>,
    #[serde(borrow)]
    max_fee_per_gas: Token<'a>,
    #[serde(borrow)]
    gas: Token<'a>,
    #[serde(borrow)]
    to: Token<'a>,
    #[serde(borrow)]
    value: Token<'a>,
    #[serde(borrow)]
    input: Token<'a>,
    #[serde(borrow)]
    access_list: Token<'a>,
    #[serde(borrow)]
    max_fee_per_blob_gas: Token<'a>,
    #[serde(borrow)]
    blob_versioned_hashes: Token<'a>,
    #[serde(borrow)]
    authorization_list: Token<'a>,
    #[serde(borrow)]
    v: Token<'a>,
    #[serde(borrow)]
    y_parity: Token<'a>,
    #[serde(borrow)]
    r: Token<'a>,
    #[serde(borrow)]
    s: Token<'a>,
    #[serde(borrow)]
    hash: Token<'a>,
    #[serde(borrow)]
    from: Token<'a>,
}

/// What a list holds is read as what it is, so that no text takes many times its size.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccessObject {
    address: HexBytes<20>,
    storage_keys: Vec<HexBytes<32>>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuthorizationObject<'a> {
    #[serde(borrow)]
    chain_id: &'a RawValue,
    address: HexBytes<20>,
    #[serde(borrow)]
    nonce: &'a RawValue,
    #[serde(borrow)]
    y_parity: &'a RawValue,
    #[serde(borrow)]
    r: &'a RawValue,
    #[serde(borrow)]
    s: &'a RawValue,
}

/// Bytes in hex digits after `0x`.
struct HexBytes<const N: usize>([u8; N]);

impl<'de, const N: usize> Deserialize<'de> for HexBytes<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = <&RawValue>::deserialize(deserializer)?;
        fixed(token).map(HexBytes).map_err(|fault| D::Error::custom(fault.text()))
    }
}

/// Turns lines into rows, each with the number of its line. An empty line is none, and a line that is no block is one.
pub(in crate::input) fn decode(
    text: &[u8],
    first_line: u64,
    settings: ChainSettings,
) -> (RowBlock<'static>, Vec<Option<ArrayRef>>, Vec<u64>) {
    let mut rows = TransactionRows::new(settings, 0);
    let mut numbers = Vec::new();
    for (number, line) in (first_line..).zip(text.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() && line.len() <= ROW_BYTES {
            continue;
        }
        let count = match line.len() <= ROW_BYTES {
            true => push_block(line, &mut rows).map_err(|fault| Outcome::malformed(None, fault)),
            false => Err(Outcome::malformed(None, RowFault::TooLong)),
        };
        let count = count.unwrap_or_else(|outcome| {
            rows.decide(outcome, Stated::default(), None);
            1
        });
        numbers.resize(numbers.len() + count, number);
    }
    let (rows, kept) = rows.finish();
    (rows, kept, numbers)
}

/// Appends the transactions of a line; returns how many there are.
fn push_block(line: &[u8], rows: &mut TransactionRows) -> Result<usize, RowFault> {
    let text = std::str::from_utf8(line).map_err(|_| RowFault::NotText)?;
    let read = |text| serde_json::from_str::<BlockObject<'_>>(text).map_err(|_| RowFault::NotBlock);
    let mut block = read(text)?;
    if let Some(result) = block.result {
        block = read(result.get())?;
    }
    let transactions = block.transactions.ok_or(RowFault::NotBlock)?;
    // They are counted before anything is kept of them.
    let count = list::<IgnoredAny>(transactions).map_err(|_| RowFault::NotBlock)?.len();
    if count > MOST {
        return Err(RowFault::TooMany);
    }
    if count > 1 + line.len() / SHORTEST {
        return Err(RowFault::NotBlock);
    }
    // A pending block has no number.
    let number = block.number.map(|token| number(token).and_then(to_u64)).transpose()?;
    let root = block.transactions_root.map(fixed).transpose()?;
    let tokens: Vec<&RawValue> = list(transactions).map_err(|_| RowFault::NotBlock)?;
    let read = |(index, token): (u64, &&RawValue)| {
        let mut stated = Stated { block: number, index: Some(index), ..Stated::default() };
        let fields = match serde_json::from_str::<TransactionObject<'_>>(token.get()) {
            Err(_) => Err(Outcome::malformed(None, RowFault::NotObject)),
            Ok(object) => object.stated(&mut stated).and_then(|()| object.fields()),
        };
        (fields.map(|fields| fields.encode()), stated)
    };
    let transactions: Vec<_> = (0..).zip(&tokens).map(read).collect();
    if root.is_some_and(|root| hides_transactions(&transactions, root)) {
        return Err(RowFault::OtherRoot);
    }
    for (raw, stated) in transactions {
        match raw {
            Ok(raw) => rows.push(&raw, stated),
            Err(outcome) => rows.decide(outcome, stated, None),
        }
    }
    Ok(count)
}

/// Whether each transaction can be read and is the one that it says it is, and all together are not those of the root.
fn hides_transactions(transactions: &[(Result<Vec<u8>, Outcome>, Stated)], root: [u8; 32]) -> bool {
    let raws: Result<Vec<&[u8]>, _> = transactions.iter().map(|(raw, _)| raw.as_deref()).collect();
    let is_named = |(raw, (_, stated)): (&&[u8], &(_, Stated))| {
        Transaction::decode(raw).is_ok_and(|found| stated.hash.is_none_or(|hash| hash == found.hash()))
    };
    raws.is_ok_and(|raws| transactions_root(&raws) != root && raws.iter().zip(transactions).all(is_named))
}

impl TransactionObject<'_> {
    /// The hash and the sender, where they are named.
    fn stated(&self, stated: &mut Stated) -> Result<(), Outcome> {
        stated.hash = self.hash.map(fixed).transpose().map_err(|fault| malformed("hash", fault))?;
        stated.sender = self.from.map(fixed).transpose().map_err(|fault| malformed("from", fault))?;
        Ok(())
    }

    fn fields(&self) -> Result<TransactionFields, Outcome> {
        let unknown = || malformed("type", RowFault::UnknownType);
        let kind = match self.kind {
            Some(_) => TransactionType::from_number(number64("type", self.kind)?).ok_or_else(unknown)?,
            None => TransactionType::Legacy,
        };
        let mut fields = TransactionFields {
            kind,
            nonce: number64("nonce", self.nonce)?,
            gas: number64("gas", self.gas)?,
            to: self.to.map(fixed).transpose().map_err(|fault| malformed("to", fault))?,
            value: number256("value", self.value)?,
            input: bytes(self.input.ok_or_else(|| malformed("input", RowFault::Absent))?)
                .map_err(|fault| malformed("input", fault))?,
            v: self.v(kind)?,
            r: number256("r", self.r)?,
            s: number256("s", self.s)?,
            ..TransactionFields::default()
        };
        if kind != TransactionType::Legacy {
            fields.chain_id = Some(number64("chainId", self.chain_id)?);
            if let Some(token) = self.access_list {
                let entries = list(token).map_err(|fault| malformed("accessList", fault))?;
                fields.access_list = entries.into_iter().map(AccessObject::entry).collect();
            }
        } else if let Some(token) = self.chain_id {
            // A v of 27 or 28 names no chain, and some nodes write theirs beside it.
            let stated = number(token).and_then(to_u128).map_err(|fault| malformed("chainId", fault))?;
            if fields.v.checked_sub(35).is_some_and(|v| v / 2 != stated) {
                return Err(malformed("chainId", RowFault::Twice));
            }
        }
        if kind < TransactionType::FeeMarket {
            fields.gas_price = number256("gasPrice", self.gas_price)?;
        } else {
            fields.max_priority_fee_per_gas = number256("maxPriorityFeePerGas", self.max_priority_fee_per_gas)?;
            fields.max_fee_per_gas = number256("maxFeePerGas", self.max_fee_per_gas)?;
        }
        match kind {
            TransactionType::Blob => {
                fields.max_fee_per_blob_gas = number256("maxFeePerBlobGas", self.max_fee_per_blob_gas)?;
                let hashes = needed("blobVersionedHashes", self.blob_versioned_hashes)?;
                fields.blob_versioned_hashes = hashes.into_iter().map(|HexBytes(hash)| hash).collect();
            }
            TransactionType::SetCode => {
                let list: Vec<AuthorizationObject<'_>> = needed("authorizationList", self.authorization_list)?;
                fields.authorization_list = list.iter().map(AuthorizationObject::fields).collect::<Result<_, _>>()?;
            }
            _ => {}
        }
        Ok(fields)
    }

    /// `v`, which typed transactions may have under the name `yParity`, too, or alone.
    fn v(&self, kind: TransactionType) -> Result<u128, Outcome> {
        let wide = |name, token| {
            number256(name, token).and_then(|number| to_u128(number).map_err(|fault| malformed(name, fault)))
        };
        match (self.v, self.y_parity.filter(|_| kind != TransactionType::Legacy)) {
            (None, Some(_)) => wide("yParity", self.y_parity),
            (_, None) => wide("v", self.v),
            (Some(_), Some(_)) if wide("v", self.v)? != wide("yParity", self.y_parity)? => {
                Err(malformed("yParity", RowFault::Twice))
            }
            (Some(_), Some(_)) => wide("v", self.v),
        }
    }
}

impl AccessObject {
    fn entry(self) -> ([u8; 20], Vec<[u8; 32]>) {
        (self.address.0, self.storage_keys.into_iter().map(|HexBytes(key)| key).collect())
    }
}

impl AuthorizationObject<'_> {
    fn fields(&self) -> Result<AuthorizationFields, Outcome> {
        const NAME: &str = "authorizationList";
        let y_parity = number64(NAME, Some(self.y_parity))?.try_into();
        Ok(AuthorizationFields {
            chain_id: number256(NAME, Some(self.chain_id))?,
            address: self.address.0,
            nonce: number64(NAME, Some(self.nonce))?,
            y_parity: y_parity.map_err(|_| malformed(NAME, RowFault::WrongLength))?,
            r: number256(NAME, Some(self.r))?,
            s: number256(NAME, Some(self.s))?,
        })
    }
}

/// The elements of an array.
fn list<'a, T: Deserialize<'a>>(token: &'a RawValue) -> Result<Vec<T>, RowFault> {
    serde_json::from_str(token.get()).map_err(|_| RowFault::WrongType)
}

/// The elements of an array that must be there.
fn needed<'a, T: Deserialize<'a>>(name: &'static str, token: Token<'a>) -> Result<Vec<T>, Outcome> {
    token.ok_or(RowFault::Absent).and_then(list).map_err(|fault| malformed(name, fault))
}

/// The text of a string without escapes.
fn text(token: &RawValue) -> Result<&[u8], RowFault> {
    let inside = token.get().strip_prefix('"').and_then(|token| token.strip_suffix('"'));
    inside.map(str::as_bytes).ok_or(RowFault::WrongType)
}

fn number(token: &RawValue) -> Result<[u8; 32], RowFault> {
    from_hex(text(token)?)
}

fn number256(name: &'static str, token: Token<'_>) -> Result<[u8; 32], Outcome> {
    token.ok_or(RowFault::Absent).and_then(number).map_err(|fault| malformed(name, fault))
}

fn number64(name: &'static str, token: Token<'_>) -> Result<u64, Outcome> {
    number256(name, token).and_then(|number| to_u64(number).map_err(|fault| malformed(name, fault)))
}

/// Bytes in hex digits after `0x`.
fn bytes(token: &RawValue) -> Result<Vec<u8>, RowFault> {
    let digits = text(token)?.strip_prefix(b"0x").ok_or(RowFault::NotHex)?;
    const_hex::decode(digits).map_err(|_| RowFault::NotHex)
}

fn fixed<const N: usize>(token: &RawValue) -> Result<[u8; N], RowFault> {
    bytes(token)?.try_into().map_err(|_| RowFault::WrongLength)
}
