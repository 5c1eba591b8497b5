//! Items behind the last one of a list, also of lists within: each is refused.

use crate::malformed::{list, string};
use phalanx_ethereum::{BlockHeader, Fault, SenderError, Transaction};

fn fault<T>(read: Result<T, SenderError>) -> Option<(&'static str, Fault)> {
    match read.err() {
        Some(SenderError::Malformed { field, fault }) => Some((field, fault)),
        Some(other) => panic!("{other}"),
        None => None,
    }
}

/// A transaction of type 4 with one entry of each list, behind which these items stand.
fn set_code(behind_access: &[Vec<u8>], behind_authorization: &[Vec<u8>]) -> Vec<u8> {
    let to = || string(&[0x11; 20]);
    let signature = || [string(&[1]), string(&[0xee; 32]), string(&[0x0e; 32])].concat();
    let access = list(&[&[to(), list(&[string(&[0x33; 32])])], behind_access].concat());
    let authorization = list(&[&[string(&[5]), to(), string(&[9]), signature()], behind_authorization].concat());
    let numbers = [5, 7, 1, 2, 3].map(|number| string(&[number])).concat();
    let lists = [list(&[access]), list(&[authorization])].concat();
    let fields = [numbers, to(), string(&[]), string(&[0xaa]), lists, signature()];
    [vec![4], list(&fields)].concat()
}

#[test]
fn entries_of_lists_have_no_more_items() {
    let more = [string(&[])];
    assert_eq!(fault(Transaction::decode(&set_code(&[], &[]))), None);
    let found = fault(Transaction::decode(&set_code(&more, &[])));
    assert_eq!(found, Some(("access_list", Fault::TrailingBytes)));
    let found = fault(Transaction::decode(&set_code(&[], &more)));
    assert_eq!(found, Some(("authorization_list", Fault::TrailingBytes)));
}

#[test]
fn nothing_stands_behind_a_pooled_transaction() {
    let inner = [5, 7, 1, 2, 3].map(|number| string(&[number])).concat();
    let hashes = list(&[string(&[1; 32])]);
    let signature = [string(&[1]), string(&[0xee; 32]), string(&[0x0e; 32])].concat();
    let inner =
        list(&[inner, string(&[0x11; 20]), string(&[]), string(&[]), list(&[]), string(&[1]), hashes, signature]);
    let one = |bytes: usize| list(&[string(&vec![1; bytes])]);
    let pooled = [vec![3], list(&[inner, one(131_072), one(48), one(48)])].concat();
    assert_eq!(fault(Transaction::decode_pooled(&pooled)), None);
    let found = fault(Transaction::decode_pooled(&[pooled, vec![0x80]].concat()));
    assert_eq!(found, Some(("transaction", Fault::TrailingBytes)));
}

#[test]
fn nothing_stands_behind_a_header() {
    let header = list(&[vec![string(&[1; 32]); 8], vec![string(&[7])], vec![string(&[1; 32]); 6]].concat());
    assert_eq!(fault(BlockHeader::decode(&header)), None);
    let found = fault(BlockHeader::decode(&[header, vec![0x80]].concat()));
    assert_eq!(found, Some(("header", Fault::TrailingBytes)));
}
