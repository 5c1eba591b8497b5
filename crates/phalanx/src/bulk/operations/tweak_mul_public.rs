//! Public keys times tweaks. Constant time in the tweaks.

use crate::bulk::{
    Bulk,
    eight_lanes::{place, point},
    memory::{Lines, with_arena},
    one_lane::normalize,
    operation::RowOperation,
};
use crate::{
    Error, PublicKey, Scalar,
    declassify::declassify,
    keys::tweak_scalar,
    lanes::{AffineLanes, JacobianX8, Machine, U256x8},
    mul::{self, PointDigits, Unit, mul_point_rows_ct},
};
use alloc::vec::Vec;
use phalanx_engine::word::LANES;

/// [`PublicKey::tweak_mul`] of each key and tweak.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct TweakMulPublic;

impl Bulk {
    /// [`PublicKey::tweak_mul`] of each key and tweak. Constant time in the tweaks, except that it tells whether a
    /// result is a key.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// let multiples = Bulk::new().tweak_mul_public(&[key, key], &[[1; 32], [0; 32]])?;
    /// assert_eq!(multiples, [key.tweak_mul(&[1; 32]), Err(Error::BadTweak)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tweak_mul_public(
        &self,
        keys: &[PublicKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<PublicKey, Error>>, Error> {
        self.answers(TweakMulPublic, (keys, tweaks))
    }
}

/// A tweak that makes a key of every key.
fn multiplier(tweak: &[u8; 32]) -> Result<Scalar, Error> {
    // Whether the result is a key is what the caller asked.
    tweak_scalar(tweak)
        .and_then(|tweak| if declassify(tweak.is_zero()).into() { Err(Error::BadTweak) } else { Ok(tweak) })
}

impl RowOperation for TweakMulPublic {
    type Rows<'a> = (&'a [PublicKey], &'a [[u8; 32]]);
    type Out = Result<PublicKey, Error>;

    const NONE: Self::Out = Err(Error::BadTweak);
    const SECRET: bool = true;

    fn one_lane(self, (keys, tweaks): Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        with_arena(memory, |arena| {
            let mut products = arena.filled(keys.len(), PublicKey::GENERATOR);
            let product = |(key, tweak): (&PublicKey, _)| {
                mul::mul_point_ct(Unit::OneLane, &key.affine(), &multiplier(tweak).unwrap_or(Scalar::ONE))
            };
            normalize(keys.iter().zip(tweaks).map(product), &mut products, arena);
            for ((product, tweak), out) in products.iter().zip(tweaks).zip(out) {
                *out = multiplier(tweak).map(|_| *product);
            }
        });
    }

    fn eight_lanes<M: Machine>(
        self,
        machine: M,
        (keys, tweaks): Self::Rows<'_>,
        out: &mut [Self::Out],
        memory: &mut Lines,
    ) {
        debug_assert!(keys.len() == out.len() && tweaks.len() == out.len());
        let groups = out.len().div_ceil(LANES);
        with_arena(memory, |arena| {
            let mut points = arena.filled(groups, AffineLanes::generator());
            let mut digits = arena.filled(groups, PointDigits::of_one());
            for (i, ((key, tweak), out)) in keys.iter().zip(tweaks).zip(out.iter_mut()).enumerate() {
                let (group, lane) = place(i);
                points[group].set(lane, &key.affine());
                let tweak = multiplier(tweak);
                // Written over below where there is a product.
                *out = tweak.as_ref().map(|_| *key).map_err(|error| *error);
                digits[group].set(lane, &tweak.unwrap_or(Scalar::ONE));
            }
            let mut sums = arena.filled(groups, JacobianX8::ZERO);
            let mut products = arena.filled(groups, [U256x8::ZERO; 2]);
            mul_point_rows_ct(machine, &points, &digits, &mut sums, &mut products, arena.spare());
            for (i, out) in out.iter_mut().enumerate().filter(|(_, out)| out.is_ok()) {
                *out = Ok(point(&products, i));
            }
        });
    }
}
