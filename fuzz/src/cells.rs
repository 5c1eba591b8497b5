//! One row's values as CSV and as JSON: the answers must be the same, and a valid one must be right.
//!
//! An input is lines of `column:value`. A column is named once; further lines of its name count for nothing. Around a
//! value of CSV spaces do not count.

use crate::files::PLAIN;
use phalanx::{LowS, PublicKey, Verdict, XOnlyKeyRef, XOnlyPublicKey, ecdsa, schnorr};
use phalanx_cli::fuzzing::{Job, Place, Report, Settings, run};

const COLUMNS: [&str; 9] = ["scheme", "msg_hash", "message", "pubkey", "sig", "r", "s", "v", "from_address"];

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut row: Vec<(&str, &str)> = Vec::new();
    for (column, value) in text.lines().filter_map(|line| line.split_once(':')) {
        if COLUMNS.contains(&column) && row.iter().all(|(known, _)| *known != column) {
            row.push((column, value));
        }
    }
    let csv = csv(&row);
    row.iter_mut().for_each(|(_, value)| *value = value.trim_matches(|space: char| space.is_ascii_whitespace()));
    let json = json(&row);
    for job in [Job::VERIFY, Job::RECOVER] {
        let settings = Settings {
            job,
            lax_der: text.len() % 2 == 1,
            require_low_s: text.len() % 3 == 1,
            hybrid_keys: text.len() % 5 == 1,
            together: text.len() % 7 == 1,
            ..PLAIN
        };
        // Which columns a job needs, CSV tells by its header and JSON row by row.
        let Ok(in_csv) = run(&csv, Place::File(".csv"), 9, &settings) else { continue };
        let in_json = run(&json, Place::File(".jsonl"), 9, &settings).expect("JSON lines always come to their end");
        assert_eq!(answer(&in_csv), answer(&in_json), "{row:?} under {settings:?}");
        match answer(&in_csv) {
            (Verdict::Valid, ..) if job == Job::VERIFY => assert!(is_valid(&row, &settings), "{row:?}"),
            (Verdict::Valid, _, _, key) => {
                assert!(is_valid_under(&row, &settings, &key.expect("recovered")), "{row:?}")
            }
            _ => {}
        }
    }
}

fn csv(row: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::NonNumeric).from_writer(Vec::new());
    writer.write_record(row.iter().map(|(column, _)| column)).expect("memory");
    writer.write_record(row.iter().map(|(_, value)| value)).expect("memory");
    writer.into_inner().expect("memory")
}

/// An empty field of CSV is null, but for a message, which may be empty.
fn json(row: &[(&str, &str)]) -> Vec<u8> {
    let value = |column: &str, text: &str| match text {
        "" if column != "message" => serde_json::Value::Null,
        text => text.into(),
    };
    let row = row.iter().map(|(column, text)| ((*column).to_owned(), value(column, text))).collect();
    serde_json::to_vec(&serde_json::Value::Object(row)).expect("text")
}

type Answer<'a> = (Verdict, Option<&'a str>, &'a str, Option<[u8; 33]>);

fn answer(report: &Report) -> Answer<'_> {
    let [row] = &report.rows[..] else { panic!("one row, but {report:?}") };
    (row.verdict, row.column.as_deref(), &row.text, row.key)
}

/// The bytes of a value, hex or in another form. None for an empty text, but that of a message.
fn value(row: &[(&str, &str)], column: &str) -> Option<Vec<u8>> {
    let (_, text) = row.iter().find(|(name, _)| *name == column)?;
    let plain = text.strip_prefix("0x").unwrap_or(text);
    let number = matches!(column, "r" | "s");
    let of_hex = |digits: &str| {
        hex::decode(if number && digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_owned() }).ok()
    };
    let (trimmed, is_message) = (text.trim_ascii(), column == "message");
    let prefixed = ["0x", "0X", "\\x"].iter().find_map(|prefix| trimmed.strip_prefix(prefix)).unwrap_or(trimmed);
    let value = match (number && trimmed.len() > 64).then(|| value_of_decimal(trimmed)).flatten() {
        Some(value) => Some(value),
        None => of_hex(plain).or_else(|| of_hex(prefixed)),
    };
    let other = || value_of_other_text(text, trimmed).filter(|_| !is_message);
    value.or_else(other).filter(|_| !text.is_empty() || is_message)
}

