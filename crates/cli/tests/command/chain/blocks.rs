//! Blocks of signed transactions, and files of them in every form that `senders` reads.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use phalanx_ethereum::{Transaction, TransactionFields, TransactionType, address, transactions_root};
use serde_json::{Value, json};
use snap::write::FrameEncoder;

use crate::rows::secret;

/// A block of Prague on the main chain.
pub(super) const PRAGUE: u64 = 22_500_000;

/// A block's number and its transactions, with their senders.
pub(super) struct TestBlock {
    pub(super) number: u64,
    pub(super) transactions: Vec<(Vec<u8>, [u8; 20])>,
}

/// The transaction of a type, of the main chain.
pub(super) fn fields(kind: TransactionType, nonce: u64) -> TransactionFields {
    let mut value = [0; 32];
    value[23..].copy_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mut fee = [0; 32];
    fee[28..].copy_from_slice(&[5, 0, 0, 0]);
    TransactionFields {
        kind,
        chain_id: Some(1),
        nonce,
        gas_price: fee,
        max_priority_fee_per_gas: fee,
        max_fee_per_gas: fee,
        gas: 21_000,
        to: Some([0x11; 20]),
        value,
        input: vec![7; nonce as usize % 90],
        access_list: if kind == TransactionType::AccessList { vec![] } else { vec![([2; 20], vec![[3; 32]])] },
        max_fee_per_blob_gas: fee,
        blob_versioned_hashes: vec![[1; 32]],
        ..TransactionFields::default()
    }
}

pub(super) fn signed(fields: &TransactionFields, key: u8) -> (Vec<u8>, [u8; 20]) {
    let secret = secret(key.into());
    (fields.sign(&secret).unwrap(), address(&secret.public_key()))
}

/// A block with a transaction of each type, several times.
pub(super) fn block(number: u64, count: usize) -> TestBlock {
    let kind = |place: usize| TransactionType::ALL[place % 5];
    let transactions = (0..count).map(|place| signed(&fields(kind(place), place as u64), place as u8 + 1));
    TestBlock { number, transactions: transactions.collect() }
}

/// An RLP list of these items.
pub(super) fn list(items: &[Vec<u8>]) -> Vec<u8> {
    framed(0xc0, &items.concat())
}

/// An RLP string.
pub(super) fn string(bytes: &[u8]) -> Vec<u8> {
    if let [0..0x80] = bytes { bytes.to_vec() } else { framed(0x80, bytes) }
}

fn framed(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = payload.len().to_be_bytes();
    let zeros = length.iter().take_while(|byte| **byte == 0).count();
    let head = match payload.len() {
        short @ 0..56 => vec![first + short as u8],
        _ => [&[first + 55 + (8 - zeros) as u8], &length[zeros..]].concat(),
    };
    [&head, payload].concat()
}

/// The header of a block, of which nothing but the number and the root of the transactions is right.
pub(super) fn header(number: u64, transactions: &[&[u8]]) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut items = vec![string(&[9; 32]); 6];
    items[4] = string(&transactions_root(transactions));
    items.extend([string(&[0; 256]), string(&[]), string(&bytes[zeros..]), string(&[1]), string(&[])]);
    list(&items)
}

impl TestBlock {
    fn raws(&self) -> Vec<&[u8]> {
        self.transactions.iter().map(|(raw, _)| &raw[..]).collect()
    }

    fn header(&self) -> Vec<u8> {
        header(self.number, &self.raws())
    }

    fn transaction_list(&self) -> Vec<u8> {
        let item = |raw: &Vec<u8>| if raw[0] >= 0xc0 { raw.clone() } else { string(raw) };
        list(&self.transactions.iter().map(|(raw, _)| item(raw)).collect::<Vec<_>>())
    }

    pub(super) fn rlp(&self) -> Vec<u8> {
        list(&[self.header(), self.transaction_list(), list(&[]), list(&[])])
    }

    /// As `eth_getBlockByNumber` gives it.
    pub(super) fn json(&self) -> Value {
        let transactions = (0..).zip(&self.transactions).map(|(index, (raw, sender))| object(raw, *sender, index));
        json!({
            "number": quantity(self.number),
            "hash": hex(&[9; 32]),
            "transactionsRoot": hex(&transactions_root(&self.raws())),
            "transactions": transactions.collect::<Vec<Value>>(),
            "uncles": [],
        })
    }

