//! Scans for silent payments and children of extended keys from C: the answers are Rust's, and those of the published
//! vectors.

use super::LIBRARIES;
use super::programs::{folder, root, run};
use library::{
    Bulk, PublicKey, SecretKey, Verdict,
    bindings::payments::{Outputs, Row, label_tweak, output_tweak},
    children::{Parent, PayloadKind},
};
use phalanx_bip32::ExtendedPublicKey;
use phalanx_silent::{Match, Scanner, scan};
use phalanx_tiers::{Draws, size};
use serde_json::Value;
use std::{fs, process::Command};

/// A receiver as the program is given it.
struct Receiver {
    scan: SecretKey,
    spend: PublicKey,
    labels: Vec<u32>,
}

/// A transaction: no point where the bytes are those of none.
struct Paid {
    point: Option<PublicKey>,
    keys: Vec<[u8; 32]>,
}

impl Paid {
    /// The point of 33 bytes, of 64 and of 65.
    fn forms(&self) -> [Vec<u8>; 3] {
        let Some(point) = self.point else { return [33, 64, 65].map(|width| vec![0; width]) };
        let full = point.to_bytes_uncompressed();
        let stored = full[1..33].iter().rev().chain(full[33..].iter().rev()).copied().collect();
        [point.to_bytes().to_vec(), stored, full.to_vec()]
    }

    fn prefixes(&self) -> Vec<i64> {
        self.keys.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect()
    }
}

fn hex<const N: usize>(value: &Value) -> [u8; N] {
    const_hex::decode_to_array(value.as_str().unwrap()).unwrap()
}

fn draw(draws: &mut Draws) -> [u8; 32] {
    std::array::from_fn(|_| draws.below(256) as u8)
}

fn secret(draws: &mut Draws) -> SecretKey {
    SecretKey::from_bytes(&draw(draws)).unwrap()
}

/// The keys and tweaks that a receiver must find.
type Expected = Vec<([u8; 32], [u8; 32])>;

