//! The backend for any CPU: one row after another, with the inversions of a chunk shared.

use super::kernels::Kernels;
use crate::{
    Error, FieldElement, Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict,
    arithmetic::batch_invert,
    declassify::declassify,
    ecdh, ecdsa,
    group::{self, Affine, Jacobian},
    mul::{self, Unit},
    schnorr,
    wipe::Secrets,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::Mask;

/// The portable backend.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Kernels for Portable {
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict]) {
        let rows: Vec<_> = rows.iter().map(|row| ecdsa::check_row(row, low_s)).collect();
        let inverses = inverses(&rows, ecdsa::CheckedRow::denominator);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "a verdict for each row");
        for ((row, inverse), out) in rows.iter().zip(&inverses).zip(out) {
            let row = row.as_ref().map_err(|error| *error);
            *out = row.and_then(|row| row.decide_with(Unit::Portable, inverse)).into();
        }
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], out: &mut [Verdict]) {
        let points = rows.iter().map(|row| schnorr::row_nonce_point(Unit::Portable, row)).collect();
        let points = affine(points, Error::InvalidSignature);
        assert_eq!(points.len(), out.len(), "a verdict for each row");
        for (point, out) in points.zip(out) {
            *out = point.and_then(|point| Error::check_equation(schnorr::is_even(&point))).into();
        }
    }

    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut [Result<PublicKey, Error>]) {
        let rows: Vec<_> = rows.iter().map(ecdsa::read_recover_row).collect();
        let inverses = inverses(&rows, ecdsa::Recovery::denominator);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "an answer for each row");
        let find = |(row, inverse): (&Result<ecdsa::Recovery<'_>, _>, _)| {
            row.as_ref().map_err(|error| *error)?.find_with(Unit::Portable, inverse)
        };
        let points = affine(rows.iter().zip(&inverses).map(find).collect(), Error::InvalidSignature);
        for (point, out) in points.zip(out) {
            *out = point.map(PublicKey::from_affine);
        }
    }

    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey]) {
        normalize(secrets.iter().map(|secret| mul::mul_generator_ct(Unit::Portable, secret.scalar())), out);
    }

    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey], out: &mut [ecdsa::Signature]) {
        let rows = || digests.iter().zip(secrets);
        let mut nonces = Secrets::collect(rows().map(|(digest, secret)| ecdsa::first_nonce(digest, secret)));
        let mut points = vec![PublicKey::GENERATOR; nonces.len()];
        normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::Portable, nonce)), &mut points);
        batch_invert(&mut nonces);
        for (((digest, secret), (inverse, point)), out) in rows().zip(nonces.iter().zip(&points)).zip(out) {
            // The first nonce fails with probability 2^-256; the single operation goes on to the next.
            *out = ecdsa::finish(digest, secret, inverse, point)
                .map_or_else(|| ecdsa::sign(digest, secret), |(signature, _)| signature);
        }
    }

    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]], out: &mut [schnorr::Signature]) {
        let rows = || messages.iter().zip(pairs);
        let nonces: Vec<_> =
            rows().zip(aux).map(|((message, pair), aux)| schnorr::Nonce::derive(message, pair, aux)).collect();
        let mut points = vec![PublicKey::GENERATOR; nonces.len()];
        normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::Portable, &nonce.0)), &mut points);
        for (((message, pair), (nonce, point)), out) in rows().zip(nonces.iter().zip(&points)).zip(out) {
            *out = schnorr::finish(message, pair, nonce, point);
        }
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]]) {
        let rows = publics.iter().zip(secrets);
        let mut shared = Secrets::filled(PublicKey::GENERATOR, rows.len());
        normalize(
            rows.map(|(public, secret)| mul::mul_point_ct(Unit::Portable, &public.affine(), secret.scalar())),
            &mut shared,
        );
        for (point, out) in shared.iter().zip(out) {
            *out = ecdh::hash_point(point);
        }
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut [Result<PublicKey, Error>]) {
        // Tweaks may be secret, and so are the ways to their points. What is no scalar gives the error that infinity
        // gives.
        let sum = |(key, tweak): (&PublicKey, _)| key.tweak_add_point(Unit::Portable, tweak);
        let sums = keys.iter().zip(tweaks).map(|row| sum(row).unwrap_or(Jacobian::infinity()));
        let points = Secrets::collect(sums);
        let mut inverses = Secrets::filled(FieldElement::ZERO, points.len());
        for ((affine, point), out) in group::to_affine_batch(&points, &mut inverses).zip(points.iter()).zip(out) {
            // Whether the result is a key is what the caller asked.
            let none = declassify(point.is_infinity().any());
            *out = if none { Err(Error::BadTweak) } else { Ok(PublicKey::from_affine(affine)) };
        }
    }

    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        assert_eq!(x.len(), out.len(), "an answer for each x");
        for ((x, odd), out) in x.iter().zip(out) {
            *out = PublicKey::lift(*x, *odd).ok();
        }
    }

    fn decompress(&self, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]) {
        assert_eq!(encoded.len(), out.len(), "an answer for each key");
        for (bytes, out) in encoded.iter().zip(out) {
            *out = PublicKey::from_bytes(bytes);
        }
    }
}

/// The inverse of each row's denominator, and zero for rows that have failed already.
fn inverses<T>(rows: &[Result<T, Error>], denominator: fn(&T) -> Scalar) -> Vec<Scalar> {
    let mut values: Vec<_> = rows.iter().map(|row| row.as_ref().map_or(Scalar::ZERO, denominator)).collect();
    batch_invert(&mut values);
    values
}

/// The affine form of each point there is, by shared inversions, and the error for each that is infinity. For public
/// points.
fn affine(
    points: Vec<Result<Jacobian, Error>>,
    infinity: Error,
) -> impl ExactSizeIterator<Item = Result<Affine, Error>> {
    let z = |point: &Result<Jacobian, Error>| point.map_or(FieldElement::ZERO, |point| FieldElement::from_fe(point.z));
    let mut inverses: Vec<_> = points.iter().map(z).collect();
    batch_invert(&mut inverses);
    assert_eq!(points.len(), inverses.len(), "an inverse for each point");
    points.into_iter().zip(inverses).map(move |(point, inverse)| {
        let point = point?;
        if inverse.is_zero().into() { Err(infinity) } else { Ok(point.to_affine_with(inverse.to_fe()).normalize()) }
    })
}

/// Affine coordinates of finite points, by shared inversions. Constant time. The Z of a point tells of the way to it,
/// which is secret, and is wiped.
fn normalize(points: impl ExactSizeIterator<Item = Jacobian>, out: &mut [PublicKey]) {
    let points = Secrets::collect(points);
    let mut inverses = Secrets::filled(FieldElement::ZERO, points.len());
    for (point, out) in group::to_affine_batch(&points, &mut inverses).zip(out) {
        *out = PublicKey::from_affine(point);
    }
}
