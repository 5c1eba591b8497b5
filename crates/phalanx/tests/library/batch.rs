//! Batch verification says of every row what the row alone says.

use crate::backends::backends;
use phalanx::{
    Batch, Bulk, Keypair, LowS, Point, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict, XOnlyKeyRef,
    ecdsa::{self, Hint, HintedRow, SignatureRef},
    hash::sha256,
    schnorr,
};

fn secret(i: usize) -> SecretKey {
    SecretKey::from_bytes(&sha256(format!("secret {i}").as_bytes())).unwrap()
}

/// A row of either scheme, as bytes.
#[derive(Clone)]
struct Record {
    message: Vec<u8>,
    signature: Vec<u8>,
    key: Vec<u8>,
    hint: Option<u8>,
    point: Vec<u8>,
}

fn schnorr_record(i: usize) -> Record {
    let pair = Keypair::from_secret(secret(i));
    let message = sha256(&i.to_le_bytes())[..i % 33].to_vec();
    let signature = schnorr::sign(&message, &pair, &[3; 32]).to_bytes().to_vec();
    Record { message, signature, key: pair.x_only().to_bytes().to_vec(), hint: None, point: vec![] }
}

fn ecdsa_record(i: usize) -> Record {
    let digest = sha256(&i.to_le_bytes());
    let (signature, id) = ecdsa::sign_recoverable(&digest, &secret(i));
    let r = signature.to_compact()[..32].to_vec();
    let point = [vec![2 + id.to_u8() % 2], r].concat();
    let key = secret(i).public_key().to_bytes().to_vec();
    Record { message: digest.to_vec(), signature: signature.to_compact().to_vec(), key, hint: Some(id.to_u8()), point }
}

fn schnorr_row(record: &Record) -> schnorr::Row<'_> {
    let public_key = XOnlyKeyRef::Encoded(&record.key);
    schnorr::Row { message: &record.message, signature: &record.signature, public_key }
}

fn hinted_row(record: &Record, by_point: bool) -> HintedRow<'_> {
    let row = ecdsa::Row {
        digest: &record.message,
        signature: SignatureRef::Compact(&record.signature),
        public_key: PublicKeyRef::Encoded(&record.key),
    };
    let hint = match record.hint {
        Some(_) if by_point => Hint::Point(&record.point),
        Some(id) => Hint::RecoveryId(id),
        None => Hint::None,
    };
    HintedRow { row, hint }
}

/// Wrong in each of many ways.
fn faults(record: &Record) -> Vec<Record> {
    let with = |change: fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        record
    };
    vec![
        with(|record| record.signature[40] ^= 1),
        with(|record| record.signature[5] ^= 1),
        with(|record| record.signature[..32].fill(0xff)),
        with(|record| record.signature[32..].fill(0xff)),
        with(|record| record.signature[32..].fill(0)),
        with(|record| record.signature.truncate(63)),
        with(|record| record.message.push(7)),
        with(|record| {
            let last = record.key.len() - 1;
            record.key[last] ^= 1;
        }),
        with(|record| record.key.truncate(31)),
        with(|record| record.key.fill(0xff)),
        with(|record| {
            // 5^3 + 7 is no square: no point has this x.
            let start = record.key.len() - 32;
            record.key[start..].fill(0);
            record.key[start + 31] = 5;
        }),
        // No key, and a signature that cannot be read: the key is named.
        with(|record| {
            let start = record.key.len() - 32;
            record.key[start..].fill(0);
            record.key[start + 31] = 5;
            record.signature.clear();
        }),
        with(|record| record.hint = record.hint.map(|id| id ^ 1)),
        with(|record| record.hint = record.hint.map(|id| id | 2)),
        with(|record| record.hint = record.hint.map(|_| 9)),
        with(|record| record.hint = None),
        with(|record| record.point = vec![2; 33]),
        with(|record| {
            if !record.point.is_empty() {
                record.point[0] ^= 1;
            }
        }),
    ]
}

fn agree(records: &[Record], schnorr_too: bool) {
    for backend in &backends() {
        for threads in [1, 2] {
            let bulk = Bulk::builder().backend(*backend).threads(threads).build().unwrap();
            let batch = Batch::with(&bulk);
            assert_eq!(batch.bulk().backend(), *backend);
            if schnorr_too {
                let rows: Vec<_> = records.iter().map(schnorr_row).collect();
                let alone: Vec<_> = rows.iter().map(schnorr::verify_row).collect();
                assert_eq!(batch.verify_schnorr(&rows), alone, "{backend}");
                // With the keys that can be parsed parsed.
                let keys: Vec<_> =
                    records.iter().map(|record| phalanx::XOnlyPublicKey::from_bytes(&record.key)).collect();
                let parsed = |(row, key): (&schnorr::Row<'static>, &'static Result<_, _>)| match key {
                    Ok(key) => schnorr::Row { public_key: XOnlyKeyRef::Parsed(key), ..*row },
                    Err(_) => *row,
                };
                let rows: Vec<schnorr::Row<'static>> = records.to_vec().leak().iter().map(schnorr_row).collect();
                let rows: Vec<_> = rows.iter().zip(keys.leak().iter()).map(parsed).collect();
                assert_eq!(batch.verify_schnorr(&rows), alone, "{backend}");
            } else {
                for (low_s, by_point) in [(LowS::Allow, false), (LowS::Require, true), (LowS::Require, false)] {
                    let rows: Vec<_> = records.iter().map(|record| hinted_row(record, by_point)).collect();
                    let alone: Vec<_> = rows.iter().map(|hinted| ecdsa::verify_row(&hinted.row, low_s)).collect();
                    assert_eq!(batch.verify_ecdsa(&rows, low_s), alone, "{backend} {by_point}");
                }
            }
        }
    }
}

