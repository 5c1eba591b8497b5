//! The exit status says what the worst row was, and 2 that the output is incomplete.

use crate::derive::XPUB;
use crate::files::{csv, gzip, json_lines, parquet, table, valid_rows, zstandard};
use crate::rows::{GENERATOR, ONE, Signed, row, rows};
use crate::running::{Run, command, directory, names, path, phalanx, phalanx_on, place};

#[test]
fn the_worst_row_decides() {
    let valid = rows(8);
    let invalid = Signed { digest: vec![1; 32], ..row(0) };
    let malformed = Signed { digest: vec![1; 31], ..row(0) };
    let status = |more: &[&Signed]| {
        let rows: Vec<Signed> = valid.iter().chain(more.iter().copied()).cloned().collect();
        phalanx_on(csv(&rows).as_bytes(), ["verify", "-"]).status
    };
    assert_eq!(status(&[]), 0);
    assert_eq!(status(&[&invalid]), 1);
    assert_eq!(status(&[&malformed]), 3);
    assert_eq!(status(&[&invalid, &malformed]), 3);
    assert_eq!(status(&[&malformed, &invalid]), 3);
}

#[test]
fn wrong_usage() {
    let directory = directory();
    let file = &place(&directory, "rows.csv", csv(&rows(8)).as_bytes());
    let terms = &place(&directory, "terms.csv", format!("scalar,point\n{ONE},{GENERATOR}\n").as_bytes());
    let empty = &place(&directory, "empty.csv", b"");
    let damaged = &place(&directory, "damaged.parquet", b"PAR1 and no more");
    let (missing, here) = (&path(&directory, "missing.csv"), directory.path().to_str().unwrap());
    let digest = &"05".repeat(32);
    let before = names(directory.path());
    for arguments in [
        &[][..],
        &["frobnicate", file],
        &["verify"],
        &["verify", file, "--threads", "0"],
        &["verify", file, "--threads", "many"],
        &["verify", file, "--threads", "99999999999999999999"],
        &["verify", file, "--block-rows", "0"],
        &["verify", file, "--low-s", "maybe"],
        &["verify", file, "--der", "loose"],
        &["verify", file, "--batch", "sometimes"],
        &["verify", file, "--backend", "abacus"],
        &["verify", file, "--columns", "sig"],
        &["verify", file, "--columns", "=sig"],
        &["verify", file, "--columns", "sig="],
        &["verify", file, "--columns", "nonsense=sig"],
        &["verify", file, "--columns", "sig=nothing"],
        &["verify", file, "--columns", "sig=sig,signature=sig"],
        &["verify", file, "--keep", "nothing"],
        &["verify", file, "--out-format", "csv"],
        &["verify", "-", "-"],
        &["recover", file, "--hybrid-keys"],
        &["recover", file, "--batch", "never"],
        &["msm"],
        &["msm", missing],
        &["msm", here],
        &["msm", empty],
        &["msm", damaged],
        &["msm", file],
        &["msm", terms, file],
        &["msm", "-", "-"],
        &["msm", terms, "--threads", "0"],
        &["msm", terms, "--memory", "0"],
        &["msm", terms, "--backend", "abacus"],
        &["msm", terms, "--columns", "scalar=nothing"],
        &["msm", terms, "--columns", "nonsense=point"],
        &["msm", terms, "--low-s", "require"],
        &["derive"],
        &["derive", XPUB],
        &["derive", "--range", "0..9", missing],
        &["derive", "--range", "0..9", here],
        &["derive", "--range", "0..9", "-", "-"],
        &["derive", "--range", "9..0", XPUB],
        &["derive", "--range", "0..2147483648", XPUB],
        &["derive", "--range", "0..", XPUB],
        &["derive", "--range", "0..9", "--path", "m/", XPUB],
        &["derive", "--range", "0..9", "--address", "p2pk", XPUB],
        &["derive", "--range", "0..9", "--network", "moon", XPUB],
        &["derive", "--range", "0..9", "--out-format", "csv", XPUB],
        &["sign"],
        &["sign", "--digest", "00"],
        &["sign", "--digest", digest, "--message", "x"],
        &["sign", "--message-hex", "xyz"],
        &["sign", "--message-file", "/no/such/file"],
        &["sign", "--digest", digest, "--scheme", "rsa"],
        &["sign", "--digest", digest, "--aux", digest],
        &["sign", "--digest", digest, "--recoverable", "--encoding", "der"],
        &["sign", "--digest", digest, "--recoverable", "--scheme", "schnorr"],
        &["sign", "--digest", digest, "--encoding", "der", "--scheme", "schnorr"],
        &["sign", "--digest", digest, "--scheme", "schnorr", "--aux", "00"],
        &["ecdh"],
        &["pubkey", "--secret", ONE],
        &["bench", "10"],
        &["bench", "--backend", "abacus"],
    ] {
        let run = phalanx_on(ONE.as_bytes(), arguments).expect(2);
        assert!(!run.stderr.is_empty() && run.stdout.is_empty(), "{arguments:?}");
    }
    let out = path(&directory, "out.xml");
    assert!(phalanx(["verify", file, "--out", &out]).expect(2).stderr.contains(".parquet, .csv or .jsonl"));
    assert_eq!(names(directory.path()), before);
}

#[test]
fn the_option_overrules_the_environment() {
    for rows in [1, 8] {
        let (_directory, file) = valid_rows(rows);
        for backend in phalanx::Backend::available() {
            let arguments = ["verify", "--backend", backend.name(), &file];
            let run = command().args(arguments).env("PHALANX_BACKEND", "none").output().unwrap();
            assert!(Run::of(run).expect(0).stdout.contains(backend.name()), "{rows} rows");
        }
    }
}

