//! Bytes that are no transaction: each is refused, and says where it is wrong.

use crate::samples::{LATEST, fields, secret, sender};
use phalanx_ethereum::{
    BlockHeader, Fault, SenderError, Transaction, TransactionFields, TransactionType, address, block_transactions,
    body_transactions,
};

/// An RLP list of these items.
pub(crate) fn list(items: &[Vec<u8>]) -> Vec<u8> {
    framed(0xc0, &items.concat())
}

/// An RLP string.
pub(crate) fn string(bytes: &[u8]) -> Vec<u8> {
    if let [0..0x80] = bytes { bytes.to_vec() } else { framed(0x80, bytes) }
}

fn framed(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut framed = Vec::new();
    if payload.len() < 56 {
        framed.push(first + payload.len() as u8);
    } else {
        let length = payload.len().to_be_bytes();
        let zeros = length.iter().take_while(|byte| **byte == 0).count();
        framed.push(first + 55 + (length.len() - zeros) as u8);
        framed.extend_from_slice(&length[zeros..]);
    }
    framed.extend_from_slice(payload);
    framed
}

/// The items of a transaction of some type, as they are encoded, and the type byte.
fn items(kind: TransactionType) -> (Vec<u8>, Vec<Vec<u8>>) {
    let address = || string(&[0x11; 20]);
    let access_list = || list(&[list(&[address(), list(&[string(&[0x33; 32])])])]);
    let fees = || vec![string(&[1]), string(&[2])];
    let price = || vec![string(&[1])];
    let (before, fees, behind) = match kind {
        TransactionType::Legacy => (vec![], price(), vec![]),
        TransactionType::AccessList => (vec![string(&[5])], price(), vec![access_list()]),
        TransactionType::FeeMarket => (vec![string(&[5])], fees(), vec![access_list()]),
        TransactionType::Blob => {
            (vec![string(&[5])], fees(), vec![access_list(), string(&[1]), list(&[string(&[1; 32])])])
        }
        TransactionType::SetCode => {
            let signature = [string(&[1]), string(&[0xee; 32]), string(&[0x0e; 32])];
            let authorization = list(&[&[string(&[5]), address(), string(&[9])][..], &signature].concat());
            (vec![string(&[5])], fees(), vec![access_list(), list(&[authorization])])
        }
    };
    let middle = vec![string(&[0x52, 0x08]), address(), string(&[]), string(&[0xaa; 70])];
    let v = if kind == TransactionType::Legacy { 28 } else { 1 };
    let signature = vec![string(&[v]), string(&[0xee; 32]), string(&[0x0e; 32])];
    let nonce = vec![string(&[7])];
    let front = if kind == TransactionType::Legacy { vec![] } else { vec![kind as u8] };
    (front, [before, nonce, fees, middle, behind, signature].concat())
}

