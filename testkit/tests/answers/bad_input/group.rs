//! P + P, P - P and infinity inside every addition: keys and scalars chosen so that partial sums meet.

use super::lanes::{EcdsaRow, Form, bad, judge_ecdsa, secret, thinner};
use phalanx::{Error, LowS, PublicKey, Scalar, SecretKey, Verdict, ecdh, ecdsa};
use phalanx_testkit::surface::{surfaces, verifiers};
use secp256k1 as oracle;

/// The endomorphism's eigenvalue: multiplication by it only changes x.
const LAMBDA: Scalar = Scalar::from_hex_const("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72");

/// i + j lambda for small i and j, zero left out: where the endomorphism's halves are smallest, change sign, or are
/// equal.
fn small_combinations() -> Vec<Scalar> {
    let small = |number: i8| {
        let magnitude = Scalar::from(u64::from(number.unsigned_abs()));
        if number < 0 { -magnitude } else { magnitude }
    };
    let numbers: Vec<i8> = (-9..=9).chain([-17, -16, -15, 15, 16, 17, 31, 32, 33, -31, -32, -33]).collect();
    let combinations = numbers.iter().flat_map(|i| numbers.iter().map(|j| small(*i) + small(*j) * LAMBDA));
    combinations.filter(|scalar| *scalar != Scalar::ZERO).collect()
}

fn key(scalar: Scalar) -> SecretKey {
    SecretKey::try_from(scalar).expect("not zero")
}

fn oracle_key(scalar: Scalar) -> oracle::SecretKey {
    oracle::SecretKey::from_secret_bytes(scalar.to_bytes()).expect("not zero")
}

#[test]
fn multiples_with_small_halves() {
    let scalars = small_combinations();
    let secrets: Vec<_> = scalars.iter().map(|scalar| key(*scalar)).collect();
    let theirs: Vec<_> = scalars.iter().map(|scalar| oracle_key(*scalar).public_key()).collect();
    let point = oracle_key(Scalar::from(0x21u64)).public_key();
    let public = key(Scalar::from(0x21u64)).public_key();
    for surface in surfaces() {
        let share = surface.share();
        let secrets: Vec<_> = share.of_cases(secrets.iter().cloned()).collect();
        for (key, expected) in surface.public_keys(&secrets).iter().zip(share.of_cases(&theirs)) {
            assert_eq!(key.to_bytes(), expected.serialize(), "{}", surface.name());
        }
        let shared = surface.shared_secrets(&vec![public; secrets.len()], &secrets);
        for (shared, scalar) in shared.iter().zip(share.of_cases(&scalars)) {
            let expected = oracle::ecdh::SharedSecret::new(&point, &oracle_key(*scalar)).to_secret_bytes();
            assert_eq!(*shared, expected, "{scalar:x}, {}", surface.name());
        }
    }
}

/// The claim with u1 G + u2 Q = R, for Q = d G. None where R is infinity.
fn claim(d: Scalar, u1: Scalar, u2: Scalar) -> Option<EcdsaRow> {
    let point = SecretKey::try_from(u1 + u2 * d).ok()?.public_key();
    let r = Scalar::from_bytes_reduced(point.to_bytes()[1..].try_into().expect("32 bytes"));
    Some(row(d, u1, u2, r))
}

/// The claim with these factors and any r.
fn row(d: Scalar, u1: Scalar, u2: Scalar, r: Scalar) -> EcdsaRow {
    let s = r * u2.invert().expect("not zero");
    let signature = ecdsa::Signature::from_scalars(r, s).expect("not zero");
    EcdsaRow {
        digest: (u1 * s).to_bytes().to_vec(),
        signature: signature.to_compact().to_vec(),
        form: Form::Compact,
        key: key(d).public_key().to_bytes().to_vec(),
        hybrid: false,
    }
}

