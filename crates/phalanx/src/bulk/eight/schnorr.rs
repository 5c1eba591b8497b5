//! BIP-340 verification.

use super::{Size, in_room, keys::KeyPoints, multiples::KeyMultiples, place};
use crate::{
    Error, Scalar, Verdict,
    hash::BuiltIn,
    keys::{ReadRow, RowKey},
    lanes::{JacobianX8, Machine, U256x8, scratch_of_to_affine, to_affine},
    mul::Digits,
    schnorr,
};
use phalanx_engine::{
    arena::lines_for,
    word::{CacheLine, LANES, Mask, Mask8},
};

/// A row as far as it can be read.
type ReadSchnorr = Result<ReadRow<(), schnorr::Signature>, Error>;

/// What [`verify`] of a given number of rows takes.
pub(super) fn size(rows: usize, multiples: KeyMultiples<'_>) -> Size {
    let groups = rows.div_ceil(LANES);
    let lists = KeyPoints::lines(multiples.read(rows))
        + lines_for::<ReadSchnorr>(rows)
        + lines_for::<Digits>(groups)
        + lines_for::<U256x8>(groups)
        + lines_for::<Mask8>(groups)
        + lines_for::<JacobianX8>(groups)
        + lines_for::<[U256x8; 2]>(groups);
    Size { lists, scratch: multiples.scratch(groups).either(scratch_of_to_affine(groups)) }
}

/// [`schnorr::verify_row`] on each row, by the multiples of its key.
pub(super) fn verify<M: Machine>(
    machine: M,
    rows: &[schnorr::Row<'_>],
    multiples: KeyMultiples<'_>,
    out: &mut [Verdict],
    memory: &mut [CacheLine],
) {
    let groups = rows.len().div_ceil(LANES);
    assert_eq!(rows.len(), out.len(), "a verdict for each row");
    in_room(memory, size(rows.len(), multiples), |lists, scratch| {
        let mut points = KeyPoints::new(multiples.read(rows.len()), lists);
        let mut read = lists.list::<ReadSchnorr>(rows.len());
        let mut digits = lists.filled(groups, Digits::ZERO);
        let mut x = lists.filled(groups, U256x8::ZERO);
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
                (a, b) = (-schnorr::challenge(BuiltIn, &signature.r_bytes(), &key_x, row.message), signature.s());
                x[group].set(lane, signature.r_words());
            }
            digits[group].set_for(multiples.windows(), lane, &a, &b);
            read.push(result);
        }
        points.lift(machine);
        // A key with a table is known to be a point.
        let point = |i| if multiples.are_read() { points.check(i) } else { Ok(()) };

        let mut sums = lists.filled(groups, JacobianX8::ZERO);
        let mut infinite = lists.filled(groups, Mask8::NONE);
        multiples.double_muls(machine, &points.groups, &digits, &mut sums, &mut infinite, scratch);
        let mut affine = lists.filled(groups, [U256x8::ZERO; 2]);
        to_affine(machine, &sums, &mut affine, scratch);
        for (i, (row, out)) in read.iter().zip(out).enumerate() {
            let (group, lane) = place(i);
            let [found, y] = &affine[group];
            let same = found.get(lane) == x[group].get(lane) && y.get(lane)[0] & 1 == 0;
            let holds = same && !infinite[group].lane(lane);
            let checked = row.and_then(|row| row.finish(|()| point(i)));
            *out = checked.and_then(|_| Error::check_equation(holds)).into();
        }
    });
}
