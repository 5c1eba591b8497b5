//! BIP-340 verification.

use super::{key_tables::KeyMultiples, keys::Points, place};
use crate::{
    Scalar, Verdict,
    keys::RowKey,
    lanes::{JacobianX8, Machine, Scratch, U256x8, to_affine},
    mul::Digits,
    schnorr,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// [`schnorr::verify_row`] on each row, by the multiples of its key.
pub(super) fn verify<M: Machine>(
    machine: M,
    rows: &[schnorr::Row<'_>],
    multiples: KeyMultiples<'_>,
    out: &mut [Verdict],
    scratch: &mut Scratch,
) {
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(if multiples.are_read() { rows.len() } else { 0 });
    let mut signatures: Vec<Option<schnorr::Signature>> = vec![None; rows.len()];
    let mut keyed = vec![Mask8::NONE; groups];
    let mut digits = vec![Digits::ZERO; groups];
    let mut x = vec![U256x8::ZERO; groups];
    for (i, row) in rows.iter().enumerate() {
        let (group, lane) = place(i);
        let (mut a, mut b) = (Scalar::ONE, Scalar::ONE);
        let parsed = RowKey::read_x_only(&row.public_key).and_then(|key| {
            if multiples.are_read() {
                points.set(i, &key);
                keyed[group].0 |= 1 << lane;
            }
            let signature = schnorr::Signature::from_bytes(row.signature)?;
            let key = key.x_bytes();
            (a, b) = (-schnorr::challenge(&signature.r_bytes(), &key, row.message), signature.s());
            x[group].set(lane, signature.r_words());
            Ok(signature)
        });
        digits[group].set_for(multiples.windows(), lane, &a, &b);
        signatures[i] = parsed.ok();
        out[i] = parsed.map(|_| ()).into();
    }
    for (group, missing) in points.lift(machine).into_iter().enumerate() {
        let missing = missing.and(keyed[group]);
        for lane in (0..LANES).filter(|lane| missing.lane(*lane)) {
            out[LANES * group + lane] = Verdict::BadPublicKey;
            signatures[LANES * group + lane] = None;
        }
    }

    let mut sums = vec![JacobianX8::ZERO; groups];
    let infinite = multiples.double_muls(machine, &points.groups, &digits, &mut sums, scratch);
    let mut affine = vec![[U256x8::ZERO; 2]; groups];
    to_affine(machine, &sums, &mut affine, scratch);
    for (i, signature) in signatures.iter().enumerate() {
        let (group, lane) = place(i);
        let [found, y] = &affine[group];
        let same = found.get(lane) == x[group].get(lane) && y.get(lane)[0] & 1 == 0;
        if signature.is_some() && (infinite[group].lane(lane) || !same) {
            out[i] = Verdict::InvalidSignature;
        }
    }
}
