//! The inverses of eight lanes by one inversion.

use super::memory::{Element, Fe8, Machine};
use crate::{
    field::{invert, invert_vartime},
    group::Fe,
};
use phalanx_engine::{
    field::{
        Field,
        quotients::{Divisions, divide_down, multiply_up},
    },
    word::{LANES, Mask8, Op, Word},
};
use zeroize::optimization_barrier;

/// Runs all divisions of a stage. The lanes of which some denominator was zero, where every result is void, come back.
pub(super) fn divide<M: Machine, D: Stage>(machine: M, stage: &mut D) -> Mask8 {
    if stage.is_empty() {
        return Mask8(0);
    }
    let (mut product, products) = machine.run(Up(stage));
    let void = invert_lanes_vartime(&mut product);
    machine.run(Down(stage, product, products));
    void
}

/// As [`divide`], in constant time, for stages of which no denominator can be zero.
pub(super) fn divide_secret<M: Machine, D: Stage>(machine: M, stage: &mut D) {
    if stage.is_empty() {
        return;
    }
    let (mut product, mut products) = machine.run(Up(stage));
    invert_lanes(&mut product);
    machine.run(Down(stage, product, products));
    products = [Element::ZERO; 2];
    product = [[0; 4]; LANES];
    optimization_barrier(&product);
    optimization_barrier(&products);
}

/// Divisions for any word.
pub(super) trait Stage {
    /// The same with the words named.
    type On<'a, W: Word>: Divisions<Fe8<W>>
    where
        Self: 'a;

    fn on<W: Word>(&mut self) -> Self::On<'_, W>;

    fn is_empty(&self) -> bool;

    /// What is left to do when all divisions are done.
    #[inline(always)]
    fn end<W: Word>(_: Self::On<'_, W>) {}
}

struct Up<'a, D>(&'a mut D);

impl<D: Stage> Op for Up<'_, D> {
    type Output = ([[u64; 4]; LANES], [Element; 2]);

    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let [a, b] = multiply_up(&mut self.0.on::<W>());
        let mut products = [Element::ZERO; 2];
        products[0].store(a);
        products[1].store(b);
        (a.mul(b).normalize().to_lanes(), products)
    }
}

struct Down<'a, D>(&'a mut D, [[u64; 4]; LANES], [Element; 2]);

impl<D: Stage> Op for Down<'_, D> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let inverse = Fe8::<W>::from_lanes(self.1);
        let (a, b) = (self.2[0].load(), self.2[1].load());
        let mut divisions = self.0.on::<W>();
        divide_down(&mut divisions, [inverse.mul(b), inverse.mul(a)]);
        D::end(divisions);
    }
}

/// Inverts the canonical number of each lane; lanes of zero come back, and keep some other number.
fn invert_lanes_vartime(lanes: &mut [[u64; 4]; LANES]) -> Mask8 {
    let mut void = 0;
    let mut values = [Fe::one(); LANES];
    let mut below = [Fe::one(); LANES];
    let mut product = Fe::one();
    for (i, lane) in lanes.iter().enumerate() {
        if *lane == [0; 4] {
            void |= 1 << i;
        } else {
            values[i] = Fe::from_words(*lane);
        }
        below[i] = product;
        product = product.mul(values[i]);
    }
    let mut inverse = invert_vartime(product);
    for i in (0..LANES).rev() {
        lanes[i] = inverse.mul(below[i]).normalize().to_words();
        inverse = inverse.mul(values[i]);
    }
    Mask8(void)
}

/// Inverts the canonical number of each lane, of which none may be zero: all would become zero. Constant time.
fn invert_lanes(lanes: &mut [[u64; 4]; LANES]) {
    let values = lanes.map(Fe::from_words);
    let mut below = [Fe::one(); LANES];
    let mut product = Fe::one();
    for (below, value) in below.iter_mut().zip(values) {
        *below = product;
        product = product.mul(value);
    }
    let mut inverse = invert(product);
    for i in (0..LANES).rev() {
        lanes[i] = inverse.mul(below[i]).normalize().to_words();
        inverse = inverse.mul(values[i]);
    }
}
