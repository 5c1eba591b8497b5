//! The committed files of `data/sample` are those of the manifest, and libsecp256k1 says of each row what its file says.

use phalanx::{LowS, Verdict};
use phalanx_testkit::chain_data::{
    SignedRow, address, nostr_events, parquet_rows, sample, senders, signed_csv, signed_parquet,
};
use secp256k1::ecdsa::{RecoverableSignature, RecoveryId, Signature};
use secp256k1::{Message, PublicKey, XOnlyPublicKey, schnorr};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// One line of `manifest.csv`.
#[derive(Deserialize)]
struct Listed {
    file: String,
    rows: usize,
    valid: usize,
    high_s: usize,
    sha256: String,
}

/// What a row of CSV holds, by its columns.
type Fields = HashMap<String, String>;

fn manifest() -> Vec<Listed> {
    csv_rows("manifest.csv")
}

fn listed(file: &str) -> Listed {
    manifest().into_iter().find(|listed| listed.file == file).expect("the manifest lists the file")
}

fn csv_rows<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let mut reader = csv::Reader::from_path(sample(file)).expect("the file is there");
    reader.deserialize().map(|record| record.expect("a record of CSV")).collect()
}

fn json_rows(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(sample(file)).expect("the file is there");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// The rows of a file by its ending.
fn count_rows(file: &str) -> usize {
    match Path::new(file).extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => parquet_rows(&sample(file)).count(),
        Some("csv") => csv_rows::<Fields>(file).len(),
        Some("jsonl") => json_rows(file).len(),
        other => panic!("no reader for {other:?}"),
    }
}

#[test]
fn committed_files_match_the_manifest() {
    let manifest = manifest();
    assert_eq!(manifest.len(), 12);
    for listed in &manifest {
        let bytes = std::fs::read(sample(&listed.file)).expect("a listed file is there");
        assert_eq!(hex::encode(Sha256::digest(&bytes)), listed.sha256, "{}", listed.file);
        assert!(bytes.len() < 1 << 20, "{} is larger than 1 MiB", listed.file);
        assert_eq!(count_rows(&listed.file), listed.rows, "{}", listed.file);
    }
}

#[test]
fn nothing_else_lies_in_the_folder() {
    let listed = manifest().into_iter().map(|listed| listed.file);
    let expected: BTreeSet<String> = listed.chain(["README.md".to_owned(), "manifest.csv".to_owned()]).collect();
    let names = std::fs::read_dir(sample("")).expect("data/sample is there");
    let found = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name")).collect();
    assert_eq!(expected, found);
}

#[test]
fn error_rows_cover_every_class_and_agree_with_the_manifest() {
    let (listed, rows) = (listed("errors.jsonl"), json_rows("errors.jsonl"));
    let count = |column: &str, reason: &str| rows.iter().filter(|row| row[column] == reason).count();
    for reason in Verdict::ALL.iter().map(|verdict| verdict.reason()) {
        assert!(count("expected_low_s_require", reason) > 0, "no row of class {reason}");
    }
    assert_eq!(count("expected_reason", "valid"), listed.valid);
    assert_eq!(count("expected_low_s_require", "high_s"), listed.high_s);
}

/// Something, if libsecp256k1 accepts the row.
fn accepted(row: &SignedRow, low_s: LowS) -> Option<()> {
    let message: [u8; 32] = row.message[..].try_into().ok()?;
    if row.schnorr {
        let key = XOnlyPublicKey::from_byte_array(row.public_key[..].try_into().ok()?).ok()?;
        let signature = schnorr::Signature::from_byte_array(row.signature[..].try_into().ok()?);
        return schnorr::verify(&signature, &message, &key).ok();
    }
    // It reads the hybrid prefixes too, which this project does only when asked.
    let plain = matches!((row.public_key.len(), row.public_key.first()), (33, Some(2 | 3)) | (65, Some(4)));
    let key = PublicKey::from_slice(&row.public_key).ok().filter(|_| plain)?;
    let compact = row.signature.len() == 64;
    let read = if compact { Signature::from_compact } else { Signature::from_der };
    let mut signature = read(&row.signature).ok()?;
    if low_s == LowS::Allow {
        signature.normalize_s();
    }
    secp256k1::ecdsa::verify(&signature, Message::from_digest(message), &key).ok()
}

#[test]
fn libsecp256k1_accepts_the_signatures_and_counts_those_of_high_s() {
    let parquet = |file| (file, signed_parquet(&sample(file)));
    let csv = |file| (file, signed_csv(&sample(file)).into_iter().map(|(row, _)| row).collect());
    for (file, rows) in [
        parquet("bitcoin-block-277647.parquet"),
        parquet("bitcoin-transaction-bb41a757.parquet"),
        csv("bitcoin-64.csv"),
        csv("schnorr-64.csv"),
        ("nostr-events.jsonl", nostr_events(&sample("nostr-events.jsonl"))),
    ] {
        let accepted = |low_s| rows.iter().filter(|row| accepted(row, low_s).is_some()).count();
        let listed = listed(file);
        assert_eq!(
            (accepted(LowS::Allow), accepted(LowS::Require)),
            (listed.rows, listed.rows - listed.high_s),
            "{file}"
        );
        assert_eq!(listed.valid, listed.rows, "{file}");
    }
}

