//! ChillDKG: key generation for BIP-445 through a coordinator, without secret channels between the participants, as in
//! the draft of Blockstream Research. All that a participant must keep is its host key and the public recovery data.
//!
//! 1. [`begin`]: each participant sends the coordinator a commitment, a proof that it knows the secret, and the shares for
//!    all, encrypted. The coordinator adds up: [`Coordinator::new`].
//! 2. [`Participant::step2`]: each participant decrypts its share, checks it, and signs what it saw. The coordinator
//!    collects the signatures: [`Coordinator::finish`].
//! 3. [`Certified::finish`]: each participant checks that all signed the same.
//!
//! [`recover`] makes a lost share and the group again. If a participant cannot tell whose share is wrong, the coordinator
//! helps: [`investigation_messages`], [`Investigation::culprit`].
//!
//! The draft counts participants from zero; [`bip445::participant`](crate::bip445::participant) names them. Keys are
//! taproot output keys without scripts. The coordinator learns no secret, but is trusted to let the protocol succeed.

mod coordinator;
mod encryption;
mod messages;
mod participant;
mod proof;
mod recovery;

pub use coordinator::{Coordinator, investigation_messages};
pub use participant::{Certified, Investigation, Participant, StepError, begin};
pub use recovery::recover;

use crate::{Error, Group, Identifier, Suite, equations::public_multiple, polynomial::powers};
use alloc::vec::Vec;
use phalanx::{
    Bulk, Keypair, Point, PublicKey, Scalar, SecretKey, bindings::tags, hash::TaggedHash, msm::Msm, schnorr,
};

/// Who takes part in a session, by host keys that all participants have compared, and how many of them can sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    hosts: Vec<PublicKey>,
    threshold: usize,
}

impl Params {
    /// From the participants' host keys, compressed, in the order of the participants.
    ///
    /// # Errors
    /// [`Error::BadThreshold`], [`Error::BadHostKeys`] for what is no point, [`Error::Duplicate`] for the later of two
    /// participants with one key.
    pub fn new(hosts: &[&[u8; 33]], threshold: usize, bulk: &Bulk) -> Result<Self, Error> {
        if threshold == 0 || threshold > hosts.len() || u32::try_from(hosts.len()).is_err() {
            return Err(Error::BadThreshold);
        }
        let encoded: Vec<&[u8]> = hosts.iter().map(|host| &host[..]).collect();
        let read = bulk.decompress(&encoded);
        let wrong: Vec<Identifier> = (0..hosts.len()).filter(|place| read[*place].is_err()).map(identifier).collect();
        if !wrong.is_empty() {
            return Err(Error::BadHostKeys(wrong));
        }
        let hosts: Vec<PublicKey> = read.into_iter().flatten().collect();
        let mut sorted: Vec<usize> = (0..hosts.len()).collect();
        sorted.sort_by_key(|place| hosts[*place]);
        match sorted.windows(2).find(|pair| hosts[pair[0]] == hosts[pair[1]]) {
            Some(pair) => Err(Error::Duplicate(identifier(pair[1]))),
            None => Ok(Params { hosts, threshold }),
        }
    }

    /// The hash of all of it (`params_hash`), which the participants can compare.
    pub fn hash(&self) -> [u8; 32] {
        hash(b"params_hash", &[&self.context()])
    }

    /// The participants' host keys.
    pub fn hosts(&self) -> &[PublicKey] {
        &self.hosts
    }

    /// The number of participants who can sign.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    fn count(&self) -> usize {
        self.hosts.len()
    }

    /// The threshold and all host keys.
    fn context(&self) -> Vec<u8> {
        let mut bytes = (self.threshold as u32).to_be_bytes().to_vec();
        self.hosts.iter().for_each(|host| bytes.extend_from_slice(&host.to_bytes()));
        bytes
    }

    /// The place of a host key.
    fn place(&self, host: &PublicKey) -> Result<usize, Error> {
        self.hosts.iter().position(|known| known == host).ok_or(Error::ForeignHostKey)
    }
}

/// The participant of a place, which the draft counts from zero.
fn identifier(place: usize) -> Identifier {
    Identifier::new(place as u64 + 1).expect("not zero")
}

/// The draft's tagged hash.
fn hash(tag: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    TaggedHash::new(&[b"BIP DKG/", tag].concat()).hash(parts)
}

/// The sum of all participants' commitments, of which points may be infinity.
struct SumOfCommitments(Vec<Point>);

impl SumOfCommitments {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(messages::point_bytes).collect()
    }

    /// What a participant's share is as a multiple of the generator.
    fn share(&self, place: usize, bulk: &Bulk) -> Point {
        let powers: Vec<Scalar> = powers(&identifier(place)).take(self.0.len()).collect();
        Msm::with(bulk).sum_of_products(&powers, &self.0).expect("equal lengths")
    }

    /// The number by which all shares are tweaked, so that no script can be hidden in the key (BIP-341).
    fn tweak(&self) -> Result<Scalar, Error> {
        let key = PublicKey::try_from(self.0[0]).map_err(|_| Error::InconsistentGroup)?;
        let tweak = tags::TAP_TWEAK.hash(&[&key.x_only().0.to_bytes()]);
        Scalar::from_bytes(&tweak).map_err(|_| Error::BadTweak)
    }

    /// The group of so many participants, with its tweak.
    fn group(&self, participants: usize, bulk: &Bulk) -> Result<Group, Error> {
        let tweak = public_multiple(self.tweak()?);
        let public = |point: Point| PublicKey::try_from(point + tweak).map_err(|_| Error::InconsistentGroup);
        let share = |place| Ok((identifier(place), public(self.share(place, bulk))?));
        let shares = (0..participants).map(share).collect::<Result<_, _>>()?;
        Group::of_polynomial(Suite::Bip445, self.0.len(), public(self.0[0])?, shares)
    }
}

/// What a participant signs of what it saw.
fn certificate_message(place: usize, seen: &[u8]) -> Vec<u8> {
    let mut message = [0; 33];
    message[..22].copy_from_slice(b"BIP DKG/certeq message");
    [&message[..], &(place as u32).to_be_bytes(), seen].concat()
}

fn sign_certificate(host: &SecretKey, place: usize, seen: &[u8], aux: &[u8; 32]) -> [u8; 64] {
    schnorr::sign(&certificate_message(place, seen), &Keypair::from_secret(host.clone()), aux).to_bytes()
}

/// The participants whose signatures do not hold.
fn check_certificate(params: &Params, seen: &[u8], signatures: &[[u8; 64]], bulk: &Bulk) -> Vec<Identifier> {
    let messages: Vec<Vec<u8>> = (0..params.count()).map(|place| certificate_message(place, seen)).collect();
    let keys: Vec<_> = params.hosts.iter().map(|host| host.x_only().0).collect();
    let row = |((message, signature), key)| schnorr::Row {
        message,
        signature,
        public_key: phalanx::XOnlyKeyRef::Parsed(key),
    };
    let rows: Vec<schnorr::Row<'_>> =
        messages.iter().map(Vec::as_slice).zip(signatures.iter().map(|bytes| &bytes[..])).zip(&keys).map(row).collect();
    let verdicts = bulk.verify_schnorr(&rows);
    (0..params.count()).filter(|place| !verdicts[*place].is_valid()).map(identifier).collect()
}
