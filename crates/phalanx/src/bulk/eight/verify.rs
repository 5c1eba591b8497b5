//! ECDSA verification.

use super::{keys::Points, multiples::KeyMultiples, place};
use crate::{
    Error, LowS, Verdict,
    ecdsa::{self, SignedDigest},
    group::above_order,
    keys::{ReadRow, RowKey},
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
    assert_eq!(rows.len(), out.len(), "a verdict for each row");
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(if multiples.are_read() { rows.len() } else { 0 });
    let mut fractions = vec![Fractions::ONE; groups];
    let mut read = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let row = ecdsa::read_row(row, low_s, |key| {
            if multiples.are_read() {
                points.set(i, &RowKey::read(key)?);
            }
            Ok(())
        });
        if let Some(signed) = row.as_ref().ok().and_then(ReadRow::signed) {
            let (group, lane) = place(i);
            fractions[group].set(lane, [&signed.r(), &signed.z()], &signed.s());
        }
        read.push(row);
    }
    // A key with a table is known to be a point.
    let lifted = multiples.are_read().then(|| points.lift(machine));
    let point = |i| lifted.as_ref().map_or(Ok(()), |lifted| lifted.check(i));
    let checked: Vec<Result<SignedDigest<'_>, Error>> =
        read.into_iter().enumerate().map(|(i, row)| row?.finish(|()| point(i)).map(|((), signed)| signed)).collect();

    divide_fractions(machine, &mut fractions, scratch);
    let mut digits = vec![Digits::ZERO; groups];
    let mut x = vec![[U256x8::ZERO; 2]; groups];
    let mut second = vec![Mask8::NONE; groups];
    for (i, row) in checked.iter().enumerate() {
        let (group, lane) = place(i);
        if let Ok(signed) = row {
            let r = signed.r();
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
    for (group, (rows, out)) in checked.chunks(LANES).zip(out.chunks_mut(LANES)).enumerate() {
        let mut holds = same_x(machine, &sums[group], &x[group][0]);
        if second[group].any() {
            holds = holds.or(same_x(machine, &sums[group], &x[group][1]).and(second[group]));
        }
        holds = holds.and(infinite[group].not());
        for (lane, (row, out)) in rows.iter().zip(out).enumerate() {
            *out = row.and_then(|_| Error::check_equation(holds.lane(lane))).into();
        }
    }
}
