//! `phalanx recover`: keys, addresses, and what rows expect of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BooleanArray, FixedSizeBinaryArray, RecordBatch, UInt8Array, UInt64Array};
use phalanx::ecdsa;
use serde_json::Value;

use crate::files::{hex, parquet, read_parquet};
use crate::rows::{Recoverable, recoverable, secret, with_high_s};
use crate::running::{Run, directory, path, phalanx, phalanx_on, place};

/// The address of the secret key 1, known since the first Ethereum client.
const ADDRESS_OF_ONE: &str = "0x7e5f4552091a69125d5dfcb7b8c2659029395bdf";

fn rows(count: u32) -> Vec<Recoverable> {
    (0..count).map(recoverable).collect()
}

/// Recovers from CSV lines.
fn recover(header: &str, lines: &[String], options: &[&str]) -> Run {
    let text = format!("{header}\n{}\n", lines.join("\n"));
    phalanx_on(text.as_bytes(), ["recover", "-", "--json", "--out", "-"].iter().chain(options))
}

#[test]
fn every_way_to_write_a_recovery_id() {
    let mut lines = Vec::new();
    for row in rows(12) {
        let (id, r, s) = (u64::from(row.id), hex(&row.signature[..32]), hex(&row.signature[32..]));
        for v in [
            format!("{id}"),
            format!("{}", id + 27),
            format!("{}", id + 35 + 2),
            format!("{}", id + 35 + 2 * 61),
            format!("0x{:x}", id + 27),
            (if id == 1 { "true" } else { "false" }).to_owned(),
        ] {
            lines.push(format!("{},{r},{s},{v}", hex(&row.digest)));
        }
    }
    let count = lines.len() as u64;
    let run = recover("msg_hash,r,s,v", &lines, &[]).expect(0).counts([count, count, 0, 0]);
    for (number, answer) in run.answers().iter().enumerate() {
        assert_eq!(answer["public_key"], hex(&recoverable(number as u32 / 6).key));
    }
    let last = rows(5).into_iter().map(|row| {
        let signature = hex(&[&row.signature[..], &[row.id + 27]].concat());
        format!("{},{signature}", hex(&row.digest))
    });
    recover("digest,signature", &last.collect::<Vec<_>>(), &[]).expect(0).counts([5, 5, 0, 0]);
}

#[test]
fn parquet_columns_and_outputs() {
    let directory = directory();
    let rows = rows(40);
    let fixed = |bytes: &dyn Fn(&Recoverable) -> Vec<u8>| {
        Arc::new(FixedSizeBinaryArray::try_from_iter(rows.iter().map(bytes)).unwrap()) as ArrayRef
    };
    let ids: Vec<u8> = rows.iter().map(|row| row.id).collect();
    let ways: [ArrayRef; 3] = [
        Arc::new(UInt8Array::from(ids.clone())),
        Arc::new(BooleanArray::from(ids.iter().map(|id| *id == 1).collect::<Vec<_>>())),
        Arc::new(UInt64Array::from(ids.iter().map(|id| u64::from(*id) + 37).collect::<Vec<_>>())),
    ];
    for v in ways {
        let table = RecordBatch::try_from_iter([
            ("tx_hash", fixed(&|row| row.digest.to_vec())),
            ("msg_hash", fixed(&|row| row.digest.to_vec())),
            ("r", fixed(&|row| row.signature[..32].to_vec())),
            ("s", fixed(&|row| row.signature[32..].to_vec())),
            ("v", v),
            ("pubkey", fixed(&|row| row.key.to_vec())),
        ])
        .unwrap();
        let file = place(&directory, "rows.parquet", &parquet(&table, 16));
        let out = path(&directory, "out.parquet");
        phalanx(["recover", "--json", &file, "--out", &out]).expect(0).counts([40, 40, 0, 0]);
        let answers = read_parquet(&out);
        let names: Vec<String> = answers.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, ["tx_hash", "row", "public_key", "address", "valid", "reason", "column"]);
        let keys = answers.column_by_name("public_key").unwrap().as_fixed_size_binary();
        assert!(rows.iter().enumerate().all(|(place, row)| keys.value(place) == row.key));
        assert_eq!(answers.column_by_name("address").unwrap().as_fixed_size_binary().value_length(), 20);
    }
}

#[test]
fn the_address_of_a_known_key() {
    let mut one = [0; 32];
    one[31] = 1;
    let secret = phalanx::SecretKey::from_bytes(&one).unwrap();
    let (signature, id) = ecdsa::sign_recoverable(&[7; 32], &secret);
    let (sig, digest) = (hex(&signature.to_compact()), hex(&[7; 32]));
    let lines = [format!("{digest},{sig},{},{}", id.to_u8(), ADDRESS_OF_ONE.to_uppercase().replace("0X", "0x"))];
    let run = recover("msg_hash,sig,v,from_address", &lines, &[]).expect(0);
    assert_eq!(run.answers()[0]["address"], ADDRESS_OF_ONE);
}

