//! A Pedersen vector commitment, v_0 G_0 + v_1 G_1 + ... + r H, by one sum of products; and that commitments add up.
//!
//! `cargo run --release --example pedersen_commitment`

use phalanx::{Error, Point, PublicKey, Scalar, XOnlyPublicKey, hash, msm};

/// A generator whose discrete logarithm nobody knows: the first x coordinate of a point among the hashes of a label and
/// a counter.
fn generator(label: &str) -> PublicKey {
    (0u32..)
        .find_map(|counter| {
            let x = hash::tagged_hash(b"example/generator", &[label.as_bytes(), &counter.to_le_bytes()]);
            XOnlyPublicKey::from_bytes(&x).ok()
        })
        .expect("every second hash is one")
        .public_key()
}

/// The commitment to these values. The sum takes variable time: it suits values that need not be hidden from who
/// measures it.
fn commit(values: &[u64], blinding: &Scalar, generators: &[PublicKey]) -> Result<Point, Error> {
    let mut scalars: Vec<Scalar> = values.iter().map(|value| Scalar::from(*value)).collect();
    scalars.push(*blinding);
    msm::sum_of_products(&scalars, generators)
}

fn main() -> Result<(), Error> {
    let count = 64;
    let generators: Vec<PublicKey> = (0..count).map(|i| generator(&format!("G {i}"))).chain([generator("H")]).collect();
    let (a, b): (Vec<u64>, Vec<u64>) = (0..count).map(|i| (i * i, 1000 - i)).unzip();
    let (r, s) = (Scalar::from(123_456_789u64), Scalar::from(987_654_321u64));

    let sum: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let both = commit(&a, &r, &generators)? + commit(&b, &s, &generators)?;
    assert_eq!(both, commit(&sum, &(r + s), &generators)?);
    println!("the commitments to two vectors of {count} values add up to that to their sum");
    Ok(())
}
