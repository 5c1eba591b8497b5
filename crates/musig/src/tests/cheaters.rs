use super::{nonce, round, signer};
use crate::{
    AggregateNonce, Contribution, Error, KeyAggregation, NonceInputs, PartialSignature, PublicNonce, SecretNonce,
    Session, sign_deterministically,
};
use phalanx::{Bulk, Keypair, PublicKey, Scalar, schnorr};
use phalanx_tiers::size;
use std::{format, vec, vec::Vec};

const MESSAGE: &[u8] = b"a message of any length";

fn bad(contribution: Contribution, signers: &[usize]) -> Error {
    Error::BadContribution { contribution, signers: signers.to_vec() }
}

#[test]
fn signatures_of_any_number_of_signers_hold() {
    for count in [1, 2, 3, 4, 5, 9, 33] {
        for tweaks in 0..8u8 {
            let round = round(count, MESSAGE, |mut keys| {
                for tweak in (0..3).filter(|bit| tweaks >> bit & 1 == 1) {
                    let bytes = [0x21 + tweak; 32];
                    keys = if tweak == 1 { keys.tweak_add(&bytes) } else { keys.tweak_add_x_only(&bytes) }.unwrap();
                }
                keys
            });
            let session = Session::new(&round.keys, &round.sum, MESSAGE);
            assert_eq!(session.verify_all(&round.nonces, &round.partials), Ok(()), "{count} {tweaks}");
            let signature = session.aggregate(&round.partials).unwrap();
            assert!(schnorr::verify(MESSAGE, &signature, &round.keys.x_only()).is_ok(), "{count} {tweaks}");
            assert_eq!(session.aggregate_checked(&round.nonces, &round.partials), Ok(signature));
            for (number, (nonce, partial)) in round.nonces.iter().zip(&round.partials).enumerate() {
                assert_eq!(session.verify(number, nonce, partial), Ok(()));
            }
        }
    }
}

/// Each set of cheaters is named, by the sum and one by one.
#[test]
fn cheaters_are_named() {
    let count = size(21, 200);
    let round = round(count, MESSAGE, |keys| keys);
    let session = Session::new(&round.keys, &round.sum, MESSAGE);
    let sets: [Vec<usize>; 6] =
        [vec![0], vec![count - 1], vec![3, 4], (0..count).collect(), (0..count).step_by(3).collect(), vec![7, 19]];
    for signers in sets {
        let mut partials = round.partials.clone();
        signers.iter().for_each(|signer| partials[*signer].0 += Scalar::ONE);
        let expected = bad(Contribution::PartialSignature, &signers);
        assert_eq!(session.verify_all(&round.nonces, &partials), Err(expected.clone()));
        assert_eq!(session.aggregate_checked(&round.nonces, &partials), Err(expected));
        for (signer, (nonce, partial)) in round.nonces.iter().zip(&partials).enumerate() {
            assert_eq!(session.verify(signer, nonce, partial).is_err(), signers.contains(&signer));
        }
    }
    // Two whose errors cancel in a sum without numbers.
    let mut partials = round.partials.clone();
    partials[1].0 += Scalar::ONE;
    partials[2].0 -= Scalar::ONE;
    assert!(session.aggregate_checked(&round.nonces, &partials).is_ok(), "the signature itself holds");
    assert_eq!(session.verify_all(&round.nonces, &partials), Err(bad(Contribution::PartialSignature, &[1, 2])));
    // Nonces that were exchanged.
    let mut nonces = round.nonces.clone();
    nonces.swap(5, 9);
    assert_eq!(session.verify_all(&nonces, &round.partials), Err(bad(Contribution::PartialSignature, &[5, 9])));
}

#[test]
fn a_wrong_aggregate_is_nobodys_fault() {
    let round = round(5, MESSAGE, |keys| keys);
    let other = AggregateNonce::sum(&round.nonces[1..]);
    let session = Session::new(&round.keys, &other, MESSAGE);
    let signers: Vec<Keypair> = (0..5).map(signer).collect();
    let partials: Vec<_> = signers.iter().map(|signer| session.sign(nonce(signer).0, signer).unwrap()).collect();
    assert_eq!(session.aggregate_checked(&round.nonces, &partials), Err(Error::OtherNonces));
    assert_eq!(session.aggregate(&partials), Err(Error::BadSignature));
    // A sum of infinity that is not that of the nonces.
    let infinity = AggregateNonce::from_bytes(&[0; 66]).unwrap();
    let session = Session::new(&round.keys, &infinity, MESSAGE);
    let partials: Vec<_> = signers.iter().map(|signer| session.sign(nonce(signer).0, signer).unwrap()).collect();
    assert_eq!(session.aggregate_checked(&round.nonces, &partials), Err(Error::OtherNonces));
}

