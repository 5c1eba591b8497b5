//! Wycheproof's ECDSA vectors as files of rows: the command's verdicts are those of the vectors' own files, under the
//! policy of `docs/inside/wycheproof.md`.

use phalanx::ecdsa::SignatureRef;
use phalanx::{Backend, LowS, PublicKeyRef};
use phalanx_testkit::wycheproof::ecdsa::Case;
use phalanx_testkit::wycheproof::{Judgement, ecdsa_files};

use crate::files::{json_lines, parquet, table};
use crate::rows::Signed;
use crate::running::{directory, phalanx, place};

/// A vector as a row whose id leads back to it.
fn signed(file: &str, case: &Case) -> Signed {
    let row = case.row();
    let (SignatureRef::Compact(signature) | SignatureRef::Der(signature)) = row.signature else {
        panic!("{file} #{}: vectors are encoded", case.id);
    };
    let PublicKeyRef::Encoded(key) = row.public_key else { panic!("{file} #{}: vectors are encoded", case.id) };
    Signed {
        id: format!("{file} #{}", case.id),
        scheme: "ecdsa",
        digest: row.digest.to_vec(),
        key: key.to_vec(),
        signature: signature.to_vec(),
    }
}

#[test]
fn verdicts_are_those_of_the_files() {
    let directory = directory();
    let files = ecdsa_files();
    let mut total = 0;
    for (low_s, option, count) in [(LowS::Allow, "allow", 4_190), (LowS::Require, "require", 463)] {
        let cases = files.iter().flat_map(|file| file.cases.iter().map(move |case| (file.name.as_str(), case)));
        let cases: Vec<_> = cases.filter(|(_, case)| case.low_s == low_s).collect();
        assert_eq!(cases.len(), count);
        let rows: Vec<Signed> = cases.iter().map(|(file, case)| signed(file, case)).collect();
        let inputs = [
            place(&directory, "rows.jsonl", json_lines(&rows).as_bytes()),
            place(&directory, "rows.parquet", &parquet(&table(&rows), 1000)),
        ];
        for backend in Backend::available() {
            for input in &inputs {
                let options = ["--low-s", option, "--backend", backend.name(), "--out", "-"];
                let run = phalanx(["verify", "-q", "--json", input].into_iter().chain(options)).expect(1);
                assert_eq!(run.summary()["backend"], backend.name());
                let lines = run.answers();
                assert_eq!(lines.len(), count);
                for ((row, (_, case)), line) in rows.iter().zip(&cases).zip(&lines) {
                    assert_eq!(line["id"], row.id);
                    let expected = match case.judgement {
                        Judgement::Valid => line["reason"] == "valid",
                        Judgement::Invalid => line["reason"] != "valid" && line["reason"] != "malformed_row",
                        Judgement::Acceptable => panic!("{}: the policy knows none for ECDSA", row.id),
                    };
                    assert!(expected, "{} ({}): {}, {}", row.id, case.comment, line["reason"], backend.name());
                }
            }
            println!("wycheproof ECDSA: {count} of {count} vectors, --low-s {option}, backend {}", backend.name());
        }
        total += count;
    }
    assert_eq!(total, 4_653);
}
