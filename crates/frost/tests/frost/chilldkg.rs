//! ChillDKG: the draft's vectors, all of them under `../shared`, and one of each kind in `chilldkg.json`, from
//! <https://github.com/BlockstreamResearch/bip-frost-dkg>; and whole sessions.

use crate::{
    bulk,
    files::{array, bytes, list, number, shared, text},
    identifier, sign,
};
use phalanx::SecretKey;
use phalanx_frost::{
    Error, Group, Identifier, KeyShare,
    chilldkg::{self, Certified, Coordinator, Params, Participant, StepError},
};
use serde_json::Value;

/// A file's vectors from `chilldkg.json`, and all of them if they are there.
fn files(name: &str) -> Vec<Value> {
    let some: Value = serde_json::from_str(include_str!("chilldkg.json")).expect("JSON");
    [some[name].clone()].into_iter().chain(shared(&format!("chilldkg/{name}_vectors.json"))).collect()
}

/// The cases of one kind in all groups of a file, each with its group.
fn cases(name: &str, kind: &str, mut run: impl FnMut(&Value, &Value)) {
    for file in files(name) {
        let groups = file["testGroups"].as_array().cloned().unwrap_or(vec![file]);
        for group in &groups {
            group[kind].as_array().iter().copied().flatten().for_each(|case| run(group, case));
        }
    }
}

fn comment(case: &Value) -> &str {
    text(&case["comment"])
}

fn params(value: &Value) -> Result<Params, Error> {
    let hosts: Vec<[u8; 33]> = list(&value["hostpubkeys"]).iter().map(array).collect();
    Params::new(&hosts.iter().collect::<Vec<_>>(), number(&value["t"]) as usize, &bulk())
}

/// A host key. That of another length is refused by its type.
fn host(value: &Value) -> Result<SecretKey, Error> {
    SecretKey::from_bytes(&bytes(value)).map_err(|_| Error::ForeignHostKey)
}

fn bytes_32(value: &Value) -> Result<[u8; 32], Error> {
    bytes(value).try_into().map_err(|_| Error::BadEncoding)
}

/// The draft's word for an error of ours. `ValueError` stands for lengths, which our types refuse.
fn kind(error: &Error) -> &'static [&'static str] {
    match error {
        Error::BadEncoding => &["ValueError", "RandomnessError"],
        Error::ForeignHostKey => &["HostSeckeyError", "ValueError"],
        Error::BadThreshold => &["ThresholdOrCountError"],
        Error::BadHostKeys(_) => &["InvalidHostPubkeyError"],
        Error::Duplicate(_) => &["DuplicateHostPubkeyError"],
        Error::FaultyCoordinator => &["FaultyCoordinatorError"],
        Error::BadMessages(_) | Error::BadProofs(_) | Error::BadDealings(_) | Error::BadCertificate(_) => {
            &["FaultyParticipantOrCoordinatorError", "FaultyParticipantError"]
        }
        Error::BadRecoveryData => &["RecoveryDataError"],
        _ => &[],
    }
}

fn assert_error(case: &Value, error: &Error) {
    let expected = &case["expectedError"];
    assert!(kind(error).contains(&text(&expected["type"])), "{}: {error:?}", comment(case));
    if let Some(id) = expected["participantId"].as_u64() {
        assert_eq!(error.culprits(), [identifier(id + 1)], "{}", comment(case));
    }
    if let Some(later) = expected["participantId2"].as_u64() {
        assert_eq!(*error, Error::Duplicate(identifier(later + 1)), "{}", comment(case));
    }
}

fn assert_output(expected: &Value, group: &Group, share: Option<&KeyShare>) {
    assert_eq!(group.key().to_bytes()[..], bytes(&expected["threshPk"]));
    let shares: Vec<Vec<u8>> = list(&expected["pubshares"]).iter().map(bytes).collect();
    assert!(group.verifying_shares().iter().map(|(_, share)| share.to_bytes().to_vec()).eq(shares));
    let secret = expected["secshare"].as_str();
    assert_eq!(share.map(|share| hex::encode_upper(share.secret().to_bytes())).as_deref(), secret);
}

