//! Ethereum's transactions and archives of blocks. What is accepted is written again as it was read.

use std::io::Write;

use phalanx_ethereum::{Fork, Rules, Transaction, TransactionType, signers};
use snap::write::FrameEncoder;

use crate::{bulks, files};

/// Deeper lists are in no transaction.
const DEEPEST: usize = 5;

/// An item of RLP.
enum Item<'i> {
    String(&'i [u8]),
    List(Vec<Item<'i>>),
}

impl<'i> Item<'i> {
    /// Reads an item from the front, in any form.
    fn read(bytes: &mut &'i [u8], depth: usize) -> Option<Self> {
        let (first, rest) = bytes.split_first()?;
        let (is_list, short) = match first {
            0..0x80 => {
                let (own, rest) = bytes.split_at(1);
                *bytes = rest;
                return Some(Self::String(own));
            }
            0x80..0xc0 => (false, first - 0x80),
            _ => (true, first - 0xc0),
        };
        let (length, rest) = match short {
            0..=55 => (usize::from(short), rest),
            _ => {
                let (length, rest) = rest.split_at_checked(usize::from(short - 55))?;
                let length = length
                    .iter()
                    .try_fold(0_usize, |length, byte| length.checked_mul(256)?.checked_add(usize::from(*byte)));
                (length?, rest)
            }
        };
        let (mut payload, rest) = rest.split_at_checked(length)?;
        *bytes = rest;
        if !is_list {
            return Some(Self::String(payload));
        }
        let mut items = Vec::new();
        while !payload.is_empty() {
            items.push(Self::read(&mut payload, depth.checked_sub(1)?)?);
        }
        Some(Self::List(items))
    }

    fn write(&self, out: &mut Vec<u8>) {
        let (first, payload) = match self {
            Self::String([byte @ 0..0x80]) => return out.push(*byte),
            Self::String(bytes) => (0x80, bytes.to_vec()),
            Self::List(items) => {
                let mut payload = Vec::new();
                items.iter().for_each(|item| item.write(&mut payload));
                (0xc0, payload)
            }
        };
        let length = payload.len().to_be_bytes();
        match payload.len() {
            short @ 0..=55 => out.push(first + short as u8),
            long => {
                let zeros = (long.leading_zeros() / 8) as usize;
                out.push(first + 55 + (length.len() - zeros) as u8);
                out.extend(&length[zeros..]);
            }
        }
        out.extend(payload);
    }
}

/// A transaction: it is canonical, and every call finds the same senders.
pub(crate) fn check_transaction(bytes: &[u8]) {
    let pooled = Transaction::decode_pooled(bytes);
    let Ok(transaction) = Transaction::decode(bytes) else {
        if let Ok(pooled) = pooled {
            assert_eq!(pooled.kind(), TransactionType::Blob, "alone a transaction with blobs has two forms");
        }
        return;
    };
    assert_eq!(pooled.expect("as in a block").hash(), transaction.hash());
    let list = if transaction.kind() == TransactionType::Legacy { bytes } else { &bytes[1..] };
    let mut rest = list;
    let item = Item::read(&mut rest, DEEPEST).expect("a list");
    let mut written = Vec::new();
    item.write(&mut written);
    assert!(rest.is_empty() && written == list, "canonical RLP");

    let one = |rules| signers(&bulks()[0], &[transaction], rules)[0];
    let newest = Rules { fork: Fork::Prague, chain_id: None };
    for bulk in bulks() {
        assert_eq!(signers(bulk, &[transaction; 9], newest), [one(newest); 9], "{}", bulk.backend());
    }
    for (fork, chain_id) in Fork::ALL.into_iter().flat_map(|fork| [(fork, None), (fork, Some(1))]) {
        // Rules refuse, and change no sender. Only before Homestead high s was allowed.
        match (one(Rules { fork, chain_id }), one(newest)) {
            (Ok(_), _) if chain_id.is_some() && transaction.chain_id().is_some_and(|found| found != 1) => {
                panic!("another chain's")
            }
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Ok(_), Err(_)) => assert_eq!(fork, Fork::Frontier),
            (Err(_), _) => {}
        }
    }
    let authorizations: Vec<_> = transaction.authorizations().collect();
    let first: Vec<_> = authorizations.iter().map(|one| signers(&bulks()[0], &[*one], newest)[0]).collect();
    assert_eq!(signers(&bulks()[0], &authorizations, newest), first);
}

/// An archive whose headers and bodies are not packed, so that changes reach what is in them. It is packed here. The
/// bytes are read as they are, too.
pub(crate) fn check_archive(bytes: &[u8]) {
    files::senders(bytes, ".era1");
    let (mut rest, mut archive) = (bytes, Vec::new());
    while let Some(([first, second, a, b, c, d, e, f], behind)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let Some((payload, behind)) = behind.split_at_checked(length) else { break };
        rest = behind;
        let packed = match first {
            3..=5 => {
                let mut encoder = FrameEncoder::new(Vec::new());
                encoder.write_all(payload).expect("memory");
                encoder.into_inner().expect("memory")
            }
            _ => payload.to_vec(),
        };
        archive.extend([*first, *second]);
        archive.extend((packed.len() as u32).to_le_bytes());
        archive.extend([*e, *f]);
        archive.extend(packed);
    }
    archive.extend(rest);
    files::senders(&archive, ".era1");
}
