//! The draft BIP-445's vectors: all of them under `../shared`, and some of each file in `bip445.json`, from
//! <https://github.com/siv2r/bip-frost-signing>.

use crate::{
    bulk,
    files::{array, bytes, list, number, shared, text},
};
use phalanx::{PublicKey, SecretKey, XOnlyPublicKey};
use phalanx_frost::{
    AggregateNonce, Error, Group, Identifier, KeyShare, NonceCommitments, Nonces, Session, SignatureShare, Suite,
    bip445::{self, NonceInputs, Tweak},
};
use serde_json::Value;

/// A file's vectors from `bip445.json`, and all of them if they are there.
fn files(name: &str) -> Vec<Value> {
    let some: Value = serde_json::from_str(include_str!("bip445.json")).expect("JSON");
    let all = shared(&format!("bip445/{name}_vectors.json"));
    [some[name].clone()].into_iter().chain(all).collect()
}

/// The cases of one kind in all groups of a file's vectors, each with its group.
fn cases(name: &str, kind: &str, mut run: impl FnMut(&Value, &Value)) {
    for file in files(name) {
        for group in list(&file["test_groups"]) {
            list(&group[kind]).iter().for_each(|case| run(group, case));
        }
    }
}

fn comment(case: &Value) -> &str {
    text(&case["comment"])
}

/// The entries of a list of the group that the case picks.
fn picked<'v>(group: &'v Value, all: &str, case: &Value, indices: &str) -> Vec<&'v Value> {
    list(&case[indices]).iter().map(|index| &group[all][number(index) as usize]).collect()
}

/// What the case says of the signers: the group, and who signs.
fn signers(group: &Value, case: &Value) -> Result<(Group, Vec<Identifier>), Error> {
    let participants = number(&group["n"]) as u32;
    let id = |id: &Value| bip445::participant(number(id) as u32, participants);
    let ids: Vec<Identifier> = list(&case["ids"]).iter().map(id).collect::<Result<_, _>>()?;
    let share = |hex: &Value| PublicKey::from_bytes(&bytes(hex)).map_err(|_| Error::BadEncoding);
    let shares: Vec<PublicKey> =
        picked(group, "pubshares", case, "pubshare_indices").into_iter().map(share).collect::<Result<_, _>>()?;
    let named: Vec<_> = ids.iter().copied().zip(shares).collect();
    let key = share(&group["thresh_pk"])?;
    let threshold = number(&group["t"]) as usize;
    // The draft speaks of too few signers where a group of those alone has no such threshold.
    let made = Group::new(Suite::Bip445, threshold, key, &named, &bulk());
    made.map(|group| (group, ids))
}

fn tweaks(values: &[&Value], case: &Value) -> Result<Vec<Tweak>, Error> {
    let modes = list(&case["is_xonly"]);
    if modes.len() != values.len() {
        return Err(Error::BadTweak);
    }
    let tweak = |(value, x_only): (&&Value, &Value)| {
        let bytes = bytes(value).try_into().map_err(|_| Error::BadTweak)?;
        Ok(if x_only.as_bool().expect("a truth value") { Tweak::XOnly(bytes) } else { Tweak::Plain(bytes) })
    };
    values.iter().zip(modes).map(tweak).collect()
}

fn aggregate_nonce(case: &Value, name: &str) -> Result<AggregateNonce, Error> {
    AggregateNonce::from_bytes(&bytes(&case[name]))
}

fn key_share(group: &Value, case: &Value, made: &Group) -> Result<KeyShare, Error> {
    let secret = &group["secshares"][number(&case["secshare_index"]) as usize];
    let secret = SecretKey::from_bytes(&bytes(secret)).map_err(|_| Error::BadEncoding)?;
    let me = bip445::participant(number(&case["my_id"]) as u32, number(&group["n"]) as u32)?;
    KeyShare::new(made, me, secret)
}

/// `sign` with what a case has of tweaks.
fn sign(group: &Value, case: &Value) -> Result<SignatureShare, Error> {
    let (made, ids) = signers(group, case)?;
    let values =
        if case["tweak_indices"].is_null() { Vec::new() } else { picked(group, "tweaks", case, "tweak_indices") };
    let tweaks = if values.is_empty() && case["is_xonly"].is_null() { Vec::new() } else { tweaks(&values, case)? };
    let session = bip445::session(&made, &ids, &aggregate_nonce(case, "aggnonce")?, &tweaks, &bytes(&case["msg"]))?;
    let nonces = bytes(&group["secnonces"][number(&case["secnonce_index"]) as usize]);
    let [hiding, binding] = [&nonces[..32], &nonces[32..]].map(SecretKey::from_bytes);
    let nonces = hiding.and_then(|hiding| Ok(Nonces::from_vector(hiding, binding?))).map_err(|_| Error::BadEncoding)?;
    session.sign(nonces, &key_share(group, case, &made)?)
}

