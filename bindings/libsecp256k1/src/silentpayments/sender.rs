//! Outputs for recipients. Constant time in secret keys, but for whether they are valid.
#![allow(unsafe_code)]

use super::{
    hashes::{GROUP_LIMIT, SharedSecret, input_hash, output},
    structures::{Texts, is_list},
};
use crate::{
    context::{Ctx, check},
    declassify::declassify,
    keypair::Pair,
    opaque::{Coordinates, KeypairBytes, PubkeyBytes},
    order::{heap_sort, order_of_keys},
    secret::{Secret, affine},
    wipe::{cleared, wipe},
    xonly::even,
};
use phalanx::Scalar;
use phalanx_ffi::{
    Plain,
    by_copy::{In, Out},
};
use std::ffi::c_int;

/// `secp256k1_silentpayments_recipient`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Recipient {
    scan: PubkeyBytes,
    spend: PubkeyBytes,
    /// The place of the recipient's output.
    index: usize,
}

// SAFETY: bytes and a number, without padding.
unsafe impl Plain for Recipient {}

const PAIRS: Texts = Texts { counted: c"n_keypairs == 0", empty: c"n_keypairs > 0", null: c"keypairs[i] != NULL" };
const KEYS: Texts = Texts { counted: c"n_seckeys == 0", empty: c"n_seckeys > 0", null: c"seckeys[i] != NULL" };

/// The secret keys of a transaction's inputs.
#[derive(Clone, Copy)]
struct InputKeys {
    /// Of taproot outputs.
    pairs: In<In<KeypairBytes>>,
    pair_count: usize,
    keys: In<In<[u8; 32]>>,
    key_count: usize,
}

/// An output for each recipient. Puts the recipients in the order of their scan keys.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_sender_create_outputs(
    ctx: Ctx,
    outputs: In<Out<PubkeyBytes>>,
    recipients: Out<In<Recipient>>,
    count: usize,
    outpoint: In<[u8; 36]>,
    pairs: In<In<KeypairBytes>>,
    pair_count: usize,
    keys: In<In<[u8; 32]>>,
    key_count: usize,
) -> c_int {
    check!(ctx, ctx.get().is_proper(), c"secp256k1_ecmult_gen_context_is_built(&ctx->ecmult_gen_ctx)");
    check!(ctx, !outputs.is_null(), c"generated_outputs != NULL");
    check!(ctx, !recipients.is_null(), c"recipients != NULL");
    check!(ctx, count > 0, c"n_recipients > 0");
    check!(ctx, !outpoint.is_null(), c"outpoint_smallest36 != NULL");
    check!(ctx, !keys.is_null() || !pairs.is_null(), c"(seckeys != NULL) || (keypairs != NULL)");
    if !is_list(ctx, pairs, pair_count, &PAIRS) || !is_list(ctx, keys, key_count, &KEYS) {
        return 0;
    }
    for i in 0..count {
        check!(ctx, !outputs.at(i).is_null(), c"generated_outputs[i] != NULL");
        check!(ctx, !recipients.at(i).is_null(), c"recipients[i] != NULL");
        check!(ctx, recipients.at(i).read().index == i, c"recipients[i]->index == i");
    }
    let inputs = InputKeys { pairs, pair_count, keys, key_count };
    cleared(|| {
        let Some(secret) = secret_of_inputs(ctx, &outpoint.read(), inputs) else { return 0 };
        heap_sort(recipients, count, &|a: In<Recipient>, b: In<Recipient>| {
            let (a, b) = (a.read(), b.read());
            match order_of_keys(ctx, [&a.scan, &b.scan]) {
                0 => a.index.cmp(&b.index) as c_int,
                order => order,
            }
        });
        pay(ctx, &secret, outputs, recipients, count)
    })
}

/// The sum of the secret keys times the hash of the inputs; none where there is none.
fn secret_of_inputs(ctx: Ctx, outpoint: &[u8; 36], inputs: InputKeys) -> Option<Secret> {
    let context = ctx.get();
    let mut sum = Secret(Scalar::ZERO);
    for i in 0..inputs.key_count {
        let mut bytes = inputs.keys.at(i).read();
        let (key, valid) = Secret::key(&bytes);
        wipe(&mut bytes);
        // Whether all keys are valid shows in the answer.
        if !bool::from(declassify(context, valid)) {
            return None;
        }
        sum.0 += key.0;
    }
    for i in 0..inputs.pair_count {
        let mut bytes = inputs.pairs.at(i).read();
        let pair = Pair::load(ctx, &bytes);
        wipe(&mut bytes);
        // A recipient takes the point with an even y for the key.
        sum.0 += pair?.negated_to_even().secret.0;
    }
    if declassify(context, sum.0.is_zero()).into() {
        return None;
    }
    let (x, y) = declassify(context, affine(&context.mul_generator(&sum.0)));
    sum.0 *= input_hash(context.compression(), outpoint, &Coordinates::of_elements(&x, &y))?;
    Some(sum)
}

/// Writes the outputs of recipients in order: for each scan key counted from 0.
fn pay(
    ctx: Ctx,
    secret: &Secret,
    outputs: In<Out<PubkeyBytes>>,
    recipients: Out<In<Recipient>>,
    count: usize,
) -> c_int {
    let context = ctx.get();
    let mut group: Option<(PubkeyBytes, SharedSecret, usize)> = None;
    for i in 0..count {
        let recipient = recipients.at(i).read();
        let current = group.take().filter(|(scan, ..)| order_of_keys(ctx, [scan, &recipient.scan]) == 0);
        let (_, shared, number) = match current {
            Some(current) => current,
            None => {
                if Coordinates::load(ctx, &recipient.scan).is_none() {
                    return 0;
                }
                let Some(shared) = SharedSecret::new(context, &recipient.scan, secret.0) else { return 0 };
                (recipient.scan, shared, 0)
            }
        };
        if number >= GROUP_LIMIT {
            return 0;
        }
        let Some(tweak) = shared.output_tweak(context, number) else { return 0 };
        let Some(spend) = Coordinates::load(ctx, &recipient.spend) else { return 0 };
        let Some(point) = output(&spend, &tweak) else { return 0 };
        outputs.at(recipient.index).write(even(&point).0.save());
        group = Some((recipient.scan, shared, number + 1));
    }
    1
}
