//! The keys of a Nostr event (NIP-01), and which of them make a JSON object one.

/// What a key of an event stands for. JSON keys are case-sensitive, and an event's have one name each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    Id,
    PublicKey,
    CreatedAt,
    Kind,
    Tags,
    Content,
    Signature,
}

impl Member {
    /// In the order of NIP-01, which is also the order in which they are checked.
    pub(crate) const ALL: [Member; 7] = [
        Member::Id,
        Member::PublicKey,
        Member::CreatedAt,
        Member::Kind,
        Member::Tags,
        Member::Content,
        Member::Signature,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Member::Id => "id",
            Member::PublicKey => "pubkey",
            Member::CreatedAt => "created_at",
            Member::Kind => "kind",
            Member::Tags => "tags",
            Member::Content => "content",
            Member::Signature => "sig",
        }
    }

    pub(crate) fn called(name: &str) -> Option<Member> {
        Member::ALL.into_iter().find(|key| key.name() == name)
    }
}

/// The JSON tokens of an object that stand behind an event's keys.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tokens<'a> {
    tokens: [Option<&'a str>; Member::ALL.len()],
    /// A key that is there twice. Readers differ in which of its values they take.
    pub(crate) twice: Option<Member>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn put(&mut self, key: Member, token: &'a str) {
        if self.tokens[key as usize].replace(token).is_some() {
            self.twice.get_or_insert(key);
        }
    }

    pub(crate) fn get(&self, key: Member) -> Option<&'a str> {
        self.tokens[key as usize]
    }

    /// Whether the object is an event: one of the four keys that rows of other kinds do not need is enough.
    ///
    /// Some programs fill in what an event lacks. If half an event with a digest beside it were a plain row, they could
    /// take it for an event whose content was checked.
    pub(crate) fn are_an_event(&self) -> bool {
        [Member::CreatedAt, Member::Kind, Member::Tags, Member::Content].into_iter().any(|key| self.get(key).is_some())
    }
}
