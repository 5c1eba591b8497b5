//! The last chain: in each lane over the steps of its stretch, then in one lane over the stretches.

use super::{WIDTH, X8};
use crate::{
    curve::{Affine, Curve, Jacobian},
    field::Field,
    lanes::{AffineX8, JacobianLanes},
    msm::Sum,
    word::{LANES, Machine, Mask, Op, Placed, Word},
};

/// The points that are left of each step.
#[derive(Clone, Copy)]
pub(super) struct StepsOfLanes<'a, C: Curve> {
    pub(super) steps: usize,
    /// The points, those of one step `steps` places from each other.
    pub(super) points: &'a [AffineX8<C>],
    /// Whether some point may be infinity, with y = 0.
    pub(super) infinity: bool,
}

/// The sum over all steps and stretches.
pub(super) fn sum<M: Machine, C: Curve>(machine: M, steps: StepsOfLanes<'_, C>) -> Sum<C> {
    let mut sums = JacobianLanes::ZERO;
    if steps.infinity || machine.run(Placed(ChainInLanes { steps, sums: &mut sums })) {
        machine.run(Placed(CompleteChainInLanes { steps, sums: &mut sums }));
    }
    let doublings = WIDTH as usize * steps.steps;
    (0..LANES).rev().fold(Sum::<C>::infinity(), |sum, lane| {
        (0..doublings).fold(sum, |sum, _| sum.double_vartime::<C>()).add_vartime::<C>(sums.get(lane))
    })
}

/// The sums of all lanes. Says whether some of them is void, because an addition was exceptional.
struct ChainInLanes<'a, C: Curve> {
    steps: StepsOfLanes<'a, C>,
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for ChainInLanes<'_, C> {
    type Output = bool;

    #[inline(always)]
    fn call<W: Word>(self) -> bool {
        let StepsOfLanes { steps, points, .. } = self.steps;
        let last = steps - 1;
        let mut sum: Jacobian<X8<C, W>> = points[last].load::<W>().to_jacobian();
        for step in (0..steps).rev() {
            let first = if step == last { step + steps } else { step };
            if step < last {
                for _ in 0..WIDTH {
                    sum = sum.double_on::<C>();
                }
            }
            for point in points[first.min(points.len())..].iter().step_by(steps) {
                sum = sum.add_mixed(point.load::<W>()).0;
            }
        }
        self.sums.store::<W>(sum);
        // Z stays zero once it is zero.
        sum.is_infinity().any()
    }
}

/// The same for any points.
struct CompleteChainInLanes<'a, C: Curve> {
    steps: StepsOfLanes<'a, C>,
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for CompleteChainInLanes<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let StepsOfLanes { steps, points, .. } = self.steps;
        let mut sum = Jacobian::<X8<C, W>>::infinity();
        for step in (0..steps).rev() {
            for _ in 0..WIDTH {
                sum = sum.double_on::<C>();
            }
            for point in points[step..].iter().step_by(steps) {
                let point: Affine<_> = point.load::<W>();
                sum = Jacobian::select(point.y.is_zero(), sum, sum.add_mixed_complete_on::<C>(point));
            }
        }
        self.sums.store::<W>(sum);
    }
}
