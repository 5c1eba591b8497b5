//! Messages as bytes: what is written is read, and nothing else is.

use crate::{bulk, group, identifier};
use phalanx_frost::{
    AggregateNonce, Commitment, Error, Identifier, NonceCommitments, Nonces, Signature, SignatureShare, Suite,
    dkg::{self, Announcement, DealtShare},
    repair::{Delta, Sigma},
};

/// The order of the group, and numbers about it.
const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

fn order(below: u8) -> [u8; 32] {
    let mut bytes: [u8; 32] = hex::decode(ORDER).expect("hex").try_into().expect("32 bytes");
    bytes[31] -= below;
    bytes
}

#[test]
fn scalars_are_below_the_order() {
    for bytes in [[0; 32], order(1)] {
        assert_eq!(SignatureShare::from_bytes(&bytes).expect("in range").to_bytes(), bytes);
        assert_eq!(DealtShare::from_bytes(&bytes).expect("in range").to_bytes(), bytes);
        assert_eq!(Delta::from_bytes(&bytes).expect("in range").to_bytes(), bytes);
        assert_eq!(Sigma::from_bytes(&bytes).expect("in range").to_bytes(), bytes);
    }
    for bytes in [&order(0)[..], &[0xff; 32], &[1; 31], &[1; 33], &[]] {
        assert_eq!(SignatureShare::from_bytes(bytes).unwrap_err(), Error::BadEncoding);
        assert_eq!(DealtShare::from_bytes(bytes).unwrap_err(), Error::BadEncoding);
        assert_eq!(Delta::from_bytes(bytes).unwrap_err(), Error::BadEncoding);
        assert_eq!(Sigma::from_bytes(bytes).unwrap_err(), Error::BadEncoding);
    }
    assert_eq!(Identifier::from_bytes(&order(1)).map(|id| id.to_bytes()), Some(order(1)));
    assert_eq!(Identifier::from_bytes(&order(0)), None);
    assert_eq!(Identifier::from_bytes(&[0; 32]), None);
    assert_eq!(Identifier::new(0), None);
    assert!(identifier(256) > identifier(255));
    let name = Suite::Taproot.identifier(b"alice@example.org").expect("not zero");
    let theirs = frost_secp256k1_tr::Identifier::derive(b"alice@example.org").expect("not zero");
    assert_eq!(name.to_bytes()[..], theirs.serialize());
    let theirs = frost_secp256k1::Identifier::derive(b"alice@example.org").expect("not zero");
    assert_eq!(Suite::Rfc9591.identifier(b"alice@example.org").expect("not zero").to_bytes()[..], theirs.serialize());
    assert_eq!(Suite::Bip445.identifier(b"alice@example.org"), Err(Error::NotInSuite));
}

#[test]
fn points_are_compressed_and_never_infinity() {
    let (_, keys) = group(Suite::Taproot, 2, 3);
    let nonces = Nonces::generate(&keys[0]).commitments();
    let good = nonces.to_bytes();
    assert_eq!(NonceCommitments::from_bytes(&good), Ok(nonces));
    let mut infinity = good;
    infinity[33..].fill(0);
    let mut no_tag = good;
    no_tag[0] = 4;
    // 5 is no x coordinate.
    let mut no_point = good;
    no_point[1..33].fill(0);
    no_point[32] = 5;
    for bytes in [infinity, no_tag, no_point] {
        assert_eq!(NonceCommitments::from_bytes(&bytes), Err(Error::BadEncoding));
        let read = NonceCommitments::read_many(&[&good, &bytes, &good], &bulk());
        assert_eq!(read, [Ok(nonces), Err(Error::BadEncoding), Ok(nonces)]);
    }
    assert_eq!(AggregateNonce::from_bytes(&infinity).expect("a sum may be infinity").to_bytes(), infinity);
    for bytes in [no_tag, no_point] {
        assert_eq!(AggregateNonce::from_bytes(&bytes), Err(Error::BadEncoding));
    }
    for bytes in [&good[..65], &[&good[..], &[0]].concat(), &[]] {
        assert_eq!(NonceCommitments::from_bytes(bytes), Err(Error::BadEncoding));
        assert_eq!(AggregateNonce::from_bytes(bytes), Err(Error::BadEncoding));
    }
    let commitment = Commitment::from_bytes(&good, &bulk()).expect("two points");
    assert_eq!((commitment.threshold(), &commitment.to_bytes()[..]), (2, &good[..]));
    for bytes in [&good[..34], &infinity, &no_tag, &no_point, &[]] {
        assert_eq!(Commitment::from_bytes(bytes, &bulk()), Err(Error::BadEncoding));
    }
}

#[test]
fn announcements_and_signatures_have_the_form_of_their_suite() {
    for suite in [Suite::Rfc9591, Suite::Taproot] {
        let (_, announcement) = dkg::begin(suite, identifier(1), 3, &bulk()).expect("a threshold");
        let bytes = announcement.to_bytes();
        assert_eq!(bytes.len(), 99 + if suite == Suite::Taproot { 64 } else { 65 });
        assert_eq!(Announcement::from_bytes(suite, &bytes, &bulk()), Ok(announcement));
        let proof = &bytes[99..];
        for bytes in [&bytes[1..], &bytes[..bytes.len() - 1], proof, &[]] {
            assert_eq!(Announcement::from_bytes(suite, bytes, &bulk()), Err(Error::BadEncoding));
        }
        let mut high = proof.to_vec();
        let z = high.len() - 32;
        high[z..].copy_from_slice(&order(0));
        assert_eq!(Signature::from_bytes(suite, &high), Err(Error::BadEncoding));
        assert_eq!(Signature::from_bytes(suite, &proof[1..]), Err(Error::BadEncoding));
        assert_eq!(Announcement::from_bytes(Suite::Bip445, &bytes, &bulk()), Err(Error::NotInSuite));
    }
}