    /// Each transaction with the number of its block, its place and its sender, as the command tells them.
    pub(super) fn expected(&self) -> Vec<Value> {
        let row = |(index, (raw, sender)): (usize, &(Vec<u8>, [u8; 20]))| {
            let hash = const_hex::encode(Transaction::decode(raw).unwrap().hash());
            json!([self.number, index, hash, hex(sender)])
        };
        self.transactions.iter().enumerate().map(row).collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    const_hex::encode_prefixed(bytes)
}

pub(super) fn quantity(number: u64) -> String {
    format!("{number:#x}")
}

/// A number of RLP as a quantity.
fn quantity_of(bytes: &[u8]) -> String {
    let digits = const_hex::encode(bytes);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0x0".to_owned() } else { format!("0x{digits}") }
}

/// The items of a list.
fn items(list: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut items) = (list, Vec::new());
    let payload = step_over_header(&mut rest);
    let mut payload = &rest[..payload];
    while !payload.is_empty() {
        let whole = payload;
        let length = step_over_header(&mut payload);
        payload = &payload[length..];
        items.push(&whole[..whole.len() - payload.len()]);
    }
    items
}

/// Steps over the header of an item; returns the length of what follows.
fn step_over_header(rest: &mut &[u8]) -> usize {
    let first = rest[0];
    let (skipped, length) = match first {
        0..0x80 => (0, 1),
        0x80..0xb8 => (1, usize::from(first - 0x80)),
        0xc0..0xf8 => (1, usize::from(first - 0xc0)),
        _ => {
            let bytes = usize::from(if first < 0xc0 { first - 0xb7 } else { first - 0xf7 });
            (1 + bytes, rest[1..=bytes].iter().fold(0, |length, byte| length << 8 | usize::from(*byte)))
        }
    };
    *rest = &rest[skipped..];
    length
}

/// The bytes of a string.
fn content(item: &[u8]) -> &[u8] {
    let mut rest = item;
    step_over_header(&mut rest);
    rest
}

/// A transaction as a node's answer has it, read from its bytes by a reader of the test's own.
pub(super) fn object(raw: &[u8], sender: [u8; 20], index: u64) -> Value {
    let kind = if raw[0] < 0x80 { raw[0] } else { 0 };
    let list = if kind == 0 { raw } else { &raw[1..] };
    let items = items(list);
    let names: &[&str] = match kind {
        0 => &["nonce", "gasPrice", "gas", "to", "value", "input"],
        1 => &["chainId", "nonce", "gasPrice", "gas", "to", "value", "input", "accessList"],
        _ => &["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gas", "to", "value", "input", "accessList"],
    };
    let more: &[&str] = match kind {
        3 => &["maxFeePerBlobGas", "blobVersionedHashes"],
        4 => &["authorizationList"],
        _ => &[],
    };
    let names = [names, more, &["v", "r", "s"]].concat();
    assert_eq!(names.len(), items.len());
    let mut object = json!({
        "type": quantity(kind.into()),
        "hash": hex(&Transaction::decode(raw).unwrap().hash()),
        "from": hex(&sender),
        "transactionIndex": quantity(index),
        "blockHash": hex(&[9; 32]),
    });
    for (name, item) in names.into_iter().zip(items) {
        object[name] = match name {
            "to" if content(item).is_empty() => Value::Null,
            "to" | "input" => hex(content(item)).into(),
            "accessList" => access_list(item),
            "blobVersionedHashes" => each_item(item).map(|hash| hex(content(hash))).collect(),
            "authorizationList" => each_item(item).map(authorization).collect(),
            _ => quantity_of(content(item)).into(),
        };
    }
    if kind > 0 {
        object["yParity"] = object["v"].clone();
    }
    object
}

fn each_item(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    items(list).into_iter()
}

