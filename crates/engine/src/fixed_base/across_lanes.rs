//! Sums of few entries: those of one vector are dealt to eight lanes, which add them one after the other, and then the
//! lanes are added up.
//!
//! With t columns, t at most 4, several lanes share a column; with up to 8 each lane has one, and with more it has
//! ceil(t / 8) that follow each other, and doubles between them. Column c is in a lower lane than column c + 1. Adding
//! up doubles between lanes of different columns.
//!
//! Where scalars of one column stand beside others, column 0 may be much longer than the rest. What it has more of is
//! summed apart before, by all lanes.
//!
//! Additions are the ones that are not valid for equal or opposite points. There they leave Z = 0, which every later
//! addition and doubling keeps, so that one look at the end is enough; the sum is then computed again one entry after
//! the other.

use super::limits::APART_COSTS;
use super::workspace::{ColumnSets, Listed, Set, Steps};
use crate::{
    affine_add::AffineAdder,
    curve::{Affine, Curve, Jacobian, RowModel},
    field::{BaseField, FieldX1, FieldX8},
    lanes::{INFINITY, JacobianLanes, permute, read_entries},
    msm::Sum,
    word::{CacheLine, LANES, Machine, Mask, Mask8, Op, PointRef, Word, prefetch_soon},
};
use core::ops::Range;

/// How columns are dealt to lanes.
#[derive(Clone, Copy)]
struct Deal {
    /// Columns of a lane.
    columns: usize,
    /// Lanes of a column.
    lanes: usize,
}

impl Deal {
    fn new(columns: usize) -> Self {
        Deal { columns: columns.div_ceil(LANES), lanes: (LANES / columns.next_power_of_two()).max(1) }
    }

    /// How often a lane's sum doubles before it is added to that of the lane so many places below.
    fn doublings(self, distance: usize) -> usize {
        if distance < self.lanes { 0 } else { distance / self.lanes * self.columns }
    }
}

/// The sum of the only vector that is listed.
pub(super) fn sum<A: AffineAdder>(adder: &A, table: &[CacheLine], listed: &mut Listed<'_>) -> Sum<A::Curve> {
    let columns = listed.vectors[0];
    let deal = Deal::new(columns.count);
    listed.steps.clear();
    let apart = plan_apart(listed, columns, deal);
    plan(listed, columns, deal);
    if let Some((_, whole)) = apart {
        listed.sets[columns.first] = whole;
    }
    let before = apart.map_or(0, |(steps, _)| steps);
    let parts = [(0..before, Deal::new(1)), (before..listed.steps.len(), deal)];
    let mut lanes = JacobianLanes::<A::Curve>::ZERO;
    adder.machine().run(Spread { table, steps: &listed.steps, parts, sums: &mut lanes });
    let sum = lanes.get(0);
    if sum.z.is_zero_vartime() { one_after_the_other::<A::Curve>(table, listed) } else { sum }
}

/// As [`sum`], in one lane.
pub(super) fn one_after_the_other<C: Curve>(table: &[CacheLine], listed: &Listed<'_>) -> Sum<C> {
    let ColumnSets { first, count } = listed.vectors[0];
    for set in (first..first + count).rev() {
        listed.entries_of(set).for_each(|entry| prefetch_soon(table, entry));
    }
    let sum = (first..first + count).rev().fold(Sum::<C>::infinity(), |sum, set| {
        listed.entries_of(set).fold(sum.double_vartime::<RowModel<C>>(), |sum, entry| {
            super::horner::add_row::<C>(sum, &table[entry.index()], entry.is_negated())
        })
    });
    RowModel::<C>::leave(sum)
}

/// Plans what column 0 has more than the other columns of its turn, if that pays, and leaves the rest of it in its set.
/// Returns the number of steps, and the set as it was.
fn plan_apart(listed: &mut Listed<'_>, columns: ColumnSets, deal: Deal) -> Option<(usize, Set)> {
    let others = columns.first + deal.columns..columns.first + columns.count;
    let kept = listed.sets.get(others)?.iter().step_by(deal.columns).map(|set| set.count).max()?;
    let whole = listed.sets[columns.first];
    let more = whole.count.saturating_sub(kept);
    let steps = |count: usize, lanes: usize| count.div_ceil(lanes);
    if steps(whole.count, deal.lanes) <= steps(kept, deal.lanes) + steps(more, LANES) + APART_COSTS {
        return None;
    }
    listed.sets[columns.first] = Set { start: whole.start + kept * whole.step, count: more, ..whole };
    plan(listed, ColumnSets { count: 1, ..columns }, Deal::new(1));
    listed.sets[columns.first] = Set { count: kept, ..whole };
    Some((listed.steps.len(), whole))
}

