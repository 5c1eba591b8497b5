//! What is wrong with a row is that row's verdict, in every kind of file, and touches no other row.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, Float64Array, Int64Array, NullArray, RecordBatch};
use serde_json::Value;

use crate::files::{csv, hex, json_line, json_lines, parquet, with_column};
use crate::rows::{ORDER, Signed, row, rows, with_high_s};
use crate::running::{Run, directory, phalanx, phalanx_on, place};

/// Rows that are wrong in one way each, with the verdict that CSV, JSON lines and Parquet must all give.
fn bad_rows() -> Vec<(Signed, &'static str)> {
    const PRIME: &str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    let order = const_hex::decode(ORDER).unwrap();
    let prime = const_hex::decode(PRIME).unwrap();
    let (der, compact, with_id, schnorr) = (row(0), row(3), row(5), row(6));
    let changed = |row: &Signed, change: &dyn Fn(&mut Signed)| {
        let mut row = row.clone();
        change(&mut row);
        row
    };
    let mut bad = Vec::new();
    let mut add = |reason, row: &Signed, change: &dyn Fn(&mut Signed)| bad.push((changed(row, change), reason));

    for length in [0, 31, 33, 64] {
        add("malformed_row", &der, &move |row| row.digest = vec![1; length]);
        add("malformed_row", &schnorr, &move |row| row.digest = vec![1; length]);
    }
    add("malformed_row", &der, &|row| row.scheme = "rsa");
    for length in [0, 1, 32, 34, 64, 66] {
        add("bad_public_key", &der, &move |row| row.key.resize(length, 2));
    }
    add("bad_public_key", &der, &|row| row.key[0] = 5);
    add("bad_public_key", &der, &|row| row.key[1..].copy_from_slice(&prime));
    add("bad_public_key", &row(2), &|row| row.key[64] ^= 1);
    add("bad_public_key", &row(2), &|row| row.key[0] = 6 + (row.key[64] & 1));
    add("bad_public_key", &schnorr, &|row| row.key.copy_from_slice(&prime));
    add("bad_public_key", &schnorr, &|row| row.key.push(0));
    add("bad_signature_encoding", &der, &|row| row.signature.clear());
    add("bad_signature_encoding", &der, &|row| row.signature.push(0));
    add("bad_signature_encoding", &der, &|row| row.signature.truncate(20));
    add("bad_signature_encoding", &der, &|row| row.signature[0] = 0x31);
    add("bad_signature_encoding", &compact, &|row| row.signature.truncate(63));
    add("bad_signature_encoding", &schnorr, &|row| row.signature.truncate(63));
    add("bad_signature_encoding", &schnorr, &|row| row.signature.push(0));
    for value in [vec![0; 32], order.clone(), vec![0xff; 32]] {
        for half in [0..32, 32..64] {
            let value = value.clone();
            add("out_of_range", &compact, &move |row| row.signature[half.clone()].copy_from_slice(&value));
        }
    }
    add("out_of_range", &schnorr, &|row| row.signature[..32].copy_from_slice(&prime));
    add("out_of_range", &schnorr, &|row| row.signature[32..].copy_from_slice(&order));
    add("out_of_range", &with_id, &|row| row.signature[64] = 4);
    for good in [&der, &compact, &with_id, &schnorr] {
        add("invalid_signature", good, &|row| row.digest[31] ^= 1);
        add("invalid_signature", good, &|row| row.key = self::row(if row.key.len() == 32 { 7 } else { 1 }).key);
    }
    add("invalid_signature", &compact, &|row| row.signature.rotate_left(32));
    bad
}