#[test]
fn host_keys_and_parameters_are_those_of_the_vectors() {
    cases("hostpubkey_gen", "validTestCases", |_, case| {
        let key = host(&case["hostseckey"]).expect("a key").public_key();
        assert_eq!(key.to_bytes()[..], bytes(&case["expectedHostpubkey"]));
    });
    cases("hostpubkey_gen", "errorTestCases", |_, case| assert_error(case, &host(&case["hostseckey"]).unwrap_err()));
    cases("params_hash", "validTestCases", |_, case| {
        assert_eq!(params(&case["params"]).expect("parameters").hash(), array(&case["expectedParamsHash"]));
    });
    cases("params_hash", "errorTestCases", |_, case| assert_error(case, &params(&case["params"]).unwrap_err()));
}

/// Step 1 from fields of a case or of a group.
fn begin(from: &Value) -> Result<(Participant, Vec<u8>), Error> {
    let (host, params) = (host(&from["hostseckey"])?, params(&from["params"])?);
    chilldkg::begin(&host, &params, &bytes_32(&from["random"])?, &bulk())
}

#[test]
fn a_participant_begins_as_the_vectors_say() {
    cases("participant_step1", "validTestCases", |_, case| {
        assert_eq!(begin(case).expect("a participant").1, bytes(&case["expectedPmsg1"]));
    });
    cases("participant_step1", "errorTestCases", |_, case| assert_error(case, &begin(case).unwrap_err()));
}

/// Step 2 of a group's participant, with what the case has of it.
fn step2(group: &Value, case: &Value, message: &Value) -> Result<(Certified, [u8; 64]), StepError> {
    let field = |name: &str| if case[name].is_null() { &group[name] } else { &case[name] };
    let (participant, sent) = begin(group).expect("a participant");
    assert_eq!(sent, bytes(&group["pmsg1"]));
    let (host, aux) = (host(field("hostseckey"))?, bytes_32(field("auxRand"))?);
    participant.step2(&host, &bytes(message), &aux, &bulk())
}

#[test]
fn a_participant_goes_on_as_the_vectors_say() {
    cases("participant_step2", "validTestCases", |group, case| {
        let (_, signature) = step2(group, case, &case["cmsg1"]).expect("an honest coordinator");
        assert_eq!(signature[..], bytes(&case["expectedPmsg2"]));
    });
    cases("participant_step2", "errorTestCases", |group, case| {
        match step2(group, case, &case["cmsg1"]).expect_err(comment(case)) {
            StepError::Error(error) => assert_error(case, &error),
            StepError::Unknown(_) => {
                assert_eq!(case["expectedError"]["type"], "UnknownFaultyParticipantOrCoordinatorError");
            }
            error => panic!("{error}"),
        }
    });
}

#[test]
fn a_participant_ends_as_the_vectors_say() {
    let finish = |group: &Value, case: &Value| {
        let (certified, signature) = step2(group, case, &group["cmsg1"]).expect("an honest coordinator");
        assert_eq!(signature[..], bytes(&group["pmsg2"]));
        certified.finish(&bytes(&case["cmsg2"]), &bulk())
    };
    cases("participant_finalize", "validTestCases", |group, case| {
        let (share, made, recovery) = finish(group, case).expect("a certificate");
        assert_output(&case["expectedOutput"]["dkgOutput"], &made, Some(&share));
        assert_eq!(recovery, bytes(&case["expectedOutput"]["recoveryData"]));
    });
    cases("participant_finalize", "errorTestCases", |group, case| {
        assert_error(case, &finish(group, case).expect_err(comment(case)));
    });
}

#[test]
fn investigations_end_as_the_vectors_say() {
    cases("participant_investigate", "errorTestCases", |group, case| {
        let message = &group["cmsg1Pool"][number(&case["cmsg1Index"]) as usize];
        match step2(group, case, message).expect_err(comment(case)) {
            StepError::Unknown(investigation) => {
                assert_error(case, &investigation.culprit(&bytes(&case["cinvMsg"])));
                assert_eq!(investigation.culprit(&[]), Error::BadEncoding);
            }
            error => panic!("{}: {error}", comment(case)),
        }
    });
    cases("coordinator_investigate", "validTestCases", |group, case| {
        let sent: Vec<Vec<u8>> = list(&group["pmsgs1"]).iter().map(bytes).collect();
        let sent: Vec<&[u8]> = sent.iter().map(Vec::as_slice).collect();
        let params = params(&group["params"]).expect("parameters");
        let messages = chilldkg::investigation_messages(&params, &sent, &bulk()).expect("well-formed messages");
        assert_eq!(messages, list(&case["expectedCinvMsgs"]).iter().map(bytes).collect::<Vec<_>>());
    });
}

