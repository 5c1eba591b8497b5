//! Rows with tables of their keys against the same rows alone, on every machine there is.

use super::super::schedule::Schedule;
use super::{KeyId, KeyTableCache, Keyed, KeyedOperation, build};
use crate::{
    Backend, Bulk, Keypair, LowS, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict, XOnlyKeyRef,
    backend::Threads,
    bulk::operations::{VerifyEcdsa, VerifySchnorr},
    ecdsa::{self, SignatureRef},
    glv::LAMBDA,
    lanes::{
        Machine,
        tests::{backends, on_machines, scalar},
    },
    mul::{KEY_TABLE_BYTES, KeyTable},
    schnorr,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{CacheLine, LANES};

fn secret(scalar: Scalar) -> SecretKey {
    SecretKey::from_bytes(&scalar.to_bytes()).unwrap()
}

/// Secrets of keys that repeat: the generator, its negative, its image, an ordinary key and its negative, and more.
fn secrets() -> Vec<Scalar> {
    let mut secrets = vec![Scalar::ONE, -Scalar::ONE, LAMBDA, scalar(21), -scalar(21)];
    secrets.extend((0..6).map(|i| scalar(16 * i + 6)));
    secrets
}

/// Encoded rows: a digest or message, a signature, a key.
type Record = (Vec<u8>, Vec<u8>, Vec<u8>);

/// The record of a signature (r, s) for which z / s = `b` and r / s = `a`, valid under the key of `d` if r is x of the
/// sum.
fn crafted(a: Scalar, d: Scalar, b: Scalar) -> Record {
    let sum = SecretKey::from_bytes(&(a * d + b).to_bytes());
    let r = sum.map_or(Scalar::ONE, |sum| Scalar::from_bytes_reduced(&sum.public_key().x_bytes()));
    let s = r * a.invert().unwrap();
    let signature = ecdsa::Signature::from_scalars(r, s).unwrap().to_compact().to_vec();
    ((b * s).to_bytes().to_vec(), signature, secret(d).public_key().to_bytes().to_vec())
}

/// Rows of every kind under each key: ordinary, altered, malformed, with a high s, and such that additions go wrong.
fn ecdsa_records() -> Vec<Record> {
    let mut records = Vec::new();
    for (i, d) in secrets().into_iter().enumerate() {
        let key = secret(d).public_key();
        for j in 0..8u8 {
            let digest = [16 * j + i as u8; 32];
            let signature = ecdsa::sign(&digest, &secret(d)).to_compact();
            let encoded = if j == 5 { key.to_bytes_uncompressed().to_vec() } else { key.to_bytes().to_vec() };
            let mut record = (digest.to_vec(), signature.to_vec(), encoded);
            match j {
                1 => record.0.truncate(31),
                2 => record.1[40] ^= 1,
                3 => record.1.truncate(63),
                4 => record.1[..32].fill(0xff),
                _ => {}
            }
            records.push(record);
        }
        for a in [Scalar::ONE, LAMBDA, -LAMBDA, Scalar::from(2u64), scalar(22)] {
            for b in [Scalar::ZERO, a * d, -(a * d), (a * d).double()] {
                records.push(crafted(a, d, b));
            }
        }
    }
    records
}

fn schnorr_records() -> Vec<Record> {
    let mut records = Vec::new();
    for (i, d) in secrets().into_iter().enumerate() {
        let pair = Keypair::from_secret(secret(d));
        for j in 0..10u8 {
            let message = vec![i as u8; usize::from(j) * 20];
            let mut signature = schnorr::sign(&message, &pair, &[j; 32]).to_bytes().to_vec();
            match j {
                2 => signature[40] ^= 1,
                3 => signature.truncate(63),
                4 => signature[32..].fill(0xff),
                5 => signature[31] ^= 1,
                _ => {}
            }
            records.push((message, signature, pair.x_only().to_bytes().to_vec()));
        }
    }
    records
}

/// Keys that are none, often; and keys that occur once.
fn with_other_keys(records: &mut Vec<Record>) {
    for i in 0..30u8 {
        let (digest, signature, _) = records[usize::from(i)].clone();
        for (prefix, fill, last) in [(2, 0, 5), (3, 0xff, 0xff), (4, 1, 1)] {
            let mut key = vec![fill; 33];
            (key[0], key[32]) = (prefix, last);
            records.push((digest.clone(), signature.clone(), key));
        }
        let single = secret(scalar(16 * u64::from(i) + 9));
        let signature = ecdsa::sign(&[i; 32], &single).to_compact().to_vec();
        records.push((vec![i; 32], signature, single.public_key().to_bytes().to_vec()));
    }
    // Mixed: by a byte of the signature's s, which is as good as random.
    records.sort_by_key(|(_, signature, _)| signature.get(40).copied());
}

fn ecdsa_row((digest, signature, key): &Record) -> ecdsa::Row<'_> {
    ecdsa::Row { digest, signature: SignatureRef::Compact(signature), public_key: PublicKeyRef::Encoded(key) }
}

