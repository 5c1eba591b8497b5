//! What is refused of keys, messages and data that only somebody who cheats, or knows all secrets, can make.

use crate::{bulk, group, identifier, secret, sign};
use phalanx::bindings::tags;
use phalanx::{Keypair, Point, PublicKey, Scalar, SecretKey, schnorr};
use phalanx_frost::{
    Error, Identifier, KeyShare, NonceCommitments, Nonces, Session, Signature, Suite,
    bip445::{self, Tweak},
    chilldkg::{self, Coordinator, Params, Participant, StepError},
    dealer, dkg, repair,
};

fn key(number: Scalar) -> SecretKey {
    SecretKey::try_from(number).expect("not zero")
}

/// The tweak of a taproot key without scripts.
fn tweak(public: &PublicKey) -> Scalar {
    let tweak = tags::TAP_TWEAK.hash(&[&public.x_only().0.to_bytes()]);
    Scalar::from_bytes(&tweak).expect("below the group order")
}

#[test]
fn a_dealer_makes_no_group_of_a_wrong_threshold_and_no_share_that_is_zero() {
    let all: Vec<Identifier> = (1..=3).map(identifier).collect();
    let deal = |threshold| dealer::deal(Suite::Taproot, threshold, &SecretKey::random(), &all, &bulk()).map(|_| ());
    for threshold in [0, 4, usize::MAX] {
        assert_eq!(deal(threshold), Err(Error::BadThreshold));
    }
    // The polynomial s - s x is zero at 1.
    let constant = SecretKey::random();
    let slope = [constant.negate()];
    let dealt = dealer::deal_with_coefficients(Suite::Taproot, &constant, &slope, &all, &bulk());
    assert_eq!(dealt.map(|_| ()), Err(Error::BadIdentifier));
}

#[test]
fn a_share_that_its_taproot_tweak_cancels_is_refused() {
    let constant = SecretKey::random();
    let (public, tweak) = (constant.public_key(), tweak(&constant.public_key()));
    // The value at 1, which is negated with the key if that is odd.
    let first = if public.x_only().1 { tweak } else { -tweak };
    let slope = [key(first - Scalar::from(&constant))];
    let all: Vec<Identifier> = (1..=3).map(identifier).collect();
    let dealt = dealer::deal_with_coefficients(Suite::Taproot, &constant, &slope, &all, &bulk()).expect("a dealing");
    assert_eq!(dealt.group.taproot(None, &bulk()).unwrap_err(), Error::BadTweak);
    assert_eq!(dealt.shares[0].taproot(None).unwrap_err(), Error::BadTweak);
    assert!(dealt.shares[1].taproot(None).is_ok());
}

#[test]
fn each_suite_has_its_own_calls() {
    let (other, keys) = group(Suite::Rfc9591, 2, 3);
    assert_eq!(other.taproot(None, &bulk()).unwrap_err(), Error::NotInSuite);
    assert_eq!(keys[0].taproot(None).unwrap_err(), Error::NotInSuite);
    let published: Vec<(Identifier, NonceCommitments)> =
        keys.iter().map(|key| (key.identifier(), Nonces::generate(key).commitments())).collect();
    let tweaks = [Tweak::Plain([1; 32])];
    let session = Session::with_tweaks(&other, &published, &tweaks, b"message", &bulk());
    assert_eq!(session.map(|_| ()), Err(Error::NotInSuite));
    let (own, keys) = group(Suite::Bip445, 2, 3);
    let nonces: Vec<NonceCommitments> = keys.iter().map(|key| Nonces::generate(key).commitments()).collect();
    let sum = phalanx_frost::AggregateNonce::sum(&nonces);
    let signers: Vec<Identifier> = keys.iter().map(KeyShare::identifier).collect();
    assert!(bip445::session(&own, &signers, &sum, &[], b"message").is_ok());
    let session = bip445::session(&other, &signers, &sum, &[], b"message");
    assert_eq!(session.map(|_| ()), Err(Error::NotInSuite));
}

