//! Byte for byte the same answers as libsecp256k1, on inputs of which at least half lie on edges.

use phalanx::{Error, Keypair, LowS, PublicKey, SecretKey, XOnlyPublicKey, ecdh, ecdsa, schnorr};
use proptest::{prelude::*, test_runner::Config};
use secp256k1::{self as oracle, Message, Scalar as Tweak};

const ORDER: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
const PRIME: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");

/// 256-bit numbers: small ones, those around n and p and 2^256, a few bits set, and any.
fn number() -> impl Strategy<Value = [u8; 32]> {
    let around = |centre: [u8; 32]| {
        (-3i16..=3).prop_map(move |offset| {
            let mut number = centre;
            number[31] = number[31].wrapping_add_signed(offset as i8);
            number
        })
    };
    let sparse = prop::collection::vec(0..256usize, 0..4).prop_map(|bits| {
        let mut number = [0; 32];
        bits.iter().for_each(|bit| number[bit / 8] |= 1 << (bit % 8));
        number
    });
    prop_oneof![
        1 => around(ORDER),
        1 => around(PRIME),
        1 => (0..8u8).prop_map(|low| { let mut number = [0; 32]; number[31] = low; number }),
        1 => sparse,
        1 => Just([0xff; 32]),
        5 => any::<[u8; 32]>(),
    ]
}

/// The same secret key on both sides.
fn secret() -> impl Strategy<Value = (SecretKey, oracle::SecretKey)> {
    number().prop_filter_map("a secret key", |bytes| {
        let theirs = oracle::SecretKey::from_secret_bytes(bytes);
        let ours = SecretKey::from_bytes(&bytes);
        assert_eq!(ours.is_ok(), theirs.is_ok());
        Some((ours.ok()?, theirs.ok()?))
    })
}

fn same_key(ours: PublicKey, theirs: oracle::PublicKey) -> bool {
    ours.to_bytes() == theirs.serialize() && ours.to_bytes_uncompressed() == theirs.serialize_uncompressed()
}

