//! Signers who cheat or err, and groups that do not fit together.

use crate::{bulk, group, identifier, sign};
use phalanx::{Scalar, SecretKey};
use phalanx_frost::{Commitment, Error, Group, Identifier, KeyShare, Nonces, Session, SignatureShare, Suite, dealer};

const SUITES: [Suite; 3] = [Suite::Rfc9591, Suite::Taproot, Suite::Bip445];

fn add_one(share: &SignatureShare) -> SignatureShare {
    let sum = Scalar::from_bytes(&share.to_bytes()).expect("in range") + Scalar::ONE;
    SignatureShare::from_bytes(&sum.to_bytes()).expect("in range")
}

#[test]
fn wrong_shares_are_named_wherever_they_stand() {
    for suite in SUITES {
        let (group, keys) = group(suite, 9, 17);
        let (session, shares) = sign(&group, &keys, b"message");
        let good = session.aggregate(&shares, &bulk()).expect("shares that hold");
        assert_eq!(good.verify(b"message", &group.key()), Ok(()));
        assert_eq!(session.combine(&shares), Ok(good));
        for wrong in [vec![0], vec![16], vec![8], vec![0, 16], vec![3, 4, 11], (0..17).collect::<Vec<usize>>()] {
            let mut bad = shares.clone();
            wrong.iter().for_each(|place| bad[*place].1 = add_one(&shares[*place].1));
            let named: Vec<Identifier> = wrong.iter().map(|place| shares[*place].0).collect();
            assert_eq!(session.aggregate(&bad, &bulk()), Err(Error::BadSignatureShares(named.clone())), "{suite:?}");
            assert_eq!(session.combine(&bad), Err(Error::BadSignature));
            for share in &bad {
                let one = if named.contains(&share.0) { Err(Error::BadSignatureShares(vec![share.0])) } else { Ok(()) };
                assert_eq!(session.verify_shares(&[*share], &bulk()), one);
            }
            assert_eq!(session.verify_shares(&bad, &bulk()), Err(Error::BadSignatureShares(named.clone())));
            bad.retain(|(id, _)| !named.contains(id));
            assert_eq!(session.verify_shares(&bad, &bulk()), Ok(()));
        }
        // Errors that cancel in the signature.
        let mut bad = shares.clone();
        bad[2].1 = add_one(&bad[2].1);
        bad[5].1 = SignatureShare::from_bytes(
            &(Scalar::from_bytes(&bad[5].1.to_bytes()).expect("in range") - Scalar::ONE).to_bytes(),
        )
        .expect("in range");
        assert_eq!(session.combine(&bad), Ok(good));
        assert_eq!(session.aggregate(&bad, &bulk()).unwrap_err().culprits(), [shares[2].0, shares[5].0]);
        // Order does not matter.
        let reversed: Vec<_> = shares.iter().rev().copied().collect();
        assert_eq!(session.aggregate(&reversed, &bulk()), Ok(good));
    }
}

