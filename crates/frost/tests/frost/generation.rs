//! Keys without a dealer: the Foundation's vectors, and new groups.

use crate::{
    bulk,
    files::{array, bytes, foundation, list, number, text},
    identifier, secret, sign,
};
use phalanx::SecretKey;
use phalanx_frost::{
    Commitment, Error, Group, Identifier, KeyShare, Signature, Suite,
    dkg::{self, Announced, Announcement, Dealt, DealtShare},
    repair,
};
use serde_json::Value;

#[test]
fn keys_are_those_of_the_vectors() {
    for (suite, package) in [(Suite::Rfc9591, "frost-secp256k1"), (Suite::Taproot, "frost-secp256k1-tr")] {
        let file = foundation(package, "vectors_dkg.json");
        let inputs = &file["inputs"];
        let participant = |number: u64| &inputs[number.to_string()];
        let announcement = |number: u64| {
            let parts = participant(number);
            let commitment: Vec<u8> = list(&parts["vss_commitments"]).iter().flat_map(bytes).collect();
            let commitment = Commitment::from_bytes(&commitment, &bulk()).expect("points");
            let proof = Signature::from_bytes(suite, &bytes(&parts["proof_of_knowledge"])).expect("a proof");
            Announcement::new(commitment, proof)
        };
        for me in 1..=3 {
            let parts: &Value = participant(me);
            assert_eq!(number(&parts["identifier"]), me);
            let coefficients = [secret(text(&parts["signing_key"])), secret(text(&parts["coefficient"]))];
            let begun = dkg::begin_with_coefficients(suite, identifier(me), &coefficients, &bulk());
            let (announced, mine) = begun.expect("two coefficients");
            assert_eq!(mine.commitment(), announcement(me).commitment());
            let others: Vec<u64> = (1..=3).filter(|other| *other != me).collect();
            let announcements: Vec<_> = others.iter().map(|other| (identifier(*other), announcement(*other))).collect();
            let (dealt, shares) = announced.deal(&announcements, &bulk()).expect("proofs that hold");
            for (other, share) in shares {
                // What each participant gets is printed with it, under the name of whoever sends it.
                let number = others.iter().find(|number| identifier(**number) == other).expect("another");
                assert_eq!(share.to_bytes(), array(&participant(*number)["signing_shares"][me.to_string()]));
            }
            let share = |other: &u64| DealtShare::from_bytes(&bytes(&parts["signing_shares"][other.to_string()]));
            let received: Vec<_> =
                others.iter().map(|other| (identifier(*other), share(other).expect("a scalar"))).collect();
            let (key, group) = dealt.finish(&received, &bulk()).expect("shares that hold");
            assert_eq!(key.secret().to_bytes(), array(&parts["signing_share"]), "{package}");
            assert_eq!(key.verifying_share().to_bytes()[..], bytes(&parts["verifying_share"]));
            assert_eq!(group.key().to_bytes()[..], bytes(&inputs["verifying_key"]));
            for number in 1..=3 {
                let printed = bytes(&participant(number)["verifying_share"]);
                assert_eq!(group.verifying_share(&identifier(number)).expect("a participant").to_bytes()[..], printed);
            }
        }
    }
}

type Shares = Vec<(Identifier, DealtShare)>;

/// The first two parts of so many participants: their states, and what each gets from the others.
fn dealt(suite: Suite, threshold: usize, participants: u64) -> (Vec<Dealt>, Vec<Shares>) {
    let begin = |number| dkg::begin(suite, identifier(number), threshold, &bulk()).expect("a threshold");
    let (states, announcements): (Vec<Announced>, Vec<Announcement>) = (1..=participants).map(begin).unzip();
    let named: Vec<_> = (1..=participants).map(identifier).zip(announcements).collect();
    let mut received: Vec<Shares> = vec![Vec::new(); named.len()];
    let deal = |(me, state): (usize, Announced)| {
        let others: Vec<_> = named.iter().filter(|(other, _)| *other != named[me].0).cloned().collect();
        let (state, shares) = state.deal(&others, &bulk()).expect("proofs that hold");
        for (other, share) in shares {
            let place = named.iter().position(|(name, _)| *name == other).expect("a participant");
            received[place].push((named[me].0, share));
        }
        state
    };
    let states = states.into_iter().enumerate().map(deal).collect();
    (states, received)
}

fn generated(suite: Suite, threshold: usize, participants: u64) -> (Group, Vec<KeyShare>) {
    let (states, received) = dealt(suite, threshold, participants);
    let finish = |(state, shares): (Dealt, Vec<_>)| state.finish(&shares, &bulk()).expect("shares that hold");
    let (keys, groups): (Vec<KeyShare>, Vec<Group>) = states.into_iter().zip(received).map(finish).unzip();
    assert!(groups.iter().all(|group| *group == groups[0]));
    (groups[0].clone(), keys)
}

