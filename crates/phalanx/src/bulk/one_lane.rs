//! What operations on one lane have in common: the rows of a chunk share an inversion.

use crate::{
    Error, FieldElement, PublicKey, Scalar,
    arithmetic::batch_invert,
    group::{self, Affine, Jacobian},
};
use phalanx_engine::arena::{Arena, List};

/// A point, or what is wrong with the row.
pub(super) type PointOrError = Result<Jacobian, Error>;

/// The inverse of each row's denominator, and zero for rows that have failed already.
pub(super) fn inverses<'a, T>(
    rows: &[Result<T, Error>],
    denominator: fn(&T) -> Scalar,
    arena: &mut Arena<'a, '_>,
) -> List<'a, Scalar> {
    let mut values = arena.collect(rows.iter().map(|row| row.as_ref().map_or(Scalar::ZERO, denominator)));
    batch_invert(&mut values);
    values
}

/// The affine form of each point there is, by shared inversions, and the error for each that is infinity. For public
/// points.
pub(super) fn affine<'a>(
    points: &[PointOrError],
    infinity: Error,
    arena: &mut Arena<'a, '_>,
) -> impl ExactSizeIterator<Item = Result<Affine, Error>> {
    let z = |point: &PointOrError| point.map_or(FieldElement::ZERO, |point| FieldElement::from_fe(point.z));
    let mut inverses = arena.collect(points.iter().map(z));
    batch_invert(&mut inverses);
    assert_eq!(points.len(), inverses.len(), "an inverse for each point");
    points.iter().enumerate().map(move |(i, point)| {
        let (point, inverse) = ((*point)?, inverses[i]);
        if inverse.is_zero().into() { Err(infinity) } else { Ok(point.to_affine_with(inverse.to_fe()).normalize()) }
    })
}

/// Affine coordinates of finite points, by shared inversions. Constant time. The Z of a point tells of the way to it,
/// which is secret, and is wiped with the arena.
pub(super) fn normalize(
    points: impl ExactSizeIterator<Item = Jacobian>,
    out: &mut [PublicKey],
    arena: &mut Arena<'_, '_>,
) {
    let points = arena.collect(points);
    let mut inverses = arena.filled(points.len(), FieldElement::ZERO);
    for (point, out) in group::to_affine_batch(&points, &mut inverses).zip(out) {
        *out = PublicKey::from_affine(point);
    }
}
