//! Blocks and the network's form of blob transactions.

use crate::malformed::{list, string};
use crate::samples::{LATEST, fields, secret, sender};
use phalanx::Bulk;
use phalanx_ethereum::{
    BlockHeader, Fault, SenderError, Transaction, TransactionType, address, block_transactions, body_transactions,
    signers, transactions_root,
};

/// A header that is right where it is read, with this number.
fn header(number: &[u8]) -> Vec<u8> {
    let mut items = vec![string(&[7; 32]); 6];
    items.extend([string(&[0; 256]), string(&[1]), string(number), string(&[2; 8]), string(&[])]);
    list(&items)
}

/// A transaction as a block holds it.
fn in_block(raw: &[u8]) -> Vec<u8> {
    if raw[0] >= 0xc0 { raw.to_vec() } else { string(raw) }
}

#[test]
fn blocks_of_all_types_one_behind_the_other() {
    let raws = TransactionType::ALL.map(|kind| fields(kind).sign(&secret()).unwrap());
    let transactions = list(&raws.each_ref().map(|raw| in_block(raw)));
    let before_shanghai = list(&[header(&[9]), transactions.clone(), list(&[header(&[8])])]);
    let after = list(&[header(&[1, 0, 0, 0, 0]), transactions.clone(), list(&[]), list(&[list(&[string(&[1])])])]);
    let file = [before_shanghai, after, list(&[header(&[]), list(&[]), list(&[])])].concat();
    let (mut rest, mut numbers) = (&file[..], Vec::new());
    while !rest.is_empty() {
        let (BlockHeader { number, transactions_root }, transactions, behind) = block_transactions(rest).unwrap();
        assert_eq!(transactions_root, [7; 32]);
        let transactions: Vec<&[u8]> = transactions.map(Result::unwrap).collect();
        assert!(number == 0 || transactions == raws.each_ref().map(|raw| &raw[..]));
        for (raw, kind) in transactions.iter().zip(TransactionType::ALL) {
            assert_eq!(Transaction::decode(raw).unwrap().kind(), kind);
            assert_eq!(sender(raw, LATEST), Ok(address(&secret().public_key())));
        }
        numbers.push((number, transactions.len()));
        rest = behind;
    }
    assert_eq!(numbers, [(9, 5), (1 << 32, 5), (0, 0)]);
    assert_eq!(BlockHeader::decode(&header(&[0x80])).map(|header| header.number), Ok(128));
    let body = list(&[transactions, list(&[])]);
    assert_eq!(body_transactions(&body).unwrap().count(), 5);
}

#[test]
fn roots_are_those_of_alloy() {
    // Around the numbers at which keys become longer, and whole branches.
    for count in (0..40).chain([127, 128, 129, 143, 144, 255, 256, 257, 300, 1000]) {
        // Short values, too, whose nodes stand in their parents.
        let raws: Vec<Vec<u8>> = (0..count).map(|i: usize| vec![i as u8; i * 7 % 90 + 1]).collect();
        let raws: Vec<&[u8]> = raws.iter().map(|raw| &raw[..]).collect();
        let theirs =
            alloy_consensus::proofs::ordered_trie_root_with_encoder(&raws, |raw, out| out.extend_from_slice(raw));
        assert_eq!(transactions_root(&raws), theirs.0, "{count} transactions");
    }
}

#[test]
fn blocks_that_are_none() {
    let good = [header(&[9]), list(&[]), list(&[])];
    let refused = |items: &[Vec<u8>]| block_transactions(&list(items)).expect_err("no block");
    let malformed = |field, fault| SenderError::Malformed { field, fault };
    assert!(block_transactions(&list(&good)).is_ok());
    assert_eq!(refused(&good[..2]), malformed("uncles", Fault::TooShort));
    assert_eq!(refused(&[header(&[0, 9]), list(&[]), list(&[])]), malformed("number", Fault::LeadingZero));
    assert_eq!(refused(&[string(&[9]), list(&[]), list(&[])]), malformed("header", Fault::NotAList));
    let mut items = vec![string(&[7; 31]); 9];
    items[8] = string(&[9]);
    assert_eq!(refused(&[list(&items), list(&[]), list(&[])]), malformed("transactions_root", Fault::WrongLength));
    let five = [&good[..], &[list(&[]), list(&[])]].concat();
    assert_eq!(refused(&five), malformed("body", Fault::TrailingBytes));
    // What stands behind a body is no part of it.
    let body = [list(&[list(&[]), list(&[])]), vec![0]].concat();
    assert_eq!(body_transactions(&body).err(), Some(malformed("body", Fault::TrailingBytes)));
    // An item that is cut short ends the transactions.
    let cut = list(&[list(&[vec![0x01], vec![0xb8]]), list(&[])]);
    let found: Vec<_> = body_transactions(&cut).unwrap().collect();
    assert_eq!(found, [Ok(&[1][..]), Err(malformed("transactions", Fault::TooShort))]);
}

#[test]
fn blob_transactions_of_the_network() {
    let raw = fields(TransactionType::Blob).sign(&secret()).unwrap();
    let inner = raw[1..].to_vec();
    let values = |count: usize, bytes: usize| list(&vec![string(&vec![0x55; bytes]); count]);
    let pooled = |items: &[Vec<u8>]| [vec![3], list(items)].concat();
    let blobs = || values(2, 131_072);
    let by_4844 = pooled(&[inner.clone(), blobs(), values(2, 48), values(2, 48)]);
    let by_7594 = pooled(&[inner.clone(), string(&[1]), blobs(), values(2, 48), values(256, 48)]);
    let alone = Transaction::decode(&raw).unwrap();
    for network in [&by_4844, &by_7594, &raw] {
        let found = Transaction::decode_pooled(network).unwrap();
        assert_eq!((found.hash(), found.signing_hash()), (alone.hash(), alone.signing_hash()));
        assert_eq!(signers(&Bulk::new(), &[found], LATEST), [Ok(address(&secret().public_key()))]);
    }
    // A block has no blobs.
    assert!(Transaction::decode(&by_4844).is_err() && Transaction::decode(&by_7594).is_err());
    for (items, field) in [
        (vec![inner.clone(), blobs(), values(2, 48)], "proofs"),
        (vec![inner.clone(), blobs(), values(1, 48), values(2, 48)], "commitments"),
        (vec![inner.clone(), blobs(), values(2, 48), values(256, 48)], "proofs"),
        (vec![inner.clone(), values(2, 131_071), values(2, 48), values(2, 48)], "blobs"),
        (vec![inner.clone(), values(2, 131_073), values(2, 48), values(2, 48)], "blobs"),
        (vec![inner.clone(), blobs(), values(2, 47), values(2, 48)], "commitments"),
        (vec![inner.clone(), string(&[2]), blobs(), values(2, 48), values(256, 48)], "wrapper_version"),
        (vec![inner.clone(), string(&[1]), blobs(), values(2, 48), values(2, 48)], "proofs"),
        (vec![inner.clone(), blobs(), values(2, 48), values(2, 48), list(&[])], "transaction"),
        (vec![list(&[]), blobs(), values(2, 48), values(2, 48)], "chain_id"),
    ] {
        match Transaction::decode_pooled(&pooled(&items)).err() {
            Some(SenderError::Malformed { field: found, .. }) => assert_eq!(found, field),
            other => panic!("{field}: {other:?}"),
        }
    }
    // Other types have no such form.
    let other = [vec![2], list(&[inner, blobs(), values(2, 48), values(2, 48)])].concat();
    assert!(Transaction::decode_pooled(&other).is_err());
}
