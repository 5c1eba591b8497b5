//! The coordinator, who relays and adds up, and knows no secret.

use super::{
    Params, check_certificate, identifier,
    messages::{First, Parts, Refused, Relayed},
};
use crate::{Error, Group, Identifier, polynomial::powers};
use alloc::vec::Vec;
use phalanx::{Bulk, Point, Scalar, msm::Msm};

/// The coordinator of a session after step 1.
#[derive(Debug, Clone)]
pub struct Coordinator {
    params: Params,
    group: Group,
    seen: Vec<u8>,
}

/// All participants' first messages.
fn read(params: &Params, messages: &[&[u8]]) -> Result<Vec<First>, Error> {
    if messages.len() != params.count() {
        return Err(Error::BadEncoding);
    }
    let (mut read, mut culprits): (Vec<First>, Vec<Identifier>) = (Vec::new(), Vec::new());
    for (place, bytes) in messages.iter().enumerate() {
        match First::read(params, bytes) {
            Ok(message) => read.push(message),
            Err(Refused::Length) => return Err(Error::BadEncoding),
            Err(Refused::Content) => culprits.push(identifier(place)),
        }
    }
    if culprits.is_empty() { Ok(read) } else { Err(Error::BadMessages(culprits)) }
}

impl Coordinator {
    /// Step 1: adds up the participants' first messages, in their order. Answers the message for all participants.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another number of messages and for another length. [`Error::BadMessages`] with every
    /// culprit. [`Error::InconsistentGroup`] if a sum is infinity.
    pub fn new(params: &Params, messages: &[&[u8]], bulk: &Bulk) -> Result<(Self, Vec<u8>), Error> {
        let messages = read(params, messages)?;
        let sum = |place: usize| messages.iter().fold(Point::IDENTITY, |sum, message| sum + message.commitment[place]);
        let share = |place: usize| messages.iter().fold(Scalar::ZERO, |sum, message| sum + message.shares[place]);
        let relayed = Relayed {
            secrets: messages.iter().map(|message| message.commitment[0]).collect(),
            others: (1..params.threshold).map(sum).collect(),
            proofs: messages.iter().map(|message| message.proof).collect(),
            nonces: messages.iter().map(|message| message.nonce).collect(),
            shares: (0..params.count()).map(share).collect(),
        };
        let group = relayed.sum().group(params.count(), bulk)?;
        Ok((Coordinator { params: params.clone(), group, seen: relayed.seen(params) }, relayed.to_bytes()))
    }

    /// Step 2: the participants' signatures become the certificate, the message for all participants. Answers also the
    /// group and the recovery data.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another number of signatures. [`Error::BadCertificate`] with every culprit.
    pub fn finish(self, signatures: &[[u8; 64]], bulk: &Bulk) -> Result<(Vec<u8>, Group, Vec<u8>), Error> {
        if signatures.len() != self.params.count() {
            return Err(Error::BadEncoding);
        }
        let culprits = check_certificate(&self.params, &self.seen, signatures, bulk);
        if !culprits.is_empty() {
            return Err(Error::BadCertificate(culprits));
        }
        let certificate = signatures.as_flattened().to_vec();
        let recovery = [&self.seen[..], &certificate].concat();
        Ok((certificate, self.group, recovery))
    }
}

/// The messages for each participant that lead an investigation to whoever is to blame, from the participants' first
/// messages.
///
/// # Errors
/// As [`Coordinator::new`].
pub fn investigation_messages(params: &Params, messages: &[&[u8]], bulk: &Bulk) -> Result<Vec<Vec<u8>>, Error> {
    let (messages, msm) = (read(params, messages)?, Msm::with(bulk));
    let parts = |place: usize| {
        let powers: Vec<Scalar> = powers(&identifier(place)).take(params.threshold).collect();
        let point = |message: &First| msm.sum_of_products(&powers, &message.commitment).expect("equal lengths");
        Parts {
            shares: messages.iter().map(|message| message.shares[place]).collect(),
            points: messages.iter().map(point).collect(),
        }
    };
    Ok((0..params.count()).map(|place| parts(place).to_bytes()).collect())
}