fn access_list(list: &[u8]) -> Value {
    let entry = |entry| {
        let [address, keys] = items(entry)[..] else { panic!("an address and keys") };
        let keys: Vec<String> = each_item(keys).map(|key| hex(content(key))).collect();
        json!({ "address": hex(content(address)), "storageKeys": keys })
    };
    items(list).into_iter().map(entry).collect()
}

fn authorization(list: &[u8]) -> Value {
    let [chain_id, address, nonce, y_parity, r, s] = items(list)[..] else { panic!("six fields") };
    let number = |item| quantity_of(content(item));
    json!({
        "chainId": number(chain_id), "address": hex(content(address)), "nonce": number(nonce),
        "yParity": number(y_parity), "r": number(r), "s": number(s),
    })
}

/// A record of e2store.
pub(super) fn record(kind: [u8; 2], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    [&kind, &length[..], &[0, 0], data].concat()
}

pub(super) fn snappy(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = FrameEncoder::new(Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.into_inner().unwrap()
}

/// An archive of blocks, with the records that are not read, too.
pub(super) fn era1(blocks: &[TestBlock]) -> Vec<u8> {
    let mut file = record([0x65, 0x32], &[]);
    for block in blocks {
        file.extend(record([3, 0], &snappy(&block.header())));
        file.extend(record([4, 0], &snappy(&list(&[block.transaction_list(), list(&[])]))));
        file.extend(record([5, 0], &snappy(&[0xc0; 9])));
        file.extend(record([6, 0], &[1; 32]));
    }
    file.extend(record([7, 0], &[2; 32]));
    file.extend(index(blocks.len() as u64));
    file
}

/// The last record of an archive: of so many blocks, whose places are not read.
pub(super) fn index(blocks: u64) -> Vec<u8> {
    record([0x66, 0x32], &[&[3; 16][..], &blocks.to_le_bytes()].concat())
}

/// A table as cryo writes it, of transactions of the types 0 to 2.
pub(super) fn table(block: &TestBlock) -> RecordBatch {
    let objects: Vec<Value> =
        (0..).zip(&block.transactions).map(|(index, (raw, sender))| object(raw, *sender, index)).collect();
    let digits = |object: &Value, name: &str| Some(object.get(name)?.as_str()?.trim_start_matches("0x").to_owned());
    let numbers = |name: &str| -> ArrayRef {
        let number = |object| Some(u64::from_str_radix(&digits(object, name)?, 16).unwrap());
        Arc::new(objects.iter().map(number).collect::<UInt64Array>())
    };
    let bytes = |name: &str| -> ArrayRef {
        let value = |object| {
            let digits = digits(object, name)?;
            Some(const_hex::decode(if digits.len() % 2 == 1 { format!("0{digits}") } else { digits }).unwrap())
        };
        Arc::new(
            objects.iter().map(value).collect::<Vec<_>>().iter().map(|value| value.as_deref()).collect::<BinaryArray>(),
        )
    };
    let values = objects.iter().map(|object| u128::from_str_radix(&digits(object, "value").unwrap(), 16).unwrap());
    let rows = objects.len();
    RecordBatch::try_from_iter_with_nullable([
        ("block_number", Arc::new(UInt32Array::from(vec![block.number as u32; rows])) as ArrayRef, true),
        ("transaction_index", numbers("transactionIndex"), true),
        ("transaction_hash", bytes("hash"), true),
        ("nonce", numbers("nonce"), true),
        ("from_address", bytes("from"), true),
        ("to_address", bytes("to"), true),
        ("value_string", Arc::new(StringArray::from_iter_values(values.map(|value| value.to_string()))), true),
        ("value_f64", Arc::new(arrow_array::Float64Array::from(vec![0.5; rows])), true),
        ("input", bytes("input"), true),
        ("gas_limit", numbers("gas"), true),
        ("gas_price", numbers("gasPrice"), true),
        ("transaction_type", numbers("type"), true),
        ("max_priority_fee_per_gas", numbers("maxPriorityFeePerGas"), true),
        ("max_fee_per_gas", numbers("maxFeePerGas"), true),
        ("chain_id", Arc::new(UInt64Array::from(vec![1; rows])), true),
        ("r", bytes("r"), true),
        ("s", bytes("s"), true),
        ("v", numbers("v"), true),
    ])
    .unwrap()
}