fn config() -> Config {
    Config::with_cases(300)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn public_keys((ours, theirs) in secret()) {
        let key = theirs.public_key();
        prop_assert!(same_key(ours.public_key(), key));
        prop_assert!(same_key(ours.negate().public_key(), key.negate()));
        prop_assert_eq!(PublicKey::from_bytes(&key.serialize()), Ok(ours.public_key()));
        prop_assert_eq!(PublicKey::from_bytes(&key.serialize_uncompressed()), Ok(ours.public_key()));
        let (x_only, parity) = key.x_only_public_key();
        let (ours_x_only, odd) = ours.public_key().x_only();
        prop_assert_eq!(ours_x_only.to_bytes(), x_only.to_byte_array());
        prop_assert_eq!(u8::from(odd), parity.to_u8());
    }

    #[test]
    fn encodings_of_keys(x in number(), y in number(), prefix in prop_oneof![0..9u8, any::<u8>()]) {
        let compressed: Vec<u8> = [&[prefix], &x[..]].concat();
        let full: Vec<u8> = [&[prefix], &x[..], &y[..]].concat();
        for bytes in [compressed, full] {
            // Their parser takes hybrid keys without being asked.
            let theirs = oracle::PublicKey::from_slice(&bytes).ok();
            let ours = PublicKey::from_bytes_hybrid(&bytes).ok();
            prop_assert_eq!(ours.map(|key| key.to_bytes()), theirs.map(|key| key.serialize()));
            prop_assert_eq!(PublicKey::from_bytes(&bytes).ok(), ours.filter(|_| !matches!(prefix, 6 | 7)));
        }
        let theirs = oracle::XOnlyPublicKey::from_byte_array(x).ok();
        let ours = XOnlyPublicKey::from_bytes(&x).ok();
        prop_assert_eq!(ours.map(|key| key.to_bytes()), theirs.map(|key| key.to_byte_array()));
    }

    #[test]
    fn hybrid_keys_on_the_curve((ours, theirs) in secret(), prefix in 0..9u8) {
        let mut bytes = theirs.public_key().serialize_uncompressed();
        bytes[0] = prefix;
        let accepted = oracle::PublicKey::from_slice(&bytes).is_ok();
        prop_assert_eq!(PublicKey::from_bytes_hybrid(&bytes).ok(), accepted.then(|| ours.public_key()));
    }

    #[test]
    fn tweaks((ours, theirs) in secret(), mut tweak in number(), negated in 0..10u8) {
        if negated == 0 {
            tweak = theirs.negate().to_secret_bytes();
        }
        let scalar = Tweak::from_be_bytes(tweak).ok();
        let key = theirs.public_key();
        let expected = scalar.and_then(|t| theirs.add_tweak(&t).ok()).map(|key| key.to_secret_bytes());
        prop_assert_eq!(ours.tweak_add(&tweak).ok().map(|key| key.to_bytes()), expected);
        let expected = scalar.and_then(|t| theirs.mul_tweak(&t).ok()).map(|key| key.to_secret_bytes());
        prop_assert_eq!(ours.tweak_mul(&tweak).ok().map(|key| key.to_bytes()), expected);
        let expected = scalar.and_then(|t| key.add_exp_tweak(&t).ok()).map(|key| key.serialize());
        prop_assert_eq!(ours.public_key().tweak_add(&tweak).ok().map(|key| key.to_bytes()), expected);
        let expected = scalar.and_then(|t| key.mul_tweak(&t).ok()).map(|key| key.serialize());
        prop_assert_eq!(ours.public_key().tweak_mul(&tweak).ok().map(|key| key.to_bytes()), expected);

        let pair = Keypair::from_secret(ours);
        let expected = scalar.and_then(|t| theirs.keypair().add_xonly_tweak(&t).ok());
        let expected = expected.map(|pair| pair.to_secret_bytes());
        prop_assert_eq!(pair.tweak_add_x_only(&tweak).ok().map(|pair| pair.secret_key().to_bytes()), expected);
        let expected = scalar.and_then(|t| key.x_only_public_key().0.add_tweak(&t).ok());
        let expected = expected.map(|(key, parity)| (key.to_byte_array(), parity.to_u8() == 1));
        let tweaked = pair.x_only().tweak_add(&tweak).ok().map(|(key, odd)| (key.to_bytes(), odd));
        prop_assert_eq!(tweaked, expected);
    }

    #[test]
    fn sums(secrets in prop::collection::vec(secret(), 1..5), cancel in any::<bool>()) {
        let (mut ours, mut theirs): (Vec<_>, Vec<_>) =
            secrets.iter().map(|(ours, theirs)| (ours.public_key(), theirs.public_key())).unzip();
        if cancel {
            ours.push(ours[0].negate());
            theirs.push(theirs[0].negate());
        }
        let theirs: Vec<_> = theirs.iter().collect();
        let expected = oracle::PublicKey::combine_keys(&theirs).ok().map(|key| key.serialize());
        prop_assert_eq!(PublicKey::combine_keys(&ours).ok().map(|key| key.to_bytes()), expected);
    }

    #[test]
    fn ecdsa_signatures((ours, theirs) in secret(), digest in number(), entropy in number()) {
        let message = Message::from_digest(digest);
        let signature = ecdsa::sign(&digest, &ours);
        let expected = oracle::ecdsa::sign(message, &theirs);
        prop_assert_eq!(signature.to_compact(), expected.serialize_compact());
        prop_assert_eq!(&*signature.to_der(), &*expected.serialize_der());
        prop_assert_eq!(ecdsa::verify(&digest, &signature, &ours.public_key(), LowS::Require), Ok(()));

        let signature = ecdsa::sign_with_entropy(&digest, &ours, &entropy);
        let expected = oracle::ecdsa::sign_with_noncedata(message, &theirs, &entropy);
        prop_assert_eq!(signature.to_compact(), expected.serialize_compact());

        let (signature, id) = ecdsa::sign_recoverable(&digest, &ours);
        let expected = oracle::ecdsa::RecoverableSignature::sign_ecdsa_recoverable(message, &theirs);
        let (expected_id, expected) = expected.serialize_compact();
        prop_assert_eq!((signature.to_compact(), id.to_u8()), (expected, u8::from(expected_id)));
        prop_assert_eq!(ecdsa::recover(&digest, &signature, id), Ok(ours.public_key()));
    }

    #[test]
    fn ecdsa_verdicts((ours, theirs) in secret(), digest in number(), r in number(), s in number(), forged in 0..4u8) {
        // Signatures that are valid, have one half exchanged, or are made up.
        let (true_r, true_s) = {
            let signature = ecdsa::sign(&digest, &ours).to_compact();
            (signature[..32].to_vec(), signature[32..].to_vec())
        };
        let half = |forge: bool, forgery: [u8; 32], truth: Vec<u8>| if forge { forgery.to_vec() } else { truth };
        let compact = [half(forged & 1 == 1, r, true_r), half(forged & 2 == 2, s, true_s)].concat();
        let message = Message::from_digest(digest);
        let parsed = oracle::ecdsa::Signature::from_compact(&compact).ok();
        let expected = parsed.is_some_and(|signature| theirs.public_key().verify(message, &signature).is_ok());
        let verify = |low_s| {
            let signature = ecdsa::Signature::from_compact(&compact)?;
            ecdsa::verify(&digest, &signature, &ours.public_key(), low_s)
        };
        prop_assert_eq!(verify(LowS::Require).is_ok(), expected);
        let normalized = parsed.is_some_and(|mut signature| {
            signature.normalize_s();
            theirs.public_key().verify(message, &signature).is_ok()
        });
        prop_assert_eq!(verify(LowS::Allow).is_ok(), normalized);

        for id in 0..=3 {
            let expected = oracle::ecdsa::RecoveryId::try_from(i32::from(id)).unwrap();
            let expected = oracle::ecdsa::RecoverableSignature::from_compact(&compact, expected).ok();
            let expected = expected.and_then(|signature| signature.recover_ecdsa(message).ok());
            let recovered = ecdsa::Signature::from_compact(&compact).and_then(|signature| {
                ecdsa::recover(&digest, &signature, ecdsa::RecoveryId::from_u8(id)?)
            });
            prop_assert_eq!(recovered.ok().map(|key| key.to_bytes()), expected.map(|key| key.serialize()));
        }
    }

    #[test]
    fn schnorr_signatures(
        (ours, theirs) in secret(),
        message in prop::collection::vec(any::<u8>(), 0..200),
        aux in number(),
        wrong in (0..64usize, any::<u8>()),
    ) {
        let pair = Keypair::from_secret(ours);
        let signature = schnorr::sign(&message, &pair, &aux);
        let expected = oracle::schnorr::sign_with_aux_rand(&message, &theirs.keypair(), &aux);
        prop_assert_eq!(signature.to_bytes(), expected.to_byte_array());
        prop_assert_eq!(schnorr::verify(&message, &signature, &pair.x_only()), Ok(()));
        let mut forged = signature.to_bytes();
        forged[wrong.0] ^= wrong.1;
        let theirs_x_only = theirs.public_key().x_only_public_key().0;
        let expected = oracle::schnorr::Signature::from_byte_array(forged).verify(&message, &theirs_x_only).is_ok();
        let verdict = schnorr::Signature::from_bytes(&forged)
            .and_then(|signature| schnorr::verify(&message, &signature, &pair.x_only()));
        prop_assert_eq!(verdict.is_ok(), expected);
    }

    #[test]
    fn shared_secrets((mine, my_twin) in secret(), (theirs, their_twin) in secret()) {
        let public = theirs.public_key();
        let expected = oracle::ecdh::SharedSecret::new(&their_twin.public_key(), &my_twin);
        prop_assert_eq!(ecdh::shared_secret(&public, &mine), expected.to_secret_bytes());
        let point = oracle::ecdh::shared_secret_point(&their_twin.public_key(), &my_twin);
        prop_assert_eq!(&ecdh::shared_x(&public, &mine)[..], &point[..32]);
        ecdh::shared_secret_with(&public, &mine, |x, y| assert_eq!([&x[..], &y[..]].concat(), point));
    }
}