#[test]
fn numbers_of_participants_have_32_bits_in_bip445() {
    for (last, expected) in [(1 << 32, Ok(())), ((1 << 32) + 1, Err(Error::BadIdentifier))] {
        let all = [identifier(1), identifier(last)];
        let dealt = dealer::deal(Suite::Bip445, 2, &SecretKey::random(), &all, &bulk()).expect("a dealing");
        let published: Vec<_> =
            dealt.shares.iter().map(|key| (key.identifier(), Nonces::generate(key).commitments())).collect();
        let session = Session::new(&dealt.group, &published, b"message", &bulk());
        assert_eq!(session.map(|_| ()), expected);
    }
    let far = Identifier::from_bytes(&[1; 32]).expect("below the group order");
    let dealt = dealer::deal(Suite::Bip445, 1, &SecretKey::random(), &[far], &bulk()).expect("a dealing");
    let nonces = Nonces::generate(&dealt.shares[0]).commitments();
    let session = Session::new(&dealt.group, &[(far, nonces)], b"message", &bulk());
    assert_eq!(session.map(|_| ()), Err(Error::BadIdentifier));
}

#[test]
fn short_signatures_are_none() {
    for suite in [Suite::Rfc9591, Suite::Taproot, Suite::Bip445] {
        let (group, keys) = group(suite, 2, 2);
        let (session, shares) = sign(&group, &keys, b"message");
        let whole = session.aggregate(&shares, &bulk()).expect("shares that hold").to_bytes();
        assert!(Signature::from_bytes(suite, &whole).is_ok());
        for length in [0, 1, 31, 32, 33, whole.len() - 1] {
            assert_eq!(Signature::from_bytes(suite, &whole[..length]).unwrap_err(), Error::BadEncoding);
        }
    }
}

/// What each of two participants finds at the end of a key generation with these coefficients.
fn generated(first: &[SecretKey], second: &[SecretKey]) -> [Result<(), Error>; 2] {
    let begin = |number, coefficients| {
        dkg::begin_with_coefficients(Suite::Rfc9591, identifier(number), coefficients, &bulk()).expect("coefficients")
    };
    let ((one, of_one), (two, of_two)) = (begin(1, first), begin(2, second));
    let (one, to_two) = one.deal(&[(identifier(2), of_two)], &bulk()).expect("a proof that holds");
    let (two, to_one) = two.deal(&[(identifier(1), of_one)], &bulk()).expect("a proof that holds");
    let from = |sender: u64, dealt: &[(Identifier, dkg::DealtShare)]| [(identifier(sender), dealt[0].1.clone())];
    [one.finish(&from(2, &to_one), &bulk()).map(|_| ()), two.finish(&from(1, &to_two), &bulk()).map(|_| ())]
}

#[test]
fn generated_keys_and_shares_are_not_zero() {
    let [constant, slope, other] = [3, 5, 7].map(|byte| key(Scalar::from(&secret(&format!("{byte:064x}")))));
    assert_eq!(generated(&[constant.clone(), slope.clone()], &[other.clone(), slope.clone()]), [Ok(()), Ok(())]);
    // The key would be zero.
    let inconsistent = Err(Error::InconsistentGroup);
    let found = generated(&[constant.clone(), slope.clone()], &[constant.negate(), slope.clone()]);
    assert_eq!(found, [inconsistent.clone(), inconsistent.clone()]);
    // The share of participant 1 would be.
    let value = -(Scalar::from(&constant) + Scalar::from(&slope)) - Scalar::from(&other);
    let found = generated(&[constant, slope], &[other, key(value)]);
    assert_eq!(found, [inconsistent.clone(), inconsistent]);
    let none = dkg::begin_with_coefficients(Suite::Rfc9591, identifier(1), &[], &bulk());
    assert_eq!(none.map(|_| ()), Err(Error::BadThreshold));
}

#[test]
fn repairs_are_by_helpers_and_of_shares_that_are_not_zero() {
    let (group, keys) = group(Suite::Taproot, 2, 4);
    let helpers = [2, 3].map(identifier);
    assert_eq!(repair::split(&keys[3], &helpers, &identifier(1)).unwrap_err(), Error::Unknown(identifier(4)));
    let zero = [repair::Sigma::from_bytes(&[0; 32]).expect("a scalar")];
    assert_eq!(repair::finish(&group, identifier(1), &zero).unwrap_err(), Error::ForeignShare);
}

struct ChillSession {
    hosts: Vec<SecretKey>,
    params: Params,
    sent: Vec<Vec<u8>>,
}

fn chill_session(threshold: usize, count: usize) -> ChillSession {
    let hosts: Vec<SecretKey> = (0..count).map(|_| SecretKey::random()).collect();
    let publics: Vec<[u8; 33]> = hosts.iter().map(|host| host.public_key().to_bytes()).collect();
    let params = Params::new(&publics.iter().collect::<Vec<_>>(), threshold, &bulk()).expect("distinct keys");
    let mut session = ChillSession { hosts, params, sent: Vec::new() };
    session.sent = (0..count).map(|place| session.begin(place).1).collect();
    session
}

