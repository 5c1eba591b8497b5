//! The bytes of the messages. Their lengths follow from the parameters of the session.

use super::{Params, SumOfCommitments};
use crate::Error;
use alloc::vec::Vec;
use phalanx::{Point, PublicKey, Scalar};

/// A point that may be infinity: 33 zeros.
pub(super) fn point(bytes: &[u8; 33]) -> Result<Point, Error> {
    match bytes {
        [0, ..] if bytes.iter().all(|byte| *byte == 0) => Ok(Point::IDENTITY),
        _ => PublicKey::from_bytes(bytes).map(Point::from).map_err(|_| Error::BadEncoding),
    }
}

pub(super) fn point_bytes(point: &Point) -> [u8; 33] {
    PublicKey::try_from(point).map_or([0; 33], |point| point.to_bytes())
}

fn points(bytes: &[u8]) -> Result<Vec<Point>, Error> {
    bytes.as_chunks::<33>().0.iter().map(point).collect()
}

fn scalars(bytes: &[u8]) -> Result<Vec<Scalar>, Error> {
    bytes.as_chunks::<32>().0.iter().map(|bytes| Scalar::from_bytes(bytes).map_err(|_| Error::BadEncoding)).collect()
}

/// Why a message is refused: its length, which is no participant's fault alone, or what stands in it.
pub(super) enum Refused {
    Length,
    Content,
}

/// Splits bytes into parts of these lengths, which must be all of it.
fn split<const N: usize>(bytes: &[u8], lengths: [usize; N]) -> Result<[&[u8]; N], Refused> {
    if bytes.len() != lengths.iter().sum::<usize>() {
        return Err(Refused::Length);
    }
    let mut rest = bytes;
    Ok(lengths.map(|length| {
        let (part, after) = rest.split_at(length);
        rest = after;
        part
    }))
}

/// A participant's first message.
pub(super) struct First {
    pub(super) commitment: Vec<Point>,
    pub(super) proof: [u8; 64],
    pub(super) nonce: [u8; 33],
    pub(super) shares: Vec<Scalar>,
}

impl First {
    pub(super) fn read(params: &Params, bytes: &[u8]) -> Result<Self, Refused> {
        let [commitment, proof, nonce, shares] = split(bytes, [33 * params.threshold, 64, 33, 32 * params.count()])?;
        Ok(First {
            commitment: points(commitment).map_err(|_| Refused::Content)?,
            proof: proof.try_into().expect("64 bytes"),
            nonce: nonce.try_into().expect("33 bytes"),
            shares: scalars(shares).map_err(|_| Refused::Content)?,
        })
    }
}

/// The coordinator's first message.
pub(super) struct Relayed {
    /// Each participant's commitment to its secret.
    pub(super) secrets: Vec<Point>,
    /// The sums of the other parts of the commitments.
    pub(super) others: Vec<Point>,
    pub(super) proofs: Vec<[u8; 64]>,
    pub(super) nonces: Vec<[u8; 33]>,
    pub(super) shares: Vec<Scalar>,
}

impl Relayed {
    pub(super) fn read(params: &Params, bytes: &[u8]) -> Result<Self, Refused> {
        let count = params.count();
        let [secrets, others, proofs, nonces, shares] =
            split(bytes, [33 * count, 33 * (params.threshold - 1), 64 * count, 33 * count, 32 * count])?;
        Ok(Relayed {
            secrets: points(secrets).map_err(|_| Refused::Content)?,
            others: points(others).map_err(|_| Refused::Content)?,
            proofs: proofs.as_chunks::<64>().0.to_vec(),
            nonces: nonces.as_chunks::<33>().0.to_vec(),
            shares: scalars(shares).map_err(|_| Refused::Content)?,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.secrets.iter().chain(&self.others).flat_map(point_bytes).collect();
        bytes.extend(self.proofs.as_flattened());
        bytes.extend(self.nonces.as_flattened());
        bytes.extend(self.shares.iter().flat_map(Scalar::to_bytes));
        bytes
    }

    pub(super) fn sum(&self) -> SumOfCommitments {
        let secret = self.secrets.iter().fold(Point::IDENTITY, |sum, point| sum + point);
        SumOfCommitments([&[secret][..], &self.others].concat())
    }

    /// What all must see alike: the threshold, the sum of the commitments, host keys, nonces and encrypted shares.
    pub(super) fn seen(&self, params: &Params) -> Vec<u8> {
        let mut bytes = (params.threshold as u32).to_be_bytes().to_vec();
        bytes.extend(self.sum().to_bytes());
        bytes.extend(params.hosts.iter().flat_map(PublicKey::to_bytes));
        bytes.extend(self.nonces.as_flattened());
        bytes.extend(self.shares.iter().flat_map(Scalar::to_bytes));
        bytes
    }
}

/// What the coordinator tells a participant in an investigation: the encrypted share from each participant, and what it
/// is as a multiple of the generator by the sender's commitment.
pub(super) struct Parts {
    pub(super) shares: Vec<Scalar>,
    pub(super) points: Vec<Point>,
}

impl Parts {
    pub(super) fn read(count: usize, bytes: &[u8]) -> Result<Self, Refused> {
        let [shares, parts] = split(bytes, [32 * count, 33 * count])?;
        Ok(Parts {
            shares: scalars(shares).map_err(|_| Refused::Content)?,
            points: points(parts).map_err(|_| Refused::Content)?,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let shares = self.shares.iter().flat_map(Scalar::to_bytes);
        shares.chain(self.points.iter().flat_map(point_bytes)).collect()
    }
}

/// Recovery data: what all saw, and the certificate.
pub(super) struct Recovery<'b> {
    pub(super) threshold: usize,
    pub(super) sum: SumOfCommitments,
    pub(super) hosts: &'b [[u8; 33]],
    pub(super) nonces: &'b [[u8; 33]],
    pub(super) shares: Vec<Scalar>,
    pub(super) seen: &'b [u8],
    pub(super) signatures: &'b [[u8; 64]],
}

impl<'b> Recovery<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let (threshold, rest) = bytes.split_first_chunk::<4>()?;
        let threshold = u32::from_be_bytes(*threshold) as usize;
        let (sum, rest) = rest.split_at_checked(threshold.checked_mul(33)?)?;
        let count = rest.len() / (33 + 33 + 32 + 64);
        let [hosts, nonces, shares, signatures] = split(rest, [33 * count, 33 * count, 32 * count, 64 * count]).ok()?;
        Some(Recovery {
            threshold,
            sum: SumOfCommitments(points(sum).ok()?),
            hosts: hosts.as_chunks().0,
            nonces: nonces.as_chunks().0,
            shares: scalars(shares).ok()?,
            seen: &bytes[..bytes.len() - signatures.len()],
            signatures: signatures.as_chunks().0,
        })
    }
}