/// A decimal number of at most 32 bytes.
fn value_of_decimal(text: &str) -> Option<Vec<u8>> {
    let mut number = vec![0; 32];
    for digit in text.chars() {
        let mut carry = digit.to_digit(10)?;
        for byte in number.iter_mut().rev() {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry > 0 {
            return None;
        }
    }
    Some(number)
}

/// Pairs of digits apart, Base64, or printable characters with escapes.
fn value_of_other_text(text: &str, trimmed: &str) -> Option<Vec<u8>> {
    let apart: String =
        trimmed.chars().enumerate().filter(|(place, _)| place % 3 < 2).map(|(_, digit)| digit).collect();
    if let Some(separator) = trimmed.chars().nth(2).filter(|separator| ":- ".contains(*separator))
        && trimmed.chars().skip(2).step_by(3).all(|digit| digit == separator)
        && let Ok(bytes) = hex::decode(apart)
    {
        return Some(bytes);
    }
    let digits = trimmed.trim_end_matches('=').replace('-', "+").replace('_', "/");
    let bits: Option<Vec<u8>> = digits
        .bytes()
        .map(|digit| {
            let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            digits.iter().position(|known| *known == digit).map(|place| place as u8)
        })
        .collect();
    if let Some(bits) = bits.filter(|bits| !bits.is_empty()) {
        let bit = |place: usize| bits[place / 6] >> (5 - place % 6) & 1;
        let byte = |byte: usize| (0..8).fold(0, |value, place| value << 1 | bit(8 * byte + place));
        return Some((0..bits.len() * 6 / 8).map(byte).collect());
    }
    let (inside, python) = match trimmed.strip_prefix("b'").or_else(|| trimmed.strip_prefix("b\"")) {
        Some(inside) => (inside.get(..inside.len().checked_sub(1)?)?, true),
        None => (text, false),
    };
    let (mut bytes, mut rest) = (Vec::new(), inside);
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match (first, rest.chars().next()) {
            ('\\', Some('x')) => {
                bytes.extend(hex::decode(rest.get(1..3)?).ok()?);
                rest = &rest[3..];
            }
            ('\\', Some(escaped)) if python => {
                bytes.push(match escaped {
                    'n' => b'\n',
                    'r' => b'\r',
                    't' => b'\t',
                    other => u8::try_from(other).ok()?,
                });
                rest = &rest[escaped.len_utf8()..];
            }
            _ => bytes.push(u8::try_from(first).ok()?),
        }
    }
    Some(bytes)
}

fn ecdsa_signature(row: &[(&str, &str)], settings: &Settings) -> Option<ecdsa::Signature> {
    let Some(bytes) = value(row, "sig") else {
        let half = |column| {
            let bytes = value(row, column)?;
            let mut half = [0; 32];
            half[32_usize.checked_sub(bytes.len())?..].copy_from_slice(&bytes);
            Some(half)
        };
        return ecdsa::Signature::from_compact(&[half("r")?, half("s")?].concat()).ok();
    };
    let signature = match bytes.len() {
        64 | 65 => ecdsa::Signature::from_compact(&bytes[..64]),
        _ if settings.lax_der => ecdsa::Signature::from_der_lax(&bytes),
        _ => ecdsa::Signature::from_der(&bytes),
    };
    signature.ok()
}

/// Whether a row is valid, by single calls.
fn is_valid(row: &[(&str, &str)], settings: &Settings) -> bool {
    let Some(key) = value(row, "pubkey") else { return false };
    let scheme = row.iter().find(|(name, _)| *name == "scheme").map(|(_, text)| text.to_ascii_lowercase());
    if scheme.as_deref() == Some("schnorr") || (scheme.is_none() && key.len() == 32) {
        let message = value(row, "msg_hash").or_else(|| value(row, "message"));
        let (Some(message), Some(signature)) = (message, value(row, "sig")) else { return false };
        let row = schnorr::Row { message: &message, signature: &signature, public_key: XOnlyKeyRef::Encoded(&key) };
        return schnorr::verify_row(&row).is_valid() && XOnlyPublicKey::from_bytes(&key).is_ok();
    }
    let key = if settings.hybrid_keys { PublicKey::from_bytes_hybrid(&key) } else { PublicKey::from_bytes(&key) };
    key.is_ok_and(|key| is_valid_under(row, settings, &key.to_bytes()))
}

fn is_valid_under(row: &[(&str, &str)], settings: &Settings, key: &[u8; 33]) -> bool {
    let low_s = if settings.require_low_s { LowS::Require } else { LowS::Allow };
    let digest = value(row, "msg_hash").and_then(|digest| digest.try_into().ok());
    let (Some(digest), Some(signature)) = (digest, ecdsa_signature(row, settings)) else { return false };
    let key = PublicKey::from_bytes(key).expect("a compressed key");
    ecdsa::verify(&digest, &signature, &key, low_s).is_ok()
}
