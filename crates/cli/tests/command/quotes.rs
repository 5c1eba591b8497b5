//! Quotes in CSV: a row never vanishes in silence, and what the command writes it reads again.

use crate::files::{csv, gzip, hex, json_lines, zstandard};
use crate::rows::{GENERATOR, ONE, recoverable, rows};
use crate::running::{Run, directory, names, path, phalanx, phalanx_on, place};

/// Six valid rows of which each has a note; that of the third is `note`.
fn noted(note: &str) -> String {
    let text = csv(&rows(6));
    let line = |(number, line): (usize, &str)| match number {
        0 => format!("{line},note\n"),
        3 => format!("{line},{note}\n"),
        _ => format!("{line},ok\n"),
    };
    text.lines().enumerate().map(line).collect()
}

/// Notes that break a file, and the message for each.
const BROKEN: [(&str, &str); 5] = [
    ("\"oops", "line 4: the quoted field that begins here is never closed"),
    ("\"oops\" and more", "line 4: text follows the closing quote of the field that begins here"),
    ("5\" wide", "line 4: a quote stands in the middle of a field"),
    ("wide\"", "line 4: a quote stands in the middle of a field"),
    (" \"oops\"", "line 4: a space stands before an opening quote"),
];

#[track_caller]
fn refused(run: Run, what: &str) {
    let run = run.expect(2);
    assert!(run.stderr.contains(what), "{what}: {}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_quote_that_does_not_fit_ends_the_run() {
    let directory = directory();
    let out = path(&directory, "out.csv");
    for (note, what) in BROKEN {
        let text = noted(note);
        for text in [&text, &text.replace('\n', "\r\n"), &text.replace('\n', "\r")] {
            let file = place(&directory, "rows.csv", text.as_bytes());
            refused(phalanx(["verify", &file, "--out", &out]), what);
        }
        for (name, delimiter) in [("rows.csv", ";"), ("rows.csv.gz", "\t"), ("rows.csv.zst", "|"), ("rows", ",")] {
            let text = text.replace(',', delimiter);
            let bytes = match name {
                "rows.csv.gz" => gzip(text.as_bytes()),
                "rows.csv.zst" => zstandard(text.as_bytes()),
                _ => text.into_bytes(),
            };
            let file = place(&directory, name, &bytes);
            refused(phalanx(["verify", &file, "--json", "--block-rows", "1"]), what);
            refused(phalanx_on(&bytes, ["verify", "-", "--json"]), what);
        }
    }
    assert_eq!(names(directory.path()), ["rows", "rows.csv", "rows.csv.gz", "rows.csv.zst"]);
}

#[test]
fn a_quote_far_behind_plain_lines_is_found() {
    let lines: String = csv(&rows(8)).lines().skip(1).map(|line| format!("{line},ok\n")).collect();
    let good = format!("id,scheme,msg_hash,pubkey,sig,note\n{}", lines.repeat(700));
    for (behind, what) in [
        ("\"", "line 5602: the quoted field that begins here is never closed"),
        ("\n\n\"a\"b", "line 5604: text follows the closing quote of"),
    ] {
        refused(phalanx_on(format!("{good}{behind}").as_bytes(), ["verify", "-", "-q"]), what);
    }
    phalanx_on(good.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([5600, 5600, 0, 0]);
}

#[test]
fn rows_before_the_break_and_other_files_count() {
    let directory = directory();
    let broken = place(&directory, "broken.csv", noted("\"oops").as_bytes());
    let good = place(&directory, "good.csv", noted("ok").as_bytes());
    let run = phalanx(["verify", "--json", &broken, &good]).expect(2).counts([8, 8, 0, 0]);
    assert_eq!(run.summary()["failed"].as_array().unwrap().len(), 1);
    assert!(run.stderr.contains("broken.csv: line 4: "), "{}", run.stderr);
}

#[test]
fn the_header_is_read_as_strictly() {
    let text = noted("ok");
    for (note, what) in [
        ("\"note", "line 1: the quoted field that begins here is never closed"),
        ("\"no\"te", "line 1: text follows"),
        ("no\"te", "line 1: a quote stands in the middle"),
    ] {
        refused(phalanx_on(text.replacen("note", note, 1).as_bytes(), ["verify", "-"]), what);
    }
    // A name in quotes may have any characters.
    let odd = text.replacen("note", "\"a \"\"note\"\",\n\"", 1);
    phalanx_on(odd.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([6, 6, 0, 0]);
}

#[test]
fn every_command_that_reads_csv_refuses_them() {
    let what = "line 3: the quoted field that begins here is never closed";
    let terms = format!("note,scalar,point\nok,{ONE},{GENERATOR}\n\"oops,{ONE},{GENERATOR}\nok,{ONE},{GENERATOR}\n");
    refused(phalanx_on(terms.as_bytes(), ["msm", "-"]), what);
    let mut text = "msg_hash,sig,note\n".to_owned();
    for (number, note) in [(1, "ok"), (2, "\"oops"), (3, "ok")] {
        let row = recoverable(number);
        text += &format!("{},{},{note}\n", hex(&row.digest), hex(&row.with_id()));
    }
    refused(phalanx_on(text.as_bytes(), ["recover", "-", "--json"]), what);
    let directory = directory();
    let index = format!("tweak_key,outputs\n{GENERATOR},\"[1]\"\n{GENERATOR},\"[2, 3]\n{GENERATOR},\"[4]\"\n");
    let index = place(&directory, "index.csv", index.as_bytes());
    let secret = place(&directory, "scan-key", format!("{ONE}\n").as_bytes());
    let what = "line 3: text follows the closing quote in line 4 of the field that begins here";
    refused(phalanx(["scan", &index, "--scan-key", &secret, "--spend-key", GENERATOR]), what);
}

#[test]
fn what_is_written_is_read_again() {
    let directory = directory();
    let mut rows = rows(16);
    let odd =
        ["\"", "\"\"", "a,b", "a;b", "a\nb", "a\r\nb", "\r", " a ", "\"a\" b", "a \"b\"", "", "#", "\u{feff}", "'\t|"];
    rows.iter_mut().zip(odd).for_each(|(row, id)| row.id = id.to_owned());
    let file = place(&directory, "rows.jsonl", json_lines(&rows).as_bytes());
    let [first, second] = ["first.csv", "second.csv"].map(|name| path(&directory, name));
    let keep = "scheme,msg_hash,pubkey,sig";
    phalanx(["verify", "--json", "--keep", keep, &file, "--out", &first]).expect(0).counts([16, 16, 0, 0]);
    phalanx(["verify", "--json", "--keep", keep, &first, "--out", &second]).expect(0).counts([16, 16, 0, 0]);
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
    let answers = phalanx(["verify", &second, "--out", "-"]).expect(0).answers();
    let ids: Vec<&str> = answers.iter().map(|answer| answer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>());
}
