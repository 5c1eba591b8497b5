//! Secrets in lanes against the same rows alone, on every machine there is.

use super::{PublicKeys, SharedSecrets, SignEcdsa, SignSchnorr, TweakAddPublic, tests::answers};
use crate::{
    Keypair, Scalar, SecretKey, ecdh, ecdsa,
    glv::LAMBDA,
    hash::sha256,
    lanes::{
        Machine,
        tests::{digit_of_order, from_digits, on_machines, scalar},
    },
    mul::{EQUAL_SUMS, terms_of_windows},
    schnorr,
};
use alloc::vec::Vec;

const TAILS: [usize; 8] = [0, 1, 7, 8, 9, 15, 16, 17];

fn key(scalar: Scalar) -> SecretKey {
    SecretKey::from_bytes(&scalar.to_bytes()).unwrap()
}

/// All operations on the secrets, with other inputs of all kinds, give what the rows alone give.
fn agree<M: Machine>(machine: M, secrets: &[Scalar]) {
    let secrets: Vec<_> = secrets.iter().map(|secret| key(*secret)).collect();
    let rows = secrets.len();
    let alone: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    assert_eq!(answers(machine, PublicKeys, &secrets), alone);

    let digest = |i: usize| match i % 5 {
        0 => [0xff; 32],
        1 => [0; 32],
        _ => sha256(&i.to_le_bytes()),
    };
    let digests: Vec<_> = (0..rows).map(digest).collect();
    let alone: Vec<_> =
        digests.iter().zip(&secrets).map(|(digest, secret)| ecdsa::sign_recoverable(digest, secret)).collect();
    assert_eq!(answers(machine, SignEcdsa, (&digests, &secrets)), alone);

    let pairs: Vec<_> = secrets.iter().map(|secret| Keypair::from_secret(secret.clone())).collect();
    let text = [7; 200];
    let message = |i: usize| if i % 3 == 1 { &text[..i % 200] } else { &digests[i][..] };
    let messages: Vec<_> = (0..rows).map(message).collect();
    let aux: Vec<_> = (0..rows).map(|i| digest(i + 1)).collect();
    let signatures = answers(machine, SignSchnorr, (&messages, &pairs, &aux));
    let alone: Vec<_> = (0..rows).map(|i| schnorr::sign(messages[i], &pairs[i], &aux[i])).collect();
    assert!(signatures == alone);

    // Tweaks that double a key, take it to infinity, leave it alone, and are none.
    let tweak = |i: usize| match i % 6 {
        0 => secrets[i].to_bytes(),
        1 => secrets[i].negate().to_bytes(),
        2 => [0; 32],
        3 => [0xff; 32],
        _ => digest(i),
    };
    let tweaks: Vec<_> = (0..rows).map(tweak).collect();
    let publics: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let alone: Vec<_> = publics.iter().zip(&tweaks).map(|(key, tweak)| key.tweak_add(tweak)).collect();
    assert_eq!(answers(machine, TweakAddPublic, (&publics, &tweaks)), alone);

    let others: Vec<_> = (0..rows as u64).map(|i| key(scalar(i | 7)).public_key()).collect();
    let alone: Vec<_> = (0..rows).map(|i| ecdh::shared_secret(&others[i], &secrets[i])).collect();
    assert_eq!(answers(machine, SharedSecrets, (&others, &secrets)), alone);
}

/// The secrets for which the points of a last addition are equal, or would be without other digits. And others at the
/// edges of the digits.
fn edges() -> Vec<Scalar> {
    let small = (1..10u64).map(Scalar::from);
    let powers = (0..256).step_by(11).map(|bit| Scalar::from(2u64).pow([bit]));
    let extremes = [[127, 127], [-127, -127], [127, -127], [1, 1], [1, -1], [1, 127], [63, 65]];
    let extremes = extremes.map(|pair| from_digits(7, (0..37).map(|window| pair[window % 2])));
    let halves = [[1, 1], [31, 31], [-31, 31], [31, -1]]
        .map(|[a, b]| from_digits(5, [a; 25].into_iter()) + LAMBDA * from_digits(5, [b; 25].into_iter()));
    // 2 d + 2 e lambda where the last digits are d and e: see `mul::point::eight_rows_ct`.
    let equal = Scalar::from(22u64) - LAMBDA * Scalar::from(58u64);
    let mut edges: Vec<_> = small.chain(powers).chain(extremes).chain(halves).collect();
    edges.extend([LAMBDA, LAMBDA.square(), equal, equal_in_the_last_round()]);
    edges.extend(
        (1..32).step_by(6).flat_map(|d| {
            (1..32u64).step_by(6).map(move |e| Scalar::from(2 * d as u64) + LAMBDA * Scalar::from(2 * e))
        }),
    );
    edges.extend(edges.clone().into_iter().map(|edge| -edge));
    edges
}

/// The k for which the two last sums of `mul::generator::eight_rows_ct` would be equal: n's own digits, some of them
/// turned round.
fn equal_in_the_last_round() -> Scalar {
    let terms = terms_of_windows(2);
    let sum =
        |term| from_digits(7, (0..37).map(|window| if terms[window] == term { digit_of_order(7, window) } else { 0 }));
    assert_eq!(sum(0) + sum(1), Scalar::ZERO);
    let equal = sum(0).double();
    assert_eq!(equal.limbs(), EQUAL_SUMS);
    equal
}

on_machines! {
    fn edges_are_computed_as_alone(machine) {
        // Every edge in every lane.
        let edges = edges();
        for shift in 0..8 {
            let others = (0..shift).map(|i| scalar(i | 7));
            agree(machine, &others.chain(edges.iter().copied()).collect::<Vec<_>>());
        }
    }

    fn any_number_of_secrets_is_computed_as_alone(machine) {
        for rows in TAILS.into_iter().chain([250]) {
            agree(machine, &(0..rows as u64).map(|i| scalar(16 * i + 5)).collect::<Vec<_>>());
        }
    }
}
