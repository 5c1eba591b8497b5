//! What a parameter of a function takes.

use crate::pool::Of;

/// A parameter. The kinds with a length take the next parameter too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Context,
    /// Room that is written.
    Output(Of),
    /// A secret key.
    Number,
    Tweak,
    Digest,
    Pubkey,
    /// The key to which a silent payment goes.
    Spend,
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
    /// An encoding of a key in 64 bytes, and what hashes two of them and a shared x, with its data.
    Encoding,
    XdhHash,
    /// The structures of MuSig2, and arrays of pointers to some with their number.
    Cache,
    /// A cache of which the bytes count, and not that its point is one.
    CacheBytes,
    SecretNonce,
    PublicNonce,
    AggregateNonce,
    Session,
    Partial,
    PublicNonces,
    Partials,
    /// 66 bytes that encode two points.
    EncodedNonce,
    Counter,
    /// The structures of silent payments; 36 bytes of a transaction's input; 33 bytes that encode a point.
    Label,
    Summary,
    Outpoint,
    EncodedPoint,
    /// Arrays of pointers to x-only keys, keys, key pairs and secret keys, or none, with their number.
    XonlyList,
    PubkeyList,
    KeypairList,
    SeckeyList,
    /// An array of pointers to outputs, and one to recipients, with their number.
    Recipients,
    /// An array of pointers to what is found, where their number goes, an array of pointers to outputs, their number.
    Outputs,
    /// A function that knows a label, and its data.
    LabelLookup,
    /// Which of two encodings is the caller's.
    Party,
    /// 64 bytes that are always there.
    Prefix,
    /// 32 bytes that may be absent.
    Data,
    /// An array of pointers to keys, and their number.
    Keys,
    /// Bytes that name an algorithm, of 16 bytes or with a length.
    Algorithm,
    NamedAlgorithm,
    Attempt,
}

impl Kind {
    /// What a pointer of this kind points to.
    pub(crate) fn of(self) -> Of {
        match self {
            Kind::Output(of) => of,
            Kind::Pubkey | Kind::Spend => Of::Pubkey,
            Kind::Xonly => Of::Xonly,
            Kind::Keypair => Of::Keypair,
            Kind::Signature => Of::Signature,
            Kind::Recoverable => Of::Recoverable,
            Kind::Compact | Kind::Schnorr | Kind::Encoding | Kind::Prefix => Of::Encoded,
            Kind::EncodedKey | Kind::Der => Of::Room,
            Kind::Cache | Kind::CacheBytes => Of::Cache,
            Kind::SecretNonce => Of::SecretNonce,
            Kind::PublicNonce => Of::PublicNonce,
            Kind::AggregateNonce => Of::AggregateNonce,
            Kind::Session => Of::Session,
            Kind::Partial => Of::Partial,
            Kind::EncodedNonce => Of::EncodedNonce,
            Kind::Label => Of::Label,
            Kind::Summary => Of::Summary,
            Kind::Outpoint => Of::Partial,
            Kind::EncodedPoint => Of::EncodedPoint,
            Kind::Room => Of::Length,
            _ => Of::Scalar,
        }
    }
}

/// Where a drawn pointer is in the list of arguments, and how many bytes it stands for.
pub(crate) struct Place {
    pub(crate) argument: usize,
    pub(crate) size: usize,
    pub(crate) kind: Kind,
}

/// The arguments of a call, for each library, and the pointers among them.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) arguments: Vec<[usize; 2]>,
    pub(crate) places: Vec<Place>,
    /// The structures that arrays of pointers lead to.
    pub(crate) elements: Vec<(Of, usize)>,
}

impl Drawn {
    /// The structures that the call reads and may compute with: what they are, and where.
    pub(crate) fn read(&self) -> impl Iterator<Item = (Of, usize)> {
        let read = self.places.iter().filter(|place| !matches!(place.kind, Kind::Output(_) | Kind::CacheBytes));
        let places = read.map(|place| (place.kind.of(), self.arguments[place.argument][0]));
        places.chain(self.elements.iter().copied())
    }
}
