//! Nostr events: they have the form of NIP-01, and the id is computed from the event, never believed.

use phalanx::hash::sha256;
use phalanx::{Keypair, schnorr};
use serde_json::{Value, json};

use crate::files::{hex, json_line};
use crate::rows::{row, secret};
use crate::running::phalanx_on;

/// A JSON object that is signed as it stands, with the text of its numbers and the content that is hashed.
fn signed(number: u32, [created_at, kind]: [&str; 2], tags: &Value, content: &str, hashed: &str) -> String {
    let pair = Keypair::from_secret(secret(number));
    let key = hex(&pair.x_only().to_bytes());
    let id = sha256(format!("[0,\"{key}\",{created_at},{kind},{tags},{hashed}]").as_bytes());
    let (signature, id) = (hex(&schnorr::sign(&id, &pair, &[0; 32]).to_bytes()), hex(&id));
    format!(
        "{{\"id\":\"{id}\",\"pubkey\":\"{key}\",\"created_at\":{created_at},\"kind\":{kind},\"tags\":{tags},\
         \"content\":{},\"sig\":\"{signature}\"}}",
        json!(content)
    )
}

/// The same with numbers that follow from `number`, hashed as a JSON library writes it, which for these contents is
/// what NIP-01 hashes.
fn event(number: u32, tags: &Value, content: &str) -> Value {
    let (created_at, kind) = ((1_700_000_000 + number).to_string(), (number % 3).to_string());
    let event = signed(number, [&created_at, &kind], tags, content, &json!(content).to_string());
    serde_json::from_str(&event).unwrap()
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
    let verbatim = signed(1, ["5", "1"], &json!([]), content, &format!("\"{content}\""));
    phalanx_on(verbatim.as_bytes(), ["verify", "-"]).expect(0);
}

/// Changes one member of an event among others; returns its verdict and the column that is named.
fn changed(member: &str, value: Value) -> (String, Value) {
    let mut events = events();
    events[1][member] = value;
    let lines = phalanx_on(text(&events).as_bytes(), ["verify", "-", "-q", "--out", "-"]).answers();
    let valid = lines.iter().filter(|line| line["valid"] == true).count();
    assert_eq!(valid, events.len() - 1, "{member}");
    (lines[1]["reason"].as_str().unwrap().to_owned(), lines[1]["column"].clone())
}

#[test]
fn tampered_and_malformed_events() {
    let invalid = ("invalid_signature".to_owned(), json!("id"));
    for (member, value) in [
        ("id", json!("0".repeat(64))),
        ("content", json!("other")),
        ("kind", json!(9)),
        ("created_at", json!(1)),
        ("tags", json!([["a"]])),
    ] {
        assert_eq!(changed(member, value), invalid, "{member}");
    }
    for value in ["00", &"00".repeat(65), ""] {
        assert_eq!(changed("sig", json!(value)).0, "bad_signature_encoding");
    }
    assert_eq!(changed("sig", json!("f".repeat(128))).0, "out_of_range");
    for value in [&"f".repeat(64), "00", "", &format!("02{}", "11".repeat(32))] {
        assert_eq!(changed("pubkey", json!(value)).0, "bad_public_key");
    }
    for (member, value) in [
        ("id", json!("00")),
        ("id", json!("no hex")),
        ("id", json!("")),
        ("id", json!(5)),
        ("id", Value::Null),
        ("pubkey", json!("no hex")),
        ("pubkey", json!([])),
        ("sig", Value::Null),
        ("sig", json!("0")),
        ("kind", json!("1")),
        ("kind", json!(1.5)),
        ("kind", json!(true)),
        ("created_at", json!(1e300)),
        ("created_at", json!("2025-03-07")),
        ("tags", json!([[1]])),
        ("tags", json!([["e", null]])),
        ("tags", json!([[[]]])),
        ("tags", json!("")),
        ("tags", json!(["e"])),
        ("tags", json!({})),
        ("tags", Value::Null),
        ("content", json!(1)),
        ("content", json!({})),
        ("content", json!([])),
        ("content", Value::Null),
    ] {
        assert_eq!(changed(member, value.clone()), ("malformed_row".to_owned(), json!(member)), "{member} = {value}");
    }
}

