//! Secret keys: 32 big-endian bytes. Constant time in the key, in whether it is valid, and in the tweak.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    secret::{Secret, answer},
    wipe::{cleared, wipe},
};
use phalanx::{Scalar, subtle::Choice};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;
use zeroize::Zeroize;

/// Whether a number is a secret key: not zero and below n.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_seckey_verify(ctx: Ctx, seckey: In<[u8; 32]>) -> c_int {
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    cleared(|| {
        let mut bytes = seckey.read();
        let (_, valid) = Secret::key(&bytes);
        wipe(&mut bytes);
        answer(valid)
    })
}

/// n - d in the place of d; zero in the place of what is no key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_seckey_negate(ctx: Ctx, seckey: Out<[u8; 32]>) -> c_int {
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    replace(seckey, |key, valid| (-key, valid))
}

/// d + t in the place of d; zero where d is no key, t is not below n, or the sum is zero.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_seckey_tweak_add(ctx: Ctx, seckey: Out<[u8; 32]>, tweak: In<[u8; 32]>) -> c_int {
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    replace(seckey, |key, valid| {
        let (sum, fits) = add(key, tweak.read());
        (sum, valid & fits)
    })
}

/// d t in the place of d; zero where d is no key or t is none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_seckey_tweak_mul(ctx: Ctx, seckey: Out<[u8; 32]>, tweak: In<[u8; 32]>) -> c_int {
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    replace(seckey, |key, valid| {
        let mut bytes = tweak.read();
        let (factor, fits) = Secret::key(&bytes);
        wipe(&mut bytes);
        (key * factor.0, valid & fits)
    })
}

/// d + t, and whether t is below n and the sum not zero.
pub(crate) fn add(key: Scalar, mut tweak: [u8; 32]) -> (Scalar, Choice) {
    let (term, below) = Secret::reduced(&tweak);
    tweak.zeroize();
    let sum = key + term.0;
    (sum, below & !sum.is_zero())
}

/// What `change` makes of a key and of whether it is one, in its place, or zero where the change did not succeed.
fn replace(place: Out<[u8; 32]>, change: impl FnOnce(Scalar, Choice) -> (Scalar, Choice)) -> c_int {
    cleared(|| {
        let mut bytes = place.read();
        let (key, valid) = Secret::key(&bytes);
        let (changed, valid) = change(key.0, valid);
        bytes = Secret(changed).or(Scalar::ZERO, valid).0.to_bytes();
        place.write(bytes);
        wipe(&mut bytes);
        answer(valid)
    })
}
