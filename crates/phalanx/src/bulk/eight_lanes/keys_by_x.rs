//! Sums under the keys of a chunk's rows, of which x alone may be known: without square roots, except for rows that
//! the equation leaves open.

use super::{KeyPoints, place};
use crate::bulk::memory::{Lines, with_arena};
use crate::{
    Error, Verdict,
    keys::ReadRow,
    lanes::{
        AffineLanes, JacobianX8, Machine, U256x8, images,
        memory::{AffineX8, FeX8Mem},
    },
    mul::{
        Digits, DoubleMulTerms, DoubleMuls, EquationsByX, KeyTableSums, double_mul_rows, double_mul_terms,
        double_mul_with_tables, leave_images, prove_rows_by_x, sum_terms,
    },
    tables::LookupWindow,
};
use phalanx_engine::{
    arena::{Arena, List},
    word::{LANES, Mask, Mask8},
};

/// What the sums of a chunk have to be: an x below p for each, and an even y where that is asked.
pub(in crate::bulk) struct WantedX<'a> {
    pub(in crate::bulk) x: &'a [U256x8],
    pub(in crate::bulk) even: bool,
}

/// The keys of a chunk of rows, and the terms of the sums a P + b G.
pub(in crate::bulk) struct KeysByX<'a> {
    keys: KeyPoints<'a>,
    products: List<'a, JacobianX8>,
    partial: List<'a, [AffineX8; 2]>,
    /// The lanes in which a P is arbitrary, since a denominator was zero.
    void: List<'a, Mask8>,
    holds: List<'a, Mask8>,
}

/// Sums a P + b G of rows: that of row `rows[i]` is in place `i`.
pub(in crate::bulk) struct RowSums<'a> {
    pub(in crate::bulk) rows: List<'a, usize>,
    /// The lanes whose key is no point.
    missing: List<'a, Mask8>,
    pub(in crate::bulk) sums: List<'a, JacobianX8>,
    /// The lanes whose sum is infinity.
    pub(in crate::bulk) infinite: List<'a, Mask8>,
}

impl<'a> RowSums<'a> {
    /// Room for the sums of these rows.
    fn of(rows: List<'a, usize>, arena: &mut Arena<'a, '_>) -> Self {
        let groups = rows.len().div_ceil(LANES);
        let [missing, infinite] = [(); 2].map(|()| arena.filled(groups, Mask8::NONE));
        RowSums { rows, missing, sums: arena.filled(groups, JacobianX8::ZERO), infinite }
    }

    /// The sums of all rows of a chunk, by the tables of their keys.
    pub(in crate::bulk) fn by_tables<M: Machine>(
        machine: M,
        rows: usize,
        tables: &[&[LookupWindow]],
        digits: &[Digits],
        arena: &mut Arena<'a, '_>,
    ) -> Self {
        let rows = arena.collect(0..rows);
        let mut of = Self::of(rows, arena);
        let work = KeyTableSums { tables, digits, sums: &mut of.sums, infinite: &mut of.infinite };
        double_mul_with_tables(machine, work, arena.spare());
        of
    }

    /// The sums of all rows of a chunk, whose keys are points.
    pub(in crate::bulk) fn under_points<M: Machine>(
        machine: M,
        rows: usize,
        keys: &KeyPoints<'a>,
        digits: &[Digits],
        arena: &mut Arena<'a, '_>,
    ) -> Self {
        let rows = arena.collect(0..rows);
        let mut of = Self::of(rows, arena);
        let (sums, infinite) = (&mut of.sums, &mut of.infinite);
        double_mul_rows(machine, DoubleMuls { points: &keys.groups, digits, sums, infinite }, arena.spare());
        of
    }

    /// Computes the sums from the points of the keys and the digits of all rows.
    fn compute<M: Machine>(
        &mut self,
        machine: M,
        points: &[AffineLanes],
        digits: &[Digits],
        arena: &mut Arena<'a, '_>,
    ) {
        let RowSums { rows, sums, infinite, .. } = self;
        let mut own = arena.filled(sums.len(), Digits::ZERO);
        for (i, row) in rows.iter().enumerate() {
            let ((group, lane), (from_group, from)) = (place(i), place(*row));
            own[group].take_lane(lane, &digits[from_group], from);
        }
        double_mul_rows(machine, DoubleMuls { points, digits: &own, sums, infinite }, arena.spare());
    }

    /// Fails unless the key of the row in place `i` is a point.
    pub(in crate::bulk) fn check_key(&self, i: usize) -> Result<(), Error> {
        let (group, lane) = place(i);
        if self.missing[group].lane(lane) { Err(Error::BadPublicKey) } else { Ok(()) }
    }
}

