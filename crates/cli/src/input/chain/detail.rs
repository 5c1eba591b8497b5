//! What is wrong with a row of transactions, in the words of messages.

use std::fmt;

use phalanx::Verdict;
use phalanx_ethereum::{Fault, Fork, Rules, SenderError, TransactionType};
use phalanx_rows::{At, Outcome, Role};

use super::numbers::ValueFault;

/// A row that is decided before anything is recovered: its verdict, the field at fault, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) outcome: Outcome,
    pub(super) detail: Option<Detail>,
}

impl Decision {
    pub(super) fn new(verdict: Verdict, column: Option<At>, detail: Detail) -> Decision {
        Decision { outcome: Outcome { verdict, column, fault: None }, detail: Some(detail) }
    }

    /// A transaction without a sender, with the chain id that it names.
    pub(super) fn refused(error: SenderError, rules: Rules, chain_id: Option<u64>) -> Decision {
        let verdict = error.verdict();
        let (field, detail) = match error {
            SenderError::Malformed { field, fault } => (field, Detail::Rlp(fault)),
            SenderError::TypeNotActive(kind) => {
                let since = TransactionType::from_number(kind.into()).unwrap_or_default().since();
                ("type", Detail::EarlyType { kind, since, rules: rules.fork })
            }
            SenderError::BadV => ("v", Detail::V(rules.fork)),
            SenderError::OtherChain => match chain_id.zip(rules.chain_id) {
                Some((found, expected)) => ("chain_id", Detail::Chain { found, expected }),
                None => return Decision { outcome: verdict.into(), detail: None },
            },
            _ => return Decision { outcome: verdict.into(), detail: None },
        };
        Decision::new(verdict, Some(At::Field(field)), detail)
    }

    /// A transaction that is not what the file says it is, or not what the rules allow.
    pub(super) fn invalid(field: &'static str, detail: Detail) -> Decision {
        Decision::new(Verdict::InvalidSignature, Some(At::Field(field)), detail)
    }
}

/// A row that cannot be read because of a field.
pub(super) fn malformed(field: &'static str, detail: impl Into<Detail>) -> Decision {
    Decision::new(Verdict::MalformedRow, Some(At::Field(field)), detail.into())
}

/// A row that cannot be read because of the column of a role, by the name that the file gives it.
pub(super) fn malformed_column(role: Role, detail: impl Into<Detail>) -> Decision {
    Decision::new(Verdict::MalformedRow, Some(At::Role(role)), detail.into())
}

