//! Calls of the drop-in for libsecp256k1, by the names that C programs link with.
#![allow(unsafe_code)]

use crate::live::{Live, wipe};
use libsecp256k1 as _;
use std::{
    ffi::{c_int, c_uint, c_void},
    hint::black_box,
    ptr,
};

/// What the functions are given, read, write, and are not given.
type Context = *const c_void;
type In = *const u8;
type Out = *mut u8;
type Absent = *const c_void;

/// Of a digest and a key, by the usual nonce.
type Sign = unsafe extern "C" fn(Context, Out, In, In, Absent, Absent) -> c_int;

unsafe extern "C" {
    fn secp256k1_context_create(flags: c_uint) -> *mut c_void;
    fn secp256k1_ec_pubkey_create(_: Context, pubkey: Out, key: In) -> c_int;
    fn secp256k1_keypair_create(_: Context, pair: Out, key: In) -> c_int;
    fn secp256k1_ec_seckey_tweak_add(_: Context, key: Out, tweak: In) -> c_int;
    fn secp256k1_ecdsa_sign(_: Context, signature: Out, digest: In, key: In, _: Absent, _: Absent) -> c_int;
    fn secp256k1_ecdsa_sign_recoverable(_: Context, signature: Out, digest: In, key: In, _: Absent, _: Absent)
    -> c_int;
    fn secp256k1_schnorrsig_sign32(_: Context, signature: Out, message: In, pair: In, aux: In) -> c_int;
    fn secp256k1_ec_pubkey_parse(_: Context, key: Out, bytes: In, length: usize) -> c_int;
    fn secp256k1_ecdh(_: Context, output: Out, pubkey: In, key: In, hash: Absent, _: Absent) -> c_int;
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

fn sign<const N: usize>(live: &Live, function: Sign) {
    let (mut signature, digest, key) = ([0; N], live.digests[0].as_ptr(), live.keys[0].as_ptr());
    // SAFETY: as above, for a function that writes N bytes.
    assert_eq!(unsafe { function(context(), signature.as_mut_ptr(), digest, key, ptr::null(), ptr::null()) }, 1);
    black_box(&signature);
}

pub(crate) fn ecdsa_sign(live: &Live) {
    sign::<64>(live, secp256k1_ecdsa_sign);
}

pub(crate) fn ecdsa_sign_recoverable(live: &Live) {
    sign::<65>(live, secp256k1_ecdsa_sign_recoverable);
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
