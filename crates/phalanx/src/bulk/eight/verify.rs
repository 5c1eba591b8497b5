//! ECDSA verification.

use super::{key_tables::KeyMultiples, keys::Points, place};
use crate::{
    Error, LowS, Scalar, Verdict, ecdsa,
    group::above_order,
    keys::RowKey,
    lanes::{Fractions, JacobianX8, Machine, Scratch, U256x8, divide_fractions},
    mul::{Digits, same_x},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// [`ecdsa::verify_row`] on each row, by the multiples of its key.
pub(super) fn verify<M: Machine>(
    machine: M,
    rows: &[ecdsa::Row<'_>],
    multiples: KeyMultiples<'_>,
    low_s: LowS,
    out: &mut [Verdict],
    scratch: &mut Scratch,
) {
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(if multiples.are_read() { rows.len() } else { 0 });
    let mut fractions = vec![Fractions::ONE; groups];
    let mut signatures: Vec<Option<ecdsa::Signature>> = vec![None; rows.len()];
    let mut keyed = vec![Mask8::NONE; groups];
    for (i, row) in rows.iter().enumerate() {
        let (group, lane) = place(i);
        out[i] = (|| {
            let digest = row.digest.try_into().map_err(|_| Error::BadDigest)?;
            if multiples.are_read() {
                points.set(i, &RowKey::read(&row.public_key)?);
                keyed[group].0 |= 1 << lane;
            }
            let signature = row.signature.parse()?;
            if low_s == LowS::Require && signature.is_high_s() {
                return Err(Error::HighS);
            }
            let digest = Scalar::from_bytes_reduced(digest);
            fractions[group].set(lane, [&signature.r(), &digest], &signature.s());
            signatures[i] = Some(signature);
            Ok(())
        })()
        .into();
    }
    for (group, missing) in points.lift(machine).into_iter().enumerate() {
        let missing = missing.and(keyed[group]);
        for lane in (0..LANES).filter(|lane| missing.lane(*lane)) {
            out[LANES * group + lane] = Verdict::BadPublicKey;
            signatures[LANES * group + lane] = None;
        }
    }

    divide_fractions(machine, &mut fractions, scratch);
    let mut digits = vec![Digits::ZERO; groups];
    let mut x = vec![[U256x8::ZERO; 2]; groups];
    let mut second = vec![Mask8::NONE; groups];
    for (i, signature) in signatures.iter().enumerate() {
        let (group, lane) = place(i);
        if let Some(signature) = signature {
            let r = signature.r();
            x[group][0].set(lane, r.limbs());
            if let Some(above) = above_order(&r) {
                second[group].0 |= 1 << lane;
                x[group][1].set(lane, above);
            }
        }
        let [a, b] = fractions[group].get(lane);
        digits[group].set_for(multiples.windows(), lane, &a, &b);
    }

    let mut sums = vec![JacobianX8::ZERO; groups];
    let infinite = multiples.double_muls(machine, &points.groups, &digits, &mut sums, scratch);
    for (group, rows) in rows.chunks(LANES).enumerate() {
        let mut holds = same_x(machine, &sums[group], &x[group][0]);
        if second[group].any() {
            holds = holds.or(same_x(machine, &sums[group], &x[group][1]).and(second[group]));
        }
        holds = holds.and(infinite[group].not());
        for lane in 0..rows.len() {
            let i = LANES * group + lane;
            if signatures[i].is_some() && !holds.lane(lane) {
                out[i] = Verdict::InvalidSignature;
            }
        }
    }
}
