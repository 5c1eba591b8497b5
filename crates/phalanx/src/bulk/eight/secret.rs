//! Public keys, signatures and shared secrets. Constant time.

use super::place;
use crate::{
    Keypair, PublicKey, Scalar, SecretKey, ecdsa,
    lanes::{GeneratorDigits, Machine, Numbers, Scratch, generator_multiples, wipe_digits},
    schnorr,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::LANES;
use zeroize::Zeroize;

/// [`SecretKey::public_key`] of each key.
pub(super) fn public_keys<M: Machine>(machine: M, secrets: &[SecretKey], out: &mut [PublicKey], scratch: &mut Scratch) {
    let points = generator_points(machine, secrets.iter().map(SecretKey::scalar), scratch);
    for (i, out) in out.iter_mut().enumerate() {
        *out = point(&points, i);
    }
}

/// [`ecdsa::sign`] on each row.
pub(super) fn sign_ecdsa<M: Machine>(
    machine: M,
    digests: &[[u8; 32]],
    secrets: &[SecretKey],
    out: &mut [ecdsa::Signature],
    scratch: &mut Scratch,
) {
    let rows = || digests.iter().zip(secrets);
    let mut nonces: Vec<_> = rows().map(|(digest, secret)| ecdsa::first_nonce(digest, secret)).collect();
    let points = generator_points(machine, nonces.iter(), scratch);
    Scalar::batch_invert(&mut nonces);
    for (i, ((digest, secret), (inverse, out))) in rows().zip(nonces.iter().zip(out)).enumerate() {
        // The first nonce fails with probability 2^-256; the single operation goes on to the next.
        *out = ecdsa::finish(digest, secret, inverse, &point(&points, i))
            .map_or_else(|| ecdsa::sign(digest, secret), |(signature, _)| signature);
    }
    nonces.iter_mut().for_each(Zeroize::zeroize);
}

/// [`schnorr::sign`] on each row.
pub(super) fn sign_schnorr<M: Machine>(
    machine: M,
    messages: &[&[u8]],
    pairs: &[Keypair],
    aux: &[[u8; 32]],
    out: &mut [schnorr::Signature],
    scratch: &mut Scratch,
) {
    let rows = || messages.iter().zip(pairs);
    let nonces: Vec<_> =
        rows().zip(aux).map(|((message, pair), aux)| schnorr::Nonce::derive(message, pair, aux)).collect();
    let points = generator_points(machine, nonces.iter().map(|nonce| &nonce.0), scratch);
    for (i, ((message, pair), (nonce, out))) in rows().zip(nonces.iter().zip(out)).enumerate() {
        *out = schnorr::finish(message, pair, nonce, &point(&points, i));
    }
}

/// The multiples of the generator by scalars that are not zero, a group of eight after another.
fn generator_points<'a, M: Machine>(
    machine: M,
    scalars: impl ExactSizeIterator<Item = &'a Scalar>,
    scratch: &mut Scratch,
) -> Vec<[Numbers; 2]> {
    let groups = scalars.len().div_ceil(LANES);
    let mut digits = vec![GeneratorDigits::of_one(); groups];
    for (i, scalar) in scalars.enumerate() {
        let (group, lane) = place(i);
        digits[group].set(lane, scalar);
    }
    let mut points = vec![[Numbers::ZERO; 2]; groups];
    generator_multiples(machine, &digits, &mut points, scratch);
    wipe_digits(&mut digits);
    points
}

fn point(points: &[[Numbers; 2]], row: usize) -> PublicKey {
    let (group, lane) = place(row);
    let [x, y] = &points[group];
    PublicKey::from_canonical(x.get(lane), y.get(lane))
}
