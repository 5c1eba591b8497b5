//! Rows in lanes against the same rows alone, on every machine there is.

use super::{Decompress, DeriveChildren, Recover, VerifyEcdsa, VerifySchnorr};
use crate::{
    Error, FieldElement, Keypair, LowS, PublicKey, PublicKeyRef, Scalar, SecretKey, XOnlyKeyRef,
    bulk::operation::{RowOperation, RowSet},
    children::{ChildRow, Parent, PayloadKind},
    ecdsa::{self, SignatureRef},
    hash::sha256,
    lanes::{
        Machine,
        tests::{on_machines, scalar},
    },
    schnorr,
    tuning::{LINES_OF_EIGHT_LANES, LINES_OF_ONE_LANE, ROWS_PER_CHUNK_MAX},
};
use alloc::{vec, vec::Vec};
use core::fmt::Debug;
use phalanx_engine::word::CacheLine;

const TAILS: [usize; 8] = [0, 1, 7, 8, 9, 15, 16, 17];

/// A row as a file holds it, for all operations: what is a digest to one is a message to another.
#[derive(Clone)]
pub(super) struct Record {
    pub(super) digest: Vec<u8>,
    pub(super) signature: Vec<u8>,
    pub(super) key: Vec<u8>,
    pub(super) id: u8,
}

pub(super) fn secret(label: u64) -> SecretKey {
    SecretKey::from_bytes(&scalar(16 * label + 15).to_bytes()).unwrap()
}

fn digest(label: u64) -> [u8; 32] {
    sha256(&(label, "digest").0.to_le_bytes())
}

pub(super) fn ecdsa_record(label: u64) -> Record {
    let (signature, id) = ecdsa::sign_recoverable(&digest(label), &secret(label));
    let key = secret(label).public_key();
    let key = if label.is_multiple_of(5) { key.to_bytes_uncompressed().to_vec() } else { key.to_bytes().to_vec() };
    Record { digest: digest(label).to_vec(), signature: signature.to_compact().to_vec(), key, id: id.to_u8() }
}

pub(super) fn schnorr_record(label: u64) -> Record {
    let pair = Keypair::from_secret(secret(label));
    let message = digest(label)[..label as usize % 33].to_vec();
    let signature = schnorr::sign(&message, &pair, &[7; 32]).to_bytes().to_vec();
    Record { digest: message, signature, key: pair.x_only().to_bytes().to_vec(), id: 0 }
}

/// The record of a signature (r, s) for which z / s = `b` and r / s = `a`, under the key: valid if r is x of a Q + b G.
pub(super) fn crafted(a: Scalar, b: Scalar, key: &PublicKey, r: Scalar) -> Record {
    let s = r * a.invert().unwrap();
    let signature = ecdsa::Signature::from_scalars(r, s).unwrap().to_compact().to_vec();
    Record { digest: (b * s).to_bytes().to_vec(), signature, key: key.to_bytes().to_vec(), id: 0 }
}

/// x of a finite point modulo n.
pub(super) fn x_modulo_order(point: &PublicKey) -> Scalar {
    Scalar::from_bytes_reduced(&point.x_bytes())
}

/// Rows on which the additions of the lanes go wrong: the row alone decides.
fn hostile() -> Vec<Record> {
    let mut records = Vec::new();
    for d in [Scalar::ONE, -Scalar::ONE, crate::glv::LAMBDA, Scalar::from(3u64), scalar(21)] {
        let key = SecretKey::from_bytes(&d.to_bytes()).unwrap().public_key();
        for a in [Scalar::ONE, Scalar::from(2u64), scalar(22)] {
            for b in [Scalar::ZERO, a * d, -(a * d), (a * d).double()] {
                let sum = SecretKey::from_bytes(&(a * d + b).to_bytes()).map(|sum| sum.public_key());
                records.push(crafted(a, b, &key, sum.map_or(Scalar::ONE, |sum| x_modulo_order(&sum))));
            }
        }
    }
    // x of the nonce's point is r + n: the first such points from n on.
    let order = FieldElement::from_limbs(Scalar::ORDER).unwrap();
    let mut found = 0;
    for i in 0..40u64 {
        let Ok(nonce) = PublicKey::lift((order + FieldElement::from(i)).limbs(), i % 2 == 1) else { continue };
        let (a, b) = (scalar(23 + i), scalar(7));
        let (Ok(difference), Some(inverse)) = (nonce.tweak_add(&(-b).to_bytes()), a.invert().into_option()) else {
            continue;
        };
        let key = difference.tweak_mul(&inverse.to_bytes()).unwrap();
        if i > 0 {
            records.push(Record { id: 2 + (i % 2) as u8, ..crafted(a, b, &key, Scalar::from(i)) });
            found += 1;
        }
    }
    assert!(found > 5);
    records
}

