//! The backend for any CPU: it computes one row after another, and the rows of a chunk share an inversion.

use super::{
    Operation,
    kernels::{FoundKeys, Kernels, Lines, SchnorrSecrets},
    memory::with_room,
};
use crate::{
    Error, FieldElement, LowS, PublicKey, Scalar, SecretKey, Verdict,
    arithmetic::batch_invert,
    declassify::declassify,
    ecdh, ecdsa,
    group::{self, Affine, Jacobian},
    hash::BuiltIn,
    mul::{self, Unit},
    schnorr,
};
use phalanx_engine::{
    arena::{List, Lists, lines_for},
    word::Mask,
};

/// The portable backend.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// A row that has passed every check but the equation.
type CheckedEcdsa<'a> = Result<ecdsa::CheckedRow<'a>, Error>;
/// A row to recover a key from.
type RecoveryOrFault<'a> = Result<ecdsa::Recovery<'a>, Error>;
/// A point, or what is wrong with the row.
type RecoveredPoint = Result<Jacobian, Error>;

/// The cache lines of [`normalize`].
fn lines_of_normalize(rows: usize) -> usize {
    lines_for::<Jacobian>(rows) + lines_for::<FieldElement>(rows)
}

/// Lists are wiped when the work is done, on unwinding too: nonces and what leads to them stand nowhere else.
impl Kernels for Portable {
    fn lines(&self, operation: Operation, rows: usize) -> usize {
        let scalars = lines_for::<Scalar>(rows);
        let keys = lines_for::<PublicKey>(rows);
        let found = lines_for::<RecoveredPoint>(rows) + lines_for::<FieldElement>(rows);
        match operation {
            Operation::VerifyEcdsa => lines_for::<CheckedEcdsa<'_>>(rows) + scalars,
            Operation::VerifySchnorr => found,
            Operation::Recover => lines_for::<RecoveryOrFault<'_>>(rows) + scalars + found,
            Operation::PublicKeys | Operation::TweakAddPublic => lines_of_normalize(rows),
            Operation::SignEcdsa | Operation::SignSchnorr => scalars + keys + lines_of_normalize(rows),
            Operation::SharedSecrets => keys + lines_of_normalize(rows),
            Operation::Decompress => 0,
        }
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
        verify_ecdsa(rows, low_s, out, memory);
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], out: &mut [Verdict], memory: &mut Lines) {
        with_room(memory, self.lines(Operation::VerifySchnorr, rows.len()), |lists, _| {
            let points = lists.collect(rows.iter().map(|row| schnorr::row_nonce_point(Unit::OneLane, row)));
            let points = affine(&points, Error::InvalidSignature, lists);
            assert_eq!(points.len(), out.len(), "a verdict for each row");
            for (point, out) in points.zip(out) {
                *out = point.and_then(|point| Error::check_equation(schnorr::is_even(&point))).into();
            }
        });
    }

    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut FoundKeys, memory: &mut Lines) {
        recover(rows, out, memory);
    }

    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines) {
        with_room(memory, self.lines(Operation::PublicKeys, secrets.len()), |lists, _| {
            normalize(secrets.iter().map(|secret| mul::mul_generator_ct(Unit::OneLane, secret.scalar())), out, lists);
        });
    }

    fn sign_ecdsa(
        &self,
        digests: &[[u8; 32]],
        secrets: &[SecretKey],
        out: &mut [ecdsa::Signature],
        memory: &mut Lines,
    ) {
        let rows = || digests.iter().zip(secrets);
        with_room(memory, self.lines(Operation::SignEcdsa, secrets.len()), |lists, _| {
            let mut nonces = lists.collect(rows().map(|(digest, secret)| ecdsa::first_nonce(digest, secret)));
            let mut points = lists.filled(nonces.len(), PublicKey::GENERATOR);
            normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::OneLane, nonce)), &mut points, lists);
            batch_invert(&mut nonces);
            for (((digest, secret), (inverse, point)), out) in rows().zip(nonces.iter().zip(points.iter())).zip(out) {
                // The first nonce fails with probability 2^-256; the single operation goes on to the next.
                *out = ecdsa::finish(digest, secret, inverse, point)
                    .map_or_else(|| ecdsa::sign(digest, secret), |(signature, _)| signature);
            }
        });
    }

    fn sign_schnorr(&self, rows: SchnorrSecrets<'_>, out: &mut [schnorr::Signature], memory: &mut Lines) {
        let SchnorrSecrets { messages, pairs, aux } = rows;
        let rows = || messages.iter().zip(pairs);
        with_room(memory, self.lines(Operation::SignSchnorr, pairs.len()), |lists, _| {
            let derive =
                |((message, pair), aux): ((&&[u8], _), _)| schnorr::Nonce::derive(BuiltIn, message, pair, aux).0;
            let nonces = lists.collect(rows().zip(aux).map(derive));
            let mut points = lists.filled(nonces.len(), PublicKey::GENERATOR);
            normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::OneLane, nonce)), &mut points, lists);
            for (((message, pair), (nonce, point)), out) in rows().zip(nonces.iter().zip(points.iter())).zip(out) {
                *out = schnorr::finish(BuiltIn, message, pair, nonce, point);
            }
        });
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]], memory: &mut Lines) {
        let rows = publics.iter().zip(secrets);
        with_room(memory, self.lines(Operation::SharedSecrets, secrets.len()), |lists, _| {
            let mut shared = lists.filled(rows.len(), PublicKey::GENERATOR);
            let point = |(public, secret): (&PublicKey, &SecretKey)| {
                mul::mul_point_ct(Unit::OneLane, &public.affine(), secret.scalar())
            };
            normalize(rows.map(point), &mut shared, lists);
            for (point, out) in shared.iter().zip(out) {
                *out = ecdh::hash_point(point);
            }
        });
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut FoundKeys, memory: &mut Lines) {
        // Tweaks may be secret, and so are the ways to their points. What is no scalar gives the error that infinity
        // gives.
        let sum =
            |(key, tweak): (&PublicKey, _)| key.tweak_add_point(Unit::OneLane, tweak).unwrap_or(Jacobian::infinity());
        with_room(memory, self.lines(Operation::TweakAddPublic, keys.len()), |lists, _| {
            let points = lists.collect(keys.iter().zip(tweaks).map(sum));
            let mut inverses = lists.filled(points.len(), FieldElement::ZERO);
            for ((affine, point), out) in group::to_affine_batch(&points, &mut inverses).zip(points.iter()).zip(out) {
                // Whether the result is a key is what the caller asked.
                let none = declassify(point.is_infinity().any());
                *out = if none { Err(Error::BadTweak) } else { Ok(PublicKey::from_affine(affine)) };
            }
        });
    }

    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>], _: &mut Lines) {
        assert_eq!(x.len(), out.len(), "an answer for each x");
        for ((x, odd), out) in x.iter().zip(out) {
            *out = PublicKey::lift(*x, *odd).ok();
        }
    }

    fn decompress(&self, encoded: &[&[u8]], out: &mut FoundKeys, _: &mut Lines) {
        assert_eq!(encoded.len(), out.len(), "an answer for each key");
        for (bytes, out) in encoded.iter().zip(out) {
            *out = PublicKey::from_bytes(bytes);
        }
    }
}

