//! What a parameter of a function takes.

/// A parameter. The kinds with a length take the next parameter too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Context,
    /// Room that is written, of so many bytes.
    Output(usize),
    /// A secret key.
    Number,
    Tweak,
    Digest,
    Pubkey,
    Xonly,
    Keypair,
    Signature,
    Recoverable,
    /// r and s of 32 bytes each.
    Compact,
    /// A Schnorr signature of the message.
    Schnorr,
    /// An encoded public key, or a DER signature, and its length.
    EncodedKey,
    Der,
    Message,
    /// The x of a tweaked key.
    X,
    Parity,
    /// A pointer to the length of the room before it.
    Room,
    Flags,
    Id,
    /// A nonce function and its data; an ECDH hash function and its data; extra parameters of Schnorr signing.
    Nonces,
    PointHash,
    Extra,
    /// 32 bytes that may be absent.
    Data,
    /// An array of pointers to keys, and their number.
    Keys,
    /// Bytes that name an algorithm, of 16 bytes or with a length.
    Algorithm,
    NamedAlgorithm,
    Attempt,
}

/// Where a drawn pointer is in the list of arguments, and how many bytes it stands for.
pub(crate) struct Place {
    pub(crate) argument: usize,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
}
