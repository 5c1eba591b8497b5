//! The sums of columns put together by Horner's rule: one vector after the other, or eight side by side.

use super::limits::COLUMNS_DEALT_FROM;
use super::workspace::{ColumnSets, Listed, Set};
use crate::{
    affine_add::AffineAdder,
    curve::{Affine, Curve, Jacobian, RowModel},
    field::{BaseField, FieldX1},
    lanes::{INFINITY, JacobianLanes, is_infinity, read_entries, read_model_vartime},
    msm::Sum,
    word::{CacheLine, LANES, Machine, Mask, Mask8, Op, Word},
};

/// Writes the sum of each vector that is listed, whose sets are summed.
pub(super) fn horner<A: AffineAdder>(adder: &A, listed: &Listed<'_>, sums: &mut [Sum<A::Curve>]) {
    let (rows, sets) = (&listed.rows[..], &listed.sets[..]);
    // Known when this is compiled: then one lane has no code of eight.
    if const { A::LANES == 1 } {
        for (columns, sum) in listed.vectors.iter().zip(sums) {
            *sum = one_vector::<A::Curve>(rows, sets, *columns);
        }
        return;
    }
    for (vectors, sums) in listed.vectors.chunks(LANES).zip(sums.chunks_mut(LANES)) {
        match vectors {
            [columns] if columns.count < COLUMNS_DEALT_FROM => sums[0] = one_vector::<A::Curve>(rows, sets, *columns),
            [columns] => sums[0] = eighths(adder, rows, sets, *columns),
            _ => eight_vectors(adder, rows, sets, vectors, sums),
        }
    }
}

/// The sum of one vector: eight runs of its columns side by side, then their sums one after the other.
fn eighths<A: AffineAdder>(adder: &A, rows: &[CacheLine], sets: &[Set], columns: ColumnSets) -> Sum<A::Curve> {
    let each = columns.count.div_ceil(LANES);
    let run = |lane: usize| {
        let from = (lane * each).min(columns.count);
        ColumnSets { first: columns.first + from, count: each.min(columns.count - from) }
    };
    let mut sums = [Sum::<A::Curve>::infinity(); LANES];
    eight_vectors(adder, rows, sets, &core::array::from_fn::<_, LANES, _>(run), &mut sums);
    sums.into_iter().rev().fold(Sum::<A::Curve>::infinity(), |sum, next| {
        (0..each).fold(sum, |sum, _| sum.double_vartime::<A::Curve>()).add_vartime::<A::Curve>(next)
    })
}

/// The sums of up to eight vectors, one per lane.
fn eight_vectors<A: AffineAdder>(
    adder: &A,
    rows: &[CacheLine],
    sets: &[Set],
    vectors: &[ColumnSets],
    sums: &mut [Sum<A::Curve>],
) {
    let mut lanes = JacobianLanes::<A::Curve>::ZERO;
    let started = adder.machine().run(EightVectors { rows, sets, vectors, sums: &mut lanes });
    for (lane, (sum, columns)) in sums.iter_mut().zip(vectors).enumerate() {
        *sum = lanes.get(lane);
        if sum.z.is_zero_vartime() && started.lane(lane) {
            // Two points were equal or opposite, or the sum is infinity.
            *sum = one_vector::<A::Curve>(rows, sets, *columns);
        }
    }
}

/// The sum of a column, unless it is infinity.
#[inline(always)]
fn sum_of_column<'a>(
    rows: &'a [CacheLine],
    sets: &[Set],
    columns: &ColumnSets,
    column: usize,
) -> Option<&'a CacheLine> {
    let set = sets[columns.first..columns.first + columns.count].get(column).filter(|set| set.count > 0)?;
    Some(&rows[set.first]).filter(|row| !is_infinity(row))
}

fn one_vector<C: Curve>(rows: &[CacheLine], sets: &[Set], columns: ColumnSets) -> Sum<C> {
    RowModel::<C>::leave((0..columns.count).rev().fold(Sum::<C>::infinity(), |sum, column| {
        let sum = sum.double_vartime::<RowModel<C>>();
        sum_of_column(rows, sets, &columns, column).map_or(sum, |row| add_row::<C>(sum, row, false))
    }))
}

/// The sum with the point of a row, or its negative, which is finite; sums are on the [`RowModel`].
pub(super) fn add_row<C: Curve>(sum: Sum<C>, row: &CacheLine, negated: bool) -> Sum<C> {
    let point = read_model_vartime(row);
    let point = if negated { Affine::negate(point) } else { point };
    if sum.z.is_zero_vartime() { point.to_jacobian() } else { sum.add_mixed_vartime::<RowModel<C>>(point) }
}

/// Up to eight vectors, one per lane. Additions are the ones that are not valid for equal or opposite points. There
/// they leave Z = 0, which every later addition and doubling keeps. Says which vectors have a sum of some column.
struct EightVectors<'a, C> {
    rows: &'a [CacheLine],
    sets: &'a [Set],
    vectors: &'a [ColumnSets],
    sums: &'a mut JacobianLanes<C>,
}

impl<C: Curve> Op for EightVectors<'_, C> {
    type Output = Mask8;

    #[inline(always)]
    fn call<W: Word>(self) -> Mask8 {
        let mut sum = Jacobian::<<C::Field as BaseField>::X8<W>>::infinity();
        let mut started = Mask8::NONE;
        let columns = self.vectors.iter().map(|columns| columns.count).max().unwrap_or(0);
        for column in (0..columns).rev() {
            if started.any() {
                sum = sum.double_on::<C>();
            }
            let (mut points, mut there) = ([&INFINITY; LANES], Mask8::NONE);
            for (lane, columns) in self.vectors.iter().enumerate() {
                if let Some(row) = sum_of_column(self.rows, self.sets, columns, column) {
                    points[lane] = row;
                    there.0 |= 1 << lane;
                }
            }
            let point: Affine<<C::Field as BaseField>::X8<W>> = read_entries(points);
            if started.any() {
                sum = Jacobian::select(there.and(started), sum.add_mixed(point).0, sum);
            }
            sum = Jacobian::select(there.and(started.not()), point.to_jacobian(), sum);
            started = started.or(there);
        }
        self.sums.store::<W>(sum);
        started
    }
}