/// The record with one of the ways to be wrong.
fn faults(record: &Record) -> Vec<Record> {
    let with = |change: fn(&mut Record)| {
        let mut record = record.clone();
        change(&mut record);
        record
    };
    vec![
        with(|record| record.digest = vec![1; 31]),
        with(|record| record.key = vec![]),
        with(|record| record.key.push(0)),
        with(|record| {
            // 5^3 + 7 is no square: no point has this x.
            let start = record.key.len() % 32;
            record.key.truncate(32 + start);
            record.key[start..].fill(0);
            record.key[31 + start] = 5;
        }),
        with(|record| record.key.fill(0xff)),
        with(|record| record.key.fill(3)),
        with(|record| record.signature.clear()),
        with(|record| record.signature[..32].fill(0)),
        with(|record| record.signature[..32].fill(0xff)),
        with(|record| record.signature[32..].fill(0)),
        with(|record| record.signature[32..].fill(0xff)),
        with(|record| record.signature[31] ^= 1),
        with(|record| record.signature[63] ^= 1),
        with(|record| record.digest.extend([0; 32])),
        with(|record| record.digest.iter_mut().for_each(|byte| *byte ^= 1)),
        with(|record| record.id ^= 1),
        with(|record| record.id |= 2),
        with(|record| record.id = 4),
        with(|record| {
            if let Ok(signature) = ecdsa::Signature::from_compact(&record.signature) {
                let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s()).unwrap();
                record.signature = high.to_compact().to_vec();
            }
        }),
    ]
}

/// The answers of an operation in eight lanes, in exactly the memory that it takes, full of something.
pub(super) fn answers<M: Machine, O: RowOperation<Out: PartialEq + Debug>>(
    machine: M,
    operation: O,
    rows: O::Rows<'_>,
) -> Vec<O::Out> {
    let count = rows.count().unwrap();
    let mut memory = vec![CacheLine([0x0123_4567_89ab_cdef; 8]); LINES_OF_EIGHT_LANES];
    let mut out = vec![O::NONE; count];
    operation.eight_lanes(machine, rows, &mut out, &mut memory);
    // Again over other answers: each is written.
    let mut again: Vec<_> = out.iter().rev().cloned().collect();
    operation.eight_lanes(machine, rows, &mut again, &mut memory);
    assert_eq!(again, out);
    out
}

/// The same on one lane.
fn answers_on_one_lane<O: RowOperation>(operation: O, rows: O::Rows<'_>) -> Vec<O::Out> {
    let mut out = vec![O::NONE; rows.count().unwrap()];
    operation.one_lane(rows, &mut out, &mut vec![CacheLine([0x0123_4567_89ab_cdef; 8]); LINES_OF_ONE_LANE]);
    out
}

