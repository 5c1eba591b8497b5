//! Scans of random rows, and of rows that were changed, find what the obvious scan finds.

use phalanx::{Bulk, PublicKey, SecretKey};
use phalanx_silent::{Outputs, Row, Scanner, scan};
use phalanx_testkit::draws::Draws;

use crate::bulks;
use crate::obvious::{self, Found, label_tweak, output_tweak, public};

struct Receiver {
    scan: [u8; 32],
    spend: secp256k1::PublicKey,
    labels: Vec<u32>,
}

impl Receiver {
    fn new(draws: &mut Draws, labels: &[u32]) -> Receiver {
        Receiver { scan: draws.uniform(), spend: public(draws.uniform()), labels: labels.to_vec() }
    }

    fn scanner(&self) -> Scanner {
        let spend = PublicKey::from_bytes(&self.spend.serialize()).unwrap();
        Scanner::new(&SecretKey::from_bytes(&self.scan).unwrap(), spend, self.labels.iter().copied()).unwrap()
    }

    /// The key of output k, with one of the labels or without.
    fn output(&self, point: &secp256k1::PublicKey, k: u32, label: Option<u32>) -> [u8; 32] {
        let mut key = self.spend.combine(&public(output_tweak(&self.scan, point, k))).unwrap();
        if let Some(label) = label {
            key = key.combine(&public(label_tweak(&self.scan, label))).unwrap();
        }
        key.x_only_public_key().0.to_byte_array()
    }
}

/// A tweak point in one of its forms, and keys of outputs.
struct Transaction {
    point: secp256k1::PublicKey,
    encoded: Vec<u8>,
    outputs: Vec<[u8; 32]>,
}

impl Transaction {
    /// A transaction that pays some of the receivers, in any order, with gaps, twice, or to what is almost theirs.
    fn new(draws: &mut Draws, receivers: &[Receiver]) -> Transaction {
        let point = public(draws.uniform());
        let full = point.serialize_uncompressed();
        let encoded = match draws.byte() % 3 {
            0 => point.serialize().to_vec(),
            1 => full.to_vec(),
            _ => full[1..33].iter().rev().chain(full[33..].iter().rev()).copied().collect(),
        };
        let mut outputs: Vec<_> = (0..draws.byte() % 3).map(|_| draws.uniform()).collect();
        if draws.byte().is_multiple_of(2) {
            let receiver = &receivers[usize::from(draws.byte()) % receivers.len()];
            for k in 0..draws.byte() % 5 {
                let label = receiver.labels.get(usize::from(draws.byte()) % 8).copied();
                let output = receiver.output(&point, k.into(), label);
                match draws.byte() % 8 {
                    0 => {}
                    1 => outputs.extend([output; 2]),
                    2 => outputs.insert(0, output),
                    _ => outputs.push(output),
                }
            }
        }
        if let Some(output) = outputs.last_mut()
            && draws.byte().is_multiple_of(8)
        {
            output[usize::from(draws.byte() % 32)] ^= 1 << (draws.byte() % 8);
        }
        Transaction { point, encoded, outputs }
    }

    fn prefixes(&self) -> Vec<i64> {
        self.outputs.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect()
    }
}

#[test]
fn random_transactions_pay_whom_the_obvious_scan_says() {
    let mut draws = Draws::new(352, "silent payments", 1);
    let receivers: Vec<_> =
        [&[0][..], &[0, 1, 7, u32::MAX], &[0, 3]].into_iter().map(|labels| Receiver::new(&mut draws, labels)).collect();
    let count = phalanx_tiers::size(300, 20_000);
    let transactions: Vec<_> = (0..count).map(|_| Transaction::new(&mut draws, &receivers)).collect();
    let prefixes: Vec<_> = transactions.iter().map(Transaction::prefixes).collect();

    let mut expected = Vec::new();
    for (row, transaction) in transactions.iter().enumerate() {
        for (number, receiver) in receivers.iter().enumerate() {
            let Receiver { scan, spend, labels } = receiver;
            let found = obvious::scan(scan, spend, labels, &transaction.point, &transaction.outputs);
            expected.extend(found.into_iter().map(|found| (row, number, found)));
        }
    }
    assert!(expected.len() > count / 2, "{} outputs", expected.len());
    assert!(expected.iter().any(|(_, _, found)| found.k > 1 && found.label == Some(7)));

    let scanners: Vec<_> = receivers.iter().map(Receiver::scanner).collect();
    let scanners: Vec<_> = scanners.iter().collect();
    for bulk in bulks() {
        for whole in [true, false] {
            let found = scan(&bulk, &scanners, &rows(&transactions, &prefixes, whole));
            assert_eq!(found.bad_points, [0; 0]);
            let keys = found.matches.iter().map(|found| found.key);
            if whole {
                assert!(keys.eq(found.matches.iter().map(|found| transactions[found.row].outputs[found.output])));
            }
            let found: Vec<_> = found
                .matches
                .into_iter()
                .map(|found| {
                    let (output, k, label) = (found.output, found.k, found.label);
                    (found.row, found.scanner, Found { output, k, label, tweak: found.tweak.to_bytes() })
                })
                .collect();
            if whole {
                assert_eq!(found, expected, "{}", bulk.backend());
            } else {
                // A bit beyond the prefix makes another key, which a prefix does not tell.
                assert!(expected.iter().all(|expected| found.contains(expected)), "{}", bulk.backend());
            }
        }
    }
}

