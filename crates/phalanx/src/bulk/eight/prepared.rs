//! Tables of keys, and sums with or without them.

use super::{
    Eight,
    keys::{Key, Points},
    schnorr as schnorr_rows, verify, with_scratch,
};
use crate::{
    FieldElement, LowS, Verdict,
    bulk::prepared::{Identity, Preparing},
    ecdsa,
    lanes::{
        self, AffineLines, Combination, Digits, JacobianLines, Machine, Prepared, Scratch, Table, Windows, combine,
        combine_prepared,
    },
    schnorr,
    tables::LookupWindow,
};
use alloc::vec::Vec;
use phalanx_engine::word::{LANES, Mask, Mask8};

impl<M: Machine> Preparing for Eight<M> {
    fn prepare(&self, keys: &[Identity], out: &mut [Option<Table>]) {
        with_scratch(|scratch| prepare(self.0, keys, out, scratch));
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], tables: &[&[LookupWindow]], low_s: LowS, out: &mut [Verdict]) {
        with_scratch(|scratch| verify::verify(self.0, rows, Multiples::Tables(tables), low_s, out, scratch));
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], tables: &[&[LookupWindow]], out: &mut [Verdict]) {
        with_scratch(|scratch| schnorr_rows::verify(self.0, rows, Multiples::Tables(tables), out, scratch));
    }
}

/// The table of each key that is a point.
fn prepare<M: Machine>(machine: M, keys: &[Identity], out: &mut [Option<Table>], scratch: &mut Scratch) {
    let mut points = Points::new(keys.len());
    let below: Vec<bool> = keys.iter().map(|key| FieldElement::from_limbs(key.x).is_some()).collect();
    for (i, key) in keys.iter().enumerate().filter(|(i, _)| below[*i]) {
        points.set(i, &Key::Lift(key.x, key.odd));
    }
    let missing = points.lift(machine);
    let groups = points.groups.iter().zip(missing).zip(below.chunks(LANES).zip(out.chunks_mut(LANES)));
    for ((point, missing), (below, out)) in groups {
        let tables = lanes::prepare(machine, point, scratch);
        for (lane, ((below, out), table)) in below.iter().zip(out).zip(tables).enumerate() {
            *out = (*below && !missing.lane(lane)).then_some(table);
        }
    }
}

/// Where the multiples of rows' keys come from.
#[derive(Clone, Copy)]
pub(super) enum Multiples<'a> {
    /// Each row's key, to be read.
    Keys,
    /// A table for each eight rows, of their key, which is known to be one.
    Tables(&'a [&'a [LookupWindow]]),
}

impl Multiples<'_> {
    /// The windows that scalars are cut into.
    pub(super) fn windows(self) -> Windows {
        match self {
            Multiples::Keys => Windows::Ordinary,
            Multiples::Tables(_) => Windows::Prepared,
        }
    }

    /// Whether rows' keys have to be read.
    pub(super) fn are_read(self) -> bool {
        matches!(self, Multiples::Keys)
    }

    /// The sums a P + b G, and for each group the lanes whose sum is infinity. The points are those of the rows
    /// whose keys were read.
    pub(super) fn combine<M: Machine>(
        self,
        machine: M,
        points: &[AffineLines],
        digits: &[Digits],
        sums: &mut [JacobianLines],
        scratch: &mut Scratch,
    ) -> Vec<Mask8> {
        match self {
            Multiples::Keys => combine(machine, Combination { points, digits, sums }, scratch),
            Multiples::Tables(tables) => combine_prepared(machine, Prepared { tables, digits, sums }, scratch),
        }
    }
}
