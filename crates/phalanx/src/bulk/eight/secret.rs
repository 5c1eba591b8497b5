//! Public keys, signatures and shared secrets. Constant time.
//!
//! Secrets are in lists, which are wiped when the work is done, on unwinding too. There are as many outputs as rows,
//! and as many values of each kind: `Bulk` and `OneThread` check the lengths before they call.

use super::{Lines, SchnorrSecrets, Size, in_room, place};
use crate::{
    Keypair, PublicKey, Scalar, SecretKey,
    arithmetic::batch_invert,
    declassify::declassify,
    ecdsa,
    encoding::{bytes_of_words, words},
    hash::BuiltIn,
    lanes::{
        self, AffineLanes, HashLanes, JacobianX8, Machine, Scratch, U256x8, bip340_nonces, compressed_points,
        rfc6979_candidates,
    },
    mul::{
        GeneratorDigits, PointDigits, mul_generator_rows_ct, mul_point_rows_ct, scratch_of_generator_ct,
        scratch_of_point_ct,
    },
    schnorr,
};
use phalanx_engine::{
    arena::{List, Lists, lines_for},
    mask::is_zero,
    word::{LANES, NARROW_LANES},
};
use zeroize::Zeroize;

/// What [`public_keys`] of a given number of rows takes.
pub(super) fn size_of_public_keys(rows: usize) -> Size {
    let groups = rows.div_ceil(LANES);
    let lists = lines_for::<GeneratorDigits>(groups) + lines_for::<[U256x8; 2]>(groups);
    Size { lists, scratch: scratch_of_generator_ct(groups) }
}

/// What [`sign_ecdsa`] of a given number of rows takes.
pub(super) fn size_of_ecdsa(rows: usize) -> Size {
    let Size { lists, scratch } = size_of_public_keys(rows);
    Size { lists: lists + lines_for::<Scalar>(rows), scratch }
}

/// What [`sign_schnorr`] of a given number of rows takes.
pub(super) fn size_of_schnorr(rows: usize) -> Size {
    let Size { lists, scratch } = size_of_public_keys(rows);
    Size { lists: lists + 2 * lines_for::<Scalar>(rows) + lines_for::<PublicKey>(rows), scratch }
}

/// What [`shared_secrets`] of a given number of rows takes.
pub(super) fn size_of_shared(rows: usize) -> Size {
    let groups = rows.div_ceil(LANES);
    let lists = lines_for::<AffineLanes>(groups)
        + lines_for::<PointDigits>(groups)
        + lines_for::<JacobianX8>(groups)
        + lines_for::<[U256x8; 2]>(groups);
    Size { lists, scratch: scratch_of_point_ct(groups) }
}

/// [`SecretKey::public_key`] of each key.
pub(super) fn public_keys<M: Machine>(machine: M, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines) {
    debug_assert_eq!(secrets.len(), out.len());
    in_room(memory, size_of_public_keys(secrets.len()), |lists, scratch| {
        let points = generator_points(machine, secrets.iter().map(SecretKey::scalar), lists, scratch);
        for (i, out) in out.iter_mut().enumerate() {
            *out = point(&points, i);
        }
    });
}

/// [`ecdsa::sign`] on each row.
pub(super) fn sign_ecdsa<M: Machine>(
    machine: M,
    digests: &[[u8; 32]],
    secrets: &[SecretKey],
    out: &mut [ecdsa::Signature],
    memory: &mut Lines,
) {
    debug_assert!(digests.len() == secrets.len() && out.len() == secrets.len());
    let rows = || digests.iter().zip(secrets);
    in_room(memory, size_of_ecdsa(secrets.len()), |lists, scratch| {
        let mut nonces = lists.list(secrets.len());
        ecdsa_nonces(machine, digests, secrets, &mut nonces);
        let points = generator_points(machine, nonces.iter(), lists, scratch);
        batch_invert(&mut nonces);
        for (i, ((digest, secret), (inverse, out))) in rows().zip(nonces.iter().zip(out)).enumerate() {
            // The first nonce fails with probability 2^-256; the single operation goes on to the next.
            *out = ecdsa::finish(digest, secret, inverse, &point(&points, i))
                .map_or_else(|| ecdsa::sign(digest, secret), |(signature, _)| signature);
        }
    });
}

