//! Nostr events: the id is computed from the event, never believed.

use phalanx::hash::sha256;
use phalanx::{Keypair, schnorr};
use serde_json::{Value, json};

use crate::files::{hex, json_line};
use crate::rows::{row, secret};
use crate::running::{directory, json_lines, path, phalanx_on};

/// The text that NIP-01 hashes, which for these contents is what a JSON library writes.
fn serialised(key: &str, created_at: i64, kind: u64, tags: &Value, content: &str) -> String {
    format!("[0,\"{key}\",{created_at},{kind},{},{}]", tags, json!(content))
}

fn event(number: u32, tags: &Value, content: &str) -> Value {
    let pair = Keypair::from_secret(secret(number));
    let key = hex(&pair.x_only().to_bytes());
    let (created_at, kind) = (1_700_000_000 + i64::from(number), u64::from(number % 3));
    let id = sha256(serialised(&key, created_at, kind, tags, content).as_bytes());
    let signature = schnorr::sign(&id, &pair, &[0; 32]);
    json!({
        "id": hex(&id), "pubkey": key, "created_at": created_at, "kind": kind, "tags": tags, "content": content,
        "sig": hex(&signature.to_bytes()),
    })
}

fn events() -> Vec<Value> {
    let contents =
        ["", "gm", "line\nbreak\ttab \"quoted\" back\\slash / slash", "ünïcode 🤙 \u{7f}\u{2028}", "\u{8}\u{c}\r"];
    let tags = [json!([]), json!([["e", "00", "wss://relay"], ["p", "\"x\\y\n🤙"]]), json!([[], [""]])];
    let mut events = Vec::new();
    for content in contents {
        for tags in &tags {
            events.push(event(events.len() as u32, tags, content));
        }
    }
    events
}

fn text(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

#[test]
fn events_are_valid_whatever_the_form_of_their_json() {
    let events = events();
    let count = events.len() as u64;
    let plain = text(&events);
    let spaced = plain.replace(",\"", " ,\t\"").replace(":\"", " : \"");
    let slashes: String = plain.lines().map(|line| line.replace('/', "\\/") + "\n").collect();
    let escaped: String = plain
        .chars()
        .map(|character| {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units);
            let escape = |unit: &u16| format!("\\u{unit:04X}");
            if character.is_ascii() { character.to_string() } else { units.iter().map(escape).collect() }
        })
        .collect();
    // White space may also stand inside strings, where it counts.
    assert!(spaced.contains(" ,\t\""));
    for text in [&plain, &slashes, &escaped] {
        phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([count, count, 0, 0]);
    }
    let pretty: String = events.iter().map(|event| spread(event) + "\n").collect();
    phalanx_on(pretty.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([count, count, 0, 0]);
}

/// JSON with white space at every place that allows it.
fn spread(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[ {} ]", items.iter().map(spread).collect::<Vec<_>>().join(" ,\t")),
        Value::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(key, value)| format!(" {} :\t{}", json!(key), spread(value))).collect();
            format!("{{{} }}", members.join(" , "))
        }
        other => other.to_string(),
    }
}

#[test]
fn control_characters_verbatim_or_escaped() {
    let content = "a\u{1}b\u{1f}";
    let escaped = event(1, &json!([]), content);
    phalanx_on(text(&[escaped]).as_bytes(), ["verify", "-"]).expect(0);
    let pair = Keypair::from_secret(secret(1));
    let key = hex(&pair.x_only().to_bytes());
    let id = sha256(format!("[0,\"{key}\",5,1,[],\"{content}\"]").as_bytes());
    let signature = hex(&schnorr::sign(&id, &pair, &[0; 32]).to_bytes());
    let verbatim = json!({
        "id": hex(&id), "pubkey": key, "created_at": 5, "kind": 1, "tags": [], "content": content, "sig": signature,
    });
    phalanx_on(text(&[verbatim]).as_bytes(), ["verify", "-"]).expect(0);
}

/// Changes one member of an event among others; returns its verdict and the column that is named.
fn changed(member: &str, value: Value) -> (String, Value) {
    let directory = directory();
    let mut events = events();
    events[1][member] = value;
    let out = path(&directory, "out.jsonl");
    phalanx_on(text(&events).as_bytes(), ["verify", "-", "-q", "--out", &out]);
    let lines = json_lines(&out);
    let valid = lines.iter().filter(|line| line["valid"] == true).count();
    assert_eq!(valid, events.len() - 1, "{member}");
    (lines[1]["reason"].as_str().unwrap().to_owned(), lines[1]["column"].clone())
}

#[test]
fn tampered_and_malformed_events() {
    let zeros = "0".repeat(64);
    let invalid = ("invalid_signature".to_owned(), Value::Null);
    for (member, value) in
        [("content", json!("other")), ("kind", json!(9)), ("created_at", json!(1)), ("tags", json!([["a"]]))]
    {
        assert_eq!(changed(member, value), invalid, "{member}");
    }
    assert_eq!(changed("id", json!(zeros)), ("invalid_signature".to_owned(), json!("id")));
    assert_eq!(changed("sig", json!("f".repeat(128))).0, "out_of_range");
    assert_eq!(changed("sig", json!("00")).0, "bad_signature_encoding");
    assert_eq!(changed("pubkey", json!("f".repeat(64))).0, "bad_public_key");
    assert_eq!(changed("pubkey", json!("00")).0, "bad_public_key");
    for (member, value, column) in [
        ("id", json!("00"), json!("id")),
        ("id", json!("no hex"), json!("id")),
        ("id", json!(5), json!("id")),
        ("id", Value::Null, json!("id")),
        ("pubkey", json!("no hex"), json!("pubkey")),
        ("sig", Value::Null, json!("sig")),
        ("kind", json!("1"), Value::Null),
        ("kind", json!(1.5), Value::Null),
        ("created_at", json!(1e300), Value::Null),
        ("tags", json!([[1]]), Value::Null),
        ("tags", json!(["e"]), Value::Null),
        ("tags", json!({}), Value::Null),
        ("content", json!(1), Value::Null),
        ("content", Value::Null, Value::Null),
    ] {
        assert_eq!(changed(member, value.clone()), ("malformed_row".to_owned(), column), "{member} = {value}");
    }
}

#[test]
fn events_without_a_part_and_with_half_a_character() {
    let whole = event(3, &json!([]), "gm").to_string();
    for member in ["created_at", "kind", "tags", "content", "id", "pubkey", "sig"] {
        let line = whole.replacen(&format!("\"{member}\""), "\"other\"", 1);
        phalanx_on(line.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
    }
    let line = whole.replace("\"gm\"", "\"\\ud83d\"");
    phalanx_on(line.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
    let line = whole.replacen("\"kind\"", "\"kind\":1,\"kind\"", 1);
    phalanx_on(line.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
}

#[test]
fn events_and_plain_rows_in_one_file() {
    let mixed = format!("{}{}\n{}\n", text(&events()), json_line(&row(0)), json_line(&row(6)));
    let count = events().len() as u64 + 2;
    phalanx_on(mixed.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([count, count, 0, 0]);
}