fn schnorr_row((message, signature, key): &Record) -> schnorr::Row<'_> {
    schnorr::Row { message, signature, public_key: XOnlyKeyRef::Encoded(key) }
}

/// The verdicts of rows under ECDSA or BIP-340, alone and in bulk.
trait Scheme: Keyed {
    fn alone(&self) -> Verdict;
    fn operation() -> impl KeyedOperation<Self>;
}

impl Scheme for ecdsa::Row<'_> {
    fn alone(&self) -> Verdict {
        ecdsa::verify_row(self, LowS::Require)
    }
    fn operation() -> impl KeyedOperation<Self> {
        VerifyEcdsa(LowS::Require)
    }
}

impl Scheme for schnorr::Row<'_> {
    fn alone(&self) -> Verdict {
        schnorr::verify_row(self)
    }
    fn operation() -> impl KeyedOperation<Self> {
        VerifySchnorr
    }
}

/// Verifies rows with the tables that are kept, asserts that the verdicts are those of rows alone, and gives them.
fn verdicts<M: Machine, R: Scheme>(machine: M, cache: &KeyTableCache, threads: usize, rows: &[R]) -> Vec<Verdict> {
    let threads = &Threads::exactly(threads).unwrap();
    let mut out = vec![Verdict::MalformedRow; rows.len()];
    let lines = crate::tuning::LINES_OF_EIGHT_LANES;
    Schedule { threads, lines, cache }.verify_in_lanes(machine, R::operation(), &rows, &mut out);
    assert_eq!(out, rows.iter().map(R::alone).collect::<Vec<_>>());
    out
}

/// Whatever is kept, and whether it has been before; tells how many keys have a table in the end if there is room for
/// all.
fn agree<M: Machine, R: Scheme>(machine: M, rows: &[R]) -> usize {
    let mut keys: Vec<KeyId> = rows.iter().filter_map(Keyed::key_id).collect();
    keys.sort_unstable_by_key(|key| (key.x, key.odd));
    keys.dedup();
    let mut with_table = 0;
    for (tables, threads) in [(0, 1), (1, 1), (3, 2), (1000, 1)] {
        let cache = KeyTableCache::new(tables * KEY_TABLE_BYTES + KEY_TABLE_BYTES / 2);
        let first = verdicts(machine, &cache, threads, rows);
        assert_eq!(verdicts(machine, &cache, threads, rows), first);
        with_table = keys.iter().filter(|key| cache.has(key)).count();
        assert!(with_table <= tables);
    }
    with_table
}