/// Each share holds, but no signature does: in BIP-445 the session begins, so that cheaters are named.
#[test]
fn nonces_that_add_up_to_infinity_make_no_signature() {
    for suite in SUITES {
        let (group, keys) = group(suite, 2, 2);
        let number = SecretKey::random;
        for (hiding, binding, is_infinite) in [(true, true, true), (true, false, false), (false, true, false)] {
            let first = [number(), number()];
            let second = [(&first[0], hiding), (&first[1], binding)]
                .map(|(first, negated)| if negated { first.negate() } else { number() });
            let [first, second] = [first, second].map(|[hiding, binding]| Nonces::from_vector(hiding, binding));
            let published = [(identifier(1), first.commitments()), (identifier(2), second.commitments())];
            let session = Session::new(&group, &published, b"message", &bulk());
            if suite != Suite::Bip445 {
                // Each signer has a binding factor of its own there, so nothing cancels.
                assert!(session.is_ok());
                continue;
            }
            let session = session.expect("signers of the group");
            let mut shares = [(first, &keys[0]), (second, &keys[1])]
                .map(|(nonces, key)| (key.identifier(), session.sign(nonces, key).expect("a signer")));
            assert_eq!(session.verify_shares(&shares, &bulk()), Ok(()));
            let (aggregated, combined) = (session.aggregate(&shares, &bulk()), session.combine(&shares));
            if is_infinite {
                assert_eq!((aggregated, combined), (Err(Error::BadNonceSum), Err(Error::BadSignature)));
            } else {
                assert_eq!(aggregated, combined);
                assert_eq!(aggregated.map(|signature| signature.verify(b"message", &group.key())), Ok(Ok(())));
            }
            // Cheaters come first.
            shares[1].1 = add_one(&shares[1].1);
            let named = Error::BadSignatureShares(vec![identifier(2)]);
            assert_eq!(session.aggregate(&shares, &bulk()), Err(named));
        }
    }
}

#[test]
fn shares_are_one_from_each_signer() {
    let (group, keys) = group(Suite::Taproot, 2, 4);
    let (session, shares) = sign(&group, &keys[..3], b"message");
    let aggregate = |shares: &[_]| session.aggregate(shares, &bulk()).unwrap_err();
    assert_eq!(aggregate(&shares[..2]), Error::Missing(identifier(3)));
    assert_eq!(aggregate(&[&shares[..], &shares[..1]].concat()), Error::Duplicate(identifier(1)));
    let mut strange = shares.clone();
    strange[1].0 = identifier(4);
    assert_eq!(aggregate(&strange), Error::Unknown(identifier(4)));
    assert_eq!(session.verify_shares(&[(identifier(4), shares[0].1)], &bulk()), Err(Error::Unknown(identifier(4))));
}

#[test]
fn sessions_are_of_enough_signers_of_the_group() {
    for suite in SUITES {
        let (group, keys) = group(suite, 3, 4);
        let published: Vec<_> =
            keys.iter().map(|key| (key.identifier(), Nonces::generate(key).commitments())).collect();
        let session = |published: &[_]| Session::new(&group, published, b"message", &bulk()).unwrap_err();
        assert_eq!(session(&published[..2]), Error::TooFew { threshold: 3, given: 2 });
        assert_eq!(session(&[]), Error::TooFew { threshold: 3, given: 0 });
        assert_eq!(session(&[&published[..], &published[2..3]].concat()), Error::Duplicate(identifier(3)));
        let mut strange = published.clone();
        strange[1].0 = identifier(77);
        assert_eq!(session(&strange), Error::Unknown(identifier(77)));
    }
}

#[test]
fn nonces_and_shares_of_others_do_not_sign() {
    for suite in SUITES {
        let (group, keys) = group(suite, 2, 3);
        let nonces: Vec<Nonces> = keys.iter().map(Nonces::generate).collect();
        let published: Vec<_> =
            keys.iter().zip(&nonces).map(|(key, nonces)| (key.identifier(), nonces.commitments())).collect();
        let session = Session::new(&group, &published[..2], b"message", &bulk()).expect("signers of the group");
        let [first, second, third] = nonces.try_into().expect("three");
        assert_eq!(session.sign(second, &keys[0]), Err(Error::ForeignNonces));
        assert_eq!(session.sign(third, &keys[2]), Err(Error::Unknown(identifier(3))));
        let (_, others) = crate::group(suite, 2, 3);
        assert_eq!(session.sign(first, &others[0]), Err(Error::ForeignShare));
    }
}

