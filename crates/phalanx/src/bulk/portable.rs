//! The backend for any CPU: one row after another, with the inversions of a chunk shared.

use super::kernels::Kernels;
use crate::{
    Error, FieldElement, Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict,
    declassify::declassify,
    ecdh, ecdsa,
    group::{self, Affine, Jacobian},
    mul::{self, Unit},
    schnorr,
};
use alloc::{vec, vec::Vec};
use zeroize::{Zeroize, optimization_barrier};

/// The portable backend.
pub(super) struct Portable;

impl Kernels for Portable {
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict]) {
        let claims: Vec<_> = rows.iter().map(|row| ecdsa::prepare(row, low_s)).collect();
        let inverses = inverses(&claims, ecdsa::Claim::denominator);
        for ((claim, inverse), out) in claims.iter().zip(&inverses).zip(out) {
            *out = claim
                .as_ref()
                .map_err(|error| *error)
                .and_then(|claim| claim.decide_with(Unit::Portable, inverse))
                .into();
        }
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], out: &mut [Verdict]) {
        let points = rows.iter().map(|row| schnorr::row_nonce_point(Unit::Portable, row)).collect();
        for (point, out) in affine(points, Error::InvalidSignature).zip(out) {
            let verdict = |point| if schnorr::is_even(&point) { Ok(()) } else { Err(Error::InvalidSignature) };
            *out = point.and_then(verdict).into();
        }
    }

    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut [Result<PublicKey, Error>]) {
        let recoveries: Vec<_> = rows.iter().map(ecdsa::prepare_recovery).collect();
        let inverses = inverses(&recoveries, ecdsa::Recovery::denominator);
        let find = |(recovery, inverse): (&Result<ecdsa::Recovery, _>, _)| {
            recovery.as_ref().map_err(|error| *error)?.find_with(Unit::Portable, inverse)
        };
        let points = recoveries.iter().zip(&inverses).map(find).collect();
        for (point, out) in affine(points, Error::InvalidSignature).zip(out) {
            *out = point.map(PublicKey::from_affine);
        }
    }

    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey]) {
        normalize(secrets.iter().map(|secret| mul::generator_mul(Unit::Portable, secret.scalar())).collect(), out);
    }

    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey], out: &mut [ecdsa::Signature]) {
        let rows = || digests.iter().zip(secrets);
        let mut nonces: Vec<_> = rows().map(|(digest, secret)| ecdsa::first_nonce(digest, secret)).collect();
        let mut points = vec![PublicKey::GENERATOR; nonces.len()];
        normalize(nonces.iter().map(|nonce| mul::generator_mul(Unit::Portable, nonce)).collect(), &mut points);
        Scalar::batch_invert(&mut nonces);
        for (((digest, secret), (inverse, point)), out) in rows().zip(nonces.iter().zip(&points)).zip(out) {
            // The first nonce fails with probability 2^-256; the single operation goes on to the next.
            *out = ecdsa::finish(digest, secret, inverse, point)
                .map_or_else(|| ecdsa::sign(digest, secret), |(signature, _)| signature);
        }
        nonces.iter_mut().for_each(Zeroize::zeroize);
    }

    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]], out: &mut [schnorr::Signature]) {
        let rows = || messages.iter().zip(pairs);
        let nonces: Vec<_> =
            rows().zip(aux).map(|((message, pair), aux)| schnorr::Nonce::derive(message, pair, aux)).collect();
        let mut points = vec![PublicKey::GENERATOR; nonces.len()];
        normalize(nonces.iter().map(|nonce| mul::generator_mul(Unit::Portable, &nonce.0)).collect(), &mut points);
        for (((message, pair), (nonce, point)), out) in rows().zip(nonces.iter().zip(&points)).zip(out) {
            *out = schnorr::finish(message, pair, nonce, point);
        }
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]]) {
        let rows = publics.iter().zip(secrets);
        let mut shared = vec![PublicKey::GENERATOR; rows.len()];
        normalize(
            rows.map(|(public, secret)| mul::point_mul(Unit::Portable, &public.affine(), secret.scalar())).collect(),
            &mut shared,
        );
        for (point, out) in shared.iter_mut().zip(out) {
            *out = ecdh::hash_compressed(&point.x_bytes(), &point.y_bytes());
            point.wipe();
        }
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut [Result<PublicKey, Error>]) {
        let points = keys.iter().zip(tweaks).map(|(key, tweak)| key.tweak_add_point(Unit::Portable, tweak)).collect();
        for (point, out) in affine(points, Error::BadTweak).zip(out) {
            *out = point.map(PublicKey::from_affine);
        }
    }

    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        for ((x, odd), out) in x.iter().zip(out) {
            *out = PublicKey::lift(*x, *odd).ok();
        }
    }

    fn decompress(&self, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]) {
        for (bytes, out) in encoded.iter().zip(out) {
            *out = PublicKey::from_bytes(bytes);
        }
    }
}

/// The inverse of each row's denominator, and zero for rows that have failed already.
fn inverses<T>(rows: &[Result<T, Error>], denominator: fn(&T) -> Scalar) -> Vec<Scalar> {
    let mut values: Vec<_> = rows.iter().map(|row| row.as_ref().map_or(Scalar::ZERO, denominator)).collect();
    Scalar::batch_invert(&mut values);
    values
}

/// The affine form of each point there is, by shared inversions, and the error for each that is infinity. Constant time
/// but for that.
fn affine(points: Vec<Result<Jacobian, Error>>, infinity: Error) -> impl Iterator<Item = Result<Affine, Error>> {
    let z = |point: &Result<Jacobian, Error>| point.map_or(FieldElement::ZERO, |point| FieldElement::from_fe(point.z));
    let mut inverses: Vec<_> = points.iter().map(z).collect();
    FieldElement::batch_invert(&mut inverses);
    points.into_iter().zip(inverses).map(move |(point, inverse)| {
        let point = point?;
        // Whether a result exists is what the caller asked.
        if declassify(inverse.is_zero()).into() {
            Err(infinity)
        } else {
            Ok(point.to_affine_with(inverse.to_fe()).normalize())
        }
    })
}

/// Affine coordinates of finite points, by shared inversions. Constant time. The Z of a point tells of the way to it,
/// which is secret, and is wiped.
fn normalize(mut points: Vec<Jacobian>, out: &mut [PublicKey]) {
    let mut inverses = vec![FieldElement::ZERO; points.len()];
    for (point, out) in group::to_affine_batch(&points, &mut inverses).zip(out) {
        *out = PublicKey::from_affine(point);
    }
    inverses.iter_mut().for_each(Zeroize::zeroize);
    points.fill(Jacobian::infinity());
    optimization_barrier(points.as_slice());
}
