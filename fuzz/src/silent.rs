//! Silent payments: addresses and proofs are written as they were read, and a scan on each backend finds what one finds
//! that looks at one output after the other.
//!
//! Rows come from any bytes. The first byte of a row says how many outputs it has, and how it is written. The second one
//! is its secret. Then a byte makes an output: whose it is, its number, its label, and whether it is changed.

use std::sync::LazyLock;

use bech32::primitives::iter::Fe32IterExt;
use bech32::{Bech32m, Fe32, Hrp};
use phalanx::bindings::payments::{Outputs, Row, label_tweak, output_tweak};
use phalanx::{PublicKey, SecretKey};
use phalanx_silent::{Address, DleqProof, Error, Scanner, scan};

/// Rows of one input: more than eight lanes.
const MOST_ROWS: usize = 11;
/// The first receiver's labels.
const LABELS: [u32; 3] = [0, 1, 5];

/// A receiver, and what a slow scan takes of it.
struct Wallet {
    scanner: Scanner,
    scan: SecretKey,
    spend: SecretKey,
    /// The labels, with what they add to the spend secret.
    labels: Vec<(Option<u32>, Option<SecretKey>)>,
}

static RECEIVERS: LazyLock<[Wallet; 2]> = LazyLock::new(|| {
    let receiver = |seed: u8, labels: &[u32]| {
        let [scan, spend] = [seed, seed + 1].map(secret);
        let scanner = Scanner::new(&scan, spend.public_key(), labels.iter().copied()).expect("few labels");
        let tweak = |label: &u32| (Some(*label), label_tweak(&scan, *label).ok());
        let labels = [(None, None)].into_iter().chain(labels.iter().map(tweak)).collect();
        Wallet { scanner, scan, spend, labels }
    };
    [receiver(0x21, &LABELS), receiver(0x31, &LABELS[..1])]
});

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed.clamp(1, 0xfe); 32]).expect("below the order")
}

impl Wallet {
    /// What spends output k by a label, and the output's x.
    fn output(&self, shared: &[u8; 33], k: u32, label: usize) -> (SecretKey, [u8; 32]) {
        let mut tweak = output_tweak(shared, k).expect("nobody knows another point");
        if let Some(label) = &self.labels[label].1 {
            tweak = tweak.tweak_add(&label.to_bytes()).expect("not zero");
        }
        let key = self.spend.tweak_add(&tweak.to_bytes()).expect("not zero").public_key();
        (tweak, key.x_only().0.to_bytes())
    }

    fn shared(&self, point: &PublicKey) -> [u8; 33] {
        point.tweak_mul(&self.scan.to_bytes()).expect("not zero").to_bytes()
    }
}

pub(crate) fn check(bytes: &[u8]) {
    proof(bytes);
    addresses(bytes);
    check_rows(bytes);
}

pub(crate) fn check_text(text: &str) {
    let Ok(address) = text.parse::<Address>() else { return };
    let written = address.to_string();
    assert_eq!(written.parse(), Ok(address));
    // Later versions may have more behind the keys, and are written as the first one.
    let lower = text.to_ascii_lowercase();
    assert!(written == lower || !lower.contains("sp1q"), "{text}: {written}");
}

fn addresses(bytes: &[u8]) {
    if let Some((keys, [])) = bytes.split_at_checked(66)
        && let [Ok(scan), Ok(spend)] = [&keys[..33], &keys[33..]].map(PublicKey::from_bytes)
    {
        [true, false].into_iter().for_each(|mainnet| check_text(&Address::new(scan, spend, mainnet).to_string()));
    }
    // No mutation finds a checksum, so it is added here to the digits.
    if bytes.len() < 200 {
        let digits = bytes.iter().map(|digit| Fe32::try_from(digit & 31).expect("five bits"));
        let text: String = digits.with_checksum::<Bech32m>(&Hrp::parse_unchecked("tsp")).chars().collect();
        check_text(&text);
    }
}

/// One proof is known of a statement, so no other one holds.
fn proof(bytes: &[u8]) {
    static PROOF: LazyLock<([PublicKey; 3], DleqProof)> = LazyLock::new(|| {
        let (key, base) = (secret(3), secret(5).public_key());
        let product = base.tweak_mul(&key.to_bytes()).expect("not zero");
        let proof = DleqProof::prove(&key, &base, &[7; 32], None).expect("not zero");
        ([key.public_key(), base, product], proof)
    });
    match DleqProof::from_bytes(bytes) {
        Ok(proof) => {
            assert_eq!(proof.to_bytes(), bytes);
            let ([public, base, product], known) = &*PROOF;
            assert_eq!(proof.holds(public, base, product, None), proof == *known);
        }
        Err(error) => assert_eq!(error, Error::BadProof),
    }
}

