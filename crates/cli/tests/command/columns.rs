//! What a column may hold beside what it is for, and what happens where one is missing.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Decimal128Array, DictionaryArray, Float32Array, Float64Array, ListArray, RecordBatch,
    TimestampMillisecondArray,
};
use arrow_schema::DataType;

use crate::files::{hex, json_lines, parquet, read_parquet, table, with_column};
use crate::rows::{Recoverable, recoverable, row, rows};
use crate::running::{directory, json_lines as read_lines, path, phalanx, phalanx_on, place};

#[test]
fn categories_are_values_kept_or_not() {
    let directory = directory();
    let rows = rows(24);
    for (name, text) in [
        ("pubkey", rows.iter().map(|row| hex(&row.key)).collect::<Vec<_>>()),
        ("sig", rows.iter().map(|row| hex(&row.signature)).collect()),
        ("scheme", rows.iter().map(|row| row.scheme.to_owned()).collect()),
    ] {
        let categories: DictionaryArray<Int32Type> = text.iter().map(|text| Some(text.as_str())).collect();
        let table = with_column(&table(&rows), name, &(Arc::new(categories) as ArrayRef));
        let file = place(&directory, "categories.parquet", &parquet(&table, 10));
        for out in ["out.parquet", "out.jsonl", "out.csv"].map(|out| path(&directory, out)) {
            phalanx(["verify", "--json", &file, "--keep", name, "--out", &out]).expect(0).counts([24, 24, 0, 0]);
        }
        let lines = read_lines(&path(&directory, "out.jsonl"));
        assert!(lines.iter().zip(&text).all(|(line, text)| line[name] == **text));
        let kept = read_parquet(&path(&directory, "out.parquet"));
        let kept = arrow_cast::cast(kept.column_by_name(name).unwrap(), &DataType::Utf8).unwrap();
        assert_eq!(*kept, arrow_array::StringArray::from(text));
    }
}

#[test]
fn groups_and_lists_are_no_values() {
    let directory = directory();
    let rows = rows(6);
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>((0..6).map(|row| Some(vec![Some(row); 3])));
    let lists: ArrayRef = Arc::new(lists);
    let file = place(&directory, "list.parquet", &parquet(&with_column(&table(&rows), "pubkey", &lists), 6));
    phalanx(["verify", "--json", &file]).expect(3).counts([6, 0, 0, 6]);
    let file = place(&directory, "list.parquet", &parquet(&with_column(&table(&rows), "id", &lists), 6));
    let run = phalanx(["verify", &file]).expect(2);
    assert!(run.stderr.contains("`id` is a group or a list"), "{}", run.stderr);
    phalanx(["verify", "--json", &file, "--columns", "id=scheme"]).expect(0);
}

#[test]
fn moments_are_kept_in_utc() {
    let directory = directory();
    let moments = TimestampMillisecondArray::from(vec![1_700_000_000_000; 3]).with_timezone("+01:00");
    let zoned: ArrayRef = Arc::new(moments);
    let file = place(&directory, "zoned.parquet", &parquet(&with_column(&table(&rows(3)), "id", &zoned), 3));
    let run = phalanx(["verify", &file, "--out", "-"]).expect(0);
    assert_eq!(run.answers()[0]["id"], "2023-11-14T22:13:20Z");
}

#[test]
fn whole_numbers_of_any_type_are_recovery_ids() {
    let directory = directory();
    let rows: Vec<_> = (0..30).map(recoverable).collect();
    let v = |place: usize| i32::from(rows[place].id) + 27;
    let decimals = |precision, scale: i8| {
        let one = 10_i128.pow(scale as u32);
        let decimals = Decimal128Array::from_iter_values((0..30).map(|place| i128::from(v(place)) * one));
        Arc::new(decimals.with_precision_and_scale(precision, scale).unwrap()) as ArrayRef
    };
    let half = Float64Array::from_iter_values((0..30).map(|place| f64::from(v(place)) + 0.5));
    for (array, status) in [
        (Arc::new(Float64Array::from_iter_values((0..30).map(|place| v(place).into()))) as ArrayRef, 0),
        (Arc::new(Float32Array::from_iter_values((0..30).map(|place| v(place) as f32))), 0),
        (decimals(9, 0), 0),
        (decimals(18, 4), 0),
        (decimals(38, 18), 0),
        (Arc::new(half), 3),
    ] {
        let binary = |bytes: &dyn Fn(usize) -> Vec<u8>| {
            Arc::new(arrow_array::BinaryArray::from_iter_values((0..30).map(bytes))) as ArrayRef
        };
        let columns = [
            ("msg_hash", binary(&|place| rows[place].digest.to_vec())),
            ("sig", binary(&|place| rows[place].signature.to_vec())),
            ("v", array),
        ];
        let file = place(&directory, "v.parquet", &parquet(&RecordBatch::try_from_iter(columns).unwrap(), 30));
        let run = phalanx(["recover", "--json", &file]).expect(status);
        assert!(status == 0 || run.stderr.contains("v: not a number"), "{}", run.stderr);
    }
}

