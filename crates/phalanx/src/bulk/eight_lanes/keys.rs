//! The public keys of a chunk's rows.

use super::place;
use crate::{
    Error, PublicKey,
    keys::RowKey,
    lanes::{self, AffineLanes, Lift, Machine, U256x8},
};
use phalanx_engine::{
    arena::{Arena, List},
    word::{LANES, Mask, Mask8},
};

/// The points of a chunk of rows, the generator where a row has none.
pub(in crate::bulk) struct KeyPoints<'a> {
    pub(in crate::bulk) groups: List<'a, AffineLanes>,
    pub(super) lifts: List<'a, Lift>,
    pub(super) missing: List<'a, Mask8>,
}

impl<'a> KeyPoints<'a> {
    pub(in crate::bulk) fn new(rows: usize, arena: &mut Arena<'a, '_>) -> Self {
        let groups = rows.div_ceil(LANES);
        KeyPoints {
            groups: arena.filled(groups, AffineLanes::generator()),
            lifts: arena.filled(groups, Lift { x: U256x8::ZERO, odd: Mask8::NONE, keep: Mask8::ALL }),
            missing: arena.filled(groups, Mask8::NONE),
        }
    }

    pub(in crate::bulk) fn set(&mut self, row: usize, key: &RowKey) {
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

    /// Whether no key has to be lifted.
    pub(in crate::bulk) fn are_points(&self) -> bool {
        self.lifts.iter().all(|key| key.keep == Mask8::ALL)
    }

    /// The key of a row, before it is lifted.
    pub(super) fn key(&self, row: usize) -> RowKey {
        let (group, lane) = place(row);
        let Lift { x, odd, keep } = &self.lifts[group];
        if keep.lane(lane) {
            return RowKey::Point(self.get(row));
        }
        RowKey::Lift { x: x.get(lane), odd: odd.lane(lane) }
    }

    /// The point of a row.
    pub(in crate::bulk) fn get(&self, row: usize) -> PublicKey {
        let (group, lane) = place(row);
        PublicKey::from_affine(self.groups[group].get(lane))
    }

    /// Computes what is not known.
    pub(in crate::bulk) fn lift<M: Machine>(&mut self, machine: M) {
        lanes::lift(machine, &self.lifts, &mut self.groups, &mut self.missing);
    }

    /// Fails for a row whose x has no point, once the points have been lifted.
    pub(in crate::bulk) fn check(&self, row: usize) -> Result<(), Error> {
        let (group, lane) = place(row);
        if self.missing[group].lane(lane) { Err(Error::BadPublicKey) } else { Ok(()) }
    }
}
