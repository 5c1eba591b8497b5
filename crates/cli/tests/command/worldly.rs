//! Text as the world writes it: spaces behind commas, other encodings, NaN, JSON over many lines, padded archives.

use serde_json::Value;

use crate::files::{csv, gzip, hex, json_line, json_lines, zstandard};
use crate::rows::{GENERATOR, ONE, recoverable, row, rows};
use crate::running::{directory, path, phalanx, phalanx_on, place};

#[test]
fn spaces_around_values_of_csv_do_not_count() {
    let plain = csv(&rows(8));
    let spaced = plain.replace(',', ", ");
    for text in
        [&spaced, &plain.replace(',', " ,\t"), &spaced.replace('\n', " \r\n"), &spaced.replace("row-3", "\"row-3\"")]
    {
        phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([8, 8, 0, 0]);
    }
    let row = recoverable(1);
    let text = format!(
        "msg_hash, r, s, v\n{}, {}, {}, {}\n",
        hex(&row.digest),
        hex(&row.signature[..32]),
        hex(&row.signature[32..]),
        row.id
    );
    phalanx_on(text.as_bytes(), ["recover", "--json", "-"]).expect(0).counts([1, 1, 0, 0]);
    phalanx_on(format!("scalar, point\n{ONE}, {GENERATOR} \n").as_bytes(), ["msm", "-"]).expect(0);
    let directory = directory();
    let secret = place(&directory, "scan-key", format!("{ONE}\n").as_bytes());
    let index = format!("txid, tweak_key, outputs\na, {GENERATOR}, []\nb,{GENERATOR} ,[] \n");
    let index = place(&directory, "index.csv", index.as_bytes());
    phalanx(["scan", &index, "--scan-key", &secret, "--spend-key", GENERATOR]).expect(0);
    // Nothing but spaces is nothing, and what is passed through stays as it is.
    let text = spaced.replacen("row-0, ecdsa", " row-0 ,  ", 1);
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--out", "-"]).expect(3);
    assert_eq!(
        (&run.answers()[0]["id"], &run.answers()[0]["column"]),
        (&Value::from(" row-0 "), &Value::from("scheme"))
    );
}

#[test]
fn a_header_that_holds_values_is_pointed_out() {
    let directory = directory();
    let text = csv(&rows(3));
    let (_, values) = text.split_once('\n').unwrap();
    for text in [values.to_owned(), values.replace(',', ";"), values.replace(',', ", ")] {
        let file = place(&directory, "rows.csv", text.as_bytes());
        let error = phalanx(["verify", &file]).expect(2).stderr;
        assert!(error.contains("line 1 was taken for the header") && !error.contains(&text[..16]), "{error}");
        let error = phalanx_on(text.as_bytes(), ["verify", "-"]).expect(2).stderr;
        assert!(error.contains("line 1 seems to hold values, but CSV begins with a header"), "{error}");
    }
    let terms = place(&directory, "terms.csv", format!("{ONE},{GENERATOR}\n").as_bytes());
    let error = phalanx(["msm", &terms]).expect(2).stderr;
    assert!(error.contains("line 1 was taken for the header") && !error.contains(&ONE[..16]), "{error}");
    let other = place(&directory, "other.csv", text.replace("msg_hash", "hashed").as_bytes());
    assert!(!phalanx(["verify", &other]).expect(2).stderr.contains("line 1"));
}

