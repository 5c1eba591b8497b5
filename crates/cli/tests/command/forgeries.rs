//! Lines that are events and also hold what a plain row needs: forged ones are never valid, honest ones always.

use serde_json::{Map, Value, json};

use crate::files::hex;
use crate::rows::{recoverable, secret};
use crate::running::{json_lines, phalanx_on};
use crate::sample::sample;
use crate::shared::shared;

/// The keys that make a JSON object an event, whatever else it holds.
const OF_EVENTS: [&str; 4] = ["created_at", "kind", "tags", "content"];

/// Events of relays: those of the sample, and the shared ones where they are.
fn events() -> Vec<Map<String, Value>> {
    let files = [Some(sample("nostr-events.jsonl")), shared("nostr-events.jsonl", "forgeries of 360 more events")];
    let lines: Vec<Value> = files.iter().flatten().flat_map(|file| json_lines(file)).collect();
    lines.into_iter().map(|line| line.as_object().unwrap().clone()).collect()
}

/// Every name that means something in a plain row and is no key of an event, with the value that helps a forger most.
fn further(event: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let text = |key: &str| event[key].as_str().unwrap();
    let (id, key, signature) = (json!(text("id")), json!(text("pubkey")), json!(text("sig")));
    let mut further = Vec::new();
    let digests = ["msg_hash", "digest", "sighash", "message_hash", "message", "hash", "transaction_hash", "tx_hash"];
    for name in digests.into_iter().chain(["txid", "scalar", "coefficient"]) {
        further.push((name, id.clone()));
    }
    further.extend([("public_key", key), ("signature", signature), ("scheme", json!("schnorr"))]);
    further.extend([("r", json!(&text("sig")[..64])), ("s", json!(&text("sig")[64..]))]);
    for name in ["v", "recovery_id", "recid", "y_parity", "yParity"] {
        further.push((name, json!(0)));
    }
    for name in ["from_address", "from", "sender"] {
        further.push((name, json!("00".repeat(20))));
    }
    further.push(("point", json!("02".to_owned() + text("pubkey"))));
    further
}

/// The keys of events in capitals: other keys, though names of columns are read in any case.
fn in_other_cases(event: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let keys = [("ID", "id"), ("PubKey", "pubkey"), ("SIG", "sig"), ("Content", "content"), ("Tags", "tags")];
    keys.map(|(name, key)| (name, event[key].clone())).to_vec()
}

/// An event with something changed that its id covers.
fn forged(event: &Map<String, Value>, number: usize) -> Map<String, Value> {
    let mut event = event.clone();
    let (key, value) = [
        ("content", json!("I never said this")),
        ("kind", json!(event["kind"].as_u64().unwrap() ^ 1)),
        ("created_at", json!(event["created_at"].as_u64().unwrap() + 1)),
        ("tags", json!([["p", "forged"]])),
    ][number % 4]
        .clone();
    event.insert(key.to_owned(), value);
    event
}

/// A line with further keys, before the event's or behind them.
fn line(event: &Map<String, Value>, further: &[(&str, Value)], before: bool) -> String {
    let member = |(key, value): (&str, &Value)| format!("{}:{value}", json!(key));
    let own = event.iter().map(|(key, value)| member((key.as_str(), value)));
    let more = further.iter().map(|(key, value)| member((key, value)));
    let members: Vec<String> = if before { more.chain(own).collect() } else { own.chain(more).collect() };
    format!("{{{}}}\n", members.join(","))
}

/// A name in small letters, in capitals, or with a capital at its head.
fn cased(name: &str, number: usize) -> String {
    match number % 3 {
        0 => name.to_owned(),
        1 => name.to_uppercase(),
        _ => name[..1].to_uppercase() + &name[1..],
    }
}

/// Runs on honest and on forged lines.
fn judge(honest: &str, forged: &str, arguments: &[&str]) {
    let count = |text: &str| text.lines().count() as u64;
    let arguments = || ["verify", "--json", "-q", "-"].iter().chain(arguments);
    let (all, none) = (count(honest), count(forged));
    phalanx_on(honest.as_bytes(), arguments()).expect(0).counts([all, all, 0, 0]);
    let run = phalanx_on(forged.as_bytes(), arguments()).expect(1).counts([none, 0, none, 0]);
    assert_eq!(run.summary()["reasons"]["invalid_signature"], none);
}

