//! A participant.

use super::{
    Params, check_certificate,
    encryption::{Pads, for_receiving, for_sending, without},
    hash, identifier,
    messages::{Parts, Refused, Relayed, point_bytes},
    proof, sign_certificate,
};
use crate::{Error, Group, Identifier, KeyShare, equations::public_multiple, polynomial::Polynomial, wipe::cleared};
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use phalanx::{Bulk, Point, PublicKey, Scalar, SecretKey};
use zeroize::Zeroizing;

/// A participant after step 1. Its secrets are its host key, which comes again with step 2.
#[derive(Debug)]
pub struct Participant {
    params: Params,
    place: usize,
    nonce: [u8; 33],
    commitment: PublicKey,
}

/// Step 1: the participant of this host key draws a polynomial from the randomness, which must be fresh. Answers the
/// message for the coordinator. Constant time in the key and the randomness.
///
/// # Errors
/// [`Error::ForeignHostKey`] if the key is not one of the session's. [`Error::BadEncoding`] for randomness of zeros.
/// [`Error::BadIdentifier`] if a hash is no secret key, for which no randomness is known.
pub fn begin(
    host: &SecretKey,
    params: &Params,
    randomness: &[u8; 32],
    bulk: &Bulk,
) -> Result<(Participant, Vec<u8>), Error> {
    let place = params.place(&host.public_key())?;
    // Whether it is zero modulo the order is all that becomes known of the randomness.
    if cleared(|| SecretKey::try_from(Scalar::from_bytes_reduced(randomness)).is_err()) {
        return Err(Error::BadEncoding);
    }
    let host_bytes = Zeroizing::new(host.to_bytes());
    let seed = Zeroizing::new(hash(b"encpedpop seed", &[&host_bytes[..], randomness, &params.context()]));
    let secret = |tag: &[u8], number: &[u8]| {
        SecretKey::from_bytes(&*Zeroizing::new(hash(tag, &[&seed[..], number]))).map_err(|_| Error::BadIdentifier)
    };
    let nonce = secret(b"encpedpop secnonce", &[])?;
    let coefficient = |number: usize| secret(b"vss coeffs", &(number as u32).to_be_bytes());
    let polynomial = Polynomial::new((0..params.threshold).map(coefficient).collect::<Result<_, _>>()?);
    let aux = Zeroizing::new(hash(b"simplpedpop aux", &[&seed[..]]));
    let proof = proof::prove(polynomial.secret(), place, &aux)?;
    let commitment = polynomial.commit(bulk);
    let pads = for_sending(params, place, host, &nonce, bulk);
    let mut message = commitment.to_bytes();
    message.extend_from_slice(&proof);
    let nonce = nonce.public_key().to_bytes();
    message.extend_from_slice(&nonce);
    cleared(|| {
        for (receiver, pad) in pads.iter().enumerate() {
            message.extend_from_slice(&(*polynomial.at(&identifier(receiver)) + pad).to_bytes());
        }
    });
    Ok((Participant { params: params.clone(), place, nonce, commitment: commitment.key() }, message))
}

/// Why step 2 fails.
#[derive(Debug)]
#[non_exhaustive]
pub enum StepError {
    /// An error that names whom it can.
    Error(Error),
    /// The share is wrong, and the coordinator can help to find out whose fault it is.
    Unknown(Box<Investigation>),
}

impl From<Error> for StepError {
    fn from(error: Error) -> Self {
        StepError::Error(error)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Error(error) => error.fmt(f),
            StepError::Unknown(_) => f.write_str("the share is wrong, and nobody is known to be to blame"),
        }
    }
}

impl core::error::Error for StepError {}