/// The row of JSON, if it has all fields.
fn signed(row: &Value) -> Option<SignedRow> {
    let bytes = |name: &str| hex::decode(row[name].as_str()?).ok();
    let schnorr = match row["scheme"].as_str()? {
        "ecdsa" => false,
        "schnorr" => true,
        _ => return None,
    };
    Some(SignedRow { schnorr, message: bytes("msg_hash")?, public_key: bytes("pubkey")?, signature: bytes("sig")? })
}

/// The columns of other names hold the same values, and JSON writes bytes with a prefix.
#[test]
fn rows_under_other_names_are_those_of_csv() {
    let (named, plain) = (json_rows("bitcoin-64.jsonl"), csv_rows::<Fields>("bitcoin-64.csv"));
    assert_eq!(named.len(), plain.len());
    for (named, plain) in named.iter().zip(&plain) {
        assert_eq!(named["id"], plain["id"]);
        for (name, column) in [("sighash", "msg_hash"), ("public_key", "pubkey"), ("signature", "sig")] {
            assert_eq!(named[name], format!("0x{}", plain[column]));
        }
    }
}

/// Something, if the id of an event is the hash of its array in compact JSON (NIP-01), and is signed.
fn accepted_event(event: &Value) -> Option<()> {
    let bytes = |name: &str| hex::decode(event[name].as_str()?).ok();
    let named = json!([0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]);
    let id = bytes("id").filter(|id| id[..] == Sha256::digest(named.to_string())[..])?;
    let row = SignedRow { schnorr: true, message: id, public_key: bytes("pubkey")?, signature: bytes("sig")? };
    accepted(&row, LowS::Allow)
}

#[test]
fn libsecp256k1_accepts_the_error_rows_that_are_valid() {
    for row in json_rows("errors.jsonl") {
        for (low_s, column) in [(LowS::Allow, "expected_reason"), (LowS::Require, "expected_low_s_require")] {
            let accepted = signed(&row).is_some_and(|row| accepted(&row, low_s).is_some());
            assert_eq!(accepted, row[column] == "valid", "{row}");
        }
    }
    for event in json_rows("nostr-errors.jsonl") {
        assert_eq!(accepted_event(&event).is_some(), event["expected_reason"] == "valid", "{event}");
    }
    for row in csv_rows::<Fields>("recover-errors.csv") {
        let is_sender = sender(&row).is_some_and(|address| Ok(address) == hex::decode(&row["from_address"]));
        assert_eq!(is_sender, row["expected_reason"] == "valid", "{row:?}");
    }
}

/// The address that libsecp256k1 recovers.
fn recovered(digest: &[u8], signature: &[u8], id: i32) -> Option<Vec<u8>> {
    let signature = RecoverableSignature::from_compact(signature, RecoveryId::try_from(id).ok()?).ok()?;
    let key = signature.recover_ecdsa(Message::from_digest(digest.try_into().ok()?)).ok()?;
    Some(address(&phalanx::PublicKey::from_bytes(&key.serialize_uncompressed()).ok()?))
}

/// The same of a row of text, with `v` in any of its forms.
fn sender(row: &Fields) -> Option<Vec<u8>> {
    let word = |name: &str| hex::decode(&row[name]).ok().filter(|bytes| bytes.len() == 32);
    let id = match (&row["v"][..], row["v"].parse::<i32>()) {
        ("false", _) => 0,
        ("true", _) => 1,
        (_, Ok(v @ 35..)) => (v - 35) % 2,
        (_, Ok(v @ 27..)) => v - 27,
        (_, Ok(v)) => v,
        _ => return None,
    };
    recovered(&word("msg_hash")?, &[word("r")?, word("s")?].concat(), id)
}

#[test]
fn libsecp256k1_recovers_the_senders() {
    for row in senders(&sample("ethereum-senders.parquet")) {
        let address = recovered(&row.digest, &row.signature, row.recovery_id.into());
        assert_eq!(address.as_ref(), Some(&row.from_address));
    }
    for row in csv_rows::<Fields>("ethereum-64.csv") {
        let address = hex::decode(&row["from_address"]).expect("an address");
        assert_eq!(sender(&row), Some(address), "{row:?}");
    }
}

#[test]
fn error_rows_are_the_same_in_csv_and_json() {
    // CSV has neither null nor numbers, and an empty field for what is missing.
    let text = |row: Value| row.as_object().is_some_and(|row| row.values().all(Value::is_string)).then_some(row);
    let rows: Vec<_> = json_rows("errors.jsonl").into_iter().filter_map(text).collect();
    let errors = csv_rows::<Fields>("errors.csv");
    assert_eq!(errors.len(), rows.len());
    for (row, error) in rows.iter().zip(errors) {
        assert!(error.iter().all(|(column, text)| row[column].as_str().unwrap_or_default() == text), "{error:?}");
    }
}