fn rows<'a>(transactions: &'a [Transaction], prefixes: &'a [Vec<i64>], whole: bool) -> Vec<Row<'a>> {
    let row = |(transaction, prefixes): (&'a Transaction, &'a Vec<i64>)| Row {
        tweak_point: &transaction.encoded,
        outputs: if whole { Outputs::Keys(&transaction.outputs) } else { Outputs::Prefixes(prefixes) },
    };
    transactions.iter().zip(prefixes).map(row).collect()
}

/// Rows that are paid once, twice, and up to many times, with any labels and in any order, beside each other: those that
/// end early do not end those that go on.
#[test]
fn rows_are_followed_to_their_last_output() {
    let mut draws = Draws::new(352, "many outputs", 1);
    let receivers = [&[0, 1, 2, 3, 4, 5][..], &[0]].map(|labels| Receiver::new(&mut draws, labels));
    let most = phalanx_tiers::size(40, 400);
    for counts in [vec![most], vec![1; 50], (0..20).map(|i| i * most / 20).collect(), vec![0, most / 2, 1, 2]] {
        let mut transactions = Vec::new();
        for (number, count) in counts.into_iter().enumerate() {
            let (receiver, point) = (&receivers[number % 2], public(draws.uniform()));
            let mut outputs: Vec<[u8; 32]> = vec![draws.uniform()];
            for k in 0..count as u32 {
                // Some have a gap, behind which nothing is looked for.
                if number % 3 == 2 && k + 3 == count as u32 {
                    continue;
                }
                let label = receiver.labels.get(usize::from(draws.byte()) % 8).copied();
                let at = usize::from(draws.byte()) % (outputs.len() + 1);
                outputs.insert(at, receiver.output(&point, k, label));
            }
            transactions.push(Transaction { point, encoded: point.serialize().to_vec(), outputs });
        }
        let prefixes: Vec<_> = transactions.iter().map(Transaction::prefixes).collect();
        let mut expected = Vec::new();
        for (row, Transaction { point, outputs, .. }) in transactions.iter().enumerate() {
            for (number, Receiver { scan, spend, labels }) in receivers.iter().enumerate() {
                let found = obvious::scan(scan, spend, labels, point, outputs);
                expected.extend(found.into_iter().map(|found| (row, number, found)));
            }
        }
        let scanners = receivers.each_ref().map(Receiver::scanner);
        for bulk in bulks().chain(Bulk::builder().threads(3).build()) {
            for whole in [true, false] {
                let found = scan(&bulk, &scanners.each_ref(), &rows(&transactions, &prefixes, whole)).matches;
                let found: Vec<_> = found
                    .into_iter()
                    .map(|found| {
                        let (output, k, label) = (found.output, found.k, found.label);
                        (found.row, found.scanner, Found { output, k, label, tweak: found.tweak.to_bytes() })
                    })
                    .collect();
                assert_eq!(found, expected, "{}", bulk.backend());
            }
        }
    }
}

/// Two keys of the receiver for one k: the first output in the order of the transaction counts. The other one is not
/// found for k + 1.
#[test]
fn what_two_keys_make_for_one_k_counts_once() {
    let mut draws = Draws::new(352, "one k twice", 1);
    let receiver = Receiver::new(&mut draws, &[0, 1, 2]);
    let point = public(draws.uniform());
    let [plain, first, second] = [None, Some(1), Some(2)].map(|label| receiver.output(&point, 0, label));
    let next = receiver.output(&point, 1, Some(2));
    for outputs in [[second, plain, first, next], [next, first, second, plain], [plain, plain, next, next]] {
        let transaction = [Transaction { point, encoded: point.serialize().to_vec(), outputs: outputs.to_vec() }];
        let expected = obvious::scan(&receiver.scan, &receiver.spend, &receiver.labels, &point, &outputs);
        assert_eq!(expected.len(), 2);
        for bulk in bulks() {
            let prefixes = [transaction[0].prefixes()];
            for whole in [true, false] {
                let found = scan(&bulk, &[&receiver.scanner()], &rows(&transaction, &prefixes, whole)).matches;
                let found: Vec<_> = found.iter().map(|found| (found.output, found.k, found.label)).collect();
                let expected: Vec<_> = expected.iter().map(|found| (found.output, found.k, found.label)).collect();
                assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn rows_without_a_point_are_told() {
    let mut draws = Draws::new(352, "bad points", 1);
    let receiver = Receiver::new(&mut draws, &[]);
    let scanner = receiver.scanner();
    let good = public(draws.uniform()).serialize();
    let mut off = [0; 64];
    off[0] = 1;
    let bytes: [&[u8]; 8] = [&good, &[], &[0; 33], &off, &[0; 64], &good[1..], &[4; 65], &good];
    let outputs = [receiver.output(&secp256k1::PublicKey::from_slice(&good).unwrap(), 0, None)];
    let rows: Vec<_> = bytes.iter().map(|point| Row { tweak_point: point, outputs: Outputs::Keys(&outputs) }).collect();
    for bulk in bulks() {
        let found = scan(&bulk, &[&scanner, &scanner], &rows);
        let places: Vec<_> = found.matches.iter().map(|found| (found.row, found.scanner)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (7, 0), (7, 1)]);
        assert_eq!(found.bad_points, [1, 2, 3, 4, 5, 6]);
        for nothing in [scan(&bulk, &[], &rows), scan(&bulk, &[&scanner], &[])] {
            assert_eq!((nothing.matches.len(), nothing.bad_points.len()), (0, 0));
        }
        let empty = [Row { outputs: Outputs::Prefixes(&[]), ..rows[0] }];
        assert!(scan(&bulk, &[&scanner], &empty).matches.is_empty());
    }
}
