//! Messages of FROST: whatever is accepted is written again as it was read, and shares of a signature get the same
//! verdict one by one, together, and from every backend.

use std::sync::OnceLock;

use phalanx::SecretKey;
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
    let nonces = NonceCommitments::from_bytes(bytes);
    let sum = AggregateNonce::from_bytes(bytes);
    if let Ok(nonces) = &nonces {
        assert_eq!(nonces.to_bytes(), bytes);
        assert_eq!(sum, Ok(AggregateNonce::sum(&[*nonces])));
    }
    assert!(sum.is_err() || sum.is_ok_and(|sum| sum.to_bytes() == bytes));
    for bulk in crate::bulks() {
        if let Ok(bytes) = bytes.try_into() {
            assert_eq!(NonceCommitments::read_many(&[bytes], bulk), [nonces.clone()]);
        }
        let commitment = Commitment::from_bytes(bytes, bulk);
        if let Ok(commitment) = &commitment {
            assert_eq!((commitment.to_bytes(), commitment.threshold()), (bytes.to_vec(), bytes.len() / 33));
        }
        assert!(commitment.is_ok() || nonces.is_err());
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
        let alone = |(id, share): &(Identifier, _)| session.verify_share(*id, share, bulk).is_err().then_some(*id);
        let culprits: Vec<Identifier> = named.iter().filter_map(alone).collect();
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