#[test]
fn an_id_that_is_not_utf_8_is_passed_through_escaped() {
    let directory = directory();
    let latin = |text: &str| -> Vec<u8> { text.chars().map(|character| character as u8).collect() };
    let mut rows = rows(8);
    rows[0].id = "caf\u{e9}".to_owned();
    for (name, bytes) in [
        ("rows.csv", latin(&csv(&rows))),
        ("quoted.csv", latin(&csv(&rows).replace("caf\u{e9}", "\"caf\u{e9}\""))),
        ("header.csv", latin(&csv(&rows).replace("\n", ",x\n").replacen(",x\n", ",pr\u{e9}nom\n", 1))),
        ("rows.jsonl", latin(&json_lines(&rows))),
    ] {
        let file = place(&directory, name, &bytes);
        let run = phalanx(["verify", "--json", &file, "--out", "-"]).expect(0).counts([8, 8, 0, 0]);
        assert_eq!(run.answers()[0]["id"], "caf\\xe9", "{name}");
        let run = phalanx(["verify", &file, "--out", "-", "--out-format", "csv"]).expect(0);
        assert!(run.stdout.contains("\ncaf\\xe9,1,true,"), "{}", run.stdout);
        let out = path(&directory, "out.parquet");
        phalanx(["verify", &file, "--out", &out]).expect(0);
        let table = crate::files::read_parquet(&out);
        let ids = arrow_array::cast::AsArray::as_string::<i32>(table.column(0));
        assert_eq!(ids.value(0), "caf\\xe9");
    }
    // A header in UTF-16 has no names.
    let wide: Vec<u8> = csv(&rows).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = place(&directory, "wide.csv", &[&[0xff, 0xfe], &wide[..]].concat());
    let error = phalanx(["verify", &file]).expect(2).stderr;
    assert!(error.contains("the header line is not UTF-8 text; is it UTF-16?"), "{error}");
    // What is judged, and what an event is hashed from, is never escaped.
    let event = "{\"id\":\"00\",\"pubkey\":\"00\",\"created_at\":1,\"kind\":1,\"tags\":[],\"content\":\"\u{e9}\",\"sig\":\"00\"}";
    let mut rows = vec![row(0), row(1)];
    for (text, fault) in [
        (event.to_owned(), "row 1: malformed_row: not UTF-8"),
        (json_line(&rows[1]).replace("ecdsa", "ecdsa\u{e9}"), "row 1: malformed_row: scheme: "),
        (json_line(&rows[1]).replacen("0x", "0x\u{e9}\u{e9}", 1), "row 1: malformed_row: pubkey: "),
        ("{\"a\"\u{e9}:1}".to_owned(), "row 1: malformed_row: not UTF-8"),
    ] {
        let run = phalanx_on(&latin(&text), ["verify", "-"]).expect(3);
        assert!(run.stderr.contains(fault), "{fault}: {}", run.stderr);
    }
    rows[0].scheme = "ecdsa\u{e9}";
    phalanx_on(&latin(&csv(&rows)), ["verify", "--json", "-"]).expect(3).counts([2, 1, 0, 1]);
}

