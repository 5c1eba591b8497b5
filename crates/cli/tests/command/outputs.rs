//! The output: its formats, its columns, and that it appears whole or not at all.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};

use crate::files::{csv, hex, json_lines, parquet, read_parquet, table, with_column};
use crate::rows::{Signed, row, rows};
use crate::running::{directory, names, path, phalanx, phalanx_on, place};

fn three_rows() -> Vec<Signed> {
    let mut rows = rows(3);
    rows[0].id = "with, \"comma\"".to_owned();
    rows[1].digest[0] ^= 1;
    rows[2].digest.pop();
    rows
}

#[test]
fn the_same_answers_in_every_format() {
    let directory = directory();
    let file = place(&directory, "rows.jsonl", json_lines(&three_rows()).as_bytes());
    let out = |ending: &str| path(&directory, &format!("out.{ending}"));
    for ending in ["csv", "jsonl", "ndjson", "parquet"] {
        phalanx(["verify", &file, "--out", &out(ending)]).expect(3);
    }
    assert_eq!(
        std::fs::read_to_string(out("csv")).unwrap(),
        "id,row,valid,reason,column\n\"with, \"\"comma\"\"\",1,true,valid,\nrow-1,2,false,invalid_signature,\n\
         row-2,3,false,malformed_row,msg_hash\n"
    );
    assert_eq!(
        std::fs::read_to_string(out("jsonl")).unwrap(),
        "{\"id\":\"with, \\\"comma\\\"\",\"row\":1,\"valid\":true,\"reason\":\"valid\",\"column\":null}\n\
         {\"id\":\"row-1\",\"row\":2,\"valid\":false,\"reason\":\"invalid_signature\",\"column\":null}\n\
         {\"id\":\"row-2\",\"row\":3,\"valid\":false,\"reason\":\"malformed_row\",\"column\":\"msg_hash\"}\n"
    );
    assert_eq!(std::fs::read(out("jsonl")).unwrap(), std::fs::read(out("ndjson")).unwrap());
    let table = read_parquet(&out("parquet"));
    let column = |name: &str| Arc::clone(table.column_by_name(name).unwrap());
    let ids = StringArray::from(vec!["with, \"comma\"", "row-1", "row-2"]);
    assert_eq!(column("id").as_string::<i32>(), &ids);
    assert_eq!(column("row").as_primitive::<UInt64Type>().values(), &[1, 2, 3]);
    assert_eq!(column("valid").as_boolean(), &BooleanArray::from(vec![true, false, false]));
    let reasons = StringArray::from(vec!["valid", "invalid_signature", "malformed_row"]);
    assert_eq!(column("reason").as_string::<i32>(), &reasons);
    assert_eq!(column("column").as_string::<i32>(), &StringArray::from(vec![None, None, Some("msg_hash")]));
}

#[test]
fn ids_of_any_type_pass_through() {
    let directory = directory();
    let rows = rows(3);
    let good = table(&rows);
    let numbered: ArrayRef = Arc::new(Int64Array::from(vec![Some(-7), None, Some(i64::MAX)]));
    let binary = good.column_by_name("msg_hash").unwrap();
    let hashes = [0, 1, 2].map(|place| hex(&rows[place].digest));
    for (ids, text, quote) in
        [(&numbered, ["-7", "", "9223372036854775807"].map(str::to_owned), ""), (binary, hashes, "\"")]
    {
        let file = place(&directory, "typed.parquet", &parquet(&with_column(&good, "id", ids), 2));
        let out = |format| phalanx(["verify", &file, "--out", "-", "--out-format", format]).expect(0).stdout;
        for ((line, json), id) in out("csv").lines().skip(1).zip(out("jsonl").lines()).zip(text) {
            assert!(line.starts_with(&format!("{id},")), "{line}");
            let id = if id.is_empty() { "null".to_owned() } else { format!("{quote}{id}{quote}") };
            assert!(json.starts_with(&format!("{{\"id\":{id},")), "{json}");
        }
        let table = path(&directory, "out.parquet");
        phalanx(["verify", &file, "--out", &table]).expect(0);
        assert_eq!(read_parquet(&table).column_by_name("id").unwrap(), ids);
    }
}

#[test]
fn json_values_pass_through_as_they_are() {
    let directory = directory();
    let mut lines = String::new();
    let values = ["7", "1.50", "\"a\\u00e9\\n\"", "null", "[1, {\"b\":2}]", "true"];
    for (number, id) in values.into_iter().enumerate() {
        let line = json_lines(&[row(number as u32)]);
        lines += &line.replace(&format!("\"row-{number}\""), id);
    }
    let file = place(&directory, "rows.jsonl", lines.as_bytes());
    let table = path(&directory, "out.parquet");
    let text = phalanx(["verify", &file, "--out", "-"]).expect(0).stdout;
    let ids: Vec<&str> = text.lines().map(|line| &line[6..line.find(",\"row\"").unwrap()]).collect();
    assert_eq!(ids, values);
    phalanx(["verify", &file, "--out", &table]).expect(0);
    let ids =
        StringArray::from(vec![Some("7"), Some("1.50"), Some("aé\n"), None, Some("[1, {\"b\":2}]"), Some("true")]);
    assert_eq!(read_parquet(&table).column(0).as_string::<i32>(), &ids);
}

