//! The inverses of eight lanes by one inversion.

use super::memory::FeX8Mem;
use crate::{
    field::{
        BaseField, Field, FieldX8,
        batch_inversion::{BatchInverted, backward_inverses, forward_products},
    },
    word::{Machine, Mask, Mask8, Op, Word},
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
    let mut products = machine.run(Forward(stage));
    let zero_denominator = products.zero_denominator;
    if !(D::ALL_OR_NOTHING && zero_denominator.any()) {
        products.all = D::Field::invert_vartime(&products.all);
        machine.run(Backward(stage, &products));
    }
    zero_denominator
}

/// As [`divide`], in constant time, for stages of which no denominator can be zero. `wipe` gets what was secret on the
/// way, to overwrite it.
#[inline(always)]
pub fn divide_secret<M: Machine, D: BatchStep>(
    machine: M,
    stage: &mut D,
    wipe: impl FnOnce(&mut [u64; 4], &mut [FeX8Mem<D::Field>; 2]),
) {
    if stage.is_empty() {
        return;
    }
    let products = &mut machine.run(Forward(stage));
    products.all = D::Field::invert(&products.all);
    machine.run(Backward(stage, products));
    wipe(&mut products.all, &mut products.factors);
}

/// Products of all denominators.
struct Products<F> {
    /// Of all lanes but those of zero, as a canonical number; then the inverse of this.
    all: [u64; 4],
    /// What the inverse of `all` is to be multiplied by in each lane, to be the inverses of the lane's two products.
    factors: [FeX8Mem<F>; 2],
    /// The lanes of zero.
    zero_denominator: Mask8,
}

struct Forward<'a, D>(&'a mut D);

impl<D: BatchStep> Op for Forward<'_, D> {
    type Output = Products<D::Field>;

    #[inline(always)]
    fn call<W: Word>(self) -> Products<D::Field> {
        let [a, b] = forward_products(&mut self.0.for_word::<W>());
        let lane = a.mul(b);
        let zero_denominator = lane.is_zero();
        let lane = Field::select(zero_denominator, Field::one(), lane);
        // Of a lane and the next one, of four, of eight.
        let next = rotate::<1, _>(lane);
        let two = lane.mul(next);
        let next_two = rotate::<2, _>(two);
        let four = two.mul(next_two);
        let next_four = rotate::<4, _>(four);
        // The next one, two and four are the seven others; where its own product is zero, a lane does not matter.
        let others = next.mul(next_two).mul(next_four);
        let mut factors = [FeX8Mem::ZERO; 2];
        factors[0].store::<W>(others.mul(b));
        factors[1].store::<W>(others.mul(a));
        let [w0, w1, w2, w3] = four.mul(next_four).normalize().to_words();
        let all = [w0.to_lanes()[0], w1.to_lanes()[0], w2.to_lanes()[0], w3.to_lanes()[0]];
        Products { all, factors, zero_denominator }
    }
}

/// The divisions, and the products of which `all` has been inverted.
struct Backward<'a, D: BatchStep>(&'a mut D, &'a Products<D::Field>);

impl<D: BatchStep> Op for Backward<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let Products { all: [a, b, c, d], factors: [first, second], .. } = self.1;
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
    let [a, b, c, d, e] = element.to_memory();
    F::from_memory([a.permute(index), b.permute(index), c.permute(index), d.permute(index), e.permute(index)])
}