#[test]
fn a_sum_of_infinity_still_names_cheaters() {
    let (secret, honest) = nonce(&signer(0));
    let theirs = PublicNonce { points: honest.points.map(|point| point.negate()) };
    let keys = KeyAggregation::new(&[signer(0).public_key(), signer(1).public_key()]).unwrap();
    let sum = AggregateNonce::sum(&[honest, theirs]);
    assert_eq!(sum.to_bytes(), [0; 66]);
    assert_eq!(AggregateNonce::from_bytes(&[0; 66]), Ok(sum));
    let session = Session::new(&keys, &sum, MESSAGE);
    let mine = session.sign(secret, &signer(0)).unwrap();
    let verdict = session.aggregate_checked(&[honest, theirs], &[mine, PartialSignature(Scalar::ONE)]);
    assert_eq!(verdict, Err(bad(Contribution::PartialSignature, &[1])));
}

/// Each partial signature holds, but no signature does.
#[test]
fn signers_whose_nonces_cancel_are_told() {
    let signers = [signer(0), signer(1)];
    let keys = KeyAggregation::new(&signers.each_ref().map(Keypair::public_key)).unwrap();
    let number = |label: u64| Scalar::from(label) + Scalar::ONE;
    let vector = |k: [Scalar; 2], signer: &Keypair| {
        let points = crate::nonce::points(&k).unwrap();
        (SecretNonce::of_vector(k, signer.public_key()), PublicNonce { points })
    };
    for (second, is_infinite) in [([-number(7), -number(8)], true), ([-number(7), number(8)], false)] {
        let made = [vector([number(7), number(8)], &signers[0]), vector(second, &signers[1])];
        let nonces = made.each_ref().map(|(_, public)| *public);
        let session = Session::new(&keys, &AggregateNonce::sum(&nonces), MESSAGE);
        let sign = |((secret, _), signer): ((SecretNonce, _), &Keypair)| session.sign(secret, signer).unwrap();
        let mut partials: Vec<_> = made.into_iter().zip(&signers).map(sign).collect();
        assert_eq!(session.verify_all(&nonces, &partials), Ok(()));
        let aggregated = session.aggregate_checked(&nonces, &partials);
        if is_infinite {
            assert_eq!(aggregated, Err(Error::BadNonceSum));
            assert_eq!(session.aggregate(&partials), Err(Error::BadSignature));
        } else {
            assert_eq!(aggregated, session.aggregate(&partials));
            assert!(aggregated.is_ok());
        }
        // Not by one: that is the number of the generator, which stands in for the nonce.
        partials[1].0 += number(7);
        assert_eq!(session.aggregate(&partials), Err(Error::BadSignature));
        let named = bad(Contribution::PartialSignature, &[1]);
        assert_eq!(session.aggregate_checked(&nonces, &partials), Err(named));
    }
}

#[test]
fn misuse_is_refused() {
    let round = round(3, MESSAGE, |keys| keys);
    let session = Session::new(&round.keys, &round.sum, MESSAGE);
    assert_eq!(session.sign(nonce(&signer(1)).0, &signer(0)), Err(Error::OtherKey));
    assert_eq!(session.sign(nonce(&signer(9)).0, &signer(9)), Err(Error::NotASigner));
    assert_eq!(session.verify(3, &round.nonces[0], &round.partials[0]), Err(Error::LengthMismatch));
    assert_eq!(session.aggregate(&round.partials[..2]), Err(Error::LengthMismatch));
    assert_eq!(session.aggregate_checked(&round.nonces[..2], &round.partials), Err(Error::LengthMismatch));
    assert_eq!(session.aggregate_checked(&round.nonces, &round.partials[..2]), Err(Error::LengthMismatch));
    assert_eq!(session.verify_all(&round.nonces[..2], &round.partials), Err(Error::LengthMismatch));
    assert_eq!(session.verify_all(&round.nonces, &round.partials[..2]), Err(Error::LengthMismatch));
    let deterministic = sign_deterministically(&signer(9), &round.nonces[0], &round.keys, MESSAGE, None);
    assert_eq!(deterministic, Err(Error::NotASigner));
    assert_eq!(KeyAggregation::new(&[]).err(), Some(Error::BadKeys));
    let inputs = NonceInputs::default();
    let mut randomness = [7; 32];
    assert!(SecretNonce::from_randomness(&mut randomness, &signer(0).public_key(), &inputs).is_ok());
    assert_eq!(randomness, [0; 32]);
    let again = SecretNonce::from_randomness(&mut randomness, &signer(0).public_key(), &inputs);
    assert_eq!(again.err(), Some(Error::UsedRandomness));
    assert_eq!(format!("{:?}", nonce(&signer(0)).0), "SecretNonce(..)");
}

