//! Fractions modulo the group order: two numerators over one denominator in each lane, all by one inversion.
//!
//! A number x is taken as Montgomery's form of x / R as it stands, which spares the way into that form: the inverse of
//! d / R times x / R is x / d.

use super::{
    inversion::{BatchStep, divide, step_of_any_word},
    memory::{CacheLine, Machine, Numbers, Order, ScalarX8Mem, U256x8},
};
use crate::Scalar;
use phalanx_engine::{
    field::{Field, FieldX8, MontX8, Montgomery, batch_inversion::BatchInverted},
    word::{LANES, Mask, Word},
};

type OrderX8<W> = MontX8<Order, W>;

/// Two fractions in each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fractions {
    numerators: [U256x8; 2],
    denominator: U256x8,
}

impl Fractions {
    /// Fractions that are one.
    pub(crate) const ONE: Fractions = {
        let mut one = U256x8::ZERO;
        one.0[0].0 = [1; LANES];
        Fractions { numerators: [one; 2], denominator: one }
    };

    /// Sets a lane's numerators and its denominator, which is not zero.
    pub(crate) fn set(&mut self, lane: usize, numerators: [&Scalar; 2], denominator: &Scalar) {
        for (numbers, numerator) in self.numerators.iter_mut().zip(numerators) {
            numbers.set(lane, numerator.limbs());
        }
        self.denominator.set(lane, denominator.limbs());
    }

    /// The fractions of a lane, after [`divide_fractions`].
    pub(crate) fn get(&self, lane: usize) -> [Scalar; 2] {
        let [a, b] = &self.numerators;
        [a, b].map(|numbers| Scalar::from_limbs_reduced(numbers.get(lane)))
    }
}

/// Computes all fractions.
pub(crate) fn divide_fractions<M: Machine>(machine: M, fractions: &mut [Fractions], memory: &mut [CacheLine]) {
    let products: &mut [ScalarX8Mem] = Numbers::new(memory).take(fractions.len());
    let zero_denominator = divide(machine, &mut Divisions { fractions, products });
    debug_assert!(!zero_denominator.any(), "no denominator is zero");
}

/// A number as it stands.
#[inline(always)]
fn stand<W: Word>(numbers: &U256x8) -> OrderX8<W> {
    OrderX8::from_row(numbers.load())
}

struct Divisions<'a> {
    fractions: &'a mut [Fractions],
    products: &'a mut [ScalarX8Mem],
}

step_of_any_word!(Divisions, Montgomery<Order>, fractions);

impl<W: Word> BatchInverted<OrderX8<W>> for &mut Divisions<'_> {
    type Operands = OrderX8<W>;
    type Result = OrderX8<W>;

    const SELDOM: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        self.fractions.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> OrderX8<W> {
        stand(&self.fractions[index].denominator)
    }
    #[inline(always)]
    fn denominator(operands: &OrderX8<W>) -> OrderX8<W> {
        *operands
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: OrderX8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> OrderX8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve(_: &OrderX8<W>, inverse: OrderX8<W>) -> OrderX8<W> {
        inverse
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, inverse: OrderX8<W>) {
        let [a, b] = &mut self.fractions[index].numerators;
        a.store(stand(a).mul(inverse).to_words());
        b.store(stand(b).mul(inverse).to_words());
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{on_machines, scalar, with_memory},
        *,
    };
    use alloc::vec;

    on_machines! {
        fn fractions_are_those_of_one_lane(machine) {
            for groups in [0, 1, 2, 7] {
                let row = |i: usize| [3 * i as u64, 3 * i as u64 + 1, 3 * i as u64 + 2].map(scalar);
                let mut fractions = vec![Fractions::ONE; groups];
                for i in 0..groups * LANES {
                    let [a, b, mut d] = row(i);
                    if bool::from(d.is_zero()) {
                        d = -Scalar::ONE;
                    }
                    fractions[i / LANES].set(i % LANES, [&a, &b], &d);
                }
                let before = fractions.clone();
                with_memory(|memory| divide_fractions(machine, &mut fractions, memory));
                for i in 0..groups * LANES {
                    let [a, b] = before[i / LANES].get(i % LANES);
                    let d = Scalar::from_limbs(before[i / LANES].denominator.get(i % LANES)).unwrap();
                    let [x, y] = fractions[i / LANES].get(i % LANES);
                    assert_eq!([x * d, y * d], [a, b]);
                }
            }
        }
    }
}
