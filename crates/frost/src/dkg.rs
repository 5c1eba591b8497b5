//! Key generation without a dealer, in the three parts of RFC 9591's companion (Komlo and Goldberg, FROST, 2020,
//! figure 1) as the crates `frost-secp256k1` and `frost-secp256k1-tr` have them.
//!
//! 1. [`begin`]: each participant draws a polynomial and announces a commitment to it, with a proof that it knows its
//!    secret. All announcements must reach all participants unchanged: this is what the caller's broadcast is for.
//! 2. [`Announced::deal`]: each checks the announcements, and sends every other participant a share of its polynomial,
//!    in secret.
//! 3. [`Dealt::finish`]: each checks the shares that it got, all by one sum, and adds them up.

use crate::{
    Commitment, Error, Group, Identifier, KeyShare, Signature, Suite,
    equations::Equations,
    polynomial::{Polynomial, powers},
    wipe::cleared,
};
use alloc::vec::Vec;
use core::fmt;
use phalanx::{Bulk, Scalar, SecretKey};
use zeroize::Zeroizing;

/// What a participant announces to all: its commitment, and the proof that it knows the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    commitment: Commitment,
    proof: Signature,
}

impl Announcement {
    /// From its parts, as `frost-core` sends them.
    pub fn new(commitment: Commitment, proof: Signature) -> Self {
        Announcement { commitment, proof }
    }

    /// Reads a commitment with the proof behind it, which has the form of a signature.
    ///
    /// # Errors
    /// [`Error::BadEncoding`]. [`Error::NotInSuite`] for BIP-445.
    pub fn from_bytes(suite: Suite, bytes: &[u8], bulk: &Bulk) -> Result<Self, Error> {
        suite.hashes()?;
        let proof = if suite.is_x_only() { 64 } else { 65 };
        let split = bytes.len().checked_sub(proof).ok_or(Error::BadEncoding)?;
        let (commitment, proof) = bytes.split_at(split);
        let proof = Signature::from_bytes(suite, proof)?;
        Ok(Announcement { commitment: Commitment::from_bytes(commitment, bulk)?, proof })
    }

    /// As [`Announcement::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.commitment.to_bytes(), self.proof.to_bytes()].concat()
    }

    /// The commitment.
    pub fn commitment(&self) -> &Commitment {
        &self.commitment
    }

    /// The proof.
    pub fn proof(&self) -> &Signature {
        &self.proof
    }
}

/// A share of one participant's polynomial for another, to be sent in secret. It wipes itself.
#[derive(Clone)]
pub struct DealtShare(Zeroizing<Scalar>);

impl DealtShare {
    /// From 32 big-endian bytes. Constant time.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another length, and for numbers that are not below the group order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Scalar::from_bytes(bytes).map(|share| DealtShare(Zeroizing::new(share))).map_err(|_| Error::BadEncoding)
    }

    /// As [`DealtShare::from_bytes`] reads it. The caller should wipe it.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }
}

impl fmt::Debug for DealtShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealtShare(..)")
    }
}

/// A participant after part 1. It holds a secret, which wipes itself.
pub struct Announced {
    suite: Suite,
    identifier: Identifier,
    polynomial: Polynomial,
    announcement: Announcement,
}

/// Part 1: draws a polynomial. Constant time in it.
///
/// # Errors
/// [`Error::BadThreshold`] for zero. [`Error::NotInSuite`] for BIP-445, which leaves key generation to others.
///
/// # Panics
/// If the operating system has no randomness to give.
pub fn begin(
    suite: Suite,
    identifier: Identifier,
    threshold: usize,
    bulk: &Bulk,
) -> Result<(Announced, Announcement), Error> {
    if threshold == 0 {
        return Err(Error::BadThreshold);
    }
    announce(suite, identifier, Polynomial::random(SecretKey::random(), threshold), bulk)
}

