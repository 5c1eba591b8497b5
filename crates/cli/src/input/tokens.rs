//! The tokens behind the keys of a Nostr event (NIP-01), and which keys make a JSON object one.

use phalanx_rows::EventKey;

/// The JSON tokens of an object that stand behind an event's keys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens<'a> {
    tokens: [Option<&'a str>; EventKey::ALL.len()],
    /// A key that is there twice. Readers differ in which of its values they take.
    pub(super) twice: Option<EventKey>,
}

impl<'a> Tokens<'a> {
    pub(super) fn put(&mut self, key: EventKey, token: &'a str) {
        if self.tokens[key as usize].replace(token).is_some() {
            self.twice.get_or_insert(key);
        }
    }

    pub(super) fn get(&self, key: EventKey) -> Option<&'a str> {
        self.tokens[key as usize]
    }

    /// Whether the object is an event: one of the four keys that rows of other kinds do not need is enough.
    ///
    /// Some programs fill in what an event lacks. If half an event with a digest beside it were a plain row, they could
    /// take it for an event whose content was checked.
    pub(super) fn are_an_event(&self) -> bool {
        [EventKey::CreatedAt, EventKey::Kind, EventKey::Tags, EventKey::Content]
            .into_iter()
            .any(|key| self.get(key).is_some())
    }
}
