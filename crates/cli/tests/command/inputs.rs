//! Every kind of input, and every type that a column may have.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BinaryArray, DictionaryArray, Int64Array, RecordBatch, StringArray, UInt64Array};
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::crafted::{BROTLI, Column, PLAIN, file, page, plain, shared};
use crate::files::{csv, gzip, hex, json_lines, parquet, parquet_with, table, with_column, zstandard};
use crate::rows::{row, rows};
use crate::running::{directory, path, phalanx, phalanx_on, place};

#[test]
fn every_kind_of_file() {
    let directory = directory();
    let rows = rows(100);
    let (csv, json, parquet) = (csv(&rows), json_lines(&rows), parquet(&table(&rows), 30));
    let with_mark = [&b"\xef\xbb\xbf"[..], csv.as_bytes()].concat();
    let windows = csv.replace('\n', "\r\n");
    for (name, bytes) in [
        ("rows.csv", csv.as_bytes()),
        ("rows.jsonl", json.as_bytes()),
        ("rows.ndjson", json.as_bytes()),
        ("rows.json", json.as_bytes()),
        ("rows.parquet", &parquet),
        ("rows.csv.gz", &gzip(csv.as_bytes())),
        ("rows.csv.zst", &zstandard(csv.as_bytes())),
        ("rows.jsonl.gz", &gzip(json.as_bytes())),
        ("rows.jsonl.zst", &zstandard(json.as_bytes())),
        ("two-members.jsonl.gz", &[gzip(json.as_bytes()), gzip(json.as_bytes())].concat()),
        ("two-frames.csv.zst", &[zstandard(csv.as_bytes()), zstandard(&csv.as_bytes()[30..])].concat()),
        ("packed-without-ending.csv", &gzip(csv.as_bytes())),
        ("marked.csv", &with_mark),
        ("windows.csv", windows.as_bytes()),
        ("no-ending-csv", csv.as_bytes()),
        ("no-ending-json", json.as_bytes()),
        ("no-ending-parquet", &parquet),
        ("unknown.ending", &zstandard(json.as_bytes())),
    ] {
        let count = if name.starts_with("two") { 200 } else { 100 };
        let file = place(&directory, name, bytes);
        phalanx(["verify", "--json", &file]).expect(0).counts([count, count, 0, 0]);
        if !name.starts_with("two") {
            phalanx_on(bytes, ["verify", "--json", "-"]).expect(0).counts([count, count, 0, 0]);
        }
    }
}

#[test]
fn several_files_in_one_run() {
    let directory = directory();
    let rows = rows(60);
    let first = place(&directory, "first.csv", csv(&rows[..10]).as_bytes());
    let second = place(&directory, "second.parquet", &parquet(&table(&rows[10..50]), 7));
    let stdin = json_lines(&rows[50..]);
    let arguments = ["verify", "--json", &first, "-", &second, "--out", "-"];
    let lines = phalanx_on(stdin.as_bytes(), arguments).expect(0).counts([60, 60, 0, 0]).answers();
    let place = |line: usize| (lines[line]["file"].as_str().unwrap(), lines[line]["row"].as_u64().unwrap());
    assert_eq!(place(9), (first.as_str(), 10));
    assert_eq!(place(10), ("standard input", 1));
    assert_eq!(place(59), (second.as_str(), 40));
}

#[cfg(unix)]
#[test]
fn more_inputs_than_files_may_be_open() {
    let directory = directory();
    let rows = rows(2);
    let mut arguments = vec!["verify".to_owned(), "--json".to_owned()];
    for number in 0..40 {
        arguments.push(place(&directory, &format!("{number}.csv"), csv(&rows).as_bytes()));
        arguments.push(place(&directory, &format!("{number}.jsonl"), json_lines(&rows).as_bytes()));
        arguments.push(place(&directory, &format!("{number}.parquet"), &parquet(&table(&rows), 2)));
    }
    let output = crate::running::by_shell("ulimit -n 40; exec \"$@\"").args(arguments).output().unwrap();
    crate::running::Run::of(output).expect(0).counts([240, 240, 0, 0]);
}