#[test]
fn recovery_beyond_the_order() {
    // r = x - n for the smallest x at and above n that is the x coordinate of a point: ids 2 and 3 must find it.
    let digest = [7; 32];
    for low in 0..64u8 {
        let mut compact = [0; 64];
        compact[31] = low;
        compact[63] = 1;
        for id in 2..=3 {
            let id_theirs = oracle::ecdsa::RecoveryId::try_from(i32::from(id)).unwrap();
            let theirs = oracle::ecdsa::RecoverableSignature::from_compact(&compact, id_theirs).unwrap();
            let theirs = theirs.recover_ecdsa(Message::from_digest(digest)).ok();
            let ours = ecdsa::Signature::from_compact(&compact)
                .and_then(|signature| ecdsa::recover(&digest, &signature, ecdsa::RecoveryId::from_u8(id)?));
            assert_eq!(ours.ok().map(|key| key.to_bytes()), theirs.map(|key| key.serialize()), "r = {low}");
            if let Ok(key) = ours {
                // The same signature verifies, although r is not the point's x coordinate but n less.
                let signature = ecdsa::Signature::from_compact(&compact).unwrap();
                assert_eq!(ecdsa::verify(&digest, &signature, &key, LowS::Require), Ok(()));
                assert_eq!(ecdsa::verify(&[8; 32], &signature, &key, LowS::Require), Err(Error::InvalidSignature));
            }
        }
    }
}
