//! The public keys of a chunk's rows.

use super::{Size, in_room, place};
use crate::{
    Error, PublicKey,
    keys::RowKey,
    lanes::{self, AffineLanes, Lift, Machine, ScratchSize, U256x8},
};
use phalanx_engine::{
    arena::{List, Lists, lines_for},
    word::{CacheLine, LANES, Mask, Mask8},
};

/// The points of a chunk of rows, the generator where a row has none.
pub(super) struct KeyPoints<'a> {
    pub(super) groups: List<'a, AffineLanes>,
    lifts: List<'a, Lift>,
    missing: List<'a, Mask8>,
}

impl<'a> KeyPoints<'a> {
    /// The cache lines that the points of a given number of rows take.
    pub(super) fn lines(rows: usize) -> usize {
        let groups = rows.div_ceil(LANES);
        lines_for::<AffineLanes>(groups) + lines_for::<Lift>(groups) + lines_for::<Mask8>(groups)
    }

    pub(super) fn new(rows: usize, lists: &mut Lists<'a, '_>) -> Self {
        let groups = rows.div_ceil(LANES);
        KeyPoints {
            groups: lists.filled(groups, AffineLanes::generator()),
            lifts: lists.filled(groups, Lift { x: U256x8::ZERO, odd: Mask8::NONE, keep: Mask8::ALL }),
            missing: lists.filled(groups, Mask8::NONE),
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
    pub(super) fn lift<M: Machine>(&mut self, machine: M) {
        lanes::lift(machine, &self.lifts, &mut self.groups, &mut self.missing);
    }

    /// Fails for a row whose x has no point, once the points have been lifted.
    pub(super) fn check(&self, row: usize) -> Result<(), Error> {
        let (group, lane) = place(row);
        if self.missing[group].lane(lane) { Err(Error::BadPublicKey) } else { Ok(()) }
    }
}

/// What [`lift`] and [`decompress`] of a given number of rows take.
pub(super) fn size(rows: usize) -> Size {
    Size { lists: KeyPoints::lines(rows) + lines_for::<Result<(), Error>>(rows), scratch: ScratchSize::NONE }
}

/// [`PublicKey::lift`] of each x, below p, and parity.
pub(super) fn lift<M: Machine>(
    machine: M,
    x: &[([u64; 4], bool)],
    out: &mut [Option<PublicKey>],
    memory: &mut [CacheLine],
) {
    assert_eq!(x.len(), out.len(), "an answer for each x");
    in_room(memory, size(x.len()), |lists, _| {
        let mut points = KeyPoints::new(x.len(), lists);
        for (row, (x, odd)) in x.iter().enumerate() {
            points.set(row, &RowKey::Lift { x: *x, odd: *odd });
        }
        points.lift(machine);
        for (row, out) in out.iter_mut().enumerate() {
            *out = points.check(row).ok().map(|()| points.get(row));
        }
    });
}

/// [`PublicKey::from_bytes`] of each encoding.
pub(super) fn decompress<M: Machine>(
    machine: M,
    encoded: &[&[u8]],
    out: &mut [Result<PublicKey, Error>],
    memory: &mut [CacheLine],
) {
    assert_eq!(encoded.len(), out.len(), "an answer for each key");
    in_room(memory, size(encoded.len()), |lists, _| {
        let mut points = KeyPoints::new(encoded.len(), lists);
        let read = lists.collect(
            encoded
                .iter()
                .enumerate()
                .map(|(row, bytes)| RowKey::read_bytes(bytes, false).map(|key| points.set(row, &key))),
        );
        points.lift(machine);
        for (row, (read, out)) in read.iter().zip(out).enumerate() {
            *out = read.and_then(|()| points.check(row)).map(|()| points.get(row));
        }
    });
}
