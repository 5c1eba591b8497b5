//! Rows as CSV and as JSON lines.

use crate::Fallible;
use crate::error_row::{Cell, ErrorRow};
use crate::recover_error_rows::RecoverErrorRow;
use crate::row::{SenderRow, VerifyRow};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Plain column names, hex without prefix.
pub(crate) fn verify_csv(path: &Path, rows: &[VerifyRow]) -> Fallible<()> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(["id", "scheme", "msg_hash", "pubkey", "sig"])?;
    for row in rows {
        let [msg_hash, pubkey, sig] = [&row.msg_hash[..], &row.pubkey, &row.sig].map(hex::encode);
        file.write_record([&row.id, row.scheme.name(), &msg_hash, &pubkey, &sig])?;
    }
    Ok(file.flush()?)
}

/// Column names as other tools write them, hex with the prefix 0x.
pub(crate) fn verify_json_lines(path: &Path, rows: &[VerifyRow]) -> Fallible<()> {
    let values = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "scheme": row.scheme.name(),
            "sighash": prefixed(&row.msg_hash),
            "public_key": prefixed(&row.pubkey),
            "signature": prefixed(&row.sig),
        })
        .to_string()
    });
    lines(path, values)
}

/// `v` as the transactions carry it.
pub(crate) fn sender_csv(path: &Path, rows: &[SenderRow]) -> Fallible<()> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record([
        "transaction_hash",
        "block_number",
        "transaction_index",
        "msg_hash",
        "r",
        "s",
        "v",
        "from_address",
    ])?;
    for row in rows {
        file.write_record([
            prefixed(&row.transaction_hash),
            row.block_number.to_string(),
            row.transaction_index.to_string(),
            prefixed(&row.msg_hash),
            prefixed(&row.r),
            prefixed(&row.s),
            row.v_on_chain.to_string(),
            prefixed(&row.from_address),
        ])?;
    }
    Ok(file.flush()?)
}

/// Two columns beside the row state what it must get under either low-S policy.
pub(crate) fn error_csv(path: &Path, rows: &[ErrorRow]) -> Fallible<()> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(["id", "scheme", "msg_hash", "pubkey", "sig", "expected_reason", "expected_low_s_require"])?;
    for row in rows {
        let text = |cell: &Cell| match cell {
            Cell::Bytes(bytes) => Ok(hex::encode(bytes)),
            Cell::Text(text) => Ok((*text).to_owned()),
            Cell::Missing => Ok(String::new()),
            Cell::Null | Cell::Number(_) => Err(format!("row {} has no form in CSV", row.id)),
        };
        let [scheme, msg_hash, pubkey, sig] = [&row.scheme, &row.msg_hash, &row.pubkey, &row.sig].map(text);
        file.write_record([row.id, &scheme?, &msg_hash?, &pubkey?, &sig?, row.expected, row.expected_low_s])?;
    }
    Ok(file.flush()?)
}

/// As [`error_csv`], and the rows that only JSON can carry.
pub(crate) fn error_json_lines(path: &Path, rows: &[ErrorRow]) -> Fallible<()> {
    let values = rows.iter().map(|row| {
        let mut object = Map::new();
        object.insert("id".into(), row.id.into());
        let cells = [("scheme", &row.scheme), ("msg_hash", &row.msg_hash), ("pubkey", &row.pubkey), ("sig", &row.sig)];
        for (name, cell) in cells {
            let value = match cell {
                Cell::Bytes(bytes) => hex::encode(bytes).into(),
                Cell::Text(text) => (*text).into(),
                Cell::Number(number) => (*number).into(),
                Cell::Null => Value::Null,
                Cell::Missing => continue,
            };
            object.insert(name.into(), value);
        }
        object.insert("expected_reason".into(), row.expected.into());
        object.insert("expected_low_s_require".into(), row.expected_low_s.into());
        Value::Object(object).to_string()
    });
    lines(path, values)
}

pub(crate) fn recover_error_csv(path: &Path, rows: &[RecoverErrorRow]) -> Fallible<()> {
    let mut file = csv::Writer::from_path(path)?;
    file.write_record(["id", "msg_hash", "r", "s", "v", "from_address", "expected_reason"])?;
    for row in rows {
        file.write_record([row.id, &row.msg_hash, &row.r, &row.s, &row.v, &row.from_address, row.expected])?;
    }
    Ok(file.flush()?)
}

/// One text a line.
pub(crate) fn lines(path: &Path, lines: impl Iterator<Item = impl AsRef<str>>) -> Fallible<()> {
    let mut text = String::new();
    for line in lines {
        text += line.as_ref();
        text.push('\n');
    }
    Ok(std::fs::write(path, text)?)
}

fn prefixed(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
