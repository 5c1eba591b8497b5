//! A transaction as an object of JSON: as nodes answer, and as web3.js and web3.py write what they were answered.

use phalanx_ethereum::{AuthorizationFields, DepositFields, TransactionFields, TransactionType, transaction_hash};
use serde::de::{Deserialize, Deserializer, Error};
use serde_json::value::RawValue;

use super::detail::{Claim, Decision, Detail, Excerpt, line, malformed};
use super::numbers::{ValueFault, bytes_from_text, from_decimal, from_text, half_from_text, to_fixed, to_u64, to_u128};
use super::rows::Stated;

/// A value as it stands in the line.
pub(super) type Token<'a> = Option<&'a RawValue>;

/// A transaction that was read.
pub(super) enum ReadTransaction {
    /// One with a signature, in its bytes.
    Signed(Vec<u8>),
    /// One of another type than Ethereum's. The bytes are there if they are known to be those of the named hash.
    Other(u64, Option<Vec<u8>>),
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TransactionObject<'a> {
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
    gas_limit: Token<'a>,
    #[serde(borrow)]
    to: Token<'a>,
    #[serde(borrow)]
    value: Token<'a>,
    #[serde(borrow)]
    input: Token<'a>,
    #[serde(borrow)]
    data: Token<'a>,
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
    #[serde(borrow)]
    block_number: Token<'a>,
    #[serde(borrow)]
    transaction_index: Token<'a>,
    /// The whole transaction in its bytes.
    #[serde(borrow, alias = "rawTx", alias = "rawTransaction", alias = "raw_tx", alias = "raw_transaction")]
    raw: Token<'a>,
    #[serde(borrow)]
    source_hash: Token<'a>,
    #[serde(borrow)]
    mint: Token<'a>,
    #[serde(borrow)]
    is_system_tx: Token<'a>,
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

/// Bytes in hex digits.
struct HexBytes<const N: usize>([u8; N]);

impl<'de, const N: usize> Deserialize<'de> for HexBytes<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = <&RawValue>::deserialize(deserializer)?;
        bytes(token).and_then(to_fixed).map(HexBytes).map_err(D::Error::custom)
    }
}

