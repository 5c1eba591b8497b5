//! A block in JSON, as Bitcoin Core's `getblock` prints it with verbosity 3, and its REST interface: the block itself,
//! and what it spends. With verbosity 2 what it spends is not there.

use std::borrow::Cow;
use std::fmt;

use phalanx_bitcoin::{Output, put_compact_size, reversed_hex};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::spent_json::OutputMembers;

/// The longest block that is read from a file, in bytes.
pub(super) const MOST_BLOCK: usize = 4_000_000;
/// Said where transactions are not whole.
const ASK: &str = "ask for the block with verbosity 3 (bitcoin-cli getblock HASH 3)";

/// What a text in JSON has of a block.
pub(super) struct JsonBlock {
    /// The block's bytes.
    pub(super) bytes: Vec<u8>,
    /// The hash, in the order in which it is hashed.
    pub(super) hash: [u8; 32],
    pub(super) height: Option<u32>,
    /// What each input spends, or what is lacking of it.
    pub(super) spent: Result<Vec<Output<'static>>, String>,
}

/// What is read of a text.
pub(super) enum JsonContent {
    Block(JsonBlock),
    /// The answer of a node to `getblock HASH 0`.
    Bytes(Vec<u8>),
}

/// The members of a block; others are passed over.
#[derive(Deserialize)]
struct BlockMembers<'j> {
    /// What stands in a node's answer, which has nothing else of these.
    #[serde(borrow)]
    result: Option<&'j RawValue>,
    #[serde(borrow)]
    hash: Option<Cow<'j, str>>,
    height: Option<u32>,
    version: Option<i32>,
    #[serde(borrow)]
    previousblockhash: Option<Cow<'j, str>>,
    #[serde(borrow)]
    merkleroot: Option<Cow<'j, str>>,
    time: Option<u32>,
    #[serde(borrow)]
    bits: Option<Cow<'j, str>>,
    nonce: Option<u32>,
    #[serde(borrow)]
    tx: Option<&'j RawValue>,
}

/// Reads a block.
pub(super) fn read(text: &[u8]) -> Result<JsonContent, String> {
    let failed = |error: serde_json::Error| error.to_string();
    let mut members: BlockMembers<'_> = serde_json::from_slice(text).map_err(failed)?;
    if let Some(result) = members.result {
        if let Ok(digits) = serde_json::from_str::<Cow<'_, str>>(result.get()) {
            return Ok(JsonContent::Bytes(const_hex::decode(digits.as_bytes()).map_err(|error| error.to_string())?));
        }
        members = serde_json::from_str(result.get()).map_err(failed)?;
    }
    let mut bytes = header(&members)?;
    let hash = phalanx::hash::sha256(&phalanx::hash::sha256(&bytes));
    if members.hash.as_deref().is_some_and(|named| !named.eq_ignore_ascii_case(&reversed_hex(&hash))) {
        return Err("the members of the header do not give the hash".into());
    }
    let mut transactions = Transactions::default();
    let mut reader = serde_json::Deserializer::from_str(
        members.tx.ok_or("no member `tx`: expected a block as `getblock HASH 3` prints it")?.get(),
    );
    (&mut transactions).deserialize(&mut reader).map_err(failed)?;
    let Transactions { count, bytes: all, spent, lacking } = transactions;
    put_compact_size(count, &mut bytes);
    bytes.extend(all);
    let spent = match lacking {
        None => Ok(spent),
        Some((number, input)) => Err(format!("input {input} of transaction {number} has no prevout: {ASK}")),
    };
    Ok(JsonContent::Block(JsonBlock { bytes, hash, height: members.height, spent }))
}

/// The 80 bytes of the header.
fn header(members: &BlockMembers<'_>) -> Result<Vec<u8>, String> {
    let lacking = |name: &str| format!("no member `{name}`: expected a block as `getblock HASH 3` prints it");
    let hash = |name: &str, text: Option<&str>| {
        let mut hash: [u8; 32] = const_hex::decode_to_array(text.ok_or_else(|| lacking(name))?)
            .map_err(|error| format!("{name}: {error}"))?;
        hash.reverse();
        Ok::<_, String>(hash)
    };
    let bits = members.bits.as_deref().ok_or_else(|| lacking("bits"))?;
    let mut bits: [u8; 4] = const_hex::decode_to_array(bits).map_err(|error| format!("bits: {error}"))?;
    bits.reverse();
    let version = members.version.ok_or_else(|| lacking("version"))?.to_le_bytes();
    // The first block of all has none before it.
    let previous = members.previousblockhash.as_deref();
    let previous = previous.map_or(Ok([0; 32]), |text| hash("previousblockhash", Some(text)))?;
    let root = hash("merkleroot", members.merkleroot.as_deref())?;
    let time = members.time.ok_or_else(|| lacking("time"))?.to_le_bytes();
    let nonce = members.nonce.ok_or_else(|| lacking("nonce"))?.to_le_bytes();
    Ok([&version[..], &previous, &root, &time, &bits, &nonce].concat())
}

