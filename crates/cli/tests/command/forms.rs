//! What a file is where its name does not say it, and what stands between its columns.

use crate::files::{csv, gzip, json_lines, parquet, table};
use crate::rows::rows;
use crate::running::{directory, path, phalanx, phalanx_on, place};

#[test]
fn the_header_shows_the_delimiter() {
    let directory = directory();
    let text = csv(&rows(40));
    let quoted = text.replacen("row-7", "\"row;7\t,|\"", 1).replacen("pubkey", "\"pubkey\"", 1);
    for (place_of, delimiter) in [",", ";", "\t", "|"].into_iter().enumerate() {
        for text in [&text, &text.replace('\n', "\r\n"), &quoted.replace("row;7\t,|", "row")] {
            let text = text.replace(',', delimiter);
            let file = place(&directory, &format!("rows-{place_of}.csv"), text.as_bytes());
            phalanx(["verify", "--json", &file]).expect(0).counts([40, 40, 0, 0]);
            phalanx_on(&gzip(text.as_bytes()), ["verify", "--json", "-"]).expect(0).counts([40, 40, 0, 0]);
        }
    }
    let out = path(&directory, "out.csv");
    let file = place(&directory, "quoted.csv", quoted.replace(',', ";").replace("\t;|", "\t,|").as_bytes());
    phalanx(["verify", "--json", &file, "--out", &out]).expect(0).counts([40, 40, 0, 0]);
    assert!(std::fs::read_to_string(&out).unwrap().contains("\"row;7\t,|\",8,true"));
    let terms = format!("point;scalar\n0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798;{:064}\n", 1);
    assert!(phalanx_on(terms.as_bytes(), ["msm", "-"]).expect(0).stdout.starts_with("0279be66"));
}

#[test]
fn a_delimiter_that_is_said() {
    let directory = directory();
    let odd = csv(&rows(9)).replace("id,scheme,msg_hash,pubkey,sig", "what,how,hashed,by,mark").replace(',', ":");
    let file = place(&directory, "odd.csv", odd.as_bytes());
    let map = "id=what,scheme=how,msg_hash=hashed,pubkey=by,sig=mark";
    let failed = phalanx(["verify", &file, "--columns", map]).expect(2).stderr;
    assert!(failed.contains("--delimiter CHARACTER"), "{failed}");
    phalanx(["verify", "--json", &file, "--columns", map, "--delimiter", ":"]).expect(0).counts([9, 9, 0, 0]);
    let tabs = place(&directory, "tabs.txt", odd.replace(':', "\t").as_bytes());
    phalanx(["verify", "--json", &tabs, "--columns", map, "--delimiter", "tab"]).expect(0).counts([9, 9, 0, 0]);
    // A header of several columns shows that its delimiter is not the trouble.
    let other = place(&directory, "other.csv", b"a,b,c\n1,2,3\n");
    assert!(!phalanx(["verify", &other]).expect(2).stderr.contains("--delimiter"));
    for wrong in ["", "::", "a", "7", "\"", "\n", "\u{e9}"] {
        let refused = phalanx(["verify", &file, "--delimiter", wrong]).expect(2).stderr;
        assert!(refused.contains("--delimiter"), "{refused}");
    }
}

#[test]
fn a_file_of_no_known_form_is_refused_by_name() {
    let directory = directory();
    for (name, text) in [
        ("README.md", "# A title\n\nSome text, with a comma.\n"),
        ("links.md", "[a link](https://example.org), and text\n"),
        ("settings.ini", "[section]\nkey = value\n"),
        ("notes", "hello\n"),
        ("notes.txt", "a,b,c\n1,2,3\n"),
        ("notes.md.gz", "hello\n"),
        ("program", "\x7fELF\x02\x01\x01\0\0\0"),
    ] {
        let bytes = if name.ends_with(".gz") { gzip(text.as_bytes()) } else { text.as_bytes().to_vec() };
        let file = place(&directory, name, &bytes);
        for command in ["verify", "recover", "msm"] {
            let error = phalanx([command, &file]).expect(2).stderr;
            assert!(error.starts_with(&format!("phalanx: {file}: ")) && error.contains("--format"), "{name}: {error}");
        }
        let error = phalanx_on(&bytes, ["verify", "-"]).expect(2).stderr;
        assert!(error.starts_with("phalanx: standard input: ") && error.contains("--format"), "{name}: {error}");
        // Who insists hears what the form lacks.
        if name != "program" {
            let error = phalanx(["verify", "--format", "csv", &file]).expect(2).stderr;
            assert!(error.contains("no column `msg_hash`"), "{name}: {error}");
        }
    }
}

#[test]
fn a_format_that_is_said_comes_before_names_and_contents() {
    let directory = directory();
    let rows = rows(9);
    let (text, json) = (csv(&rows), json_lines(&rows));
    let odd = text.replace("id,scheme,msg_hash,pubkey,sig", "{what,how,hashed,by,mark");
    let map = "id={what,scheme=how,msg_hash=hashed,pubkey=by,sig=mark";
    for (name, bytes, format) in [
        ("rows.md", text.as_bytes().to_vec(), "csv"),
        ("rows.json", odd.into_bytes(), "csv"),
        ("rows.csv", json.as_bytes().to_vec(), "jsonl"),
        ("rows.csv", gzip(json.as_bytes()), "jsonl"),
        ("rows.txt", parquet(&table(&rows), 4), "parquet"),
        ("rows.csv", parquet(&table(&rows), 4), "parquet"),
    ] {
        let file = place(&directory, name, &bytes);
        let columns = if name == "rows.json" { &["--columns", map][..] } else { &[] };
        phalanx([&["verify", "--json", "--format", format, &file], columns].concat()).expect(0).counts([9, 9, 0, 0]);
        let from = [&["verify", "--json", "--format", format, "-"], columns].concat();
        phalanx_on(&bytes, from).expect(0).counts([9, 9, 0, 0]);
    }
    let file = place(&directory, "rows.csv", text.as_bytes());
    assert!(phalanx(["verify", "--format", "parquet", &file]).expect(2).stderr.contains("rows.csv"));
    phalanx(["verify", "--json", "--format", "jsonl", &file]).expect(3).counts([10, 0, 0, 10]);
}