impl<'a> TransactionObject<'a> {
    pub(super) fn read(token: &'a RawValue) -> Result<TransactionObject<'a>, Decision> {
        serde_json::from_str(token.get()).map_err(|error| not_read(&error, token.get()))
    }

    /// Whether there is anything of a transaction in it.
    pub(super) fn is_transaction(&self) -> bool {
        [self.r, self.nonce, self.raw, self.hash, self.from].iter().any(Option::is_some)
    }

    /// The block and the place in it, the hash and the sender, where they are named. The block is the one around the
    /// transaction, if there is one.
    pub(super) fn stated(&self, around: Option<(Option<u64>, u64)>) -> Result<Stated, Decision> {
        let small = |name, token: Token<'_>| token.map(|token| number64(name, Some(token))).transpose();
        let (block, index) = match around {
            Some((block, index)) => (block, Some(index)),
            None => (small("blockNumber", self.block_number)?, small("transactionIndex", self.transaction_index)?),
        };
        Ok(Stated {
            block,
            index,
            hash: claim("hash", self.hash)?,
            sender: claim("from", self.from)?,
            without_access_list: false,
        })
    }

    /// The transaction, of which something was stated.
    pub(super) fn transaction(&self, stated: &Stated) -> Result<ReadTransaction, Decision> {
        if let (None, None, Some(_)) = (self.r, self.s, self.raw) {
            return Ok(ReadTransaction::Signed(needed_bytes("raw", self.raw)?));
        }
        let kind = self.kind.map_or(Ok(0), kind)?;
        if let Some(kind) = TransactionType::from_number(kind) {
            return Ok(ReadTransaction::Signed(self.fields(kind)?.encode()));
        }
        if kind != u64::from(DepositFields::TYPE) {
            return Ok(ReadTransaction::Other(kind, None));
        }
        let raw = self.deposit().ok().map(|deposit| deposit.encode());
        let is_named = |raw: &Vec<u8>| stated.hash == Some(Claim::Bytes(transaction_hash(raw)));
        Ok(ReadTransaction::Other(kind, raw.filter(is_named)))
    }

    fn fields(&self, kind: TransactionType) -> Result<TransactionFields, Decision> {
        let mut fields = TransactionFields {
            kind,
            nonce: number64("nonce", self.nonce)?,
            gas: number64("gas", self.gas.or(self.gas_limit))?,
            to: self.to()?,
            value: number256("value", self.value)?,
            input: self.input()?,
            v: self.v(kind)?,
            r: half("r", self.r)?,
            s: half("s", self.s)?,
            ..TransactionFields::default()
        };
        if kind != TransactionType::Legacy {
            fields.chain_id = Some(number64("chainId", self.chain_id)?);
            if let Some(token) = self.access_list {
                fields.access_list = list("accessList", token)?.into_iter().map(AccessObject::entry).collect();
            }
        } else if self.chain_id.is_some() {
            // A v of 27 or 28 names no chain, and some nodes write theirs beside it.
            let stated = wide("chainId", self.chain_id)?;
            if fields.v.checked_sub(35).is_some_and(|v| v / 2 != stated) {
                return Err(malformed("chainId", Detail::Differs("v")));
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

    /// A deposit of the OP stack. Other networks have other fields in transactions of its type.
    fn deposit(&self) -> Result<DepositFields, Decision> {
        let fixed = |name, token| needed_bytes(name, token).map(to_fixed);
        let source_hash = fixed("sourceHash", self.source_hash)?.map_err(|fault| malformed("sourceHash", fault))?;
        let from = needed_bytes("from", self.from)?;
        Ok(DepositFields {
            source_hash,
            from: to_fixed(from).map_err(|fault| malformed("from", fault))?,
            to: self.to()?,
            mint: self.mint.map_or(Ok([0; 32]), |mint| number256("mint", Some(mint)))?,
            value: number256("value", self.value)?,
            gas: number64("gas", self.gas)?,
            is_system: self.is_system_tx.is_some_and(|token| token.get() == "true"),
            input: self.input()?,
        })
    }

    /// The receiver. `None` if the transaction creates a contract.
    fn to(&self) -> Result<Option<[u8; 20]>, Decision> {
        let Some(token) = self.to else { return Ok(None) };
        match bytes(token) {
            Ok(bytes) if bytes.is_empty() => Ok(None),
            found => found.and_then(to_fixed).map(Some).map_err(|fault| wrong("to", fault, token)),
        }
    }

    /// `input`, which may have the name `data`, too, or alone.
    fn input(&self) -> Result<Vec<u8>, Decision> {
        match (self.input, self.data) {
            (None, Some(_)) => needed_bytes("data", self.data),
            (Some(input), Some(data)) if input.get() != data.get() => {
                let input = needed_bytes("input", self.input)?;
                match needed_bytes("data", self.data)? == input {
                    true => Ok(input),
                    false => Err(malformed("data", Detail::Differs("input"))),
                }
            }
            _ => needed_bytes("input", self.input),
        }
    }

    /// `v`, which typed transactions may have under the name `yParity`, too, or alone.
    fn v(&self, kind: TransactionType) -> Result<u128, Decision> {
        match (self.v, self.y_parity.filter(|_| kind != TransactionType::Legacy)) {
            (None, Some(_)) => wide("yParity", self.y_parity),
            (_, None) => wide("v", self.v),
            (Some(_), Some(_)) if wide("v", self.v)? != wide("yParity", self.y_parity)? => {
                Err(malformed("yParity", Detail::Differs("v")))
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
    fn fields(&self) -> Result<AuthorizationFields, Decision> {
        const NAME: &str = "authorizationList";
        let y_parity = number64(NAME, Some(self.y_parity))?.try_into();
        Ok(AuthorizationFields {
            chain_id: number256(NAME, Some(self.chain_id))?,
            address: self.address.0,
            nonce: number64(NAME, Some(self.nonce))?,
            y_parity: y_parity.map_err(|_| wrong(NAME, ValueFault::TooLarge(8), self.y_parity))?,
            r: half(NAME, Some(self.r))?,
            s: half(NAME, Some(self.s))?,
        })
    }
}

/// A text that is not the object that was expected.
pub(super) fn not_read(error: &serde_json::Error, text: &str) -> Decision {
    if !error.is_data() {
        return line(Detail::NotJson(error.column()));
    }
    // What serde says of a key that is there twice.
    let twice = error.to_string();
    match twice.strip_prefix("duplicate field `").and_then(|rest| rest.split_once('`')) {
        Some((name, _)) => line(Detail::Twice(Excerpt::of(name.as_bytes()))),
        None => line(Detail::Value(ValueFault::Expected("an object"), Excerpt::of(text.as_bytes()))),
    }
}

/// The number of a type: also by the names that viem gives them.
fn kind(token: &RawValue) -> Result<u64, Decision> {
    const NAMES: [&str; 5] = ["\"legacy\"", "\"eip2930\"", "\"eip1559\"", "\"eip4844\"", "\"eip7702\""];
    match NAMES.iter().position(|name| *name == token.get()) {
        Some(number) => Ok(number as u64),
        None => number64("type", Some(token)),
    }
}

/// A field that cannot be read, and what stands in its place.
fn wrong(name: &'static str, fault: ValueFault, token: &RawValue) -> Decision {
    malformed(name, Detail::Value(fault, Excerpt::of(token.get().as_bytes())))
}

/// A value that must be there.
fn value<T>(
    name: &'static str,
    token: Token<'_>,
    read: impl FnOnce(&RawValue) -> Result<T, ValueFault>,
) -> Result<T, Decision> {
    let token = token.ok_or_else(|| malformed(name, ValueFault::Missing))?;
    read(token).map_err(|fault| wrong(name, fault, token))
}

/// The elements of an array.
pub(super) fn list<'a, T: Deserialize<'a>>(name: &'static str, token: &'a RawValue) -> Result<Vec<T>, Decision> {
    let is_list = token.get().starts_with('[');
    serde_json::from_str(token.get()).map_err(|error| match is_list {
        true => malformed(name, Detail::Element(error.column())),
        false => wrong(name, ValueFault::Expected("a list"), token),
    })
}

/// The elements of an array that must be there.
fn needed<'a, T: Deserialize<'a>>(name: &'static str, token: Token<'a>) -> Result<Vec<T>, Decision> {
    list(name, token.ok_or_else(|| malformed(name, ValueFault::Missing))?)
}

/// The text of a string without escapes.
pub(super) fn text(token: &RawValue) -> Option<&[u8]> {
    token.get().strip_prefix('"').and_then(|token| token.strip_suffix('"')).map(str::as_bytes)
}

/// A number: hex after `0x` or decimal digits in a string, or a number of JSON.
pub(super) fn number(token: &RawValue) -> Result<[u8; 32], ValueFault> {
    number_by(token, from_text)
}

fn number_by(token: &RawValue, read: fn(&[u8]) -> Result<[u8; 32], ValueFault>) -> Result<[u8; 32], ValueFault> {
    match (text(token), token.get().as_bytes()) {
        (Some(text), _) => read(text),
        (None, number @ [b'0'..=b'9' | b'-', ..]) => from_decimal(number),
        _ => Err(ValueFault::Expected("a number")),
    }
}

fn number256(name: &'static str, token: Token<'_>) -> Result<[u8; 32], Decision> {
    value(name, token, number)
}

pub(super) fn number64(name: &'static str, token: Token<'_>) -> Result<u64, Decision> {
    value(name, token, |token| number(token).and_then(to_u64))
}

fn wide(name: &'static str, token: Token<'_>) -> Result<u128, Decision> {
    value(name, token, |token| number(token).and_then(to_u128))
}

fn half(name: &'static str, token: Token<'_>) -> Result<[u8; 32], Decision> {
    value(name, token, |token| number_by(token, half_from_text))
}

/// Bytes in hex digits, with or without `0x`.
fn bytes(token: &RawValue) -> Result<Vec<u8>, ValueFault> {
    text(token).ok_or(ValueFault::Expected("text in hex")).and_then(bytes_from_text)
}

fn needed_bytes(name: &'static str, token: Token<'_>) -> Result<Vec<u8>, Decision> {
    value(name, token, bytes)
}

/// Bytes that the file says are something's; an empty text says nothing.
fn claim<const N: usize>(name: &'static str, token: Token<'_>) -> Result<Option<Claim<N>>, Decision> {
    let stated = token.filter(|token| token.get() != "\"\"");
    let claim = |token| value(name, Some(token), bytes).map(|bytes| Claim::new(bytes, text(token).unwrap_or_default()));
    stated.map(claim).transpose()
}

/// 32 bytes that must be there.
pub(super) fn root(name: &'static str, token: &RawValue) -> Result<[u8; 32], Decision> {
    value(name, Some(token), |token| bytes(token).and_then(to_fixed))
}
