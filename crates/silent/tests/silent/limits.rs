//! The largest transactions, and what has no answer.

use phalanx::SecretKey;
use phalanx_bitcoin::{Input, OutPoint, Output};
use phalanx_silent::{
    Address, Error, MAX_LABELS, MAX_OUTPUTS, Outputs, Row, Scanner, SendingKey, Spending, outputs, scan, tweak_point,
    tweaks,
};

use crate::bulks;
use crate::obvious::{output_tweak, public, tagged};

const OUTPOINT: OutPoint = OutPoint { txid: [1; 32], index: 0 };

fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32]).unwrap()
}

/// 23,000 outputs, as many as there are in 1 MB: all that count are the receiver's, every other one with the label of
/// change, and the rest would be too if BIP-352 had no limit.
#[test]
fn a_transaction_full_of_ones_own_outputs_is_scanned_to_the_limit() {
    let (scan_secret, spend) = (key(3), key(5).public_key());
    let scanner = Scanner::new(&scan_secret, spend, [1, 2]).unwrap();
    let point = public([9; 32]);
    let change = scanner.labelled_address(0, true).unwrap();
    let with_k = |k: u32| {
        let spend = if k % 2 == 1 { change.spend() } else { &spend };
        spend.tweak_add(&output_tweak(&[3; 32], &point, k)).unwrap().x_only().0.to_bytes()
    };
    let own = phalanx_tiers::size(MAX_OUTPUTS + 20, 23_000);
    let mut keys: Vec<_> = (0..own).map(with_k).collect();
    keys.extend((own..23_000).map(|k| tagged("another", &[&k.to_be_bytes()])));
    keys.reverse();
    let encoded = point.serialize();
    for bulk in bulks() {
        let row = Row { tweak_point: &encoded, outputs: Outputs::Keys(&keys) };
        let found = scan(&bulk, &[&scanner], &[row; 2]).matches;
        assert_eq!(found.len(), 2 * MAX_OUTPUTS as usize, "{}", bulk.backend());
        for (k, found) in (0..MAX_OUTPUTS).zip(&found) {
            let label = (k % 2 == 1).then_some(0);
            assert_eq!((found.k, found.output, found.label), (k, 22_999 - k as usize, label));
        }
    }
    // The same output many times is found once.
    let same = vec![keys[22_999]; 23_000];
    let row = Row { tweak_point: &encoded, outputs: Outputs::Keys(&same) };
    let bulk = bulks().next().unwrap();
    assert_eq!(scan(&bulk, &[&scanner], &[row]).matches.len(), 1);
}

#[test]
fn no_more_outputs_are_made_than_are_looked_for() {
    let key = key(7);
    let keys = [SendingKey { key: &key, taproot: false }];
    let [alice, bob] = [3, 4].map(|byte| Address::new(self::key(byte).public_key(), self::key(5).public_key(), true));
    let limit = MAX_OUTPUTS as usize;
    let mut addresses = vec![alice; limit];
    // Another spend key of the same scan key counts with it; another scan key does not.
    addresses.push(bob);
    assert_eq!(outputs(&keys, &[OUTPOINT], &addresses).unwrap().len(), limit + 1);
    addresses.push(Address::new(*alice.scan(), self::key(6).public_key(), true));
    assert_eq!(outputs(&keys, &[OUTPOINT], &addresses), Err(Error::TooManyOutputs));
}

#[test]
fn labels_are_counted() {
    let scanner = |labels: &[u32]| Scanner::new(&key(3), key(5).public_key(), labels.iter().copied());
    assert!(scanner(&[]).is_ok());
    assert!(scanner(&[0, 0, 1 << 31, u32::MAX, 1 << 31]).is_ok());
    let endless = Scanner::new(&key(3), key(5).public_key(), 0..=u32::MAX);
    assert_eq!(endless.map(|_| ()), Err(Error::TooManyLabels));
    assert!(Scanner::new(&key(3), key(5).public_key(), (0..MAX_LABELS as u32 * 2).map(|i| i % 3)).is_ok());
    // A spend key that a label takes to infinity.
    let label = SecretKey::from_bytes(&tagged("BIP0352/Label", &[&[3; 32], &7u32.to_be_bytes()])).unwrap();
    let spend = label.public_key().negate();
    assert_eq!(Scanner::new(&key(3), spend, [7]).map(|_| ()), Err(Error::BadLabel(7)));
    assert_eq!(Address::labelled(&key(3), &spend, 7, true), Err(Error::BadLabel(7)));
    assert!(Address::labelled(&key(3), &spend, 8, true).is_ok());
}

