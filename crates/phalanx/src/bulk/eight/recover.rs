//! Recovery of public keys.

use super::{keys::Points, place};
use crate::{
    Error, PublicKey,
    ecdsa::{self, Recovery},
    keys::RowKey,
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
    let groups = rows.len().div_ceil(LANES);
    let mut points = Points::new(rows.len());
    let mut fractions = vec![Fractions::ONE; groups];
    let mut recoveries: Vec<Option<Recovery>> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let recovery = ecdsa::prepare_recovery(row).and_then(|recovery| {
            let (x, odd) = recovery.nonce().ok_or(Error::InvalidSignature)?;
            points.set(i, &RowKey::Lift { x, odd });
            let (group, lane) = place(i);
            let [a, b] = recovery.numerators();
            fractions[group].set(lane, [&a, &b], &recovery.denominator());
            Ok(recovery)
        });
        out[i] = recovery.as_ref().map(|_| PublicKey::GENERATOR).map_err(|error| *error);
        recoveries.push(recovery.ok());
    }
    for (group, missing) in points.lift(machine).into_iter().enumerate() {
        for lane in (0..LANES).filter(|lane| missing.lane(*lane)) {
            if let Some(recovery) = recoveries.get_mut(LANES * group + lane)
                && recovery.take().is_some()
            {
                out[LANES * group + lane] = Err(Error::InvalidSignature);
            }
        }
    }

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
    for (i, recovery) in recoveries.iter().enumerate() {
        let (group, lane) = place(i);
        if recovery.is_none() {
            continue;
        }
        let [x, y] = &affine[group];
        out[i] = if infinite[group].lane(lane) {
            Err(Error::InvalidSignature)
        } else {
            Ok(PublicKey::from_canonical(x.get(lane), y.get(lane)))
        };
    }
}
