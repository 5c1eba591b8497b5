//! The odd multiples P, 3 P, ..., 15 P of points: a table per point, whose lanes are the multiples.
//!
//! Lane l of a group computes the multiples of the group's point l. The first one stays as it is. Each other one is
//! affine over a denominator of its own, which is the one before times a ratio (`Affine::add_co_z`), so a group costs
//! one division. Then lanes and multiples are exchanged.

use super::X8;
use crate::{
    curve::{Affine, Curve},
    field::{Field, batch_inversion::BatchInverted},
    lanes::{AffineX8, BatchStep, FeX8Mem, divide, exchange_lanes, read_entries},
    word::{CacheLine, LANES, Machine, Mask, Op, Word},
};
use core::marker::PhantomData;

/// Elements of spare memory for each group of eight points.
pub(super) const SPARE: usize = LANES + 1;

/// Writes the tables of the points in `rows`, to `tables` for eight points at a time. `spare` has [`SPARE`] elements
/// for each eight points.
///
/// # Panics
/// If the order of a point is below 32.
pub(super) fn tables<M: Machine, C: Curve>(
    machine: M,
    rows: &[CacheLine],
    tables: &mut [AffineX8<C>],
    spare: &mut [FeX8Mem<C::Field>],
) {
    let (ratios, products) = spare.split_at_mut(tables.len());
    let zero_denominator = divide(machine, &mut MultiplesInLanes { rows, tables, ratios, products });
    assert!(!zero_denominator.any(), "a point of an order below 32");
}

/// Writes the x of the images of points, all of whose x times BETA, for each of their multiples.
pub(super) fn images<M: Machine, C: Curve>(
    machine: M,
    beta: [u64; 4],
    tables: &[AffineX8<C>],
    images: &mut [FeX8Mem<C::Field>],
) {
    machine.run(ImagesInLanes { beta, tables, images });
}

struct MultiplesInLanes<'a, C: Curve> {
    rows: &'a [CacheLine],
    /// Eight for each group: its multiples, and in the end its tables.
    tables: &'a mut [AffineX8<C>],
    /// Eight for each group: first the denominator of the last multiple, then the ratios of the others.
    ratios: &'a mut [FeX8Mem<C::Field>],
    /// One for each group.
    products: &'a mut [FeX8Mem<C::Field>],
}

impl<C: Curve> BatchStep for MultiplesInLanes<'_, C> {
    type Field = C::Field;
    type ForWord<'b, W: Word>
        = RunningMultiples<'b, C, W>
    where
        Self: 'b;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> RunningMultiples<'_, C, W> {
        let MultiplesInLanes { rows, tables, ratios, products } = self;
        RunningMultiples { rows, tables, ratios, products, words: PhantomData }
    }
    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

struct RunningMultiples<'a, C: Curve, W> {
    rows: &'a [CacheLine],
    tables: &'a mut [AffineX8<C>],
    ratios: &'a mut [FeX8Mem<C::Field>],
    products: &'a mut [FeX8Mem<C::Field>],
    words: PhantomData<W>,
}

impl<C: Curve, W: Word> BatchInverted<X8<C, W>> for RunningMultiples<'_, C, W> {
    type Operands = X8<C, W>;
    type Result = X8<C, W>;

    const LONG: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        self.products.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> X8<C, W> {
        self.ratios[LANES * index].load()
    }
    #[inline(always)]
    fn denominator(last: &X8<C, W>) -> X8<C, W> {
        *last
    }
    /// Computes the multiples.
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> X8<C, W> {
        let rows = &self.rows[LANES * index..];
        let at = |lane: usize| &rows[lane.min(rows.len() - 1)];
        let point: Affine<X8<C, W>> = read_entries([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
        let (mut step, mut sum, mut last) = point.double_co_z_on::<C>();
        let (multiples, ratios) = (&mut self.tables[LANES * index..], &mut self.ratios[LANES * index..]);
        multiples[0].store(point);
        for place in 1..LANES {
            let ratio;
            (sum, step, ratio) = step.add_co_z(sum);
            last = last.mul(ratio);
            multiples[place].store(sum);
            ratios[place].store(ratio.weaken());
        }
        ratios[0].store(last);
        last
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: X8<C, W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> X8<C, W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve(_: &X8<C, W>, inverse: X8<C, W>) -> X8<C, W> {
        inverse
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, mut inverse: X8<C, W>) {
        let multiples = &mut self.tables[LANES * index..][..LANES];
        let ratios = &self.ratios[LANES * index..][..LANES];
        for place in (1..LANES).rev() {
            let Affine { x, y } = multiples[place].load();
            let square = inverse.square();
            multiples[place].store(Affine { x: x.mul(square), y: y.mul(square.mul(inverse)) });
            if place > 1 {
                inverse = inverse.mul(ratios[place].load());
            }
        }
        exchange_lanes::<C, W>(multiples);
    }
}

struct ImagesInLanes<'a, C: Curve> {
    beta: [u64; 4],
    tables: &'a [AffineX8<C>],
    images: &'a mut [FeX8Mem<C::Field>],
}

impl<C: Curve> Op for ImagesInLanes<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let beta = X8::<C, W>::constant(self.beta);
        for (image, table) in self.images.iter_mut().zip(self.tables) {
            image.store(table.x.load::<W>().mul(beta));
        }
    }
}