#[test]
fn senders_without_keys_have_errors() {
    let address = Address::new(key(3).public_key(), key(5).public_key(), true);
    let (plus, minus) = (key(7), key(7).negate());
    let sending = |key| SendingKey { key, taproot: false };
    let zero = [sending(&plus), sending(&minus)];
    assert_eq!(outputs(&zero, &[OUTPOINT], &[address]), Err(Error::ZeroSum));
    assert_eq!(outputs(&[], &[OUTPOINT], &[address]), Err(Error::NoEligibleInput));
    assert_eq!(outputs(&zero[..1], &[], &[address]), Err(Error::NoEligibleInput));
    assert_eq!(outputs(&zero[..1], &[OUTPOINT], &[]), Ok(Vec::new()));
    // Zero on the way is no matter.
    let through_zero = [zero[0], zero[1], zero[0]];
    assert_eq!(outputs(&through_zero, &[OUTPOINT], &[address]), outputs(&zero[..1], &[OUTPOINT], &[address]));
    // An output at infinity: a spend key that was made for it.
    let sum = tweak_point(&[plus.public_key()], &[OUTPOINT]).unwrap();
    let tweak = output_tweak(&[3; 32], &secp256k1::PublicKey::from_slice(&sum.to_bytes()).unwrap(), 0);
    let spend = SecretKey::from_bytes(&tweak).unwrap().public_key().negate();
    assert_eq!(outputs(&zero[..1], &[OUTPOINT], &[Address::new(*address.scan(), spend, true)]), Err(Error::BadHash));
}

#[test]
fn transactions_without_tweak_points_have_errors() {
    let (plus, minus) = (key(7).public_key(), key(7).negate().public_key());
    let keys = [plus.to_bytes(), minus.to_bytes()];
    let input = |key| Input { previous: OUTPOINT, script: &[], sequence: 0, witness: vec![&[1; 71][..], key] };
    let inputs = [input(&keys[0]), input(&keys[1])];
    let output = |script: &[u8]| Output { value: 1, script: script.to_vec().into() };
    let witness_key = output(&[&[0, 20][..], &[7; 20]].concat());
    let spent = [witness_key.clone(), witness_key.clone()];
    let later = [witness_key.clone(), output(&[&[0x52, 32][..], &[7; 32]].concat())];
    let bare = [output(&[0x51]), output(&[])];
    let spendings = [
        Spending { inputs: &inputs, spent: &spent },
        Spending { inputs: &inputs[..1], spent: &spent[..1] },
        Spending { inputs: &inputs, spent: &later },
        Spending { inputs: &inputs, spent: &bare },
        Spending { inputs: &[], spent: &[] },
        Spending { inputs: &inputs, spent: &spent[..1] },
        Spending { inputs: &inputs[1..], spent: &spent[1..] },
    ];
    for bulk in bulks() {
        let expected = [
            Err(Error::ZeroSum),
            tweak_point(&[plus], &[OUTPOINT]),
            Err(Error::UnknownWitnessVersion),
            Err(Error::NoEligibleInput),
            Err(Error::NoEligibleInput),
            Err(Error::LengthMismatch),
            tweak_point(&[minus], &[OUTPOINT]),
        ];
        assert!(expected[1].is_ok() && expected[6].is_ok());
        assert_eq!(tweaks(&bulk, &spendings), expected);
        assert_eq!(tweaks(&bulk, &[]), []);
    }
    assert_eq!(tweak_point(&[], &[OUTPOINT]), Err(Error::NoEligibleInput));
    assert_eq!(tweak_point(&[plus], &[]), Err(Error::NoEligibleInput));
    assert_eq!(tweak_point(&[plus, minus], &[OUTPOINT]), Err(Error::ZeroSum));
}