/// [`schnorr::sign`] on each row.
pub(super) fn sign_schnorr<M: Machine>(
    machine: M,
    rows: SchnorrSecrets<'_>,
    out: &mut [schnorr::Signature],
    memory: &mut Lines,
) {
    let SchnorrSecrets { messages, pairs, aux } = rows;
    debug_assert!([messages.len(), aux.len(), out.len()] == [pairs.len(); 3]);
    in_room(memory, size_of_schnorr(pairs.len()), |lists, scratch| {
        let mut nonces = lists.list(pairs.len());
        schnorr_nonces(machine, rows, &mut nonces);
        let points = generator_points(machine, nonces.iter(), lists, scratch);
        let points = lists.collect((0..pairs.len()).map(|i| point(&points, i)));
        let mut challenges = lists.list(pairs.len());
        schnorr_challenges(machine, messages, pairs, &points, &mut challenges);
        for ((pair, out), (nonce, (point, challenge))) in
            pairs.iter().zip(out).zip(nonces.iter().zip(points.iter().zip(challenges.iter())))
        {
            *out = schnorr::finish_with(pair, nonce, point, challenge);
        }
    });
}

/// [`crate::ecdh::shared_secret`] of each row.
pub(super) fn shared_secrets<M: Machine>(
    machine: M,
    publics: &[PublicKey],
    secrets: &[SecretKey],
    out: &mut [[u8; 32]],
    memory: &mut Lines,
) {
    debug_assert!(publics.len() == out.len() && secrets.len() == out.len());
    let groups = out.len().div_ceil(LANES);
    in_room(memory, size_of_shared(out.len()), |lists, scratch| {
        let mut points = lists.filled(groups, AffineLanes::generator());
        let mut digits = lists.filled(groups, PointDigits::of_one());
        for (i, (public, secret)) in publics.iter().zip(secrets).enumerate() {
            let (group, lane) = place(i);
            points[group].set(lane, &public.affine());
            digits[group].set(lane, secret.scalar());
        }
        let mut sums = lists.filled(groups, JacobianX8::ZERO);
        let mut shared = lists.filled(groups, [U256x8::ZERO; 2]);
        mul_point_rows_ct(machine, &points, &digits, &mut sums, &mut shared, scratch);
        let mut batch = HashLanes::new();
        for (shared, out) in shared.chunks(NARROW_LANES / LANES).zip(out.chunks_mut(NARROW_LANES)) {
            for i in 0..out.len() {
                let (group, lane) = place(i);
                let [x, y] = &shared[group];
                batch.set(0, i, x.get(lane));
                batch.set(1, i, [y.get(lane)[0] & 1, 0, 0, 0]);
            }
            compressed_points(machine, &mut batch);
            for (i, out) in out.iter_mut().enumerate() {
                *out = bytes_of_words(&batch.get(i));
            }
        }
    });
}

/// The nonce of [`ecdsa::sign`] for each row.
fn ecdsa_nonces<M: Machine>(machine: M, digests: &[[u8; 32]], secrets: &[SecretKey], nonces: &mut List<'_, Scalar>) {
    let mut batch = HashLanes::new();
    for (digests, secrets) in digests.chunks(NARROW_LANES).zip(secrets.chunks(NARROW_LANES)) {
        for (i, (digest, secret)) in digests.iter().zip(secrets).enumerate() {
            batch.set(0, i, secret.scalar().limbs());
            batch.set(1, i, Scalar::from_bytes_reduced(digest).limbs());
        }
        rfc6979_candidates(machine, &mut batch);
        for (i, (digest, secret)) in digests.iter().zip(secrets).enumerate() {
            let candidate = batch.get(i);
            let nonce = Scalar::from_limbs_reduced(candidate);
            // Refused with probability 2^-127, which says nothing about the candidate that is accepted in its place.
            let reduced = core::array::from_fn(|i| nonce.limbs()[i] ^ candidate[i]);
            let refused = declassify(!is_zero(&reduced) | is_zero(&nonce.limbs()));
            nonces.push(if refused != 0 { ecdsa::first_nonce(digest, secret) } else { nonce });
        }
    }
}

