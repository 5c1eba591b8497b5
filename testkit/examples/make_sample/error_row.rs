//! A row with an error, and the verdict it must get.

use crate::row::{Scheme, VerifyRow};

/// One field of a row.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Bytes(Vec<u8>),
    Text(&'static str),
    /// The key is absent in JSON, the field empty in CSV.
    Missing,
    /// JSON's null.
    Null,
    /// A JSON number where text is due.
    Number(u64),
}

/// A row and the verdict it must get.
#[derive(Debug, Clone)]
pub(crate) struct ErrorRow {
    pub id: &'static str,
    pub scheme: Cell,
    pub msg_hash: Cell,
    pub pubkey: Cell,
    pub sig: Cell,
    /// The reason under `--low-s allow`.
    pub expected: &'static str,
    /// The reason under `--low-s require`.
    pub expected_low_s: &'static str,
}

impl ErrorRow {
    /// Whether CSV can carry the row: it has neither null nor numbers.
    pub(crate) fn in_csv(&self) -> bool {
        let cells = [&self.scheme, &self.msg_hash, &self.pubkey, &self.sig];
        !cells.iter().any(|cell| matches!(cell, Cell::Null | Cell::Number(_)))
    }

    /// The row itself when all its fields are there and the message has 32 bytes.
    pub(crate) fn complete(&self) -> Option<VerifyRow> {
        let scheme = match self.scheme {
            Cell::Text("ecdsa") => Scheme::Ecdsa,
            Cell::Text("schnorr") => Scheme::Schnorr,
            _ => return None,
        };
        let (Cell::Bytes(msg_hash), Cell::Bytes(pubkey), Cell::Bytes(sig)) = (&self.msg_hash, &self.pubkey, &self.sig)
        else {
            return None;
        };
        let msg_hash = msg_hash[..].try_into().ok()?;
        Some(VerifyRow { id: self.id.into(), scheme, msg_hash, pubkey: pubkey.clone(), sig: sig.clone() })
    }

    pub(crate) fn new(id: &'static str, from: &VerifyRow, expected: &'static str) -> ErrorRow {
        ErrorRow {
            id,
            scheme: Cell::Text(from.scheme.name()),
            msg_hash: Cell::Bytes(from.msg_hash.to_vec()),
            pubkey: Cell::Bytes(from.pubkey.clone()),
            sig: Cell::Bytes(from.sig.clone()),
            expected,
            expected_low_s: expected,
        }
    }

    pub(crate) fn scheme(mut self, scheme: Cell) -> ErrorRow {
        self.scheme = scheme;
        self
    }

    pub(crate) fn msg_hash(mut self, msg_hash: Cell) -> ErrorRow {
        self.msg_hash = msg_hash;
        self
    }

    pub(crate) fn pubkey(mut self, pubkey: Cell) -> ErrorRow {
        self.pubkey = pubkey;
        self
    }

    pub(crate) fn key(self, pubkey: impl Into<Vec<u8>>) -> ErrorRow {
        self.pubkey(Cell::Bytes(pubkey.into()))
    }

    pub(crate) fn sig(mut self, sig: Cell) -> ErrorRow {
        self.sig = sig;
        self
    }

    pub(crate) fn signature(self, sig: impl Into<Vec<u8>>) -> ErrorRow {
        self.sig(Cell::Bytes(sig.into()))
    }

    pub(crate) fn low_s(mut self, expected: &'static str) -> ErrorRow {
        self.expected_low_s = expected;
        self
    }
}