#[test]
fn expectations_and_the_order_of_the_checks() {
    let row = recoverable(3);
    let (digest, sig, id, key) = (hex(&row.digest), hex(&row.signature), row.id, hex(&row.key));
    let run = recover("msg_hash,sig,v", &[format!("{digest},{sig},{id}")], &[]).expect(0);
    let address = run.answers()[0]["address"].as_str().unwrap().to_owned();
    let other = hex(&recoverable(4).key);
    let full = hex(&secret(3).public_key().to_bytes_uncompressed());
    let high = hex(&with_high_s(&row.signature));
    let flipped = id ^ 1;
    let zero_r = hex(&[&[0; 32], &row.signature[32..]].concat());
    let no_key = "02".to_owned() + &"ff".repeat(32);
    let header = "msg_hash,sig,v,pubkey,from_address";
    let cases = [
        (format!("{digest},{sig},{id},{key},{address}"), "valid"),
        (format!("{digest},{sig},{id},{full},"), "valid"),
        (format!("{digest},{sig},{id},,{}", &address[2..]), "valid"),
        (format!("{digest},{high},{flipped},{key},{address}"), "valid"),
        (format!("{digest},{sig},{flipped},{key},"), "invalid_signature"),
        (format!("{digest},{sig},{id},{other},"), "invalid_signature"),
        (format!("{digest},{sig},{id},{key},0x{}", "00".repeat(20)), "invalid_signature"),
        (format!("{digest},{sig},{id},{no_key},"), "bad_public_key"),
        (format!("{digest},{zero_r},{id},{no_key},"), "bad_public_key"),
        (format!("{digest},{sig},9,{no_key},"), "bad_public_key"),
        (format!("{digest},{zero_r},{id},,"), "out_of_range"),
        (format!("{digest},{sig},4,,"), "out_of_range"),
        (format!("{digest},{sig},31,,"), "out_of_range"),
        (format!("{digest},{sig},-1,,"), "out_of_range"),
        (format!("{digest},{},{id},,", &sig[..126]), "bad_signature_encoding"),
        (format!("{digest},{sig},,,"), "malformed_row"),
        (format!("{digest},{sig},x,,"), "malformed_row"),
        (format!("{digest},{sig},{id},,0x1234"), "malformed_row"),
        (format!("{digest},{sig},{id},xy,"), "malformed_row"),
        (format!("{},{sig},{id},,", &digest[2..]), "malformed_row"),
        (format!(",{sig},{id},,"), "malformed_row"),
    ];
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.clone()).collect();
    let run = recover(header, &lines, &[]).expect(3);
    for ((line, expected), answer) in cases.iter().zip(run.answers()) {
        assert_eq!(answer["reason"], *expected, "{line}");
        assert_eq!(answer["valid"], *expected == "valid");
        assert_eq!(answer["public_key"].is_null(), *expected != "valid", "{line}");
    }
    let lines = [format!("{digest},{high},{flipped},{key},"), format!("{digest},{high},{flipped},{no_key},")];
    let run = recover(header, &lines, &["--low-s", "require"]).expect(1);
    assert_eq!(run.summary()["high_s_rows"], 2);
    assert_eq!([0, 1].map(|row| run.answers()[row]["reason"].clone()), ["high_s", "bad_public_key"]);
}

#[test]
fn only_ecdsa_can_be_recovered() {
    let row = recoverable(1);
    let (digest, sig, id) = (hex(&row.digest), hex(&row.signature), row.id);
    let lines: Vec<String> = ["ecdsa", "schnorr"].map(|scheme| format!("{scheme},{digest},{sig},{id}")).to_vec();
    let run = recover("scheme,msg_hash,sig,v", &lines, &[]).expect(3).counts([2, 1, 0, 1]);
    assert_eq!(run.answers()[1]["column"], "scheme");
}

#[test]
fn ids_two_and_three_need_a_small_r() {
    // r + n >= p for any r that is not tiny, so there is no such point.
    let row = recoverable(2);
    let line = |id: u8| format!("{},{},{id}", hex(&row.digest), hex(&row.signature));
    let run = recover("msg_hash,sig,v", &[line(2), line(3), line(29)], &[]).expect(1);
    assert!(run.answers().iter().all(|answer| answer["reason"] == "invalid_signature"));
}

/// An Ethereum node answers with the keys `hash`, `from`, `r`, `s`, `v` and `yParity`; who asks adds what was signed.
#[test]
fn transactions_under_the_names_of_json_rpc() {
    let row = recoverable(3);
    let quantity = |bytes: &[u8]| format!("0x{}", hex(bytes).trim_start_matches('0'));
    let (r, s, v) = (quantity(&row.signature[..32]), quantity(&row.signature[32..]), format!("0x{:x}", row.id));
    for keys in [vec!["v"], vec!["yParity"], vec!["v", "yParity"]] {
        let mut transaction = serde_json::json!({
            "hash": "0xabcd", "type": "0x2", "nonce": "0x0", "to": null, "r": r, "s": s, "msg_hash": hex(&row.digest),
        });
        for key in keys {
            transaction[key] = Value::from(v.as_str());
        }
        let run = phalanx_on(transaction.to_string().as_bytes(), ["recover", "-", "--out", "-"]).expect(0);
        let answer = &run.answers()[0];
        assert_eq!((&answer["hash"], &answer["public_key"]), (&Value::from("0xabcd"), &Value::from(hex(&row.key))));
    }
    // A name that is mapped means what it is mapped to, and a transaction's hash is not a digest.
    let line = format!("{{\"id\":1,\"hash\":\"{}\",\"r\":\"{r}\",\"s\":\"{s}\",\"v\":\"{v}\"}}", hex(&row.digest));
    let run = phalanx_on(line.as_bytes(), ["recover", "-", "--columns", "msg_hash=hash", "--out", "-"]).expect(0);
    assert_eq!(run.answers()[0]["id"], 1);
}