impl ChillSession {
    /// A participant, the same each time, and its first message.
    fn begin(&self, place: usize) -> (Participant, Vec<u8>) {
        chilldkg::begin(&self.hosts[place], &self.params, &[9; 32], &bulk()).expect("a participant")
    }

    fn sent(&self) -> Vec<&[u8]> {
        self.sent.iter().map(Vec::as_slice).collect()
    }
}

#[test]
fn the_sum_of_commitments_makes_a_key_and_shares() {
    let mut session = chill_session(2, 2);
    let refused = |session: &ChillSession| {
        let new = Coordinator::new(&session.params, &session.sent(), &bulk());
        assert_eq!(new.map(|_| ()), Err(Error::InconsistentGroup));
    };
    // A message begins with the commitment: two points of 33 bytes.
    let good = session.sent.clone();
    let first = PublicKey::from_bytes(&good[0][..33]).expect("a point");
    session.sent[1][..33].copy_from_slice(&first.negate().to_bytes());
    refused(&session);
    // The sum A + B x, with the tweak t of A: infinity at 1 if B is -A - t.
    session.sent = good.clone();
    let point = |message: &[u8], place: usize| PublicKey::from_bytes(&message[33 * place..][..33]).expect("a point");
    let sum = PublicKey::combine_keys(&[point(&good[0], 0), point(&good[1], 0)]).expect("a key");
    let tweak = key(tweak(&sum)).public_key();
    let slope = Point::IDENTITY - Point::from(sum) - Point::from(tweak) - Point::from(point(&good[0], 1));
    session.sent[1][33..66].copy_from_slice(&PublicKey::try_from(slope).expect("a point").to_bytes());
    refused(&session);
}

#[test]
fn what_is_no_number_or_point_is_refused_wherever_it_stands() {
    let (threshold, count) = (2, 3);
    let mut session = chill_session(threshold, count);
    let good = session.sent.clone();
    // Behind the commitment stand a proof, a nonce, and encrypted shares.
    let shares = 33 * threshold + 64 + 33;
    session.sent[1][shares + 32..shares + 64].fill(0xff);
    let new = Coordinator::new(&session.params, &session.sent(), &bulk());
    assert_eq!(new.map(|_| ()), Err(Error::BadMessages(vec![identifier(2)])));
    session.sent = good;
    let (_, relayed) = Coordinator::new(&session.params, &session.sent(), &bulk()).expect("well-formed messages");
    // Secrets' points, the other points, proofs, nonces, shares.
    let (others, shares) = (33 * count, 33 * count + 33 * (threshold - 1) + 64 * count + 33 * count);
    for place in [33, others, shares + 64] {
        let mut wrong = relayed.clone();
        wrong[place..place + 32].fill(0xff);
        let refused = session.begin(0).0.step2(&session.hosts[0], &wrong, &[3; 32], &bulk());
        assert!(matches!(refused.map(|_| ()), Err(StepError::Error(Error::FaultyCoordinator))), "{place}");
    }
    // An investigation: encrypted shares, points.
    let last = session.sent[1].len() - 32 * count;
    session.sent[1][last..][..32].copy_from_slice(&[7; 32]);
    let (_, relayed) = Coordinator::new(&session.params, &session.sent(), &bulk()).expect("well-formed messages");
    let messages = chilldkg::investigation_messages(&session.params, &session.sent(), &bulk()).expect("the same");
    let step = session.begin(0).0.step2(&session.hosts[0], &relayed, &[3; 32], &bulk());
    let Err(StepError::Unknown(investigation)) = step else { panic!("a share is wrong") };
    assert_eq!(investigation.culprit(&messages[0]), Error::BadDealings(vec![identifier(2)]));
    for place in [32, 32 * count + 33] {
        let mut wrong = messages[0].clone();
        wrong[place..place + 32].fill(0xff);
        assert_eq!(investigation.culprit(&wrong), Error::FaultyCoordinator, "{place}");
    }
    assert_eq!(investigation.culprit(&messages[0][1..]), Error::BadEncoding);
}

