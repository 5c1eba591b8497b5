//! The equation of BIP-340, for any curve and group order.
//!
//! Generic so that groups small enough to try every case run the same code as secp256k1.

use crate::group::{Affine, Fe, Jacobian, to_affine_vartime};
use crate::mul::{Combine, Unit};
use phalanx_engine::{field::Field, word::Mask};

/// Whether s G - e P is finite, has the x coordinate r, and an even y. Variable time.
///
/// x is compared before dividing by Z, so that a signature that does not match costs no inversion.
pub(crate) fn holds<G: Combine>(unit: Unit, s: &G::Scalar, e: &G::Scalar, key: &Affine, r: [u64; 4]) -> bool {
    let point = G::double_mul_vartime(unit, &-*e, key, s);
    has_x(&point, r) && to_affine_vartime(&point).is_some_and(|point| is_even(&point))
}

/// Whether a point is finite and has the x coordinate r. Variable time.
pub(crate) fn has_x(point: &Jacobian, r: [u64; 4]) -> bool {
    let x = point.z.square().mul(Fe::from_words(r));
    !point.z.is_zero_vartime() && point.x.equals(x).any()
}

/// Whether y is even, which makes the point the one that its x stands for. The point is normalised.
pub(crate) fn is_even(point: &Affine) -> bool {
    !point.y.is_odd().any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::tiny::{Tiny, TinyScalar, points};

    /// Every key, challenge, s and nonce point: the equation holds exactly where the points, found by counting, say so.
    fn verification<const ORDER: u64>() {
        let points = points::<ORDER>();
        for (d, key) in TinyScalar::<ORDER>::nonzero().zip(&points) {
            for e in TinyScalar::all() {
                for s in TinyScalar::all() {
                    let k = (s.0 + (ORDER - e.0) * d.0) % ORDER;
                    for (nonce, index) in points.iter().zip(1..) {
                        let even = !nonce.y.is_odd().any();
                        // r is the x of both k G and -k G; the one that counts has an even y.
                        let expected = if even { k == index } else { k == ORDER - index };
                        let expected = k != 0 && expected;
                        let holds = holds::<Tiny<ORDER>>(Unit::OneLane, &s, &e, key, nonce.x.to_words());
                        assert_eq!(holds, expected, "{d:?} {e:?} {s:?} {index}");
                    }
                }
            }
        }
    }

    #[test]
    fn verification_in_whole_groups() {
        verification::<7>();
        verification::<13>();
    }
}
