//! Public keys. Variable time, except in the secret key and in tweaks.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes, big_endian},
    secret::{Secret, affine, answer, or_zeros},
    wipe::{cleared, wipe},
};
use phalanx::{PublicKey, Scalar, subtle::Choice};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::{c_int, c_uint};

/// What the flags' low byte says a flag is for.
const TYPE: c_uint = 0xff;
const TYPE_COMPRESSION: c_uint = 2;
const COMPRESSED: c_uint = 1 << 8;
pub(crate) const NO_PUBKEY: PubkeyBytes = [0; 64];

/// Reads a compressed, uncompressed or hybrid key.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_parse(ctx: Ctx, pubkey: Out<PubkeyBytes>, input: In<u8>, length: usize) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, !input.is_null(), c"input != NULL");
    // Longer input is not looked at.
    let key =
        if length > 65 { None } else { input.with_bytes(length, |bytes| PublicKey::from_bytes_hybrid(bytes).ok()) };
    match key {
        Some(key) => {
            pubkey.write(Coordinates::of(&key).save());
            1
        }
        None => 0,
    }
}

/// Writes a key in the form that the flags name. The whole of the room is zeroed first.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_serialize(
    ctx: Ctx,
    output: Out<u8>,
    length: Out<usize>,
    pubkey: In<PubkeyBytes>,
    flags: c_uint,
) -> c_int {
    check!(ctx, !length.is_null(), c"outputlen != NULL");
    let form = if flags & COMPRESSED != 0 { 33 } else { 65 };
    let room = length.read();
    check!(ctx, room >= form, c"*outputlen >= ((flags & SECP256K1_FLAGS_BIT_COMPRESSION) ? 33u : 65u)");
    length.write(0);
    check!(ctx, !output.is_missing(), c"output != NULL");
    output.write_zeros(room);
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(
        ctx,
        flags & TYPE == TYPE_COMPRESSION,
        c"(flags & SECP256K1_FLAGS_TYPE_MASK) == SECP256K1_FLAGS_TYPE_COMPRESSION"
    );
    let Some(point) = Coordinates::load(ctx, &pubkey.read()) else { return 0 };
    if form == 33 {
        output.write_bytes(&compressed(&point));
    } else {
        let [x, y] = point.elements().map(|element| element.to_bytes());
        let mut bytes = [4; 65];
        bytes[1..33].copy_from_slice(&x);
        bytes[33..].copy_from_slice(&y);
        output.write_bytes(&bytes);
    }
    length.write(form);
    1
}

/// 02 or 03 by the parity of y, then x.
pub(crate) fn compressed(point: &Coordinates) -> [u8; 33] {
    let point = point.reduced();
    let mut bytes = [2 + u8::from(point.y_is_odd()); 33];
    bytes[1..].copy_from_slice(&big_endian(point.x));
    bytes
}

/// The public key of a secret key, and whether that is one; where it is none, the key of 1.
pub(crate) fn of_secret(ctx: Ctx, seckey: &[u8; 32]) -> (Secret, PubkeyBytes, Choice) {
    let (secret, valid) = Secret::key(seckey);
    let secret = secret.or(Scalar::ONE, valid);
    let (x, y) = affine(&ctx.get().mul_generator(&secret.0));
    (secret, Coordinates::of_elements(&x, &y).save(), valid)
}

/// The public key of a secret key; zeros where that is none.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_create(ctx: Ctx, pubkey: Out<PubkeyBytes>, seckey: In<[u8; 32]>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !seckey.is_null(), c"seckey != NULL");
    cleared(|| {
        let mut bytes = seckey.read();
        let (_, public, valid) = of_secret(ctx, &bytes);
        wipe(&mut bytes);
        pubkey.write(or_zeros(public, valid));
        answer(valid)
    })
}

/// The negative of a key in its place.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_negate(ctx: Ctx, pubkey: Out<PubkeyBytes>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let point = Coordinates::load(ctx, &pubkey.read());
    finish(pubkey, point.map(|point| point.negated()))
}

/// P + t G in the place of P; zeros where t is not below n or the sum is infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_tweak_add(ctx: Ctx, pubkey: Out<PubkeyBytes>, tweak: In<[u8; 32]>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let point = Coordinates::load(ctx, &pubkey.read());
    // Before the tweak is read, which may overlap.
    pubkey.write(NO_PUBKEY);
    finish(pubkey, point.and_then(|point| tweak_add(&point, &tweak.read())))
}

/// P + t G.
pub(crate) fn tweak_add(point: &Coordinates, tweak: &[u8; 32]) -> Option<Coordinates> {
    point.key()?.tweak_add(tweak).ok().map(|key| Coordinates::of(&key))
}

/// t P in the place of P; zeros where t is zero or not below n.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_ec_pubkey_tweak_mul(ctx: Ctx, pubkey: Out<PubkeyBytes>, tweak: In<[u8; 32]>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let tweak = tweak.read();
    // The structure is not looked at where the tweak alone decides.
    let point = Scalar::from_bytes(&tweak).ok().and_then(|_| Coordinates::load(ctx, &pubkey.read()));
    let product = point.and_then(|point| point.key()?.tweak_mul(&tweak).ok());
    finish(pubkey, product.map(|key| Coordinates::of(&key)))
}

/// Writes a key, or zeros and the answer 0.
pub(crate) fn finish(pubkey: Out<PubkeyBytes>, point: Option<Coordinates>) -> c_int {
    pubkey.write(point.map_or(NO_PUBKEY, |point| point.save()));
    point.is_some().into()
}
