//! What operations on one lane have in common: the rows of a chunk share an inversion.

use crate::{
    Error, FieldElement, PublicKey, Scalar,
    arithmetic::batch_invert,
    group::{self, Affine, Jacobian},
};
use phalanx_engine::arena::{List, Lists, lines_for};

/// A point, or what is wrong with the row.
pub(super) type PointOrError = Result<Jacobian, Error>;

/// The inverse of each row's denominator, and zero for rows that have failed already.
pub(super) fn inverses<'a, T>(
    rows: &[Result<T, Error>],
    denominator: fn(&T) -> Scalar,
    lists: &mut Lists<'a, '_>,
) -> List<'a, Scalar> {
    let mut values = lists.collect(rows.iter().map(|row| row.as_ref().map_or(Scalar::ZERO, denominator)));
    batch_invert(&mut values);
    values
}

/// The cache lines of points and of [`affine`].
pub(super) fn lines_of_affine(rows: usize) -> usize {
    lines_for::<PointOrError>(rows) + lines_for::<FieldElement>(rows)
}

/// The affine form of each point there is, by shared inversions, and the error for each that is infinity. For public
/// points.
pub(super) fn affine<'a>(
    points: &[PointOrError],
    infinity: Error,
    lists: &mut Lists<'a, '_>,
) -> impl ExactSizeIterator<Item = Result<Affine, Error>> {
    let z = |point: &PointOrError| point.map_or(FieldElement::ZERO, |point| FieldElement::from_fe(point.z));
    let mut inverses = lists.collect(points.iter().map(z));
    batch_invert(&mut inverses);
    assert_eq!(points.len(), inverses.len(), "an inverse for each point");
    points.iter().enumerate().map(move |(i, point)| {
        let (point, inverse) = ((*point)?, inverses[i]);
        if inverse.is_zero().into() { Err(infinity) } else { Ok(point.to_affine_with(inverse.to_fe()).normalize()) }
    })
}

/// The cache lines of [`normalize`].
pub(super) fn lines_of_normalize(rows: usize) -> usize {
    lines_for::<Jacobian>(rows) + lines_for::<FieldElement>(rows)
}

/// Affine coordinates of finite points, by shared inversions. Constant time. The Z of a point tells of the way to it,
/// which is secret, and is wiped with the lists.
pub(super) fn normalize(
    points: impl ExactSizeIterator<Item = Jacobian>,
    out: &mut [PublicKey],
    lists: &mut Lists<'_, '_>,
) {
    let points = lists.collect(points);
    let mut inverses = lists.filled(points.len(), FieldElement::ZERO);
    for (point, out) in group::to_affine_batch(&points, &mut inverses).zip(out) {
        *out = PublicKey::from_affine(point);
    }
}
