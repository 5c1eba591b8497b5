//! What single calls would take by other choices: widths of windows, tables, the endomorphism, inversions, hashes.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo run --release -p phalanx --example choices
//! ```
//!
//! Every line runs the library's own code with another parameter, in turn with all others of its group; the median of
//! the samples, and the first line's median over it, so that above 1 is faster than what ships.
//! `lab/trials.md`, "Single calls", has a run.

use phalanx::{
    FieldElement, PublicKey, Scalar, SecretKey, ecdsa,
    hash::{TaggedHash, sha256, tagged_hash},
    internals,
};
use std::{hint::black_box, time::Instant};

const SAMPLES: usize = 301;
/// Rows that a sample walks through.
const ROWS: usize = 64;

/// A name, and what is done with row i.
type Choice<'a> = (&'a str, Box<dyn Fn(usize) + 'a>);

fn compare(title: &str, choices: &[Choice<'_>]) {
    let mut times = vec![Vec::new(); choices.len()];
    for _ in 0..SAMPLES {
        for (times, (_, work)) in times.iter_mut().zip(choices) {
            let start = Instant::now();
            (0..ROWS).for_each(work);
            times.push(start.elapsed().as_nanos() as f64 / ROWS as f64);
        }
    }
    let medians: Vec<f64> = times
        .iter_mut()
        .map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        })
        .collect();
    println!("| {title} | ns | against the first |\n|---|---|---|");
    for ((name, _), median) in choices.iter().zip(&medians) {
        println!("| {name} | {median:.0} | {:.2}x |", medians[0] / median);
    }
    println!();
}

fn choice<'a, T>(name: &'a str, work: impl Fn(usize) -> T + 'a) -> Choice<'a> {
    (
        name,
        Box::new(move |row| {
            black_box(work(row));
        }),
    )
}

fn main() {
    println!("Single calls run on: {}\n", internals::backend_of_single_calls());
    let digests: Vec<[u8; 32]> = (0..ROWS as u64).map(|i| sha256(&i.to_le_bytes())).collect();
    let secrets: Vec<SecretKey> =
        digests.iter().map(|digest| SecretKey::from_bytes(&sha256(digest)).expect("a key")).collect();
    let keys: Vec<PublicKey> = secrets.iter().map(SecretKey::public_key).collect();
    let signatures: Vec<ecdsa::Signature> =
        digests.iter().zip(&secrets).map(|(digest, secret)| ecdsa::sign(digest, secret)).collect();

    let verifications: Vec<Choice<'_>> = internals::verifications()
        .into_iter()
        .map(|(name, verify)| {
            let (digests, signatures, keys) = (&digests, &signatures, &keys);
            choice(name, move |i| assert!(verify(&digests[i], &signatures[i], &keys[i]), "{name}"))
        })
        .collect();
    compare("verification of ECDSA, parsed", &verifications);

    let scalars: Vec<Scalar> = signatures.iter().map(ecdsa::Signature::s).collect();
    let [n0, n1, n2, n3] = Scalar::ORDER;
    compare(
        "inversion modulo n",
        &[
            choice("division steps, variable time (verification)", |i| scalars[i].invert_vartime()),
            choice("division steps, constant time (signing)", |i| scalars[i].invert()),
            choice("Fermat's power, variable time", |i| scalars[i].pow_vartime([n0 - 2, n1, n2, n3])),
            choice("Fermat's power, constant time", |i| scalars[i].pow([n0 - 2, n1, n2, n3])),
        ],
    );

    let elements: Vec<FieldElement> = digests.iter().map(FieldElement::from_bytes_reduced).collect();
    let [p0, p1, p2, p3] = FieldElement::MODULUS;
    compare(
        "inversion modulo p",
        &[
            choice("division steps, variable time (verification)", |i| elements[i].invert_vartime()),
            choice("division steps, constant time (signing)", |i| elements[i].invert()),
            choice("Fermat's power, constant time", |i| elements[i].pow([p0 - 2, p1, p2, p3])),
        ],
    );

    let tag = b"BIP0340/challenge";
    compare(
        "challenge of BIP-340, 96 bytes",
        &[
            choice("from the tag's state", |i| TaggedHash::BIP340_CHALLENGE.hash(&[&digests[i][..]; 3])),
            choice("from the tag", |i| tagged_hash(tag, &[&digests[i][..]; 3])),
        ],
    );
}