#[test]
fn nonces_are_those_of_the_vectors() {
    for file in files("nonce_gen") {
        for case in list(&file["valid_tests"]) {
            let optional = |name: &str| (!case[name].is_null()).then(|| bytes(&case[name]));
            let secret = optional("secshare").map(|bytes| SecretKey::from_bytes(&bytes).expect("a share"));
            let (message, extra) = (optional("msg"), optional("extra_in").unwrap_or_default());
            let inputs = NonceInputs {
                secret_share: secret.as_ref(),
                verifying_share: optional("pubshare").map(|bytes| PublicKey::from_bytes(&bytes).expect("a point")),
                group_key: optional("thresh_pk").map(|bytes| XOnlyPublicKey::from_bytes(&bytes).expect("a key")),
                message: message.as_deref(),
                extra: &extra,
            };
            let nonces = bip445::nonces_from_randomness(&array(&case["rand_"]), &inputs).expect("not zero");
            // The public nonces tell the secret ones apart.
            assert_eq!(nonces.commitments().to_bytes()[..], bytes(&case["expected"][1]), "{}", comment(case));
        }
    }
}

#[test]
fn nonces_are_summed() {
    for file in files("nonce_agg") {
        let nonces = |case: &Value| -> Vec<Result<NonceCommitments, Error>> {
            let read = |bytes: Vec<u8>| NonceCommitments::from_bytes(&bytes);
            picked(&file, "pubnonces", case, "pubnonce_indices").into_iter().map(bytes).map(read).collect()
        };
        for case in list(&file["valid_tests"]) {
            let nonces: Vec<_> = nonces(case).into_iter().collect::<Result<_, _>>().expect("points");
            let sum = AggregateNonce::sum(&nonces);
            assert_eq!(sum.to_bytes()[..], bytes(&case["expected"]), "{}", comment(case));
            assert_eq!(AggregateNonce::from_bytes(&sum.to_bytes()), Ok(sum));
        }
        for case in list(&file["error_tests"]) {
            let wrong = nonces(case).iter().position(Result::is_err).map(|place| place as u64);
            assert_eq!(wrong, case["error"]["signer_index"].as_u64(), "{}", comment(case));
        }
    }
}

#[test]
fn shares_are_those_of_the_vectors() {
    for name in ["sign_verify", "tweak"] {
        cases(name, "valid_tests", |group, case| {
            let share = sign(group, case).unwrap_or_else(|error| panic!("{}: {error}", comment(case)));
            assert_eq!(share.to_bytes()[..], bytes(&case["expected"]), "{}", comment(case));
        });
    }
}

/// Which of our errors the draft's words stand for.
fn expected(case: &Value) -> &'static [&'static str] {
    let error = &case["error"];
    match (error["contrib"].as_str(), error["message"].as_str()) {
        (Some(_), _) => &["BadEncoding"],
        (_, Some("The signer's id must be present in the participant identifier list.")) => &["Unknown"],
        (_, Some("The participant identifier list contains duplicate elements.")) => &["Duplicate"],
        (_, Some("The signer's pubshare must be included in the list of pubshares.")) => {
            &["InconsistentGroup", "ForeignShare"]
        }
        (_, Some("The provided key material is incorrect.")) => &["InconsistentGroup"],
        (_, Some("The number of signers must be between t and n.")) => &["BadThreshold"],
        (_, Some("The tweak value is out of range." | "The result of tweaking cannot be infinity.")) => &["BadTweak"],
        (_, Some(message)) if message.contains("tweak") => &["BadTweak"],
        (_, Some(message)) if message.starts_with("Invalid pubshare") => &["BadEncoding"],
        (_, Some(message)) if message.contains("identifier at index") => &["BadIdentifier"],
        (_, Some(message)) if message.contains("value is out of range") => &["BadEncoding"],
        (_, message) => panic!("{message:?}"),
    }
}

fn assert_error<T: std::fmt::Debug>(case: &Value, result: Result<T, Error>) {
    let error = format!("{:?}", result.expect_err(comment(case)));
    let name = error.split(['(', ' ']).next().expect("a name");
    assert!(expected(case).contains(&name), "{}: {error}", comment(case));
}

#[test]
fn signing_refuses_what_the_vectors_refuse() {
    cases("sign_verify", "sign_error_tests", |group, case| assert_error(case, sign(group, case)));
    cases("tweak", "error_tests", |group, case| assert_error(case, sign(group, case)));
}

/// `partial_sig_verify`.
fn verify(group: &Value, case: &Value) -> Result<(), Error> {
    let (made, ids) = signers(group, case)?;
    let nonces = picked(group, "pubnonces", case, "pubnonce_indices").into_iter().map(bytes);
    let nonces: Vec<NonceCommitments> =
        nonces.map(|nonce| NonceCommitments::from_bytes(&nonce)).collect::<Result<_, _>>()?;
    let named: Vec<_> = ids.iter().copied().zip(nonces).collect();
    let session = Session::new(&made, &named, &bytes(&case["msg"]), &bulk())?;
    let id = ids[number(&case["signer_index"]) as usize];
    let share = SignatureShare::from_bytes(&bytes(&case["psig"]));
    share.map_or(Err(Error::BadSignatureShares(vec![id])), |share| session.verify_shares(&[(id, share)], &bulk()))
}