fn raw(kind: TransactionType, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Vec<u8> {
    let (front, mut items) = items(kind);
    change(&mut items);
    [front, list(&items)].concat()
}

fn fault(raw: &[u8]) -> (&'static str, Fault) {
    match Transaction::decode(raw).err() {
        Some(SenderError::Malformed { field, fault }) => (field, fault),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_field_too_few_or_too_many() {
    for kind in TransactionType::ALL {
        assert!(Transaction::decode(&raw(kind, |_| {})).is_ok(), "{kind:?}");
        let (_, all) = items(kind);
        for place in 0..all.len() {
            assert!(Transaction::decode(&raw(kind, |items| drop(items.remove(place)))).is_err(), "{kind:?} {place}");
        }
        let more = raw(kind, |items| items.push(string(&[])));
        assert_eq!(fault(&more), ("transaction", Fault::TrailingBytes), "{kind:?}");
        let mut behind = raw(kind, |_| {});
        behind.push(0);
        assert_eq!(fault(&behind), ("transaction", Fault::TrailingBytes), "{kind:?}");
    }
}

#[test]
fn a_field_of_the_wrong_kind() {
    for kind in TransactionType::ALL {
        let (_, all) = items(kind);
        for (place, item) in all.iter().enumerate() {
            let is_list = item[0] >= 0xc0;
            let other = if is_list { string(&[1; 3]) } else { list(&[]) };
            let found = fault(&raw(kind, |items| items[place] = other)).1;
            assert_eq!(found, if is_list { Fault::NotAList } else { Fault::NotAString }, "{kind:?} {place}");
            // A zero byte is no number, and no address, hash or list.
            let zero = raw(kind, |items| items[place] = vec![0]);
            let is_input = item.len() > 70 && !is_list;
            assert_eq!(Transaction::decode(&zero).is_ok(), is_input, "{kind:?} {place}");
        }
    }
}

#[test]
fn numbers_and_addresses_of_the_wrong_length() {
    use TransactionType::*;
    let with = |kind, place: usize, item: Vec<u8>| raw(kind, |items| items[place] = item);
    for (kind, place, item, field, found) in [
        (Legacy, 0, string(&[1; 9]), "nonce", Fault::TooLarge),
        (Legacy, 1, string(&[1; 33]), "gas_price", Fault::TooLarge),
        (Legacy, 2, string(&[1; 9]), "gas", Fault::TooLarge),
        (Legacy, 3, string(&[1; 19]), "to", Fault::WrongLength),
        (Legacy, 3, string(&[1; 21]), "to", Fault::WrongLength),
        (Legacy, 4, string(&[0, 1]), "value", Fault::LeadingZero),
        (Legacy, 5, vec![0x81, 0x01], "input", Fault::NotCanonical),
        (Legacy, 6, string(&[1; 33]), "v", Fault::TooLarge),
        (Legacy, 7, string(&[0; 32]), "r", Fault::LeadingZero),
        (Legacy, 8, string(&[1; 33]), "s", Fault::TooLarge),
        (FeeMarket, 0, string(&[1; 9]), "chain_id", Fault::TooLarge),
        (FeeMarket, 8, list(&[list(&[string(&[1; 20])])]), "access_list", Fault::TooShort),
        (
            FeeMarket,
            8,
            list(&[list(&[string(&[1; 20]), list(&[string(&[1; 31])])])]),
            "access_list",
            Fault::WrongLength,
        ),
        (FeeMarket, 8, list(&[string(&[1; 20])]), "access_list", Fault::NotAList),
        (Blob, 5, string(&[]), "to", Fault::WrongLength),
        (Blob, 10, list(&[string(&[1; 33])]), "blob_versioned_hashes", Fault::WrongLength),
        (SetCode, 5, string(&[]), "to", Fault::WrongLength),
        (SetCode, 9, list(&[list(&[])]), "authorization_list", Fault::TooShort),
    ] {
        assert_eq!(fault(&with(kind, place, item)), (field, found), "{kind:?} {place}");
    }
    // A contract is made by types 0 to 2.
    for (kind, place) in [(Legacy, 3), (AccessList, 4), (FeeMarket, 5)] {
        assert!(Transaction::decode(&with(kind, place, string(&[]))).is_ok(), "{kind:?}");
    }
}

#[test]
fn lengths_that_lie() {
    let claims = |first: u8| -> Vec<Vec<u8>> {
        let short = [vec![first + 56], vec![first + 63, 255, 255, 255, 255, 255, 255, 255, 255]];
        let long = [vec![first + 63, 0x7f, 255, 255, 255, 255, 255, 255, 255], vec![first + 59, 1, 0, 0, 0]];
        [short, long].concat()
    };
    for kind in TransactionType::ALL {
        let (front, all) = items(kind);
        for claim in claims(0xc0).into_iter().chain(claims(0x80)) {
            let whole = [&front[..], &claim, &all.concat()].concat();
            assert!(Transaction::decode(&whole).is_err());
            assert!(Transaction::decode_pooled(&whole).is_err());
            for place in 0..all.len() {
                assert!(Transaction::decode(&raw(kind, |items| items[place] = claim.clone())).is_err());
            }
            assert!(block_transactions(&[&claim[..], &all.concat()].concat()).is_err());
            assert!(body_transactions(&list(&[claim.clone(), list(&[])])).is_err());
            assert!(BlockHeader::decode(&list(&std::array::from_fn::<_, 9, _>(|_| claim.clone()))).is_err());
        }
    }
}

#[test]
fn deep_nesting_takes_no_stack() {
    let mut deep = list(&[]);
    for _ in 0..20_000 {
        deep = list(&[deep]);
    }
    for kind in TransactionType::ALL {
        let (front, all) = items(kind);
        assert!(Transaction::decode(&[&front[..], &deep].concat()).is_err());
        assert!(Transaction::decode_pooled(&[&front[..], &deep].concat()).is_err());
        for place in 0..all.len() {
            assert!(Transaction::decode(&raw(kind, |items| items[place] = deep.clone())).is_err(), "{kind:?} {place}");
        }
    }
    assert!(block_transactions(&deep).is_err());
    assert!(body_transactions(&deep).is_err());
}

#[test]
fn every_change_of_a_byte_changes_the_answer() {
    // Every bit of a transaction is signed or is part of the signature, so no changed one has the sender.
    let expected = Ok(address(&secret().public_key()));
    for kind in TransactionType::ALL {
        let small = TransactionFields { input: vec![0x7f; 3], ..fields(kind) };
        let good = small.sign(&secret()).unwrap();
        assert_eq!(sender(&good, LATEST), expected);
        for end in 0..good.len() {
            assert!(Transaction::decode(&good[..end]).is_err(), "{kind:?} cut to {end} bytes");
        }
        for place in 0..good.len() {
            for bit in 0..8 {
                let mut changed = good.clone();
                changed[place] ^= 1 << bit;
                assert_ne!(sender(&changed, LATEST), expected, "{kind:?}, byte {place}, bit {bit}");
            }
        }
    }
}

#[test]
fn other_types_are_unknown() {
    for first in (5..0x80).chain([0]) {
        let raw = [&[first][..], &list(&[])].concat();
        assert_eq!(Transaction::decode(&raw).err(), Some(SenderError::UnknownType(first)));
    }
    for first in 0x80..0xc0 {
        assert_eq!(fault(&[first]), ("transaction", Fault::NotAList));
    }
    assert_eq!(fault(&[]), ("transaction", Fault::TooShort));
}
