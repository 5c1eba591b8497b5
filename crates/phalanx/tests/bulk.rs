//! Bulk calls say what single calls say: at every length around the chunks, with every number of threads, on every
//! backend, whatever the neighbouring rows hold.

mod backends;

use backends::backends;
use phalanx::{
    Backend, Bulk, Error, Keypair, LowS, PublicKey, PublicKeyRef, SecretKey, Verdict, ecdh,
    ecdsa::{self, SignatureRef},
    hash, schnorr,
};

const LENGTHS: [usize; 14] = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 257, 300];

fn secrets(count: usize) -> Vec<SecretKey> {
    (0..count).map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).unwrap()).collect()
}

fn digests(count: usize) -> Vec<[u8; 32]> {
    (0..count).map(|i| hash::tagged_hash(b"digest", &[&i.to_be_bytes()])).collect()
}

fn bulks() -> Vec<Bulk> {
    let build = |backend, threads| Bulk::builder().backend(backend).threads(threads).build().unwrap();
    backends().iter().flat_map(|backend| [1, 2, 5].map(|threads| build(*backend, threads))).collect()
}

#[test]
fn every_operation_at_every_length() {
    let count = *LENGTHS.last().unwrap();
    let (secrets, digests) = (secrets(count), digests(count));
    let publics: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let pairs: Vec<_> = secrets.iter().cloned().map(Keypair::from_secret).collect();
    let keys: Vec<_> = pairs.iter().map(Keypair::x_only).collect();
    let messages: Vec<&[u8]> = digests.iter().enumerate().map(|(i, digest)| &digest[..i % 33]).collect();
    let (signatures, ids): (Vec<_>, Vec<_>) =
        digests.iter().zip(&secrets).map(|(digest, secret)| ecdsa::sign_recoverable(digest, secret)).unzip();
    let schnorr_signatures: Vec<_> = (0..count).map(|i| schnorr::sign(messages[i], &pairs[i], &digests[i])).collect();
    let encoded: Vec<_> = schnorr_signatures.iter().map(schnorr::Signature::to_bytes).collect();
    let shared: Vec<_> = (0..count).map(|i| ecdh::shared_secret(&publics[count - 1 - i], &secrets[i])).collect();
    let compressed: Vec<_> = publics.iter().map(PublicKey::to_bytes).collect();
    let compressed: Vec<&[u8]> = compressed.iter().map(|bytes| &bytes[..]).collect();
    let reversed: Vec<_> = publics.iter().rev().copied().collect();

    for bulk in bulks() {
        for n in LENGTHS {
            assert_eq!(bulk.public_keys(&secrets[..n]), publics[..n]);
            assert_eq!(bulk.sign_ecdsa(&digests[..n], &secrets[..n]).unwrap(), signatures[..n]);
            let made = bulk.sign_schnorr(&messages[..n], &pairs[..n], &digests[..n]);
            assert_eq!(made.unwrap(), schnorr_signatures[..n]);
            assert_eq!(bulk.shared_secrets(&reversed[..n], &secrets[..n]).unwrap(), shared[..n]);
            let rows = ecdsa::rows(&digests[..n], &signatures[..n], &publics[..n]).unwrap();
            assert_eq!(bulk.verify_ecdsa(&rows, LowS::Require), vec![Verdict::Valid; n]);
            let rows = ecdsa::recover_rows(&digests[..n], &signatures[..n], &ids[..n]).unwrap();
            assert!(bulk.recover(&rows).iter().zip(&publics).all(|(found, key)| *found == Ok(*key)));
            let rows = schnorr::rows(&messages[..n], &encoded[..n], &keys[..n]).unwrap();
            assert_eq!(bulk.verify_schnorr(&rows), vec![Verdict::Valid; n]);
            let tweaked: Vec<_> = (0..n).map(|i| publics[i].tweak_add(&digests[i])).collect();
            assert_eq!(bulk.tweak_add_public(&publics[..n], &digests[..n]).unwrap(), tweaked);
            let tweaked: Vec<_> = (0..n).map(|i| secrets[i].tweak_add(&digests[i])).collect();
            assert_eq!(bulk.tweak_add_secret(&secrets[..n], &digests[..n]).unwrap(), tweaked);
            let parsed = bulk.decompress(&compressed[..n]);
            assert!(parsed.len() == n && parsed.iter().zip(&publics).all(|(found, key)| *found == Ok(*key)));
        }
    }
}

