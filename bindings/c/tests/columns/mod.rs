//! `include/phalanx_columns.hpp`: rows in libsecp256k1's own forms get the answers of its single calls.
// libsecp256k1's structures are read and its functions called as C programs do.
#![allow(unsafe_code)]

use super::LIBRARIES;
use super::programs::{folder, is_there, run};
use phalanx_tiers::{Draws, size};
use secp256k1::{
    Keypair, Message, SecretKey, XOnlyPublicKey, ecdsa,
    ffi::{self, CPtr},
    schnorr,
};
use std::{fs, process::Command};

/// Bytes that look random.
fn bytes<const N: usize>(draws: &mut Draws) -> [u8; N] {
    std::array::from_fn(|_| draws.below(256) as u8)
}

/// Changes a bit.
fn spoil(draws: &mut Draws, bytes: &mut [u8]) {
    bytes[draws.below(bytes.len())] ^= 1 << draws.below(8);
}

/// The structure of a signature, as C programs hold it.
fn opaque_signature(signature: &ecdsa::Signature) -> [u8; 64] {
    // SAFETY: the signature is there while it is read.
    *unsafe { *signature.as_c_ptr() }.as_ref()
}

fn opaque_key(key: &secp256k1::PublicKey) -> [u8; 64] {
    // SAFETY: the key is there while it is read.
    *unsafe { *key.as_c_ptr() }.as_ref()
}

fn opaque_x_only(key: &XOnlyPublicKey) -> [u8; 64] {
    // SAFETY: the key is there while it is read.
    *unsafe { *key.as_c_ptr() }.as_ref()
}

/// Numbers in 32 bytes, each the other way round: the structure that would hold what is out of range.
fn turned(mut bytes: [u8; 64]) -> [u8; 64] {
    bytes.chunks_mut(32).for_each(<[u8]>::reverse);
    bytes
}

/// n - s.
fn negated(signature: [u8; 64]) -> [u8; 64] {
    let (r, s) = signature.split_at(32);
    let s = -library::Scalar::from_bytes(s).unwrap();
    [r, &s.to_bytes()].concat().try_into().unwrap()
}

/// A row that `tests/c/columns.cpp` reads.
fn row(parts: [&[u8]; 4], valid: bool) -> Vec<u8> {
    [&parts.concat()[..], &[u8::from(valid), 0, 0]].concat()
}

/// How many rows there are of each kind of fault.
fn kinds() -> usize {
    size(150, 4000)
}

fn ecdsa_rows(draws: &mut Draws) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut counts = [0; 2];
    for i in 0..9 * kinds() {
        let secret = SecretKey::from_secret_bytes(bytes(draws)).unwrap();
        let key = secp256k1::PublicKey::from_secret_key(&secret);
        let mut digest = bytes(draws);
        let mut compact = ecdsa::sign(Message::from_digest(digest), &secret).serialize_compact();
        let mut point = key.serialize();
        match i % 9 {
            0 | 1 => {}
            2 => compact = negated(compact),
            3 => spoil(draws, &mut digest),
            4 => spoil(draws, &mut compact),
            5 => spoil(draws, &mut point),
            6 => compact[draws.below(2) * 32..][..32].fill(0xff),
            7 => compact[draws.below(2) * 32..][..32].fill(0),
            _ => point[draws.below(2)..].fill(draws.below(256) as u8),
        }
        // Where libsecp256k1 reads no signature or key, there is none that is valid.
        let signature = ecdsa::Signature::from_compact(&compact);
        let key = secp256k1::PublicKey::from_slice(&point);
        let valid = signature.as_ref().ok().zip(key.as_ref().ok()).is_some_and(|(signature, key)| {
            let mut low = *signature;
            low.normalize_s();
            ecdsa::verify(&low, Message::from_digest(digest), key).is_ok()
        });
        let opaque = key.map_or([0; 64], |key| opaque_key(&key));
        let held = signature.map_or(turned(compact), |signature| opaque_signature(&signature));
        // What is laid down of the structures is what programs on this machine find in them.
        assert_eq!(held, turned(compact));
        rows.extend(row([&digest, &point, &opaque, &held], valid));
        counts[usize::from(valid)] += 1;
    }
    assert!(counts[1] >= 3 * kinds() && counts[0] > 5 * kinds(), "{counts:?}");
    rows
}

fn schnorr_rows(draws: &mut Draws) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut counts = [0; 2];
    // Long runs of good rows, so that sums of them hold too.
    for i in 0..9 * kinds() {
        let pair = Keypair::from_secret_bytes(bytes(draws)).unwrap();
        let mut digest: [u8; 32] = bytes(draws);
        let mut signature = schnorr::sign_with_aux_rand(&digest, &pair, &bytes(draws)).to_byte_array();
        let mut point = pair.x_only_public_key().0.to_byte_array();
        match (i > 6 * kinds()).then_some(i % 6) {
            None | Some(0) => {}
            Some(1) => spoil(draws, &mut digest),
            Some(2) => spoil(draws, &mut signature),
            Some(3) => spoil(draws, &mut point),
            Some(4) => signature[draws.below(2) * 32..][..32].fill(0xff),
            Some(_) => point.fill(draws.below(256) as u8),
        }
        let key = XOnlyPublicKey::from_byte_array(point);
        let given = schnorr::Signature::from_byte_array(signature);
        let valid = key.as_ref().is_ok_and(|key| schnorr::verify(&given, &digest, key).is_ok());
        let opaque = key.map_or([0; 64], |key| opaque_x_only(&key));
        rows.extend(row([&digest, &point, &opaque, &signature], valid));
        counts[usize::from(valid)] += 1;
    }
    assert!(counts[1] > 6 * kinds() && counts[0] > 2 * kinds(), "{counts:?}");
    rows
}

#[test]
fn rows_get_the_answers_of_libsecp256k1() {
    if !is_there("c++") || !cfg!(target_endian = "little") {
        return phalanx_tiers::skipped("a C++ compiler, little-endian", "columns in libsecp256k1's forms from C++");
    }
    assert_eq!(size_of::<ffi::Signature>() + size_of::<ffi::PublicKey>() + size_of::<ffi::XOnlyPublicKey>(), 3 * 64);
    let program = folder("columns").join("columns");
    let mut cc = LIBRARIES.compiler("c++", "-std=c++20");
    cc.args(["-Wconversion", "-Wshadow", "-O1", "-g"]);
    LIBRARIES.link(cc, "tests/c/columns.cpp", &program, "a");
    let mut draws = Draws::of_run();
    let files = [("ecdsa", ecdsa_rows(&mut draws)), ("schnorr", schnorr_rows(&mut draws))].map(|(name, rows)| {
        let path = folder("columns").join(name);
        fs::write(&path, rows).unwrap();
        path
    });
    for backend in library::Backend::available() {
        let output = run(Command::new(&program).arg(backend.name()).args(&files));
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
}