#[test]
fn every_parquet_type() {
    let directory = directory();
    let rows = rows(64);
    let signatures: Vec<&[u8]> = rows.iter().map(|row| row.signature.as_slice()).collect();
    let text: Vec<String> = signatures.iter().map(|bytes| hex(bytes)).collect();
    let prefixed: Vec<String> = text.iter().map(|text| format!("0x{}", text.to_uppercase())).collect();
    let dictionary =
        |text: &[String]| text.iter().map(|text| Some(text.as_str())).collect::<DictionaryArray<Int32Type>>();
    // Large types and views are the same in a file; see `phalanx_rows::arrow` for them.
    let arrays: [ArrayRef; 5] = [
        Arc::new(BinaryArray::from_iter_values(&signatures)),
        Arc::new(StringArray::from_iter_values(&text)),
        Arc::new(StringArray::from_iter_values(&prefixed)),
        Arc::new(dictionary(&text)),
        Arc::new(dictionary(&prefixed)),
    ];
    for array in arrays {
        let file = place(&directory, "typed.parquet", &parquet(&with_column(&table(&rows), "sig", &array), 25));
        phalanx(["verify", "--json", &file]).expect(0).counts([64, 64, 0, 0]);
    }
}

#[test]
fn every_codec_that_is_promised() {
    let directory = directory();
    let rows = rows(40);
    for codec in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::LZ4,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        for dictionary in [false, true] {
            let properties = WriterProperties::builder().set_compression(codec).set_dictionary_enabled(dictionary);
            let file = place(&directory, "coded.parquet", &parquet_with(&table(&rows), properties.build()));
            phalanx(["verify", "--json", &file]).expect(0).counts([40, 40, 0, 0]);
        }
    }
}

/// The pages of other programs: our own tests have no encoder for Brotli.
#[test]
fn pages_in_brotli() {
    // 40 times a note, by the encoder of Brotli's authors.
    let packed = "1bc70ae81da9539f38cc6a80b020b1cd0692f6b6e4e860030e1c5a68c1075a9c06879c5a1425d9b515438d06d8bb7ba39aa2f03b39\
                  d0b43dbc47004007";
    let packed = const_hex::decode(packed).unwrap();
    let note = "a note of which brotli makes little, since all rows have the same";
    let size = 40 * plain(note.as_bytes()).len() as i64;
    let row = row(3);
    let columns = |codec, packed: &[u8], size| {
        let values = [("msg_hash", &row.digest), ("pubkey", &row.key), ("sig", &row.signature)];
        let mut columns: Vec<Column<'_>> = values.map(|(name, value)| shared(name, hex(value).as_bytes(), 40)).into();
        columns.push(Column { name: "note", codec, pages: vec![page(40, PLAIN, size, packed)] });
        file(&columns, 40)
    };
    let directory = directory();
    let bytes = columns(BROTLI, &packed, size);
    let file = place(&directory, "brotli.parquet", &bytes);
    let answers = phalanx(["verify", &file, "--keep", "note", "--out", "-"]).expect(0).answers();
    assert!(answers.len() == 40 && answers.iter().all(|answer| answer["note"] == note));
    phalanx_on(&bytes, ["verify", "--json", "-"]).expect(0).counts([40, 40, 0, 0]);
    for (packed, size) in [(&packed[..40], size), (&packed, size - 1), (&packed, size + 1), (&[0xff; 40], size)] {
        let file = place(&directory, "broken.parquet", &columns(BROTLI, packed, size));
        phalanx(["verify", &file, "--keep", "note", "--out", "-"]).expect(2);
    }
    // LZO, which nobody reads, is named.
    let file = place(&directory, "lzo.parquet", &columns(3, &packed, size));
    let error = phalanx(["verify", &file, "--keep", "note", "--out", "-"]).expect(2).stderr;
    assert!(error.contains("column `note` is compressed by LZO, which is not read"), "{error}");
}

#[test]
fn every_encoding_of_values() {
    let directory = directory();
    let mut rows = rows(300);
    // Values that share their beginnings, and enough of them for several blocks of lengths.
    rows.iter_mut().for_each(|row| row.id = format!("{}-{}", "shared".repeat(9), row.id));
    let bare = table(&rows);
    let nullable = with_column(&bare, "none", &(Arc::new(StringArray::from(vec!["x"])) as ArrayRef));
    for table in [bare, nullable] {
        for encoding in [Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
            for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
                for codec in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
                    let mut properties = WriterProperties::builder().set_writer_version(version);
                    for name in ["id", "pubkey", "sig"] {
                        properties = properties.set_column_encoding(name.into(), encoding);
                    }
                    properties = properties.set_compression(codec).set_dictionary_enabled(false);
                    properties = properties.set_data_page_row_count_limit(140).set_write_batch_size(20);
                    let file = place(&directory, "encoded.parquet", &parquet_with(&table, properties.build()));
                    let out = path(&directory, "out.csv");
                    phalanx(["verify", "--json", &file, "--out", &out]).expect(0).counts([300, 300, 0, 0]);
                    let text = std::fs::read_to_string(&out).unwrap();
                    assert!(text.lines().skip(1).zip(&rows).all(|(line, row)| line.starts_with(&row.id)), "{encoding}");
                }
            }
        }
    }
}