#[test]
fn a_coordinator_does_what_the_vectors_say() {
    let step1 = |group: &Value, case: &Value| {
        let pool: Vec<Vec<u8>> = list(&group["pmsg1Pool"]).iter().map(bytes).collect();
        let sent = list(&case["pmsg1Indices"]).iter().map(|index| &pool[number(index) as usize][..]);
        Coordinator::new(&params(&case["params"])?, &sent.collect::<Vec<_>>(), &bulk())
    };
    cases("coordinator_step1", "validTestCases", |group, case| {
        assert_eq!(step1(group, case).expect("honest participants").1, bytes(&case["expectedCmsg1"]));
    });
    cases("coordinator_step1", "errorTestCases", |group, case| {
        assert_error(case, &step1(group, case).map(|_| ()).expect_err(comment(case)));
    });
    let finish = |group: &Value, case: &Value| {
        let sent: Vec<Vec<u8>> = list(&group["pmsgs1"]).iter().map(bytes).collect();
        let params = params(&group["params"]).expect("parameters");
        let sent: Vec<&[u8]> = sent.iter().map(Vec::as_slice).collect();
        let (coordinator, message) = Coordinator::new(&params, &sent, &bulk()).expect("honest participants");
        assert_eq!(message, bytes(&group["cmsg1"]));
        let signature = |index: &Value| bytes(&group["pmsg2Pool"][number(index) as usize]).try_into();
        let signatures = list(&case["pmsg2Indices"]).iter().map(signature).collect::<Result<Vec<_>, _>>();
        coordinator.finish(&signatures.map_err(|_| Error::BadEncoding)?, &bulk())
    };
    cases("coordinator_finalize", "validTestCases", |group, case| {
        let (certificate, made, recovery) = finish(group, case).expect("honest participants");
        let expected = &case["expectedOutput"];
        assert_output(&expected["dkgOutput"], &made, None);
        assert_eq!((certificate, recovery), (bytes(&expected["cmsg2"]), bytes(&expected["recoveryData"])));
    });
    cases("coordinator_finalize", "errorTestCases", |group, case| {
        assert_error(case, &finish(group, case).expect_err(comment(case)));
    });
}

#[test]
fn sessions_are_recovered_as_the_vectors_say() {
    let recover = |case: &Value| {
        let key = (!case["hostseckey"].is_null()).then(|| host(&case["hostseckey"])).transpose()?;
        chilldkg::recover(key.as_ref(), &bytes(&case["recoveryData"]), &bulk())
    };
    cases("recover", "validTestCases", |_, case| {
        let (found, group, share) = recover(case).expect("whole data");
        let expected = &case["expectedOutput"];
        assert_output(&expected["dkgOutput"], &group, share.as_ref());
        assert_eq!(Ok(found), params(&expected["params"]));
    });
    cases("recover", "errorTestCases", |_, case| assert_error(case, &recover(case).expect_err(comment(case))));
}

/// All participants' states after step 1, and what they sent.
struct Session {
    hosts: Vec<SecretKey>,
    params: Params,
    participants: Vec<Participant>,
    sent: Vec<Vec<u8>>,
}

fn session(threshold: usize, count: usize) -> Session {
    let hosts: Vec<SecretKey> = (0..count).map(|_| SecretKey::random()).collect();
    let publics: Vec<[u8; 33]> = hosts.iter().map(|host| host.public_key().to_bytes()).collect();
    let params = Params::new(&publics.iter().collect::<Vec<_>>(), threshold, &bulk()).expect("distinct keys");
    let begin = |host| chilldkg::begin(host, &params, &SecretKey::random().to_bytes(), &bulk()).expect("a participant");
    let (participants, sent) = hosts.iter().map(begin).unzip();
    Session { hosts, params, participants, sent }
}