#[test]
fn one_rule_for_recovery_ids_wherever_they_stand() {
    let Recoverable { digest, signature, id, key } = recoverable(7);
    let [digest, sig, key] = [&digest[..], &signature, &key].map(hex);
    let other = id ^ 1;
    for (v, right, found) in [
        (i64::from(id), true, true),
        (i64::from(id) + 27, true, true),
        (i64::from(id) + 37, true, true),
        (254 + i64::from(id ^ 1), true, true),
        (i64::from(other), false, true),
        (4, false, false),
        (26, false, false),
        (31, false, false),
        (34, false, false),
    ] {
        let byte = hex(&[v as u8]);
        for text in [
            format!("msg_hash,pubkey,sig,v\n{digest},{key},{sig},{v}\n"),
            format!("msg_hash,pubkey,sig\n{digest},{key},{sig}{byte}\n"),
            // A 65th byte comes first, whatever stands beside it.
            format!("msg_hash,pubkey,sig,v\n{digest},{key},{sig}{byte},nonsense\n"),
        ] {
            // A byte behind r and s is EIP-155 only if asked for.
            let asked = v >= 35 && !text.contains(&format!(",{v}\n"));
            for (job, good) in [("recover", right), ("verify", found)] {
                if asked {
                    let run = phalanx_on(text.as_bytes(), [job, "--json", "-"]).expect(1);
                    assert_eq!(run.summary()["reasons"]["out_of_range"], 1, "{job} {text}");
                    assert!(run.stderr.contains("--v eip155"), "{}", run.stderr);
                }
                let options = if asked { &["--v", "eip155"][..] } else { &[] };
                let run = phalanx_on(text.as_bytes(), [job, "--json", "-"].iter().chain(options));
                let run = run.expect(i32::from(!good));
                let reason = if good {
                    "valid"
                } else if found {
                    "invalid_signature"
                } else {
                    "out_of_range"
                };
                assert_eq!(run.summary()["reasons"][reason], 1, "{job} {text}");
            }
        }
    }
    let text = format!("msg_hash,pubkey,sig,v\n{digest},{key},{sig},nonsense\n{digest},{key},{sig},\n");
    phalanx_on(text.as_bytes(), ["recover", "--json", "-"]).expect(3).counts([2, 0, 0, 2]);
    phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([2, 1, 0, 1]);
}

#[test]
fn a_missing_column_is_one_error() {
    let directory = directory();
    let rows: Vec<_> = (0..40).map(recoverable).collect();
    let line = |row: &Recoverable| format!("{},{}\n", hex(&row.digest), hex(&row.signature));
    let bare = format!("msg_hash,sig\n{}", rows.iter().map(line).collect::<String>());
    let many: String = (0..500).map(|number| format!("column_{number},")).collect();
    for text in [bare.clone(), format!("{many}{bare}")] {
        let file = place(&directory, "bare.csv", text.as_bytes());
        for (job, lack) in [("recover", "no column `v`"), ("verify", "no column `pubkey`")] {
            // With so many columns before them, the rows are short as well.
            let run = phalanx([job, "--json", &file]);
            if job == "recover" && text.starts_with("column_") {
                run.expect(3);
                continue;
            }
            let run = run.expect(2);
            let told = &run.stderr;
            assert!(
                told.contains(lack) && told.lines().count() == 1 && told.len() < 600 && run.stdout.is_empty(),
                "{told}"
            );
        }
    }
    // A first signature with a recovery id says that there are some; rows without one are malformed, each by itself.
    let first = format!("msg_hash,sig\n{},{}\n", hex(&rows[0].digest), hex(&rows[0].with_id()));
    let text = first.clone() + bare.split_once('\n').unwrap().1;
    phalanx_on(text.as_bytes(), ["recover", "--json", "-"]).expect(3).counts([41, 1, 0, 40]);
    phalanx_on(first.as_bytes(), ["recover", "--json", "-"]).expect(0);
    // In JSON lines keys come line by line.
    let lines = json_lines(&[row(3), row(4), row(5)]);
    phalanx_on(lines.as_bytes(), ["recover", "--json", "-"]).expect(3).counts([3, 1, 0, 2]);
    phalanx_on(lines.replace("pubkey", "key").as_bytes(), ["verify", "--json", "-"]).expect(3).counts([3, 0, 0, 3]);
}

