//! The last chain of a sum, one doubling after another.

use crate::{
    group::{self, Jacobian},
    tables::Entry,
};
use phalanx_engine::msm::{self, ShiftedPoint};

/// The sum of the parts, whatever they are.
pub(crate) fn horner(parts: &[ShiftedPoint<Entry>]) -> Jacobian {
    msm::horner(parts, Jacobian::infinity(), double, |sum, entry, negated| add(sum, &entry, negated))
}

/// The sum with a point, or its negative, whatever they are.
pub(crate) fn add(sum: Jacobian, entry: &Entry, negated: bool) -> Jacobian {
    if is_infinity(entry) {
        return sum;
    }
    let point = group::affine(entry);
    let point = if negated { point.negate() } else { point };
    let (next, _) = sum.add_mixed(point);
    if next.z.is_zero_vartime() { sum.add_mixed_complete(point) } else { next }
}

/// The sum of two sums, whatever they are.
pub(crate) fn add_jacobian(a: Jacobian, b: Jacobian) -> Jacobian {
    if a.z.is_zero_vartime() {
        return b;
    }
    if b.z.is_zero_vartime() {
        return a;
    }
    let (next, _) = a.add(b);
    if next.z.is_zero_vartime() { a.add_complete(b) } else { next }
}

/// Twice the sum, at no cost as long as it is infinity.
pub(crate) fn double(sum: Jacobian) -> Jacobian {
    if sum.z.is_zero_vartime() { sum } else { sum.double() }
}

pub(crate) fn is_infinity(entry: &Entry) -> bool {
    // No point of the curve has y = 0.
    entry.0[4..] == [0; 4]
}
