//! The inverses of eight lanes by one inversion.

use super::memory::{FeX8, FeX8Mem, Machine};
use crate::{
    field::{invert, invert_vartime},
    group::Fe,
    wipe::{overwrite, wipe},
};
use phalanx_engine::{
    field::{
        Field,
        batch_inversion::{BatchInverted, backward_inverses, forward_products},
    },
    word::{Mask, Mask8, Op, Word},
};

/// Runs all divisions of a stage. The lanes of which some denominator was zero, where every result is void, come back; a stage that
/// is all or nothing then has no result at all.
pub(crate) fn divide<M: Machine, D: BatchStep>(machine: M, stage: &mut D) -> Mask8 {
    if stage.is_empty() {
        return Mask8(0);
    }
    let Products { all, factors, zero_denominator } = machine.run(Forward(stage));
    if !(D::ALL_OR_NOTHING && zero_denominator.any()) {
        let inverse = invert_vartime(Fe::from_words(all)).normalize().to_words();
        machine.run(Backward(stage, &inverse, &factors));
    }
    zero_denominator
}

/// As [`divide`], in constant time, for stages of which no denominator can be zero.
pub(crate) fn divide_secret<M: Machine, D: BatchStep>(machine: M, stage: &mut D) {
    if stage.is_empty() {
        return;
    }
    let Products { all, factors, .. } = &mut machine.run(Forward(stage));
    *all = invert(Fe::from_words(*all)).normalize().to_words();
    machine.run(Backward(stage, all, factors));
    wipe(all);
    overwrite(factors, FeX8Mem::ZERO);
}

/// Divisions for any word.
pub(crate) trait BatchStep {
    /// The same with the words named.
    type ForWord<'a, W: Word>: BatchInverted<FeX8<W>>
    where
        Self: 'a;

    /// Whether void lanes keep the others from being divided.
    const ALL_OR_NOTHING: bool = false;

    fn for_word<W: Word>(&mut self) -> Self::ForWord<'_, W>;

    fn is_empty(&self) -> bool;

    /// What is left to do when all divisions are done.
    #[inline(always)]
    fn end<W: Word>(_: Self::ForWord<'_, W>) {}
}

/// Products of all denominators.
struct Products {
    /// Of all lanes but those of zero.
    all: [u64; 4],
    /// What the inverse of `all` is to be multiplied by in each lane, to be the inverses of the lane's two products.
    factors: [FeX8Mem; 2],
    /// The lanes of zero.
    zero_denominator: Mask8,
}

struct Forward<'a, D>(&'a mut D);

impl<D: BatchStep> Op for Forward<'_, D> {
    type Output = Products;

    #[inline(always)]
    fn call<W: Word>(self) -> Products {
        let [a, b] = forward_products(&mut self.0.for_word::<W>());
        let lane = a.mul(b);
        let zero_denominator = lane.is_zero();
        let lane = FeX8::select(zero_denominator, FeX8::one(), lane);
        // Of a lane and the next one, of four, of eight.
        let next = rotate::<1, W>(lane);
        let two = lane.mul(next);
        let next_two = rotate::<2, W>(two);
        let four = two.mul(next_two);
        let next_four = rotate::<4, W>(four);
        // The next one, two and four are the seven others; where its own product is zero, a lane does not matter.
        let others = next.mul(next_two).mul(next_four);
        let mut factors = [FeX8Mem::ZERO; 2];
        factors[0].store(others.mul(b));
        factors[1].store(others.mul(a));
        Products { all: four.mul(next_four).normalize().to_lanes()[0], factors, zero_denominator }
    }
}

struct Backward<'a, D>(&'a mut D, &'a [u64; 4], &'a [FeX8Mem; 2]);

impl<D: BatchStep> Op for Backward<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let [a, b, c, d] = *self.1;
        let inverse = FeX8::<W>::from_words([W::splat(a), W::splat(b), W::splat(c), W::splat(d)]);
        let inverses = [inverse.mul(self.2[0].load()), inverse.mul(self.2[1].load())];
        let mut divisions = self.0.for_word::<W>();
        backward_inverses(&mut divisions, inverses);
        D::end(divisions);
    }
}

/// The elements `BY` lanes on, in a circle.
#[inline(always)]
fn rotate<const BY: u64, W: Word>(element: FeX8<W>) -> FeX8<W> {
    let at = |lane: u64| (lane + BY) % 8;
    let index = W::from_lanes([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
    let [a, b, c, d, e] = element.limbs();
    FeX8::from_limbs([a.permute(index), b.permute(index), c.permute(index), d.permute(index), e.permute(index)])
}