/// A digest that is right under one name, beside another under another name.
#[test]
fn two_names_of_one_role_are_refused_unless_one_is_named() {
    let row = row(3);
    let (digest, key, signature) = (hex(&row.digest), hex(&row.key), hex(&row.signature));
    let other = "00".repeat(32);
    for (one, two) in [("msg_hash", "digest"), ("digest", "msg_hash"), ("SigHash", "message_hash")] {
        let header = format!("{one},{two},pubkey,sig");
        let table = format!("{header}\n{digest},{other},{key},{signature}\n");
        let line = |said: &str| {
            format!("{{\"{one}\":\"{digest}\",\"{two}\":{said},\"pubkey\":\"{key}\",\"sig\":\"{signature}\"}}\n")
        };
        let lines = line(&format!("\"{other}\""));
        let named = format!("msg_hash={one}");
        let refused = phalanx_on(table.as_bytes(), ["verify", "-"]).expect(2).stderr;
        let said = format!("columns `{one}` and `{two}` are two names for the same value; name one with --columns");
        assert!(refused.contains(&said), "{refused}");
        let refused = phalanx_on(lines.as_bytes(), ["verify", "-"]).expect(3).stderr;
        assert!(
            refused.contains("differs from the value under its other name; choose one with --columns"),
            "{refused}"
        );
        for text in [&table, &lines] {
            phalanx_on(text.as_bytes(), ["verify", "--columns", &named, "-"]).expect(0);
            phalanx_on(text.as_bytes(), ["verify", "--columns", &format!("msg_hash={two}"), "-"]).expect(1);
        }
        // Both names may say the same, or one of them nothing.
        for said in [&format!("\"{digest}\""), &format!("\"0x{}\"", digest.to_uppercase()), "null", "NaN"] {
            phalanx_on(line(said).as_bytes(), ["verify", "-"]).expect(0);
        }
        let twice = line(&format!("\"{digest}\",\"{two}\":\"{digest}\""));
        let refused = phalanx_on(twice.as_bytes(), ["verify", "-"]).expect(3).stderr;
        assert!(refused.contains("named twice"), "{refused}");
    }
    let row = recoverable(3);
    let (digest, signature) = (hex(&row.digest), hex(&row.signature));
    let recover = |v: String, status| {
        let line = format!("{{\"msg_hash\":\"{digest}\",\"sig\":\"{signature}\",{v}}}");
        phalanx_on(line.as_bytes(), ["recover", "-"]).expect(status).stderr
    };
    let id = row.id;
    recover(format!("\"v\":{},\"yParity\":\"0x{id:x}\"", 27 + id), 0);
    let refused = recover(format!("\"v\":{id},\"yParity\":{}", 1 - id), 3);
    assert!(refused.contains("malformed_row: v: differs"), "{refused}");
    // What the job does not read may go by any names.
    let text = format!("msg_hash,sig,v,from,sender\n{digest},{signature},{id},00,01\n");
    assert!(phalanx_on(text.as_bytes(), ["recover", "-"]).expect(2).stderr.contains("`from` and `sender`"));
    let text = format!("msg_hash,sig,pubkey,from,sender\n{digest},{signature},{},00,01\n", hex(&row.key));
    phalanx_on(text.as_bytes(), ["verify", "-"]).expect(0);
}

#[test]
fn a_signature_and_the_numbers_of_another_are_refused() {
    let [one, other] = [3, 4].map(recoverable);
    let table = |numbers: &[u8]| {
        let (r, s) = numbers.split_at(32);
        let row = [&one.digest[..], &one.key, &one.signature, r, s].map(hex).join(",");
        format!("msg_hash,pubkey,sig,r,s\n{row}\n")
    };
    phalanx_on(table(&one.signature).as_bytes(), ["verify", "-"]).expect(0);
    let run = phalanx_on(table(&other.signature).as_bytes(), ["verify", "-"]).expect(3);
    assert!(run.stderr.contains("sig: differs from the value under its other name"), "{}", run.stderr);
}
