//! Nostr events, read as slowly and plainly as NIP-01 can be: a row that the command calls valid must be valid here.

use std::collections::BTreeMap;

use phalanx::{XOnlyPublicKey, hash::sha256, schnorr};
use phalanx_cli::fuzzing::Report;
use serde_json::Value;
use serde_json::value::RawValue;

/// Holds the valid rows of a text of JSON lines against the text.
pub(crate) fn check_rows(text: &[u8], report: &Report) {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    for row in report.rows.iter().filter(|row| row.verdict.is_valid()) {
        let line = lines[usize::try_from(row.number).expect("lines are counted by usize") - 1];
        let text = String::from_utf8_lossy(line);
        if let Some(event) = event(&without_words(&text)) {
            assert!(std::str::from_utf8(line).is_ok() && judged(&event).is_some(), "{text}");
        }
    }
}

/// A line in which null stands for what Python writes where a number is missing or too large. Only such lines are no JSON
/// and may be valid.
fn without_words(line: &str) -> String {
    if serde_json::from_str::<&RawValue>(line).is_ok() {
        return line.to_owned();
    }
    let mut out = String::new();
    // Every second part stands in quotes, since no quote that is escaped ends one.
    for (place, part) in line.replace("\\\\", "\u{1}").replace("\\\"", "\u{2}").split('"').enumerate() {
        let part = if place % 2 == 1 {
            part.to_owned()
        } else {
            part.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null")
        };
        out += &format!("{}{part}", if place == 0 { "" } else { "\"" });
    }
    out.replace('\u{2}', "\\\"").replace('\u{1}', "\\\\")
}

/// What stands behind an event's keys. Other values are not looked at: they may be what no value of Rust can hold.
type Event = BTreeMap<String, Value>;

/// The event of a line: an object with one of the keys that only events have, or the object in a message of a relay.
fn event(line: &str) -> Option<Event> {
    let in_message = line.trim_ascii_start().starts_with('[');
    let object = match in_message {
        true => {
            let parts: Vec<&RawValue> = serde_json::from_str(line).expect("a valid row is JSON");
            parts.into_iter().map(RawValue::get).find(|part| part.starts_with('{'))?
        }
        false => line,
    };
    let keys: BTreeMap<String, &RawValue> = serde_json::from_str(object).expect("a valid row is an object");
    let is_event = in_message || ["created_at", "kind", "tags", "content"].iter().any(|key| keys.contains_key(*key));
    let value = |key: &str| {
        let value = keys.get(key).map(|value| serde_json::from_str(value.get()).expect("a valid event's values"));
        (key.to_owned(), value.unwrap_or(Value::Null))
    };
    is_event.then(|| ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"].map(value).into())
}

/// Something, if the event is valid.
fn judged(event: &Event) -> Option<()> {
    let text = |key: &str| event[key].as_str();
    let integer = |key: &str, greatest: u64| event[key].as_u64().filter(|number| *number <= greatest);
    let bytes = |key: &str| {
        let digits = text(key)?;
        let lower = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        hex::decode(digits).ok().filter(|_| lower)
    };
    let (created_at, kind) = (integer("created_at", (1 << 53) - 1)?, integer("kind", 65535)?);
    let mut tags = Vec::new();
    for tag in event["tags"].as_array()? {
        tags.push(tag.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?);
    }
    let named = bytes("id")?;
    let is_named = [false, true].into_iter().any(|escape| {
        let quote = |text: &str| quoted(text, escape);
        let tag = |tag: &Vec<&str>| format!("[{}]", tag.iter().map(|item| quote(item)).collect::<Vec<_>>().join(","));
        let tags = tags.iter().map(tag).collect::<Vec<_>>().join(",");
        let (key, content) = (text("pubkey").map(quote), text("content").map(quote));
        key.zip(content).is_some_and(|(key, content)| {
            sha256(format!("[0,{key},{created_at},{kind},[{tags}],{content}]").as_bytes())[..] == named
        })
    });
    let key = XOnlyPublicKey::from_bytes(&bytes("pubkey")?).ok()?;
    let signature = schnorr::Signature::from_bytes(&bytes("sig")?).ok()?;
    schnorr::verify(&named, &signature, &key).ok().filter(|()| is_named)
}

/// A string as NIP-01 hashes it, or with its further control characters escaped, as JSON libraries write them.
fn quoted(text: &str, escape: bool) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            control if escape && control < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
