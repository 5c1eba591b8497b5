//! Bulk verification of many rows on each backend of this CPU against libsecp256k1, which alone judges them.
//!
//! ```text
//! cargo run --release --locked -p phalanx-testkit --example soak -- ecdsa|schnorr ROWS [SEED] \
//!     >> testkit/record/soak.txt
//! ```
//!
//! All keys are compressed or x-only. Secret keys and digests are drawn as by `draws`, half of them on edges, and signed.
//! A quarter of the ECDSA signatures is made from chosen u1 and u2 instead, with u1 = 0 and u1 G = ±u2 Q among them. One
//! BIP-340 signature in sixteen gets s = 0 or s G = ±e P, and is then wrong. Half of all rows are changed in digest, r, s
//! or key. The program fails on the first row on which a backend differs, and prints it; also if fewer than a quarter of
//! the rows are valid. It prints one line otherwise. It takes no secrets from outside.

use phalanx::{Backend, Bulk, Keypair, LowS, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict, XOnlyKeyRef};
use phalanx::{Point, ecdsa, hash, schnorr};
use phalanx_testkit::draws::Draws;
use secp256k1 as oracle;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, error::Error, thread, time::Instant};

/// Not a whole number of vectors, nor of the library's chunks.
const CHUNK: u64 = 4_001;

struct Row {
    /// Of ECDSA the digest, of BIP-340 the message.
    digest: [u8; 32],
    signature: [u8; 64],
    /// Of BIP-340 without its first byte.
    key: [u8; 33],
}

/// How a scheme's rows are made and judged.
struct Scheme {
    name: &'static str,
    draw: fn(&Bulk, Vec<Draws>) -> Vec<Row>,
    libsecp256k1: fn(&Row) -> bool,
    phalanx: fn(&Bulk, &[Row]) -> Vec<Verdict>,
}

const ECDSA: Scheme = Scheme {
    name: "ecdsa",
    draw: |bulk, mut draws| {
        let secrets: Vec<_> = draws.iter_mut().map(secret).collect();
        let mut digests: Vec<_> = draws.iter_mut().map(Draws::number).collect();
        let signatures = bulk.sign_ecdsa(&digests, &secrets).expect("as many of each");
        let mut signatures: Vec<_> = signatures.iter().map(ecdsa::Signature::to_compact).collect();
        for (index, draws) in draws.iter_mut().enumerate().filter(|(index, _)| index % 4 == 0) {
            if let Some((digest, signature)) = constructed(draws, &secrets[index]) {
                (digests[index], signatures[index]) = (digest, signature);
            }
        }
        let keys = bulk.public_keys(&secrets);
        let rows = digests.into_iter().zip(signatures).zip(&keys);
        rows.map(|((digest, signature), key)| Row { digest, signature, key: key.to_bytes() }).collect()
    },
    libsecp256k1: |row| {
        let verified = || {
            let mut signature = oracle::ecdsa::Signature::from_compact(&row.signature).ok()?;
            signature.normalize_s();
            let key = oracle::PublicKey::from_slice(&row.key).ok()?;
            key.verify(oracle::Message::from_digest(row.digest), &signature).ok()
        };
        verified().is_some()
    },
    phalanx: |bulk, rows| {
        let rows = rows.iter().map(|row| ecdsa::Row {
            digest: &row.digest,
            signature: ecdsa::SignatureRef::Compact(&row.signature),
            public_key: PublicKeyRef::Encoded(&row.key),
        });
        bulk.verify_ecdsa(&rows.collect::<Vec<_>>(), LowS::Allow)
    },
};

const SCHNORR: Scheme = Scheme {
    name: "schnorr",
    draw: |bulk, mut draws| {
        let pairs: Vec<_> = draws.iter_mut().map(|draws| Keypair::from_secret(secret(draws))).collect();
        let messages: Vec<_> = draws.iter_mut().map(Draws::number).collect();
        let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let aux: Vec<_> = draws.iter_mut().map(Draws::uniform).collect();
        let signatures = bulk.sign_schnorr(&slices, &pairs, &aux).expect("as many of each");
        let rows = draws.iter_mut().zip(messages).zip(pairs.iter().zip(signatures)).enumerate();
        let rows = rows.map(|(index, ((draws, digest), (pair, signature)))| {
            let mut row = Row { digest, signature: signature.to_bytes(), key: pair.public_key().to_bytes() };
            row.key[1..].copy_from_slice(&pair.x_only().to_bytes());
            if index % 16 == 0 {
                equal_parts(draws, &mut row, pair);
            }
            row
        });
        rows.collect()
    },
    libsecp256k1: |row| {
        let verified = || {
            let key = oracle::XOnlyPublicKey::from_byte_array(row.key[1..].try_into().ok()?).ok()?;
            oracle::schnorr::Signature::from_byte_array(row.signature).verify(&row.digest, &key).ok()
        };
        verified().is_some()
    },
    phalanx: |bulk, rows| {
        let rows = rows.iter().map(|row| schnorr::Row {
            message: &row.digest,
            signature: &row.signature,
            public_key: XOnlyKeyRef::Encoded(row.key[1..].try_into().expect("32 bytes")),
        });
        bulk.verify_schnorr(&rows.collect::<Vec<_>>())
    },
};

