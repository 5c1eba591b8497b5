//! How long a scan takes of the transaction that takes longest: a megabyte of outputs, of which as many as the protocol
//! allows are the receiver's, and the others could be.
//!
//! The program prints the median time on one thread, beside that of a transaction of the same size that pays others.
//! With labels, an output of each label is among the receiver's.
//!
//! ```text
//! cargo run --release --manifest-path lab/ours/Cargo.toml --example worst_scan -- [ROUNDS]
//! ```

use phalanx::{
    Bulk, SecretKey,
    bindings::payments::{Outputs, Row},
    hash::sha256,
};
use phalanx_silent::{Address, MAX_OUTPUTS, OutPoint, Scanner, SendingKey, outputs, scan, tweak_point};
use std::time::Instant;

/// Taproot outputs of 43 bytes that fit into a megabyte.
const OUTPUTS: usize = 1_000_000 / 43;

fn secret(label: &str, i: usize) -> SecretKey {
    SecretKey::from_bytes(&sha256(format!("{label} {i}").as_bytes())).expect("a secret key")
}

fn main() {
    let rounds = std::env::args().nth(1).map_or(5, |rounds| rounds.parse().expect("ROUNDS is a number"));
    let bulk = Bulk::builder().threads(1).build().expect("a backend");
    println!("backend {}; {OUTPUTS} outputs, {MAX_OUTPUTS} of them the receiver's", bulk.backend().name());
    let (key, outpoint) = (secret("input", 0), OutPoint { txid: [1; 32], index: 0 });
    let point = tweak_point(&[key.public_key()], &[outpoint]).expect("a point").to_bytes();
    let others: Vec<[u8; 32]> = (0..OUTPUTS).map(|i| secret("other", i).public_key().x_only().0.to_bytes()).collect();
    for labels in [0u32, 10, 1000] {
        let scan_key = secret("scan", 0);
        let scanner = Scanner::new(&scan_key, secret("spend", 0).public_key(), 0..=labels).expect("labels");
        let address =
            |i: u32| -> Address { scanner.labelled_address(i % (labels + 1), true).expect("a label of the receiver") };
        let addresses: Vec<Address> = (0..MAX_OUTPUTS).map(address).collect();
        let sent = outputs(&[SendingKey { key: &key, taproot: false }], &[outpoint], &addresses).expect("outputs");
        // The receiver's come last, and in the wrong order.
        let paid = others[sent.len()..].iter().copied().chain(sent.iter().rev().map(|key| key.to_bytes())).collect();
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (times, (keys, expected)) in times.iter_mut().zip([(&others, 0), (&paid, sent.len())]) {
                let begun = Instant::now();
                let found = scan(&bulk, &[&scanner], &[Row { tweak_point: &point, outputs: Outputs::Keys(keys) }]);
                times.push(begun.elapsed().as_secs_f64() * 1e3);
                assert_eq!(found.matches.len(), expected);
            }
        }
        let [ordinary, worst] = times.map(|mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        println!(
            "{labels:>5} labels: {worst:8.2} ms, one that pays others {ordinary:6.3} ms, {:.0}x",
            worst / ordinary
        );
    }
}
