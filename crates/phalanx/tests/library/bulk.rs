//! Bulk calls say what single calls say: at every length around the chunks, with every number of threads, on every
//! backend, whatever the neighbouring rows hold.

use crate::backends::backends;
use phalanx::{
    Backend, Bulk, Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdh,
    ecdsa::{self, SignatureRef},
    hash, schnorr,
};

const LENGTHS: [usize; 14] = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 257, 300];

fn secrets(count: usize) -> Vec<SecretKey> {
    (0..count).map(|i| SecretKey::from_bytes(&hash::sha256(&i.to_be_bytes())).unwrap()).collect()
}

fn digests(count: usize) -> Vec<[u8; 32]> {
    (0..count).map(|i| hash::TaggedHash::new(b"digest").hash(&[&i.to_be_bytes()])).collect()
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
    let recoverable = (0..count).map(|i| ecdsa::sign_recoverable(&digests[i], &secrets[i]));
    let (signatures, ids): (Vec<_>, Vec<_>) = recoverable.map(|(signature, id)| (signature, id.to_u8())).unzip();
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
            let row = |i: usize| ecdsa::RecoverRow {
                digest: &digests[i],
                signature: SignatureRef::Parsed(&signatures[i]),
                recovery_id: ids[i],
            };
            let rows: Vec<_> = (0..n).map(row).collect();
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