on_machines! {
    fn ecdsa_rows_by_tables(machine) {
        let mut records = ecdsa_records();
        let alone: Vec<Verdict> = records.iter().map(ecdsa_row).map(|row| row.alone()).collect();
        for verdict in
            [Verdict::Valid, Verdict::InvalidSignature, Verdict::OutOfRange, Verdict::HighS, Verdict::MalformedRow]
        {
            assert!(alone.iter().filter(|found| **found == verdict).count() > 8, "{verdict:?}");
        }
        with_other_keys(&mut records);
        let rows: Vec<_> = records.iter().map(ecdsa_row).collect();
        assert_eq!(agree(machine, &rows), secrets().len());
    }

    fn schnorr_rows_by_tables(machine) {
        let mut records = schnorr_records();
        for i in 0..20 {
            let (message, signature, mut key) = records[i].clone();
            key.fill([0, 0xff][i % 2]);
            key[31] = 5;
            records.push((message, signature, key));
        }
        // Often enough that the last keys pay too: the ninth, beside an x without a point. What is not below p is no
        // key.
        let rows: Vec<_> = [&records; 4].into_iter().flatten().map(schnorr_row).collect();
        // The negatives of keys are the same keys.
        assert_eq!(agree(machine, &rows), secrets().len() - 2);
    }

    fn every_tail(machine) {
        let cache = KeyTableCache::new(8 * KEY_TABLE_BYTES);
        let d = scalar(37);
        let records: Vec<Record> = (0..70u8)
            .map(|i| {
                let signature = ecdsa::sign(&[i; 32], &secret(d)).to_compact().to_vec();
                (vec![i; 32], signature, secret(d).public_key().to_bytes().to_vec())
            })
            .collect();
        let rows: Vec<_> = records.iter().map(ecdsa_row).collect();
        for n in (0..20).chain([63, 64, 65]).chain(0..20) {
            assert!(verdicts(machine, &cache, 1, &rows[..n]).iter().all(|verdict| verdict.is_valid()));
        }
        assert!(cache.has(&rows[0].key_id().unwrap()));
    }

    fn what_is_no_point_gets_no_table(machine) {
        // 5^3 + 7 is no square; the second x is not below p; the third is the generator's.
        let generator = PublicKey::GENERATOR.x_words();
        let keys = [[5, 0, 0, 0], [u64::MAX; 4], generator].map(|x| KeyId { x, odd: true });
        let mut tables: Vec<Option<KeyTable>> = vec![None; 3];
        let mut memory = vec![CacheLine([9; 8]); crate::tuning::LINES_OF_EIGHT_LANES];
        build::build_tables(machine, &keys, &mut tables, &mut memory);
        assert_eq!(tables.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
    }
}

#[test]
fn bulk_calls_make_tables_that_clones_share() {
    let records: Vec<Record> = ecdsa_records().into_iter().flat_map(|record| vec![record; LANES]).collect();
    let rows: Vec<_> = records.iter().map(ecdsa_row).collect();
    let messages: Vec<Record> = schnorr_records().into_iter().flat_map(|record| vec![record; LANES]).collect();
    let schnorr_rows: Vec<_> = messages.iter().map(schnorr_row).collect();
    for backend in &backends() {
        for (threads, memory) in [(1, 0), (1, KEY_TABLE_BYTES), (2, usize::MAX)] {
            let bulk = Bulk::builder().backend(*backend).threads(threads).key_table_memory(memory).build().unwrap();
            for low_s in [LowS::Require, LowS::Allow] {
                let alone: Vec<_> = rows.iter().map(|row| ecdsa::verify_row(row, low_s)).collect();
                assert_eq!(bulk.clone().verify_ecdsa(&rows, low_s), alone, "{backend} {threads} {memory}");
            }
            let alone: Vec<_> = schnorr_rows.iter().map(schnorr::verify_row).collect();
            assert_eq!(bulk.verify_schnorr(&schnorr_rows), alone, "{backend} {threads} {memory}");
            let tables = rows.iter().filter(|row| bulk.cache.has(&row.key_id().unwrap())).count();
            assert_eq!(tables > 0, memory > 0 && *backend != Backend::Portable);
        }
    }
}
