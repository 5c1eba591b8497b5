//! The protocols as their users call them: published vectors, other libraries at the same table, and cheaters.

mod bip445;
mod cheaters;
mod chilldkg;
mod files;
mod generation;
mod interoperation;
mod large;
mod messages;
mod refusals;
mod suites;

use phalanx::{Bulk, SecretKey};
use phalanx_frost::{Group, Identifier, KeyShare, NonceCommitments, Nonces, Session, SignatureShare, Suite, dealer};

fn bulk() -> Bulk {
    Bulk::builder().threads(1).build().expect("the best backend")
}

fn identifier(number: u64) -> Identifier {
    Identifier::new(number).expect("not zero")
}

fn secret(hex: &str) -> SecretKey {
    hex.parse().expect("a secret key in hex")
}

/// A new group, with the shares of its participants 1, 2 and so on.
fn group(suite: Suite, threshold: usize, participants: u64) -> (Group, Vec<KeyShare>) {
    let participants: Vec<Identifier> = (1..=participants).map(identifier).collect();
    let dealing = dealer::deal(suite, threshold, &SecretKey::random(), &participants, &bulk());
    let dealing = dealing.expect("distinct participants");
    (dealing.group, dealing.shares)
}

/// The session of a message and all of these signers, and their shares.
fn sign(group: &Group, signers: &[KeyShare], message: &[u8]) -> (Session, Vec<(Identifier, SignatureShare)>) {
    let nonces: Vec<Nonces> = signers.iter().map(Nonces::generate).collect();
    let published: Vec<(Identifier, NonceCommitments)> =
        signers.iter().zip(&nonces).map(|(share, nonces)| (share.identifier(), nonces.commitments())).collect();
    let session = Session::new(group, &published, message, &bulk()).expect("signers of the group");
    let sign =
        |(share, nonces): (&KeyShare, Nonces)| (share.identifier(), session.sign(nonces, share).expect("a signer"));
    let shares = signers.iter().zip(nonces).map(sign).collect();
    (session, shares)
}
