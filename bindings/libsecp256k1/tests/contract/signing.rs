//! Signing: vectors, nonces, contexts.
#![allow(unsafe_code)]

use crate::interface::*;
use std::{
    ffi::{c_int, c_uint, c_void},
    ptr,
};

fn hex<const N: usize>(text: &str) -> [u8; N] {
    std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

/// The first vector of BIP-340: secret key 3, zeros as message and randomness.
#[test]
fn bip340() {
    let context = Context::new();
    let (mut pair, mut signature) = ([0u8; 96], [0u8; 64]);
    let expected: [u8; 64] = hex("e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215\
                                  25f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0");
    let zeros = [0u8; 32];
    unsafe {
        assert_eq!(secp256k1_keypair_create(context.0, pair.as_mut_ptr(), number(3).as_ptr()), 1);
        for aux in [zeros.as_ptr(), ptr::null()] {
            let signed =
                secp256k1_schnorrsig_sign32(context.0, signature.as_mut_ptr(), zeros.as_ptr(), pair.as_ptr(), aux);
            assert_eq!((signed, signature), (1, expected));
        }
        let verify = |message: &[u8]| {
            secp256k1_schnorrsig_verify(context.0, signature.as_ptr(), message.as_ptr(), 32, pair[32..].as_ptr())
        };
        assert_eq!((verify(&zeros), verify(&[1; 32])), (1, 0));
    }
}

fn sign(context: *const Opaque, secret: [u8; 32], function: Option<NonceFunction>, data: usize) -> (c_int, [u8; 65]) {
    let (mut signature, data) = ([7; 65], ptr::without_provenance::<c_void>(data));
    let (out, digest) = (signature.as_mut_ptr(), [9u8; 32]);
    let signed =
        unsafe { secp256k1_ecdsa_sign_recoverable(context, out, digest.as_ptr(), secret.as_ptr(), function, data) };
    (signed, signature)
}

/// As many attempts as the data says are refused: zero, the order, then n - 1 as the nonce.
unsafe extern "C" fn refused_first(
    nonce: *mut u8,
    _: *const u8,
    _: *const u8,
    _: *const u8,
    data: *mut c_void,
    attempt: c_uint,
) -> c_int {
    let mut last = order();
    last[31] -= 1;
    let made = [number(0), order(), last][attempt.min(2) as usize];
    unsafe { nonce.cast::<[u8; 32]>().write(made) };
    c_int::from(data.addr() != attempt as usize)
}

#[test]
fn nonces_of_the_caller_are_asked_until_one_fits() {
    let context = Context::new();
    let (signed, signature) = sign(context.0, number(5), Some(refused_first), 9);
    assert_eq!(signed, 1);
    // r is the generator's x, as -G has it.
    let mut x = phalanx::PublicKey::GENERATOR.to_bytes();
    x[1..].reverse();
    assert_eq!(signature[..32], x[1..]);
    let mut found = [0; 64];
    unsafe {
        assert_eq!(secp256k1_ecdsa_recover(context.0, found.as_mut_ptr(), signature.as_ptr(), [9; 32].as_ptr()), 1);
        assert_eq!(secp256k1_ecdsa_verify(context.0, signature.as_ptr(), [9; 32].as_ptr(), found.as_ptr()), 1);
        let high = secp256k1_ecdsa_signature_normalize(context.0, ptr::null_mut(), signature.as_ptr());
        assert_eq!(high, 0);
    }
    assert_eq!(found, key(&context, &number(5)));
    for failing in 0..3 {
        assert_eq!(sign(context.0, number(5), Some(refused_first), failing), (0, [0; 65]));
    }
    // The key is judged last.
    assert_eq!(sign(context.0, order(), Some(refused_first), 9), (0, [0; 65]));
    assert!(reports().is_empty());
}

#[test]
fn signatures_are_those_of_the_library() {
    let context = Context::new();
    let secret = phalanx::SecretKey::from_bytes(&number(5)).unwrap();
    let (expected, id) = phalanx::ecdsa::sign_recoverable(&[9; 32], &secret);
    let mut bytes = [id.to_u8(); 65];
    bytes[..64].copy_from_slice(&expected.to_compact());
    bytes[..32].reverse();
    bytes[32..64].reverse();
    let own = unsafe { secp256k1_nonce_function_rfc6979 };
    for function in [None, Some(own)] {
        assert_eq!(sign(context.0, number(5), function, 0), (1, bytes));
    }
    // Blinded, and by another compression function.
    unsafe {
        for seed in 0..3 {
            assert_eq!(secp256k1_context_randomize(context.0, [seed; 32].as_ptr()), 1);
            assert_eq!(sign(context.0, number(5), None, 0), (1, bytes));
        }
        let copy = secp256k1_context_clone(context.0);
        assert_eq!(sign(copy, number(5), None, 0), (1, bytes));
        secp256k1_context_destroy(copy);
        assert_eq!(secp256k1_context_randomize(context.0, ptr::null()), 1);
        secp256k1_context_set_sha256_compression(context.0, Some(counted));
    }
    assert_eq!(sign(context.0, number(5), None, 0), (1, bytes));
    assert!(COUNT.get() > 0);
    assert!(reports().is_empty());
}

thread_local! {
    static COUNT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

unsafe extern "C" fn counted(state: *mut u32, blocks: *const u8, count: usize) {
    COUNT.set(COUNT.get() + count);
    let (state, blocks) =
        unsafe { (&mut *state.cast::<[u32; 8]>(), std::slice::from_raw_parts(blocks.cast::<[u8; 64]>(), count)) };
    sha2::block_api::compress256(state, blocks);
}

unsafe extern "C" fn wrong_for_nine(state: *mut u32, blocks: *const u8, count: usize) {
    unsafe { counted(state, blocks, if count == 9 { 8 } else { count }) };
}

#[test]
fn wrong_compression_functions_are_refused() {
    let context = Context::new();
    unsafe { secp256k1_context_set_sha256_compression(context.0, Some(wrong_for_nine)) };
    assert_eq!(reports(), ["secp256k1_selftest_sha256(fn_compression)"]);
    COUNT.set(0);
    assert_eq!(sign(context.0, number(5), None, 0).0, 1);
    assert_eq!(COUNT.get(), 0);
}

/// The hash gets both coordinates, and its answer decides.
#[test]
fn shared_points_go_to_the_callers_hash() {
    unsafe extern "C-unwind" fn both(output: *mut u8, x: *const u8, y: *const u8, data: *mut c_void) -> c_int {
        unsafe {
            output.copy_from_nonoverlapping(x, 32);
            output.add(32).copy_from_nonoverlapping(y, 32);
        }
        c_int::from(data.is_null())
    }
    let context = Context::new();
    let public = key(&context, &number(1));
    let share = |secret: [u8; 32], data: usize| {
        let (mut output, data) = ([7u8; 64], ptr::without_provenance_mut(data));
        let (out, secret) = (output.as_mut_ptr(), secret.as_ptr());
        (unsafe { secp256k1_ecdh(context.0, out, public.as_ptr(), secret, Some(both), data) }, output)
    };
    let point = |secret: u8| {
        let mut bytes = key(&context, &number(secret));
        bytes[..32].reverse();
        bytes[32..].reverse();
        bytes
    };
    assert_eq!(share(number(6), 0), (1, point(6)));
    assert_eq!(share(number(6), 1), (0, point(6)));
    // In the place of what is no key: 1.
    assert_eq!(share(order(), 0), (0, point(1)));
}

#[test]
fn the_static_context_does_not_sign() {
    let context = Context::new();
    // A copy, which may have a callback.
    let mut copy = vec![0u64; unsafe { secp256k1_context_preallocated_size(1) }.div_ceil(8)];
    let copied = copy.as_mut_ptr().cast::<Opaque>();
    unsafe {
        secp256k1_context_static.cast::<u64>().copy_to_nonoverlapping(copied.cast(), copy.len());
        context.report_from(copied);
        assert_eq!(sign(copied, number(5), None, 0), (0, [7; 65]));
        assert_eq!(secp256k1_context_randomize(copied, [1; 32].as_ptr()), 0);
        assert!(secp256k1_context_clone(copied).is_null());
    }
    let built = "secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)";
    let proper = "secp256k1_context_is_proper(ctx)";
    assert_eq!(reports(), [built, proper, proper]);
}
