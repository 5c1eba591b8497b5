//! Transactions, read in place from their bytes (EIP-2718).

use crate::address::keccak256_of;
use crate::authorization::{self, Authorization};
use crate::error::{Fault, SenderError};
use crate::rlp::{Reader, list_header, malformed, put_number, put_string};
use crate::rules::Rules;
use crate::senders::SenderRow;
use crate::sidecar;
use crate::signed::{Signed, checked};
use crate::transaction_type::{ACCESS_LIST, FieldKind, TransactionType};
use alloc::vec::Vec;

/// A signed transaction, whose bytes have been checked and are borrowed.
///
/// Its fields are what consensus clients demand when they decode: canonical RLP, no field too many, a nonce and a gas
/// limit of at most 64 bits, other numbers of at most 256. A chain id of more than 64 bits is refused. Whether the
/// transaction can be executed is not asked.
#[derive(Debug, Clone, Copy)]
pub struct Transaction<'a> {
    kind: TransactionType,
    /// The list of all fields, with its header.
    list: &'a [u8],
    /// The fields before v.
    unsigned: &'a [u8],
    chain_id: Option<u64>,
    authorizations: Reader<'a>,
    /// `None`: more than 128 bits.
    v: Option<u128>,
    signature: [u8; 64],
}

impl<'a> Transaction<'a> {
    /// Reads a transaction as a block holds it: a legacy one is a list, any other has its type in front.
    ///
    /// # Errors
    /// [`SenderError::Malformed`] or [`SenderError::UnknownType`].
    pub fn decode(raw: &'a [u8]) -> Result<Transaction<'a>, SenderError> {
        let (kind, list) = envelope(raw)?;
        Transaction::of_list(kind, list)
    }

    /// As [`Transaction::decode`], and reads a blob transaction also as the network passes it on: with its blobs, their
    /// commitments and proofs behind it, in the form of EIP-4844 or of EIP-7594. The lengths of blobs, commitments and
    /// proofs are checked, and how many there are; nothing more.
    ///
    /// # Errors
    /// [`SenderError::Malformed`] or [`SenderError::UnknownType`].
    pub fn decode_pooled(raw: &'a [u8]) -> Result<Transaction<'a>, SenderError> {
        let (kind, list) = envelope(raw)?;
        let inner = if kind == TransactionType::Blob { sidecar::strip(list)? } else { list };
        Transaction::of_list(kind, inner)
    }

    fn of_list(kind: TransactionType, list: &'a [u8]) -> Result<Transaction<'a>, SenderError> {
        let mut outer = Reader::new(list);
        let fields = outer.list("transaction")?;
        outer.finish("transaction")?;
        let mut reader = fields;
        let (mut chain_id, mut authorizations) = (None, Reader::new(&[]));
        for (name, field) in kind.fields() {
            match field {
                FieldKind::ChainId => chain_id = Some(reader.number64(name)?),
                FieldKind::Number64 => drop(reader.number64(name)?),
                FieldKind::Number256 => drop(reader.number(name)?),
                FieldKind::Address => drop(reader.fixed::<20>(name)?),
                FieldKind::Receiver => {
                    if !matches!(reader.string(name)?.len(), 0 | 20) {
                        return Err(malformed(name, Fault::WrongLength));
                    }
                }
                FieldKind::Bytes => drop(reader.string(name)?),
                FieldKind::AccessList => check_access_list(reader.list(name)?)?,
                FieldKind::Hashes => check_hashes(name, reader.list(name)?)?,
                FieldKind::Authorizations => {
                    authorizations = reader.list(name)?;
                    authorization::check(authorizations)?;
                }
            }
        }
        let unsigned = &fields.rest()[..fields.rest().len() - reader.rest().len()];
        let v = reader.number("v")?;
        let (high, low) = v.split_at(16);
        let v = high.iter().all(|byte| *byte == 0).then(|| low.iter().fold(0, |v, byte| v << 8 | u128::from(*byte)));
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&reader.number("r")?);
        signature[32..].copy_from_slice(&reader.number("s")?);
        reader.finish("transaction")?;
        if kind == TransactionType::Legacy {
            chain_id = v.filter(|v| *v >= 35).and_then(|v| ((v - 35) / 2).try_into().ok());
        }
        Ok(Transaction { kind, list, unsigned, chain_id, authorizations, v, signature })
    }

    /// The transaction type.
    pub fn kind(&self) -> TransactionType {
        self.kind
    }

    /// The chain id, also of a legacy transaction that has one in its v.
    pub fn chain_id(&self) -> Option<u64> {
        self.chain_id
    }

    /// The transaction's hash. Blobs are no part of it.
    pub fn hash(&self) -> [u8; 32] {
        keccak256_of(&[self.type_byte(), self.list])
    }

    /// The hash that was signed.
    pub fn signing_hash(&self) -> [u8; 32] {
        let mut behind = Vec::new();
        if let (TransactionType::Legacy, Some(chain_id)) = (self.kind, self.chain_id) {
            // EIP-155: the chain id and two zeros stand in the places of v, r and s.
            put_number(&chain_id.to_be_bytes(), &mut behind);
            put_string(&[], &mut behind);
            put_string(&[], &mut behind);
        }
        let header = list_header(self.unsigned.len() + behind.len());
        keccak256_of(&[self.type_byte(), &header, self.unsigned, &behind])
    }

    /// The type as it stands in front; nothing of a legacy transaction.
    fn type_byte(&self) -> &'static [u8] {
        const BYTES: [u8; 5] = [0, 1, 2, 3, 4];
        match self.kind {
            TransactionType::Legacy => &[],
            kind => &BYTES[kind as usize..][..1],
        }
    }

    /// The authorizations of a set-code transaction, in their order. An authorization that has no signer, or another
    /// than the transaction, does not make the transaction wrong (EIP-7702).
    pub fn authorizations(&self) -> impl Iterator<Item = Authorization> + use<'a> {
        let mut rest = self.authorizations;
        core::iter::from_fn(move || (!rest.is_empty()).then(|| Authorization::read(&mut rest)))
            .map(|found| found.expect("authorizations are checked when the transaction is read"))
    }