#[test]
fn bytes_of_all_signers_name_all_bad_ones() {
    let keys: Vec<[u8; 33]> = (0..9).map(|number| signer(number).public_key().to_bytes()).collect();
    let nonces: Vec<[u8; 66]> = (0..9).map(|number| nonce(&signer(number)).1.to_bytes()).collect();
    let bulk = Bulk::new();
    assert_eq!(KeyAggregation::from_encoded(&keys).unwrap().keys().len(), 9);
    assert_eq!(PublicNonce::read_all(&bulk, &nonces).unwrap()[4].to_bytes(), nonces[4]);
    assert_eq!(PublicNonce::from_bytes(&nonces[4]).unwrap().to_bytes(), nonces[4]);
    let mut broken = keys.clone();
    (broken[5][0], broken[7][0]) = (4, 0);
    assert_eq!(KeyAggregation::from_encoded(&broken).err(), Some(bad(Contribution::PublicKey, &[5, 7])));
    for half in [0, 33] {
        let mut broken = nonces.clone();
        (broken[6][half], broken[8][33 - half]) = (5, 0);
        assert_eq!(PublicNonce::read_all(&bulk, &broken), Err(bad(Contribution::PublicNonce, &[6, 8])));
        let alone = PublicNonce::from_bytes(&broken[6]);
        assert_eq!(alone, Err(Error::BadEncoding(Contribution::PublicNonce)));
    }
    let mut partials = [[1; 32]; 3];
    assert_eq!(PartialSignature::read_all(&partials).unwrap()[2].to_bytes(), [1; 32]);
    (partials[0], partials[2]) = ([0xff; 32], [0xff; 32]);
    assert_eq!(PartialSignature::read_all(&partials), Err(bad(Contribution::PartialSignature, &[0, 2])));
}

#[test]
fn keys_that_repeat_are_signers_each() {
    let keys = KeyAggregation::new(&[signer(0).public_key(); 3]).unwrap();
    let randomness = |byte: u8| [byte; 32];
    let mut made = [1, 2, 3].map(|byte| {
        let inputs = NonceInputs::default();
        Some(SecretNonce::from_randomness(&mut randomness(byte), &signer(0).public_key(), &inputs).unwrap())
    });
    let nonces = made.each_ref().map(|made| made.as_ref().unwrap().1);
    let session = Session::new(&keys, &AggregateNonce::sum(&nonces), MESSAGE);
    let partials: Vec<_> =
        made.iter_mut().map(|made| session.sign(made.take().unwrap().0, &signer(0)).unwrap()).collect();
    assert!(session.aggregate_checked(&nonces, &partials).is_ok());
    assert_ne!(keys.public_key(), PublicKey::combine_keys(&[signer(0).public_key(); 3]).unwrap());
}

#[test]
fn one_signer_may_sign_without_randomness() {
    let signers = [signer(0), signer(1), signer(2)];
    let keys = KeyAggregation::new(&signers.each_ref().map(Keypair::public_key)).unwrap();
    let ((first, a), (second, b)) = (nonce(&signers[0]), nonce(&signers[1]));
    let others = PublicNonce::from_bytes(&AggregateNonce::sum(&[a, b]).to_bytes()).unwrap();
    for randomness in [None, Some([9; 32])] {
        let made = sign_deterministically(&signers[2], &others, &keys, MESSAGE, randomness.as_ref()).unwrap();
        assert_eq!(Ok(made), sign_deterministically(&signers[2], &others, &keys, MESSAGE, randomness.as_ref()));
    }
    let (c, third) = sign_deterministically(&signers[2], &others, &keys, MESSAGE, None).unwrap();
    let nonces = [a, b, c];
    let session = Session::new(&keys, &AggregateNonce::sum(&nonces), MESSAGE);
    let partials = [session.sign(first, &signers[0]).unwrap(), session.sign(second, &signers[1]).unwrap(), third];
    assert!(session.aggregate_checked(&nonces, &partials).is_ok());
}

#[test]
fn errors_say_what_and_who() {
    let error = bad(Contribution::PartialSignature, &[3, 7]);
    assert_eq!(format!("{error}"), "partial signature is wrong of signer 3 7");
}

#[test]
fn nonces_of_many_sessions_sign_one_each() {
    let signer = signer(0);
    let keys = KeyAggregation::new(&[signer.public_key()]).unwrap();
    let inputs = NonceInputs { secret_key: Some(signer.secret_key()), extra: b"many", ..NonceInputs::default() };
    let made = SecretNonce::generate_many(&Bulk::new(), 20, &signer.public_key(), &inputs);
    let public: Vec<[u8; 66]> = made.iter().map(|(_, public)| public.to_bytes()).collect();
    assert!(public.len() == 20 && (1..20).all(|i| !public[..i].contains(&public[i])));
    for (secret, public) in made {
        let session = Session::new(&keys, &AggregateNonce::sum(&[public]), b"message");
        let partial = session.sign(secret, &signer).unwrap();
        assert!(session.verify(0, &public, &partial).is_ok() && session.aggregate(&[partial]).is_ok());
    }
}
