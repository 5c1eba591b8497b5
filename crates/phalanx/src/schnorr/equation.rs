//! The equation of BIP-340, for any curve and group order.
//!
//! Generic so that groups small enough to try every case run the same code as secp256k1.

use crate::group::{self, Affine, Fe, Group};
use phalanx_engine::{field::Field, word::Mask};

/// Whether s G - e P is finite, has an even y, and has the x coordinate r. Variable time.
///
/// x is compared before dividing by Z, so that a signature that does not match costs no inversion; the parity of y is
/// known only after.
pub(crate) fn holds<G: Group>(s: &G::Scalar, e: &G::Scalar, key: &Affine, r: [u64; 4]) -> bool {
    let point = G::double_mul_vartime(&-*e, key, s);
    let x = point.z.square().mul(Fe::from_words(r));
    point.x.equals(x).any() && group::to_affine_vartime(&point).is_some_and(|point| !point.y.is_odd().any())
}