fn secret(draws: &mut Draws) -> SecretKey {
    SecretKey::from_bytes(&draws.scalar()).expect("in range")
}

/// A digest and a signature whose u1 and u2 are chosen. None where R is infinity or r is zero.
fn constructed(draws: &mut Draws, secret: &SecretKey) -> Option<([u8; 32], [u8; 64])> {
    let (secret, u2) = (Scalar::from(secret), Scalar::from_bytes(&draws.scalar()).ok()?);
    let u1 = match draws.below(8) {
        0 => Scalar::ZERO,
        1 => u2 * secret,
        2 => -(u2 * secret),
        _ => Scalar::from_bytes(&draws.scalar()).ok()?,
    };
    let r = PublicKey::try_from(Point::mul_generator(&(u1 + u2 * secret))).ok()?;
    let r = Scalar::from_bytes_reduced(&r.to_bytes()[1..].try_into().ok()?);
    let s = r * u2.invert_vartime()?;
    Some(((u1 * s).to_bytes(), concatenated(r, s)))
}

/// Replaces s, so that s G = ±e P, or by zero, and perhaps r by any number.
fn equal_parts(draws: &mut Draws, row: &mut Row, pair: &Keypair) {
    if draws.byte() & 1 == 0 {
        row.signature[..32].copy_from_slice(&draws.number());
    }
    let challenge = hash::TaggedHash::new(b"BIP0340/challenge");
    let e = Scalar::from_bytes_reduced(&challenge.hash(&[&row.signature[..32], &row.key[1..], &row.digest]));
    let part = e * Scalar::from(pair.secret_key());
    let s = [Scalar::ZERO, part, -part][draws.below(3)];
    row.signature[32..].copy_from_slice(&s.to_bytes());
}

fn concatenated(r: Scalar, s: Scalar) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&r.to_bytes());
    signature[32..].copy_from_slice(&s.to_bytes());
    signature
}

/// Half of all rows stay as they are.
fn change(draws: &mut Draws, row: &mut Row) {
    let bit = 1 << draws.below(8);
    match draws.below(18) {
        0 => row.digest = draws.number(),
        1 => row.digest[draws.below(32)] ^= bit,
        2 => row.signature[..32].copy_from_slice(&draws.number()),
        3 => row.signature[32..].copy_from_slice(&draws.number()),
        4 => row.signature[draws.below(64)] ^= bit,
        5 => row.signature.rotate_left(32),
        6 => row.key[1..].copy_from_slice(&draws.number()),
        7 => row.key[1 + draws.below(32)] ^= bit,
        8 => row.key[0] ^= 1,
        _ => {}
    }
}

/// How many of the rows are valid, after all backends agreed with libsecp256k1.
fn check(scheme: &Scheme, seed: u64, cases: std::ops::Range<u64>, bulks: &[Bulk]) -> u64 {
    let draws = |name: &str| cases.clone().map(|case| Draws::new(seed, name, case)).collect();
    let mut rows = (scheme.draw)(&bulks[bulks.len() - 1], draws(scheme.name));
    let changes: Vec<Draws> = draws("changes");
    rows.iter_mut().zip(changes).for_each(|(row, mut draws)| change(&mut draws, row));
    let expected: Vec<_> = rows.iter().map(scheme.libsecp256k1).collect();
    for bulk in bulks {
        let verdicts = (scheme.phalanx)(bulk, &rows);
        assert_eq!(verdicts.len(), rows.len());
        for ((verdict, expected), (row, case)) in verdicts.iter().zip(&expected).zip(rows.iter().zip(cases.clone())) {
            let Row { digest, signature, key } = row;
            assert_eq!(
                verdict.is_valid(),
                *expected,
                "{} on {}, libsecp256k1 (right), seed {seed}, row {case}: {digest:02x?} {signature:02x?} {key:02x?}",
                scheme.name,
                bulk.backend(),
            );
        }
    }
    expected.into_iter().map(u64::from).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let scheme = match arguments.next().as_deref() {
        Some("ecdsa") => ECDSA,
        Some("schnorr") => SCHNORR,
        _ => return Err("usage: soak ecdsa|schnorr ROWS [SEED]".into()),
    };
    let rows: u64 = arguments.next().ok_or("how many rows?")?.parse()?;
    let seed = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let bulks = Backend::available().iter().map(|backend| Bulk::builder().backend(*backend).threads(1).build());
    let bulks = bulks.collect::<Result<Vec<_>, _>>()?;
    let (next, valid, begin) = (AtomicU64::new(0), AtomicU64::new(0), Instant::now());
    let work = || {
        while let first = next.fetch_add(CHUNK, Ordering::Relaxed)
            && first < rows
        {
            valid.fetch_add(check(&scheme, seed, first..rows.min(first + CHUNK), &bulks), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    });
    let valid = valid.into_inner();
    if valid < rows.div_ceil(4) || rows == 0 {
        return Err(format!("{valid} of {rows} rows are valid: too few to compare").into());
    }
    let names: Vec<_> = bulks.iter().map(|bulk| bulk.backend().to_string()).collect();
    println!(
        "{}: {rows} rows, {valid} valid, no difference; {}; seed {seed}; {:.0} s",
        scheme.name,
        names.join(", "),
        begin.elapsed().as_secs_f64(),
    );
    Ok(())
}
