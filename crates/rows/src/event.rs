//! The keys of a Nostr event (NIP-01), by which outcomes name what is wrong with one.

/// What a key of an event stands for. JSON keys are case-sensitive, and an event's have one name each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKey {
    /// The hash of the event.
    Id,
    /// Who signed it, 32 bytes.
    PublicKey,
    /// When, in seconds of Unix time.
    CreatedAt,
    /// What kind of event it is.
    Kind,
    /// An array of arrays of strings.
    Tags,
    /// A string.
    Content,
    /// A signature of BIP-340 over the id.
    Signature,
}

impl EventKey {
    /// In the order of NIP-01, which is also the order in which they are checked.
    pub const ALL: [EventKey; 7] = [
        EventKey::Id,
        EventKey::PublicKey,
        EventKey::CreatedAt,
        EventKey::Kind,
        EventKey::Tags,
        EventKey::Content,
        EventKey::Signature,
    ];

    /// The name of the key.
    pub const fn name(self) -> &'static str {
        match self {
            EventKey::Id => "id",
            EventKey::PublicKey => "pubkey",
            EventKey::CreatedAt => "created_at",
            EventKey::Kind => "kind",
            EventKey::Tags => "tags",
            EventKey::Content => "content",
            EventKey::Signature => "sig",
        }
    }

    /// The key that has this name.
    pub fn called(name: &str) -> Option<EventKey> {
        EventKey::ALL.into_iter().find(|key| key.name() == name)
    }
}
