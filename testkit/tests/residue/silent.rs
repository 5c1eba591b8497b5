//! Silent payments: the operations, and the secrets of each.

use crate::{
    drop_in::{LABEL, outputs_sent, with_label_tweak},
    live::Live,
    needles::{Needles, order},
    secrets::{Row, each},
};
use num_bigint::BigUint;
use phalanx::{
    PublicKey, SecretKey,
    bindings::payments::{Outputs, Row as Scanned},
    hash::TaggedHash,
};
use phalanx_silent::{Address, DleqProof, OutPoint, Scanner, SendingKey, tweak_point};
use std::hint::black_box;

const OUTPOINT: OutPoint = OutPoint { txid: [1; 32], index: 2 };

/// The outpoint as it is hashed.
pub(crate) fn outpoint() -> [u8; 36] {
    [&OUTPOINT.txid[..], &OUTPOINT.index.to_le_bytes()].concat().try_into().expect("36 bytes")
}

/// A key that is no secret here.
fn theirs() -> SecretKey {
    SecretKey::from_bytes(&[7; 32]).expect("a key")
}

/// Every key as the scan secret of a receiver, over all rows.
pub(crate) fn scan_rows(live: &Live) {
    let scanner = |secret| Scanner::new(secret, live.publics[0], []).expect("good labels");
    let scanners: Vec<_> = live.secrets.iter().map(scanner).collect();
    let points: Vec<_> = live.publics.iter().map(PublicKey::to_bytes).collect();
    let row = |point| Scanned { tweak_point: point, outputs: Outputs::Keys(&live.digests) };
    let rows: Vec<_> = points.iter().map(|point| row(&point[..])).collect();
    let found = phalanx_silent::scan(&live.bulk, &scanners.iter().collect::<Vec<_>>(), &rows);
    assert!(found.matches.is_empty() && found.bad_points.is_empty());
}

/// The key as a scan secret that finds two outputs, one of them with a label. Its frame, in which there is no secret, is
/// longer than what the search leaves out as outermost, and is overwritten by the call that follows.
pub(crate) fn scan(live: &Live) {
    find_two(live);
    black_box(&theirs().public_key());
}

#[inline(never)]
fn find_two(live: &Live) {
    let scanner = Scanner::new(&live.secrets[0], live.publics[0], [1]).expect("good labels");
    let (point, sent) = paid(&scanner);
    let row = Scanned { tweak_point: &point, outputs: Outputs::Keys(&sent) };
    let found = phalanx_silent::scan(&live.bulk, &[&scanner], &[row]);
    assert_eq!(found.matches.len(), 2);
    black_box(&found);
}

/// A tweak point and two outputs. In a frame below that of the operation, which overwrites it.
#[inline(never)]
pub(crate) fn paid(scanner: &Scanner) -> (Vec<u8>, Vec<[u8; 32]>) {
    let addresses = [scanner.address(true), scanner.labelled_address(1, true).expect("a good label")];
    let sender = theirs();
    let sent = phalanx_silent::outputs(&[SendingKey { key: &sender, taproot: false }], &[OUTPOINT], &addresses);
    let point = tweak_point(&[sender.public_key()], &[OUTPOINT]).expect("a tweak point");
    (point.to_bytes().to_vec(), sent.expect("outputs").iter().map(|key| key.to_bytes()).collect())
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

/// What `drop_in::sender_outputs` computes, which is the same.
pub(crate) fn of_drop_in_outputs(rows: &[Row], needles: &mut Needles) {
    of_outputs(rows, needles);
    for row in rows {
        let (secret, public) = (row.secret(), row.public);
        let addresses = [Address::new(public, public, true); 2];
        let key = SendingKey { key: &secret, taproot: true };
        let sent = phalanx_silent::outputs(&[key], &[OUTPOINT], &addresses).expect("outputs");
        let sent: Vec<_> = sent.iter().map(|key| key.to_bytes()).collect();
        assert_eq!(outputs_sent(&row.key, &public.to_bytes(), &outpoint())[..], sent, "other outputs");
    }
}

/// What `drop_in::label_create` computes.
pub(crate) fn of_label(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d());
        let message = [&row.key[..], &LABEL.to_be_bytes()].concat();
        let hash = needles.tagged("the label's hash", b"BIP0352/Label", &message);
        with_label_tweak(&row.key, |tweak| assert_eq!(*tweak, hash, "another label"));
        let tweak = BigUint::from_bytes_be(&hash);
        needles.of("tweak of the label").scalar(&tweak).generator_digits(&tweak);
    });
}

/// What a sender computes by the row's key, which is that of a taproot output.
pub(crate) fn of_outputs(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        let even = row.even();
        needles.of("key").scalar(&row.d());
        needles.of("even key").scalar(&even);
        let sum = row.secret().public_key().x_only().0.public_key();
        let hash = TaggedHash::new(b"BIP0352/Inputs").hash(&[&outpoint(), &sum.to_bytes()]);
        let product = even * BigUint::from_bytes_be(&hash);
        needles.of("key times the inputs' hash").product(&product);
        let product = product % order();
        needles.of("key times the inputs' hash").scalar(&product).point_digits(&product);
        let bytes = crate::needles::to_bytes(&product);
        shared(needles, &row.public.tweak_mul(&bytes).expect("the product is not zero"), 2);
    });
}

/// The key as that of which something is proved.
pub(crate) fn prove(live: &Live) {
    black_box(&DleqProof::prove(&live.secrets[0], &live.publics[0], &live.aux[0], None).expect("a proof"));
}

/// What [`prove`] computes: the key, masked, and the nonce.
pub(crate) fn of_proof(rows: &[Row], needles: &mut Needles) {
    each(rows, needles, |row, needles| {
        needles.of("key").scalar(&row.d()).point_digits(&row.d());
        let mask = TaggedHash::new(b"BIP0374/aux").hash(&[&row.aux]);
        let masked: [u8; 32] = std::array::from_fn(|i| mask[i] ^ row.key[i]);
        needles.of("masked key").bytes(&masked);
        let product = row.public.tweak_mul(&row.key).expect("the key is not zero").to_bytes();
        let hash = TaggedHash::new(b"BIP0374/nonce").hash(&[&masked, &row.secret().public_key().to_bytes(), &product]);
        let nonce = BigUint::from_bytes_be(&hash) % order();
        needles.of("nonce").scalar(&nonce).point_digits(&nonce);
    });
}