#[test]
fn a_new_group_signs_and_repairs_a_share() {
    for suite in [Suite::Rfc9591, Suite::Taproot] {
        for (threshold, participants) in [(1, 1), (1, 3), (2, 3), (5, 5)] {
            let (group, keys) = generated(suite, threshold, participants);
            let again = Group::new(suite, threshold, group.key(), group.verifying_shares(), &bulk());
            assert_eq!(again.as_ref(), Ok(&group));
            let signers = &keys[participants as usize - threshold..];
            let (session, shares) = sign(&group, signers, b"message");
            let signature = session.aggregate(&shares, &bulk()).expect("shares that hold");
            assert_eq!(signature.verify(b"message", &group.key()), Ok(()));
            // The first participant loses its share. If all are needed, nobody can help.
            let helpers: Vec<Identifier> = keys[1..].iter().map(KeyShare::identifier).collect();
            if helpers.len() < threshold {
                let given = helpers.len();
                let few = keys.last().map(|helper| repair::split(helper, &helpers, &identifier(1)).unwrap_err());
                assert_eq!(few, Some(Error::TooFew { threshold, given }));
                continue;
            }
            let split = |helper| repair::split(helper, &helpers, &identifier(1)).expect("a helper");
            let deltas: Vec<Vec<_>> = keys[1..].iter().map(split).collect();
            let sigma = |helper: &Identifier| {
                let sent = deltas.iter().flatten().filter(|(to, _)| to == helper);
                repair::add(&sent.map(|(_, delta)| delta.clone()).collect::<Vec<_>>())
            };
            let mut sigmas: Vec<repair::Sigma> = helpers.iter().map(sigma).collect();
            let repaired = repair::finish(&group, identifier(1), &sigmas).expect("honest helpers");
            assert_eq!(repaired.secret(), keys[0].secret());
            sigmas[0] = repair::Sigma::from_bytes(&[7; 32]).expect("a scalar");
            assert_eq!(repair::finish(&group, identifier(1), &sigmas).unwrap_err(), Error::ForeignShare);
        }
    }
}

#[test]
fn helpers_are_named_once_and_hold_a_share() {
    let (_, keys) = crate::group(Suite::Taproot, 2, 4);
    let split = |helpers: &[u64]| {
        let helpers: Vec<Identifier> = helpers.iter().copied().map(identifier).collect();
        repair::split(&keys[1], &helpers, &identifier(1)).map(|deltas| deltas.len())
    };
    assert_eq!(split(&[2, 3]), Ok(2));
    // Also where there are enough others.
    for twice in [&[2, 2][..], &[2, 3, 3], &[3, 2, 4, 2]] {
        assert_eq!(split(twice), Err(Error::Duplicate(identifier(*twice.last().expect("helpers")))), "{twice:?}");
    }
    assert_eq!(split(&[3, 4]), Err(Error::Unknown(identifier(2))));
}

#[test]
fn cheaters_of_the_generation_are_named() {
    let announce = |number, threshold| {
        let (_, announcement) =
            dkg::begin(Suite::Taproot, identifier(number), threshold, &bulk()).expect("a threshold");
        (identifier(number), announcement)
    };
    let others = |wrong: &[u64]| -> Vec<_> {
        (2..=6).map(|number| announce(number, if wrong.contains(&number) { 4 } else { 3 })).collect()
    };
    let begin = || dkg::begin(Suite::Taproot, identifier(1), 3, &bulk()).expect("a threshold");
    // Commitments of another length.
    let sent = others(&[3, 6]);
    let error = begin().0.deal(&sent, &bulk()).unwrap_err();
    assert_eq!(error, Error::BadCommitments(vec![identifier(3), identifier(6)]));
    // A proof that another made, and a whole announcement of another.
    let mut sent = others(&[]);
    let stolen = sent[1].1.clone();
    sent[3].1 = Announcement::new(sent[3].1.commitment().clone(), *stolen.proof());
    sent[4].1 = stolen;
    let error = begin().0.deal(&sent, &bulk()).unwrap_err();
    assert_eq!(error, Error::BadProofs(vec![identifier(5), identifier(6)]));
    assert_eq!(error.culprits(), [identifier(5), identifier(6)]);
    // Names.
    let mut sent = others(&[]);
    sent[2].0 = identifier(2);
    assert_eq!(begin().0.deal(&sent, &bulk()).unwrap_err(), Error::Duplicate(identifier(2)));
    sent[2].0 = identifier(1);
    assert_eq!(begin().0.deal(&sent, &bulk()).unwrap_err(), Error::Duplicate(identifier(1)));
    assert_eq!(begin().0.deal(&sent[..1], &bulk()).unwrap_err(), Error::TooFew { threshold: 3, given: 2 });
    assert_eq!(dkg::begin(Suite::Bip445, identifier(1), 2, &bulk()).unwrap_err(), Error::NotInSuite);
    assert_eq!(dkg::begin(Suite::Taproot, identifier(1), 0, &bulk()).unwrap_err(), Error::BadThreshold);
}

#[test]
fn dealt_shares_that_are_wrong_are_named() {
    let finish = |change: &dyn Fn(&mut Shares)| {
        let (mut states, mut received) = dealt(Suite::Rfc9591, 3, 6);
        change(&mut received[0]);
        states.remove(0).finish(&received[0], &bulk()).map(|_| ())
    };
    assert_eq!(finish(&|_| ()), Ok(()));
    assert_eq!(finish(&|shares| shares.reverse()), Ok(()));
    let wrong = || DealtShare::from_bytes(&SecretKey::random().to_bytes()).expect("a scalar");
    assert_eq!(finish(&|shares| shares[3].1 = wrong()), Err(Error::BadDealings(vec![identifier(5)])));
    // Two shares whose sum stays right.
    let exchange = |shares: &mut Shares| {
        let (first, last) = (shares[0].1.clone(), shares[4].1.clone());
        (shares[0].1, shares[4].1) = (last, first);
    };
    assert_eq!(finish(&exchange), Err(Error::BadDealings(vec![identifier(2), identifier(6)])));
    let zero = DealtShare::from_bytes(&[0; 32]).expect("a scalar");
    assert_eq!(finish(&|shares| shares[0].1 = zero.clone()), Err(Error::BadDealings(vec![identifier(2)])));
    assert_eq!(finish(&|shares| drop(shares.pop())), Err(Error::Missing(identifier(6))));
    assert_eq!(finish(&|shares| shares[0].0 = identifier(9)), Err(Error::Unknown(identifier(9))));
    assert_eq!(finish(&|shares| shares[0].0 = identifier(3)), Err(Error::Duplicate(identifier(3))));
}