#[test]
fn numbers_stay_numbers_in_json() {
    let directory = directory();
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), Some(f64::NAN), None]));
    let table = with_column(&table(&rows(3)), "id", &floats);
    let file = place(&directory, "rows.parquet", &parquet(&table, 3));
    let run = phalanx(["verify", &file, "--out", "-"]).expect(0);
    let ids: Vec<_> = run.answers().iter().map(|line| line["id"].clone()).collect();
    assert_eq!(ids, [serde_json::json!(1.5), serde_json::json!("NaN"), serde_json::Value::Null]);
}

#[test]
fn names_do_not_clash() {
    let directory = directory();
    let text = csv(&rows(3)).replacen("id,", "valid,", 1);
    let file = place(&directory, "rows.csv", text.as_bytes());
    let out = path(&directory, "out.csv");
    let run = phalanx(["verify", &file, "--keep", "valid", "--out", &out]).expect(2);
    assert!(run.stderr.contains("two columns `valid`"), "{}", run.stderr);
    phalanx(["verify", &file, "--out", &out]).expect(0);
}

#[test]
fn inputs_with_different_ids_share_a_text_column() {
    let directory = directory();
    let rows = rows(4);
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![5, 6]));
    let numbered = with_column(&table(&rows[..2]), "id", &numbers);
    let first = place(&directory, "first.parquet", &parquet(&numbered, 10));
    let second = place(&directory, "second.csv", csv(&rows[2..3]).as_bytes());
    let third: String = csv(&rows[3..]).lines().map(|line| line.split_once(',').unwrap().1.to_owned() + "\n").collect();
    let third = place(&directory, "third.csv", third.as_bytes());
    let out = path(&directory, "out.parquet");
    phalanx(["verify", &first, &second, &third, "--out", &out]).expect(0);
    let ids = StringArray::from(vec![Some("5"), Some("6"), Some("row-2"), None]);
    assert_eq!(read_parquet(&out).column_by_name("id").unwrap().as_string::<i32>(), &ids);
    assert_eq!(read_parquet(&out).column_by_name("file").unwrap().as_string::<i32>().value(3), third);
}

#[test]
fn standard_output_takes_the_rows_and_standard_error_the_summary() {
    let text = json_lines(&three_rows());
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--out", "-", "--json", "-q"]).expect(3);
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(run.stdout.lines().all(|line| line.starts_with("{\"id\"")));
    run.counts([3, 1, 1, 1]);
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--out", "-", "--out-format", "csv", "-q"]).expect(3);
    assert!(run.stdout.starts_with("id,row,valid,reason,column\n"));
}

#[test]
fn an_output_replaces_what_was_there_only_when_it_is_complete() {
    let directory = directory();
    let good = place(&directory, "good.csv", csv(&rows(8)).as_bytes());
    let bad = place(&directory, "bad.jsonl.gz", &crate::files::gzip(json_lines(&rows(8)).as_bytes())[..300]);
    // Longer than what comes in its place, of which nothing may be left behind the new rows.
    let before = "what was there\n".repeat(100);
    let out = place(&directory, "out.csv", before.as_bytes());
    phalanx(["verify", &good, &bad, "--out", &out]).expect(2);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), before);
    phalanx(["verify", &good, "--out", &out]).expect(0);
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.starts_with("id,row") && !written.contains("what was there"), "{written}");
    assert_eq!(names(directory.path()), ["bad.jsonl.gz", "good.csv", "out.csv"]);
    let nowhere = path(&directory, "no/such/place.csv");
    assert!(phalanx(["verify", &good, "--out", &nowhere]).expect(2).stderr.contains("place.csv"));
}

#[test]
fn large_tables_have_bounded_row_groups_and_all_rows() {
    let directory = directory();
    let line = json_lines(&[Signed { digest: vec![0; 31], ..row(0) }]);
    let count = 140_000;
    let out = path(&directory, "out.parquet");
    let text = line.repeat(count as usize);
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--json", "-q", "--out", &out]).expect(3);
    run.counts([count, 0, 0, count]);
    let table = read_parquet(&out);
    let numbers = table.column_by_name("row").unwrap();
    assert_eq!((table.num_rows() as u64, numbers.null_count()), (count, 0));
    assert!(numbers.as_primitive::<UInt64Type>().values().iter().copied().eq(1..=count));
}
