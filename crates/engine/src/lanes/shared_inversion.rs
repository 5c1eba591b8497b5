//! The inverses of eight lanes by one inversion.

use super::memory::{FeX8Mem, permute};
use crate::{
    field::{
        BaseField, Field, FieldX8,
        batch_inversion::{BatchInverted, backward_inverses, forward_products},
    },
    word::{Machine, Mask, Mask8, Op, Placed, Word},
};

/// Divisions for any word.
pub trait BatchStep {
    /// The field in which is divided.
    type Field: BaseField;

    /// The same with the words named.
    type ForWord<'a, W: Word>: BatchInverted<<Self::Field as BaseField>::X8<W>>
    where
        Self: 'a;

    /// Whether a zero denominator in one lane stops the divisions of all lanes.
    const ALL_OR_NOTHING: bool = false;

    /// Names the words. Implementors mark it `#[inline(always)]`.
    fn for_word<W: Word>(&mut self) -> Self::ForWord<'_, W>;

    /// Whether there are no divisions.
    fn is_empty(&self) -> bool;

    /// What is left to do when all divisions are done. Implementors mark it `#[inline(always)]`.
    #[inline(always)]
    fn end<W: Word>(_: Self::ForWord<'_, W>) {}
}

/// Runs all divisions of a stage. Returns the lanes in which some denominator was zero; there every result is void. A
/// stage that is all or nothing then has no result at all. Variable time.
pub fn divide<M: Machine, D: BatchStep>(machine: M, stage: &mut D) -> Mask8 {
    if stage.is_empty() {
        return Mask8(0);
    }
    let mut products = DenominatorProducts::of::<_, _, true>(machine, stage);
    let zero_denominator = products.zero_denominator;
    if !(D::ALL_OR_NOTHING && zero_denominator.any()) {
        products.all = D::Field::invert_vartime(&products.all);
        machine.run(Placed(Backward(stage, &products)));
    }
    zero_denominator
}

/// As [`divide`], in constant time. Lanes with a zero denominator come back as secrets; most stages have none. `wipe`
/// gets what was secret on the way, to overwrite it.
#[inline(always)]
pub fn divide_secret<M: Machine, D: BatchStep>(
    machine: M,
    stage: &mut D,
    wipe: impl FnOnce(&mut [u64; 4], &mut [FeX8Mem<D::Field>; 2]),
) -> Mask8 {
    if stage.is_empty() {
        return Mask8(0);
    }
    let products = &mut DenominatorProducts::of::<_, _, false>(machine, stage);
    products.all = D::Field::invert(&products.all);
    machine.run(Backward(stage, products));
    wipe(&mut products.all, &mut products.factors);
    products.zero_denominator
}

/// Products of all denominators.
struct DenominatorProducts<F> {
    /// Of all lanes but those of zero, as a canonical number; then the inverse of this.
    all: [u64; 4],
    /// The two products of each lane. Then what the inverse of `all` is to be multiplied by in each lane, to be the
    /// inverses of these.
    factors: [FeX8Mem<F>; 2],
    /// The lanes of zero.
    zero_denominator: Mask8,
}

impl<F: BaseField> DenominatorProducts<F> {
    /// Filled in place by both roots. What a copy leaves on the stack is overwritten with the rest of it.
    #[inline(always)]
    fn of<M: Machine, D: BatchStep<Field = F>, const PLACED: bool>(machine: M, stage: &mut D) -> Self {
        let mut products = DenominatorProducts { all: [0; 4], factors: [FeX8Mem::ZERO; 2], zero_denominator: Mask8(0) };
        let forward = Forward(stage, &mut products.factors);
        if PLACED {
            machine.run(Placed(forward));
        } else {
            machine.run(forward);
        }
        machine.run(Across(&mut products));
        products
    }
}

/// The products of each lane.
struct Forward<'a, D: BatchStep>(&'a mut D, &'a mut [FeX8Mem<D::Field>; 2]);

impl<D: BatchStep> Op for Forward<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let [a, b] = forward_products(&mut self.0.for_word::<W>());
        self.1[0].store::<W>(a);
        self.1[1].store::<W>(b);
    }
}

/// The product of all lanes, in a root of its own: the same for the divisions of every stage, and eight products long.
struct Across<'a, F>(&'a mut DenominatorProducts<F>);

impl<F: BaseField> Op for Across<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let DenominatorProducts { all, factors: [first, second], zero_denominator } = self.0;
        let (a, b) = (first.load::<W>(), second.load::<W>());
        let lane = a.mul(b);
        *zero_denominator = lane.is_zero();
        let lane = Field::select(*zero_denominator, Field::one(), lane);
        // Of a lane and the next one, of four, of eight.
        let next = rotate::<1, _>(lane);
        let two = lane.mul(next);
        let next_two = rotate::<2, _>(two);
        let four = two.mul(next_two);
        let next_four = rotate::<4, _>(four);
        // The next one, two and four are the seven others; where its own product is zero, a lane does not matter.
        let others = next.mul(next_two).mul(next_four);
        first.store::<W>(others.mul(b));
        second.store::<W>(others.mul(a));
        let [w0, w1, w2, w3] = four.mul(next_four).normalize().to_words();
        *all = [w0.to_lanes()[0], w1.to_lanes()[0], w2.to_lanes()[0], w3.to_lanes()[0]];
    }
}

/// The divisions, and the products of which `all` has been inverted.
struct Backward<'a, D: BatchStep>(&'a mut D, &'a DenominatorProducts<D::Field>);

impl<D: BatchStep> Op for Backward<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let DenominatorProducts { all: [a, b, c, d], factors: [first, second], .. } = self.1;
        let words = [W::splat(*a), W::splat(*b), W::splat(*c), W::splat(*d)];
        let inverse = <D::Field as BaseField>::X8::from_words(words);
        let inverses = [inverse.mul(first.load()), inverse.mul(second.load())];
        let mut divisions = self.0.for_word::<W>();
        backward_inverses(&mut divisions, inverses);
        D::end(divisions);
    }
}

/// The elements `BY` lanes on, in a circle.
#[inline(always)]
fn rotate<const BY: u64, F: FieldX8>(element: F) -> F {
    let at = |lane: u64| (lane + BY) % 8;
    let index = F::Word::from_lanes([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
    permute(element, index)
}