/// Appends the steps of these columns.
fn plan(listed: &mut Listed<'_>, columns: ColumnSets, deal: Deal) {
    let Listed { entries, sets, steps, .. } = listed;
    let sets = &sets[columns.first..columns.first + columns.count];
    let mut started = Mask8::NONE;
    for turn in (0..deal.columns).rev() {
        if started.any() {
            steps.push_double();
        }
        // The columns of this turn, from that of the lowest lanes on.
        let of_turn = || sets.iter().skip(turn).step_by(deal.columns).enumerate();
        let most = of_turn().map(|(_, set)| set.count.div_ceil(deal.lanes)).max().unwrap_or(0);
        for step in 0..most {
            let (mut references, mut taken) = ([PointRef::new(0, false); LANES], Mask8::NONE);
            for (index, set) in of_turn() {
                for (lane, entry) in set.entries_from(step * deal.lanes, entries).take(deal.lanes).enumerate() {
                    let lane = index * deal.lanes + lane;
                    references[lane] = entry;
                    taken.0 |= 1 << lane;
                }
            }
            let (added, first) = (taken.and(started), taken.and(started.not()));
            steps.push_add(references, added, first);
            started = started.or(taken);
        }
    }
}

/// Sums the parts one after the other, each added to what was before.
struct Spread<'a, C> {
    table: &'a [CacheLine],
    steps: &'a Steps<'a>,
    parts: [(Range<usize>, Deal); 2],
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for Spread<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        // Known when this is compiled: then machines that multiply doubles have no code for what they are not asked.
        if const { W::IN_DOUBLES } {
            unreachable!("sums of few entries are computed in one lane instead");
        } else {
            self.in_lanes::<W>();
        }
    }
}

impl<C: Curve> Spread<'_, C> {
    #[inline(always)]
    fn in_lanes<W: Word>(self) {
        for (entries, lanes) in self.steps.part(0..self.steps.len()) {
            if lanes != [Mask8::NONE; 2] {
                entries.iter().for_each(|entry| prefetch_soon(self.table, *entry));
            }
        }
        let mut total = Jacobian::<<C::Field as BaseField>::X8<W>>::infinity();
        let mut total_started = Mask8::NONE;
        for (steps, deal) in self.parts {
            let mut sum = Jacobian::<<C::Field as BaseField>::X8<W>>::infinity();
            let mut started = Mask8::NONE;
            for (entries, [added, first]) in self.steps.part(steps) {
                let taken = added.or(first);
                if !taken.any() {
                    sum = sum.double_on::<C>();
                    continue;
                }
                let at = |lane: usize| if taken.lane(lane) { &self.table[entries[lane].index()] } else { &INFINITY };
                let point = read_entries([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
                let negated = (0..LANES).fold(0, |mask, lane| mask | u8::from(entries[lane].is_negated()) << lane);
                let point = Affine::select(Mask8(negated), point.negate(), point);
                if added.any() {
                    sum = Jacobian::select(added, sum.add_mixed(point).0, sum);
                }
                sum = Jacobian::select(first, point.to_jacobian(), sum);
                started = started.or(taken);
            }
            let mut distance = 1;
            while started.any() && distance <= LANES {
                // At last what was before.
                let (mut high, high_started) = if distance < LANES {
                    (rotate(sum, distance), Mask8(started.0 >> distance))
                } else {
                    (total, total_started)
                };
                if high_started.any() {
                    for _ in 0..if distance < LANES { deal.doublings(distance) } else { 0 } {
                        high = high.double_on::<C>();
                    }
                    let both = sum.add(high).0;
                    let one = Jacobian::select(started, sum, high);
                    sum = Jacobian::select(started.and(high_started), both, one);
                    started = started.or(high_started);
                }
                distance *= 2;
            }
            if started.any() {
                (total, total_started) = (sum, started);
            }
        }
        self.sums.store::<W>(total);
    }
}

/// The points so many lanes on, in a circle.
#[inline(always)]
fn rotate<F: FieldX8>(point: Jacobian<F>, by: usize) -> Jacobian<F> {
    let at = |lane: usize| ((lane + by) % LANES) as u64;
    let index = F::Word::from_lanes([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
    Jacobian { x: permute(point.x, index), y: permute(point.y, index), z: permute(point.z, index) }
}
