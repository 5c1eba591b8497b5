//! Silent payments: the scan secret of a receiver, and the keys of a sender. Which outputs pay whom is public.

use crate::{
    operations::{ROWS, bulk, high_key, key, their_key},
    secret::{secret, still_secret},
};
use phalanx::bindings::payments::{Outputs, Receiver, Row};
use phalanx_silent::{Address, DleqProof, OutPoint, Scanner, SendingKey, outputs, scan, tweak_point};

const OUTPOINT: OutPoint = OutPoint { txid: [1; 32], index: 2 };

pub(crate) const ALL: &[(&str, fn())] = &[
    // Rows that pay, in the middle of others.
    ("bulk_find_silent_payments", || {
        for scan_key in [key(0x11), high_key(0x11)] {
            let (point, keys) = paid(&Scanner::new(&scan_key, their_key(), []).expect("good labels"));
            let others = [[7; 32]; 2];
            let row = |number| Row {
                tweak_point: &point,
                outputs: if number % 3 == 1 { Outputs::Keys(&keys) } else { Outputs::Keys(&others) },
            };
            let rows: Vec<_> = (0..ROWS).map(row).collect();
            let receiver = Receiver::new(&secret(scan_key), &[their_key(); 5]);
            let found = bulk().find_silent_payments(&[&receiver], &rows);
            assert!(found.payments.len() == rows.len().div_ceil(3) - usize::from(ROWS % 3 == 1));
        }
    }),
    ("silent_scan", || {
        let (point, keys) = paid(&Scanner::new(&key(0x11), their_key(), [1]).expect("good labels"));
        let scanner = Scanner::new(&secret(key(0x11)), their_key(), [1]).expect("good labels");
        let row = Row { tweak_point: &point, outputs: Outputs::Keys(&keys) };
        let found = scan(&bulk(), &[&scanner], &[row]).matches;
        assert!(found.len() == keys.len());
        found.into_iter().for_each(|found| still_secret(found.tweak.to_bytes()));
    }),
    ("silent_address", || {
        let scanner = Scanner::new(&secret(key(0x11)), their_key(), []).expect("good labels");
        let addresses = [scanner.address(true), scanner.labelled_address(7, true).expect("a good label")];
        assert!(addresses.iter().all(|address| address.to_string().parse() == Ok(*address)));
    }),
    ("silent_proof", || {
        let base = key(0x22).public_key();
        let proof = DleqProof::prove(&secret(key(0x11)), &base, &secret([0x33; 32]), Some(&[7; 32])).expect("a proof");
        still_secret(proof.to_bytes());
    }),
    ("silent_outputs", || {
        let keys = [key(0x11), high_key(0x22), key(0x33)].map(secret);
        for taproot in [false, true] {
            let sending: Vec<_> = keys.iter().map(|key| SendingKey { key, taproot }).collect();
            let address = |spend| Address::new(their_key(), spend, true);
            let addresses = [address(their_key()), address(their_key()), address(their_key().negate())];
            assert!(outputs(&sending, &[OUTPOINT], &addresses).is_ok_and(|outputs| outputs[0] != outputs[1]));
        }
    }),
];

/// The tweak point of a transaction, and outputs to a receiver with label 1 and without.
fn paid(scanner: &Scanner) -> ([u8; 33], Vec<[u8; 32]>) {
    let (sender, label) = (key(0x55), scanner.labelled_address(1, true).expect("a good label"));
    let addresses = [scanner.address(true), label, scanner.address(true)];
    let sent = outputs(&[SendingKey { key: &sender, taproot: false }], &[OUTPOINT], &addresses).expect("outputs");
    let point = tweak_point(&[sender.public_key()], &[OUTPOINT]).expect("a tweak point");
    (point.to_bytes(), sent.iter().map(|key| key.to_bytes()).collect())
}
