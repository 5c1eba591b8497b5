//! Labels, by which a recipient tells payments apart, and keys with labels.
#![allow(unsafe_code)]

use super::structures::{LabelBytes, load_label, save_label};
use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
    pubkey::{NO_PUBKEY, compressed, finish, of_secret},
    secret::{Secret, answer, or_zeros},
    wipe::{cleared, wipe},
};
use phalanx::{PublicKey, bindings::payments::label_hash};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

/// Reads a label in compressed form; zeroes the structure first.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_label_parse(
    ctx: Ctx,
    label: Out<LabelBytes>,
    input: In<[u8; 33]>,
) -> c_int {
    check!(ctx, !label.is_null(), c"label != NULL");
    label.write([0; 68]);
    check!(ctx, !input.is_null(), c"in33 != NULL");
    let Ok(key) = PublicKey::from_bytes(&input.read()) else { return 0 };
    label.write(save_label(&Coordinates::of(&key).save()));
    1
}

/// Writes a label in compressed form.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_label_serialize(
    ctx: Ctx,
    output: Out<[u8; 33]>,
    label: In<LabelBytes>,
) -> c_int {
    check!(ctx, !output.is_null(), c"out33 != NULL");
    output.write([0; 33]);
    check!(ctx, !label.is_null(), c"label != NULL");
    let Some(point) = load_label(ctx, &label.read()) else { return 0 };
    output.write(compressed(&point));
    1
}

/// The label of a number and its tweak; zeros where the scan key is invalid. Constant time in the scan key and in
/// whether it is valid.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_label_create(
    ctx: Ctx,
    label: Out<LabelBytes>,
    tweak: Out<[u8; 32]>,
    scan_key: In<[u8; 32]>,
    number: u32,
) -> c_int {
    check!(ctx, !label.is_null(), c"label != NULL");
    label.write([0; 68]);
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !tweak.is_null(), c"label_tweak32 != NULL");
    check!(ctx, !scan_key.is_null(), c"scan_key32 != NULL");
    cleared(|| {
        let mut bytes = scan_key.read();
        let (_, is_key) = Secret::key(&bytes);
        let mut hash = label_hash(ctx.get().compression(), &bytes, number);
        wipe(&mut bytes);
        tweak.write(hash);
        let (_, public, is_tweak) = of_secret(ctx, &hash);
        let valid = is_key & is_tweak;
        label.write(or_zeros(save_label(&public), valid));
        // What stands there now, since the two may overlap.
        hash = or_zeros(tweak.read(), valid);
        tweak.write(hash);
        wipe(&mut hash);
        answer(valid)
    })
}

/// The sum of a spend key and a label; zeros where it is infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_create_labeled_spend_pubkey(
    ctx: Ctx,
    labeled: Out<PubkeyBytes>,
    unlabeled: In<PubkeyBytes>,
    label: In<LabelBytes>,
) -> c_int {
    check!(ctx, !labeled.is_null(), c"labeled_spend_pubkey != NULL");
    labeled.write(NO_PUBKEY);
    check!(ctx, !unlabeled.is_null(), c"unlabeled_spend_pubkey != NULL");
    check!(ctx, !label.is_null(), c"label != NULL");
    let (key, label) = (Coordinates::load(ctx, &unlabeled.read()), load_label(ctx, &label.read()));
    let (Some(key), Some(label)) = (key, label) else { return 0 };
    let (Some(key), Some(label)) = (key.key(), label.key()) else { return 0 };
    finish(labeled, key.combine(&label).ok().map(|key| Coordinates::of(&key)))
}