/// Every bad row between two good ones.
fn among_good(bad: &[(Signed, &'static str)]) -> (Vec<Signed>, Vec<&'static str>) {
    let mut rows = vec![row(0)];
    let mut reasons = vec!["valid"];
    for (number, (bad, reason)) in bad.iter().enumerate() {
        rows.extend([bad.clone(), row(number as u32)]);
        reasons.extend([reason, "valid"]);
    }
    (rows, reasons)
}

fn reasons(run: &Run) -> Vec<String> {
    run.answers().iter().map(|line| line["reason"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_bad_row_alone_and_the_others_unchanged() {
    let directory = directory();
    let (rows, expected) = among_good(&bad_rows());
    let binary = |bytes: &dyn Fn(&Signed) -> Vec<u8>| {
        Arc::new(BinaryArray::from_iter_values(rows.iter().map(bytes))) as ArrayRef
    };
    let table = RecordBatch::try_from_iter([
        ("scheme", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.scheme))) as ArrayRef),
        ("msg_hash", binary(&|row| row.digest.clone())),
        ("pubkey", binary(&|row| row.key.clone())),
        ("sig", binary(&|row| row.signature.clone())),
    ])
    .unwrap();
    let json = place(&directory, "rows.jsonl", json_lines(&rows).as_bytes());
    let table = place(&directory, "rows.parquet", &parquet(&table, 50));
    for file in [&json, &table] {
        let run = phalanx(["verify", "--json", file, "--out", "-"]).expect(3);
        assert_eq!(reasons(&run), expected, "{file}");
        let count = |reason: &str| expected.iter().filter(|other| **other == reason).count();
        for (reason, rows) in run.summary()["reasons"].as_object().unwrap() {
            assert_eq!(rows.as_u64().unwrap() as usize, count(reason), "{reason}");
        }
    }
    // In CSV an empty field is a missing one.
    let run = phalanx_on(csv(&rows).as_bytes(), ["verify", "-", "--out", "-"]).expect(3);
    for ((found, expected), row) in reasons(&run).iter().zip(&expected).zip(&rows) {
        let empty = row.key.is_empty() || row.signature.is_empty();
        assert_eq!(found, if empty { "malformed_row" } else { expected });
    }
}

/// One malformed row between two good ones: its verdict, and the column that is named.
#[track_caller]
fn malformed(text: &str, column: Option<&str>, fault: &str) {
    let run = phalanx_on(text.as_bytes(), ["verify", "--json", "-", "--out", "-"]).expect(3).counts([3, 2, 0, 1]);
    let line = &run.answers()[1];
    assert_eq!((&line["reason"], &line["row"]), (&Value::from("malformed_row"), &Value::from(2)));
    assert_eq!(line["column"], column.map_or(Value::Null, Value::from), "{text}");
    assert!(run.stderr.contains("row 2: malformed_row") && run.stderr.contains(fault), "{}", run.stderr);
}

#[test]
fn malformed_json_lines() {
    let rows = rows(3);
    let good = json_line(&rows[1]);
    let value = |name: &str| serde_json::from_str::<Value>(&good).unwrap()[name].to_string();
    let with =
        |name: &str, new: &str| good.replace(&format!("\"{name}\":{}", value(name)), &format!("\"{name}\":{new}"));
    let without = |name: &str| good.replace(&format!("\"{name}\":{}", value(name)), "\"other\":1");
    let text = |line: &str| format!("{}\n{line}\n{}\n", json_line(&rows[0]), json_line(&rows[2]));
    for name in ["msg_hash", "pubkey", "sig", "scheme"] {
        for new in ["12", "true", "[1,2]"] {
            malformed(&text(&with(name, new)), Some(name), "wrong type");
        }
        for new in ["\"0xzz\"", "\"abc\""] {
            let fault = if name == "scheme" { "unknown scheme" } else { "not hex" };
            malformed(&text(&with(name, new)), Some(name), fault);
        }
        malformed(&text(&with(name, "null")), Some(name), "null or empty");
        if name != "scheme" {
            malformed(&text(&without(name)), Some(name), "missing");
        }
        malformed(&text(&format!("{},\"{name}\":\"00\"}}", good.trim_end_matches('}'))), Some(name), "named twice");
    }
    for line in ["{", "[]", "1", "\"text\"", "null", "{} {}", &good[..40], &format!("{good}x"), "{\"a\":}"] {
        malformed(&text(line), None, "not a JSON object");
    }
    phalanx_on(text(&with("sig", "\"\\u0030x00\"")).as_bytes(), ["verify", "--json", "-"])
        .expect(1)
        .counts([3, 2, 1, 0]);

    let mut bytes = text("x").into_bytes();
    let middle = text("x").find("\nx\n").unwrap() + 1;
    bytes[middle] = 0xff;
    phalanx_on(&bytes, ["verify", "--json", "-"]).expect(3).counts([3, 2, 0, 1]);
}

#[test]
fn malformed_csv_records() {
    let rows = rows(3);
    let header = "id,scheme,msg_hash,pubkey,sig";
    let line = |row: &Signed| csv(std::slice::from_ref(row)).lines().nth(1).unwrap().to_owned();
    let text = |middle: &str| format!("{header}\n{}\n{middle}\n{}\n", line(&rows[0]), line(&rows[2]));
    let fields = |place: usize, new: &str| {
        let middle = line(&rows[1]);
        let mut fields: Vec<&str> = middle.split(',').collect();
        fields[place] = new;
        fields.join(",")
    };
    for (place, name) in ["scheme", "msg_hash", "pubkey", "sig"].into_iter().enumerate() {
        malformed(&text(&fields(place + 1, "")), Some(name), "null or empty");
        let fault = if name == "scheme" { "unknown scheme" } else { "not hex" };
        malformed(&text(&fields(place + 1, "xy")), Some(name), fault);
        malformed(&text(&fields(place + 1, "abc")), Some(name), fault);
    }
    // A comma within quotes is no end of a field.
    let quoted = text(&fields(0, "\"a, \"\"b\"\"\""));
    phalanx_on(quoted.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([3, 3, 0, 0]);
    malformed(&text(&format!("{},more", line(&rows[1]))), None, "fields");
    malformed(&text("a,ecdsa,00"), None, "fields");
    malformed(&text("nothing"), None, "fields");
}

#[test]
fn malformed_parquet_columns() {
    let directory = directory();
    let rows = rows(6);
    let good = crate::files::table(&rows);
    let nulls = |bytes: &dyn Fn(&Signed) -> Vec<u8>| {
        let values = rows.iter().enumerate().map(|(place, row)| (place != 2).then(|| bytes(row)));
        Arc::new(values.collect::<BinaryArray>()) as ArrayRef
    };
    let fixed = FixedSizeBinaryArray::try_from_iter(rows.iter().map(|row| &row.digest[..31])).unwrap();
    let cases: [(&str, ArrayRef, u64, &str); 9] = [
        ("msg_hash", nulls(&|row| row.digest.clone()), 1, "null or empty"),
        ("pubkey", nulls(&|row| row.key.clone()), 1, "null or empty"),
        ("sig", nulls(&|row| row.signature.clone()), 1, "null or empty"),
        ("msg_hash", Arc::new(fixed), 6, "wrong length"),
        ("msg_hash", Arc::new(Int64Array::from(vec![1; 6])), 6, "wrong type"),
        ("pubkey", Arc::new(Float64Array::from(vec![1.0; 6])), 6, "wrong type"),
        ("sig", Arc::new(NullArray::new(6)), 6, "null or empty"),
        ("scheme", Arc::new(Int64Array::from(vec![1; 6])), 6, "wrong type"),
        ("sig", Arc::new(StringArray::from(vec!["quite"; 6])), 6, "not hex"),
    ];
    for (name, array, count, fault) in cases {
        let file = place(&directory, "bad.parquet", &parquet(&with_column(&good, name, &array), 4));
        let run = phalanx(["verify", "--json", &file]).expect(3).counts([6, 6 - count, 0, count]);
        assert!(run.stderr.contains(&format!("malformed_row: {name}: {fault}")), "{}", run.stderr);
    }
}

#[test]
fn policies_are_applied_as_asked() {
    let directory = directory();
    let mut rows = rows(8);
    rows[3].signature = with_high_s(&rows[3].signature);
    rows[5].signature.truncate(64);
    rows[5].signature = with_high_s(&rows[5].signature);
    let file = place(&directory, "high.csv", csv(&rows).as_bytes());
    let allowed = phalanx(["verify", "--json", &file]).expect(0).counts([8, 8, 0, 0]);
    assert_eq!(allowed.summary()["high_s_rows"], 2);
    let refused = phalanx(["verify", "--json", "--low-s", "require", &file]).expect(1).counts([8, 6, 2, 0]);
    assert_eq!(refused.summary()["high_s_rows"], 2);
    assert_eq!(refused.summary()["reasons"]["high_s"], 2);

    let mut rows = vec![row(0), row(2)];
    rows[0].signature.push(0);
    rows[1].key[0] = 6 + (rows[1].key[64] & 1);
    let file = place(&directory, "lax.csv", csv(&rows).as_bytes());
    let strict = phalanx(["verify", "--json", &file]).expect(1).counts([2, 0, 2, 0]);
    assert_eq!(strict.summary()["reasons"]["bad_signature_encoding"], 1);
    phalanx(["verify", "--json", "--der", "lax", &file]).expect(1).counts([2, 1, 1, 0]);
    phalanx(["verify", "--json", "--der", "lax", "--hybrid-keys", &file]).expect(0).counts([2, 2, 0, 0]);
}

#[test]
fn numbers_in_columns_of_their_own() {
    let compact = row(3);
    let (r, s) = (hex(&compact.signature[..32]), hex(&compact.signature[32..]));
    let (digest, key) = (hex(&compact.digest), hex(&compact.key));
    let mut text = "msg_hash,pubkey,r,s\n".to_owned();
    let mut add = |r: &str, s: &str| text += &format!("{digest},{key},{r},{s}\n");
    add(&r, &s);
    add(&format!("0x{r}"), &s);
    add(&format!("00{r}"), &s);
    add("0x1", "0x2");
    add("0", &s);
    add("", &s);
    add("xyz", &s);
    let run = phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([7, 2, 3, 2]);
    for (reason, count) in [("bad_signature_encoding", 1), ("invalid_signature", 1), ("out_of_range", 1)] {
        assert_eq!(run.summary()["reasons"][reason], count, "{reason}");
    }
    assert!(run.stderr.contains("row 6: malformed_row: r: null or empty"), "{}", run.stderr);
    assert!(run.stderr.contains("row 7: malformed_row: r: not hex"), "{}", run.stderr);
}

#[test]
fn the_first_bad_rows_are_told_and_the_rest_counted() {
    let rows: Vec<Signed> = (0..64).map(|number| Signed { digest: vec![9; 32], ..row(number) }).collect();
    let text = csv(&rows);
    let arguments = ["verify", "-", "--block-rows", "3"];
    let run = phalanx_on(text.as_bytes(), arguments).expect(1);
    assert_eq!(run.stderr.lines().count(), 11, "{}", run.stderr);
    assert_eq!(run.stderr.lines().next().unwrap(), "standard input: row 1: invalid_signature");
    assert_eq!(run.stderr.lines().last().unwrap(), "and 54 more rows that are not valid");
    assert_eq!(phalanx_on(text.as_bytes(), ["verify", "-", "-q"]).expect(1).stderr, "");
}