/// [`ecdsa::verify_row`] on each row.
fn verify_ecdsa<'env>(rows: &[ecdsa::Row<'env>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
    with_room(memory, Portable.lines(Operation::VerifyEcdsa, rows.len()), |lists, _| {
        let rows = lists.collect::<CheckedEcdsa<'env>>(rows.iter().map(|row| ecdsa::check_row(row, low_s)));
        let inverses = inverses(&rows, ecdsa::CheckedRow::denominator, lists);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "a verdict for each row");
        for ((row, inverse), out) in rows.iter().zip(inverses.iter()).zip(out) {
            *out = row.and_then(|row| row.decide_with(Unit::OneLane, inverse)).into();
        }
    });
}

/// [`ecdsa::recover_row`] on each row.
fn recover<'env>(rows: &[ecdsa::RecoverRow<'env>], out: &mut FoundKeys, memory: &mut Lines) {
    with_room(memory, Portable.lines(Operation::Recover, rows.len()), |lists, _| {
        let rows = lists.collect::<RecoveryOrFault<'env>>(rows.iter().map(ecdsa::read_recover_row));
        let inverses = inverses(&rows, ecdsa::Recovery::denominator, lists);
        assert_eq!([rows.len(), inverses.len()], [out.len(); 2], "an answer for each row");
        let find = |(row, inverse): (&RecoveryOrFault<'env>, _)| (*row)?.find_with(Unit::OneLane, inverse);
        let points = lists.collect(rows.iter().zip(inverses.iter()).map(find));
        for (point, out) in affine(&points, Error::InvalidSignature, lists).zip(out) {
            *out = point.map(PublicKey::from_affine);
        }
    });
}

/// The inverse of each row's denominator, and zero for rows that have failed already.
fn inverses<'a, T>(
    rows: &[Result<T, Error>],
    denominator: fn(&T) -> Scalar,
    lists: &mut Lists<'a, '_>,
) -> List<'a, Scalar> {
    let mut values = lists.collect(rows.iter().map(|row| row.as_ref().map_or(Scalar::ZERO, denominator)));
    batch_invert(&mut values);
    values
}

/// The affine form of each point there is, by shared inversions, and the error for each that is infinity. For public
/// points.
fn affine<'a>(
    points: &[RecoveredPoint],
    infinity: Error,
    lists: &mut Lists<'a, '_>,
) -> impl ExactSizeIterator<Item = Result<Affine, Error>> {
    let z = |point: &RecoveredPoint| point.map_or(FieldElement::ZERO, |point| FieldElement::from_fe(point.z));
    let mut inverses = lists.collect(points.iter().map(z));
    batch_invert(&mut inverses);
    assert_eq!(points.len(), inverses.len(), "an inverse for each point");
    points.iter().enumerate().map(move |(i, point)| {
        let (point, inverse) = ((*point)?, inverses[i]);
        if inverse.is_zero().into() { Err(infinity) } else { Ok(point.to_affine_with(inverse.to_fe()).normalize()) }
    })
}

/// Affine coordinates of finite points, by shared inversions. Constant time. The Z of a point tells of the way to it,
/// which is secret, and is wiped with the lists.
fn normalize(points: impl ExactSizeIterator<Item = Jacobian>, out: &mut [PublicKey], lists: &mut Lists<'_, '_>) {
    let points = lists.collect(points);
    let mut inverses = lists.filled(points.len(), FieldElement::ZERO);
    for (point, out) in group::to_affine_batch(&points, &mut inverses).zip(out) {
        *out = PublicKey::from_affine(point);
    }
}
