//! Points in memory, and rounds of additions that append sums to them.

use crate::{
    affine_add::{AnyRows, Apart, Rounds},
    arena::NumberList,
    curve::{Affine, Curve},
    field::{BaseField, Field},
    lanes::{is_infinity, read_entry, write_entry},
    word::{CacheLine, PointPair, PointRef},
};

/// A point to build with: none is infinity.
pub(super) type Maybe = Option<PointRef>;

pub(super) fn negated(point: Maybe) -> Maybe {
    point.map(|point| PointRef::new(point.index(), !point.is_negated()))
}

/// The row that a reference means.
pub(super) fn signed_row<C: Curve>(rows: &[CacheLine], reference: PointRef) -> CacheLine {
    let row = rows[reference.index()];
    if !reference.is_negated() || is_infinity(&row) {
        return row;
    }
    let point: Affine<<C::Field as BaseField>::X1> = read_entry(&row);
    write_entry(&Affine { x: point.x, y: point.y.negate(1) }.normalize())
}

/// Points in memory, to which rounds append sums.
pub(super) struct Memory<'m> {
    /// The points, and behind them rows to write to.
    pub(super) rows: &'m mut [CacheLine],
    /// The number of points.
    pub(super) used: usize,
    pub(super) pairs: NumberList<'m, PointPair>,
    /// Whether some point is infinity.
    pub(super) infinity: bool,
}

impl Memory<'_> {
    /// The sum, once the round is run. What needs no addition is known at once.
    pub(super) fn pair(&mut self, a: Maybe, b: Maybe) -> Maybe {
        let (Some(first), Some(second)) = (a, b) else { return a.or(b) };
        let row = self.used + self.pairs.len();
        // A reference wraps around beyond its limit: sums would be wrong, and nobody would see it.
        assert!(row < PointRef::LIMIT, "more rows at once than references can tell apart");
        self.pairs.push([first, second]);
        Some(PointRef::new(row, false))
    }

    /// Adds the pairs noted, of which any number may be doublings.
    pub(super) fn round(&mut self, rounds: &mut impl Rounds, doublings: bool) {
        let count = self.pairs.len();
        let (points, sums) = self.rows.split_at_mut(self.used);
        // No point at infinity is in a pair.
        rounds.begin();
        rounds.round(AnyRows::Apart(Apart { points, sums: &mut sums[..count] }), &self.pairs, doublings);
        self.infinity |= rounds.met_infinity();
        self.used += count;
        self.pairs.clear();
    }

    /// The point, unless a round has made it infinity.
    pub(super) fn finite(&self, point: Maybe) -> Maybe {
        point.filter(|point| !is_infinity(&self.rows[point.index()]))
    }

    /// Replaces each of these points that a round has made infinity.
    pub(super) fn settle(&self, points: &mut [Maybe]) {
        if self.infinity {
            points.iter_mut().for_each(|point| *point = self.finite(*point));
        }
    }
}