/// As [`begin`], with the coefficients chosen by the caller, that of x^0 first: for published vectors.
///
/// # Errors
/// As [`begin`].
///
/// # Panics
/// As [`begin`].
pub fn begin_with_coefficients(
    suite: Suite,
    identifier: Identifier,
    coefficients: &[SecretKey],
    bulk: &Bulk,
) -> Result<(Announced, Announcement), Error> {
    if coefficients.is_empty() {
        return Err(Error::BadThreshold);
    }
    announce(suite, identifier, Polynomial::new(coefficients.to_vec()), bulk)
}

fn announce(
    suite: Suite,
    identifier: Identifier,
    polynomial: Polynomial,
    bulk: &Bulk,
) -> Result<(Announced, Announcement), Error> {
    let hashes = suite.hashes()?;
    let commitment = polynomial.commit(bulk);
    let secret = SecretKey::random();
    let nonce = secret.public_key();
    // A proof whose nonce is sent by its x coordinate has a nonce with even y.
    let (secret, nonce) =
        if suite.is_x_only() && nonce.x_only().1 { (secret.negate(), nonce.negate()) } else { (secret, nonce) };
    let challenge = hashes.proof(&identifier, &commitment.key(), &nonce);
    let z = cleared(|| {
        let [nonce, secret] = [&secret, polynomial.secret()].map(|secret| Zeroizing::new(Scalar::from(secret)));
        *nonce + challenge * *secret
    });
    let announcement = Announcement { commitment, proof: Signature::new(suite, nonce, z) };
    Ok((Announced { suite, identifier, polynomial, announcement: announcement.clone() }, announcement))
}

impl Announced {
    /// Part 2: checks the announcements of all others, all proofs by one sum, and deals each a share. Constant time in
    /// the polynomial.
    ///
    /// # Errors
    /// [`Error::BadProofs`] and [`Error::BadCommitments`] with every culprit, [`Error::Duplicate`], also for this
    /// participant itself, and [`Error::TooFew`].
    pub fn deal(
        self,
        others: &[(Identifier, Announcement)],
        bulk: &Bulk,
    ) -> Result<(Dealt, Vec<(Identifier, DealtShare)>), Error> {
        let threshold = self.announcement.commitment.threshold();
        Error::refuse_duplicates(others.iter().map(|(identifier, _)| *identifier).chain([self.identifier]))?;
        if others.len() + 1 < threshold {
            return Err(Error::TooFew { threshold, given: others.len() + 1 });
        }
        let wrong = |(_, announcement): &&(Identifier, Announcement)| announcement.commitment.threshold() != threshold;
        let culprits: Vec<Identifier> = others.iter().filter(wrong).map(|(identifier, _)| *identifier).collect();
        if !culprits.is_empty() {
            return Err(Error::BadCommitments(culprits));
        }
        self.check_proofs(others, bulk)?;
        let deal = |identifier: &Identifier| DealtShare(self.polynomial.at(identifier));
        let dealt = cleared(|| others.iter().map(|(identifier, _)| (*identifier, deal(identifier))).collect());
        let own = cleared(|| deal(&self.identifier));
        let Announced { suite, identifier, announcement, .. } = self;
        Ok((Dealt { suite, identifier, own, commitment: announcement.commitment, others: others.to_vec() }, dealt))
    }

    fn check_proofs(&self, others: &[(Identifier, Announcement)], bulk: &Bulk) -> Result<(), Error> {
        let hashes = self.suite.hashes()?;
        let mut equations = Equations::with_room(others.len(), 2);
        for (identifier, Announcement { commitment, proof }) in others {
            let challenge = hashes.proof(identifier, &commitment.key(), &proof.nonce());
            equations.push(-proof.z(), [(Scalar::ONE, proof.nonce()), (challenge, commitment.key())]);
        }
        let culprits = named(equations.culprits(bulk), others);
        if culprits.is_empty() { Ok(()) } else { Err(Error::BadProofs(culprits)) }
    }
}