/// The receivers and the transactions of BIP-352's vectors, and the keys and tweaks that each receiver must find in the
/// transaction of its number.
fn published() -> (Vec<Receiver>, Vec<Paid>, Vec<Expected>) {
    let text = fs::read_to_string(root().join("../../testkit/vectors/bip-0352.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let (mut receivers, mut rows, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let cases = file.as_array().unwrap().iter().flat_map(|case| case["receiving"].as_array().unwrap());
    for (given, found) in cases.map(|case| (&case["given"], &case["expected"])).filter(|(_, e)| !e["tweak"].is_null()) {
        let [scan, spend] = ["scan_priv_key", "spend_priv_key"]
            .map(|name| SecretKey::from_bytes(&hex::<32>(&given["key_material"][name])).unwrap());
        let labels = given["labels"].as_array().unwrap().iter().map(|label| label.as_u64().unwrap() as u32).collect();
        receivers.push(Receiver { scan, spend: spend.public_key(), labels });
        let keys = given["outputs"].as_array().unwrap().iter().map(hex).collect();
        rows.push(Paid { point: Some(PublicKey::from_bytes(&hex::<33>(&found["tweak"])).unwrap()), keys });
        let outputs = found["outputs"].as_array().unwrap().iter();
        let mut outputs: Vec<_> = outputs.map(|out| (hex(&out["pub_key"]), hex(&out["priv_key_tweak"]))).collect();
        outputs.sort_unstable();
        expected.push(outputs);
    }
    assert!(rows.len() >= 26, "{} cases", rows.len());
    (receivers, rows, expected)
}

/// A transaction that pays a receiver some outputs, some of them to labels, or almost.
fn random(draws: &mut Draws, receivers: &[Receiver]) -> Paid {
    let point = secret(draws).public_key();
    let mut keys: Vec<_> = (0..draws.below(3)).map(|_| draw(draws)).collect();
    if draws.below(3) < 2 {
        let receiver = &receivers[draws.below(receivers.len())];
        let shared = point.tweak_mul(&receiver.scan.to_bytes()).unwrap().to_bytes();
        for k in 0..draws.below(5) as u32 {
            let mut key = receiver.spend.tweak_add(&output_tweak(&shared, k).unwrap().to_bytes()).unwrap();
            if let Some(label) = receiver.labels.get(draws.below(4)) {
                key = key.tweak_add(&label_tweak(&receiver.scan, *label).unwrap().to_bytes()).unwrap();
            }
            keys.insert(draws.below(keys.len() + 1), key.x_only().0.to_bytes());
        }
    }
    if let (0, Some(key)) = (draws.below(6), keys.last_mut()) {
        key[draws.below(32)] ^= 1 << draws.below(8);
    }
    Paid { point: (draws.below(9) > 0).then_some(point), keys }
}

/// A match as `tests/c/silent.c` reads it.
fn record(found: &Match) -> Vec<u8> {
    let places = [found.row, found.scanner, found.output].map(|place| (place as u64).to_ne_bytes());
    let label = found.label.unwrap_or(0).to_ne_bytes();
    let numbers = [places.as_flattened(), &found.k.to_ne_bytes(), &label, &[found.label.is_some().into()]].concat();
    [&numbers, &found.key[..], &found.tweak.to_bytes()].concat()
}

/// All that the program reads, with what Rust finds.
fn file(receivers: &[Receiver], rows: &[Paid], found: [Vec<Match>; 2]) -> Vec<u8> {
    let [forms_33, forms_64, forms_65]: [Vec<u8>; 3] =
        std::array::from_fn(|i| rows.iter().flat_map(|row| row.forms()[i].clone()).collect());
    let word = |number: usize| (number as u64).to_ne_bytes();
    let outputs = rows.iter().map(|row| row.keys.len()).sum();
    let mut bytes = [receivers.len(), rows.len(), outputs, found[0].len(), found[1].len()].map(word).concat();
    for receiver in receivers {
        bytes.extend([&receiver.scan.to_bytes()[..], &receiver.spend.to_bytes()].concat());
        bytes.extend(word(receiver.labels.len()));
        receiver.labels.iter().for_each(|label| bytes.extend(label.to_ne_bytes()));
    }
    bytes.extend([forms_33, forms_64, forms_65].concat());
    bytes.extend(rows.iter().flat_map(|row| row.keys.as_flattened()));
    bytes.extend(rows.iter().flat_map(|row| row.prefixes()).flat_map(i64::to_ne_bytes));
    let mut offset = 0;
    bytes.extend(word(0));
    for row in rows {
        offset += row.keys.len();
        bytes.extend(word(offset));
    }
    bytes.extend(rows.iter().map(|row| u8::from(row.point.is_none())));
    bytes.extend(found.iter().flatten().flat_map(record));
    bytes
}

#[test]
fn scans_are_those_of_the_vectors_and_of_rust() {
    let program = LIBRARIES.test("silent", &[]);
    let (receivers, mut rows, expected) = published();
    let mut draws = Draws::of_run();
    rows.extend((0..size(150, 3000)).map(|_| random(&mut draws, &receivers)));
    let scanners: Vec<_> = receivers
        .iter()
        .map(|receiver| Scanner::new(&receiver.scan, receiver.spend, receiver.labels.iter().copied()).unwrap())
        .collect();
    let found = [true, false].map(|whole| {
        let points: Vec<_> = rows.iter().map(|row| row.forms()[0].clone()).collect();
        let prefixes: Vec<_> = rows.iter().map(Paid::prefixes).collect();
        let outputs = |i: usize| if whole { Outputs::Keys(&rows[i].keys) } else { Outputs::Prefixes(&prefixes[i]) };
        let list: Vec<_> = (0..rows.len()).map(|i| Row { tweak_point: &points[i], outputs: outputs(i) }).collect();
        scan(&Bulk::new(), &scanners.iter().collect::<Vec<_>>(), &list).matches
    });
    for (number, expected) in expected.into_iter().enumerate() {
        let own = found[0].iter().filter(|found| (found.row, found.scanner) == (number, number));
        let mut own: Vec<_> = own.map(|found| (found.key, found.tweak.to_bytes())).collect();
        own.sort_unstable();
        assert_eq!(own, expected, "case {number}");
    }
    assert!(found[0].len() > rows.len() / 2 && found[0].iter().any(|found| found.k > 1));
    assert!(found[0].iter().any(|found| found.label.is_some_and(|label| label > 1)));
    assert!(rows.iter().any(|row| row.point.is_none()));
    let path = folder("scans").join("silent.bin");
    fs::write(&path, file(&receivers, &rows, found)).unwrap();
    for backend in library::Backend::available() {
        let output = run(Command::new(&program).arg(backend.name()).arg(&path));
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// Extended public keys of BIP-32's test vectors 1 and 2, with an index, and the child.
const DERIVED: [(&str, u32, &str); 4] = [
    (
        "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
        1,
        "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
    ),
    (
        "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
        2,
        "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
    ),
    (
        "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
        1_000_000_000,
        "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
    ),
    (
        "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
        0,
        "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
    ),
];

/// A row that `tests/c/children.c` reads: all answers are zero where there is no child.
fn child_row(key: [u8; 33], code: [u8; 32], index: u32) -> Vec<u8> {
    let parent = PublicKey::from_bytes(&key).map(|key| Parent::new(key, &code));
    let children = PayloadKind::ALL.map(|kind| parent.clone().and_then(|parent| parent.child(index, kind)));
    let mut row = [&key[..], &code, &index.to_ne_bytes()].concat();
    row.push(children[0].map_or_else(Verdict::from, |_| Verdict::Valid) as u8);
    match children.into_iter().collect::<Result<Vec<_>, _>>() {
        Err(_) => row.extend([0; 33 + 65 + 32 + 20 + 20 + 32]),
        Ok(children) => {
            row.extend(children[0].public_key.to_bytes());
            row.extend(children[0].public_key.to_bytes_uncompressed());
            row.extend(children[0].chain_code);
            children.iter().for_each(|child| row.extend(child.payload.as_bytes()));
        }
    }
    assert_eq!(row.len(), 272);
    row
}

#[test]
fn children_are_those_of_the_vectors_and_of_rust() {
    let program = LIBRARIES.test("children", &[]);
    let mut rows = Vec::new();
    for (parent, index, child) in DERIVED {
        let [parent, child] = [parent, child].map(|text| text.parse::<ExtendedPublicKey>().unwrap());
        let row = child_row(parent.public_key().to_bytes(), *parent.chain_code(), index);
        assert_eq!(row[70..103], child.public_key().to_bytes());
        assert_eq!(row[168..200], *child.chain_code());
        rows.extend(row);
    }
    let mut draws = Draws::of_run();
    let (mut key, mut code) = (secret(&mut draws).public_key().to_bytes(), draw(&mut draws));
    for i in 0..size(600, 10_000) as u32 {
        // Parents of a row or some, some that are none.
        match draws.below(8) {
            0 => key = secret(&mut draws).public_key().to_bytes(),
            1 => code = draw(&mut draws),
            2 => key[draws.below(33)] ^= 1 << draws.below(8),
            _ => {}
        }
        let index = if draws.below(9) == 0 { i | (1 << 31) } else { i.wrapping_mul(3_000_017) >> 1 };
        rows.extend(child_row(key, code, index));
    }
    let path = folder("scans").join("children.bin");
    fs::write(&path, rows).unwrap();
    for backend in library::Backend::available() {
        let output = run(Command::new(&program).arg(backend.name()).arg(&path));
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
}
