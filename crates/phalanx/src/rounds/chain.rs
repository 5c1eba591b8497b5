//! The last chain of a sum, one doubling after another.

use crate::{
    group::{self, Jacobian},
    tables::Entry,
};
use phalanx_engine::msm::{Part, chain};

/// The sum of the parts, whatever they are.
pub(crate) fn horner(parts: &[Part<Entry>]) -> Jacobian {
    let add = |sum: Jacobian, entry: Entry, opposite: bool| {
        if is_infinity(&entry) {
            return sum;
        }
        let point = group::affine(&entry);
        let point = if opposite { point.negate() } else { point };
        let (next, _) = sum.add_mixed(point);
        if next.z.is_zero_vartime() { sum.add_mixed_complete(point) } else { next }
    };
    chain(parts, Jacobian::infinity(), double, add)
}

/// Twice the sum, at no cost as long as it is infinity.
pub(crate) fn double(sum: Jacobian) -> Jacobian {
    if sum.z.is_zero_vartime() { sum } else { sum.double() }
}

pub(crate) fn is_infinity(entry: &Entry) -> bool {
    // No point of the curve has y = 0.
    entry.0[4..] == [0; 4]
}