#[test]
fn nonces_of_one_call_differ_and_sign() {
    for suite in SUITES {
        let (group, keys) = group(suite, 2, 2);
        let many = keys.iter().map(|key| Nonces::generate_many(key, 5, &bulk()));
        let [first, second]: [Vec<Nonces>; 2] = many.collect::<Vec<_>>().try_into().expect("two");
        let mut seen = Vec::new();
        for (first, second) in first.into_iter().zip(second) {
            let published = [(identifier(1), first.commitments()), (identifier(2), second.commitments())];
            seen.extend(published.map(|(_, nonces)| nonces.to_bytes()));
            let session = Session::new(&group, &published, b"message", &bulk()).expect("signers of the group");
            let shares = [(first, &keys[0]), (second, &keys[1])]
                .map(|(nonces, key)| (key.identifier(), session.sign(nonces, key).expect("a signer")));
            assert!(session.aggregate(&shares, &bulk()).is_ok());
        }
        assert_eq!(seen.len(), 10);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10);
    }
}

#[test]
fn groups_are_of_one_polynomial() {
    let (made, keys) = group(Suite::Taproot, 3, 6);
    let shares = made.verifying_shares();
    let again = |threshold, shares: &[_]| Group::new(Suite::Taproot, threshold, made.key(), shares, &bulk());
    assert_eq!(again(3, shares), Ok(made.clone()));
    assert_eq!(again(6, shares).map(|group| group.threshold()), Ok(6), "a polynomial of lower degree is one of higher");
    assert_eq!(again(2, shares), Err(Error::InconsistentGroup));
    assert_eq!(again(3, &shares[..3]).map(|group| group.verifying_shares().len()), Ok(3));
    for place in 0..6 {
        let mut wrong = shares.to_vec();
        wrong[place].1 = SecretKey::random().public_key();
        assert_eq!(again(3, &wrong), Err(Error::InconsistentGroup), "{place}");
    }
    let key = SecretKey::random().public_key();
    assert_eq!(Group::new(Suite::Taproot, 3, key, shares, &bulk()), Err(Error::InconsistentGroup));
    assert_eq!(again(0, shares), Err(Error::BadThreshold));
    assert_eq!(again(7, shares), Err(Error::BadThreshold));
    assert_eq!(again(3, &[shares, &shares[..1]].concat()), Err(Error::Duplicate(identifier(1))));
    assert_eq!(KeyShare::new(&made, identifier(2), keys[0].secret().clone()).unwrap_err(), Error::ForeignShare);
    assert_eq!(
        KeyShare::new(&made, identifier(9), keys[0].secret().clone()).unwrap_err(),
        Error::Unknown(identifier(9))
    );
}

#[test]
fn a_share_from_a_dealer_is_checked() {
    let participants = [1, 2, 3].map(identifier);
    let dealing = dealer::deal(Suite::Rfc9591, 2, &SecretKey::random(), &participants, &bulk()).expect("three");
    let commitment = Commitment::from_bytes(&dealing.commitment.to_bytes(), &bulk()).expect("points");
    let accept = |place: usize, secret| {
        dealer::accept(Suite::Rfc9591, participants[place], secret, &commitment, &participants, &bulk())
    };
    for (place, share) in dealing.shares.iter().enumerate() {
        let (key, group) = accept(place, share.secret()).expect("an honest dealer");
        assert_eq!((key.secret(), &group), (share.secret(), &dealing.group));
    }
    let wrong = accept(0, dealing.shares[1].secret()).unwrap_err();
    assert_eq!(wrong, Error::BadDealings(vec![identifier(1)]));
    let error = dealer::deal(Suite::Rfc9591, 4, &SecretKey::random(), &participants, &bulk()).unwrap_err();
    assert_eq!(error, Error::BadThreshold);
}

#[test]
fn errors_say_who_and_what() {
    let culprits = vec![identifier(3), Identifier::from_bytes(&[0x11; 32]).expect("in range")];
    let error = Error::BadSignatureShares(culprits);
    let large = "11".repeat(32);
    assert_eq!(error.to_string(), format!("a wrong share of the signature from participant 3, 0x{large}"));
    assert_eq!(Error::Missing(identifier(7)).to_string(), "nothing came from participant 7");
}
