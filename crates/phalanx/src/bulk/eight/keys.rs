//! The public keys of a chunk's rows.

use super::place;
use crate::{
    Error, PublicKey,
    keys::RowKey,
    lanes::{self, AffineX8, Lift, Machine, U256x8},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// The points of a chunk of rows, the generator where a row has none.
pub(super) struct Points {
    pub(super) groups: Vec<AffineX8>,
    lifts: Vec<Lift>,
}

impl Points {
    pub(super) fn new(rows: usize) -> Self {
        let groups = rows.div_ceil(LANES);
        Points {
            groups: vec![AffineX8::generator(); groups],
            lifts: vec![Lift { x: U256x8::ZERO, odd: Mask8::NONE, keep: Mask8::ALL }; groups],
        }
    }

    pub(super) fn set(&mut self, row: usize, key: &RowKey) {
        let (group, lane) = place(row);
        match key {
            RowKey::Point(key) => self.groups[group].set(lane, &key.affine()),
            RowKey::Lift { x, odd } => {
                self.lifts[group].x.set(lane, *x);
                self.lifts[group].odd.0 |= u8::from(*odd) << lane;
                self.lifts[group].keep.0 &= !(1 << lane);
            }
        }
    }

    /// Computes what is not known. The rows that have no point come back, a mask for each group.
    pub(super) fn lift<M: Machine>(&mut self, machine: M) -> Vec<Mask8> {
        let mut missing = vec![Mask8::NONE; self.groups.len()];
        lanes::lift(machine, &self.lifts, &mut self.groups, &mut missing);
        missing
    }
}

/// [`PublicKey::lift`] of each x, below p, and parity.
pub(super) fn lift<M: Machine>(machine: M, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
    let mut points = Points::new(x.len());
    for (row, (x, odd)) in x.iter().enumerate() {
        points.set(row, &RowKey::Lift { x: *x, odd: *odd });
    }
    let missing = points.lift(machine);
    for (row, out) in out.iter_mut().enumerate() {
        let (group, lane) = place(row);
        let point = || PublicKey::from_affine(points.groups[group].get(lane));
        *out = (!missing[group].lane(lane)).then(point);
    }
}

/// [`PublicKey::from_bytes`] of each encoding.
pub(super) fn decompress<M: Machine>(machine: M, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]) {
    let mut points = Points::new(encoded.len());
    for (row, (bytes, out)) in encoded.iter().zip(out.iter_mut()).enumerate() {
        *out = match RowKey::read_bytes(bytes, false) {
            Ok(key) => {
                points.set(row, &key);
                // Stands until the point is known.
                Ok(PublicKey::GENERATOR)
            }
            Err(error) => Err(error),
        };
    }
    let missing = points.lift(machine);
    for (row, out) in out.iter_mut().enumerate() {
        let (group, lane) = place(row);
        if out.is_ok() {
            let point = || PublicKey::from_affine(points.groups[group].get(lane));
            *out = if missing[group].lane(lane) { Err(Error::BadPublicKey) } else { Ok(point()) };
        }
    }
}
