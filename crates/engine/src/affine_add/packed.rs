//! Reads points from rows and writes points to rows, in one lane and in eight.

use crate::{
    curve::Affine,
    field::{BaseField, Field, FieldX1, FieldX8},
    lanes::{FeX8Mem, INFINITY, read_model_vartime, read_model_x_vartime, write_model, write_weak_entries},
    word::{CacheLine, LANES, Mask8, PointPair, PointRef, Word, prefetch_soon},
};
use core::marker::PhantomData;

/// The field of the coordinates, in one or in eight lanes.
pub(super) trait Packing {
    /// The field.
    type Field: Field;
    /// An element in memory.
    type Stored: Copy;
    /// The number of lanes.
    const LANES: usize;

    fn stored(element: Self::Field) -> Self::Stored;
    fn load(stored: &Self::Stored) -> Self::Field;

    /// The two points of `pairs[l]` in lane `l`, as [`Affine::add_with`] takes them. Lanes beyond the last pair repeat it.
    fn gather(rows: &[CacheLine], pairs: &[PointPair]) -> [Affine<Self::Field>; 2];

    /// As [`Self::gather`], but only the x of the points.
    fn gather_x(rows: &[CacheLine], pairs: &[PointPair]) -> [Self::Field; 2];

    /// As [`Self::gather`], with the first points in the one memory and the second points in the other.
    fn gather_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [Affine<Self::Field>; 2];

    /// As [`Self::gather_from`], but only the x of the points.
    fn gather_x_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [Self::Field; 2];

    /// Prefetches the points of the first pairs, one pair per lane, which will be gathered soon: the first and the
    /// second points each from their memory.
    #[inline(always)]
    fn prefetch(rows: [&[CacheLine]; 2], pairs: &[PointPair]) {
        for [first, second] in pairs.iter().take(Self::LANES) {
            prefetch_soon(rows[0], *first);
            prefetch_soon(rows[1], *second);
        }
    }

    /// Writes the point of lane `l` to `rows[l]`. There are at most [`Self::LANES`] rows.
    fn scatter(point: Affine<Self::Field>, rows: &mut [CacheLine]);

    /// Writes the point of lane `l` to the row of the first point of `pairs[l]`.
    fn scatter_to_firsts(point: Affine<Self::Field>, rows: &mut [CacheLine], pairs: &[PointPair]);
}

/// One lane of a field, on the [`RowModel`](crate::curve::RowModel) of a curve.
pub(super) struct One<F>(PhantomData<F>);

impl<F: BaseField> Packing for One<F> {
    type Field = F::X1;
    type Stored = F::X1;
    const LANES: usize = 1;

    #[inline(always)]
    fn stored(element: F::X1) -> F::X1 {
        element
    }
    #[inline(always)]
    fn load(stored: &F::X1) -> F::X1 {
        *stored
    }
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair]) -> [Affine<F::X1>; 2] {
        Self::gather_from([rows; 2], pairs)
    }
    #[inline(always)]
    fn gather_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [Affine<F::X1>; 2] {
        let [first, second] = pairs[0];
        [read_signed(rows[0], first), read_signed(rows[1], second)]
    }
    #[inline(always)]
    fn gather_x(rows: &[CacheLine], pairs: &[PointPair]) -> [F::X1; 2] {
        Self::gather_x_from([rows; 2], pairs)
    }
    #[inline(always)]
    fn gather_x_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [F::X1; 2] {
        let [first, second] = pairs[0];
        [read_model_x_vartime(&rows[0][first.index()]), read_model_x_vartime(&rows[1][second.index()])]
    }
    #[inline(always)]
    fn scatter(point: Affine<F::X1>, rows: &mut [CacheLine]) {
        rows[0] = write_model(&point.normalize());
    }
    #[inline(always)]
    fn scatter_to_firsts(point: Affine<F::X1>, rows: &mut [CacheLine], pairs: &[PointPair]) {
        rows[pairs[0][0].index()] = write_model(&point.normalize());
    }
}

/// The point that a reference means, on the model. No closure, which might stay a call.
#[inline(always)]
fn read_signed<F: FieldX1>(rows: &[CacheLine], reference: PointRef) -> Affine<F> {
    let point: Affine<F> = read_model_vartime(&rows[reference.index()]);
    if reference.is_negated() { Affine { x: point.x, y: point.y.negate(1) } } else { point }
}

/// Eight lanes of a field over some words.
pub(super) struct EightPacked<F, W>(PhantomData<(F, W)>);

impl<F: BaseField, W: Word> Packing for EightPacked<F, W> {
    type Field = F::X8<W>;
    type Stored = FeX8Mem<F>;
    const LANES: usize = LANES;

