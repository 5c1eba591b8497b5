//! What can go wrong, and who did it.

use crate::Identifier;
use alloc::vec::Vec;
use core::fmt;

/// Why a step of the protocol fails. Where other participants are to blame, the error names them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not what a message of this kind has.
    BadEncoding,
    /// The number of an identifier is zero or not below the group order.
    BadIdentifier,
    /// The threshold is zero or exceeds the number of participants.
    BadThreshold,
    /// A tweak is not below the group order or leads to infinity.
    BadTweak,
    /// The suite has no such step.
    NotInSuite,
    /// The verifying shares and the group's key do not lie on one polynomial of the threshold's degree.
    InconsistentGroup,
    /// The nonces of all signers add up to infinity. Where their shares hold, all of them brought that about together.
    BadNonceSum,
    /// The key share belongs to another group.
    ForeignShare,
    /// The nonces are not those that the session has for this signer.
    ForeignNonces,
    /// The host key is not one of the session's, or not that of this participant.
    ForeignHostKey,
    /// The coordinator cheats or errs.
    FaultyCoordinator,
    /// The recovery data is malformed, or its certificate does not hold.
    BadRecoveryData,
    /// The session was made from a sum of nonces, and a share cannot be checked without the nonces themselves.
    NoNonces,
    /// The signature of the sum of the shares does not hold.
    BadSignature,
    /// There are fewer participants than the threshold.
    TooFew {
        /// The threshold.
        threshold: usize,
        /// The number of participants.
        given: usize,
    },
    /// A participant is named twice.
    Duplicate(Identifier),
    /// A participant does not belong here.
    Unknown(Identifier),
    /// Nothing came from this participant.
    Missing(Identifier),
    /// These participants' host keys are no points.
    BadHostKeys(Vec<Identifier>),
    /// These participants sent messages in which points or numbers are malformed.
    BadMessages(Vec<Identifier>),
    /// These participants' signatures of what they saw do not hold.
    BadCertificate(Vec<Identifier>),
    /// These participants sent a commitment of another length than the threshold asks for.
    BadCommitments(Vec<Identifier>),
    /// These participants do not prove that they know the secret of their commitment.
    BadProofs(Vec<Identifier>),
    /// These participants dealt shares that do not belong to their commitments.
    BadDealings(Vec<Identifier>),
    /// These participants sent shares of a signature that do not hold.
    BadSignatureShares(Vec<Identifier>),
}

impl Error {
    /// An error for a participant who is named twice.
    pub(crate) fn refuse_duplicates(identifiers: impl Iterator<Item = Identifier>) -> Result<(), Error> {
        let mut sorted: Vec<_> = identifiers.collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map_or(Ok(()), |pair| Err(Error::Duplicate(pair[0])))
    }

    /// The participants whom the error blames.
    pub fn culprits(&self) -> &[Identifier] {
        match self {
            Error::BadHostKeys(culprits)
            | Error::BadMessages(culprits)
            | Error::BadCertificate(culprits)
            | Error::BadCommitments(culprits)
            | Error::BadProofs(culprits)
            | Error::BadDealings(culprits)
            | Error::BadSignatureShares(culprits) => culprits,
            _ => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, what: &str, culprits: &[Identifier]| {
            write!(f, "{what} from participant")?;
            culprits.iter().enumerate().try_for_each(|(i, id)| write!(f, "{} {id}", if i == 0 { "" } else { "," }))
        };
        match self {
            Error::BadEncoding => f.write_str("the bytes of a message are malformed"),
            Error::BadIdentifier => f.write_str("an identifier is zero or not below the group order"),
            Error::BadThreshold => f.write_str("the threshold is zero or exceeds the number of participants"),
            Error::BadTweak => f.write_str("a tweak is out of range or leads to infinity"),
            Error::NotInSuite => f.write_str("the suite has no such step"),
            Error::InconsistentGroup => f.write_str("the verifying shares do not belong to the group's key"),
            Error::BadNonceSum => f.write_str("the nonces of all signers add up to infinity"),
            Error::ForeignShare => f.write_str("the key share belongs to another group"),
            Error::ForeignNonces => f.write_str("the nonces are not those of this signer in this session"),
            Error::ForeignHostKey => f.write_str("the host key is not that of this participant"),
            Error::FaultyCoordinator => f.write_str("the coordinator cheats or errs"),
            Error::BadRecoveryData => f.write_str("the recovery data is malformed or not certified"),
            Error::NoNonces => f.write_str("the session has no nonces to check a share by"),
            Error::BadSignature => f.write_str("the signature does not hold"),
            Error::TooFew { threshold, given } => {
                write!(f, "{given} participants are fewer than the {threshold} needed")
            }
            Error::Duplicate(id) => write!(f, "participant {id} is named twice"),
            Error::Unknown(id) => write!(f, "participant {id} does not belong here"),
            Error::Missing(id) => write!(f, "nothing came from participant {id}"),
            Error::BadHostKeys(culprits) => list(f, "a host key that is no point", culprits),
            Error::BadMessages(culprits) => list(f, "a malformed message", culprits),
            Error::BadCertificate(culprits) => list(f, "a wrong signature of the certificate", culprits),
            Error::BadCommitments(culprits) => list(f, "a commitment of the wrong length", culprits),
            Error::BadProofs(culprits) => list(f, "a wrong proof of knowledge", culprits),
            Error::BadDealings(culprits) => list(f, "a share that does not belong to its commitment", culprits),
            Error::BadSignatureShares(culprits) => list(f, "a wrong share of the signature", culprits),
        }
    }
}

impl core::error::Error for Error {}
