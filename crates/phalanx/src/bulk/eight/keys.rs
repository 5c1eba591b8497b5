//! The public keys of a chunk's rows.

use super::place;
use crate::{
    Error, PublicKey,
    keys::RowKey,
    lanes::{self, AffineLanes, Lift, Machine, U256x8},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// The points of a chunk of rows, the generator where a row has none.
pub(super) struct Points {
    pub(super) groups: Vec<AffineLanes>,
    lifts: Vec<Lift>,
}

impl Points {
    pub(super) fn new(rows: usize) -> Self {
        let groups = rows.div_ceil(LANES);
        Points {
            groups: vec![AffineLanes::generator(); groups],
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

    /// The point of a row.
    fn get(&self, row: usize) -> PublicKey {
        let (group, lane) = place(row);
        PublicKey::from_affine(self.groups[group].get(lane))
    }

    /// Computes what is not known.
    pub(super) fn lift<M: Machine>(&mut self, machine: M) -> Lifted {
        let mut missing = vec![Mask8::NONE; self.groups.len()];
        lanes::lift(machine, &self.lifts, &mut self.groups, &mut missing);
        Lifted(missing)
    }
}

/// For each group the rows whose x has no point.
pub(super) struct Lifted(Vec<Mask8>);

impl Lifted {
    /// Fails for a row whose x has no point.
    pub(super) fn check(&self, row: usize) -> Result<(), Error> {
        let (group, lane) = place(row);
        if self.0[group].lane(lane) { Err(Error::BadPublicKey) } else { Ok(()) }
    }
}

/// [`PublicKey::lift`] of each x, below p, and parity.
pub(super) fn lift<M: Machine>(machine: M, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
    assert_eq!(x.len(), out.len(), "an answer for each x");
    let mut points = Points::new(x.len());
    for (row, (x, odd)) in x.iter().enumerate() {
        points.set(row, &RowKey::Lift { x: *x, odd: *odd });
    }
    let lifted = points.lift(machine);
    for (row, out) in out.iter_mut().enumerate() {
        *out = lifted.check(row).ok().map(|()| points.get(row));
    }
}

/// [`PublicKey::from_bytes`] of each encoding.
pub(super) fn decompress<M: Machine>(machine: M, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]) {
    assert_eq!(encoded.len(), out.len(), "an answer for each key");
    let mut points = Points::new(encoded.len());
    let read: Vec<Result<(), Error>> = encoded
        .iter()
        .enumerate()
        .map(|(row, bytes)| RowKey::read_bytes(bytes, false).map(|key| points.set(row, &key)))
        .collect();
    let lifted = points.lift(machine);
    for (row, (read, out)) in read.into_iter().zip(out).enumerate() {
        *out = read.and_then(|()| lifted.check(row)).map(|()| points.get(row));
    }
}