#[test]
fn shares_are_verified() {
    cases("sign_verify", "verify_fail_tests", |group, case| {
        let culprit = match verify(group, case).expect_err(comment(case)) {
            Error::BadSignatureShares(culprits) => culprits,
            error => panic!("{}: {error}", comment(case)),
        };
        let place = number(&case["signer_index"]) as usize;
        let id = number(&case["ids"][place]) as u32;
        assert_eq!(culprit, [bip445::participant(id, 99).expect("a participant")], "{}", comment(case));
    });
    cases("sign_verify", "verify_error_tests", |group, case| assert_error(case, verify(group, case)));
    // The valid shares of signing are verified too, where the sum of the nonces is that of the signers.
    let mut verified = 0;
    cases("sign_verify", "valid_tests", |group, case| {
        let mut case = case.clone();
        let ids = list(&case["ids"]);
        let place = ids.iter().position(|id| *id == case["my_id"]).expect("a signer");
        case["signer_index"] = place.into();
        case["psig"] = case["expected"].clone();
        let nonces = picked(group, "pubnonces", &case, "pubnonce_indices").into_iter().map(bytes);
        let sum =
            nonces.map(|nonce| NonceCommitments::from_bytes(&nonce)).collect::<Result<Vec<_>, _>>().expect("points");
        if AggregateNonce::sum(&sum).to_bytes()[..] == bytes(&case["aggnonce"]) {
            assert_eq!(verify(group, &case), Ok(()), "{}", comment(&case));
            verified += 1;
        }
    });
    assert!(verified > 0);
}

#[test]
fn signing_without_a_state_gives_the_vectors() {
    let sign = |group: &Value, case: &Value| {
        let (made, ids) = signers(group, case)?;
        let tweaks = tweaks(&list(&case["tweaks"]).iter().collect::<Vec<_>>(), case)?;
        let others = &case["aggothernonce"];
        let others = (!others.is_null()).then(|| NonceCommitments::from_bytes(&bytes(others))).transpose()?;
        let share = key_share(group, case, &made)?;
        let randomness: Option<[u8; 32]> = (!case["rand"].is_null()).then(|| array(&case["rand"]));
        let message = bytes(&case["msg"]);
        bip445::sign_deterministically(&share, &made, &ids, others.as_ref(), &tweaks, &message, randomness.as_ref())
    };
    cases("det_sign", "valid_tests", |group, case| {
        let (nonces, share) = sign(group, case).unwrap_or_else(|error| panic!("{}: {error}", comment(case)));
        assert_eq!(nonces.to_bytes()[..], bytes(&case["expected"][0]), "{}", comment(case));
        assert_eq!(share.to_bytes()[..], bytes(&case["expected"][1]), "{}", comment(case));
    });
    cases("det_sign", "error_tests", |group, case| assert_error(case, sign(group, case)));
}

#[test]
fn signatures_are_those_of_the_vectors() {
    let combine = |group: &Value, case: &Value| {
        let (made, ids) = signers(group, case)?;
        let tweaks = tweaks(&picked(group, "tweaks", case, "tweak_indices"), case)?;
        let message = bytes(&case["msg"]);
        let session = bip445::session(&made, &ids, &aggregate_nonce(case, "aggnonce")?, &tweaks, &message)?;
        let read = |share: &Value| SignatureShare::from_bytes(&bytes(share));
        let shares: Vec<_> = list(&case["psigs"]).iter().map(read).collect::<Result<_, _>>()?;
        let named: Vec<_> = ids.iter().copied().zip(shares).collect();
        let signature = session.combine(&named)?;
        assert_eq!(session.aggregate(&named, &bulk()), Err(Error::NoNonces));
        assert_eq!(signature.verify(&message, &session.key()), Ok(()));
        let bip340 = signature.to_bip340().expect("a signature of BIP-340");
        phalanx::schnorr::verify(&message, &bip340, &session.key().x_only().0).expect("a signature that holds");
        Ok(signature)
    };
    cases("sig_agg", "valid_tests", |group, case| {
        let signature = combine(group, case).unwrap_or_else(|error: Error| panic!("{}: {error}", comment(case)));
        assert_eq!(signature.to_bytes(), bytes(&case["expected"]), "{}", comment(case));
    });
    cases("sig_agg", "error_tests", |group, case| {
        let error = combine(group, case).expect_err(comment(case));
        match case["error"]["contrib"].as_str() {
            Some("psig") => assert_eq!(error, Error::BadEncoding),
            _ => assert!(matches!(error, Error::Missing(_)), "{}: {error}", comment(case)),
        }
    });
}
