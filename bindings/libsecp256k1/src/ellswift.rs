//! ElligatorSwift (BIP-324). Constant time in the secret key and in whether it is valid.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Compression, XdhHashFunction},
    context::{Ctx, check},
    declassify::declassify,
    opaque::{Coordinates, PubkeyBytes},
    pubkey::of_secret,
    secret::{Secret, answer, or_zeros},
    sha256::{self, Sha256},
    wipe::{cleared, wipe},
};
use phalanx::{
    PublicKey, Scalar, SecretKey,
    bindings::{hash_by, hasher, tags},
    ellswift::{ElligatorSwift, shared_secret_with},
    subtle::Choice,
};
use phalanx_ffi::by_copy::{In, Out};
use std::{
    ffi::{c_int, c_void},
    ptr,
};

/// SHA-256 of 64 bytes of data, both encodings and x.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_ellswift_xdh_hash_function_prefix: XdhHashFunction = hash_function_prefix;
/// BIP-324's tagged hash of both encodings and x.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_ellswift_xdh_hash_function_bip324: XdhHashFunction = hash_function_bip324;

unsafe extern "C-unwind" fn hash_function_prefix(
    output: *mut u8,
    x: *const u8,
    a: *const u8,
    b: *const u8,
    data: *mut c_void,
) -> c_int {
    // SAFETY: the interface of such functions: 32 bytes of x, 64 bytes of each encoding and of this one's data.
    let (x, a, b, prefix) = unsafe {
        (*x.cast::<[u8; 32]>(), *a.cast::<[u8; 64]>(), *b.cast::<[u8; 64]>(), *data.cast_const().cast::<[u8; 64]>())
    };
    let hash = cleared(|| hash_prefix(Compression::BUILT_IN, &prefix, &a, &b, &x));
    // SAFETY: 32 bytes that can be written.
    unsafe { output.cast::<[u8; 32]>().write(hash) };
    1
}

unsafe extern "C-unwind" fn hash_function_bip324(
    output: *mut u8,
    x: *const u8,
    a: *const u8,
    b: *const u8,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the interface of such functions: 32 bytes of x, 64 bytes of each encoding.
    let (x, a, b) = unsafe { (*x.cast::<[u8; 32]>(), *a.cast::<[u8; 64]>(), *b.cast::<[u8; 64]>()) };
    let hash = cleared(|| hash_bip324(Compression::BUILT_IN, &a, &b, &x));
    // SAFETY: 32 bytes that can be written.
    unsafe { output.cast::<[u8; 32]>().write(hash) };
    1
}

fn hash_prefix(compression: Compression, prefix: &[u8; 64], a: &[u8; 64], b: &[u8; 64], x: &[u8; 32]) -> [u8; 32] {
    sha256::hash(compression, &[prefix, a, b, x])
}

fn hash_bip324(compression: Compression, a: &[u8; 64], b: &[u8; 64], x: &[u8; 32]) -> [u8; 32] {
    hash_by(&tags::BIP324_ECDH, compression, &[a, b, x])
}

/// An encoding of a key by random numbers that the hash makes.
fn encode(key: &PublicKey, hash: &Sha256) -> [u8; 64] {
    let mut count = 0u32;
    let draw = || {
        let mut hash = hash.clone();
        hash.update_uncleared(&count.to_le_bytes());
        count = count.wrapping_add(1);
        hash.finish_uncleared()
    };
    ElligatorSwift::encode_with(key, draw).to_bytes()
}

/// An encoding of a key, which depends on 32 bytes of randomness; zeros where there is no key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ellswift_encode(
    ctx: Ctx,
    output: Out<[u8; 64]>,
    pubkey: In<PubkeyBytes>,
    randomness: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !output.is_null(), c"ell64 != NULL");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(ctx, !randomness.is_null(), c"rnd32 != NULL");
    let key = Coordinates::load(ctx, &pubkey.read()).and_then(|point| point.key());
    let Some(key) = key else {
        output.write([0; 64]);
        return 0;
    };
    let mut block = [0; 64];
    block[..33].copy_from_slice(&key.to_bytes());
    let mut hash = hasher(&tags::ELLSWIFT_ENCODE, ctx.get().compression());
    hash.update_uncleared(&block);
    hash.update_uncleared(&randomness.read());
    output.write(encode(&key, &hash));
    1
}

