//! Pedersen vector commitments, v_0 G_0 + v_1 G_1 + ... + r H, over points that never change: made in constant time, since
//! they hide their values, and checked by tables once they are opened. Commitments add up.
//!
//! `cargo run --release --example pedersen_commitment`

use phalanx::{
    Error, Point, PublicKey, Scalar, XOnlyPublicKey, hash,
    msm::{FixedBase, Msm},
};

/// A generator whose discrete logarithm nobody knows: the first x coordinate of a point among the hashes of a label and
/// a counter.
fn generator(label: &str) -> PublicKey {
    (0u32..)
        .find_map(|counter| {
            let x = hash::TaggedHash::new(b"example/generator").hash(&[label.as_bytes(), &counter.to_le_bytes()]);
            XOnlyPublicKey::from_bytes(&x).ok()
        })
        .expect("every second hash is one")
        .public_key()
}

/// The values and the blinding, in the order of the points.
fn scalars(values: &[u64], blinding: &Scalar) -> Vec<Scalar> {
    values.iter().map(|value| Scalar::from(*value)).chain([*blinding]).collect()
}

fn main() -> Result<(), Error> {
    let count = 64;
    let generators: Vec<PublicKey> = (0..count).map(|i| generator(&format!("G {i}"))).chain([generator("H")]).collect();
    let base = FixedBase::build(&Msm::new(), &generators, 4 << 20)?;
    println!("{count} values: tables of {} KiB", base.bytes() >> 10);

    // Secret: `commit` takes a time that depends on the number of scalars alone. It reads no tables.
    let (a, b): (Vec<u64>, Vec<u64>) = (0..count).map(|i| (i * i, 1000 - i)).unzip();
    let (r, s) = (Scalar::from(123_456_789u64), Scalar::from(987_654_321u64));
    let (of_a, of_b) = (base.commit(&scalars(&a, &r))?, base.commit(&scalars(&b, &s))?);

    // Opened, and so public: the tables are many times faster.
    let mut sums = base.sums();
    assert_eq!(sums.sum_vartime(&scalars(&a, &r))?, of_a);
    let sum: Vec<u64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    assert_eq!(sums.sum_vartime(&scalars(&sum, &(r + s)))?, of_a + of_b);
    println!("the commitments to two vectors add up to that to their sum");

    // One value changes.
    let changed = of_a + sums.sum_sparse_vartime(&[(3, Scalar::from(10u64) - Scalar::from(9u64))])?;
    assert_eq!(changed, of_a + Point::from(generators[3]));
    Ok(())
}
