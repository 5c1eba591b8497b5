//! Additions that share nothing.

use crate::{Error, PublicKey, field::invert_vartime, group::Affine};
use alloc::vec::Vec;
use phalanx_engine::{field::Field, word::Mask};

/// [`add_pairs`](crate::msm::Msm::add_pairs) with an inversion for each pair, one after another: the slow obvious way,
/// to measure and to check against.
///
/// # Errors
/// As [`add_pairs`](crate::msm::Msm::add_pairs).
pub fn add_pairs_alone(a: &[PublicKey], b: &[PublicKey]) -> Result<Vec<Option<PublicKey>>, Error> {
    Error::check_lengths(a.len(), b.len())?;
    Ok(a.iter().zip(b).map(|(a, b)| add_alone(&a.affine(), &b.affine()).map(PublicKey::from_affine)).collect())
}

fn add_alone(a: &Affine, b: &Affine) -> Option<Affine> {
    if !a.x.equals(b.x).any() {
        return Some(a.add_with(*b, invert_vartime(a.chord_denominator(b))));
    }
    a.y.equals(b.y).any().then(|| a.double_with(invert_vartime(a.tangent_denominator())))
}