/// The transactions of a block, one after another.
#[derive(Default)]
struct Transactions {
    count: usize,
    bytes: Vec<u8>,
    /// What they spend, without the first.
    spent: Vec<Output<'static>>,
    /// The number of the first transaction, and of the input in it, that does not have what it spends.
    lacking: Option<(usize, usize)>,
}

impl<'j> DeserializeSeed<'j> for &mut Transactions {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'j>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'j> Visitor<'j> for &mut Transactions {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of transactions")
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element_seed(NextTransaction(&mut *self))?.is_some() {
            self.count += 1;
        }
        Ok(())
    }
}

/// Reads a transaction behind others.
struct NextTransaction<'t>(&'t mut Transactions);

/// The members of a transaction; others are passed over.
#[derive(Deserialize)]
struct TransactionMembers<'j> {
    #[serde(borrow)]
    hex: Option<Cow<'j, str>>,
    vin: Option<SpentByInputs>,
}

impl<'j> DeserializeSeed<'j> for NextTransaction<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'j>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for NextTransaction<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a transaction")
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Err(E::custom(format!("tx has only the ids of transactions: {ASK}")))
    }

    fn visit_map<A: MapAccess<'j>>(self, members: A) -> Result<(), A::Error> {
        let Transactions { count: number, bytes, spent, lacking } = self.0;
        let members = TransactionMembers::deserialize(MapAccessDeserializer::new(members))?;
        let digits = members.hex.ok_or_else(|| A::Error::custom(format!("transaction {number} has no hex: {ASK}")))?;
        if bytes.len() + digits.len() / 2 > MOST_BLOCK {
            return Err(A::Error::custom(format!("the block has more than {MOST_BLOCK} bytes")));
        }
        let decoded = const_hex::decode(digits.as_bytes());
        bytes.extend(decoded.map_err(|error| A::Error::custom(format!("transaction {number}: hex: {error}")))?);
        if *number > 0 {
            let inputs = members.vin.unwrap_or_default();
            *lacking = lacking.or(inputs.lacking.map(|input| (*number, input)));
            spent.extend(inputs.spent);
        }
        Ok(())
    }
}

/// What the inputs of a transaction spend.
#[derive(Default)]
struct SpentByInputs {
    spent: Vec<Output<'static>>,
    /// The number of the first input that does not have what it spends.
    lacking: Option<usize>,
}

/// The members of an input; others are passed over.
#[derive(Deserialize)]
struct InputMembers<'j> {
    #[serde(borrow)]
    prevout: Option<OutputMembers<'j>>,
}

impl<'j> Deserialize<'j> for SpentByInputs {
    fn deserialize<D: serde::Deserializer<'j>>(reader: D) -> Result<SpentByInputs, D::Error> {
        reader.deserialize_seq(InputsVisitor)
    }
}

struct InputsVisitor;