#[test]
fn a_backend_that_is_not_there_is_one_error_everywhere() {
    let (directory, file) = valid_rows(8);
    let terms = place(&directory, "terms.csv", b"scalar,point\n");
    let key = place(&directory, "key", ONE.as_bytes());
    let new = path(&directory, "new-key");
    for value in ["abacus", " ", "Portable", " portable"] {
        let names: Vec<&str> = phalanx::Backend::available().iter().map(|backend| backend.name()).collect();
        let expected =
            format!("phalanx: PHALANX_BACKEND: there is no backend {value:?} here; there are: {}\n", names.join(", "));
        for arguments in [
            &["verify", &file][..],
            &["recover", &file],
            &["msm", &terms],
            &["keygen", "--secret-file", &new],
            &["pubkey", "--secret-file", &key],
            &["sign", "--secret-file", &key, "--digest", ONE],
            &["ecdh", "--secret-file", &key, "--public-key", GENERATOR],
            &["info"],
            &["bench"],
            &["derive", "--range", "0..9", XPUB],
        ] {
            let run = Run::of(command().args(arguments).env("PHALANX_BACKEND", value).output().unwrap()).expect(2);
            assert_eq!((run.stderr, run.stdout), (expected.clone(), String::new()), "{arguments:?}");
        }
        // The option is asked first, and says the same of itself.
        for (arguments, status) in [(["verify", &file], 0), (["msm", &terms], 0)] {
            let run =
                |backend| command().args(arguments).args(["--backend", backend]).env("PHALANX_BACKEND", value).output();
            Run::of(run("portable").unwrap()).expect(status);
            let refused = Run::of(run(value).unwrap()).expect(2);
            assert_eq!(refused.stderr, expected.replace("PHALANX_BACKEND", "--backend"));
        }
    }
    assert_eq!(names(directory.path()), ["key", "rows.csv", "terms.csv"]);
}

#[test]
fn an_empty_variable_names_no_backend() {
    let (_directory, file) = valid_rows(8);
    let best = phalanx::Backend::available().last().unwrap().name();
    for arguments in [&["verify", "--json", &file][..], &["info", "--json"]] {
        let run = Run::of(command().args(arguments).env("PHALANX_BACKEND", "").output().unwrap()).expect(0);
        assert!(run.stdout.contains(&format!("\"backend\":\"{best}\"")), "{}", run.stdout);
    }
    let run = command().args(["keygen"]).env("PHALANX_BACKEND", "").output().unwrap();
    Run::of(run).expect(0);
    // The option is a choice, also without text.
    phalanx(["verify", "--backend", "", &file]).expect(2);
}

/// Runs on a bad file beside a good one: status 2, a message that names the file, and no output.
#[track_caller]
fn refused(name: &str, bytes: &[u8]) -> String {
    let directory = directory();
    let good = place(&directory, "good.csv", csv(&rows(8)).as_bytes());
    let bad = place(&directory, name, bytes);
    let out = path(&directory, "out.parquet");
    let run = phalanx(["verify", "--json", &good, &bad, "--out", &out]).expect(2);
    assert!(run.stderr.contains(&bad), "{}", run.stderr);
    assert_eq!(run.summary()["failed"][0]["file"], bad.as_str());
    let mut expected = vec!["good.csv", name];
    expected.sort_unstable();
    assert_eq!(names(directory.path()), expected);
    run.stderr
}

#[test]
fn inputs_that_cannot_be_read() {
    let directory = directory();
    let missing = path(&directory, "missing.parquet");
    let nowhere = path(&directory, "nowhere/out.csv");
    let run = phalanx_on(b"msg_hash,pubkey,sig\n", ["verify", "-", "--out", &nowhere]).expect(2);
    assert!(run.stderr.contains("nowhere/out.csv: ") && !run.stderr.contains(".phalanx-"), "{}", run.stderr);
    assert!(phalanx(["verify", &missing]).expect(2).stderr.contains("missing.parquet"));
    assert!(phalanx(["verify", directory.path().to_str().unwrap()]).expect(2).stderr.contains("directory"));

    refused("wrong.parquet", b"this is no Parquet file at all");
    refused("wrong.csv", b"a,b,c\n1,2,3\n");
    refused("wrong", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0");
    refused("empty.csv", b"");
    refused("empty.parquet", b"");
    refused("wide.csv", b"\xff\xfes\0i\0g\0,\0p\0u\0b\0k\0e\0y\0,\0m\0s\0g\0_\0h\0a\0s\0h\0\n\0");
    refused("twice.csv", b"sig,pubkey,msg_hash,sig\n");
}

#[test]
fn truncated_and_damaged_inputs() {
    let rows = rows(400);
    let whole = parquet(&table(&rows), 100);
    for length in [3, 4, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        refused("short.parquet", &whole[..length]);
    }
    let mut damaged = whole.clone();
    damaged[4..40].fill(0xff);
    refused("damaged.parquet", &damaged);

    let text = json_lines(&rows);
    for (name, packed) in [("rows.jsonl.gz", gzip(text.as_bytes())), ("rows.jsonl.zst", zstandard(text.as_bytes()))] {
        for length in [packed.len() / 2, packed.len() - 3] {
            refused(name, &packed[..length]);
        }
    }
    let open_quote = format!("{}\"{}", csv(&rows), "x\n".repeat(10 << 20));
    assert!(refused("quote.csv", open_quote.as_bytes()).contains("quote"));
}
