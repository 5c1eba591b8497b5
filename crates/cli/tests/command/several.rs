//! Runs over several files, of which some cannot be read: the others are, and the end says which are missing.

use crate::files::{csv, gzip, hex, json_lines, parquet, table};
use crate::rows::{Recoverable, recoverable, row, rows};
use crate::running::{Run, directory, names, path, phalanx, place};

/// Recoverable signatures without their keys. `split` has r, s and v in columns of their own.
fn keyless(split: bool) -> String {
    let mut text = if split { "msg_hash,r,s,v\n" } else { "msg_hash,sig\n" }.to_owned();
    for Recoverable { digest, signature, id, .. } in (0..8).map(recoverable) {
        let (digest, signature) = (hex(&digest), hex(&signature));
        text += &match split {
            true => format!("{digest},{},{},{id}\n", &signature[..64], &signature[64..]),
            false => format!("{digest},{signature}{id:02x}\n"),
        };
    }
    text
}

/// The files that a summary says have failed, and why.
fn failed(run: &Run) -> Vec<(String, String)> {
    let summary = run.summary();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let failed = summary["failed"].as_array().unwrap().iter();
    failed.map(|failed| (text(&failed["file"]), text(&failed["error"]))).collect()
}

#[test]
fn a_table_without_keys_names_recover_and_others_go_on() {
    let directory = directory();
    let good = place(&directory, "good.csv", csv(&rows(8)).as_bytes());
    let more = place(&directory, "more.parquet", &parquet(&table(&rows(20)), 7));
    for split in [false, true] {
        let keyless = place(&directory, "keyless.csv", keyless(split).as_bytes());
        let run = phalanx(["verify", "--json", &good, &keyless, &more]).expect(2).counts([28, 28, 0, 0]);
        let [(file, error)] = &failed(&run)[..] else { panic!("{:?}", failed(&run)) };
        assert_eq!(*file, keyless);
        assert!(error.contains("no column `pubkey`") && error.contains("`phalanx recover`"), "{error}");
        assert!(run.stderr.starts_with(&format!("phalanx: {keyless}: {error}")), "{}", run.stderr);
        let run = phalanx(["verify", &good, &keyless, &more]).expect(2);
        let lines = format!("1 of 3 files could not be read to the end:\n  {keyless}: {error}\n");
        assert!(run.stdout.contains(&lines), "{}", run.stdout);
        phalanx(["recover", "--json", &keyless]).expect(0).counts([8, 8, 0, 0]);
    }
}

#[test]
fn a_table_without_recovery_ids_does_not_keep_others_from_being_recovered() {
    let directory = directory();
    let good = place(&directory, "good.csv", keyless(true).as_bytes());
    let header = place(&directory, "header.csv", b"msg_hash,r,s\n");
    // Nothing but its first row says that it has none.
    let compact: Vec<_> = (0..3000).map(|number| row(8 * (number % 9) + 3)).collect();
    let rows = place(&directory, "rows.csv", csv(&compact).as_bytes());
    for block_rows in ["4096", "5"] {
        let arguments = ["recover", "--json", "--block-rows", block_rows, &header, &good, &rows, &good];
        let run = phalanx(arguments).expect(2).counts([16, 16, 0, 0]);
        let failed = failed(&run);
        assert_eq!(failed.iter().map(|(file, _)| file).collect::<Vec<_>>(), [&header, &rows]);
        assert!(failed.iter().all(|(_, error)| error.starts_with("no column `v`")), "{failed:?}");
    }
    phalanx(["recover", "--json", &rows]).expect(2);
}

#[test]
fn every_file_that_fails_is_named() {
    let directory = directory();
    let good = place(&directory, "good.csv", csv(&rows(8)).as_bytes());
    let cut = gzip(json_lines(&rows(400)).as_bytes());
    let whole = parquet(&table(&rows(400)), 100);
    let mut damaged = whole.clone();
    damaged[whole.len() / 4..whole.len() / 2].fill(0xff);
    let bad = [
        path(&directory, "missing.csv"),
        place(&directory, "cut.jsonl.gz", &cut[..cut.len() / 2]),
        place(&directory, "README.md", b"# A title\n\nand text, too\n"),
        place(&directory, "damaged.parquet", &damaged),
        place(&directory, "short.parquet", &whole[..100]),
        directory.path().to_str().unwrap().to_owned(),
    ];
    let before = names(directory.path());
    let out = path(&directory, "out.csv");
    let mut arguments = vec!["verify", "--json", &good];
    arguments.extend(bad.iter().map(String::as_str));
    arguments.push(&good);
    for with_output in [false, true] {
        if with_output {
            arguments.extend(["--out", &out]);
        }
        let run = phalanx(&arguments).expect(2);
        let mut found: Vec<String> = failed(&run).into_iter().map(|(file, _)| file).collect();
        let mut expected = bad.to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        // The rows before the damage are judged.
        assert!(run.summary()["rows"].as_u64().unwrap() >= 16);
        assert_eq!(run.summary()["invalid"], 0);
        assert_eq!(names(directory.path()), before, "no output appears");
    }
    // Rows on standard output are there, and the file that they are of is named.
    let run = phalanx(["verify", &good, &bad[0], "--out", "-", "--out-format", "csv"]).expect(2);
    assert_eq!(run.stdout.lines().count(), 9);
    assert!(run.stdout.starts_with("id,file,row"), "{}", run.stdout);
    // Where nothing can be read, there is nothing to sum up.
    let run = phalanx(["verify", "--json", &bad[0], &bad[1], &bad[2]]).expect(2);
    assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 3), "{}", run.stderr);
    // A sum of some files would be another sum.
    let terms = place(&directory, "terms.csv", b"scalar,point\n");
    assert_eq!(phalanx(["msm", &terms, &bad[0]]).expect(2).stdout, "");
}

/// A file that lacks what is asked of it and then breaks off has failed once, and nothing of it is computed.
#[test]
fn a_file_with_two_faults_fails_once() {
    let directory = directory();
    let good = place(&directory, "good.csv", keyless(true).as_bytes());
    let compact: Vec<_> = (0..3000).map(|number| row(8 * (number % 9) + 3)).collect();
    let mut text = csv(&compact);
    text.truncate(text.trim_end().rfind('\n').unwrap() + 1);
    text.push('"');
    text.extend(std::iter::repeat_n('x', 17 << 20));
    let bad = place(&directory, "bad.csv", text.as_bytes());
    for block_rows in ["4096", "5"] {
        let run = phalanx(["recover", "--json", "--block-rows", block_rows, &bad, &good]).expect(2);
        let run = run.counts([8, 8, 0, 0]);
        assert_eq!(failed(&run).len(), 1, "{:?}", failed(&run));
    }
}

/// Empty lines behind a quote cost no more than elsewhere.
#[test]
fn empty_lines_behind_a_quote_are_stepped_over() {
    let directory = directory();
    let text = csv(&rows(8));
    let (header, rest) = text.split_once('\n').unwrap();
    let quoted = |empty: usize| {
        let lines = rest.lines().map(|line| format!("\"{}\"{}", line.replacen(',', "\",", 1), "\n".repeat(empty)));
        format!("{header}\n{}", lines.collect::<String>().replace("\"\n", "\n"))
    };
    let file = place(&directory, "empty.csv", quoted(20 << 20).as_bytes());
    phalanx(["verify", "--json", &file]).expect(0).counts([8, 8, 0, 0]);
}