/// A line that cannot be read as a whole.
pub(super) fn line(detail: Detail) -> Decision {
    Decision::new(Verdict::MalformedRow, None, detail)
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// A value that cannot be read, and how it begins.
    Value(ValueFault, Excerpt),
    /// A field of RLP.
    Rlp(Fault),
    /// The value is another than that of this field.
    Differs(&'static str),
    /// A key that an object has twice.
    Twice(Excerpt),
    /// An element of a list that cannot be read: it ends about here.
    Element(usize),
    /// A type that is not known.
    UnknownType(u64),
    /// A type of which a table of fields lacks some.
    NotInTable(u64),
    /// A type without a signature, by rules that have none.
    UnsignedType(u64),
    /// A type that a later fork than that of the rules brought.
    EarlyType { kind: u8, since: Fork, rules: Fork },
    /// A v that these rules do not allow.
    V(Fork),
    /// A chain id, and the one that the rules demand.
    Chain { found: u64, expected: u64 },
    /// A hash that is not the transaction's.
    Hash(Claim<32>),
    /// A sender that cannot be one.
    Sender(Claim<20>),
    /// A hash that is wrong, or that of a transaction with an access list.
    NoAccessList(Claim<32>),
    /// A root that the transactions of the block do not have.
    Root([u8; 32]),
    /// A block with the hashes of its transactions.
    HashesOnly,
    /// A hash where a transaction belongs.
    HashAlone,
    /// A block in hex.
    BlockInHex,
    /// More transactions than are read.
    TooMany,
    /// An answer without a result.
    NoResult,
    /// An error for an answer, and how it begins.
    NodeError(Excerpt),
    /// A line that is not JSON from this byte on, counted from 1.
    NotJson(usize),
    /// A line that is neither JSON nor hex.
    NotLine,
    /// JSON that is neither a block nor a transaction.
    NotBlock,
    /// Bytes that are not UTF-8.
    NotText,
    /// A row that is too long.
    TooLong,
    /// More or fewer fields than the header.
    FieldCount,
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Value(fault, found) if found.length == 0 => fault.fmt(f),
            Detail::Value(fault, found) => write!(f, "{fault}: {found}"),
            Detail::Rlp(fault) => write!(f, "not canonical RLP: {fault}"),
            Detail::Differs(other) => write!(f, "differs from `{other}`"),
            Detail::Twice(key) => write!(f, "`{key}` is named twice"),
            Detail::Element(place) => write!(f, "an element cannot be read, near byte {place} of the list"),
            Detail::UnknownType(kind) => write!(
                f,
                "transaction type {kind:#x} is unknown; if it has no signature, name it with --unsigned-types {kind:#x}"
            ),
            Detail::NotInTable(kind) => {
                write!(f, "{kind}, whose blobs' hashes or authorizations this table does not hold")
            }
            Detail::UnsignedType(kind) => {
                write!(f, "type {kind:#x} has no signature and does not exist on Ethereum's main chain")
            }
            Detail::EarlyType { kind, since, rules } => {
                write!(f, "type {kind} starts with {since}, and the rules are those of {rules}")
            }
            Detail::V(rules) => write!(f, "not allowed by the rules of {rules}"),
            Detail::Chain { found, expected } => write!(f, "{found}, expected {expected}"),
            Detail::Hash(stated) => write!(f, "{stated} is not the hash of these fields"),
            Detail::Sender(stated) => write!(f, "not an address: {stated}"),
            Detail::NoAccessList(stated) => write!(
                f,
                "missing: {stated} is the hash of a transaction with an access list, which this table does not hold, or it \
                 is wrong"
            ),
            Detail::Root(computed) => {
                write!(f, "not the root of the block's transactions, which is {}", Claim::Bytes(*computed))
            }
            Detail::HashesOnly => f.write_str(
                "hashes only; ask the node for whole transactions (eth_getBlockByNumber with true as second parameter)",
            ),
            Detail::HashAlone => f.write_str(
                "a hash; ask the node for the transaction (eth_getTransactionByHash or eth_getRawTransactionByHash)",
            ),
            Detail::BlockInHex => {
                f.write_str("a block in hex; write its bytes to a file (xxd -r -p) and use --format rlp")
            }
            Detail::TooMany => write!(f, "more than {} transactions", super::MOST),
            Detail::NoResult => f.write_str("null: the node has no such block or transaction"),
            Detail::NodeError(found) => write!(f, "the node answered with an error: {found}"),
            Detail::NotJson(place) => write!(f, "not JSON at byte {place} of the line"),
            Detail::NotLine => f.write_str("neither JSON nor a transaction in hex"),
            Detail::NotBlock => f.write_str("neither a block nor a transaction"),
            Detail::NotText => f.write_str("not UTF-8"),
            Detail::TooLong => write!(f, "longer than {} MiB", super::super::ROW_BYTES >> 20),
            Detail::FieldCount => f.write_str("more or fewer fields than the header"),
        }
    }
}

impl From<ValueFault> for Detail {
    fn from(fault: ValueFault) -> Detail {
        Detail::Value(fault, Excerpt::default())
    }
}

/// How a value begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    bytes: [u8; 32],
    length: u8,
    /// Whether more follows.
    cut: bool,
}

impl Excerpt {
    pub(super) fn of(value: &[u8]) -> Excerpt {
        let mut excerpt = Excerpt::default();
        let length = value.len().min(excerpt.bytes.len());
        excerpt.bytes[..length].copy_from_slice(&value[..length]);
        Excerpt { length: length as u8, cut: length < value.len(), ..excerpt }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.bytes[..self.length.into()]);
        // Quotes of JSON stay as they are; what would move a terminal's cursor does not.
        text.chars().try_for_each(|letter| match letter {
            '"' | '\'' => write!(f, "{letter}"),
            _ => write!(f, "{}", letter.escape_debug()),
        })?;
        f.write_str(if self.cut { "..." } else { "" })
    }
}

/// What a file says a value of `N` bytes is: that many, or others, which are wrong whatever the transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim<const N: usize> {
    Bytes([u8; N]),
    Other(Excerpt),
}

impl<const N: usize> Claim<N> {
    /// Of the text of some bytes.
    pub(super) fn new(bytes: Vec<u8>, text: &[u8]) -> Claim<N> {
        bytes.try_into().map_or_else(|_| Claim::Other(Excerpt::of(text)), Claim::Bytes)
    }

    pub(super) fn bytes(self) -> Option<[u8; N]> {
        match self {
            Claim::Bytes(bytes) => Some(bytes),
            Claim::Other(_) => None,
        }
    }
}

impl<const N: usize> fmt::Display for Claim<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Bytes(bytes) => f.write_str(&const_hex::encode_prefixed(bytes)),
            Claim::Other(found) => found.fmt(f),
        }
    }
}
