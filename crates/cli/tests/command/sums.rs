//! `phalanx msm`: the sum of a file's terms, and which row is to blame when there is none.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch, StringArray};
use phalanx::{Backend, Point, PublicKey, Scalar, hash::sha256};

use crate::files::{gzip, hex, parquet, zstandard};
use crate::rows::{GENERATOR, ONE, ORDER, secret};
use crate::running::{Run, command, directory, phalanx, phalanx_on, place};

/// The discrete logarithms of the points are known, so the sum can be checked by one multiplication.
struct Terms {
    scalars: Vec<Scalar>,
    points: Vec<Vec<u8>>,
    /// What all terms add up to, compressed and in hex.
    sum: String,
}

/// Every third point is uncompressed; scalars of zero and one are among the others.
fn terms(count: u32) -> Terms {
    let mut terms = Terms { scalars: Vec::new(), points: Vec::new(), sum: String::new() };
    let mut total = Scalar::ZERO;
    for number in 0..count {
        let scalar = match number % 50 {
            7 => Scalar::ZERO,
            8 => Scalar::ONE,
            _ => Scalar::from_bytes_reduced(&sha256(&[&b"scalar"[..], &number.to_be_bytes()].concat())),
        };
        // A few hundred keys, many times over: equal points meet.
        let key = secret(number % 300);
        total += scalar * Scalar::from_bytes_reduced(&key.to_bytes());
        let public: PublicKey = key.public_key();
        terms.scalars.push(scalar);
        let uncompressed = number.is_multiple_of(3);
        let point = if uncompressed { public.to_bytes_uncompressed().to_vec() } else { public.to_bytes().to_vec() };
        terms.points.push(point);
    }
    terms.sum = hex(&Point::mul_generator(&total).to_bytes());
    terms
}

impl Terms {
    fn csv(&self) -> String {
        let lines = self.scalars.iter().zip(&self.points);
        let lines = lines.map(|(scalar, point)| format!("{},{}\n", hex(&scalar.to_bytes()), hex(point)));
        format!("scalar,point\n{}", lines.collect::<String>())
    }

    fn json_lines(&self) -> String {
        let line = |(scalar, point): (&Scalar, &Vec<u8>)| {
            let object = serde_json::json!({
                "point": const_hex::encode_prefixed(point),
                "content": "no event",
                "scalar": const_hex::encode_prefixed(scalar.to_bytes()),
            });
            object.to_string() + "\n"
        };
        self.scalars.iter().zip(&self.points).map(line).collect()
    }

    fn table(&self) -> RecordBatch {
        let scalars = FixedSizeBinaryArray::try_from_iter(self.scalars.iter().map(Scalar::to_bytes)).unwrap();
        let points = BinaryArray::from_iter_values(&self.points);
        let ids = StringArray::from_iter_values(self.points.iter().map(|_| "unread"));
        RecordBatch::try_from_iter([
            ("id", Arc::new(ids) as ArrayRef),
            ("Scalar", Arc::new(scalars)),
            ("point", Arc::new(points)),
        ])
        .unwrap()
    }
}

#[test]
fn the_same_sum_from_every_format() {
    let directory = directory();
    let terms = terms(900);
    let (csv, lines) = (terms.csv(), terms.json_lines());
    let quoted: String = csv.lines().map(|line| format!("\"{}\"\r\n", line.replace(',', "\",\""))).collect();
    for (name, bytes) in [
        ("terms.csv", csv.clone().into_bytes()),
        ("quoted.csv", quoted.into_bytes()),
        ("terms.jsonl", lines.clone().into_bytes()),
        ("terms.csv.gz", gzip(csv.as_bytes())),
        ("terms.jsonl.zst", zstandard(lines.as_bytes())),
        ("terms.parquet", parquet(&terms.table(), 70)),
        ("unnamed", parquet(&terms.table(), 1000)),
    ] {
        let file = place(&directory, name, &bytes);
        assert_eq!(phalanx(["msm", &file]).expect(0).line(), terms.sum, "{name}");
        assert_eq!(phalanx_on(&bytes, ["msm", "-", "--quiet"]).expect(0).line(), terms.sum, "{name}");
    }
}

#[test]
fn the_same_sum_by_all_means() {
    let directory = directory();
    // Several blocks and, for want of memory, several pieces.
    let terms = terms(20_000);
    let file = place(&directory, "terms.parquet", &parquet(&terms.table(), 3000));
    for backend in Backend::available() {
        for (threads, memory) in [("1", "256"), ("3", "1"), ("2", "100000000")] {
            let options = ["--threads", threads, "--memory", memory, "--backend", backend.name()];
            let run = phalanx(["msm", "--json", &file].into_iter().chain(options)).expect(0);
            let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
            assert_eq!(json["sum"], terms.sum);
            assert_eq!(json["rows"], 20_000);
            assert_eq!(json["backend"], backend.name());
            assert_eq!(json["threads"].to_string(), threads);
        }
        let forced = command().args(["msm", &file]).env("PHALANX_BACKEND", backend.name()).output().unwrap();
        assert_eq!(Run::of(forced).expect(0).line(), terms.sum);
    }
}