    /// The parity of y, if v is one that the type has.
    fn odd_y(&self) -> Option<bool> {
        match (self.kind, self.v?) {
            (TransactionType::Legacy, v @ (27 | 28)) => Some(v == 28),
            (TransactionType::Legacy, v) => self.chain_id.map(|_| (v - 35) % 2 == 1),
            (_, v @ (0 | 1)) => Some(v == 1),
            _ => None,
        }
    }
}

impl Signed for Transaction<'_> {
    fn row(&self, rules: Rules) -> Result<SenderRow, SenderError> {
        rules.check(self.kind, self.chain_id)?;
        let odd_y = self.odd_y().ok_or(SenderError::BadV)?;
        let row = SenderRow { signing_hash: self.signing_hash(), signature: self.signature, odd_y };
        checked(row, rules.fork.low_s())
    }
}

/// The type of a transaction, and its list.
fn envelope(raw: &[u8]) -> Result<(TransactionType, &[u8]), SenderError> {
    let Some((first, behind)) = raw.split_first() else {
        return Err(malformed("transaction", Fault::TooShort));
    };
    match first {
        0xc0.. => Ok((TransactionType::Legacy, raw)),
        1..=4 => Ok((TransactionType::ALL[usize::from(*first)], behind)),
        0x80.. => Err(malformed("transaction", Fault::NotAList)),
        _ => Err(SenderError::UnknownType(*first)),
    }
}

/// EIP-2930: addresses, each with a list of storage keys.
fn check_access_list(mut list: Reader<'_>) -> Result<(), SenderError> {
    const NAME: &str = ACCESS_LIST.0;
    while !list.is_empty() {
        let mut entry = list.list(NAME)?;
        entry.fixed::<20>(NAME)?;
        check_hashes(NAME, entry.list(NAME)?)?;
        entry.finish(NAME)?;
    }
    Ok(())
}

fn check_hashes(name: &'static str, mut hashes: Reader<'_>) -> Result<(), SenderError> {
    while !hashes.is_empty() {
        hashes.fixed::<32>(name)?;
    }
    Ok(())
}
