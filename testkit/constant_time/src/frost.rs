//! Threshold signatures: shares, polynomials and nonces are secret. What is published of them is used as others use it.

use crate::secret::{secret, still_secret};
use phalanx::{Bulk, SecretKey};
use phalanx_frost::{
    AggregateNonce, Group, Identifier, KeyShare, Nonces, Session, Suite, bip445, chilldkg, dealer,
    dkg::{self, DealtShare},
    repair::{self, Delta, Sigma},
};

pub(crate) const ALL: &[(&str, fn())] = &[
    ("frost_deal", || {
        for suite in SUITES {
            let dealing = deal(suite, secret);
            assert!(dealing.group.threshold() == 2);
            dealing.shares.iter().for_each(|share| still_secret(share.secret().to_bytes()));
        }
    }),
    ("frost_accept", || {
        let dealing = deal(Suite::Taproot, |key| key);
        let share = secret(dealing.shares[0].secret().clone());
        let participants = participants();
        let accepted =
            dealer::accept(Suite::Taproot, participants[0], &share, &dealing.commitment, &participants, &bulk());
        assert!(accepted.is_ok());
        let wrong =
            dealer::accept(Suite::Taproot, participants[1], &share, &dealing.commitment, &participants, &bulk());
        assert!(wrong.is_err());
    }),
    ("frost_taproot", || {
        let (group, shares) = shares(Suite::Taproot);
        let group = group.taproot(Some(&[7; 32]), &bulk()).expect("a tweak");
        for share in shares {
            let share = share.taproot(Some(&[7; 32])).expect("a tweak");
            assert!(share.group_key() == group.key());
            still_secret(share.secret().to_bytes());
        }
    }),
    ("frost_nonces", || {
        for suite in SUITES {
            let (_, shares) = shares(suite);
            assert!(Nonces::generate(&shares[0]).commitments() != Nonces::generate(&shares[0]).commitments());
            assert!(Nonces::generate_many(&shares[0], 9, &bulk()).len() == 9);
        }
    }),
    ("frost_sign", || {
        for suite in SUITES {
            let (group, shares) = shares(suite);
            for message in [&b"one"[..], b"two", b"three", b"four"] {
                let nonces = [nonces(&shares[0], 1), nonces(&shares[1], 2)];
                let published = [0, 1].map(|i| (shares[i].identifier(), nonces[i].commitments()));
                let session = Session::new(&group, &published, message, &bulk()).expect("signers of the group");
                for (nonces, share) in nonces.into_iter().zip(&shares) {
                    still_secret(session.sign(nonces, share).expect("a signer").to_bytes());
                }
            }
        }
    }),
    ("frost_sign_deterministically", || {
        let (group, shares) = shares(Suite::Bip445);
        let signers = [shares[0].identifier(), shares[1].identifier()];
        let other = nonces(&shares[1], 2).commitments();
        for randomness in [None, Some(secret([9; 32]))] {
            let signed = bip445::sign_deterministically(
                &shares[0],
                &group,
                &signers,
                Some(&other),
                &[],
                b"message",
                randomness.as_ref(),
            );
            let (nonces, share) = signed.expect("a signer");
            assert!(AggregateNonce::sum(&[nonces]) != AggregateNonce::sum(&[other]));
            still_secret(share.to_bytes());
        }
    }),
    ("frost_generate", || {
        for suite in [Suite::Rfc9591, Suite::Taproot] {
            let [me, other, _] = participants();
            let coefficients = [0x11, 0x22].map(|byte| secret(key(byte)));
            let (announced, mine) =
                dkg::begin_with_coefficients(suite, me, &coefficients, &bulk()).expect("two coefficients");
            assert!(mine.commitment().threshold() == 2);
            let (others, theirs) = dkg::begin(suite, other, 2, &bulk()).expect("a threshold");
            let (dealt, for_others) = announced.deal(&[(other, theirs)], &bulk()).expect("a proof");
            for_others.iter().for_each(|(_, share)| still_secret(share.to_bytes()));
            // The other side gets an announcement of a participant without poison.
            let (_, public) = dkg::begin(suite, me, 2, &bulk()).expect("a threshold");
            let (_, for_me) = others.deal(&[(me, public)], &bulk()).expect("a proof");
            let received = DealtShare::from_bytes(&secret(for_me[0].1.to_bytes())).expect("in range");
            let (share, _) = dealt.finish(&[(other, received)], &bulk()).expect("an honest participant");
            still_secret(share.secret().to_bytes());
        }
    }),
    ("frost_repair", || {
        let (group, shares) = shares(Suite::Taproot);
        let helpers = [shares[1].identifier(), shares[2].identifier()];
        let split = |share| repair::split(share, &helpers, &shares[0].identifier()).expect("a helper");
        let deltas = [split(&shares[1]), split(&shares[2])];
        let sigmas = [0, 1].map(|helper| {
            let of = |deltas: &Vec<(Identifier, Delta)>| {
                deltas.iter().find(|(to, _)| *to == helpers[helper]).expect("one for each helper").1.clone()
            };
            repair::add(&deltas.iter().map(of).collect::<Vec<_>>())
        });
        let read = |sigma: &Sigma| Sigma::from_bytes(&sigma.to_bytes()).expect("in range");
        let repaired = repair::finish(&group, shares[0].identifier(), &sigmas.each_ref().map(read)).expect("a share");
        still_secret(repaired.secret().to_bytes());
    }),
    ("frost_chilldkg", || {
        let hosts = [0x11, 0x22].map(|byte| secret(key(byte)));
        let publics = hosts.each_ref().map(|host| host.public_key().to_bytes());
        let params = chilldkg::Params::new(&publics.each_ref(), 2, &bulk()).expect("distinct keys");
        let begin = |host| chilldkg::begin(host, &params, &secret([7; 32]), &bulk()).expect("a participant");
        let [(first, sent), (second, sent_too)] = hosts.each_ref().map(begin);
        let sent = [published(sent), published(sent_too)];
        let (coordinator, relayed) =
            chilldkg::Coordinator::new(&params, &[&sent[0], &sent[1]], &bulk()).expect("well-formed messages");
        let [host, host_too] = &hosts;
        let step = |participant: chilldkg::Participant, host| {
            participant.step2(host, &relayed, &secret([9; 32]), &bulk()).expect("an honest coordinator")
        };
        let [(certified, signature), (_, signature_too)] = [step(first, host), step(second, host_too)];
        let (certificate, group, data) =
            coordinator.finish(&[signature, signature_too], &bulk()).expect("honest participants");
        let (share, same, _) = certified.finish(&certificate, &bulk()).expect("a certificate");
        assert!(group == same);
        still_secret(share.secret().to_bytes());
        let (_, _, again) = chilldkg::recover(Some(host), &data, &bulk()).expect("whole data");
        still_secret(again.expect("a host key was given").secret().to_bytes());
    }),
];