impl<'a> KeysByX<'a> {
    /// Proves what it can of the equations.
    pub(in crate::bulk) fn new<M: Machine>(
        machine: M,
        mut keys: KeyPoints<'a>,
        digits: &[Digits],
        WantedX { x, even }: WantedX<'_>,
        arena: &mut Arena<'a, '_>,
    ) -> Self {
        let groups = digits.len();
        let mut products = arena.filled(groups, JacobianX8::ZERO);
        let mut partial = arena.filled(groups, [AffineX8::ZERO; 2]);
        let [mut void, mut holds] = [(); 2].map(|()| arena.filled(groups, Mask8::NONE));
        with_arena(arena.spare(), |arena| {
            let mut d = arena.filled(groups, FeX8Mem::ZERO);
            images(machine, &keys.lifts, &mut keys.groups, &mut d);
            let terms = DoubleMulTerms { points: &keys.groups, digits, products: &mut products, partial: &mut partial };
            double_mul_terms(machine, terms, &mut void, arena.spare());
            let mut sound = arena.collect(void.iter().map(|void| void.not()));
            let equations = EquationsByX {
                keys: &keys.lifts,
                d: &d,
                products: &products,
                partial: &partial,
                x,
                even,
                sound: &mut sound,
                holds: &mut holds,
            };
            prove_rows_by_x(machine, equations, arena.spare());
        });
        KeysByX { keys, products, partial, void, holds }
    }

    /// Writes the verdicts of rows that are refused already, and of those whose equation is proved. Returns the others.
    pub(in crate::bulk) fn open_rows<K: Copy, S: Copy>(
        &self,
        read: &[Result<ReadRow<K, S>, Error>],
        out: &mut [Verdict],
        arena: &mut Arena<'a, '_>,
    ) -> List<'a, usize> {
        let mut open = arena.list(read.len());
        for (i, (row, out)) in read.iter().zip(out).enumerate() {
            let (group, lane) = place(i);
            match row {
                Err(error) => *out = (*error).into(),
                Ok(row) if row.signed().is_some() && self.holds[group].lane(lane) => *out = Verdict::Valid,
                Ok(_) => open.push(i),
            }
        }
        open
    }

    /// Calls `decide` with the sums of rows, and whether their keys are points: once, and again for rows of void lanes.
    pub(in crate::bulk) fn settle<M: Machine>(
        &self,
        machine: M,
        rows: &[usize],
        digits: &[Digits],
        memory: &mut Lines,
        mut decide: impl FnMut(&RowSums<'_>, &mut Lines),
    ) {
        let is_void = |row: usize| {
            let (group, lane) = place(row);
            self.void[group].lane(lane)
        };
        for void in [false, true] {
            with_arena(memory, |arena| {
                let mut part = arena.list(rows.len());
                rows.iter().filter(|row| is_void(**row) == void).for_each(|row| part.push(*row));
                if part.is_empty() {
                    return;
                }
                let mut points = KeyPoints::new(part.len(), arena);
                part.iter().enumerate().for_each(|(i, row)| points.set(i, &self.keys.key(*row)));
                points.lift(machine);
                let mut sums = RowSums::of(part, arena);
                sums.missing.copy_from_slice(&points.missing);
                if void {
                    sums.compute(machine, &points.groups, digits, arena);
                } else {
                    self.finish(machine, &points, &mut sums, arena);
                }
                decide(&sums, arena.spare());
            });
        }
    }

    /// The sums by what is computed already.
    fn finish<M: Machine>(
        &self,
        machine: M,
        points: &KeyPoints<'_>,
        RowSums { rows, sums, infinite, .. }: &mut RowSums<'_>,
        arena: &mut Arena<'_, '_>,
    ) {
        let mut partial = arena.filled(sums.len(), [AffineX8::ZERO; 2]);
        // Rows from the first on are in their places already.
        if rows.iter().copied().eq(0..rows.len()) {
            let groups = sums.len();
            sums.copy_from_slice(&self.products[..groups]);
            partial.copy_from_slice(&self.partial[..groups]);
        } else {
            for (i, row) in rows.iter().enumerate() {
                let ((group, lane), (from_group, from)) = (place(i), place(*row));
                sums[group].take_lane(lane, &self.products[from_group], from);
                for (point, others) in partial[group].iter_mut().zip(&self.partial[from_group]) {
                    point.take_lane(lane, others, from);
                }
            }
        }
        leave_images(machine, &points.lifts, &points.groups, sums);
        sum_terms(machine, &partial, sums, infinite);
    }
}
