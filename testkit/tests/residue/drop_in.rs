//! Calls of the drop-in for libsecp256k1, by the names that C programs link with.
#![allow(unsafe_code)]

use crate::live::{Live, wipe};
use libsecp256k1 as _;
use std::{
    ffi::{c_int, c_uint, c_void},
    hint::black_box,
    ptr,
};

unsafe extern "C" {
    fn secp256k1_context_create(flags: c_uint) -> *mut c_void;
    fn secp256k1_ec_pubkey_create(context: *const c_void, pubkey: *mut u8, key: *const u8) -> c_int;
    fn secp256k1_keypair_create(context: *const c_void, pair: *mut u8, key: *const u8) -> c_int;
    fn secp256k1_ec_seckey_tweak_add(context: *const c_void, key: *mut u8, tweak: *const u8) -> c_int;
    fn secp256k1_ecdsa_sign(
        context: *const c_void,
        signature: *mut u8,
        digest: *const u8,
        key: *const u8,
        nonce: *const c_void,
        data: *const c_void,
    ) -> c_int;
    fn secp256k1_ecdsa_sign_recoverable(
        context: *const c_void,
        signature: *mut u8,
        digest: *const u8,
        key: *const u8,
        nonce: *const c_void,
        data: *const c_void,
    ) -> c_int;
    fn secp256k1_schnorrsig_sign32(
        context: *const c_void,
        signature: *mut u8,
        message: *const u8,
        pair: *const u8,
        aux: *const u8,
    ) -> c_int;
    fn secp256k1_ec_pubkey_parse(context: *const c_void, key: *mut u8, bytes: *const u8, length: usize) -> c_int;
    fn secp256k1_ecdh(
        context: *const c_void,
        output: *mut u8,
        pubkey: *const u8,
        key: *const u8,
        hash: *const c_void,
        data: *const c_void,
    ) -> c_int;
}

fn context() -> *mut c_void {
    // SAFETY: 1 is `SECP256K1_CONTEXT_NONE`. Contexts stay, to be searched.
    unsafe { secp256k1_context_create(1) }
}

pub(crate) fn pubkey_create(live: &Live) {
    let mut key = [0; 64];
    // SAFETY: as many bytes as the header says, in this function and in those below.
    assert_eq!(unsafe { secp256k1_ec_pubkey_create(context(), key.as_mut_ptr(), live.keys[0].as_ptr()) }, 1);
    black_box(&key);
}

/// A pair, which the caller wipes.
fn with_pair(live: &Live, work: impl FnOnce(*mut c_void, &[u8; 96])) {
    let (context, mut pair) = (context(), [0; 96]);
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_keypair_create(context, pair.as_mut_ptr(), live.keys[0].as_ptr()) }, 1);
    work(context, &pair);
    wipe(&mut pair);
}

pub(crate) fn keypair_create(live: &Live) {
    with_pair(live, |_, pair| {
        black_box(pair);
    });
}

pub(crate) fn seckey_tweak_add(live: &Live) {
    let context = context();
    let mut key = [0; 32];
    key.copy_from_slice(&live.keys[0]);
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_ec_seckey_tweak_add(context, key.as_mut_ptr(), live.tweaks[0].as_ptr()) }, 1);
    wipe(&mut key);
}

pub(crate) fn ecdsa_sign(live: &Live) {
    let (mut signature, digest, key) = ([0; 64], live.digests[0].as_ptr(), live.keys[0].as_ptr());
    let (context, none) = (context(), ptr::null());
    // SAFETY: as above.
    assert_eq!(unsafe { secp256k1_ecdsa_sign(context, signature.as_mut_ptr(), digest, key, none, none) }, 1);
    black_box(&signature);
}

pub(crate) fn ecdsa_sign_recoverable(live: &Live) {
    let (mut signature, digest, key) = ([0; 65], live.digests[0].as_ptr(), live.keys[0].as_ptr());
    let (context, none) = (context(), ptr::null());
    // SAFETY: as above.
    assert_eq!(
        unsafe { secp256k1_ecdsa_sign_recoverable(context, signature.as_mut_ptr(), digest, key, none, none) },
        1
    );
    black_box(&signature);
}

pub(crate) fn schnorrsig_sign(live: &Live) {
    with_pair(live, |context, pair| {
        let (mut signature, digest, aux) = ([0; 64], live.digests[0].as_ptr(), live.aux[0].as_ptr());
        // SAFETY: as above.
        let signed =
            unsafe { secp256k1_schnorrsig_sign32(context, signature.as_mut_ptr(), digest, pair.as_ptr(), aux) };
        assert_eq!(signed, 1);
        black_box(&signature);
    });
}

pub(crate) fn ecdh(live: &Live) {
    let (context, none, mut public, mut shared) = (context(), ptr::null(), [0; 64], [0; 32]);
    let bytes = live.publics[0].to_bytes();
    // SAFETY: as above.
    unsafe {
        assert_eq!(secp256k1_ec_pubkey_parse(context, public.as_mut_ptr(), bytes.as_ptr(), bytes.len()), 1);
        let key = live.keys[0].as_ptr();
        assert_eq!(secp256k1_ecdh(context, shared.as_mut_ptr(), public.as_ptr(), key, none, none), 1);
    }
    wipe(&mut shared);
}