#[test]
fn one_bad_row_harms_no_other() {
    let count = 40;
    let (secrets, digests) = (secrets(count), digests(count));
    let keys: Vec<_> = secrets.iter().map(|secret| secret.public_key().to_bytes()).collect();
    let signatures: Vec<_> = (0..count).map(|i| ecdsa::sign(&digests[i], &secrets[i]).to_compact()).collect();
    let good = |i: usize| ecdsa::Row {
        digest: &digests[i],
        signature: SignatureRef::Compact(&signatures[i]),
        public_key: PublicKeyRef::Encoded(&keys[i]),
    };
    let rows: Vec<_> = (0..count).map(good).collect();
    let bad = [
        ecdsa::Row { digest: &[1; 31], ..good(0) },
        ecdsa::Row { public_key: PublicKeyRef::Encoded(&[4; 65]), ..good(0) },
        ecdsa::Row { public_key: PublicKeyRef::Encoded(&[]), ..good(0) },
        ecdsa::Row { signature: SignatureRef::Der(&[0x30, 0]), ..good(0) },
        ecdsa::Row { signature: SignatureRef::Compact(&[0; 64]), ..good(0) },
        ecdsa::Row { signature: SignatureRef::Compact(&[0xff; 64]), ..good(0) },
        ecdsa::Row { digest: &[9; 32], ..good(0) },
    ];
    for bulk in bulks() {
        for bad in bad {
            for position in 0..count {
                let mut rows = rows.clone();
                rows[position] = bad;
                let mut expected = vec![Verdict::Valid; count];
                expected[position] = ecdsa::verify_row(&bad, LowS::Require);
                assert!(!expected[position].is_valid());
                assert_eq!(bulk.verify_ecdsa(&rows, LowS::Require), expected);
            }
        }
    }
}

#[test]
fn tweaks_that_cancel_fail_alone() {
    let secrets = secrets(20);
    let publics: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    for bulk in bulks() {
        for position in 0..20 {
            let mut tweaks = digests(20);
            tweaks[position] = secrets[position].negate().to_bytes();
            let tweaked = bulk.tweak_add_public(&publics, &tweaks).unwrap();
            let expected: Vec<_> = publics.iter().zip(&tweaks).map(|(key, tweak)| key.tweak_add(tweak)).collect();
            assert_eq!(tweaked, expected);
            assert_eq!(tweaked[position], Err(Error::BadTweak));
            assert_eq!(tweaked.iter().filter(|result| result.is_err()).count(), 1);
        }
    }
}

#[test]
fn slices_that_do_not_pair_up() {
    let (secrets, digests) = (secrets(2), digests(3));
    let publics: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let pairs: Vec<_> = secrets.iter().cloned().map(Keypair::from_secret).collect();
    let bulk = Bulk::new();
    let mismatch = Error::LengthMismatch { left: 3, right: 2 };
    assert_eq!(bulk.sign_ecdsa(&digests, &secrets).err(), Some(mismatch));
    assert_eq!(bulk.sign_schnorr(&[b"", b"", b""], &pairs, &digests).err(), Some(mismatch));
    assert_eq!(
        bulk.sign_schnorr(&[b"", b""], &pairs, &digests).err(),
        Some(Error::LengthMismatch { left: 2, right: 3 })
    );
    let mismatch = Error::LengthMismatch { left: 2, right: 3 };
    assert_eq!(bulk.tweak_add_public(&publics, &digests).err(), Some(mismatch));
    assert_eq!(bulk.tweak_add_secret(&secrets, &digests).err(), Some(mismatch));
    assert_eq!(bulk.shared_secrets(&publics, &secrets[..1]).err(), Some(Error::LengthMismatch { left: 2, right: 1 }));
}

#[test]
fn the_backend_is_the_one_asked_for() {
    for backend in Backend::available() {
        let bulk = Bulk::builder().backend(*backend).threads(2).build().unwrap();
        assert_eq!((bulk.backend(), bulk.threads()), (*backend, 2));
        assert_eq!(backend.name().parse(), Ok(*backend));
    }
    assert_eq!(Bulk::builder().threads(0).build().err(), Some(Error::ThreadsUnavailable));
}

/// Set for the copies of this test that run with another environment: what they must find.
const EXPECTED: &str = "PHALANX_TEST_EXPECTED_BACKEND";

#[test]
fn the_environment_names_the_backend() {
    if let Ok(expected) = std::env::var(EXPECTED) {
        let built = Bulk::builder().build().map(|bulk| bulk.backend().name());
        assert_eq!(built.as_deref().unwrap_or("none"), expected);
        // A choice in the program goes before the environment.
        assert_eq!(Bulk::builder().backend(Backend::Portable).build().unwrap().backend(), Backend::Portable);
        assert_eq!(std::panic::catch_unwind(Bulk::new).is_ok(), built.is_ok());
        return;
    }
    let available = |name: &str| Backend::available().iter().any(|backend| backend.name() == name);
    for name in ["portable", "fma512", "ifma", "neon", "abacus", ""] {
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_environment_names_the_backend"])
            .env("PHALANX_BACKEND", name)
            .env(EXPECTED, if available(name) { name } else { "none" })
            .output()
            .unwrap()
            .status;
        assert!(status.success(), "PHALANX_BACKEND={name}");
    }
}
