//! Rows of real signatures: the sample that ships in `data/sample`, and the larger files of `../shared/data` beside the
//! repository where that folder is.

use crate::verifier::Verifier;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use phalanx::{LowS, PublicKey, PublicKeyRef, Verdict, XOnlyKeyRef, ecdsa, schnorr};
use sha3::{Digest, Keccak256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file of the sample that ships.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample").join(name)
}

/// A file of `../shared/data`, if it is there; otherwise says that the test named is skipped, and what it would have
/// checked.
pub fn shared(name: &str, would_check: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    phalanx_tiers::skipped(&format!("{name} is not in ../shared/data"), would_check);
    None
}

/// A signature as a file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedRow {
    /// Whether the scheme is BIP-340; otherwise it is ECDSA.
    pub schnorr: bool,
    /// The digest, for BIP-340 the message.
    pub message: Vec<u8>,
    /// The encoded public key.
    pub public_key: Vec<u8>,
    /// 64 bytes, or DER.
    pub signature: Vec<u8>,
}

impl SignedRow {
    pub(crate) fn ecdsa(&self) -> ecdsa::Row<'_> {
        let compact = self.signature.len() == 64;
        let signature = if compact { ecdsa::SignatureRef::Compact } else { ecdsa::SignatureRef::Der };
        ecdsa::Row {
            digest: &self.message,
            signature: signature(&self.signature),
            public_key: PublicKeyRef::Encoded(&self.public_key),
        }
    }

    pub(crate) fn schnorr(&self) -> schnorr::Row<'_> {
        schnorr::Row {
            message: &self.message,
            signature: &self.signature,
            public_key: XOnlyKeyRef::Encoded(&self.public_key),
        }
    }
}

/// The verdicts of a surface on rows of both schemes, in the order of the rows.
pub fn verdicts(surface: &dyn Verifier, rows: &[SignedRow], low_s: LowS) -> Vec<Verdict> {
    let of = |schnorr: bool| rows.iter().filter(move |row| row.schnorr == schnorr);
    let mut ecdsa = surface.verify_ecdsa(&of(false).map(SignedRow::ecdsa).collect::<Vec<_>>(), low_s).into_iter();
    let mut schnorr = surface.verify_schnorr(&of(true).map(SignedRow::schnorr).collect::<Vec<_>>()).into_iter();
    let verdict = |row: &SignedRow| if row.schnorr { schnorr.next() } else { ecdsa.next() };
    let verdicts = rows.iter().map(verdict).map(|verdict| verdict.expect("one verdict per row")).collect();
    assert_eq!((ecdsa.next(), schnorr.next()), (None, None), "more verdicts than rows");
    verdicts
}

/// The rows of a Parquet file with the columns `scheme`, `msg_hash`, `pubkey`, `sig`.
pub fn signed_parquet(path: &Path) -> Vec<SignedRow> {
    let row = |fields: HashMap<String, Field>| SignedRow {
        schnorr: text(&fields["scheme"]) == "schnorr",
        message: bytes(&fields["msg_hash"]),
        public_key: bytes(&fields["pubkey"]),
        signature: bytes(&fields["sig"]),
    };
    parquet_rows(path).map(row).collect()
}

/// The rows of a CSV file with the columns `scheme`, `msg_hash`, `pubkey`, `sig` in hex, each with what stands in its
/// other columns. Rows with a field that is missing or not hex are left out: only the command can say that of them.
pub fn signed_csv(path: &Path) -> Vec<(SignedRow, HashMap<String, String>)> {
    let mut reader = csv::Reader::from_path(path).expect("the file can be opened");
    let records = reader.deserialize().map(|record| record.expect("a record of CSV"));
    let row = |mut fields: HashMap<String, String>| {
        let mut take = |name: &str| fields.remove(name).filter(|text| !text.is_empty());
        let schnorr = match &take("scheme")?[..] {
            "ecdsa" => false,
            "schnorr" => true,
            _ => return None,
        };
        let mut bytes = |name: &str| hex::decode(take(name)?).ok();
        let row =
            SignedRow { schnorr, message: bytes("msg_hash")?, public_key: bytes("pubkey")?, signature: bytes("sig")? };
        Some((row, fields))
    };
    records.filter_map(row).collect()
}

/// The signatures of Nostr events, one event a line; their ids are taken as they stand.
pub fn nostr_events(path: &Path) -> Vec<SignedRow> {
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let row = |line: &str| {
        let event: serde_json::Value = serde_json::from_str(line).expect("an event is JSON");
        let field = |name: &str| hex::decode(event[name].as_str().expect("a field of text")).expect("hex");
        SignedRow { schnorr: true, message: field("id"), public_key: field("pubkey"), signature: field("sig") }
    };
    text.lines().map(row).collect()
}

/// A transaction and the address it was sent from.
#[derive(Debug, Clone)]
pub struct SenderRow {
    /// The digest that was signed.
    pub digest: Vec<u8>,
    /// r and s, 32 bytes each.
    pub signature: Vec<u8>,
    /// 0 to 3.
    pub recovery_id: u8,
    /// The sender.
    pub from_address: Vec<u8>,
}

impl SenderRow {
    /// The row to recover from.
    pub fn row(&self) -> ecdsa::RecoverRow<'_> {
        ecdsa::RecoverRow {
            digest: &self.digest,
            signature: ecdsa::SignatureRef::Compact(&self.signature),
            recovery_id: self.recovery_id,
        }
    }
}

/// The rows of a Parquet file with the columns `msg_hash`, `r`, `s`, `v`, `from_address`.
pub fn senders(path: &Path) -> Vec<SenderRow> {
    let row = |fields: HashMap<String, Field>| SenderRow {
        digest: bytes(&fields["msg_hash"]),
        signature: [bytes(&fields["r"]), bytes(&fields["s"])].concat(),
        recovery_id: match &fields["v"] {
            Field::UByte(v) => *v,
            other => panic!("v is {other:?}"),
        },
        from_address: bytes(&fields["from_address"]),
    };
    parquet_rows(path).map(row).collect()
}

/// The Ethereum address of a key: the last 20 bytes of the hash of its coordinates.
pub fn address(key: &PublicKey) -> Vec<u8> {
    Keccak256::digest(&key.to_bytes_uncompressed()[1..])[12..].to_vec()
}

/// The rows of a Parquet file, by the names of their columns.
pub fn parquet_rows(path: &Path) -> impl Iterator<Item = HashMap<String, Field>> {
    let file = std::fs::File::open(path).expect("the file can be opened");
    let reader = SerializedFileReader::new(file).expect("the file is Parquet");
    let rows = reader.get_row_iter(None).expect("the file has rows");
    let rows: Vec<_> = rows.map(|row| row.expect("a row can be read").into_columns()).collect();
    rows.into_iter().map(|columns| columns.into_iter().collect())
}

fn bytes(field: &Field) -> Vec<u8> {
    match field {
        Field::Bytes(bytes) => bytes.data().to_vec(),
        other => panic!("a column of bytes holds {other:?}"),
    }
}

fn text(field: &Field) -> &str {
    match field {
        Field::Str(text) => text,
        other => panic!("a column of text holds {other:?}"),
    }
}