#[test]
fn no_further_key_makes_an_event_a_plain_row() {
    let (mut honest, mut lies) = (String::new(), String::new());
    for (number, event) in events().iter().enumerate() {
        let forged = forged(event, number);
        let mut all = further(event);
        for (place, (name, value)) in all.iter().enumerate() {
            let name = cased(name, number + place);
            let one = [(name.as_str(), value.clone())];
            for (text, event) in [(&mut honest, event), (&mut lies, &forged)] {
                text.push_str(&line(event, &one, place % 2 == 0));
            }
        }
        all.extend(in_other_cases(event));
        for (text, event) in [(&mut honest, event), (&mut lies, &forged)] {
            text.push_str(&line(event, &all, number % 2 == 0));
        }
    }
    judge(&honest, &lies, &[]);
}

#[test]
fn nor_does_a_key_that_is_named_twice_or_holds_nonsense() {
    let events = events();
    let nonsense = [json!(null), json!(""), json!("no hex"), json!(-1), json!([]), json!({"content": 1}), json!(true)];
    let (mut honest, mut lies) = (String::new(), String::new());
    for (number, value) in nonsense.iter().enumerate() {
        let event = &events[number];
        for (name, _) in further(event) {
            let twice = [(name, value.clone()), (name, value.clone()), ("note", json!({"id": 1, "kind": []}))];
            honest.push_str(&line(event, &twice, true));
            lies.push_str(&line(&forged(event, number), &twice, true));
        }
    }
    judge(&honest, &lies, &[]);
}

#[test]
fn nor_do_names_that_are_mapped() {
    let (mut honest, mut lies) = (String::new(), String::new());
    for (number, event) in events().iter().enumerate() {
        let text = |key: &str| event[key].clone();
        let mapped = [
            ("proof", text("id")),
            ("author", text("pubkey")),
            ("mark", text("sig")),
            ("name", json!("a name")),
            ("how", json!("ecdsa")),
        ];
        honest.push_str(&line(event, &mapped, number % 2 == 0));
        lies.push_str(&line(&forged(event, number), &mapped, number % 2 == 0));
    }
    for columns in [
        "msg_hash=proof",
        "message=proof",
        "msg_hash=proof,pubkey=author,sig=mark",
        "id=name",
        "id=name,scheme=how,r=proof,s=proof,v=how",
        "msg_hash=id",
        "message=content",
        "scheme=kind,v=created_at,from_address=tags",
        "sig=id,pubkey=sig,id=pubkey",
    ] {
        judge(&honest, &lies, &["--columns", columns]);
    }
}

/// The verdict of one line and the column it names.
fn verdict(line: &str) -> (String, Value) {
    let lines = phalanx_on(line.as_bytes(), ["verify", "-", "-q", "--out", "-"]).answers();
    assert_eq!(lines.len(), 1, "{line}");
    (lines[0]["reason"].as_str().unwrap().to_owned(), lines[0]["column"].clone())
}

fn malformed(column: &str) -> (String, Value) {
    ("malformed_row".to_owned(), json!(column))
}

#[test]
fn half_an_event_is_malformed_whatever_else_the_line_holds() {
    let event = &events()[0];
    let whole = further(event);
    // Every choice of the four keys but all of them.
    for choice in 0..15 {
        let mut half = event.clone();
        let lacks: Vec<&str> = (0..4).filter(|key| choice >> key & 1 == 0).map(|key| OF_EVENTS[key]).collect();
        for key in &lacks {
            half.remove(*key);
        }
        let row = [("digest", event["id"].clone())];
        if choice == 0 {
            assert_eq!(verdict(&line(&half, &row, true)).0, "valid", "nothing but a plain row is left");
        } else {
            for further in [&row[..], &whole, &[]] {
                assert_eq!(verdict(&line(&half, further, true)), malformed(lacks[0]), "{lacks:?}");
            }
        }
    }
    for key in ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"] {
        let mut without = event.clone();
        without.remove(key);
        assert_eq!(verdict(&line(&without, &whole, false)), malformed(key), "without {key}");
        let mut null = event.clone();
        null.insert(key.to_owned(), Value::Null);
        assert_eq!(verdict(&line(&null, &whole, false)), malformed(key), "{key} is null");
        for before in [false, true] {
            let twice = [(key, event[key].clone()), ("digest", event["id"].clone())];
            assert_eq!(verdict(&line(event, &twice, before)), malformed(key), "{key} twice");
        }
        let capitals = cased(key, 1);
        let renamed = [(capitals.as_str(), event[key].clone()), ("digest", event["id"].clone())];
        assert_eq!(verdict(&line(&without, &renamed, false)), malformed(key), "{key} in capitals");
    }
}

