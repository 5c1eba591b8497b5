//! Additions one after another, on any CPU.

use super::{
    AffineAdder,
    packed::{One, Packing},
    round::{AnyRows, Apart, ArenaProducts, Complete, InPlace, Onto, Ordinary, Round, Rows},
};
use crate::{
    arena::Arena,
    curve::{Affine, Curve, GlvCurve, RowModel},
    field::{
        BaseField, Field, FieldX1,
        batch_inversion::{BatchInverted, backward_inverses, forward_products},
    },
    lanes::{read_entry, write_entry},
    word::{CacheLine, Emulation, PointPair},
};
use core::marker::PhantomData;

/// One lane.
#[derive(Debug, Clone, Copy)]
pub struct OneLane<C>(PhantomData<C>);

impl<C: Curve> OneLane<C> {
    /// Adds points of the curve.
    pub const fn new() -> Self {
        OneLane(PhantomData)
    }
}

impl<C: Curve> Default for OneLane<C> {
    fn default() -> Self {
        Self::new()
    }
}

/// A coordinate of the curve.
type Fe<C> = <<C as Curve>::Field as BaseField>::X1;

impl<C: Curve> AffineAdder for OneLane<C> {
    type Curve = C;
    type Machine = Emulation;
    type Kept = Fe<C>;

    const LANES: usize = 1;

    #[inline(always)]
    fn machine(&self) -> Emulation {
        Emulation
    }

    fn round(&self, rows: AnyRows<'_>, pairs: &[PointPair], doublings: bool, work: &mut ArenaProducts<'_, Fe<C>>) {
        let (kept, infinity) = work.products(pairs.len());
        let mut round = Round { rows: PlacedRows::of(rows), pairs, kept };
        if doublings || *infinity || !divide::<C::Field, _>(&mut Ordinary::<_, One<C::Field>>(&mut round)) {
            let mut complete = Complete::<RowModel<C>, _, One<C::Field>>::new(&mut round, infinity);
            let divided = divide::<C::Field, _>(&mut complete);
            debug_assert!(divided, "no denominator of a complete addition is zero");
        }
    }

    fn arena_products<'m, 'env: 'm>(pairs: usize, arena: &mut Arena<'m, 'env>) -> ArenaProducts<'m, Fe<C>>
    where
        Fe<C>: 'env,
    {
        ArenaProducts::new(arena.filled(pairs, Fe::<C>::zero()).into_slice())
    }

    fn images(&self, points: &[CacheLine], images: &mut [CacheLine])
    where
        C: GlvCurve,
    {
        for (point, image) in points.iter().zip(images) {
            let point: Affine<Fe<C>> = read_entry(point);
            *image = write_entry(&point.endomorphism::<C>().normalize());
        }
    }
}

/// Any kind of rows, for one lane. What differs between kinds does not change in a round, so all are compiled once.
struct PlacedRows<'a> {
    /// Where the sums go.
    sums: &'a mut [CacheLine],
    /// Where first and second points are, unless they are among the sums.
    points: [Option<&'a [CacheLine]>; 2],
    /// Whether sum `i` goes to row `i`. Otherwise it goes where the first point of its pair was.
    in_order: bool,
}

impl<'a> PlacedRows<'a> {
    fn of(rows: AnyRows<'a>) -> Self {
        match rows {
            AnyRows::Apart(Apart { points, sums }) => PlacedRows { sums, points: [Some(points); 2], in_order: true },
            AnyRows::InPlace(InPlace(sums)) => PlacedRows { sums, points: [None; 2], in_order: false },
            AnyRows::Onto(Onto { sums, table }) => PlacedRows { sums, points: [None, Some(table)], in_order: false },
        }
    }
}

impl Rows for PlacedRows<'_> {
    #[inline(always)]
    fn points(&self) -> [&[CacheLine]; 2] {
        let [first, second] = self.points;
        [first.unwrap_or(self.sums), second.unwrap_or(self.sums)]
    }
    #[inline(always)]
    fn gather<K: Packing>(&self, pairs: &[PointPair]) -> [Affine<K::Field>; 2] {
        K::gather_from(self.points(), pairs)
    }
    #[inline(always)]
    fn gather_x<K: Packing>(&self, pairs: &[PointPair]) -> [K::Field; 2] {
        K::gather_x_from(self.points(), pairs)
    }
    #[inline(always)]
    fn put<K: Packing>(&mut self, first: usize, pairs: &[PointPair], sum: Affine<K::Field>) {
        let index = if self.in_order { first } else { pairs[0][0].index() };
        K::scatter(sum, &mut self.sums[index..=index]);
    }
}

/// A function of its own, because every kind of round calls it, once.
#[inline(never)]
fn inverse<F: BaseField>(x: F::X1) -> F::X1 {
    F::X1::from_words(F::invert_vartime(&x.normalize().to_words()))
}

/// Runs all divisions and returns `true`. If some denominator is zero, returns `false`, and no division is finished.
fn divide<F: BaseField, D: BatchInverted<F::X1>>(divisions: &mut D) -> bool {
    let [a, b] = forward_products(divisions);
    let product = a.mul(b);
    if product.is_zero_vartime() {
        return false;
    }
    let inverse = inverse::<F>(product);
    backward_inverses(divisions, [inverse.mul(b), inverse.mul(a)]);
    true
}