/// What the command says about a line, without its place.
fn said(line: &str) -> String {
    let stderr = phalanx_on(line.as_bytes(), ["verify", "-"]).stderr;
    stderr.strip_prefix("standard input: row 1: ").map_or(String::new(), |text| text.trim_end().to_owned())
}

#[test]
fn numbers_are_integers_in_the_range_of_the_protocol() {
    let with_numbers = |created_at, kind| signed(2, [created_at, kind], &json!([]), "", "\"\"");
    for (created_at, kind) in [("0", "0"), ("1", "65535"), ("9007199254740991", "1"), ("4294967296", "30078")] {
        assert_eq!(said(&with_numbers(created_at, kind)), "", "{created_at} {kind}");
    }
    let long = "1".repeat(500);
    for kind in ["-0", "-1", "65536", "18446744073709551617", &long, "1.0", "1e0", "0.0", "0e0"] {
        let text = said(&with_numbers("1", kind));
        assert_eq!(text, "malformed_row: kind: not an integer from 0 to 65535", "{kind}");
    }
    for created_at in ["-0", "-1", "9007199254740992", "18446744073709551616", &long, "17e8", "1700000000.0"] {
        let text = said(&with_numbers(created_at, "1"));
        assert_eq!(text, "malformed_row: created_at: not an integer from 0 to 2^53 - 1", "{created_at}");
    }
}

#[test]
fn hex_is_lower_case_and_bare() {
    let event = event(4, &json!([]), "gm");
    for member in ["id", "pubkey", "sig"] {
        let text = event[member].as_str().unwrap();
        let capital = text.to_uppercase();
        let one = text.replacen(|character: char| character.is_ascii_lowercase(), "A", 1);
        for other in [capital, one, format!("0x{text}"), format!("0X{text}"), format!(" {text}"), format!("{text}0")] {
            let mut event = event.clone();
            event[member] = json!(other);
            let said = said(&event.to_string());
            assert_eq!(said, format!("malformed_row: {member}: not lower-case hex without 0x"), "{other}");
        }
        let escaped = format!("\\u{:04x}{}", u32::from(text.as_bytes()[0]), &text[1..]);
        assert_eq!(said(&event.to_string().replace(text, &escaped)), "", "the same text, escaped");
    }
}

#[test]
fn events_without_a_part_and_with_half_a_character() {
    let whole = event(3, &json!([]), "gm").to_string();
    for member in ["created_at", "kind", "tags", "content", "id", "pubkey", "sig"] {
        let line = whole.replacen(&format!("\"{member}\""), "\"other\"", 1);
        phalanx_on(line.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
        assert!(said(&line).starts_with(&format!("malformed_row: {member}: missing from a Nostr event")), "{member}");
        let line = whole.replacen(&format!("\"{member}\""), &format!("\"{member}\":1,\"{member}\""), 1);
        assert_eq!(said(&line), format!("malformed_row: {member}: named twice"));
    }
    for half in ["\\ud83d", "\\ud83dx", "\\ude00", "\\ud83d\\u0041"] {
        let line = whole.replace("gm", half);
        assert_eq!(said(&line), "malformed_row: content: half of a surrogate pair", "{half}");
        let line = whole.replace("\"tags\":[]", &format!("\"tags\":[[\"{half}\"]]"));
        assert_eq!(said(&line), "malformed_row: tags: half of a surrogate pair", "{half}");
        let line = whole.replace("\"sig\":\"", &format!("\"sig\":\"{half}"));
        assert_eq!(said(&line), "malformed_row: sig: not lower-case hex without 0x", "{half}");
    }
    let line = whole.replace("\"tags\":[]", "\"tags\":[[7]]");
    assert_eq!(said(&line), "malformed_row: tags: not an array of arrays of strings");
    assert_eq!(said(&whole.replace("gm", "gn")), "invalid_signature: id: not the hash of the event");
}

#[test]
fn events_and_plain_rows_in_one_file() {
    let mixed = format!("{}{}\n{}\n", text(&events()), json_line(&row(0)), json_line(&row(6)));
    let count = events().len() as u64 + 2;
    phalanx_on(mixed.as_bytes(), ["verify", "--json", "-"]).expect(0).counts([count, count, 0, 0]);
}