/// The nonce of [`schnorr::sign`] for each row.
fn schnorr_nonces<M: Machine>(machine: M, rows: SchnorrSecrets<'_>, nonces: &mut List<'_, Scalar>) {
    let SchnorrSecrets { messages, pairs, aux } = rows;
    let mut batch = HashLanes::new();
    let chunks = messages.chunks(NARROW_LANES).zip(pairs.chunks(NARROW_LANES)).zip(aux.chunks(NARROW_LANES));
    for ((messages, pairs), aux) in chunks {
        for (i, ((message, pair), aux)) in messages.iter().zip(pairs).zip(aux).enumerate() {
            let Ok(message) = <&[u8; 32]>::try_from(*message) else { continue };
            let mut secret = pair.even_scalar();
            batch.set(0, i, secret.limbs());
            batch.set(1, i, words(aux));
            batch.set(2, i, pair.public_key().x_words());
            batch.set(3, i, words(message));
            secret.zeroize();
        }
        bip340_nonces(machine, &mut batch);
        for (i, ((message, pair), aux)) in messages.iter().zip(pairs).zip(aux).enumerate() {
            let nonce = schnorr::Nonce(Scalar::from_limbs_reduced(batch.get(i)));
            // Zero with probability 2^-256.
            let here = message.len() == 32 && !bool::from(declassify(nonce.0.is_zero()));
            nonces.push(if here { nonce.0 } else { schnorr::Nonce::derive(BuiltIn, message, pair, aux).0 });
        }
    }
}

/// The challenge of each row of [`schnorr::sign`], whose nonces have these points.
fn schnorr_challenges<M: Machine>(
    machine: M,
    messages: &[&[u8]],
    pairs: &[Keypair],
    points: &[PublicKey],
    challenges: &mut List<'_, Scalar>,
) {
    let mut batch = HashLanes::new();
    let chunks = messages.chunks(NARROW_LANES).zip(pairs.chunks(NARROW_LANES)).zip(points.chunks(NARROW_LANES));
    for ((messages, pairs), points) in chunks {
        let rows = || messages.iter().zip(pairs).zip(points).enumerate();
        for (i, ((message, pair), point)) in rows() {
            let Ok(message) = <&[u8; 32]>::try_from(*message) else { continue };
            batch.set(0, i, point.x_words());
            batch.set(1, i, pair.public_key().x_words());
            batch.set(2, i, words(message));
        }
        lanes::challenges(machine, &mut batch);
        for (i, ((message, pair), point)) in rows() {
            challenges.push(match message.len() {
                32 => Scalar::from_limbs_reduced(batch.get(i)),
                _ => schnorr::challenge(BuiltIn, &point.x_bytes(), &pair.public_key().x_bytes(), message),
            });
        }
    }
}

/// The multiples of the generator by scalars that are not zero, a group of eight after another.
fn generator_points<'a, 's, M: Machine>(
    machine: M,
    scalars: impl ExactSizeIterator<Item = &'s Scalar>,
    lists: &mut Lists<'a, '_>,
    scratch: &mut Scratch<'_>,
) -> List<'a, [U256x8; 2]> {
    let groups = scalars.len().div_ceil(LANES);
    let mut digits = lists.filled(groups, GeneratorDigits::of_one());
    for (i, scalar) in scalars.enumerate() {
        let (group, lane) = place(i);
        digits[group].set(lane, scalar);
    }
    let mut points = lists.filled(groups, [U256x8::ZERO; 2]);
    mul_generator_rows_ct(machine, &digits, &mut points, scratch);
    points
}

fn point(points: &[[U256x8; 2]], row: usize) -> PublicKey {
    let (group, lane) = place(row);
    let [x, y] = &points[group];
    PublicKey::from_canonical(x.get(lane), y.get(lane))
}
