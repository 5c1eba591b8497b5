//! Every operation of keys and schemes that promises constant time in a secret, once each. Results that are secret are
//! left alone; those that are public are used as a caller would, so that one which is not declassified is found
//! too.

use crate::{
    backend,
    secret::{secret, secret_text, secrets, still_secret},
};
use phalanx::hash::{HmacSha512, NonceGenerator};
use phalanx::{
    Bulk, Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict,
    bindings::{CacheLine, Column, ColumnKind, ColumnOptions, Operation, secret_hex},
    ecdh, ecdsa,
    ellswift::{self, ElligatorSwift, Party},
    schnorr,
};
use phalanx_bip32::{Chain, ExtendedSecretKey, HARDENED};
use std::hint::black_box;

pub(crate) const ALL: &[(&str, fn())] = &[
    ("secret_from_bytes", || {
        assert!(SecretKey::from_bytes(&secret([0x11; 32])).is_ok());
        assert!(SecretKey::from_bytes(&secret([0; 32])).is_err());
        assert!(SecretKey::from_bytes(&secret([0xff; 32])).is_err());
        still_secret(secret(key(0x11)).to_bytes());
    }),
    ("secret_from_hex", || {
        assert!(secret_text(&"0123456789abcdefABCDEF".repeat(3)[..64]).parse::<SecretKey>().is_ok());
        assert!(secret_text(&"0g".repeat(32)).parse::<SecretKey>().is_err());
    }),
    ("secret_to_hex", || still_secret(secret_hex(&secret([0x5a; 32])))),
    ("secret_compare", || {
        assert!(secret(key(0x11)) != secret(key(0x22)));
        assert!(secret(key(0x11)) == key(0x11));
        assert!(Keypair::from_secret(secret(key(0x11))) == Keypair::from_secret(key(0x11)));
    }),
    ("secret_negate", || still_secret(secret(key(0x11)).negate())),
    ("secret_tweak_add", || {
        assert!(secret(key(0x11)).tweak_add(&secret([0x33; 32])).is_ok());
        assert!(secret(key(0x11)).tweak_add(&secret(high_key(0x11).to_bytes())).is_err());
        assert!(secret(key(0x11)).tweak_add(&secret([0xff; 32])).is_err());
    }),
    ("secret_tweak_mul", || {
        assert!(secret(key(0x11)).tweak_mul(&secret([0x33; 32])).is_ok());
        assert!(secret(key(0x11)).tweak_mul(&secret([0; 32])).is_err());
    }),
    ("public_key", || {
        for key in [key(0x11), high_key(0x11)] {
            assert_eq!(secret(key.clone()).public_key().to_bytes(), key.public_key().to_bytes());
        }
    }),
    ("keypair", || {
        let [pair, negative] = secret_pairs();
        assert!(pair.public_key() != negative.public_key());
        assert!(pair.x_only() == negative.x_only());
    }),
    ("keypair_tweak_add", || {
        for pair in secret_pairs() {
            assert!(pair.tweak_add_x_only(&secret([0x33; 32])).is_ok());
        }
    }),
    ("keypair_taproot_tweak", || {
        for pair in secret_pairs() {
            assert!(pair.taproot_tweak(None).is_ok());
            assert!(pair.taproot_tweak(Some(&[0x44; 32])).is_ok());
        }
    }),
    ("public_tweak_add", || {
        black_box(their_key().tweak_add(&secret([0x33; 32])).is_ok());
        assert!(their_key().tweak_add(&secret(high_key(0x22).to_bytes())).is_err());
    }),
    ("public_tweak_mul", || {
        assert!(their_key().tweak_mul(&secret([0x33; 32])).is_ok());
        assert!(their_key().tweak_mul(&secret([0; 32])).is_err());
    }),
    ("x_only_tweak_add", || {
        assert!(their_key().x_only().0.tweak_add(&secret([0x33; 32])).is_ok());
    }),
    ("nonce_generator", || {
        let mut order = [0; 32];
        for (bytes, limb) in order.chunks_exact_mut(8).zip(Scalar::ORDER.iter().rev()) {
            bytes.copy_from_slice(&limb.to_be_bytes());
        }
        let mut generator = NonceGenerator::new(&order, &secret([0x11; 32]), &secret(DIGEST), &secret([0x33; 32]));
        let mut nonce = [0; 32];
        generator.fill(&mut nonce);
        generator.fill(&mut nonce);
        still_secret(nonce);
    }),
    ("hmac_sha512", || {
        still_secret(HmacSha512::new(&secret([0x11; 32])).mac(&[&secret([0x33; 37])]));
        still_secret(HmacSha512::new(&secret([0x11; 200])).mac(&[&secret([0x33; 150])]));
    }),
    ("extended_secret_key", || {
        let (seed, chain) = ([0x44; 32], Chain::Main);
        let plain = ExtendedSecretKey::from_seed(&seed, chain).expect("a master key");
        let master = ExtendedSecretKey::from_seed(&secret(seed), chain).expect("a master key");
        for index in [7, HARDENED] {
            let child = master.child(index).expect("a child");
            still_secret(child.secret_key().to_bytes());
            // Publishing it is what it is for; the chain code stays secret.
            let public_key = plain.child(index).expect("a child").secret_key().public_key();
            assert!(*child.to_public().public_key() == public_key);
        }
    }),
    // Auxiliary randomness makes the encoding, which is public.
    ("ellswift_from_secret", || {
        for key in [key(0x11), high_key(0x11)] {
            for auxiliary in [None, Some(&[0x55; 32])] {
                let encoding = ElligatorSwift::from_secret(&secret(key.clone()), auxiliary);
                assert_eq!(encoding.decode(), key.public_key());
            }
        }
    }),
    ("ellswift_shared_secret", || {
        let [a, b] = [[0x55; 64], [0x66; 64]].map(ElligatorSwift::from);
        for key in [key(0x11), high_key(0x11)] {
            for party in [Party::Initiator, Party::Responder] {
                still_secret(ellswift::shared_secret(&a, &b, &secret(key.clone()), party));
            }
        }
    }),
    ("ecdsa_sign", || {
        for key in [key(0x11), high_key(0x11)] {
            let signature = ecdsa::sign(&DIGEST, &secret(key.clone()));
            assert!(ecdsa::verify(&DIGEST, &signature, &key.public_key(), LowS::Require).is_ok());
        }
    }),
    ("ecdsa_sign_with_entropy", || {
        let signature = ecdsa::sign_with_entropy(&DIGEST, &secret(key(0x11)), &secret([0x33; 32]));
        assert!(ecdsa::verify(&DIGEST, &signature, &key(0x11).public_key(), LowS::Require).is_ok());
    }),
    ("ecdsa_sign_recoverable", || {
        let (signature, id) = ecdsa::sign_recoverable(&DIGEST, &secret(key(0x11)));
        assert!(ecdsa::recover(&DIGEST, &signature, id) == Ok(key(0x11).public_key()));
    }),
    ("ecdsa_sign_checked", || {
        let [pair, _] = secret_pairs();
        assert!(ecdsa::sign_checked(&DIGEST, &pair).is_ok());
    }),
    ("schnorr_sign", || {
        for pair in secret_pairs() {
            let signature = schnorr::sign(b"message", &pair, &secret([0x33; 32]));
            assert!(schnorr::verify(b"message", &signature, &pair.x_only()).is_ok());
        }
    }),
    ("schnorr_sign_checked", || {
        let [pair, _] = secret_pairs();
        assert!(schnorr::sign_checked(b"message", &pair, &secret([0x33; 32])).is_ok());
    }),
    ("ecdh_shared_secret", || {
        still_secret(ecdh::shared_secret(&their_key(), &secret(key(0x11))));
        still_secret(ecdh::shared_secret(&their_key(), &secret(high_key(0x11))));
    }),
    ("ecdh_shared_x", || still_secret(ecdh::shared_x(&their_key(), &secret(key(0x11))))),
    ("ecdh_shared_secret_with", || {
        let sum = |x: &[u8; 32], y: &[u8; 32]| x.iter().zip(y).fold(0, |sum: u8, (x, y)| sum.wrapping_add(x ^ y));
        still_secret(ecdh::shared_secret_with(&their_key(), &secret(key(0x11)), sum));
    }),
    ("bulk_public_keys", || {
        let keys = bulk().public_keys(&secret_keys());
        assert!(keys.len() == usize::from(ROWS));
        keys.into_iter().for_each(still_secret);
    }),
    ("bulk_sign_ecdsa", || {
        let signatures = bulk().sign_ecdsa(&[DIGEST; ROWS as usize], &secret_keys()).expect("equal lengths");
        assert!(ecdsa::verify(&DIGEST, &signatures[0], &key(1).public_key(), LowS::Require).is_ok());
    }),
    // Messages of 32 bytes, which vector code hashes too, and others.
    ("bulk_sign_schnorr", || {
        let pairs: Vec<_> = secret_keys().into_iter().map(Keypair::from_secret).collect();
        for message in [&DIGEST[..], b"message"] {
            let signatures =
                bulk().sign_schnorr(&[message; ROWS as usize], &pairs, &secret([[0x33; 32]; ROWS as usize]));
            assert!(schnorr::verify(message, &signatures.expect("equal lengths")[0], &pairs[0].x_only()).is_ok());
        }
    }),
    ("bulk_shared_secrets", || {
        let shared = bulk().shared_secrets(&[their_key(); ROWS as usize], &secret_keys()).expect("equal lengths");
        shared.into_iter().for_each(still_secret);
    }),
    ("bulk_tweak_add_public", || {
        let keys = bulk().tweak_add_public(&[their_key(); ROWS as usize], &secret([[0x33; 32]; ROWS as usize]));
        assert!(keys.expect("equal lengths").iter().all(Result::is_ok));
    }),
    ("bulk_tweak_mul_public", || {
        let keys = bulk().tweak_mul_public(&[their_key(); ROWS as usize], &secret([[0x33; 32]; ROWS as usize]));
        assert!(keys.expect("equal lengths").iter().all(Result::is_ok));
    }),
    ("bulk_tweak_add_secret", || {
        let keys = bulk().tweak_add_secret(&secret_keys(), &secret([[0x33; 32]; ROWS as usize]));
        assert!(keys.expect("equal lengths").iter().all(Result::is_ok));
    }),
    // Every operation whose columns hold secrets, and signatures with recovery ids.
    ("columns_of_secrets", || {
        let rows = usize::from(ROWS);
        let (digests, publics) = (vec![DIGEST; rows], vec![their_key().to_bytes(); rows]);
        let secrets = secrets((1..=ROWS).map(|byte| [byte; 32]).collect());
        let (digests, publics, secrets) = (Column::of(&digests), Column::of(&publics), Column::of(&secrets));
        let one = bulk().one_thread();
        // Tweaks and randomness may be secret too.
        let is_secret = |kind: &ColumnKind| matches!(kind, ColumnKind::SecretKey | ColumnKind::Bytes(_));
        let on_secrets = Operation::ALL
            .into_iter()
            .filter(|operation| operation.declaration().inputs.iter().any(|(_, kind)| is_secret(kind)));
        for (operation, recovery_ids) in on_secrets.flat_map(|operation| [(operation, false), (operation, true)]) {
            let column = |(name, kind): &(&str, ColumnKind)| match kind {
                ColumnKind::SecretKey | ColumnKind::Bytes(32) => secrets,
                ColumnKind::Digest | ColumnKind::Message => digests,
                ColumnKind::PublicKey => publics,
                _ => panic!("{operation:?}: no column {name} here"),
            };
            let columns = &operation.declaration().inputs.iter().map(column).collect::<Vec<_>>()[..];
            let options = ColumnOptions { recovery_ids, ..ColumnOptions::default() };
            let mut verdicts = vec![Verdict::InvalidSignature; rows];
            let mut memory = vec![CacheLine([0; 8]); one.workspace_lines()];
            let answer = |_: usize, _: usize, value: &[u8]| {
                if operation == Operation::SharedSecrets {
                    still_secret(<[u8; 32]>::try_from(value).expect("a shared secret of 32 bytes"));
                }
            };
            let done = one.in_columns(operation, columns, options, &mut verdicts, &mut memory, answer);
            assert_eq!((done, &verdicts[..]), (Ok(()), &vec![Verdict::Valid; rows][..]), "{operation:?}");
        }
    }),
];

const DIGEST: [u8; 32] = [7; 32];
/// Enough rows for more than one whole vector and a rest.
pub(crate) const ROWS: u8 = 19;

pub(crate) fn bulk() -> Bulk {
    Bulk::builder().backend(backend()).threads(1).build().expect("this CPU has the backend")
}

pub(crate) fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32]).expect("a small multiple of 0x0101.. is a key")
}

/// The key n - d, whose top bit is set.
pub(crate) fn high_key(byte: u8) -> SecretKey {
    key(byte).negate()
}

fn secret_keys() -> Vec<SecretKey> {
    secrets((1..=ROWS).map(|byte| if byte % 3 == 0 { high_key(byte) } else { key(byte) }).collect())
}

/// Two pairs: a key of each sign, one y even and the other odd.
fn secret_pairs() -> [Keypair; 2] {
    [key(0x11), key(0x11).negate()].map(|key| Keypair::from_secret(secret(key)))
}

pub(crate) fn their_key() -> PublicKey {
    key(0x22).public_key()
}
