//! X-only public keys (BIP-340). Variable time, except in tweaks.
#![allow(unsafe_code)]

use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes, big_endian},
    order::difference,
    pubkey::{NO_PUBKEY, finish, tweak_add},
};
use phalanx::XOnlyPublicKey;
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// Reads x and finds the point with an even y.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_parse(ctx: Ctx, pubkey: Out<PubkeyBytes>, input: In<[u8; 32]>) -> c_int {
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    pubkey.write(NO_PUBKEY);
    check!(ctx, !input.is_null(), c"input32 != NULL");
    let key = XOnlyPublicKey::from_bytes(&input.read()).ok();
    finish(pubkey, key.map(|key| Coordinates::of(&key.public_key())))
}

/// Writes x.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_serialize(ctx: Ctx, output: Out<[u8; 32]>, pubkey: In<PubkeyBytes>) -> c_int {
    check!(ctx, !output.is_null(), c"output32 != NULL");
    output.write([0; 32]);
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let Some(point) = Coordinates::load(ctx, &pubkey.read()) else { return 0 };
    output.write(big_endian(point.x));
    1
}

/// Compares x. What is no key counts as zeros, after it has been reported.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_cmp(ctx: Ctx, a: In<PubkeyBytes>, b: In<PubkeyBytes>) -> c_int {
    let [a, b] = [a, b].map(|key| {
        if key.is_null() {
            ctx.illegal(c"pubkey != NULL");
            return [0; 32];
        }
        Coordinates::load(ctx, &key.read()).map_or([0; 32], |point| big_endian(point.x))
    });
    difference(&a, &b)
}

/// The point with an even y, and whether y was odd.
pub(crate) fn even(point: &Coordinates) -> (Coordinates, bool) {
    let odd = point.y_is_odd();
    (if odd { point.negated() } else { point.reduced() }, odd)
}

/// The x-only key of a key, and whether y is odd.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_from_pubkey(
    ctx: Ctx,
    xonly: Out<PubkeyBytes>,
    parity: Out<c_int>,
    pubkey: In<PubkeyBytes>,
) -> c_int {
    check!(ctx, !xonly.is_null(), c"xonly_pubkey != NULL");
    check!(ctx, !pubkey.is_null(), c"pubkey != NULL");
    let Some(point) = Coordinates::load(ctx, &pubkey.read()) else { return 0 };
    write_even(xonly, parity, &point)
}

/// Writes the point with an even y, and where there is a place for it whether y was odd.
pub(crate) fn write_even(xonly: Out<PubkeyBytes>, parity: Out<c_int>, point: &Coordinates) -> c_int {
    let (point, odd) = even(point);
    if !parity.is_null() {
        parity.write(odd.into());
    }
    xonly.write(point.save());
    1
}

/// The key P + t G of an x-only key P; zeros where t is not below n or the sum is infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_tweak_add(
    ctx: Ctx,
    output: Out<PubkeyBytes>,
    pubkey: In<PubkeyBytes>,
    tweak: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !output.is_null(), c"output_pubkey != NULL");
    output.write(NO_PUBKEY);
    check!(ctx, !pubkey.is_null(), c"internal_pubkey != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let point = Coordinates::load(ctx, &pubkey.read());
    finish(output, point.and_then(|point| tweak_add(&point, &tweak.read())))
}

/// Whether P + t G has this x and this parity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_xonly_pubkey_tweak_add_check(
    ctx: Ctx,
    x: In<[u8; 32]>,
    parity: c_int,
    pubkey: In<PubkeyBytes>,
    tweak: In<[u8; 32]>,
) -> c_int {
    check!(ctx, !pubkey.is_null(), c"internal_pubkey != NULL");
    check!(ctx, !x.is_null(), c"tweaked_pubkey32 != NULL");
    check!(ctx, !tweak.is_null(), c"tweak32 != NULL");
    let point = Coordinates::load(ctx, &pubkey.read());
    let Some(sum) = point.and_then(|point| tweak_add(&point, &tweak.read())) else { return 0 };
    (big_endian(sum.x) == x.read() && c_int::from(sum.y_is_odd()) == parity).into()
}
