//! The equations of ECDSA, for any curve and group order: what verification and recovery ask once everything has been
//! parsed and found in range.
//!
//! Generic so that groups small enough to try every case run the same code as secp256k1.

use crate::group::{Affine, Group, Jacobian};

/// Whether (r, s) is a signature of z under the key Q: the x coordinate of (z / s) G + (r / s) Q, reduced modulo the group
/// order, is r. r and s are not zero, and 1 / s is given. Variable time.
pub(crate) fn holds<G: Group>(z: &G::Scalar, r: &G::Scalar, s_inverse: &G::Scalar, key: &Affine) -> bool {
    let point = G::double_mul_vartime(&(*r * *s_inverse), key, &(*z * *s_inverse));
    G::x_reduces_to_vartime(&point, r)
}

/// The key Q under which (r, s) is a signature of z with nonce point R: (s / r) R - (z / r) G. r and s are not zero, and
/// 1 / r is given. Variable time; infinity stands for no such key.
pub(crate) fn recovered<G: Group>(z: &G::Scalar, s: &G::Scalar, r_inverse: &G::Scalar, nonce: &Affine) -> Jacobian {
    G::double_mul_vartime(&(*s * *r_inverse), nonce, &-(*z * *r_inverse))
}
