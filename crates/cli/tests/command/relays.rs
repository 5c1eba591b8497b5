//! What relays and clients say to each other, written down line by line, and JSON arrays, which are no lines.

use serde_json::Value;

use crate::files::{gzip, json_line};
use crate::rows::row;
use crate::running::{directory, json_lines, names, path, phalanx, phalanx_on, place};
use crate::sample::sample;

fn events() -> Vec<Value> {
    json_lines(&sample("nostr-events.jsonl"))
}

/// Messages that hold no event.
const OTHERS: [&str; 8] = [
    r#"["EOSE","s"]"#,
    r#"["NOTICE","slow down"]"#,
    r#"["OK","00",true,""]"#,
    r#"["CLOSED","s","error: shutting down"]"#,
    r#"["COUNT","s",{"count":2}]"#,
    r#"["AUTH","challenge"]"#,
    r#"["REQ","s",{"kinds":[1]}]"#,
    r#" [ "CLOSE" , "s" ] "#,
];

#[test]
fn events_in_messages() {
    let events = events();
    let mut dump = String::from("\n  \n");
    for (number, event) in events.iter().enumerate() {
        dump.push_str(&match number % 4 {
            0 => format!("[\"EVENT\",\"sub\",{event}]\n"),
            1 => format!("[\"EVENT\",{event}]\r\n"),
            2 => format!(" [ \"AUTH\" ,\t{event} ] \n"),
            _ => format!("{event}\n"),
        });
        dump.push_str(OTHERS[number % OTHERS.len()]);
        dump.push('\n');
    }
    let count = events.len() as u64;
    let run = phalanx_on(dump.as_bytes(), ["verify", "--json", "-", "--keep", "kind", "--out", "-"]).expect(0);
    let run = run.counts([count, count, 0, 0]);
    for (number, (line, event)) in run.answers().iter().zip(&events).enumerate() {
        assert_eq!((&line["id"], &line["kind"]), (&event["id"], &event["kind"]));
        assert_eq!(line["row"], 2 * number + 3, "lines are counted, those without an event too");
    }
    for batch in ["1", "7"] {
        let arguments = ["verify", "--json", "-", "--block-rows", batch];
        phalanx_on(dump.as_bytes(), arguments).expect(0).counts([count, count, 0, 0]);
    }
    phalanx_on(OTHERS.join("\n").as_bytes(), ["verify", "--json", "-"]).expect(0).counts([0, 0, 0, 0]);
}

#[test]
fn what_stands_in_an_events_place_is_an_event() {
    let event = events().remove(0);
    let mut forged = event.clone();
    forged["content"] = "I never said this".into();
    forged["digest"] = event["id"].clone();
    let run = phalanx_on(format!("[\"EVENT\",\"s\",{forged}]").as_bytes(), ["verify", "-"]).expect(1);
    assert_eq!(run.stderr, "standard input: row 1: invalid_signature: id: not the hash of the event\n");
    // A plain row is none, though it would be valid on a line of its own.
    let run = phalanx_on(format!("[\"EVENT\",{}]", json_line(&row(6))).as_bytes(), ["verify", "-"]).expect(3);
    assert!(run.stderr.contains("row 1: malformed_row: created_at: missing from a Nostr event"), "{}", run.stderr);
    let run = phalanx_on(b"[\"EVENT\",{\"digest\":\"00\"}]", ["verify", "-"]).expect(3);
    assert!(run.stderr.contains("row 1: malformed_row: id: missing from a Nostr event"), "{}", run.stderr);
}

#[test]
fn arrays_that_are_no_messages_are_malformed_rows() {
    let event = events().remove(0);
    // The unit tests of the reader have more.
    let lines = [
        format!("[\"EVENT\",5,{event}]"),
        format!("[\"EVENT\",[{event}]]"),
        format!("[\"EVENT\",{event}"),
        format!("[\"AUTH\",\"challenge\",{event}]"),
        "[\"EVENT\",\"s\",null]".to_owned(),
        "[".to_owned(),
    ];
    let count = lines.len() as u64;
    let text = lines.join("\n");
    let run = phalanx_on(text.as_bytes(), ["verify", "--json", "-"]).expect(3).counts([count, 0, 0, count]);
    assert!(run.stderr.contains("not a JSON object nor a message of a Nostr relay"), "{}", run.stderr);
}

#[test]
fn an_array_over_a_whole_file_is_named_once() {
    let events = events();
    let compact = serde_json::to_string(&events).unwrap();
    let pretty = serde_json::to_string_pretty(&events).unwrap();
    let by_line = format!("[\n{}\n]\n", events.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n"));
    let messages = format!("[[\"EVENT\",{}]]", events[0]);
    let late = format!("\n\n \r\n{compact}");
    let marked = format!("\u{feff}{compact}");
    let directory = directory();
    let out = path(&directory, "out.csv");
    for text in [&compact, &pretty, &by_line, &messages, &late, &marked, "[]", "[", "[1]", "[ {"] {
        let packed = gzip(text.as_bytes());
        let files = [("a.json", text.as_bytes()), ("a.jsonl", text.as_bytes()), ("a", text.as_bytes()), ("b", &packed)];
        for command in ["verify", "recover"] {
            for (name, bytes) in files {
                let file = place(&directory, name, bytes);
                let run = phalanx([command, &file, "--out", &out]).expect(2);
                let advice = "this is a JSON array, not JSON lines; use `jq -c '.[]'` to write a line for each value";
                let wanted = format!("phalanx: {file}: {advice}\n");
                assert_eq!((run.stderr, run.stdout.as_str()), (wanted, ""));
            }
            for bytes in [text.as_bytes(), &packed] {
                let run = phalanx_on(bytes, [command, "-"]).expect(2);
                assert!(run.stderr.starts_with("phalanx: standard input: this is a JSON array"), "{}", run.stderr);
                assert_eq!(run.stderr.lines().count(), 1);
            }
        }
    }
    phalanx_on(compact.as_bytes(), ["msm", "-"]).expect(2);
    assert_eq!(names(directory.path()), ["a", "a.json", "a.jsonl", "b"]);
}