/// The key of an encoding.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ellswift_decode(ctx: Ctx, pubkey: Out<PubkeyBytes>, input: In<[u8; 64]>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(ctx, !input.is_null(), c"ell64 != NULL");
    pubkey.write(Coordinates::of(&ElligatorSwift::from(input.read()).decode()).save());
    1
}

/// An encoding of the public key of a secret key, with 32 bytes of auxiliary randomness or none; zeros where the secret
/// key is none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ellswift_create(
    ctx: Ctx,
    output: Out<[u8; 64]>,
    seckey: In<[u8; 32]>,
    auxiliary: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !output.is_null(), c"ell64 != NULL");
    output.write([0; 64]);
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !seckey.is_null(), c"seckey32 != NULL");
    cleared(|| {
        let mut bytes = seckey.read();
        let (_, public, valid) = of_secret(ctx, &bytes);
        // Where the secret key is none, the key of 1.
        let public = declassify(ctx.get(), public);
        let compression = ctx.get().compression();
        let mut hash = hasher(&tags::ELLSWIFT_CREATE, compression);
        hash.update_uncleared(&bytes);
        wipe(&mut bytes);
        hash.update_uncleared(&[0; 32]);
        // The hash hides the secret key. Of the numbers that it makes one is published.
        let mut hash = Sha256::resume(compression, declassify(ctx.get(), hash.state()), 2);
        if !auxiliary.is_null() {
            hash.update_uncleared(&auxiliary.read());
        }
        let encoding = Coordinates::read(&public).key().map_or([0; 64], |key| encode(&key, &hash));
        output.write(or_zeros(encoding, valid));
        answer(valid)
    })
}

/// What a hash function makes of the x of the product of the other party's key with a secret key. Where that is none,
/// of the key itself, and the answer is 0.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ellswift_xdh(
    ctx: Ctx,
    output: Out<u8>,
    a: In<[u8; 64]>,
    b: In<[u8; 64]>,
    seckey: In<[u8; 32]>,
    party: c_int,
    function: Option<XdhHashFunction>,
    data: *mut c_void,
) -> c_int {
    check!(ctx, !output.is_missing(), c"output != NULL");
    check!(ctx, !a.is_null(), c"ell_a64 != NULL");
    check!(ctx, !b.is_null(), c"ell_b64 != NULL");
    check!(ctx, !seckey.is_null(), c"seckey32 != NULL");
    check!(ctx, function.is_some(), c"hashfp != NULL");
    let Some(function) = function else { return 0 };
    let compression = ctx.get().compression();
    let is = |own: XdhHashFunction| ptr::fn_addr_eq(function, own);
    let hash = |x: &[u8; 32]| -> bool {
        if is(secp256k1_ellswift_xdh_hash_function_bip324) {
            output.write_bytes(&hash_bip324(compression, &a.read(), &b.read(), x));
            return true;
        }
        if is(secp256k1_ellswift_xdh_hash_function_prefix) {
            // SAFETY: by the interface of this hash function 64 bytes.
            let prefix = unsafe { data.cast_const().cast::<[u8; 64]>().read() };
            output.write_bytes(&hash_prefix(compression, &prefix, &a.read(), &b.read(), x));
            return true;
        }
        // SAFETY: the program's own function, called as the interface says.
        unsafe { function(output.raw(), x.as_ptr(), a.raw().cast(), b.raw().cast(), data) != 0 }
    };
    cleared(|| {
        let mut bytes = seckey.read();
        let (secret, valid) = Secret::key(&bytes);
        wipe(&mut bytes);
        let secret = secret.or(Scalar::ONE, valid);
        let theirs = ElligatorSwift::from(if party == 0 { b.read() } else { a.read() });
        // Never zero.
        let hashed = SecretKey::try_from(secret.0).is_ok_and(|secret| shared_secret_with(&theirs, &secret, hash));
        answer(Choice::from(u8::from(hashed)) & valid)
    })
}
