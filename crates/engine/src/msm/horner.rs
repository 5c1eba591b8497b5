//! The sum of points times powers of two, by Horner's rule: the last chain of a sum.
//!
//! In one lane there is one chain of doublings. In eight lanes the powers of two from 2^0 up are cut into eight
//! stretches of equal length. A lane sums the parts of its stretch as if the stretch began at 2^0, by Horner's rule;
//! then one chain of doublings puts the stretches' sums together.

use super::limits::{MAX_BITS, PARTS_FOR_STRETCHES};
use crate::{
    affine_add::AffineAdder,
    curve::{Affine, Curve, Jacobian},
    field::BaseField,
    lanes::{INFINITY, JacobianLanes, is_infinity, read_entries, read_entry},
    word::{CacheLine, LANES, Machine, Mask, Mask8, Op, Word},
};

/// 2^bit times a point or its negative.
#[derive(Debug, Clone, Copy)]
pub struct ShiftedPoint<E = CacheLine> {
    /// The power of two.
    pub bit: usize,
    /// The point.
    pub point: E,
    /// Whether its negative is meant.
    pub negated: bool,
}

/// A sum of points of a curve.
pub type Sum<C> = Jacobian<<<C as Curve>::Field as BaseField>::X1>;

/// The sum of all parts, for bits below 320. Any points are allowed, also infinity. `order` is memory for a number a
/// part.
pub fn horner<A: AffineAdder>(adder: &A, parts: &[ShiftedPoint], order: &mut [u32]) -> Sum<A::Curve> {
    let order = &mut order[..parts.len()];
    // Known when this is compiled: then one lane has no code of eight.
    if const { A::LANES == 1 } || parts.len() < PARTS_FOR_STRETCHES {
        one_chain::<A::Curve>(parts, order)
    } else {
        eight_stretches::<A::Machine, A::Curve>(adder.machine(), parts, order)
    }
}

/// Parts in the order of their bits, which count modulo the length of a stretch.
struct InOrder<'a, E> {
    parts: &'a [ShiftedPoint<E>],
    order: &'a [u32],
    /// Where in `order` the parts of each bit end.
    ends: [u32; MAX_BITS],
    stretch: usize,
}

impl<'a, E> InOrder<'a, E> {
    fn new(parts: &'a [ShiftedPoint<E>], stretch: usize, order: &'a mut [u32]) -> Self {
        let mut ends = [0; MAX_BITS];
        parts.iter().for_each(|part| ends[part.bit % stretch] += 1);
        let mut start = 0;
        for end in &mut ends[..stretch] {
            (*end, start) = (start, start + *end);
        }
        for (index, part) in parts.iter().enumerate() {
            let place = &mut ends[part.bit % stretch];
            order[*place as usize] = index as u32;
            *place += 1;
        }
        InOrder { parts, order, ends, stretch }
    }

    /// The parts of a bit, as they stood.
    #[inline(always)]
    fn at(&self, bit: usize) -> impl Iterator<Item = &'a ShiftedPoint<E>> + Clone {
        let start = bit.checked_sub(1).map_or(0, |before| self.ends[before]);
        let (parts, order) = (self.parts, self.order);
        order[start as usize..self.ends[bit] as usize].iter().map(move |index| &parts[*index as usize])
    }
}

/// A bit more than the highest one.
fn bits<E>(parts: &[ShiftedPoint<E>]) -> usize {
    parts.iter().map(|part| part.bit + 1).max().unwrap_or(0)
}

fn one_chain<C: Curve>(parts: &[ShiftedPoint], order: &mut [u32]) -> Sum<C> {
    let add = |sum, row: CacheLine, negated| add_row::<C>(sum, &row, negated);
    chain(parts, order, Sum::<C>::infinity(), Sum::<C>::double_vartime::<C>, add)
}

/// `sum` plus the point of `row`, or minus it if `negated`. Any points are allowed, also infinity.
pub(super) fn add_row<C: Curve>(sum: Sum<C>, row: &CacheLine, negated: bool) -> Sum<C> {
    if is_infinity(row) {
        return sum;
    }
    let point: Affine<_> = read_entry(row);
    sum.add_mixed_vartime::<C>(if negated { point.negate() } else { point })
}

