//! Many divisions for one inversion (Montgomery's trick), split so that the caller inverts.
//!
//! [`forward_products`] multiplies the denominators together, the caller inverts two products, and
//! [`backward_inverses`] hands each division its denominator's inverse: three multiplications per division. There are
//! two products, of the even and of the odd divisions, because one multiplication after another would leave a machine
//! half idle.

use super::{Field, Formula};

/// Divisions whose denominators are not zero. Index by index, in memory that the implementor chooses.
///
/// Implementors mark everything `#[inline(always)]`.
pub trait BatchInverted<F: Field> {
    /// What a division starts from.
    type Operands: Copy;
    /// What comes of it.
    type Result: Copy;

    /// Whether [`Self::finish`] is so long that there is to be one copy of it.
    const LONG: bool = false;
    /// Whether the one that an odd number leaves is done alone. In one lane its company would take time.
    const ODD_ALONE: bool = false;
    /// Whether the divisions take so little of the time that there is to be one copy of everything.
    const SELDOM: bool = false;

    /// The number of divisions.
    fn count(&self) -> usize;
    /// What division `index` starts from. Asked for any number of times, but not after it or any of a lower index was
    /// finished; some of the higher ones may not be finished yet.
    fn operands(&self, index: usize) -> Self::Operands;
    /// The denominator: ready to be a factor, and not zero in any lane, or every division of that lane goes wrong.
    fn denominator(operands: &Self::Operands) -> F;
    /// The denominator of division `index`, when it is asked for the first time. May keep what [`Self::operands`] then
    /// need not find again.
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> F {
        Self::denominator(&self.operands(index))
    }
    /// Keeps a number for later.
    fn store_prefix(&mut self, index: usize, product: F);
    /// The number kept.
    fn load_prefix(&self, index: usize) -> F;
    /// What comes of a division, given the inverse of its denominator.
    fn solve(operands: &Self::Operands, inverse: F) -> Self::Result;
    /// Two of these: as two chains in flight where [`super::FieldPair`] can say so.
    #[inline(always)]
    fn solve_two(operands: [&Self::Operands; 2], inverses: [F; 2]) -> [Self::Result; 2] {
        [Self::solve(operands[0], inverses[0]), Self::solve(operands[1], inverses[1])]
    }
    /// Puts the result of a division where it belongs. What was kept at `index` is no longer needed.
    fn finish(&mut self, index: usize, result: Self::Result);
}

/// The product of the denominators of each second division up to the last but one, and up to the last.
#[inline(always)]
pub fn forward_products<F: Field, D: BatchInverted<F>>(divisions: &mut D) -> [F; 2] {
    let [mut other, mut product] = [F::one(), F::one()];
    for index in 0..divisions.count() {
        let denominator = divisions.first_denominator(index);
        divisions.store_prefix(index, other);
        (other, product) = (product, other.mul(denominator));
    }
    [other, product]
}

/// Finishes all divisions, last to first, given the inverses of the two products. Mostly two at a time: where products
/// are calls, one at a time takes half the code, and as long but for a few percent.
#[inline(always)]
pub fn backward_inverses<F: Field, D: BatchInverted<F>>(divisions: &mut D, inverses: [F; 2]) {
    if const { D::SELDOM || F::PRODUCTS_ARE_CALLS } {
        backward_inverses_one_by_one(divisions, inverses);
    } else if const { D::LONG } {
        backward_inverses_in_one_copy(divisions, inverses);
    } else {
        backward_inverses_two_by_two(divisions, inverses);
    }
}

/// The same, two at a time, side by side.
#[inline(always)]
fn backward_inverses_two_by_two<F: Field, D: BatchInverted<F>>(divisions: &mut D, inverses: [F; 2]) {
    let [mut other, mut inverse] = inverses;
    let mut count = divisions.count();
    if D::ODD_ALONE && count % 2 == 1 {
        count -= 1;
        let operands = divisions.operands(count);
        let own = inverse.mul(divisions.load_prefix(count));
        (inverse, other) = (other, inverse.mul(D::denominator(&operands)));
        divisions.finish(count, D::solve(&operands, own));
    }
    if count == 0 {
        return;
    }
    // The first one of an odd number has itself for company, to no effect.
    let [here, there] = last_two(count);
    let (mut first, mut second) = (divisions.operands(here), divisions.operands(there));
    loop {
        let [here, there] = last_two(count);
        let left = count.saturating_sub(2);
        let [next, next_but_one] = last_two(left);
        let own = inverse.mul(divisions.load_prefix(here));
        // What comes next is read between products, for which a machine has other units.
        let next_first = divisions.operands(next);
        let other_own = other.mul(divisions.load_prefix(there));
        let next_second = divisions.operands(next_but_one);
        inverse = inverse.mul(D::denominator(&first));
        other = other.mul(D::denominator(&second));
        let [result, other_result] = D::solve_two([&first, &second], [own, other_own]);
        divisions.finish(here, result);
        if count > 1 {
            divisions.finish(there, other_result);
        }
        if left == 0 {
            return;
        }
        (first, second) = (next_first, next_second);
        count = left;
    }
}

/// The last two of so many; the first one twice if there is no other.
#[inline(always)]
fn last_two(count: usize) -> [usize; 2] {
    [count.saturating_sub(1), count.saturating_sub(2)]
}

/// The same in less code, for divisions that need not be laid out side by side.
#[inline(always)]
fn backward_inverses_in_one_copy<F: Field, D: BatchInverted<F>>(divisions: &mut D, inverses: [F; 2]) {
    let [mut other, mut inverse] = inverses;
    let mut count = divisions.count();
    while count > 0 {
        // The last one of an odd number has itself for company, to no effect.
        let (first, second) = (count - 1, count.saturating_sub(2));
        let operands = [divisions.operands(first), divisions.operands(second)];
        let own = inverse.mul(divisions.load_prefix(first));
        let other_own = other.mul(divisions.load_prefix(second));
        inverse = inverse.mul(D::denominator(&operands[0]));
        other = other.mul(D::denominator(&operands[1]));
        let results = D::solve_two([&operands[0], &operands[1]], [own, other_own]);
        for result in results.into_iter().take(count) {
            count -= 1;
            divisions.finish(count, result);
        }
    }
}

/// The same one after another.
#[inline(always)]
fn backward_inverses_one_by_one<F: Field, D: BatchInverted<F>>(divisions: &mut D, inverses: [F; 2]) {
    let [mut other, mut inverse] = inverses;
    for index in (0..divisions.count()).rev() {
        let operands = divisions.operands(index);
        let factors = [inverse, divisions.load_prefix(index), D::denominator(&operands)];
        let [own, left] = F::formula::<StepBack, 3, 2>(factors);
        (inverse, other) = (other, left);
        divisions.finish(index, D::solve(&operands, own));
    }
}

/// The inverse of a division's own denominator, and that of the product without it.
struct StepBack;

impl Formula<3, 2> for StepBack {
    #[inline(always)]
    fn run<F: Field>([inverse, prefix, denominator]: [F; 3]) -> [F; 2] {
        [inverse.mul(prefix), inverse.mul(denominator)]
    }
}
