//! Nostr events with one error each, made from the relay's: above all ids that are not the hash of their event.

use crate::Fallible;
use crate::nostr_rows::{self, Event};
use crate::oracle;
use serde_json::{Value, json};

/// An event and the verdict it must get.
#[derive(Debug, Clone)]
pub(crate) struct NostrErrorRow {
    event: Value,
    pub expected: &'static str,
    /// The column that the command names.
    column: Option<&'static str>,
}

impl NostrErrorRow {
    /// The event on one line; two keys that NIP-01 does not know state what it must get.
    pub(crate) fn json(&self) -> String {
        let mut event = self.event.clone();
        event["expected_reason"] = self.expected.into();
        event["expected_column"] = self.column.into();
        event.to_string()
    }

    /// Whether the named id is the event's hash and libsecp256k1 accepts the signature of it.
    pub(crate) fn is_valid(&self) -> bool {
        let row = nostr_rows::row(&self.event);
        row.is_ok_and(|row| nostr_rows::hash(&self.event) == row.msg_hash && oracle::is_valid(&row))
    }
}

/// The rows, in the order of the checks. The first event is the one that is changed, the second lends it its parts.
pub(crate) fn rows(events: &[Event]) -> Fallible<Vec<NostrErrorRow>> {
    let [event, other, ..] = events else { return Err("fewer than two events".into()) };
    let [event, other]: [Value; 2] = [serde_json::from_str(&event.json)?, serde_json::from_str(&other.json)?];
    let text = |name: &str| event[name].as_str().ok_or("a field is missing");
    let (id, sig) = (text("id")?, text("sig")?);
    let last = if id.ends_with('0') { "1" } else { "0" };
    let without = |name: &str| -> Fallible<Value> {
        let mut event = event.clone();
        event.as_object_mut().ok_or("an event is no object")?.remove(name);
        Ok(event)
    };
    // Content that was altered, and the digest of the content that was signed: valid if it were a plain row.
    let with_digest = {
        let mut event = event.clone();
        (event["content"], event["digest"]) = ("-".into(), id.into());
        event
    };
    let row = |event, expected, column| NostrErrorRow { event, expected, column };
    let with = |name: &str, value: Value, expected, column| {
        let mut event = event.clone();
        event[name] = value;
        row(event, expected, column)
    };
    let rows = vec![
        row(event.clone(), "valid", None),
        row(without("id")?, "malformed_row", Some("id")),
        row(without("pubkey")?, "malformed_row", Some("pubkey")),
        with("id", id[..62].into(), "malformed_row", Some("id")),
        with("kind", event["kind"].to_string().into(), "malformed_row", Some("kind")),
        with("kind", 65536.into(), "malformed_row", Some("kind")),
        with("tags", json!({}), "malformed_row", Some("tags")),
        with("pubkey", "ff".repeat(32).into(), "bad_public_key", None),
        with("sig", sig[..126].into(), "bad_signature_encoding", None),
        with("sig", format!("{}{}", &sig[..64], "ff".repeat(32)).into(), "out_of_range", None),
        with("sig", other["sig"].clone(), "invalid_signature", None),
        with("pubkey", other["pubkey"].clone(), "invalid_signature", Some("id")),
        with("content", "-".into(), "invalid_signature", Some("id")),
        row(with_digest, "invalid_signature", Some("id")),
        with("created_at", other["created_at"].clone(), "invalid_signature", Some("id")),
        with("id", format!("{}{last}", &id[..63]).into(), "invalid_signature", Some("id")),
        with("id", other["id"].clone(), "invalid_signature", Some("id")),
    ];
    match rows.iter().find(|row| row.is_valid() != (row.expected == "valid")) {
        Some(row) => Err(format!("libsecp256k1 disagrees on {}", row.json()).into()),
        None => Ok(rows),
    }
}