impl Session {
    fn coordinate(&self) -> (Coordinator, Vec<u8>) {
        let sent: Vec<&[u8]> = self.sent.iter().map(Vec::as_slice).collect();
        Coordinator::new(&self.params, &sent, &bulk()).expect("well-formed messages")
    }
}

#[test]
fn a_whole_session_makes_a_group_that_signs() {
    for (threshold, count) in [(1, 1), (2, 3), (4, 5)] {
        let session = session(threshold, count);
        let (coordinator, relayed) = session.coordinate();
        let step = |(participant, host): (Participant, &SecretKey)| {
            participant.step2(host, &relayed, &[3; 32], &bulk()).expect("an honest coordinator")
        };
        let (certified, signatures): (Vec<Certified>, Vec<[u8; 64]>) =
            session.participants.into_iter().zip(&session.hosts).map(step).unzip();
        let (certificate, made, recovery) = coordinator.finish(&signatures, &bulk()).expect("honest participants");
        let mut shares = Vec::new();
        for (certified, host) in certified.iter().zip(&session.hosts) {
            let (share, group, data) = certified.finish(&certificate, &bulk()).expect("a certificate");
            assert_eq!((&group, &data), (&made, &recovery));
            let (params, group, again) = chilldkg::recover(Some(host), &data, &bulk()).expect("whole data");
            assert_eq!((params, group), (session.params.clone(), made.clone()));
            assert_eq!(again.expect("a host key was given").secret(), share.secret());
            shares.push(share);
        }
        let (session, signed) = sign(&made, &shares[count - threshold..], b"message");
        let signature = session.aggregate(&signed, &bulk()).expect("shares that hold");
        assert_eq!(signature.verify(b"message", &made.key()), Ok(()));
    }
}

#[test]
fn whoever_sends_a_wrong_share_is_found() {
    let mut session = session(3, 5);
    // Participant 4 sends participant 2 another number.
    let last = session.sent[3].len() - 32 * 4;
    session.sent[3][last..][..32].copy_from_slice(&[7; 32]);
    let (_, relayed) = session.coordinate();
    let sent: Vec<&[u8]> = session.sent.iter().map(Vec::as_slice).collect();
    let messages = chilldkg::investigation_messages(&session.params, &sent, &bulk()).expect("well-formed messages");
    let mut found = Vec::new();
    for ((participant, host), message) in session.participants.into_iter().zip(&session.hosts).zip(&messages) {
        if let Err(StepError::Unknown(investigation)) = participant.step2(host, &relayed, &[3; 32], &bulk()) {
            found.push(investigation.culprit(message));
            assert_eq!(investigation.culprit(&messages[0]), Error::FaultyCoordinator);
            // Shares or points of participant 1 alone that do not add up to what the coordinator sent before.
            let points = 32 * 5;
            for (changed, other) in [(31, message[31] ^ 1), (points, message[points] ^ 1)] {
                let mut message = message.clone();
                message[changed] = other;
                assert_eq!(investigation.culprit(&message), Error::FaultyCoordinator, "byte {changed}");
            }
        }
    }
    assert_eq!(found, [Error::BadDealings(vec![identifier(4)])]);
}

#[test]
fn every_cheater_is_named_at_once() {
    let mut session = session(2, 5);
    let good = session.sent.clone();
    // Proofs of others' secrets.
    let proof = 33 * 2..33 * 2 + 64;
    session.sent[1][proof.clone()].copy_from_slice(&good[2][proof.clone()]);
    session.sent[4][proof.clone()].copy_from_slice(&good[2][proof]);
    let (_, relayed) = session.coordinate();
    let error = session.participants.swap_remove(0).step2(&session.hosts[0], &relayed, &[3; 32], &bulk()).unwrap_err();
    let named: Vec<Identifier> = [2, 5].map(identifier).into();
    assert!(matches!(error, StepError::Error(Error::BadProofs(culprits)) if culprits == named));
    // Points that are none.
    session.sent = good;
    session.sent[0][0] = 9;
    session.sent[3][33] = 9;
    let sent: Vec<&[u8]> = session.sent.iter().map(Vec::as_slice).collect();
    let error = Coordinator::new(&session.params, &sent, &bulk()).unwrap_err();
    assert_eq!(error, Error::BadMessages([1, 4].map(identifier).into()));
}
