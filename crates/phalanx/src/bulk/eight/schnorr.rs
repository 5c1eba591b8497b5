//! BIP-340 verification.

use super::{keys::Points, multiples::KeyMultiples, place};
use crate::{
    Error, Scalar, Verdict,
    keys::{ReadRow, RowKey},
    lanes::{JacobianX8, Machine, Scratch, U256x8, to_affine},
    mul::Digits,
    schnorr,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask};

/// [`schnorr::verify_row`] on each row, by the multiples of its key.
pub(super) fn verify<M: Machine>(
    machine: M,
    rows: &[schnorr::Row<'_>],
    multiples: KeyMultiples<'_>,
    out: &mut [Verdict],
    scratch: &mut Scratch,
) {
    assert_eq!(rows.len(), out.len(), "a verdict for each row");
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(if multiples.are_read() { rows.len() } else { 0 });
    let mut read = Vec::with_capacity(rows.len());
    let mut digits = vec![Digits::ZERO; groups];
    let mut x = vec![U256x8::ZERO; groups];
    for (i, row) in rows.iter().enumerate() {
        let (group, lane) = place(i);
        let mut key_x = [0; 32];
        let result = schnorr::read_row(row, |key| {
            let key = RowKey::read_x_only(key)?;
            if multiples.are_read() {
                points.set(i, &key);
            }
            key_x = key.x_bytes();
            Ok(())
        });
        let (mut a, mut b) = (Scalar::ONE, Scalar::ONE);
        if let Some(signature) = result.as_ref().ok().and_then(ReadRow::signed) {
            (a, b) = (-schnorr::challenge(&signature.r_bytes(), &key_x, row.message), signature.s());
            x[group].set(lane, signature.r_words());
        }
        digits[group].set_for(multiples.windows(), lane, &a, &b);
        read.push(result);
    }
    // A key with a table is known to be a point.
    let lifted = multiples.are_read().then(|| points.lift(machine));
    let point = |i| lifted.as_ref().map_or(Ok(()), |lifted| lifted.check(i));

    let mut sums = vec![JacobianX8::ZERO; groups];
    let infinite = multiples.double_muls(machine, &points.groups, &digits, &mut sums, scratch);
    let mut affine = vec![[U256x8::ZERO; 2]; groups];
    to_affine(machine, &sums, &mut affine, scratch);
    for (i, (row, out)) in read.into_iter().zip(out).enumerate() {
        let (group, lane) = place(i);
        let [found, y] = &affine[group];
        let same = found.get(lane) == x[group].get(lane) && y.get(lane)[0] & 1 == 0;
        let holds = same && !infinite[group].lane(lane);
        let checked = row.and_then(|row| row.finish(|()| point(i)));
        *out = checked.and_then(|_| Error::check_equation(holds)).into();
    }
}