/// What is sent to all.
fn published(bytes: Vec<u8>) -> Vec<u8> {
    #[cfg(phalanx_valgrind)]
    phalanx::bindings::make_defined_for_valgrind(bytes.as_ptr().addr(), bytes.len());
    bytes
}

const SUITES: [Suite; 3] = [Suite::Rfc9591, Suite::Taproot, Suite::Bip445];

fn bulk() -> Bulk {
    Bulk::builder().backend(crate::backend()).threads(1).build().expect("this CPU has the backend")
}

fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32]).expect("a small multiple of 0x0101.. is a key")
}

fn participants() -> [Identifier; 3] {
    [1, 2, 3].map(|number| Identifier::new(number).expect("not zero"))
}

/// Two of three, of a key and a coefficient to which something is done.
fn deal(suite: Suite, with: impl Fn(SecretKey) -> SecretKey) -> dealer::Dealing {
    let (key, coefficient) = (with(key(0x11)), [with(key(0x22))]);
    dealer::deal_with_coefficients(suite, &key, &coefficient, &participants(), &bulk()).expect("three participants")
}

/// A group whose shares are secret.
fn shares(suite: Suite) -> (Group, Vec<KeyShare>) {
    let dealing = deal(suite, secret);
    (dealing.group, dealing.shares)
}

/// Nonces from secret randomness.
fn nonces(share: &KeyShare, byte: u8) -> Nonces {
    let (hiding, binding) = (secret([byte; 32]), secret([byte + 100; 32]));
    match share.suite() {
        Suite::Bip445 => {
            let inputs = bip445::NonceInputs { secret_share: Some(share.secret()), ..Default::default() };
            bip445::nonces_from_randomness(&hiding, &inputs)
        }
        _ => Nonces::from_randomness(share, &hiding, &binding),
    }
    .expect("not zero")
}
