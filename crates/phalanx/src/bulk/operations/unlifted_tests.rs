//! Rows that were made so that an equation without the key's y might pass, or spoil a neighbour's.

use super::{
    VerifyEcdsa,
    tests::{Record, agree, answers, crafted, ecdsa_record, schnorr_record, x_modulo_order},
};
use crate::{
    FieldElement, LowS, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict,
    ecdsa::{self, SignatureRef},
    group::twist::{TwistX, small_orders},
    lanes::{
        AffineLanes, JacobianX8, Lift, Machine, U256x8, images,
        memory::{AffineX8, FeX8Mem},
        tests::{digit, from_digits, key, on_machines, scalar, with_memory},
    },
    mul::{Digits, DoubleMulTerms, double_mul_terms},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};
use phalanx_tiers::sample;

/// The place of a record among `length` good ones.
fn among_good(record: &Record, place: usize, length: usize) -> Vec<Record> {
    // Some of these keys are uncompressed.
    let mut records: Vec<_> = (1..=length as u64).map(ecdsa_record).collect();
    records[place] = record.clone();
    records
}

/// The record at every place of a group and of the next one, with good neighbours, which stay good.
pub(super) fn judge<M: Machine>(machine: M, record: &Record) {
    for place in 0..9 {
        assert!(agree(machine, &among_good(record, place, 9)) >= 8);
    }
}

/// The record under the compressed key with this x.
pub(super) fn with_x(record: &Record, x: [u64; 4], odd: bool) -> Record {
    let x: Vec<u8> = x.iter().rev().flat_map(|word| word.to_be_bytes()).collect();
    Record { key: [&[2 + u8::from(odd)], &x[..]].concat(), ..record.clone() }
}

/// The lanes that are void where these are the keys.
fn void_lanes<M: Machine>(machine: M, keys: &[TwistX]) -> Mask8 {
    let mut x = U256x8::ZERO;
    keys.iter().enumerate().for_each(|(lane, key)| x.set(lane, key.x));
    let lift = [Lift { x, odd: Mask8::NONE, keep: Mask8(u8::MAX.checked_shl(keys.len() as u32).unwrap_or(0)) }];
    let (mut points, mut d) = ([AffineLanes::generator()], [FeX8Mem::ZERO]);
    images(machine, &lift, &mut points, &mut d);
    let mut digits = [Digits::ZERO];
    (0..LANES).for_each(|lane| digits[0].set(lane, &scalar(lane as u64 + 5), &scalar(lane as u64 + 21)));
    let (mut products, mut partial, mut void) = ([JacobianX8::ZERO], [[AffineX8::ZERO; 2]], [Mask8::NONE]);
    let terms = DoubleMulTerms { points: &points, digits: &digits, products: &mut products, partial: &mut partial };
    with_memory(|memory| double_mul_terms(machine, terms, &mut void, memory));
    void[0]
}

on_machines! {
    fn void_lanes_are_reported(machine) {
        let mut count = 0;
        for keys in small_orders().chunks(LANES) {
            let void = void_lanes(machine, keys);
            for (lane, key) in keys.iter().enumerate().filter(|(lane, _)| void.lane(*lane)) {
                assert!(key.is_exceptional, "lane {lane} is void for {key:x?}");
                count += 1;
            }
        }
        // Those of the orders 3, 13 and 39 at least. Others would be with other digits.
        assert!(count > 9, "{count} lanes are void");
    }

    fn no_x_without_a_point_changes_a_neighbour(machine) {
        let keys = small_orders();
        // Each at one place, which moves on; a few at every place.
        for place in sample("x of small order on the twist, beside good rows", keys.len(), 100) {
            let key = &keys[place];
            let record = with_x(&ecdsa_record(3), key.x, place % 3 == 0);
            let records = among_good(&record, place % 9, 9);
            let rows: Vec<_> = records
                .iter()
                .map(|record| ecdsa::Row {
                    digest: &record.digest,
                    signature: SignatureRef::Compact(&record.signature),
                    public_key: PublicKeyRef::Encoded(&record.key),
                })
                .collect();
            let mut expected = vec![Verdict::Valid; 9];
            expected[place % 9] = Verdict::BadPublicKey;
            assert_eq!(answers(machine, VerifyEcdsa(LowS::Require), &rows), expected, "{key:x?}");
        }
        for key in keys.iter().step_by(380) {
            judge(machine, &with_x(&ecdsa_record(3), key.x, false));
            let x_only = Record { key: with_x(&ecdsa_record(3), key.x, false).key[1..].to_vec(), ..schnorr_record(3) };
            for place in 0..9 {
                let mut records: Vec<_> = (1..=9).map(schnorr_record).collect();
                records[place] = x_only.clone();
                assert_eq!(agree(machine, &records), 8);
            }
        }
        // In every lane at once, in two groups, and beside good rows.
        let void: Vec<_> = (0..8).map(|_| with_x(&ecdsa_record(3), [0; 4], false)).collect();
        assert_eq!(agree(machine, &void), 0);
        let good: Vec<_> = (1..=24).map(ecdsa_record).collect();
        assert_eq!(agree(machine, &[&void[..], &good[..], &void[..]].concat()), 24);
    }
}