#[test]
fn other_names_for_columns() {
    let rows = rows(16);
    let named = |names: &str| csv(&rows).replace("id,scheme,msg_hash,pubkey,sig", names);
    let odd = named("what,how,hashed,by whom,mark");
    let json = json_lines(&rows).replace("\"sig\"", "\"mark\"").replace("\"msg_hash\"", "\"digest\"");
    let map = "id=what,scheme=how,msg_hash=hashed,pubkey=by whom,signature=mark";
    for (text, options) in [
        (&named("transaction_hash,scheme,sighash,public_key,signature"), &[][..]),
        (&odd, &["--columns", map]),
        (&json, &["--columns", "sig=mark"]),
    ] {
        let arguments = ["verify", "--json", "-"].iter().chain(options);
        phalanx_on(text.as_bytes(), arguments).expect(0).counts([16, 16, 0, 0]);
    }
    let failed = phalanx_on(odd.as_bytes(), ["verify", "--format", "csv", "-"]).expect(2);
    assert!(failed.stderr.contains("no column `msg_hash`") && failed.stderr.contains("by whom"), "{}", failed.stderr);
}

#[test]
fn the_scheme_follows_from_the_key_where_no_column_names_it() {
    let rows = rows(16);
    let text: String = csv(&rows).lines().map(|line| line.replacen("scheme,", "", 1) + "\n").collect();
    let text = text.replace(",ecdsa,", ",").replace(",schnorr,", ",");
    phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([16, 16, 0, 0]);
    let json = json_lines(&rows).replace("\"scheme\":\"ecdsa\",", "").replace("\"scheme\":\"schnorr\",", "");
    phalanx_on(json.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([16, 16, 0, 0]);
}

#[test]
fn schnorr_messages_of_any_length() {
    let mut lines = String::new();
    for length in [0, 1, 31, 32, 33, 64, 1000] {
        let pair = phalanx::Keypair::from_secret(crate::rows::secret(length));
        let message = vec![length as u8; length as usize];
        let signature = phalanx::schnorr::sign(&message, &pair, &[1; 32]);
        let (key, signature) = (hex(&pair.x_only().to_bytes()), hex(&signature.to_bytes()));
        lines += &format!("{},schnorr,{},,{key},{signature}\n", length, hex(&message));
    }
    let digest = crate::rows::row(6);
    let (hash, key, signature) = (hex(&digest.digest), hex(&digest.key), hex(&digest.signature));
    lines += &format!("both,schnorr,ffff,{hash},{key},{signature}\n");
    let text = format!("id,scheme,message,msg_hash,pubkey,sig\n{lines}");
    phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([8, 8, 0, 0]);
}

#[test]
fn only_the_columns_that_matter_are_read() {
    let directory = directory();
    let rows = rows(8);
    let table = table(&rows);
    let names = table.schema_ref().fields().iter().map(|field| field.name().clone());
    let mut columns: Vec<(String, ArrayRef)> = names.zip(table.columns().iter().cloned()).collect();
    columns.insert(2, ("noise".to_owned(), Arc::new(UInt64Array::from_iter_values(0..8))));
    columns.push(("more".to_owned(), Arc::new(Int64Array::from_iter_values(0..8))));
    let wide = RecordBatch::try_from_iter(columns).unwrap();
    let file = place(&directory, "wide.parquet", &parquet(&wide, 3));
    phalanx(["verify", "--json", &file]).expect(0).counts([8, 8, 0, 0]);
    let run = phalanx(["verify", &file, "--keep", "more,noise,id", "--out", "-"]).expect(0);
    let line = r#"{"id":"row-3","more":3,"noise":3,"row":4,"valid":true,"reason":"valid","column":null}"#;
    assert_eq!(run.stdout.lines().nth(3), Some(line));
}

#[test]
fn empty_inputs_are_empty_answers() {
    let directory = directory();
    let table = parquet(&table(&rows(8)).slice(0, 0), 8);
    for (name, bytes) in [
        ("header.csv", &b"msg_hash,pubkey,sig\n"[..]),
        ("nothing.jsonl", b""),
        ("blank.jsonl", b"\n  \n\r\n"),
        ("empty.parquet", &table),
    ] {
        phalanx(["verify", "--json", &place(&directory, name, bytes)]).expect(0).counts([0, 0, 0, 0]);
    }
    phalanx_on(b"", ["verify", "--json", "-"]).expect(0).counts([0, 0, 0, 0]);
}
