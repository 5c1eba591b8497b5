//! Messages of FROST: whatever is accepted is written again as it was read, and shares of a signature get the same
//! verdict one by one, together, and from every backend.

use std::sync::{LazyLock, OnceLock};

use phalanx::SecretKey;
use phalanx_frost::chilldkg::{self, Coordinator, Params, StepError};
use phalanx_frost::dkg::{Announcement, DealtShare};
use phalanx_frost::repair::{Delta, Sigma};
use phalanx_frost::{
    AggregateNonce, Commitment, Error, Identifier, NonceCommitments, Nonces, Session, Signature, SignatureShare, Suite,
    dealer,
};

pub(crate) fn check(bytes: &[u8]) {
    numbers(bytes);
    points(bytes);
    for suite in [Suite::Rfc9591, Suite::Taproot, Suite::Bip445] {
        if let Ok(signature) = Signature::from_bytes(suite, bytes) {
            assert_eq!(signature.to_bytes(), bytes);
        }
        for bulk in crate::bulks() {
            if let Ok(announcement) = Announcement::from_bytes(suite, bytes, bulk) {
                assert_eq!(announcement.to_bytes(), bytes);
            }
        }
    }
    shares(bytes);
    chilldkg(bytes);
}

fn numbers(bytes: &[u8]) {
    let share = SignatureShare::from_bytes(bytes).ok();
    assert!(share.is_none_or(|share| share.to_bytes() == bytes));
    for other in [
        DealtShare::from_bytes(bytes).map(|number| number.to_bytes()),
        Delta::from_bytes(bytes).map(|number| number.to_bytes()),
        Sigma::from_bytes(bytes).map(|number| number.to_bytes()),
    ] {
        assert_eq!(other.ok(), share.map(|share| share.to_bytes()));
    }
    if let Ok(bytes) = bytes.try_into() {
        let identifier = Identifier::from_bytes(bytes);
        assert_eq!(identifier.is_some(), share.is_some() && *bytes != [0; 32]);
        assert!(identifier.is_none_or(|identifier| identifier.to_bytes() == *bytes));
    }
}

fn points(bytes: &[u8]) {
    let nonces = NonceCommitments::from_bytes(bytes).ok();
    let sum = AggregateNonce::from_bytes(bytes);
    if let Some(nonces) = nonces {
        assert_eq!(nonces.to_bytes(), bytes);
        assert_eq!(sum, Ok(AggregateNonce::sum(&[nonces])));
    }
    assert!(sum.is_err() || sum.is_ok_and(|sum| sum.to_bytes() == bytes));
    for bulk in crate::bulks() {
        if let Ok(bytes) = bytes.try_into() {
            assert_eq!(NonceCommitments::read_many(&[bytes], bulk), [nonces.ok_or(Error::BadEncoding)]);
        }
        let commitment = Commitment::from_bytes(bytes, bulk);
        if let Ok(commitment) = &commitment {
            assert_eq!((commitment.to_bytes(), commitment.threshold()), (bytes.to_vec(), bytes.len() / 33));
        }
        assert!(commitment.is_ok() || nonces.is_none());
    }
}

/// A session of participants 1 and 3, that of RFC 9591's vectors.
fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        let secret = |hex: &str| hex.parse::<SecretKey>().expect("a secret key");
        let bytes = |hex: &str| secret(hex).to_bytes();
        let key = secret("0d004150d27c3bf2a42f312683d35fac7394b1e9e318249c1bfe7f0795a83114");
        let coefficients = [secret("fbf85eadae3058ea14f19148bb72b45e4399c0b16028acaf0395c9b03c823579")];
        let participants = [1, 2, 3].map(|number| Identifier::new(number).expect("not zero"));
        let bulk = &crate::bulks()[0];
        let dealing = dealer::deal_with_coefficients(Suite::Rfc9591, &key, &coefficients, &participants, bulk);
        let dealing = dealing.expect("distinct participants");
        let published = [
            (
                0,
                "bda8e748e599187762cff956f03dc6ea13fc8e04491a0427b7e6e78600f41c52",
                "2ca682429bf05df435b9927b8edb1d748278f3e42fa11ef358e49bbf4a1b780d",
            ),
            (
                2,
                "70818dd5170672c4a4285fd593d4f222417f941f3118e1244955e7a1098a35d8",
                "74ca2da071ed4a2a6cad5087d6758b48a558ab5861c61117fee05757e4b1309e",
            ),
        ];
        let published = published.map(|(place, hiding, binding): (usize, _, _)| {
            let nonces = Nonces::from_randomness(&dealing.shares[place], &bytes(hiding), &bytes(binding));
            (participants[place], nonces.expect("not zero").commitments())
        });
        Session::new(&dealing.group, &published, b"test", bulk).expect("signers of the group")
    })
}

