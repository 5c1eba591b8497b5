//! Secret polynomials, and commitments to them.

use crate::{Error, Identifier, declassify::public_keys, equations::public_multiple};
use alloc::vec::Vec;
use phalanx::{Bulk, Point, PublicKey, Scalar, SecretKey, msm::Msm};
use zeroize::Zeroizing;

/// A polynomial whose value at zero is a secret. Wiped when it is dropped.
pub(crate) struct Polynomial(Vec<SecretKey>);

impl Polynomial {
    /// The secret with random coefficients behind it, `threshold` in all.
    pub(crate) fn random(secret: SecretKey, threshold: usize) -> Self {
        Polynomial(core::iter::once(secret).chain((1..threshold).map(|_| SecretKey::random())).collect())
    }

    /// The coefficients, that of x^0 first.
    pub(crate) fn new(coefficients: Vec<SecretKey>) -> Self {
        Polynomial(coefficients)
    }

    pub(crate) fn secret(&self) -> &SecretKey {
        &self.0[0]
    }

    /// The value at a participant's place. Constant time in the coefficients.
    pub(crate) fn at(&self, participant: &Identifier) -> Zeroizing<Scalar> {
        let x = participant.scalar();
        let horner = |sum: Scalar, coefficient: &SecretKey| sum * x + Scalar::from(coefficient);
        Zeroizing::new(self.0.iter().rev().fold(Scalar::ZERO, horner))
    }

    pub(crate) fn commit(&self, bulk: &Bulk) -> Commitment {
        Commitment(public_keys(&self.0, bulk))
    }
}

/// The coefficients of a secret polynomial as multiples of the generator, that of x^0 first: what shares are checked by
/// (Feldman's verifiable secret sharing). There are as many as the threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commitment(Vec<PublicKey>);

impl Commitment {
    /// From compressed points of 33 bytes, one after another.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] if there is none, if bytes are left over, or if one is no point.
    pub fn from_bytes(bytes: &[u8], bulk: &Bulk) -> Result<Self, Error> {
        let (points, rest) = bytes.as_chunks::<33>();
        if points.is_empty() || !rest.is_empty() {
            return Err(Error::BadEncoding);
        }
        let points: Vec<&[u8]> = points.iter().map(|point| &point[..]).collect();
        let points: Result<_, _> = bulk.decompress(&points).into_iter().collect();
        points.map(Commitment).map_err(|_| Error::BadEncoding)
    }

    /// As [`Commitment::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(PublicKey::to_bytes).collect()
    }

    /// The number of participants who can sign.
    pub fn threshold(&self) -> usize {
        self.0.len()
    }

    /// The secret's public key.
    pub fn key(&self) -> PublicKey {
        self.0[0]
    }

    pub(crate) fn points(&self) -> &[PublicKey] {
        &self.0
    }

    /// The commitment to the sum of the polynomials, which have one length.
    pub(crate) fn sum(all: &[&Commitment]) -> Result<Commitment, Error> {
        let column = |place: usize| {
            let points: Vec<PublicKey> = all.iter().map(|commitment| commitment.0[place]).collect();
            PublicKey::combine_keys(&points).map_err(|_| Error::InconsistentGroup)
        };
        (0..all[0].0.len()).map(column).collect::<Result<_, _>>().map(Commitment)
    }

    /// What the share of each participant is as a multiple of the generator.
    pub(crate) fn verifying_shares(&self, participants: &[Identifier], bulk: &Bulk) -> Result<Vec<PublicKey>, Error> {
        let msm = Msm::with(bulk);
        let share = |participant: &Identifier| {
            let powers: Vec<Scalar> = powers(participant).take(self.0.len()).collect();
            let share = msm.sum_of_products(&powers, &self.0).expect("equal lengths");
            PublicKey::try_from(share).map_err(|_| Error::InconsistentGroup)
        };
        participants.iter().map(share).collect()
    }

    /// Whether a secret is the share of this participant. Constant time in the secret.
    pub(crate) fn holds(&self, participant: &Identifier, share: &Scalar, bulk: &Bulk) -> bool {
        let powers: Vec<Scalar> = powers(participant).take(self.0.len()).collect();
        let expected: Point = Msm::with(bulk).sum_of_products(&powers, &self.0).expect("equal lengths");
        expected == public_multiple(*share)
    }
}

/// 1, x, x^2 and so on at a participant's place.
pub(crate) fn powers(participant: &Identifier) -> impl Iterator<Item = Scalar> + use<> {
    let x = participant.scalar();
    core::iter::successors(Some(Scalar::ONE), move |power| Some(*power * x))
}