/// A row as its bytes say, not yet borrowed.
struct Payments {
    /// None where the bytes are no point.
    point: Option<PublicKey>,
    written: Vec<u8>,
    keys: Vec<[u8; 32]>,
    /// In the place of the keys.
    prefixes: Option<Vec<i64>>,
}

fn prefix(key: &[u8; 32]) -> i64 {
    i64::from_be_bytes(*key.first_chunk().expect("32 bytes"))
}

fn make(form: u8, seed: u8, outputs: &[u8]) -> Payments {
    let point = secret(seed).public_key();
    let output = |what: &u8| {
        let receiver = &RECEIVERS[usize::from(what >> 7)];
        let label = usize::from(what >> 3 & 3) % receiver.labels.len();
        let (_, mut key) = receiver.output(&receiver.shared(&point), u32::from(what & 7), label);
        // What is no output of anybody, or one that begins like one.
        key[match what >> 5 & 3 {
            0 | 1 => return key,
            2 => 0,
            _ => 31,
        }] ^= 1;
        key
    };
    let keys: Vec<[u8; 32]> = outputs.iter().map(output).collect();
    let prefixes = (form & 8 != 0).then(|| keys.iter().map(prefix).collect());
    let mut written = match form >> 4 & 3 {
        0 => point.to_bytes().to_vec(),
        1 => point.to_bytes_uncompressed().to_vec(),
        _ => {
            let [_, coordinates @ ..] = point.to_bytes_uncompressed();
            coordinates.as_chunks::<32>().0.iter().flat_map(|number| number.iter().rev().copied()).collect()
        }
    };
    if form & 64 != 0 {
        written.truncate(32);
    }
    Payments { point: (form & 64 == 0).then_some(point), written, keys, prefixes }
}

/// A match: row, receiver, output, k, label, key, tweak.
type Found = (usize, usize, usize, u32, Option<u32>, [u8; 32], [u8; 32]);

/// Each k, against each output that is left, in their order.
fn slowly(rows: &[Payments]) -> Vec<Found> {
    let mut found = Vec::new();
    for (row, made) in rows.iter().enumerate() {
        let Some(point) = made.point else { continue };
        for (number, receiver) in RECEIVERS.iter().enumerate() {
            let shared = receiver.shared(&point);
            let mut left: Vec<usize> = (0..made.keys.len()).collect();
            for k in 0.. {
                let candidates: Vec<_> =
                    (0..receiver.labels.len()).map(|label| (label, receiver.output(&shared, k, label))).collect();
                let own = left.iter().enumerate().find_map(|(at, output)| {
                    let is = |key: &[u8; 32]| match &made.prefixes {
                        Some(prefixes) => prefixes[*output] == prefix(key),
                        None => made.keys[*output] == *key,
                    };
                    let (label, (tweak, key)) = candidates.iter().find(|(_, (_, key))| is(key))?;
                    Some((at, (row, number, *output, k, receiver.labels[*label].0, *key, tweak.to_bytes())))
                });
                let Some((at, own)) = own else { break };
                left.remove(at);
                found.push(own);
            }
        }
    }
    found
}

/// Checks a scan of rows, and answers how many outputs it finds.
pub fn check_rows(mut bytes: &[u8]) -> usize {
    let mut made = Vec::new();
    while let [form, seed, rest @ ..] = bytes
        && made.len() < MOST_ROWS
    {
        let (outputs, rest) = rest.split_at(rest.len().min(usize::from(form & 7)));
        made.push(make(*form, *seed, outputs));
        bytes = rest;
    }
    let rows: Vec<Row<'_>> = made
        .iter()
        .map(|made| Row {
            tweak_point: &made.written,
            outputs: made.prefixes.as_ref().map_or(Outputs::Keys(&made.keys), |prefixes| Outputs::Prefixes(prefixes)),
        })
        .collect();
    let expected = slowly(&made);
    let bad: Vec<usize> = (0..made.len()).filter(|row| made[*row].point.is_none()).collect();
    let scanners = RECEIVERS.each_ref().map(|receiver| &receiver.scanner);
    for bulk in crate::bulks() {
        let scan = scan(bulk, &scanners, &rows);
        let found = scan.matches.iter().map(|found| {
            let tweak = found.tweak.to_bytes();
            (found.row, found.scanner, found.output, found.k, found.label, found.key, tweak)
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{}", bulk.backend());
        assert_eq!(scan.bad_points, bad, "{}", bulk.backend());
    }
    expected.len()
}