fn shares(bytes: &[u8]) {
    let Ok(bytes) = <&[u8; 64]>::try_from(bytes) else { return };
    let read = |bytes: &[u8; 32]| SignatureShare::from_bytes(bytes).ok();
    let [Some(first), Some(second)] = [&bytes.as_chunks::<32>().0[0], &bytes.as_chunks::<32>().0[1]].map(read) else {
        return;
    };
    let session = session();
    let named: Vec<_> = session.signers().zip([first, second]).collect();
    for bulk in crate::bulks() {
        let alone = |share: &&(Identifier, _)| session.verify_shares(&[**share], bulk).is_err();
        let culprits: Vec<Identifier> = named.iter().filter(alone).map(|(id, _)| *id).collect();
        match session.aggregate(&named, bulk) {
            Ok(signature) => {
                assert!(culprits.is_empty());
                assert_eq!(signature.verify(b"test", &session.key()), Ok(()));
                assert_eq!(session.combine(&named), Ok(signature));
            }
            Err(error) => assert_eq!(error, Error::BadSignatureShares(culprits)),
        }
    }
}

/// The parameters, a host key and the randomness of one of ChillDKG's vectors.
static HOSTS: LazyLock<(Params, SecretKey, [u8; 32])> = LazyLock::new(|| {
    let bytes = |hex: &str| hex::decode(hex).expect("hex");
    let hosts = [
        "03aed316469060698d774150efd7f8f406a2bab516dd7d22cb258323c59c6417f3",
        "03aeb5ae20783d4858f6767747963f144c7db8aba328625cc8a87f7676d8cdeee7",
        "021a48bbccac751ae9ec1ea7a7f8d421d5fd60aab44e6d2f37b31873098a77b7a3",
    ];
    let hosts = hosts.map(|host| <[u8; 33]>::try_from(bytes(host)).expect("33 bytes"));
    let params = Params::new(&hosts.each_ref(), 2, &crate::bulks()[0]).expect("distinct keys");
    let host = "ade179b2c56cb75868d44b333c16c89cb00dfde378ad79c84d0cce856e4f9207";
    let randomness = "42b53d62e27380d6f7096eda1c28c57ddb89fcd4ce5b843edac220e165b5a7ec";
    (params, host.parse().expect("a secret key"), bytes(randomness).try_into().expect("32 bytes"))
});

/// Every message of ChillDKG, from whomever it comes.
fn chilldkg(bytes: &[u8]) {
    let (params, host, randomness) = &*HOSTS;
    let bulk = &crate::bulks()[0];
    // The lengths of three participants' messages, which nothing else has.
    if bytes.len() == 259
        && let Ok((_, relayed)) = Coordinator::new(params, &[bytes; 3], bulk)
    {
        assert_eq!(relayed.len(), 519);
        let parts = chilldkg::investigation_messages(params, &[bytes; 3], bulk).expect("the same messages");
        assert!(parts.iter().all(|parts| parts.len() == 195));
    }
    if bytes.len() == 519 {
        let (participant, _) = chilldkg::begin(host, params, randomness, bulk).expect("a participant");
        match participant.step2(host, bytes, &[0; 32], bulk) {
            Ok((certified, signature)) => {
                assert_eq!(certified.finish(&[signature; 3].concat(), bulk).err(), Some(Error::FaultyCoordinator));
            }
            Err(StepError::Unknown(investigation)) => {
                // Zeros add up to what was sent only where that is zero too.
                assert_eq!(investigation.culprit(&[0; 195]), Error::FaultyCoordinator);
            }
            Err(_) => {}
        }
    }
    if let Ok((params, group, share)) = chilldkg::recover(None, bytes, bulk) {
        assert!(share.is_none() && params.threshold() == group.threshold());
        assert_eq!(params.hosts().len(), group.verifying_shares().len());
    }
    if let Ok((_, group, Some(share))) = chilldkg::recover(Some(host), bytes, bulk) {
        assert_eq!(group.verifying_share(&share.identifier()), Some(share.secret().public_key()));
    }
}
