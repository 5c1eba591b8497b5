//! Recovery of public keys.

use super::{keys::Points, place};
use crate::{
    Error, PublicKey, ecdsa,
    lanes::{Fractions, JacobianX8, Machine, Scratch, U256x8, divide_fractions, to_affine},
    mul::{Digits, DoubleMuls, double_mul_rows},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask};

/// [`ecdsa::recover_row`] on each row.
pub(super) fn recover<M: Machine>(
    machine: M,
    rows: &[ecdsa::RecoverRow<'_>],
    out: &mut [Result<PublicKey, Error>],
    scratch: &mut Scratch,
) {
    assert_eq!(rows.len(), out.len(), "an answer for each row");
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(rows.len());
    let mut fractions = vec![Fractions::ONE; groups];
    let mut read = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        read.push(ecdsa::read_recover_row(row).and_then(|recovery| {
            points.set(i, &recovery.nonce()?);
            let (group, lane) = place(i);
            let [a, b] = recovery.numerators();
            fractions[group].set(lane, [&a, &b], &recovery.denominator());
            Ok(())
        }));
    }
    let lifted = points.lift(machine);

    divide_fractions(machine, &mut fractions, scratch);
    let mut digits = vec![Digits::ZERO; groups];
    for i in 0..rows.len() {
        let (group, lane) = place(i);
        let [a, b] = fractions[group].get(lane);
        digits[group].set(lane, &a, &b);
    }

    let mut sums = vec![JacobianX8::ZERO; groups];
    let infinite =
        double_mul_rows(machine, DoubleMuls { points: &points.groups, digits: &digits, sums: &mut sums }, scratch);
    let mut affine = vec![[U256x8::ZERO; 2]; groups];
    to_affine(machine, &sums, &mut affine, scratch);
    for (i, (row, out)) in read.into_iter().zip(out).enumerate() {
        let (group, lane) = place(i);
        let [x, y] = &affine[group];
        // A nonce that is no point and a key at infinity are the same answer: there is no such key.
        let exists = lifted.check(i).is_ok() && !infinite[group].lane(lane);
        *out = row
            .and_then(|()| Error::check_equation(exists).map(|()| PublicKey::from_canonical(x.get(lane), y.get(lane))));
    }
}
