//! What rows cost whose additions are exceptional, beside ordinary rows.
//!
//! Whoever knows a secret key can choose u and v so that the sum u G + v Q meets equal points, negatives or infinity on
//! the way. The program makes as many ordinary rows as rows of each kind. It verifies both in turn, by bulk calls and
//! one at a time, and prints the median ratio of their times.
//!
//! ```text
//! cargo run --release --manifest-path lab/ours/Cargo.toml --example crafted_rows -- [ROUNDS]
//! ```

use phalanx::{Backend, Bulk, LowS, PublicKeyRef, Scalar, SecretKey, Verdict, ecdsa, hash::sha256};
use std::time::Instant;

const ROWS: usize = 4096;

/// A row as bytes.
struct Row {
    digest: [u8; 32],
    signature: [u8; 64],
    key: [u8; 33],
}

fn scalar(label: &str, i: usize) -> Scalar {
    Scalar::from_bytes_reduced(&sha256(format!("{label} {i}").as_bytes()))
}

/// The row under the key d G for which z / s = u and r / s = v: valid where u + v d is not zero.
fn row(d: Scalar, u: Scalar, v: Scalar) -> Row {
    let key = SecretKey::from_bytes(&d.to_bytes()).expect("a secret key").public_key();
    let sum = SecretKey::from_bytes(&(u + v * d).to_bytes()).map(|sum| sum.public_key());
    let r =
        sum.map_or(Scalar::ONE, |sum| Scalar::from_bytes_reduced(&sum.to_bytes()[1..].try_into().expect("32 bytes")));
    let s = r * Option::<Scalar>::from(v.invert()).expect("v is not zero");
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r.to_bytes());
    signature[32..].copy_from_slice(&s.to_bytes());
    Row { digest: (u * s).to_bytes(), signature, key: key.to_bytes() }
}

/// The scalars (u, v) of a row under d, by the kind's name.
type Kind = (&'static str, fn(usize, Scalar) -> [Scalar; 2]);

/// lambda, by which the endomorphism multiplies.
const LAMBDA: &str = "0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72";

/// An odd scalar, and what its even windows of eight bits stand for where digits are odd: 2 v - 255 for the bits v of
/// (u + 2^256 - 1) / 2. The lanes add these windows first.
fn with_even_windows(i: usize) -> [Scalar; 2] {
    let mut u = scalar("u", i);
    if u.to_bytes()[31] & 1 == 0 {
        u = -u;
    }
    let bytes = u.to_bytes();
    let window = |i: usize| bytes[31 - i] >> 1 | bytes.get(30usize.wrapping_sub(i)).map_or(0x80, |next| next << 7);
    let digit = |i: usize| Scalar::from(2 * u64::from(window(i))) - Scalar::from(255u64);
    [u, (0..32).step_by(2).rev().fold(Scalar::ZERO, |sum, i| sum * Scalar::from(1u64 << 16) + digit(i))]
}

fn over(number: Scalar, d: Scalar) -> Scalar {
    number * Option::<Scalar>::from(d.invert()).expect("a secret key")
}

const KINDS: [Kind; 4] = [
    ("v Q = -u G: the sum is infinity", |i, d| [-(scalar("v", i) * d), scalar("v", i)]),
    ("v = 2 (11 - 29 lambda): the last addition of the chain doubles", |i, _| {
        let lambda: Scalar = LAMBDA.parse().expect("a number");
        [scalar("u", i), (Scalar::from(11u64) - Scalar::from(29u64) * lambda).double()]
    }),
    ("v Q = E for the even windows E of u G: the addition of E doubles", |i, d| {
        let [u, even] = with_even_windows(i);
        [u, over(even, d)]
    }),
    ("v Q = -E: infinity on the way", |i, d| {
        let [u, even] = with_even_windows(i);
        [u, over(-even, d)]
    }),
];

fn rows(keys: usize, make: impl Fn(usize, Scalar) -> [Scalar; 2]) -> Vec<Row> {
    let row = |i: usize| {
        let d = scalar("key", i % keys);
        let [u, v] = make(i, d);
        row(d, u, v)
    };
    (0..ROWS).map(row).collect()
}

fn seconds(rows: &[Row], verify: &dyn Fn(&[ecdsa::Row<'_>]) -> Vec<Verdict>) -> f64 {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| ecdsa::Row {
            digest: &row.digest,
            signature: ecdsa::SignatureRef::Compact(&row.signature),
            public_key: PublicKeyRef::Encoded(&row.key),
        })
        .collect();
    let start = Instant::now();
    let verdicts = verify(&rows);
    let elapsed = start.elapsed().as_secs_f64();
    assert_eq!(verdicts.len(), rows.len());
    elapsed
}

/// The median of crafted rows' time over that of as many ordinary ones, measured in turn.
fn ratio(crafted: &[Row], ordinary: &[Row], rounds: usize, verify: &dyn Fn(&[ecdsa::Row<'_>]) -> Vec<Verdict>) -> f64 {
    let mut ratios: Vec<_> = (0..rounds).map(|_| seconds(crafted, verify) / seconds(ordinary, verify)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[rounds / 2]
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(9, |count| count.parse().expect("a number of rounds"));
    println!("| rows | surface | times an ordinary row |\n|---|---|---|");
    for backend in Backend::available() {
        let bulk =
            |memory| Bulk::builder().backend(*backend).threads(1).key_table_memory(memory).build().expect("a backend");
        for (name, make) in KINDS {
            for (keys, memory, surface) in [(ROWS, 0, "bulk"), (64, 64 << 20, "bulk, tables of 64 keys")] {
                let (crafted, ordinary) = (rows(keys, make), rows(keys, |i, _| [scalar("u", i), scalar("v", i)]));
                let bulk = bulk(memory);
                let ratio = ratio(&crafted, &ordinary, rounds, &|rows| bulk.verify_ecdsa(rows, LowS::Allow));
                println!("| {name} | {surface}, {backend} | {ratio:.2} |");
            }
        }
    }
    for (name, make) in KINDS {
        let (crafted, ordinary) = (rows(ROWS, make), rows(ROWS, |i, _| [scalar("u", i), scalar("v", i)]));
        let single = |rows: &[ecdsa::Row<'_>]| rows.iter().map(|row| ecdsa::verify_row(row, LowS::Allow)).collect();
        println!("| {name} | one at a time | {:.2} |", ratio(&crafted, &ordinary, rounds, &single));
    }
}
