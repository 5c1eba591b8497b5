//! CSV with quotes anywhere: the rows are those of a strict reader, or there is an error.
//!
//! The first byte of an input chooses the delimiter and how the header is written. The rest stands behind the header.

use std::collections::BTreeMap;

use phalanx_cli::fuzzing::{Place, run};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::files::{LONGEST, PLAIN};

const DELIMITERS: [u8; 4] = *b",;\t|";

const HEADERS: [&str; 3] = [
    "id,msg_hash,pubkey,sig\n",
    "\"id\",\"msg_hash\",pubkey,\"sig\",\"a \"\"note\"\"\n\"\r\n",
    "\n\nid,msg_hash,pubkey,sig\r",
];

pub(crate) fn check(bytes: &[u8]) {
    let Some((choice, body)) = bytes.split_first().filter(|_| bytes.len() <= LONGEST) else { return };
    let (delimiter, header) = (DELIMITERS[usize::from(choice % 4)], HEADERS[usize::from(choice / 4 % 3)]);
    let mut text: Vec<u8> = header.bytes().map(|byte| if byte == b',' { delimiter } else { byte }).collect();
    // A line feed would belong to the header's end.
    if text.ends_with(b"\r") && body.starts_with(b"\n") {
        return;
    }
    text.extend_from_slice(body);
    let expected = first_fields(body, delimiter);
    for (place, rows) in [(Place::File(".csv"), 4096), (Place::File(".csv"), 3), (Place::Stream(1), 1)] {
        match (&expected, run(&text, place, rows, &PLAIN)) {
            (Some(fields), Ok(report)) => assert_eq!(ids(&report.output), shown(fields), "{rows} rows, {place:?}"),
            (None, Err(error)) => assert!(error.contains(": line "), "{error}"),
            (expected, found) => panic!("{expected:?} by the strict reader, {found:?} with {rows} rows, {place:?}"),
        }
    }
}

/// The ids of an output, in which those that are not text cannot be told apart.
fn ids(output: &[u8]) -> Vec<Option<String>> {
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let id = |line| {
        let line: BTreeMap<String, &RawValue> = serde_json::from_slice(line).expect("output is JSON");
        let id: Value = serde_json::from_str(line["id"].get()).expect("a value");
        id.as_str().filter(|id| !id.contains("\\x")).map(str::to_owned)
    };
    lines.map(id).collect()
}

fn shown(fields: &[Vec<u8>]) -> Vec<Option<String>> {
    let text = |field: &Vec<u8>| String::from_utf8(field.clone()).ok().filter(|id| !id.contains("\\x"));
    fields.iter().map(text).collect()
}

/// The first field of each record, by a reading of RFC 4180 byte by byte: with any of its line ends, and with a carriage
/// return alone as one. None where a quote stands where none may.
fn first_fields(text: &[u8], delimiter: u8) -> Option<Vec<Vec<u8>>> {
    let mut bytes = text.iter().copied().peekable();
    let mut records = Vec::new();
    while bytes.peek().is_some() {
        let mut fields: Vec<Vec<u8>> = Vec::new();
        let mut is_quoted = false;
        loop {
            let mut field = Vec::new();
            if bytes.next_if_eq(&b'"').is_some() {
                is_quoted = true;
                loop {
                    match bytes.next()? {
                        b'"' if bytes.next_if_eq(&b'"').is_none() => break,
                        byte => field.push(byte),
                    }
                }
            } else {
                while let Some(byte) = bytes.next_if(|byte| *byte != delimiter && !b"\r\n".contains(byte)) {
                    field.push(byte);
                }
                if field.contains(&b'"') {
                    return None;
                }
            }
            fields.push(field);
            match bytes.next() {
                Some(byte) if byte == delimiter => {}
                Some(b'\r') => {
                    bytes.next_if_eq(&b'\n');
                    break;
                }
                None | Some(b'\n') => break,
                Some(_) => return None,
            }
        }
        // An empty line is not a record.
        if is_quoted || fields.len() > 1 || !fields[0].is_empty() {
            records.push(fields.swap_remove(0));
        }
    }
    Some(records)
}
