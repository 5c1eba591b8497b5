//! The outputs of a transaction that pay a recipient. Constant time in the scan key, but for whether it is valid and
//! what is found.
#![allow(unsafe_code)]

use super::{
    hashes::{GROUP_LIMIT, SharedSecret, output},
    structures::{LabelBytes, Summary, SummaryBytes, is_summary, save_label},
};
use crate::{
    callbacks::LabelLookup,
    context::{Ctx, check},
    declassify::declassify,
    opaque::{Coordinates, PubkeyBytes},
    seckey,
    secret::Secret,
    wipe::{cleared, wipe},
    xonly::even,
};
use phalanx::{Point, Scalar};
use phalanx_ffi::{
    Plain,
    by_copy::{In, Out},
};
use std::ffi::{c_int, c_void};

/// `secp256k1_silentpayments_found_output`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Found {
    output: PubkeyBytes,
    /// What is added to the spend key.
    tweak: [u8; 32],
    has_label: c_int,
    label: LabelBytes,
}

// SAFETY: bytes and a number, without padding.
unsafe impl Plain for Found {}

/// So many outputs are tried before their labels are looked up, as in the original.
const BATCH: usize = 8;

/// How labels are looked up.
#[derive(Clone, Copy)]
struct Labels {
    lookup: LabelLookup,
    data: *const c_void,
}

/// Finds the outputs that pay a recipient, and tells how to spend them.
#[unsafe(no_mangle)]
extern "C" fn secp256k1_silentpayments_recipient_scan_outputs(
    ctx: Ctx,
    found: In<Out<Found>>,
    found_count: Out<u32>,
    outputs: In<In<PubkeyBytes>>,
    count: usize,
    scan_key: In<[u8; 32]>,
    summary: In<SummaryBytes>,
    spend: In<PubkeyBytes>,
    lookup: Option<LabelLookup>,
    data: *const c_void,
) -> c_int {
    check!(ctx, !found.is_null(), c"found_outputs != NULL");
    check!(ctx, !found_count.is_null(), c"n_found_outputs != NULL");
    found_count.write(0);
    check!(ctx, !outputs.is_null(), c"tx_outputs != NULL");
    check!(ctx, count > 0, c"n_tx_outputs > 0");
    let (mut points, mut are_points) = (Vec::new(), true);
    for i in 0..count {
        check!(ctx, !found.at(i).is_null(), c"found_outputs[i] != NULL");
        check!(ctx, !outputs.at(i).is_null(), c"tx_outputs[i] != NULL");
        let Some(coordinates) = Coordinates::load(ctx, &outputs.at(i).read()) else { return 0 };
        let key = coordinates.key();
        are_points &= key.is_some();
        points.push((coordinates.x, key.map_or(Point::IDENTITY, Point::from)));
    }
    check!(ctx, !scan_key.is_null(), c"scan_key32 != NULL");
    check!(ctx, !summary.is_null(), c"prevouts_summary != NULL");
    let summary = summary.read();
    if !is_summary(ctx, &summary) {
        return 0;
    }
    check!(ctx, !spend.is_null(), c"unlabeled_spend_pubkey != NULL");
    check!(ctx, data.is_null() || lookup.is_some(), c"label_lookup != NULL");
    let labels = lookup.map(|lookup| Labels { lookup, data });
    cleared(|| {
        let mut bytes = scan_key.read();
        let (mut secret, valid) = Secret::key(&bytes);
        wipe(&mut bytes);
        // Whether the scan key is valid shows in the answer.
        if !bool::from(declassify(ctx.get(), valid)) {
            return 0;
        }
        let Summary { keys, factor } = Summary::read(&summary);
        secret.0 *= factor;
        let Some(spend) = Coordinates::load(ctx, &spend.read()) else { return 0 };
        if !are_points {
            return 0;
        }
        let Some(shared) = SharedSecret::new(ctx.get(), &keys, secret.0) else { return 0 };
        let mut number = 0;
        while number < count.min(GROUP_LIMIT) {
            let Some(tweak) = shared.output_tweak(ctx.get(), number) else { return 0 };
            let Some(unlabeled) = output(&spend, &tweak) else { return 0 };
            let Some((at, label)) = search(&unlabeled, &points, labels) else { break };
            found.at(number).write(Found::new(outputs.at(at).read(), &tweak, label));
            number += 1;
        }
        found_count.write(number as u32);
        1
    })
}

/// A label that was found: its point, and where its tweak is.
type Label = (PubkeyBytes, In<[u8; 32]>);

impl Found {
    fn new(output: PubkeyBytes, tweak: &Scalar, label: Option<Label>) -> Found {
        let Some((point, label_tweak)) = label else {
            return Found { output, tweak: tweak.to_bytes(), has_label: 0, label: [0; 68] };
        };
        let (sum, fits) = seckey::add(*tweak, label_tweak.read());
        // Without a tweak the spend key alone spends the output.
        let tweak = Secret(sum).or(Scalar::ZERO, fits).0.to_bytes();
        Found { output, tweak, has_label: 1, label: save_label(&point) }
    }
}

/// The first output that pays the key, or the key with a label.
fn search(
    unlabeled: &Coordinates,
    outputs: &[([u64; 4], Point)],
    labels: Option<Labels>,
) -> Option<(usize, Option<Label>)> {
    let x = even(unlabeled).0.x;
    let Some(labels) = labels else {
        return outputs.iter().position(|output| output.0 == x).map(|at| (at, None));
    };
    let negated = -Point::from(unlabeled.key()?);
    // Where the outputs stand whose labels are not looked up yet.
    let mut waiting = 0;
    for (at, output) in outputs.iter().enumerate() {
        let is_direct = output.0 == x;
        let end = if is_direct { at } else { at + 1 };
        if is_direct || end - waiting == BATCH || end == outputs.len() {
            let found = labels.search(&negated, &outputs[waiting..end]);
            if let Some((offset, label)) = found {
                return Some((waiting + offset, Some(label)));
            }
            waiting = end;
        }
        if is_direct {
            return Some((at, None));
        }
    }
    None
}

impl Labels {
    /// The first of the outputs that has a label. An output may have been negated, since only its x is published.
    fn search(&self, negated: &Point, outputs: &[([u64; 4], Point)]) -> Option<(usize, Label)> {
        let candidates: Vec<Point> =
            outputs.iter().flat_map(|(_, output)| [output + negated, negated - output]).collect();
        for (i, candidate) in Point::batch_to_affine(&candidates).into_iter().enumerate() {
            let (x, y) = candidate.unwrap_or_default();
            let point = Coordinates::of_elements(&x, &y);
            let encoded = crate::pubkey::compressed(&point);
            // SAFETY: the program's own function, called as the interface says.
            let tweak = unsafe { (self.lookup)(encoded.as_ptr(), self.data) };
            if !tweak.is_null() {
                return Some((i / 2, (point.save(), tweak)));
            }
        }
        None
    }
}
