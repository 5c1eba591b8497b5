//! Faults in threshold signatures.

use super::edit::{LEFT, call, condition, operation, value};
use super::{Fault, Test, fault, integration};

const fn frost(filter: &'static str) -> Test {
    integration("phalanx-frost", "frost", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("random-coefficients", "wrong shares whose errors cancel are taken")
        .of("crates/frost/src/equations.rs", "Equations::scale", frost("cheaters::wrong_shares"))
        .edit(value("coefficient").becomes("Scalar::ONE")),
    fault("second-half", "only the first half is searched for culprits")
        .of("crates/frost/src/equations.rs", "Equations::culprits", frost("cheaters::wrong_shares"))
        .edit(operation("-").becomes("Point::IDENTITY")),
    fault("odd-nonces", "nonces of odd y are not negated")
        .of("crates/frost/src/session.rs", "Session::sign", frost("interoperation::one_signature"))
        .edit(condition().nth(3).becomes("false")),
    fault("nonces-of-others", "a signer signs with nonces that it has not published")
        .of("crates/frost/src/session.rs", "Session::sign", frost("cheaters::nonces_and_shares"))
        .edit(condition().nth(2).becomes("false")),
    fault("group-of-one-polynomial", "verifying shares that lie on no polynomial make a group")
        .of("crates/frost/src/group.rs", "Group::new", frost("cheaters::groups_are"))
        .edit(condition().becomes("true")),
    fault("proofs-of-knowledge", "a commitment is taken from a participant who does not know its secret")
        .of("crates/frost/src/dkg.rs", "Announced::check_proofs", frost("generation::cheaters_of"))
        .edit(condition().becomes("true")),
    fault("x-only-tweaks", "a tweak is added to the key of odd y")
        .of("crates/frost/src/tweak.rs", "TweakedKey::tweaked", frost("bip445::shares_are_those"))
        .edit(operation("&&").keep(LEFT)),
    fault("certificates", "a session is recovered whose participants have not signed it")
        .of("crates/frost/src/chilldkg/recovery.rs", "recover", frost("chilldkg::sessions_are"))
        .edit(condition().becomes("false")),
    fault("share-from-oneself", "a participant accuses itself of what the coordinator did")
        .of("crates/frost/src/chilldkg/participant.rs", "Investigation::culprit", frost("chilldkg::investigations"))
        .edit(operation("||").nth(2).keep(LEFT)),
    fault("shares-of-an-investigation", "a participant is accused by shares that the coordinator did not relay")
        .of("crates/frost/src/chilldkg/participant.rs", "Investigation::culprit", frost("chilldkg::whoever_sends"))
        .edit(operation("!=").nth(2).becomes("false")),
    fault("points-of-an-investigation", "a participant is accused by points that do not belong to the commitments")
        .of("crates/frost/src/chilldkg/participant.rs", "Investigation::culprit", frost("chilldkg::whoever_sends"))
        .edit(operation("!=").nth(1).becomes("false")),
    fault("helpers-twice", "a lost share is split among helpers of whom one is named twice")
        .of("crates/frost/src/repair.rs", "split", frost("generation::helpers_are_named_once"))
        .edit(call("refuse_duplicates").becomes("Ok::<(), Error>(())")),
    fault("nonces-that-cancel", "shares that hold make a signature that does not")
        .of("crates/frost/src/session.rs", "Session::aggregate", frost("cheaters::nonces_that_add_up"))
        .edit(condition().becomes("false")),
];