#[test]
fn equations_whose_terms_meet() {
    let two = Scalar::from(2u64);
    let u2s =
        [Scalar::ONE, -Scalar::ONE, two, LAMBDA, -LAMBDA, LAMBDA.square(), Scalar::from_bytes_reduced(&[0x5a; 32])];
    let mut rows = Vec::new();
    for d in small_combinations().into_iter().step_by(7) {
        for u2 in u2s {
            let product = u2 * d;
            // Equal terms, one the double of the other, one the image of the other, and none from G at all.
            for u1 in
                [product, product.double(), product * LAMBDA, -(product * LAMBDA), -product.double(), Scalar::ZERO]
            {
                let row = claim(d, u1, u2);
                rows.extend(row.map(|row| bad("terms that meet", row, Verdict::Valid)));
            }
            // Equal terms: R is their double, whatever else r says.
            for r in [Scalar::ONE, d, product, Scalar::from(0x1234u64)] {
                rows.push(bad("equal terms, another r", row(d, product, u2, r), Verdict::InvalidSignature));
            }
            // Opposite terms: R is infinity, which no r may match.
            for r in [Scalar::ONE, d, -Scalar::ONE, product] {
                let row = row(d, -product, u2, r);
                rows.push(bad("R at infinity", row, Verdict::InvalidSignature));
            }
        }
    }
    // In eight lanes the last addition of the chain of u2 Q doubles for one u2: twice its own lowest pair of digits, 11
    // and -29.
    let digit = |i: u64| Scalar::from(2 * i) - Scalar::from(31u64);
    for (i, j) in (0..32).flat_map(|i| (0..32).map(move |j| (i, j))).skip(3).step_by(5) {
        // Each under a key of its own: keys that repeat get tables, and no chain.
        let row = claim(Scalar::from(0x21 + 32 * i + j), Scalar::from(7u64), (digit(i) + digit(j) * LAMBDA).double());
        rows.extend(row.map(|row| bad("a chain that ends in a doubling", row, Verdict::Valid)));
    }
    // Their places among good rows are many; some of each kind are enough there.
    assert!(rows.len() > 5000);
    let picked: Vec<_> = rows.iter().step_by(97).cloned().collect();
    judge_ecdsa(&picked, LowS::Allow);
    let rows: Vec<_> = rows.into_iter().step_by(thinner()).collect();
    let all: Vec<_> = rows.iter().map(|bad| bad.row.row()).collect();
    for surface in verifiers() {
        let share = surface.share();
        let all: Vec<_> = share.of_cases(all.iter().copied()).collect();
        for (verdict, bad) in surface.verify_ecdsa(&all, LowS::Allow).into_iter().zip(share.of_cases(&rows)) {
            assert_eq!(verdict, bad.verdict, "{}, {}", bad.class, surface.name());
        }
    }
}

#[test]
fn sums_of_keys() {
    let keys: Vec<PublicKey> = (1..=9).map(|number| secret(number).public_key()).collect();
    let p = keys[0];
    let double = p.tweak_mul(&Scalar::from(2u64).to_bytes());
    assert_eq!(PublicKey::combine_keys(&[p, p]), double);
    assert_eq!(PublicKey::combine_keys(&[]), Err(Error::BadPublicKey));
    assert_eq!(PublicKey::combine_keys(&[p, p.negate()]), Err(Error::BadPublicKey));
    assert_eq!(PublicKey::combine_keys(&[p, p.negate(), p, p.negate()]), Err(Error::BadPublicKey));
    assert_eq!(PublicKey::combine_keys(&[p, p.negate(), p]), Ok(p));
    assert_eq!(PublicKey::combine_keys(&[p, p, p.negate()]), Ok(p));
    assert_eq!(PublicKey::combine_keys(&[keys[1], p, keys[1].negate(), p]), double);
    // Each partial sum meets the next key.
    let chain: Vec<PublicKey> = [1u64, 1, 2, 4, 8].map(|number| key(Scalar::from(number)).public_key()).to_vec();
    assert_eq!(PublicKey::combine_keys(&chain), Ok(key(Scalar::from(16u64)).public_key()));
}

#[test]
fn exchanges_with_the_generator_and_its_negative() {
    for (public, sign) in [(Scalar::ONE, 1), (-Scalar::ONE, -1)] {
        let public = key(public).public_key();
        for scalar in small_combinations() {
            let product = if sign == 1 { scalar } else { -scalar };
            let expected = key(product).public_key().to_bytes();
            assert_eq!(ecdh::shared_x(&public, &key(scalar))[..], expected[1..]);
        }
    }
}
