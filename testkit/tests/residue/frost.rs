//! Threshold signatures. The key is the secret of a dealer, and where one participant is enough, its share too.

use crate::{
    live::{Live, wipe},
    operations::seen,
};
use phalanx_frost::{
    Identifier, KeyShare, Nonces, Session, Suite, chilldkg, dealer,
    dkg::{self, Dealt},
    repair,
};

const SUITES: [Suite; 3] = [Suite::Rfc9591, Suite::Taproot, Suite::Bip445];

fn participants() -> [Identifier; 3] {
    [1, 2, 3].map(|number| Identifier::new(number).expect("not zero"))
}

/// One participant of a group of three, of whom each alone can sign.
fn share(suite: Suite, live: &Live) -> (phalanx_frost::Group, KeyShare) {
    let dealing = dealer::deal(suite, 1, &live.secrets[0], &participants(), &live.bulk).expect("three participants");
    let share = KeyShare::new(&dealing.group, participants()[0], live.secrets[0].clone()).expect("the share");
    (dealing.group, share)
}

pub(crate) fn deal(live: &Live) {
    for threshold in 1..=3 {
        let dealing = dealer::deal(Suite::Taproot, threshold, &live.secrets[0], &participants(), &live.bulk);
        seen(&dealing.expect("three participants"));
    }
}

pub(crate) fn sign(live: &Live) {
    for suite in SUITES {
        let (group, share) = share(suite, live);
        let nonces = Nonces::generate(&share);
        let published = [(share.identifier(), nonces.commitments())];
        let session = Session::new(&group, &published, &live.digests[0], &live.bulk).expect("one signer");
        seen(&session.sign(nonces, &share).expect("a signer"));
        seen(&Nonces::generate_many(&share, 5, &live.bulk));
    }
}

pub(crate) fn generate(live: &Live) {
    let [me, other, _] = participants();
    let coefficients = [live.secrets[0].clone()];
    let (announced, mine) =
        dkg::begin_with_coefficients(Suite::Rfc9591, me, &coefficients, &live.bulk).expect("a coefficient");
    let (others, theirs) = dkg::begin(Suite::Rfc9591, other, 1, &live.bulk).expect("a threshold");
    let (dealt, shares): (Dealt, _) = announced.deal(&[(other, theirs)], &live.bulk).expect("a proof");
    let (others, for_me) = others.deal(&[(me, mine)], &live.bulk).expect("a proof");
    seen(&dealt.finish(&[(other, for_me[0].1.clone())], &live.bulk).expect("an honest participant"));
    seen(&others.finish(&[(me, shares[0].1.clone())], &live.bulk).expect("an honest participant"));
    wipe(&mut shares[0].1.to_bytes());
}

pub(crate) fn mend(live: &Live) {
    let (group, share) = share(Suite::Taproot, live);
    let [helper, lost, _] = participants();
    let deltas = repair::split(&share, &[helper], &lost).expect("a helper");
    let sigma = repair::add(&[deltas[0].1.clone()]);
    seen(&repair::finish(&group, lost, &[sigma]).expect("the share"));
}

/// The key is the host key of one participant.
pub(crate) fn chill(live: &Live) {
    let hosts = [live.secrets[0].public_key().to_bytes()];
    let params = chilldkg::Params::new(&[&hosts[0]], 1, &live.bulk).expect("one key");
    let (participant, sent) =
        chilldkg::begin(&live.secrets[0], &params, &live.aux[0], &live.bulk).expect("a participant");
    let (coordinator, relayed) = chilldkg::Coordinator::new(&params, &[&sent], &live.bulk).expect("a message");
    let (certified, signature) =
        participant.step2(&live.secrets[0], &relayed, &live.aux[0], &live.bulk).expect("an honest coordinator");
    let (certificate, _, data) = coordinator.finish(&[signature], &live.bulk).expect("an honest participant");
    seen(&certified.finish(&certificate, &live.bulk).expect("a certificate"));
    seen(&chilldkg::recover(Some(&live.secrets[0]), &data, &live.bulk).expect("whole data"));
}