#[test]
fn every_size() {
    for n in [0, 1, 2, 7, 8, 9, 31, 32, 33, 34, 64, 65, 100, 257] {
        agree(&(0..n).map(schnorr_record).collect::<Vec<_>>(), true);
        agree(&(0..n).map(ecdsa_record).collect::<Vec<_>>(), false);
    }
}

#[test]
fn one_bad_row_of_each_kind_at_many_places() {
    for (make, schnorr_too) in [(schnorr_record as fn(usize) -> Record, true), (ecdsa_record, false)] {
        let good: Vec<_> = (0..150).map(make).collect();
        for (kind, place) in (0..faults(&good[0]).len()).zip((0..150).step_by(8).cycle()) {
            let mut records = good.clone();
            records[place] = faults(&good[place]).swap_remove(kind);
            agree(&records, schnorr_too);
        }
    }
}

#[test]
fn some_and_all_rows_bad() {
    for (make, schnorr_too) in [(schnorr_record as fn(usize) -> Record, true), (ecdsa_record, false)] {
        let good: Vec<_> = (0..200).map(make).collect();
        for kind in 0..faults(&good[0]).len() {
            let all: Vec<_> = good[..70].iter().map(|record| faults(record).swap_remove(kind)).collect();
            agree(&all, schnorr_too);
        }
        for step in [3, 40, 90] {
            let mut records = good.clone();
            for (i, place) in (1..200).step_by(step).enumerate() {
                let mut kinds = faults(&good[place]);
                let kind = i % kinds.len();
                records[place] = kinds.swap_remove(kind);
            }
            agree(&records, schnorr_too);
        }
    }
}

/// Any r and s satisfy the equation for some point: a row that names that point, which has another x, is not valid.
#[test]
fn a_hint_must_say_what_the_row_says() {
    let mut records: Vec<_> = (0..64).map(ecdsa_record).collect();
    for place in [3, 40] {
        let record = &mut records[place];
        record.signature[31] ^= 1;
        let signature = ecdsa::Signature::from_compact(&record.signature).unwrap();
        let digest = Scalar::from_bytes_reduced(record.message[..].try_into().unwrap());
        let (inverse, key) = (signature.s().invert_vartime().unwrap(), PublicKey::from_bytes(&record.key).unwrap());
        let point = Point::double_mul_vartime(&(signature.r() * inverse), &Point::from(key), &(digest * inverse));
        record.point = point.to_bytes().to_vec();
        assert_ne!(record.point[1..], record.signature[..32]);
    }
    agree(&records, false);
}

/// Errors that cancel each other in a sum without coefficients: s one more in one row and one less in another.
#[test]
fn errors_do_not_cancel() {
    let mut records: Vec<_> = (0..64).map(schnorr_record).collect();
    let change = |record: &mut Record, sum: phalanx::Scalar| {
        let s = phalanx::Scalar::from_bytes(&record.signature[32..]).unwrap();
        record.signature[32..].copy_from_slice(&(s + sum).to_bytes());
    };
    change(&mut records[10], phalanx::Scalar::ONE);
    change(&mut records[50], -phalanx::Scalar::ONE);
    agree(&records, true);
    let batch = Batch::new();
    let verdicts = batch.verify_schnorr(&records.iter().map(schnorr_row).collect::<Vec<_>>());
    let invalid: Vec<_> =
        verdicts.iter().enumerate().filter(|(_, verdict)| !verdict.is_valid()).map(|(i, _)| i).collect();
    assert_eq!(invalid, [10, 50]);
    assert_eq!(verdicts[10], Verdict::InvalidSignature);
}

#[test]
fn the_same_row_many_times_and_opposite_keys() {
    let (one, other) = (ecdsa_record(1), ecdsa_record(2));
    let mut negated = one.clone();
    negated.key = PublicKey::from_bytes(&one.key).unwrap().negate().to_bytes().to_vec();
    let records: Vec<_> = [one.clone(), negated, other, one].into_iter().cycle().take(80).collect();
    agree(&records, false);
    agree(&vec![schnorr_record(4); 70], true);
}