/// All operations on the records say what the rows alone say; tells how many ECDSA rows are valid.
pub(super) fn agree<M: Machine>(machine: M, records: &[Record]) -> usize {
    let row = |record: &'static Record| ecdsa::Row {
        digest: &record.digest,
        signature: SignatureRef::Compact(&record.signature),
        public_key: PublicKeyRef::Encoded(&record.key),
    };
    let records: &'static [Record] = records.to_vec().leak();
    let rows: Vec<_> = records.iter().map(row).collect();
    let mut valid = 0;
    for low_s in [LowS::Require, LowS::Allow] {
        let out = answers(machine, VerifyEcdsa(low_s), &rows);
        let alone: Vec<_> = rows.iter().map(|row| ecdsa::verify_row(row, low_s)).collect();
        assert_eq!(out, alone);
        assert_eq!(answers_on_one_lane(VerifyEcdsa(low_s), &rows), alone);
        valid = alone.iter().filter(|verdict| verdict.is_valid()).count();
    }
    let rows: Vec<_> = records
        .iter()
        .map(|record| schnorr::Row {
            message: &record.digest,
            signature: &record.signature,
            public_key: XOnlyKeyRef::Encoded(&record.key),
        })
        .collect();
    let out = answers(machine, VerifySchnorr, &rows);
    let alone: Vec<_> = rows.iter().map(schnorr::verify_row).collect();
    assert_eq!(out, alone);
    assert_eq!(answers_on_one_lane(VerifySchnorr, &rows), alone);
    valid += alone.iter().filter(|verdict| verdict.is_valid()).count();
    let rows: Vec<_> = records
        .iter()
        .map(|record| ecdsa::RecoverRow {
            digest: &record.digest,
            signature: SignatureRef::Compact(&record.signature),
            recovery_id: record.id,
        })
        .collect();
    assert_eq!(answers(machine, Recover, &rows), rows.iter().map(ecdsa::recover_row).collect::<Vec<_>>());
    let encoded: Vec<&[u8]> = records.iter().map(|record| &record.key[..]).collect();
    assert_eq!(
        answers(machine, Decompress, &encoded),
        encoded.iter().map(|key| PublicKey::from_bytes(key)).collect::<Vec<_>>()
    );
    valid
}

on_machines! {
    fn tails(machine) {
        for n in TAILS {
            let records: Vec<_> = (0..n as u64).map(ecdsa_record).collect();
            assert_eq!(agree(machine, &records), n);
            let records: Vec<_> = (0..n as u64).map(schnorr_record).collect();
            assert_eq!(agree(machine, &records), n);
        }
    }

    fn one_bad_row_in_each_lane(machine) {
        for make in [ecdsa_record, schnorr_record] {
            let good: Vec<_> = (1..=9).map(make).collect();
            for lane in 0..8 {
                for bad in faults(&good[lane]) {
                    let mut records = good.clone();
                    records[lane] = bad;
                    assert!(agree(machine, &records) >= 8);
                }
            }
        }
    }

    fn rows_that_are_all_wrong(machine) {
        for class in 0..faults(&ecdsa_record(1)).len() {
            for make in [ecdsa_record, schnorr_record] {
                let records: Vec<_> = (1..=17).map(|label| faults(&make(label)).swap_remove(class)).collect();
                agree(machine, &records);
            }
        }
    }

    fn hostile_rows(machine) {
        let mut records = hostile();
        let hostile = records.len();
        let chunks = |records: &[Record]| -> usize {
            records.chunks(ROWS_PER_CHUNK_MAX).map(|chunk| agree(machine, chunk)).sum()
        };
        let valid = chunks(&records);
        assert!(valid > hostile / 2, "most of these are signatures: {valid} of {hostile}");
        // Each beside ordinary rows, which must not notice.
        for i in (0..hostile).step_by(7) {
            let mut mixed: Vec<_> = (1..=8).map(ecdsa_record).collect();
            mixed[i % 8] = records[i].clone();
            assert!(agree(machine, &mixed) >= 7);
        }
        records.extend((0..200).map(ecdsa_record));
        chunks(&records);
    }
}

on_machines! {
    fn children_are_those_of_single_calls(machine) {
        let parents: Vec<_> = (0..5).map(|label| Parent::new(secret(label).public_key(), &digest(label))).collect();
        let row = |i: usize| {
            // The first and the last index, and some that are hardened.
            let index = [0, 1, (1 << 31) - 1, 1 << 31, u32::MAX, 7][i % 6] ^ ((i as u32 / 6) << 3);
            ChildRow { parent: &parents[i / 3 % parents.len()], index }
        };
        for n in TAILS.into_iter().chain([200]) {
            let rows: Vec<_> = (0..n).map(row).collect();
            for payload in PayloadKind::ALL {
                let alone: Vec<_> = rows.iter().map(|row| row.parent.child(row.index, payload)).collect();
                let hardened = alone.iter().filter(|child| **child == Err(Error::HardenedChild)).count();
                assert_eq!(hardened, (n + 2) / 6 + (n + 1) / 6);
                assert_eq!(answers(machine, DeriveChildren(payload), &rows), alone);
            }
        }
    }
}
