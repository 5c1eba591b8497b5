//! BIP-340 rows from Nostr: events (NIP-01) that a public relay sent in March 2025.

use crate::Fallible;
use crate::row::{Scheme, VerifyRow};
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Events that carry no person's prose: deletions, reactions, relay lists, application state.
const KINDS: [u64; 4] = [5, 7, 10002, 30078];

/// Longer events are left out.
const LONGEST: usize = 800;

/// An event as the relay wrote it, and the signature in it.
pub(crate) struct Event {
    pub json: String,
    pub row: VerifyRow,
}

/// The events of the chosen kinds, in the order the relay sent them, each with its id checked.
pub(crate) fn events(go_nostr: &Path) -> Fallible<Vec<Event>> {
    let messages = std::fs::read_to_string(go_nostr.join("testdata/messages.jsonl"))?;
    let mut events = Vec::new();
    for line in messages.lines() {
        // A line is ["EVENT", subscription, event]; a few are cut off in the module and hold no event.
        let Ok(message) = serde_json::from_str::<Vec<&RawValue>>(line) else { continue };
        let [label, _, event] = message[..] else { continue };
        if label.get() == "\"EVENT\"" && event.get().len() <= LONGEST {
            events.extend(chosen(event.get())?);
        }
    }
    Ok(events)
}

/// The event unless its kind is not one of [`KINDS`].
fn chosen(json: &str) -> Fallible<Option<Event>> {
    let event: Value = serde_json::from_str(json)?;
    if !event["kind"].as_u64().is_some_and(|kind| KINDS.contains(&kind)) {
        return Ok(None);
    }
    let row = row(&event)?;
    if hash(&event) != row.msg_hash {
        return Err(format!("{} has another id", row.id).into());
    }
    Ok(Some(Event { json: json.to_owned(), row }))
}

/// The signature of an event; its id is taken as it stands.
pub(crate) fn row(event: &Value) -> Fallible<VerifyRow> {
    let bytes =
        |name: &str| -> Fallible<Vec<u8>> { Ok(hex::decode(event[name].as_str().ok_or("a field is missing")?)?) };
    let id: [u8; 32] = bytes("id")?.try_into().map_err(|_| "an id that is not 32 bytes")?;
    Ok(VerifyRow {
        id: format!("nostr:{}", hex::encode(id)),
        scheme: Scheme::Schnorr,
        msg_hash: id,
        pubkey: bytes("pubkey")?,
        sig: bytes("sig")?,
    })
}

/// What the id of an event must be: the hash of this array in compact JSON (NIP-01).
pub(crate) fn hash(event: &Value) -> [u8; 32] {
    let signed = json!([0, event["pubkey"], event["created_at"], event["kind"], event["tags"], event["content"]]);
    Sha256::digest(signed.to_string()).into()
}
