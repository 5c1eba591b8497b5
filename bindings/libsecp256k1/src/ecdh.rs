//! Diffie-Hellman. Constant time in the secret key and in whether it is valid.
#![allow(unsafe_code)]

use crate::{
    callbacks::{Compression, EcdhHashFunction, other_than},
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    secret::{Secret, answer},
    sha256,
    wipe::{cleared, wipe},
};
use phalanx::{Scalar, SecretKey, ecdh::shared_secret_with, subtle::Choice};
use phalanx_ffi::by_copy::{In, Out};
use std::{
    ffi::{c_int, c_void},
    ptr,
};

/// SHA-256 of the point in compressed form.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_ecdh_hash_function_sha256: EcdhHashFunction = hash_function_sha256;
/// The same.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static secp256k1_ecdh_hash_function_default: EcdhHashFunction = hash_function_sha256;

unsafe extern "C-unwind" fn hash_function_sha256(output: *mut u8, x: *const u8, y: *const u8, _: *mut c_void) -> c_int {
    // SAFETY: the interface of such functions: 32 bytes that can be written, and 32 bytes of each coordinate.
    let (x, y) = unsafe { (*x.cast::<[u8; 32]>(), *y.cast::<[u8; 32]>()) };
    let hash = cleared(|| hash_compressed(Compression::BUILT_IN, &x, &y));
    // SAFETY: as above.
    unsafe { output.cast::<[u8; 32]>().write(hash) };
    1
}

fn hash_compressed(compression: Compression, x: &[u8; 32], y: &[u8; 32]) -> [u8; 32] {
    sha256::hash(compression, &[&[2 | y[31] & 1], x])
}

/// What a hash function makes of the product of a key with a secret key. Where that is none, of the key itself, and the
/// answer is 0.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ecdh(
    ctx: Ctx,
    output: Out<u8>,
    pubkey: In<PubkeyBytes>,
    seckey: In<[u8; 32]>,
    function: Option<EcdhHashFunction>,
    data: *mut c_void,
) -> c_int {
    check!(ctx, !output.is_missing(), c"output != NULL");
    check!(ctx, !pubkey.is_null(), c"point != NULL");
    check!(ctx, !seckey.is_null(), c"scalar != NULL");
    let pubkey = pubkey.read();
    let point = Coordinates::load(ctx, &pubkey);
    let compression = ctx.get().compression();
    let function = other_than(secp256k1_ecdh_hash_function_sha256, function, ptr::fn_addr_eq);
    let hash = |x: &[u8; 32], y: &[u8; 32]| -> bool {
        let Some(function) = function else {
            output.write_bytes(&hash_compressed(compression, x, y));
            return true;
        };
        // SAFETY: the program's own function, called as the interface says.
        unsafe { function(output.raw(), x.as_ptr(), y.as_ptr(), data) != 0 }
    };
    cleared(|| {
        let mut bytes = seckey.read();
        let (secret, valid) = Secret::key(&bytes);
        wipe(&mut bytes);
        let secret = secret.or(Scalar::ONE, valid);
        let hashed = match (point, point.and_then(|point| point.key())) {
            // Never zero.
            (_, Some(key)) => SecretKey::try_from(secret.0).is_ok_and(|secret| shared_secret_with(&key, &secret, hash)),
            // A structure of zeros has been reported. Its product with any number is itself.
            (None, _) if pubkey == [0; 64] => hash(&[0; 32], &[0; 32]),
            // No function of the library wrote this. To multiply it would give the secret key away.
            _ => false,
        };
        answer(Choice::from(u8::from(hashed)) & valid)
    })
}