impl<'j> Visitor<'j> for InputsVisitor {
    type Value = SpentByInputs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of inputs")
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut inputs: A) -> Result<SpentByInputs, A::Error> {
        let mut found = SpentByInputs::default();
        while let Some(InputMembers { prevout }) = inputs.next_element()? {
            let number = found.spent.len();
            let Some(prevout) = prevout else {
                found.lacking = Some(number);
                while inputs.next_element::<IgnoredAny>()?.is_some() {}
                break;
            };
            let output = prevout.output();
            found.spent.push(output.map_err(|fault| A::Error::custom(format!("prevout of input {number}: {fault}")))?);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Block 170 of the main network, as `getblock` prints it with verbosity 3; members that are not read are left out.
    const BLOCK: &str = r#"{"hash":"00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee","confirmations":1,"height":170,"ver
        sion":1,"versionHex":"00000001","merkleroot":"7dac2c5666815c17a3b36427de37bb9d2e2c5ccec3f8633eb91a4205cb4c10ff
        ","time":1231731025,"nonce":1889418792,"bits":"1d00ffff","previousblockhash":"000000002a22cfee1f2c846adbd12b3e
        183d4f97683f85dad08a79780a84bd55","nTx":2,"tx":[{"vin":[{"coinbase":"04ffff001d0102","sequence":4294967295}],"
        hex":"01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff0704ffff001d0102ffffff
        ff0100f2052a01000000434104d46c4968bde02899d2aa0963367c7a6ce34eec332b32e42e5f3407e052d64ac625da6f0718e7b3021404
        34bd725706957c092db53805b821a85b23a7ac61725bac00000000"},{"vin":[{"txid":"0437cd7f8525ceed2324359c2d0ba26006d9
        2d856a9c20fa0241106ee5a597c9","vout":0,"prevout":{"generated":true,"height":9,"value":50.00000000,"scriptPubKe
        y":{"asm":"x","hex":"410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf974446
        4f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac"}}}],"fee":0.00000000,"hex":"0100000001c997a5e56e104102fa209c6a8
        52dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61
        548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b000000004
        34104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f
        1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5
        cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000"}]}"#;

    /// The text in one line.
    fn text() -> String {
        BLOCK.lines().map(str::trim).collect()
    }

    fn block(text: &str) -> Result<JsonBlock, String> {
        match read(text.as_bytes())? {
            JsonContent::Block(block) => Ok(block),
            JsonContent::Bytes(_) => panic!("bytes"),
        }
    }

    #[test]
    fn a_block_comes_back_from_its_members() {
        for text in [text(), format!(r#"{{"result":{},"error":null,"id":1}}"#, text())] {
            let JsonBlock { bytes, hash, height, spent } = block(&text).unwrap();
            let read = phalanx_bitcoin::Block::decode(&bytes).unwrap();
            assert_eq!((read.header.hash(), height), (hash, Some(170)));
            assert_eq!(read.merkle_root(), Some(read.header.merkle_root));
            let spent = spent.unwrap();
            assert_eq!((spent.len(), spent[0].value, spent[0].script.len()), (1, 5_000_000_000, 67));
        }
        let answer = br#"{"result":"0011ff","error":null}"#;
        assert!(matches!(read(answer), Ok(JsonContent::Bytes(bytes)) if bytes == [0, 0x11, 0xff]));
        // Without what is spent, there is still the block.
        let without = block(&text().replace("prevout", "other")).unwrap();
        assert_eq!(without.bytes, block(&text()).unwrap().bytes);
        assert!(without.spent.unwrap_err().starts_with("input 0 of transaction 1 has no prevout: ask for the block"));
    }

    #[test]
    fn what_is_lacking_is_named() {
        for (before, after, said) in [
            ("\"nonce\":1889418792", "\"nonce\":1889418793", "the members of the header do not give the hash"),
            ("\"nonce\"", "\"other\"", "no member `nonce`"),
            ("\"merkleroot\"", "\"other\"", "no member `merkleroot`"),
            ("\"tx\"", "\"other\"", "no member `tx`"),
            ("\"tx\":[", "\"tx\":[\"00\",", "tx has only the ids of transactions: ask for the block with verbosity 3"),
            ("\"fee\":0.00000000,\"hex\"", "\"x\"", "transaction 1 has no hex"),
            (
                "50.00000000",
                "50.000000001",
                "prevout of input 0: value 50.000000001: expected bitcoins with at most 8 decimals",
            ),
            ("\"bits\":\"1d00ffff\"", "\"bits\":\"1d00fff\"", "bits: "),
        ] {
            let changed = text().replacen(before, after, 1);
            assert_ne!(changed, text(), "{before}");
            let error = block(&changed).map(|_| ()).unwrap_err();
            assert!(error.starts_with(said), "{before}: {error}");
        }
        let heavy = format!("\"tx\":[{{\"hex\":\"{}\"}},", "00".repeat(MOST_BLOCK));
        let error = block(&text().replacen("\"tx\":[", &heavy, 1)).map(|_| ()).unwrap_err();
        assert!(error.starts_with("the block has more than 4000000 bytes"), "{error}");
    }
}