    #[inline(always)]
    fn stored(element: F::X8<W>) -> FeX8Mem<F> {
        let mut stored = FeX8Mem::ZERO;
        stored.store::<W>(element);
        stored
    }
    #[inline(always)]
    fn load(stored: &FeX8Mem<F>) -> F::X8<W> {
        stored.load::<W>()
    }
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair]) -> [Affine<F::X8<W>>; 2] {
        let mut last = LAST;
        let pairs = eight(pairs, &mut last);
        let ([first, second], [no_first, no_second]) = (W::gather(rows, pairs), W::negations(pairs));
        [first_point(first, no_first), second_point(second, no_second)]
    }
    #[inline(always)]
    fn gather_x(rows: &[CacheLine], pairs: &[PointPair]) -> [F::X8<W>; 2] {
        let mut last = LAST;
        let pairs = eight(pairs, &mut last);
        let [first, second] = W::gather_half(rows, pairs);
        [F::X8::from_row_to_subtract(first), F::X8::from_row_to_subtract(second)]
    }
    #[inline(always)]
    fn gather_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [Affine<F::X8<W>>; 2] {
        let mut last = LAST;
        let pairs = eight(pairs, &mut last);
        let [no_first, no_second] = W::negations(pairs);
        let ([first, _], [_, second]) = (W::gather(rows[0], &twice(pairs, 0)), W::gather(rows[1], &twice(pairs, 1)));
        [first_point(first, no_first), second_point(second, no_second)]
    }
    #[inline(always)]
    fn gather_x_from(rows: [&[CacheLine]; 2], pairs: &[PointPair]) -> [F::X8<W>; 2] {
        let mut last = LAST;
        let pairs = eight(pairs, &mut last);
        let [first, _] = W::gather_half(rows[0], &twice(pairs, 0));
        let [_, second] = W::gather_half(rows[1], &twice(pairs, 1));
        [F::X8::from_row_to_subtract(first), F::X8::from_row_to_subtract(second)]
    }
    #[inline(always)]
    fn scatter(point: Affine<F::X8<W>>, rows: &mut [CacheLine]) {
        if rows.len() == LANES {
            write_weak_entries(point, rows, 1);
        } else {
            let mut all = [INFINITY; LANES];
            write_weak_entries(point, &mut all, 1);
            rows.copy_from_slice(&all[..rows.len()]);
        }
    }
    #[inline(always)]
    fn scatter_to_firsts(point: Affine<F::X8<W>>, rows: &mut [CacheLine], pairs: &[PointPair]) {
        let mut all = [INFINITY; LANES];
        write_weak_entries(point, &mut all, 1);
        for ([first, _], row) in pairs.iter().zip(all) {
            rows[first.index()] = row;
        }
    }
}

/// Memory for [`eight`].
const LAST: [PointPair; LANES] = [[PointRef::new(0, false); 2]; LANES];

/// The first eight pairs. If there are fewer, they are copied to `memory`, and the last one is repeated.
#[inline(always)]
fn eight<'a>(pairs: &'a [PointPair], memory: &'a mut [PointPair; LANES]) -> &'a [PointPair; LANES] {
    match pairs.first_chunk() {
        Some(pairs) => pairs,
        None => {
            *memory = [pairs[pairs.len() - 1]; LANES];
            memory[..pairs.len()].copy_from_slice(pairs);
            memory
        }
    }
}

/// One reference of each pair, twice: where two memories are read one after the other, a pair may not refer to both.
#[inline(always)]
fn twice(pairs: &[PointPair; LANES], which: usize) -> [PointPair; LANES] {
    let [a, b, c, d, e, f, g, h] = pairs;
    [
        [a[which]; 2],
        [b[which]; 2],
        [c[which]; 2],
        [d[which]; 2],
        [e[which]; 2],
        [f[which]; 2],
        [g[which]; 2],
        [h[which]; 2],
    ]
}

/// The points of eight rows, given word by word, with those of the lanes `negated` negated: the first ones of pairs.
#[inline(always)]
fn first_point<F: FieldX8>([x0, x1, x2, x3, y0, y1, y2, y3]: [F::Word; LANES], negated: Mask8) -> Affine<F> {
    let (x, y) = (F::from_row_to_subtract([x0, x1, x2, x3]), F::from_row([y0, y1, y2, y3]));
    Affine { x, y: y.negate_where(negated, 1) }
}

/// The same for the second ones.
#[inline(always)]
fn second_point<F: FieldX8>([x0, x1, x2, x3, y0, y1, y2, y3]: [F::Word; LANES], negated: Mask8) -> Affine<F> {
    let (x, y) = (F::from_row_to_subtract([x0, x1, x2, x3]), F::from_row_to_subtract([y0, y1, y2, y3]));
    Affine { x, y: y.negate_where(negated, 1) }
}
