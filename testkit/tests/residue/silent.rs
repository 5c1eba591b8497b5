//! Silent payments: the operations, and the secrets of each.

use crate::{
    live::Live,
    needles::{Needles, order},
    secrets::{Row, each},
};
use num_bigint::BigUint;
use phalanx::{
    PublicKey, SecretKey,
    hash::TaggedHash,
    silent::{Outputs, Receiver, Row as Scanned},
};
use phalanx_silent::{Address, OutPoint, Scanner, SendingKey, tweak_point};
use std::hint::black_box;

const OUTPOINT: OutPoint = OutPoint { txid: [1; 32], index: 2 };

/// A key that is no secret here.
fn theirs() -> SecretKey {
    SecretKey::from_bytes(&[7; 32]).expect("a key")
}

/// Every key as the scan secret of a receiver, over all rows.
pub(crate) fn find(live: &Live) {
    let receivers: Vec<_> = live.secrets.iter().map(|secret| Receiver::new(secret, &live.publics[..1])).collect();
    let points: Vec<_> = live.publics.iter().map(PublicKey::to_bytes).collect();
    let row = |point| Scanned { tweak_point: point, outputs: Outputs::Keys(&live.digests) };
    let rows: Vec<_> = points.iter().map(|point| row(&point[..])).collect();
    let found = live.bulk.find_silent_payments(&receivers.iter().collect::<Vec<_>>(), &rows);
    assert!(found.payments.is_empty() && found.bad_points.is_empty());
}

/// The key as a scan secret that finds two outputs, one of them with a label.
pub(crate) fn scan(live: &Live) {
    let scanner = Scanner::new(&live.secrets[0], live.publics[0], [1]).expect("good labels");
    let addresses = [scanner.address(true), scanner.labelled_address(1, true).expect("a good label")];
    let sender = theirs();
    let sent = phalanx_silent::outputs(&[SendingKey { key: &sender, taproot: false }], &[OUTPOINT], &addresses);
    let sent: Vec<_> = sent.expect("outputs").iter().map(|key| key.to_bytes()).collect();
    let point = tweak_point(&[sender.public_key()], &[OUTPOINT]).expect("a tweak point").to_bytes();
    let row = Scanned { tweak_point: &point, outputs: Outputs::Keys(&sent) };
    let found = phalanx_silent::scan(&live.bulk, &[&scanner], &[row]);
    assert_eq!(found.matches.len(), 2);
    black_box(&found);
}

/// The key as that of an input.
pub(crate) fn outputs(live: &Live) {
    let key = SendingKey { key: &live.secrets[0], taproot: true };
    let addresses = [Address::new(live.publics[0], live.publics[0], true); 2];
    black_box(&phalanx_silent::outputs(&[key], &[OUTPOINT], &addresses).expect("outputs"));
}

/// The shared point of a tweak point and a scan secret, and the tweaks of outputs.
fn shared(needles: &mut Needles, point: &PublicKey, outputs: u32) {
    let bytes = point.to_bytes_uncompressed();
    needles.of("shared x").number(&BigUint::from_bytes_be(&bytes[1..33]));
    needles.of("shared y").number(&BigUint::from_bytes_be(&bytes[33..]));
    let tag = TaggedHash::new(b"BIP0352/SharedSecret");
    for k in 0..outputs {
        let tweak = BigUint::from_bytes_be(&tag.hash(&[&point.to_bytes(), &k.to_be_bytes()]));
        needles.of(&format!("tweak {k}")).scalar(&tweak).generator_digits(&tweak);
    }
}

/// What a scan of the row computes by the row's key.
pub(crate) fn of_rows(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d()).point_digits(&row.d());
        shared(needles, &row.public.tweak_mul(&row.key).expect("the key is not zero"), 1);
    });
}

/// What [`scan`] computes: beside that of [`of_rows`] the tweaks of labels, alone and with those of outputs.
pub(crate) fn of_scan(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d()).point_digits(&row.d());
        let point = tweak_point(&[theirs().public_key()], &[OUTPOINT]).expect("a tweak point");
        shared(needles, &point.tweak_mul(&row.key).expect("the key is not zero"), 3);
        for label in [0u32, 1] {
            let tweak = TaggedHash::new(b"BIP0352/Label").hash(&[&row.key, &label.to_be_bytes()]);
            let tweak = BigUint::from_bytes_be(&tweak);
            needles.of(&format!("tweak of label {label}")).scalar(&tweak).generator_digits(&tweak);
        }
    });
}

/// What a sender computes by the row's key, which is that of a taproot output.
pub(crate) fn of_outputs(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let even = row.even();
        needles.of("key").scalar(&row.d());
        needles.of("even key").scalar(&even);
        let sum = row.secret().public_key().x_only().0.public_key();
        let outpoint = [&OUTPOINT.txid[..], &OUTPOINT.index.to_le_bytes()].concat();
        let hash = TaggedHash::new(b"BIP0352/Inputs").hash(&[&outpoint, &sum.to_bytes()]);
        let product = even * BigUint::from_bytes_be(&hash);
        needles.of("key times the inputs' hash").product(&product);
        let product = product % order();
        needles.of("key times the inputs' hash").scalar(&product).point_digits(&product);
        let bytes = crate::needles::to_bytes(&product);
        shared(needles, &row.public.tweak_mul(&bytes).expect("the product is not zero"), 2);
    });
}
