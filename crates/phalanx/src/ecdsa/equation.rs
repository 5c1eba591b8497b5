//! The equations of ECDSA, for any curve and group order: what verification and recovery ask once everything has been
//! parsed and found in range.
//!
//! Generic so that groups small enough to try every case run the same code as secp256k1.

use crate::group::{Affine, Jacobian};
use crate::mul::{Combine, Unit};

/// Whether (r, s) is a signature of z under the key Q: the x coordinate of (z / s) G + (r / s) Q, reduced modulo the
/// group order, is r. r and s are not zero, and 1 / s is given. Variable time.
pub(crate) fn holds<G: Combine>(unit: Unit, z: &G::Scalar, r: &G::Scalar, s_inverse: &G::Scalar, key: &Affine) -> bool {
    let point = G::double_mul_vartime(unit, &(*r * *s_inverse), key, &(*z * *s_inverse));
    G::x_reduces_to_vartime(&point, r)
}

/// The key Q under which (r, s) is a signature of z with nonce point R: (s / r) R - (z / r) G. r and s are not zero,
/// and 1 / r is given. Variable time; infinity stands for no such key.
pub(crate) fn recovered<G: Combine>(
    unit: Unit,
    z: &G::Scalar,
    s: &G::Scalar,
    r_inverse: &G::Scalar,
    nonce: &Affine,
) -> Jacobian {
    G::double_mul_vartime(unit, &(*s * *r_inverse), nonce, &-(*z * *r_inverse))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{
        tiny::{Tiny, TinyScalar, points, remainder},
        to_affine_vartime,
    };

    /// Every r with each `step`th key, digest and s: the equation holds exactly where the points, found by counting,
    /// say so.
    fn verification<const ORDER: u64>(step: usize) {
        let points = points::<ORDER>();
        let mut valid = 0;
        for (d, key) in TinyScalar::<ORDER>::nonzero().zip(&points).step_by(step) {
            for s in TinyScalar::nonzero().step_by(step) {
                let inverse = s.invert();
                for z in TinyScalar::all().step_by(step) {
                    for r in TinyScalar::nonzero() {
                        let k = (z.0 + r.0 * d.0) * inverse.0 % ORDER;
                        let expected = k != 0 && remainder(points[k as usize - 1].x.to_words(), ORDER) == r.0;
                        assert_eq!(
                            holds::<Tiny<ORDER>>(Unit::OneLane, &z, &r, &inverse, key),
                            expected,
                            "{z:?} {r:?} {s:?} {d:?}"
                        );
                        valid += u64::from(expected);
                    }
                }
            }
        }
        assert!(valid > 0);
    }

    /// Every nonce point and s with each `step`th digest: the key is the one that made the signature.
    fn recovery<const ORDER: u64>(step: usize) {
        let points = points::<ORDER>();
        for (k, nonce) in TinyScalar::<ORDER>::nonzero().zip(&points) {
            let r = TinyScalar::<ORDER>(remainder(nonce.x.to_words(), ORDER));
            if r.0 == 0 {
                continue;
            }
            let inverse = r.invert();
            for s in TinyScalar::nonzero() {
                for z in TinyScalar::all().step_by(step) {
                    let key = to_affine_vartime(&recovered::<Tiny<ORDER>>(Unit::OneLane, &z, &s, &inverse, nonce));
                    let d = (s.0 * k.0 + ORDER - z.0) * inverse.0 % ORDER;
                    let expected = d.checked_sub(1).map(|index| points[index as usize]);
                    let coordinates = |point: Affine| (point.x.to_words(), point.y.to_words());
                    assert_eq!(key.map(coordinates), expected.map(coordinates), "{z:?} {s:?} {k:?}");
                    if let Some(key) = key {
                        assert!(holds::<Tiny<ORDER>>(Unit::OneLane, &z, &r, &s.invert(), &key));
                    }
                }
            }
        }
    }

    #[test]
    fn verification_in_small_groups() {
        verification::<7>(1);
        verification::<13>(1);
        verification::<199>(23);
    }

    #[test]
    fn recovery_in_small_groups() {
        recovery::<7>(1);
        recovery::<13>(1);
        recovery::<199>(23);
    }
}
