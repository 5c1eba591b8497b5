//! The last chain of a sum, eight stretches of the exponent side by side.
//!
//! The powers of two from 2^0 up are cut into eight stretches of equal length. A lane sums the parts of its stretch as if the
//! stretch began at 2^0, by Horner's rule; then one chain of doublings puts the stretches' sums together.

use super::super::memory::{FeX8, JacobianX8, Machine, read_entries};
use crate::{
    group::Jacobian,
    rounds::{double, horner, is_infinity},
    tables::Entry,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::{
    curve,
    msm::ShiftedPoint,
    word::{LANES, Mask, Mask8, Op, Word},
};

/// Parts from which on lanes are worth their while: the doublings and additions of eight stretches, of which there are few in each,
/// take about as long as two dozen additions of one lane.
const FEW: usize = 24;

/// The sum of the parts, whatever they are.
pub(crate) fn sum<M: Machine>(machine: M, parts: &[ShiftedPoint<Entry>]) -> Jacobian {
    if parts.len() < FEW {
        return horner(parts);
    }
    let bits = parts.iter().map(|part| part.bit + 1).max().unwrap_or(0);
    let length = bits.div_ceil(LANES);
    // For each bit of a stretch the parts that are added at it, each lane's in turn.
    let mut additions: Vec<Vec<Addition>> = vec![Vec::new(); length];
    // How many of them have a part of each lane.
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
    let mut sums = JacobianX8::ZERO;
    machine.run(Stretches { additions: &additions, sums: &mut sums });
    (0..LANES).rev().fold(Jacobian::infinity(), |sum, lane| {
        (0..length).fold(sum, |sum, _| double(sum)).add_complete(sums.get(lane))
    })
}

/// A point to be added in some lanes.
#[derive(Clone, Copy)]
struct Addition {
    points: [Entry; LANES],
    lanes: Mask8,
    negated: Mask8,
}

impl Addition {
    const NONE: Addition = Addition { points: [Entry([0; 8]); LANES], lanes: Mask8::NONE, negated: Mask8::NONE };
}

struct Stretches<'a> {
    additions: &'a [Vec<Addition>],
    sums: &'a mut JacobianX8,
}

impl Op for Stretches<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let mut sum = curve::Jacobian::<FeX8<W>>::infinity();
        for steps in self.additions.iter().rev() {
            sum = sum.double();
            for step in steps {
                let [a, b, c, d, e, f, g, h] = &step.points;
                let point: curve::Affine<FeX8<W>> = read_entries([a, b, c, d, e, f, g, h]);
                let point = curve::Affine::select(step.negated, point.negate(), point);
                sum = curve::Jacobian::select(step.lanes, sum.add_mixed_complete(point), sum);
            }
        }
        self.sums.store(sum);
    }
}
