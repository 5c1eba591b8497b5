//! The crate k256 as people call it. It has no SHA-256 of the compressed shared point, so its users' few lines for that
//! are part of `ecdh` here.

mod arithmetic;

use k256::{
    FieldBytes, ProjectivePoint, PublicKey, Scalar, SecretKey,
    ecdsa::{
        RecoveryId, Signature, SigningKey, VerifyingKey,
        signature::hazmat::{PrehashSigner, PrehashVerifier},
    },
    elliptic_curve::{PrimeField, ops::LinearCombination, sec1::ToSec1Point},
    schnorr,
    sha2::{Digest, Sha256},
};
use lab_abi::{
    Description, Job, Op, Peer, Prepared, Refusal, Request,
    op::Kind,
    peer::not_offered,
    rows::{PerRow, part, put, records, with_pairs},
};
use std::ops::Range;

struct K256;

lab_abi::export_peer!(K256);

impl Peer for K256 {
    fn describe() -> Description {
        Description { version: "0.14.0".into(), flags: format!("{}; default features", lab_abi::RUST_BUILD) }
    }

    fn prepare(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
        if request.op.kind() == Kind::Arithmetic { arithmetic::prepare(request, input) } else { scheme(request, input) }
    }
}

fn compressed(key: &impl ToSec1Point<k256::Secp256k1>) -> Option<[u8; 33]> {
    key.to_sec1_point(true).as_bytes().try_into().ok()
}

fn recover(digest: &[u8], signature: &Signature, id: u8) -> Option<[u8; 33]> {
    let id = RecoveryId::from_byte(id)?;
    compressed(VerifyingKey::recover_from_prehash(digest, signature, id).ok()?.as_affine())
}

fn sign(digest: &[u8], key: &SigningKey) -> Option<[u8; 64]> {
    let signature: Signature = key.sign_prehash(digest).ok()?;
    Some(signature.to_bytes().into())
}

fn share(key: &PublicKey, secret: &SecretKey) -> Option<[u8; 32]> {
    let point = (key.to_projective() * *secret.to_nonzero_scalar()).to_affine();
    Some(Sha256::digest(compressed(&point)?).into())
}

fn scheme(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    Ok(match request.op {
        Op::VerifyEcdsa => Prepared::plain(PerRow::new(request, records::<129>(input), |row, out| {
            let verify = || {
                let key = VerifyingKey::from_sec1_bytes(&row[96..])?;
                key.verify_prehash(&row[..32], &Signature::from_slice(&row[32..96])?)
            };
            out[0] = verify().is_ok().into();
        })),
        Op::VerifySchnorr => Prepared::plain(PerRow::new(request, records::<128>(input), |row, out| {
            let verify = || {
                let key = schnorr::VerifyingKey::from_slice(&row[96..])?;
                key.verify_raw(&row[..32], &schnorr::Signature::from_slice(&row[32..96])?)
            };
            out[0] = verify().is_ok().into();
        })),
        Op::Recover => Prepared::plain(PerRow::new(request, records::<97>(input), |row, out| {
            let signature = Signature::from_slice(&row[32..96]).ok();
            put(out, signature.and_then(|signature| recover(&row[..32], &signature, row[96])));
        })),
        Op::PublicKey => Prepared::plain(PerRow::new(request, records::<32>(input), |secret, out| {
            put(out, SecretKey::from_slice(secret).ok().and_then(|secret| compressed(secret.public_key().as_affine())));
        })),
        Op::SignEcdsa => Prepared::plain(PerRow::new(request, records::<64>(input), |row, out| {
            put(out, SigningKey::from_slice(&row[32..]).ok().and_then(|key| sign(&row[..32], &key)));
        })),
        Op::Ecdh => Prepared::plain(PerRow::new(request, records::<65>(input), |row, out| {
            let key = PublicKey::from_sec1_bytes(&row[..33]).ok();
            let secret = SecretKey::from_slice(&row[33..]).ok();
            put(out, key.zip(secret).and_then(|(key, secret)| share(&key, &secret)));
        })),
        Op::SignSchnorr => return sign_schnorr(request, input),
        Op::Msm | Op::MsmNaive => Prepared::plain(Sums::new(request, input)?),
        _ => return Err(not_offered(request)),
    })
}

fn sign_schnorr(request: &Request, input: &[u8]) -> Result<Prepared, Refusal> {
    let rows = with_pairs(input, |secret| schnorr::SigningKey::from_slice(secret))?;
    Ok(Prepared::plain(PerRow::new(request, rows, |(message, key, auxiliary), out| {
        put(out, key.sign_raw(message, auxiliary).ok().map(|signature| signature.to_bytes()));
    })))
}

/// Sums of products by its `lincomb`, or each product alone, on one thread.
struct Sums {
    terms: Vec<(ProjectivePoint, Scalar)>,
    group: usize,
    naive: bool,
    sums: Vec<ProjectivePoint>,
}

impl Sums {
    fn new(request: &Request, input: &[u8]) -> Result<Self, Refusal> {
        let term = |row: [u8; 96]| {
            let point = arithmetic::point(part(&row, 32))?;
            let scalar = Option::from(Scalar::from_repr(FieldBytes::from(*part::<32>(&row, 0))))?;
            Some((point.into(), scalar))
        };
        let terms = records::<96>(input).into_iter().map(term).collect::<Option<_>>();
        let sums = vec![ProjectivePoint::IDENTITY; request.rows / request.group];
        let terms = terms.ok_or("a term is not a scalar and a point")?;
        Ok(Self { terms, group: request.group, naive: request.op == Op::MsmNaive, sums })
    }
}

impl Job for Sums {
    fn run(&mut self, rows: Range<usize>) {
        let sums = &mut self.sums[rows.start / self.group..];
        for (terms, sum) in self.terms[rows].chunks_exact(self.group).zip(sums) {
            *sum = if self.naive {
                terms.iter().map(|(point, scalar)| point * scalar).sum()
            } else {
                ProjectivePoint::lincomb(terms)
            };
        }
    }

    fn output(&mut self) -> Vec<u8> {
        self.sums.iter().flat_map(arithmetic::write_point).collect()
    }
}
