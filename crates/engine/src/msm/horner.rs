//! The sum of points times powers of two, by Horner's rule: the last chain of a sum.
//!
//! In one lane there is one chain of doublings. In eight lanes the powers of two from 2^0 up are cut into eight
//! stretches of equal length. A lane sums the parts of its stretch as if the stretch began at 2^0, by Horner's rule;
//! then one chain of doublings puts the stretches' sums together.

use super::limits::PARTS_FOR_STRETCHES;
use crate::{
    affine_add::AffineAdder,
    curve::{Affine, Curve, Jacobian},
    field::BaseField,
    lanes::{INFINITY, JacobianLanes, is_infinity, read_entries, read_entry},
    word::{CacheLine, LANES, Machine, Mask, Mask8, Op, Word},
};
use alloc::{vec, vec::Vec};

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

/// The sum of all parts. Any points are allowed, also infinity.
pub fn horner<A: AffineAdder>(adder: &A, parts: &[ShiftedPoint]) -> Sum<A::Curve> {
    // Known when this is compiled: then one lane has no code of eight.
    if const { A::LANES == 1 } || parts.len() < PARTS_FOR_STRETCHES {
        one_chain::<A::Curve>(parts)
    } else {
        eight_stretches::<A::Machine, A::Curve>(adder.machine(), parts)
    }
}

fn one_chain<C: Curve>(parts: &[ShiftedPoint]) -> Sum<C> {
    let add = |sum, row: CacheLine, negated| add_row::<C>(sum, &row, negated);
    chain(parts, Sum::<C>::infinity(), Sum::<C>::double_vartime::<C>, add)
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
fn chain<E: Copy, S>(parts: &[ShiftedPoint<E>], zero: S, double: impl Fn(S) -> S, add: impl Fn(S, E, bool) -> S) -> S {
    let bits = parts.iter().map(|part| part.bit + 1).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_unstable_by_key(|&part| parts[part].bit);
    let mut sum = zero;
    for bit in (0..bits).rev() {
        sum = double(sum);
        while let Some(part) = order.pop_if(|part| parts[*part].bit == bit) {
            sum = add(sum, parts[part].point, parts[part].negated);
        }
    }
    sum
}

fn eight_stretches<M: Machine, C: Curve>(machine: M, parts: &[ShiftedPoint]) -> Sum<C> {
    let bits = parts.iter().map(|part| part.bit + 1).max().unwrap_or(0);
    let length = bits.div_ceil(LANES);
    // `additions[bit]` lists what is added at a bit of the stretches: each entry has at most one part per lane.
    let mut additions: Vec<Vec<Addition>> = vec![Vec::new(); length];
    // `taken[bit][lane]` is the number of entries of `additions[bit]` that have a part in this lane.
    let mut taken = vec![[0; LANES]; length];
    for part in parts.iter().filter(|part| !is_infinity(&part.point)) {
        let (lane, bit) = (part.bit / length, part.bit % length);
        let (steps, step) = (&mut additions[bit], taken[bit][lane]);
        taken[bit][lane] += 1;
        if step == steps.len() {
            steps.push(Addition::NONE);
        }
        let step = &mut steps[step];
        step.points[lane] = part.point;
        step.lanes.0 |= 1 << lane;
        step.negated.0 |= u8::from(part.negated) << lane;
    }
    let mut sums = JacobianLanes::<C>::ZERO;
    machine.run(Stretches { additions: &additions, sums: &mut sums });
    (0..LANES).rev().fold(Sum::<C>::infinity(), |sum, lane| {
        (0..length).fold(sum, |sum, _| sum.double_vartime::<C>()).add_complete_on::<C>(sums.get(lane))
    })
}

/// A point per lane. It is added in the lanes `lanes`, and negated before in the lanes `negated`.
#[derive(Clone, Copy)]
struct Addition {
    points: [CacheLine; LANES],
    lanes: Mask8,
    negated: Mask8,
}

impl Addition {
    const NONE: Addition = Addition { points: [INFINITY; LANES], lanes: Mask8::NONE, negated: Mask8::NONE };
}

struct Stretches<'a, C: Curve> {
    additions: &'a [Vec<Addition>],
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for Stretches<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let mut sum = Jacobian::<<C::Field as BaseField>::X8<W>>::infinity();
        for steps in self.additions.iter().rev() {
            sum = sum.double_on::<C>();
            for step in steps {
                let [a, b, c, d, e, f, g, h] = &step.points;
                let point: Affine<_> = read_entries([a, b, c, d, e, f, g, h]);
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
    use alloc::vec;

    #[test]
    fn integers_sum_up() {
        let part = |(bit, point, negated)| ShiftedPoint { bit, point, negated };
        let parts: Vec<_> =
            vec![(3, 5, false), (0, 7, true), (3, 1, true), (9, 2, false)].into_iter().map(part).collect();
        let add = |sum, point: i64, negated| if negated { sum - point } else { sum + point };
        assert_eq!(chain(&parts, 0, |sum| 2 * sum, add), (5 << 3) - 7 - (1 << 3) + (2 << 9));
        assert_eq!(chain(&[], 0, |sum: i64| 2 * sum, add), 0);
    }
}