impl Participant {
    /// Step 2: decrypts and checks the share, from the coordinator's message. All proofs are checked by one sum. Answers
    /// the signature for the coordinator. Constant time in the key.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for a message of another length, [`Error::ForeignHostKey`], [`Error::FaultyCoordinator`].
    /// [`Error::BadMessages`] and [`Error::BadProofs`] name participants; it may be that the coordinator cheats.
    /// [`StepError::Unknown`] if the share does not belong to the commitments.
    pub fn step2(
        self,
        host: &SecretKey,
        message: &[u8],
        aux: &[u8; 32],
        bulk: &Bulk,
    ) -> Result<(Certified, [u8; 64]), StepError> {
        let Participant { params, place, .. } = &self;
        if host.public_key() != params.hosts()[*place] {
            return Err(Error::ForeignHostKey.into());
        }
        let relayed = Relayed::read(params, message).map_err(|refused| match refused {
            Refused::Length => Error::BadEncoding,
            Refused::Content => Error::FaultyCoordinator,
        })?;
        if relayed.nonces[*place] != self.nonce {
            return Err(Error::FaultyCoordinator.into());
        }
        let pads = for_receiving(params, *place, host, &relayed.nonces, bulk)?;
        if point_bytes(&relayed.secrets[*place]) != self.commitment.to_bytes() {
            return Err(Error::FaultyCoordinator.into());
        }
        self.check_proofs(&relayed, bulk)?;
        let encrypted = relayed.shares[*place];
        let plain = cleared(|| without(encrypted, &pads));
        let sum = relayed.sum();
        let expected = sum.share(*place, bulk);
        if public_multiple(*plain) != expected {
            let investigation = Investigation { place: *place, encrypted, pads, expected };
            return Err(StepError::Unknown(Box::new(investigation)));
        }
        let group = sum.group(params.count(), bulk)?;
        let tweak = sum.tweak()?;
        let secret = cleared(|| SecretKey::try_from(*Zeroizing::new(*plain + tweak)));
        let secret = secret.map_err(|_| Error::InconsistentGroup)?;
        let share = KeyShare::new(&group, identifier(*place), secret)?;
        let seen = relayed.seen(params);
        let signature = sign_certificate(host, *place, &seen, aux);
        Ok((Certified { params: self.params, share, group, seen }, signature))
    }

    fn check_proofs(&self, relayed: &Relayed, bulk: &Bulk) -> Result<(), Error> {
        let mut proofs = Vec::new();
        let mut infinite = Vec::new();
        for (place, (secret, proof)) in relayed.secrets.iter().zip(&relayed.proofs).enumerate() {
            match PublicKey::try_from(secret) {
                _ if place == self.place => {}
                Ok(key) => proofs.push((place, *proof, key)),
                Err(_) => infinite.push(identifier(place)),
            }
        }
        if !infinite.is_empty() {
            return Err(Error::BadMessages(infinite));
        }
        let culprits = proof::culprits(&proofs, bulk);
        if culprits.is_empty() { Ok(()) } else { Err(Error::BadProofs(culprits)) }
    }
}

/// A participant after step 2. Its share is not to be used before [`Certified::finish`].
#[derive(Debug)]
pub struct Certified {
    params: Params,
    share: KeyShare,
    group: Group,
    seen: Vec<u8>,
}

impl Certified {
    /// Step 3: the coordinator's certificate shows that all participants saw the same. Answers also the recovery data, to
    /// be kept. After an error this may be called again with another certificate.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another length. [`Error::FaultyCoordinator`] if a signature does not hold.
    pub fn finish(&self, certificate: &[u8], bulk: &Bulk) -> Result<(KeyShare, Group, Vec<u8>), Error> {
        let (signatures, rest) = certificate.as_chunks::<64>();
        if signatures.len() != self.params.count() || !rest.is_empty() {
            return Err(Error::BadEncoding);
        }
        if !check_certificate(&self.params, &self.seen, signatures, bulk).is_empty() {
            return Err(Error::FaultyCoordinator);
        }
        Ok((self.share.clone(), self.group.clone(), [&self.seen[..], certificate].concat()))
    }
}

/// What a participant knows of a wrong share. It wipes itself.
pub struct Investigation {
    place: usize,
    encrypted: Scalar,
    pads: Pads,
    expected: Point,
}

impl Investigation {
    /// Who is to blame, by the coordinator's message of [`investigation_messages`](super::investigation_messages).
    ///
    /// # Errors
    /// Always one: [`Error::BadDealings`] with the participant whose share is wrong, unless the coordinator cheats;
    /// [`Error::FaultyCoordinator`] if the coordinator certainly does; [`Error::BadEncoding`] for another length.
    pub fn culprit(&self, message: &[u8]) -> Error {
        let parts = match Parts::read(self.pads.len(), message) {
            Ok(parts) => parts,
            Err(Refused::Length) => return Error::BadEncoding,
            Err(Refused::Content) => return Error::FaultyCoordinator,
        };
        let points = parts.points.iter().fold(Point::IDENTITY, |sum, point| sum + point);
        let shares = parts.shares.iter().fold(Scalar::ZERO, |sum, share| sum + share);
        if points != self.expected || shares != self.encrypted {
            return Error::FaultyCoordinator;
        }
        let holds = |place: &usize| public_multiple(parts.shares[*place] - self.pads[*place]) == parts.points[*place];
        let wrong: Vec<usize> = (0..self.pads.len()).filter(|place| !holds(place)).collect();
        if wrong.is_empty() || wrong.contains(&self.place) {
            return Error::FaultyCoordinator;
        }
        let culprits: Vec<Identifier> = wrong.into_iter().map(identifier).collect();
        Error::BadDealings(culprits)
    }
}

impl fmt::Debug for Investigation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Investigation").field("place", &self.place).finish_non_exhaustive()
    }
}
