//! What can be wrong with a row before any cryptography: the reasons behind the verdict `malformed_row`.

/// Why a value, or a whole row, could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RowFault {
    /// The row has no such column or key.
    Absent,
    /// The value is null or empty.
    Null,
    /// Text that is not hex.
    NotHex,
    /// A column or a JSON value of a type that cannot hold this.
    WrongType,
    /// A digest, an event id or a scalar that is not 32 bytes, an address that is not 20.
    WrongLength,
    /// Text that is not UTF-8.
    NotText,
    /// A value that is no number where one is needed.
    NotNumber,
    /// A scheme other than `ecdsa` and `schnorr`; for recovery, other than `ecdsa`.
    UnknownScheme,
    /// A line that is not a JSON object.
    NotObject,
    /// A line with an array that is no message of a Nostr relay.
    NotMessage,
    /// A row of more than 16 MiB.
    TooLong,
    /// A JSON object that names the same value twice.
    Twice,
    /// A JSON object that says different things under two names of one value.
    TwoNames,
    /// A CSV record with more or fewer fields than the header.
    FieldCount,
    /// A Nostr event that lacks one of its keys.
    AbsentInEvent,
    /// A Nostr event's id, public key or signature in any other form of hex than NIP-01's.
    NotLowerHex,
    /// A `created_at` beyond what every reader of JSON can hold, or no integer.
    NotTime,
    /// A `kind` beyond NIP-01's, or no integer.
    NotKind,
    /// A Nostr event's tags in any other form than NIP-01's.
    NotTags,
    /// A string of a Nostr event that is no text: it holds half of a surrogate pair.
    HalfCharacter,
    /// A Nostr event where keys are to be recovered.
    EventWithoutKey,
    /// An Ethereum transaction of a type that has no signature. Not malformed: there is nothing to judge.
    Unsigned,
    /// The public key is not the recovered one. Not malformed.
    OtherKey,
    /// The address is not the one of the recovered key. Not malformed.
    OtherAddress,
    /// A Nostr event whose id is not the hash of its content. Not malformed: the signature is of something else.
    IdMismatch,
}

impl RowFault {
    /// What to say of it, in a few words.
    pub const fn text(self) -> &'static str {
        match self {
            RowFault::Absent => "missing",
            RowFault::Null => "null or empty",
            RowFault::NotHex => "not hex",
            RowFault::WrongType => "wrong type",
            RowFault::WrongLength => "wrong length",
            RowFault::NotText => "not UTF-8",
            RowFault::NotNumber => "not a number",
            RowFault::UnknownScheme => "unknown scheme",
            RowFault::NotObject => "not a JSON object",
            RowFault::Twice => "named twice",
            RowFault::TwoNames => "differs from the value under its other name; choose one with --columns",
            RowFault::TooLong => "longer than 16 MiB",
            RowFault::FieldCount => "more or fewer fields than the header",
            RowFault::NotMessage => "not a JSON object nor a message of a Nostr relay",
            RowFault::AbsentInEvent => {
                "missing from a Nostr event (a line with `created_at`, `kind`, `tags` or `content` is one)"
            }
            RowFault::NotLowerHex => "not lower-case hex without 0x",
            RowFault::NotTime => "not an integer from 0 to 2^53 - 1",
            RowFault::NotKind => "not an integer from 0 to 65535",
            RowFault::NotTags => "not an array of arrays of strings",
            RowFault::HalfCharacter => "half of a surrogate pair",
            RowFault::EventWithoutKey => {
                "a Nostr event (a line with `created_at`, `kind`, `tags` or `content` is one): no key is recovered"
            }
            RowFault::Unsigned => "a type without a signature",
            RowFault::OtherKey => "not the key that signed",
            RowFault::OtherAddress => "not the address that signed",
            RowFault::IdMismatch => "not the hash of the event",
        }
    }
}