#[test]
fn numbers_that_python_writes_and_json_lacks() {
    let line = |more: &str| format!("{},{more}}}", json_line(&row(0)).trim_end_matches('}'));
    let all = line(r#""a":NaN,"b":[1,-Infinity,{"c":Infinity}],"d":"NaN, \"NaN""#);
    for text in [&all, &line(r#""v":NaN"#), &all.replacen('{', "{\"first\": NaN, ", 1)] {
        phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([1, 1, 0, 0]);
    }
    // The first line names the columns, whatever else is in it.
    let text = format!("{}\n{}", all.replace("\"id\"", "\"txid\""), line("\"a\":1"));
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--keep", "a,b,d", "--out", "-"]).expect(0);
    let (first, second) = (&run.answers()[0], &run.answers()[1]);
    assert_eq!((&first["txid"], &first["a"]), (&Value::from("row-0"), &Value::from("NaN")));
    assert_eq!(first["b"], r#"[1,-Infinity,{"c":Infinity}]"#);
    assert_eq!((&first["d"], &second["a"]), (&Value::from("NaN, \"NaN"), &Value::from(1)));
    let event = include_str!("../../../../data/sample/nostr-events.jsonl").lines().next().unwrap();
    for text in
        [event.replacen('{', "{\"seen\":NaN,", 1), format!("[\"EVENT\",{}]", event.replacen('{', "{\"seen\":NaN,", 1))]
    {
        phalanx_on(text.as_bytes(), ["verify", "-"]).expect(0);
    }
    // Where a value is needed, it is missing; and no longer word is let through.
    for (text, fault) in [
        (json_line(&row(0)).replace("\"ecdsa\"", "NaN"), "scheme: null or empty"),
        (json_line(&row(0)).replace("\"ecdsa\"", "Infinity"), "scheme: wrong type"),
        (line("\"v\":Infinity"), "v: not a number"),
        (line("\"a\":NaN1"), "not a JSON object"),
        (line("\"a\":NaN,\"b\""), "not a JSON object"),
        (line("\"a\":nan"), "not a JSON object"),
        (event.replacen("\"created_at\":", "\"created_at\":NaN,\"at\":", 1), "created_at: not an integer"),
    ] {
        let run = phalanx_on(text.as_bytes(), ["verify", "-"]).expect(3);
        assert!(run.stderr.contains(&format!("row 1: malformed_row: {fault}")), "{fault}: {}", run.stderr);
    }
}

#[test]
fn values_over_many_lines_are_named_once() {
    let directory = directory();
    let event = include_str!("../../../../data/sample/nostr-events.jsonl").lines().next().unwrap();
    let event: Value = serde_json::from_str(event).unwrap();
    let pretty = serde_json::to_string_pretty(&event).unwrap();
    let block = "{\n  \"number\": \"0x1\",\n  \"transactions\": []\n}\n";
    let message = serde_json::to_string_pretty(&serde_json::json!(["EVENT", event])).unwrap();
    let secret = place(&directory, "scan-key", format!("{ONE}\n").as_bytes());
    let secret = secret.as_str();
    let advice =
        "this is JSON whose values take several lines, not JSON lines; use `jq -c .` to write a line for each value";
    for text in [&pretty, &format!("{pretty}\n{pretty}"), &pretty.replace('\n', "\r\n"), block, &message] {
        for (name, bytes) in [
            ("a.json", text.as_bytes().to_vec()),
            ("a", text.as_bytes().to_vec()),
            ("a.jsonl.gz", gzip(text.as_bytes())),
            ("b", zstandard(format!("\u{feff}\n{text}").as_bytes())),
        ] {
            let file = place(&directory, name, &bytes);
            let scan = ["scan", "--scan-key", secret, "--spend-key", GENERATOR];
            for command in [&["verify"][..], &["recover"], &["msm"], &["senders"], &scan] {
                let run = phalanx(command.iter().chain(&[file.as_str()])).expect(2);
                assert_eq!((run.stderr, run.stdout.as_str()), (format!("phalanx: {file}: {advice}\n"), ""));
            }
            let run = phalanx_on(&bytes, ["verify", "-"]).expect(2);
            assert_eq!(run.stderr, format!("phalanx: standard input: {advice}\n"));
        }
    }
    // A first line that is cut off is one malformed row.
    let (good, cut) = (json_line(&row(1)), &json_line(&row(0))[..60]);
    let text = format!("{cut}\n{good}\n");
    phalanx_on(text.as_bytes(), ["verify", "--json", "-", "--block-rows", "1"]).expect(3).counts([2, 1, 0, 1]);
}

#[test]
fn zeros_behind_gzip_are_padding() {
    let text = csv(&rows(8));
    let (header, rest) = text.split_at(text.find("row-4").unwrap());
    let members = [gzip(header.as_bytes()), gzip(b""), gzip(rest.as_bytes())].concat();
    let valid = |bytes: &[u8]| phalanx_on(bytes, ["verify", "--json", "-"]).expect(0).counts([8, 8, 0, 0]);
    for zeros in [0, 1, 10, 512, 300_000] {
        valid(&[&members[..], &vec![0; zeros]].concat());
    }
    let directory = directory();
    let zeros = vec![0; 512];
    let padded = [&members[..], &zeros].concat();
    phalanx(["verify", "--json", &place(&directory, "a.csv.gz", &padded)]).expect(0).counts([8, 8, 0, 0]);
    for behind in [&b"x"[..], &[0, 1], &[0x1f], &members] {
        let bytes = [&padded[..if behind == b"x" { members.len() } else { padded.len() }], behind].concat();
        let run = phalanx_on(&bytes, ["verify", "-"]).expect(2);
        assert!(run.stderr.contains("gzip"), "{}", run.stderr);
    }
    // Zeros do not complete a member that is cut off.
    let whole = gzip(text.as_bytes());
    phalanx_on(&[&whole[..whole.len() - 9], &zeros].concat(), ["verify", "-"]).expect(2);
}