#[test]
fn data_that_all_hosts_certify_is_recovered_only_if_it_holds() {
    let (threshold, count) = (2, 2);
    let session = chill_session(threshold, count);
    let (coordinator, relayed) = Coordinator::new(&session.params, &session.sent(), &bulk()).expect("messages");
    let step = |place: usize| {
        let stepped = session.begin(place).0.step2(&session.hosts[place], &relayed, &[3; 32], &bulk());
        stepped.expect("an honest coordinator").1
    };
    let signatures: Vec<[u8; 64]> = (0..count).map(step).collect();
    let (_, _, data) = coordinator.finish(&signatures, &bulk()).expect("honest participants");
    let host = &session.hosts[0];
    let (_, _, share) = chilldkg::recover(Some(host), &data, &bulk()).expect("whole data");
    let share = Scalar::from(share.expect("a host key was given").secret());

    let seen = data.len() - 64 * count;
    let (nonces, shares) = (4 + 33 * threshold + 33 * count, 4 + 33 * threshold + 66 * count);
    let recovered = |change: &dyn Fn(&mut [u8])| {
        let mut data = data.clone();
        change(&mut data);
        for (place, host) in session.hosts.iter().enumerate() {
            let mut message = [0; 33].to_vec();
            message[..22].copy_from_slice(b"BIP DKG/certeq message");
            message.extend([&(place as u32).to_be_bytes()[..], &data[..seen]].concat());
            let signature = schnorr::sign(&message, &Keypair::from_secret(host.clone()), &[0; 32]).to_bytes();
            data[seen + 64 * place..][..64].copy_from_slice(&signature);
        }
        chilldkg::recover(Some(host), &data, &bulk()).map(|_| ())
    };
    assert_eq!(recovered(&|_| ()), Ok(()));
    let add = |data: &mut [u8], number: Scalar| {
        let place: &mut [u8; 32] = (&mut data[shares..shares + 32]).try_into().expect("32 bytes");
        *place = (Scalar::from_bytes(place).expect("a scalar") + number).to_bytes();
    };
    // A nonce that is not a point, a share that is zero, another share.
    assert_eq!(recovered(&|data| data[nonces + 33..nonces + 66].fill(0xff)), Err(Error::BadRecoveryData));
    assert_eq!(recovered(&|data| add(data, -share)), Err(Error::BadRecoveryData));
    assert_eq!(recovered(&|data| add(data, Scalar::ONE)), Err(Error::BadRecoveryData));
}

#[test]
fn a_share_signs_in_its_own_suite_and_group_alone() {
    let (constant, all) = (SecretKey::random(), [1, 2].map(identifier));
    let deal = |suite, slope: &SecretKey| {
        let slope = std::slice::from_ref(slope);
        dealer::deal_with_coefficients(suite, &constant, slope, &all, &bulk()).expect("a dealing")
    };
    let slope = SecretKey::random();
    let (own, other) = (deal(Suite::Rfc9591, &slope), deal(Suite::Taproot, &slope));
    let foreign = deal(Suite::Rfc9591, &SecretKey::random());
    assert_eq!(own.shares[0].verifying_share(), other.shares[0].verifying_share());
    assert_eq!(own.group.key(), foreign.group.key());
    for share in [&other.shares[0], &foreign.shares[0]] {
        let nonces: Vec<Nonces> = own.shares.iter().map(Nonces::generate).collect();
        let published: Vec<_> = all.into_iter().zip(nonces.iter().map(Nonces::commitments)).collect();
        let session = Session::new(&own.group, &published, b"message", &bulk()).expect("signers of the group");
        let first = nonces.into_iter().next().expect("two");
        assert_eq!(session.sign(first, share), Err(Error::ForeignShare));
    }
}

#[test]
fn nothing_stands_behind_a_certificate() {
    let session = chill_session(2, 2);
    let (coordinator, relayed) = Coordinator::new(&session.params, &session.sent(), &bulk()).expect("messages");
    let step = |place: usize| session.begin(place).0.step2(&session.hosts[place], &relayed, &[3; 32], &bulk());
    let (certified, signatures): (Vec<_>, Vec<_>) =
        [0, 1].map(|place| step(place).expect("honest")).into_iter().unzip();
    let (certificate, ..) = coordinator.finish(&signatures, &bulk()).expect("honest participants");
    assert!(certified[0].finish(&certificate, &bulk()).is_ok());
    for wrong in [[&certificate[..], &[0]].concat(), certificate[..64].to_vec(), certificate[..127].to_vec()] {
        assert_eq!(certified[0].finish(&wrong, &bulk()).map(|_| ()), Err(Error::BadEncoding));
    }
}