fn named<T>(places: Vec<usize>, all: &[(Identifier, T)]) -> Vec<Identifier> {
    places.into_iter().map(|place| all[place].0).collect()
}

impl fmt::Debug for Announced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announced").field("identifier", &self.identifier).finish_non_exhaustive()
    }
}

/// A participant after part 2. It holds a secret, which wipes itself.
pub struct Dealt {
    suite: Suite,
    identifier: Identifier,
    own: DealtShare,
    commitment: Commitment,
    others: Vec<(Identifier, Announcement)>,
}

impl Dealt {
    /// Part 3: checks the shares that all others dealt to this participant, and adds them up. For [`Suite::Taproot`] the
    /// key is the taproot output key without scripts, as in `frost-secp256k1-tr`. Constant time in the shares.
    ///
    /// The participants must compare their groups before they use them.
    ///
    /// # Errors
    /// [`Error::BadDealings`] with every culprit, [`Error::Unknown`], [`Error::Duplicate`], [`Error::Missing`].
    /// [`Error::InconsistentGroup`] if a sum is infinity.
    pub fn finish(self, dealt: &[(Identifier, DealtShare)], bulk: &Bulk) -> Result<(KeyShare, Group), Error> {
        let shares = self.in_order(dealt)?;
        let threshold = self.commitment.threshold();
        let powers: Vec<Scalar> = powers(&self.identifier).take(threshold).collect();
        let mut equations = Equations::of_secrets(self.others.len(), threshold);
        cleared(|| {
            for ((_, announcement), share) in self.others.iter().zip(&shares) {
                let terms = powers.iter().copied().zip(announcement.commitment.points().iter().copied());
                equations.push(-*share.0, terms);
            }
        });
        let culprits = named(equations.culprits(bulk), &self.others);
        if !culprits.is_empty() {
            return Err(Error::BadDealings(culprits));
        }
        let secret = cleared(|| {
            let sum = shares.iter().fold(self.own.0.clone(), |sum, share| Zeroizing::new(*sum + *share.0));
            SecretKey::try_from(*sum).map_err(|_| Error::InconsistentGroup)
        })?;
        let group = self.group(bulk)?;
        let share = KeyShare::new(&group, self.identifier, secret)?;
        match self.suite {
            Suite::Taproot => Ok((share.taproot(None)?, group.taproot(None, bulk)?)),
            _ => Ok((share, group)),
        }
    }

    fn group(&self, bulk: &Bulk) -> Result<Group, Error> {
        let others = self.others.iter().map(|(_, announcement)| &announcement.commitment);
        let all: Vec<&Commitment> = others.chain([&self.commitment]).collect();
        let sum = Commitment::sum(&all)?;
        let participants: Vec<Identifier> =
            self.others.iter().map(|(identifier, _)| *identifier).chain([self.identifier]).collect();
        let shares = sum.verifying_shares(&participants, bulk)?;
        let shares = participants.into_iter().zip(shares).collect();
        Group::of_polynomial(self.suite, sum.threshold(), sum.key(), shares)
    }

    /// The shares in order of the other participants.
    fn in_order<'a>(&self, dealt: &'a [(Identifier, DealtShare)]) -> Result<Vec<&'a DealtShare>, Error> {
        Error::refuse_duplicates(dealt.iter().map(|(identifier, _)| *identifier))?;
        let known = |identifier: &Identifier| self.others.iter().any(|(other, _)| other == identifier);
        if let Some((stranger, _)) = dealt.iter().find(|(identifier, _)| !known(identifier)) {
            return Err(Error::Unknown(*stranger));
        }
        let share = |(identifier, _): &(Identifier, Announcement)| {
            let share = dealt.iter().find(|(sender, _)| sender == identifier);
            share.map(|(_, share)| share).ok_or(Error::Missing(*identifier))
        };
        self.others.iter().map(share).collect()
    }
}

impl fmt::Debug for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealt").field("identifier", &self.identifier).finish_non_exhaustive()
    }
}