/// The sum of all parts. `zero` is the sum of none, `double` doubles a sum, and `add` adds a point or its negative to
/// it.
fn chain<E: Copy, S>(
    parts: &[ShiftedPoint<E>],
    order: &mut [u32],
    zero: S,
    double: impl Fn(S) -> S,
    add: impl Fn(S, E, bool) -> S,
) -> S {
    let bits = bits(parts);
    let parts = InOrder::new(parts, bits.max(1), order);
    (0..bits)
        .rev()
        .fold(zero, |sum, bit| parts.at(bit).fold(double(sum), |sum, part| add(sum, part.point, part.negated)))
}

fn eight_stretches<M: Machine, C: Curve>(machine: M, parts: &[ShiftedPoint], order: &mut [u32]) -> Sum<C> {
    let length = bits(parts).div_ceil(LANES).max(1);
    let parts = InOrder::new(parts, length, order);
    let mut sums = JacobianLanes::<C>::ZERO;
    machine.run(Stretches { parts: &parts, sums: &mut sums });
    (0..LANES).rev().fold(Sum::<C>::infinity(), |sum, lane| {
        (0..length).fold(sum, |sum, _| sum.double_vartime::<C>()).add_any::<C>(sums.get(lane))
    })
}

/// A point per lane. It is added in the lanes `lanes`, and negated before in the lanes `negated`.
struct Addition<'a> {
    points: [&'a CacheLine; LANES],
    lanes: Mask8,
    negated: Mask8,
}

/// Takes parts of different lanes from the front: as many as there are before the first one whose lane is taken.
#[inline(always)]
fn next_addition<'a>(
    parts: &mut (impl Iterator<Item = &'a ShiftedPoint> + Clone),
    stretch: usize,
) -> Option<Addition<'a>> {
    let mut next = Addition { points: [&INFINITY; LANES], lanes: Mask8::NONE, negated: Mask8::NONE };
    let mut taken = 0;
    let mut ahead = parts.clone();
    while let Some(part) = ahead.next() {
        let lane = part.bit / stretch;
        if is_infinity(&part.point) {
            *parts = ahead.clone();
            taken += 1;
            continue;
        }
        if next.lanes.0 >> lane & 1 != 0 {
            break;
        }
        next.points[lane] = &part.point;
        next.lanes.0 |= 1 << lane;
        next.negated.0 |= u8::from(part.negated) << lane;
        taken += 1;
        *parts = ahead.clone();
    }
    (taken > 0).then_some(next)
}

struct Stretches<'a, C: Curve> {
    parts: &'a InOrder<'a, CacheLine>,
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for Stretches<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let mut sum = Jacobian::<<C::Field as BaseField>::X8<W>>::infinity();
        for bit in (0..self.parts.stretch).rev() {
            sum = sum.double_on::<C>();
            let mut parts = self.parts.at(bit);
            while let Some(step) = next_addition(&mut parts, self.parts.stretch) {
                let point: Affine<_> = read_entries(step.points);
                let point = Affine::select(step.negated, point.negate(), point);
                sum = Jacobian::select(step.lanes, sum.add_mixed_complete_on::<C>(point), sum);
            }
        }
        self.sums.store::<W>(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn integers_sum_up() {
        let part = |(bit, point, negated)| ShiftedPoint { bit, point, negated };
        let parts: Vec<_> = [(3, 5, false), (0, 7, true), (3, 1, true), (9, 2, false)].into_iter().map(part).collect();
        let add = |sum, point: i64, negated| if negated { sum - point } else { sum + point };
        assert_eq!(chain(&parts, &mut [0; 4], 0, |sum| 2 * sum, add), (5 << 3) - 7 - (1 << 3) + (2 << 9));
        assert_eq!(chain(&[], &mut [], 0, |sum: i64| 2 * sum, add), 0);
    }
}
