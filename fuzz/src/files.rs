//! The command's readers. A file is read as a whole, in small batches, and as a stream in drops; the answers must be
//! the same, and every row must have one.

use std::collections::BTreeMap;

use phalanx::Class;
use phalanx_cli::fuzzing::{Job, Place, Report, Row, Settings, run};
use serde_json::value::RawValue;

use crate::events;

/// The options under which files are read: by itself each input chooses one of these.
const SETTINGS: [Settings; 8] = [
    PLAIN,
    Settings { lax_der: true, hybrid_keys: true, ..PLAIN },
    Settings { require_low_s: true, together: true, ..PLAIN },
    Settings { keep: &["kind", "v"], together: true, ..PLAIN },
    Settings { columns: &["sig=v", "digest=message"], keep: &["sig"], ..PLAIN },
    Settings { job: Job::RECOVER, ..PLAIN },
    Settings { job: Job::RECOVER, columns: &["id=from_address"], require_low_s: true, ..PLAIN },
    Settings { job: Job::Sum, columns: &["scalar=msg_hash", "point=pubkey"], ..PLAIN },
];

/// Verification of rows, and nothing that must be asked for.
pub const PLAIN: Settings = Settings {
    job: Job::VERIFY,
    lax_der: false,
    require_low_s: false,
    hybrid_keys: false,
    together: false,
    columns: &[],
    keep: &[],
    senders: false,
};

/// Senders of Ethereum transactions.
const SENDERS: Settings = Settings { job: Job::RECOVER, senders: true, ..PLAIN };

/// Inputs that would be read for long teach nothing that short ones do not.
pub(crate) const LONGEST: usize = 1 << 17;

/// Checks a file of this ending under the options that it draws. Without a name only the content tells what a file is.
pub(crate) fn one_setting(bytes: &[u8], ending: &'static str) {
    // FNV-1a of the input chooses: what is found is found again from the input alone.
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    check(bytes, ending, &SETTINGS[(hash >> 40) as usize % SETTINGS.len()]);
}

/// Checks a file of Ethereum blocks.
pub(crate) fn senders(bytes: &[u8], ending: &'static str) {
    check(bytes, ending, &SENDERS);
}

/// Checks a file under all options.
pub fn every_setting(bytes: &[u8]) {
    for settings in &SETTINGS {
        check(bytes, "", settings);
    }
}

fn check(bytes: &[u8], ending: &'static str, settings: &Settings) {
    if bytes.len() > LONGEST {
        return;
    }
    let whole = run(bytes, Place::File(ending), 4096, settings);
    agree(&whole, &run(bytes, Place::File(ending), 3, settings), settings, "in batches of 3 rows");
    if ending.is_empty() {
        agree(&whole, &run(bytes, Place::Stream(1), 1, settings), settings, "byte by byte, row by row");
        agree(&whole, &run(bytes, Place::Stream(1000), 7, settings), settings, "in drops of 1,000 bytes");
    }
    match whole {
        Ok(report) => {
            answers(&report, settings);
            if settings.job == Job::VERIFY && is_lines(bytes, ending) {
                events::check_rows(bytes, &report);
            }
        }
        // Parquet is read by a library whose panics are failures of the run by design. What reads text must not panic.
        Err(text) => assert!(ending == ".parquet" || ending.is_empty() || !text.contains("damaged: "), "{text}"),
    }
}

/// The same rows with the same answers; or no result in either case.
fn agree(whole: &Result<Report, String>, other: &Result<Report, String>, settings: &Settings, how: &str) {
    match (whole, other) {
        (Ok(whole), Ok(other)) => assert_eq!(other, whole, "{how}, under {settings:?}"),
        (Err(_), Err(_)) => {}
        // A sum ends with its first bad row, whatever may be wrong with the file behind that row's block.
        _ if settings.job == Job::Sum => {}
        _ => panic!("{other:?} {how}, but {whole:?} at once, under {settings:?}"),
    }
}

/// Whether a file is read as JSON lines and its bytes are the text.
fn is_lines(bytes: &[u8], ending: &str) -> bool {
    let packed = bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    !packed && (ending == ".jsonl" || (ending.is_empty() && matches!(text.first(), Some(b'{' | b'['))))
}

/// Every row has one answer, and the summary and the output say the same.
fn answers(report: &Report, settings: &Settings) {
    // A line of JSON has all transactions of a block.
    let in_order = |one: &Row, next: &Row| one.number < next.number || settings.senders && one.number == next.number;
    assert!(report.rows.is_sorted_by(in_order), "rows in their order");
    if settings.job == Job::Sum {
        return;
    }
    let class = |class| report.rows.iter().filter(|row| row.verdict.class() == class).count() as u64;
    assert_eq!(report.counts, [Class::Valid, Class::Invalid, Class::Malformed].map(class));
    assert_eq!(report.counts.iter().sum::<u64>(), report.rows.len() as u64);
    let lines: Vec<&[u8]> = report.output.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), report.rows.len(), "a line of output for each row");
    for (line, row) in lines.iter().zip(&report.rows) {
        // What is passed through may be a number or a depth that no value of Rust can hold.
        let line: BTreeMap<String, &RawValue> = serde_json::from_slice(line).expect("output is JSON");
        assert_eq!(line["row"].get(), row.number.to_string());
        assert_eq!(line["valid"].get(), row.verdict.is_valid().to_string());
        assert_eq!(line["reason"].get(), format!("\"{}\"", row.verdict.reason()));
        assert_eq!(row.key.is_some(), settings.job == Job::RECOVER && row.verdict.is_valid());
    }
}
