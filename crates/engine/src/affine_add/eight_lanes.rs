//! Additions eight side by side, on the words of a machine.

use super::{
    AffineAdder,
    packed::{EightPacked, Packing},
    round::{AnyRows, ArenaProducts, Complete, Ordinary, Round},
};
use crate::{
    arena::Arena,
    curve::{Affine, Curve, GlvCurve},
    field::BaseField,
    lanes::{BatchStep, FeX8Mem, divide, read_entries},
    word::{CacheLine, LANES, Machine, Mask, Op, PointPair, Word},
};
use core::marker::PhantomData;

/// Eight lanes on a machine.
#[derive(Debug, Clone, Copy)]
pub struct EightLanes<M, C> {
    machine: M,
    curve: PhantomData<C>,
}

impl<M: Machine, C: Curve> EightLanes<M, C> {
    /// Adds points of the curve on the machine.
    pub const fn new(machine: M) -> Self {
        EightLanes { machine, curve: PhantomData }
    }
}

impl<M: Machine, C: Curve> AffineAdder for EightLanes<M, C> {
    type Curve = C;
    type Machine = M;
    type Kept = FeX8Mem<C::Field>;

    const LANES: usize = LANES;

    #[inline(always)]
    fn machine(&self) -> M {
        self.machine
    }

    fn round(
        &self,
        rows: AnyRows<'_>,
        pairs: &[PointPair],
        doublings: bool,
        work: &mut ArenaProducts<'_, FeX8Mem<C::Field>>,
    ) {
        let (kept, infinity) = work.products(pairs.len().div_ceil(LANES));
        let round = &mut Round { rows, pairs, kept };
        if doublings || *infinity || divide(self.machine, &mut OrdinaryStep(&mut *round)).any() {
            let mut complete = CompleteStep::<C> { round, infinity };
            let zero_denominator = divide(self.machine, &mut complete);
            debug_assert!(!zero_denominator.any(), "no denominator of a complete addition is zero");
        }
    }

    fn arena_products<'m, 'env: 'm>(pairs: usize, arena: &mut Arena<'m, 'env>) -> ArenaProducts<'m, FeX8Mem<C::Field>>
    where
        FeX8Mem<C::Field>: 'env,
    {
        ArenaProducts::new(arena.numbers(pairs.div_ceil(LANES)))
    }

    fn images(&self, points: &[CacheLine], images: &mut [CacheLine])
    where
        C: GlvCurve,
    {
        self.machine.run(Images { points, images, curve: PhantomData::<C> });
    }
}

/// A round of [`Ordinary`] additions: if it fails for one pair, no sum is written.
struct OrdinaryStep<'r, 'a, F>(&'r mut Round<'a, AnyRows<'a>, FeX8Mem<F>>);

impl<'a, F: BaseField> BatchStep for OrdinaryStep<'_, 'a, F> {
    type Field = F;
    type ForWord<'b, W: Word>
        = Ordinary<'b, 'a, AnyRows<'a>, EightPacked<F, W>>
    where
        Self: 'b;
    const ALL_OR_NOTHING: bool = true;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Ordinary<'_, 'a, AnyRows<'a>, EightPacked<F, W>> {
        Ordinary(&mut *self.0)
    }
    fn is_empty(&self) -> bool {
        self.0.pairs.is_empty()
    }
}

/// A round of [`Complete`] additions.
struct CompleteStep<'r, 'a, C: Curve> {
    round: &'r mut Round<'a, AnyRows<'a>, FeX8Mem<C::Field>>,
    infinity: &'r mut bool,
}

impl<'a, C: Curve> BatchStep for CompleteStep<'_, 'a, C> {
    type Field = C::Field;
    type ForWord<'b, W: Word>
        = Complete<'b, 'a, C, AnyRows<'a>, EightPacked<C::Field, W>>
    where
        Self: 'b;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Complete<'_, 'a, C, AnyRows<'a>, EightPacked<C::Field, W>> {
        Complete::new(&mut *self.round, &mut *self.infinity)
    }
    fn is_empty(&self) -> bool {
        self.round.pairs.is_empty()
    }
}

struct Images<'a, C> {
    points: &'a [CacheLine],
    images: &'a mut [CacheLine],
    curve: PhantomData<C>,
}

impl<C: GlvCurve> Op for Images<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (points, images) in self.points.chunks(LANES).zip(self.images.chunks_mut(LANES)) {
            let at = |lane: usize| &points[lane.min(points.len() - 1)];
            let rows = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
            let point: Affine<<C::Field as BaseField>::X8<W>> = read_entries(rows);
            EightPacked::<C::Field, W>::scatter(point.endomorphism::<C>(), images);
        }
    }
}