/// A line whose keys are written with JSON escapes.
fn with_escaped_keys(line: &str) -> String {
    let mut text = line.to_owned();
    for key in ["id", "pubkey", "created_at", "kind", "tags", "content", "sig"] {
        let escaped = format!("\"\\u{:04x}{}\":", u32::from(key.as_bytes()[0]), &key[1..]);
        text = text.replacen(&format!("\"{key}\":"), &escaped, 1);
    }
    assert_eq!(text.matches("\\u00").count(), 7);
    text
}

#[test]
fn keys_are_what_they_are_however_they_are_written() {
    let (mut honest, mut lies) = (String::new(), String::new());
    let events: Vec<_> = events().into_iter().filter(|event| !json!(event).to_string().contains("\\u00")).collect();
    for (number, event) in events.iter().enumerate().take(100) {
        let row = [("digest", event["id"].clone())];
        honest.push_str(&with_escaped_keys(&line(event, &row, false)));
        lies.push_str(&with_escaped_keys(&line(&forged(event, number), &row, false)));
    }
    judge(&honest, &lies, &[]);
    let twice = line(&events[0], &[("digest", events[0]["id"].clone())], false).replacen(
        '{',
        "{\"\\u0063ontent\":\"I never said this\",",
        1,
    );
    assert_eq!(verdict(&twice), malformed("content"));
}

#[test]
fn events_recover_no_key() {
    let found = recoverable(1);
    let row =
        [("digest", json!(hex(&found.digest))), ("signature", json!(hex(&found.with_id()))), ("v", json!(found.id))];
    phalanx_on(line(&Map::new(), &row, true).as_bytes(), ["recover", "-q", "-"]).expect(0);
    let event = &events()[0];
    let mut ecdsa = event.clone();
    ecdsa.insert("sig".to_owned(), row[1].1.clone());
    ecdsa.insert("pubkey".to_owned(), json!(hex(&found.key)));
    let mut lines = String::new();
    for event in [event, &ecdsa, &forged(event, 0)] {
        for further in [&[][..], &row, &further(event)] {
            lines.push_str(&line(event, further, true));
            lines.push_str(&format!("[\"EVENT\",\"s\",{}]\n", line(event, further, true).trim_end()));
        }
    }
    for key in OF_EVENTS {
        lines.push_str(&line(&Map::from_iter([(key.to_owned(), json!(1))]), &row, false));
    }
    let count = lines.lines().count() as u64;
    let run = phalanx_on(lines.as_bytes(), ["recover", "--json", "-"]).expect(3).counts([count, 0, 0, count]);
    assert!(run.stderr.contains("row 1: malformed_row: a Nostr event"), "{}", run.stderr);
}

#[test]
fn terms_of_a_sum_are_terms_whatever_else_the_line_holds() {
    let point = hex(&secret(1).public_key().to_bytes());
    let term = [("scalar", json!("00".repeat(31) + "01")), ("point", json!(point))];
    let with_event = line(&events()[0], &term, false);
    let run = phalanx_on(with_event.as_bytes(), ["msm", "-"]).expect(0);
    assert_eq!(run.stdout, format!("{point}\n"));
    for text in [line(&events()[0], &[], true), "[\"EVENT\",{}]\n".to_owned()] {
        phalanx_on(text.as_bytes(), ["msm", "-"]).expect(3);
    }
}
