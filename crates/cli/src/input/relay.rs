//! Messages between Nostr relays and clients, one JSON array a line: `["EVENT", "subscription", {...}]` (NIP-01).

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Messages that carry no event: those of NIP-01 and NIP-45.
const OTHERS: [&str; 7] = ["\"EOSE\"", "\"OK\"", "\"NOTICE\"", "\"CLOSED\"", "\"COUNT\"", "\"REQ\"", "\"CLOSE\""];

/// What a line that begins with a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelayMessage<'a> {
    /// The text of what stands in an event's place.
    Event(&'a str),
    /// A message without an event: there is nothing to verify in it.
    Other,
}

/// Whether a text may be a message, or at least an array.
pub(super) fn is_array(text: &[u8]) -> bool {
    text.trim_ascii_start().first() == Some(&b'[')
}

/// Whether a text begins as an array of anything but text does. A message begins with its name.
pub(super) fn is_array_of_values(text: &[u8]) -> bool {
    let inside = text.trim_ascii_start().strip_prefix(b"[");
    inside.is_some_and(|inside| inside.trim_ascii_start().first() != Some(&b'"'))
}

/// Reads a message; fails when the text is anything else.
pub(super) fn read(text: &str) -> Result<RelayMessage<'_>, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    let message = json.deserialize_seq(Parts)?;
    json.end()?;
    Ok(message)
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = RelayMessage<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message of a relay")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut parts: S) -> Result<RelayMessage<'de>, S::Error> {
        let mut next = || parts.next_element::<&RawValue>().map(|part| part.map(RawValue::get));
        let unknown = || S::Error::custom("not a message of a relay");
        let message = match next()?.ok_or_else(unknown)? {
            // A relay names the subscription, a client does not.
            "\"EVENT\"" => match (next()?, next()?) {
                (Some(event), None) => RelayMessage::Event(event),
                (Some(subscription), Some(event)) if subscription.starts_with('"') => RelayMessage::Event(event),
                _ => return Err(unknown()),
            },
            // NIP-42: a relay sends a challenge, a client an event.
            "\"AUTH\"" => match next()? {
                Some(challenge) if challenge.starts_with('"') => RelayMessage::Other,
                Some(event) => RelayMessage::Event(event),
                None => return Err(unknown()),
            },
            other if OTHERS.contains(&other) => {
                // Filters and counts are objects. Elsewhere an object would be an event that is passed over unseen.
                let objects = matches!(other, "\"REQ\"" | "\"COUNT\"");
                while let Some(part) = next()? {
                    if !objects && part.starts_with(['{', '[']) {
                        return Err(unknown());
                    }
                }
                RelayMessage::Other
            }
            _ => return Err(unknown()),
        };
        // Anything behind is an error of the array's end, which serde_json finds.
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_with_an_event_and_without() {
        for text in ["[\"EVENT\",{}]", " [ \"EVENT\" , \"s\" , {} ] ", "[\"EVENT\",\"\",{}]\r", "[\"AUTH\",{}]"] {
            assert_eq!(read(text).unwrap(), RelayMessage::Event("{}"), "{text}");
        }
        // What is no object is found where the event is read.
        assert_eq!(read("[\"EVENT\",5]").unwrap(), RelayMessage::Event("5"));
        for text in [
            "[\"EOSE\",\"s\"]",
            "[\"OK\",\"00\",true,\"\"]",
            "[\"NOTICE\",\"slow down\"]",
            "[\"CLOSED\",\"s\",\"\"]",
            "[\"COUNT\",\"s\",{\"count\":2}]",
            "[\"REQ\",\"s\",{},{}]",
            "[\"CLOSE\",\"s\"]",
            "[\"AUTH\",\"challenge\"]",
        ] {
            assert_eq!(read(text).unwrap(), RelayMessage::Other, "{text}");
        }
    }

    #[test]
    fn arrays_that_are_no_messages() {
        for text in [
            "[]",
            "[\"EVENT\"]",
            "[\"EVENT\",{},{}]",
            "[\"EVENT\",\"s\",{},{}]",
            "[\"EVENT\",\"s\",{}",
            "[\"EVENT\",\"s\",{}] {}",
            "[\"event\",{}]",
            "[\"AUTH\"]",
            "[\"AUTH\",\"challenge\",{}]",
            "[\"EOSE\",\"s\"],",
            "[\"HELLO\"]",
            "[\"NOTICE\",{}]",
            "[\"OK\",\"00\",true,[{}]]",
            "[{}]",
            "[[\"EVENT\",{}]]",
            "{}",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        for (text, values) in
            [("[\"EVENT\"", false), ("{}", false), ("[", true), (" [ {", true), ("[]", true), ("[[\"EVENT\"", true)]
        {
            assert_eq!(is_array_of_values(text.as_bytes()), values, "{text}");
        }
    }
}
