//! What a recipient makes of a transaction's inputs. All of it is public.
#![allow(unsafe_code)]

use super::{
    hashes::input_hash,
    structures::{Summary, SummaryBytes, Texts, is_list},
};
use crate::{
    context::{Ctx, check},
    opaque::{Coordinates, PubkeyBytes},
};
use phalanx::{
    Point,
    bindings::{add_key_vartime, key_of_vartime},
};
use phalanx_ffi::by_copy::{In, Out};
use std::ffi::c_int;

const XONLY: Texts =
    Texts { counted: c"n_xonly_pubkeys == 0", empty: c"n_xonly_pubkeys > 0", null: c"xonly_pubkeys[i] != NULL" };
const PLAIN: Texts = Texts { counted: c"n_pubkeys == 0", empty: c"n_pubkeys > 0", null: c"pubkeys[i] != NULL" };

/// The sum of the keys of inputs, and the hash of inputs; zeros where the sum is infinity.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_prevouts_summary_create(
    ctx: Ctx,
    summary: Out<SummaryBytes>,
    outpoint: In<[u8; 36]>,
    xonly_keys: In<In<PubkeyBytes>>,
    xonly_count: usize,
    keys: In<In<PubkeyBytes>>,
    count: usize,
) -> c_int {
    check!(ctx, !summary.is_null(), c"prevouts_summary != NULL");
    summary.write([0; 101]);
    check!(ctx, !outpoint.is_null(), c"outpoint_smallest36 != NULL");
    check!(ctx, !keys.is_null() || !xonly_keys.is_null(), c"(pubkeys != NULL) || (xonly_pubkeys != NULL)");
    if !is_list(ctx, xonly_keys, xonly_count, &XONLY) || !is_list(ctx, keys, count, &PLAIN) {
        return 0;
    }
    let (mut sum, mut are_points) = (Point::IDENTITY, true);
    for (list, count) in [(keys, count), (xonly_keys, xonly_count)] {
        for i in 0..count {
            let Some(key) = Coordinates::load(ctx, &list.at(i).read()) else { return 0 };
            match key.key() {
                Some(key) => sum = add_key_vartime(&sum, &key),
                None => are_points = false,
            }
        }
    }
    let (true, Some(sum)) = (are_points, key_of_vartime(&sum)) else { return 0 };
    let sum = Coordinates::of(&sum);
    let Some(factor) = input_hash(ctx.get().compression(), &outpoint.read(), &sum) else { return 0 };
    summary.write(Summary { keys: sum.save(), factor }.save());
    1
}