#[test]
fn files_add_up_and_infinity_is_named() {
    let directory = directory();
    let minus_one = format!("{}40", &ORDER[..62]);
    let plus = place(&directory, "plus.csv", format!("point,scalar\n{GENERATOR},{ONE}\n").as_bytes());
    let minus = format!("{{\"scalar\":\"{minus_one}\",\"point\":\"{GENERATOR}\"}}\n");
    let minus = place(&directory, "minus.jsonl", minus.as_bytes());
    assert_eq!(phalanx(["msm", &plus]).expect(0).line(), GENERATOR);
    assert_eq!(phalanx(["msm", &minus]).expect(0).line(), format!("03{}", &GENERATOR[2..]));
    assert_eq!(phalanx(["msm", &plus, &minus]).expect(0).stdout, "infinity\n");
    let json = phalanx(["msm", "--json", &minus, &plus]).expect(0).stdout;
    assert!(json.starts_with("{\"sum\":\"infinity\",\"rows\":2,"), "{json}");
    // Infinity is a term like any other, and so is no row at all.
    let sums = format!("scalar,point\n{ONE},{}\n{ONE},{GENERATOR}\n", "00".repeat(33));
    assert_eq!(phalanx_on(sums.as_bytes(), ["msm", "-"]).expect(0).line(), GENERATOR);
    for nothing in ["scalar,point\n", "scalar,point"] {
        assert_eq!(phalanx_on(nothing.as_bytes(), ["msm", "-"]).expect(0).stdout, "infinity\n");
    }
    let nothing = place(&directory, "nothing.parquet", &parquet(&terms(3).table().slice(0, 0), 10));
    let empty = place(&directory, "empty.jsonl", b"");
    assert_eq!(phalanx(["msm", &nothing, &empty]).expect(0).stdout, "infinity\n");
}

#[test]
fn columns_go_by_other_names() {
    let terms = terms(5);
    let renamed = terms.csv().replace("scalar,point", "weight,pubkey");
    let arguments = ["msm", "-", "--columns", "scalar=weight,point=pubkey"];
    assert_eq!(phalanx_on(renamed.as_bytes(), arguments).expect(0).line(), terms.sum);
    let alias = terms.csv().replace("scalar", "Coefficient");
    assert_eq!(phalanx_on(alias.as_bytes(), ["msm", "-"]).expect(0).line(), terms.sum);
    let refused = phalanx_on(renamed.as_bytes(), ["msm", "-", "--columns", "scalar=weight"]).expect(2);
    assert!(refused.stderr.contains("no column `point`") && refused.stdout.is_empty(), "{}", refused.stderr);
}

#[test]
fn a_row_that_is_no_term_is_named() {
    let scalar = "11".repeat(32);
    let no_point = format!("02{}05", "00".repeat(31));
    for (bad, status, said) in [
        (format!("{ORDER},{GENERATOR}"), 1, "out_of_range: scalar"),
        (format!("{},{GENERATOR}", "ff".repeat(32)), 1, "out_of_range: scalar"),
        (format!("{scalar},{no_point}"), 1, "bad_public_key: point"),
        (format!("{scalar},{}", &GENERATOR[2..]), 1, "bad_public_key: point"),
        (format!("{scalar},06{0}{0}", &GENERATOR[2..]), 1, "bad_public_key: point"),
        (format!("{},{GENERATOR}", &scalar[2..]), 3, "malformed_row: scalar: wrong length"),
        (format!("{scalar}00,{GENERATOR}"), 3, "malformed_row: scalar: wrong length"),
        (format!("{scalar}0,{GENERATOR}"), 3, "malformed_row: scalar: not hex"),
        (format!(",{GENERATOR}"), 3, "malformed_row: scalar: null or empty"),
        (format!("{scalar},"), 3, "malformed_row: point: null or empty"),
        (format!("{scalar},zz"), 3, "malformed_row: point: not hex"),
        (format!("{scalar},{GENERATOR},more"), 3, "malformed_row: more or fewer fields than the header"),
    ] {
        // Another bad row behind it is not the one to be named, nor is one of a later file.
        let text = format!("scalar,point\n{scalar},{GENERATOR}\n{bad}\n{scalar},{GENERATOR}\nx,y\n");
        let run = phalanx_on(text.as_bytes(), ["msm", "-", "-q"]).expect(status);
        assert!(run.stderr.starts_with(&format!("phalanx: standard input: row 2: {said}")), "{}", run.stderr);
        assert_eq!((run.stderr.lines().count(), &*run.stdout), (1, ""));
    }
    let text = format!("{{\"scalar\":\"{scalar}\",\"point\":\"{GENERATOR}\"}}\n\n[]\n");
    let run = phalanx_on(text.as_bytes(), ["msm", "-"]).expect(3);
    assert_eq!(run.stderr, "phalanx: standard input: row 3: malformed_row: not a JSON object\n");
}

#[test]
fn the_first_bad_row_is_named_whoever_finds_it() {
    let directory = directory();
    let terms = terms(30_000);
    let mut lines: Vec<String> = terms.csv().lines().map(str::to_owned).collect();
    lines[29_000] = "00,00".to_owned();
    lines[9_001] = format!("{ORDER},{GENERATOR}");
    let bad = place(&directory, "bad.csv", lines.join("\n").as_bytes());
    for threads in ["1", "2", "5"] {
        let run = phalanx(["msm", &bad, "--threads", threads]).expect(1);
        assert_eq!(run.stderr, format!("phalanx: {bad}: row 9001: out_of_range: scalar\n"));
    }
    // What is read before the damage is not a sum.
    let whole = gzip(terms.csv().as_bytes());
    let short = place(&directory, "short.csv.gz", &whole[..whole.len() - 9]);
    let run = phalanx(["msm", &short]).expect(2);
    assert!(run.stderr.contains(&short) && run.stdout.is_empty(), "{}", run.stderr);
}
