//! Reading and writing of nonces and partial signatures. All of it is public.
#![allow(unsafe_code)]

use super::structures::{
    INFINITY, NonceBytes, PartialBytes, is_partial, load_aggregate_nonce, load_public_nonce, part,
    save_aggregate_nonce, save_partial, save_public_nonce,
};
use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::compressed,
};
use phalanx::{PublicKey, Scalar};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// The structure of a point in compressed form.
fn parse(bytes: [u8; 33]) -> Option<PubkeyBytes> {
    PublicKey::from_bytes(&bytes).ok().map(|key| Coordinates::of(&key).save())
}

/// Both halves, if both are read.
fn both(bytes: &[u8; 66], parse: impl Fn([u8; 33]) -> Option<PubkeyBytes>) -> Option<[PubkeyBytes; 2]> {
    Some([parse(part(bytes, 0))?, parse(part(bytes, 33))?])
}

fn serialize(points: [PubkeyBytes; 2], compressed: impl Fn(&PubkeyBytes) -> [u8; 33]) -> [u8; 66] {
    let [first, second] = points.each_ref().map(compressed);
    super::structures::joined(&[&first, &second])
}

/// Reads two points in compressed form.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubnonce_parse(ctx: Ctx, nonce: Out<NonceBytes>, input: In<[u8; 66]>) -> c_int {
    check!(ctx, !nonce.is_null(), c"nonce != NULL");
    check!(ctx, !input.is_null(), c"in66 != NULL");
    let Some(points) = both(&input.read(), parse) else { return 0 };
    nonce.write(save_public_nonce(&points));
    1
}

/// Writes two points in compressed form.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_pubnonce_serialize(ctx: Ctx, output: Out<[u8; 66]>, nonce: In<NonceBytes>) -> c_int {
    check!(ctx, !output.is_null(), c"out66 != NULL");
    output.write([0; 66]);
    check!(ctx, !nonce.is_null(), c"nonce != NULL");
    let Some(points) = load_public_nonce(ctx, &nonce.read()) else { return 0 };
    output.write(serialize(points, |point| compressed(&Coordinates::read(point))));
    1
}

/// Reads two points in compressed form; 33 zeros are infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_aggnonce_parse(ctx: Ctx, nonce: Out<NonceBytes>, input: In<[u8; 66]>) -> c_int {
    check!(ctx, !nonce.is_null(), c"nonce != NULL");
    check!(ctx, !input.is_null(), c"in66 != NULL");
    let parse_any = |bytes: [u8; 33]| if bytes == [0; 33] { Some(INFINITY) } else { parse(bytes) };
    let Some(points) = both(&input.read(), parse_any) else { return 0 };
    nonce.write(save_aggregate_nonce(&points));
    1
}

/// Writes two points in compressed form, 33 zeros for infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_aggnonce_serialize(ctx: Ctx, output: Out<[u8; 66]>, nonce: In<NonceBytes>) -> c_int {
    check!(ctx, !output.is_null(), c"out66 != NULL");
    output.write([0; 66]);
    check!(ctx, !nonce.is_null(), c"nonce != NULL");
    let Some(points) = load_aggregate_nonce(ctx, &nonce.read()) else { return 0 };
    output.write(serialize(points, |point| match *point == INFINITY {
        true => [0; 33],
        false => compressed(&Coordinates::read(point)),
    }));
    1
}

/// Reads a number below n; zeroes the structure first.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_partial_sig_parse(ctx: Ctx, partial: Out<PartialBytes>, input: In<[u8; 32]>) -> c_int {
    check!(ctx, !partial.is_null(), c"sig != NULL");
    check!(ctx, !input.is_null(), c"in32 != NULL");
    partial.write([0; 36]);
    let Ok(number) = Scalar::from_bytes(&input.read()) else { return 0 };
    partial.write(save_partial(&number));
    1
}

/// Writes the number, whatever the structure holds.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_musig_partial_sig_serialize(
    ctx: Ctx,
    output: Out<[u8; 32]>,
    partial: In<PartialBytes>,
) -> c_int {
    check!(ctx, !output.is_null(), c"out32 != NULL");
    check!(ctx, !partial.is_null(), c"sig != NULL");
    let bytes = partial.read();
    if !is_partial(ctx, &bytes) {
        return 0;
    }
    output.write(part(&bytes, 4));
    1
}