/// The b for which the two partial sums of b G are equal: n's own digits, those of the odd windows turned round.
pub(super) fn equal_partial_sums() -> Scalar {
    let half = (-Scalar::from(2u64).inverse()).limbs();
    let of_order = |window| digit(|at| half[at / 64] >> (at % 64) & 1 == 1, 256, 8, window);
    let sum = |odd| from_digits(8, (0..32).map(|at| if at % 2 == odd { of_order(at) } else { 0 }));
    sum(0).double()
}

/// x of a Q + b G, or 1 where that is infinity.
pub(super) fn x_of_sum(a: Scalar, d: Scalar, b: Scalar) -> Scalar {
    let sum = SecretKey::from_bytes(&(a * d + b).to_bytes()).map(|sum| sum.public_key());
    sum.map_or(Scalar::ONE, |sum| x_modulo_order(&sum))
}

/// The r for which 1 / y would be zero: (h^2 + v^2) / (g - u)^2 - u - g, of the terms (u, v) and (g, h).
fn r_of_no_y(term: &PublicKey, other: &PublicKey) -> Option<Scalar> {
    let number = |point: &PublicKey| {
        let affine = point.affine();
        [affine.x, affine.y].map(FieldElement::from_fe)
    };
    let ([u, v], [g, h]) = (number(term), number(other));
    let chord = (g - u).invert_vartime()?;
    let r = (h.square() + v.square()) * chord.square() - u - g;
    Scalar::from_bytes(&r.to_bytes()).ok()
}

on_machines! {
    fn terms_that_meet_prove_nothing(machine) {
        let (d, a) = (scalar(21), scalar(22));
        let q = key(d);
        for b in [a * d, -(a * d)] {
            // The equation without y holds for each of these.
            for r in [Scalar::ONE, scalar(23), x_of_sum(a, d, b), x_of_sum(a, d, -b), x_modulo_order(&q), -Scalar::ONE] {
                judge(machine, &crafted(a, b, &q, r));
            }
        }
    }

    fn parts_of_the_generator_that_meet_prove_nothing(machine) {
        let (d, a) = (scalar(21), scalar(22));
        let q = key(d);
        let t = equal_partial_sums();
        for b in [Scalar::ZERO, t, -t] {
            assert_eq!(agree(machine, &[crafted(a, b, &q, x_of_sum(a, d, b))]), 1);
            for r in [x_of_sum(a, d, b), x_of_sum(a, d, b + Scalar::ONE), scalar(23)] {
                judge(machine, &crafted(a, b, &q, r));
            }
        }
    }

    fn an_equation_without_y_is_refused(machine) {
        let mut found = 0;
        for label in 0..20u64 {
            let (d, a, b) = (scalar(16 * label + 5), scalar(16 * label + 6), scalar(16 * label + 7));
            let Some(r) = r_of_no_y(&key(a * d), &key(b)) else { continue };
            assert_eq!(agree(machine, &[crafted(a, b, &key(d), r)]), 0);
            found += 1;
            if label < 2 {
                judge(machine, &crafted(a, b, &key(d), r));
            }
        }
        assert!(found > 15);
    }

    fn the_other_y_is_refused(machine) {
        for label in [1, 2, 3] {
            let mut record = ecdsa_record(label);
            record.key[0] ^= 1;
            assert_eq!(agree(machine, &[record.clone()]), 0);
            judge(machine, &record);
        }
        // The key whose y is odd, by its x: a signature that would be good under that y.
        for label in 1..9u64 {
            let (d, b) = (scalar(16 * label + 5), scalar(16 * label + 6));
            let q = key(d);
            let row = crafted(Scalar::ONE, b, &q, x_of_sum(Scalar::ONE, d, b));
            let other = Record { key: q.negate().to_bytes().to_vec(), ..row.clone() };
            let records = [row, other];
            assert_eq!(agree(machine, &records), 1);
        }
    }
}
