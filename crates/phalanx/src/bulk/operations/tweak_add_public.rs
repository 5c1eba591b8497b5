//! Public keys plus tweaks. Constant time in the tweaks.

use super::decompress;
use crate::bulk::{
    Bulk,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{generator_points, place, point},
    memory::{Lines, with_arena},
    operation::RowOperation,
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{
    Error, FieldElement, PublicKey, Scalar,
    declassify::declassify,
    group::{self, Jacobian},
    keys::tweak_scalar,
    lanes::{AffineLanes, JacobianX8, Machine, PointPairs, U256x8, add_points, to_affine_secret},
    mul::Unit,
    wipe::wipe,
};
use alloc::vec::Vec;
use phalanx_engine::word::{LANES, Mask, Mask8};
use subtle::ConditionallySelectable;

/// [`PublicKey::tweak_add`] of each key and tweak.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct TweakAddPublic;

impl Bulk {
    /// [`PublicKey::tweak_add`] of each key and tweak. Constant time in the tweaks, except that it tells whether the
    /// result is a key.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// let tweaked = Bulk::new().tweak_add_public(&[key, key], &[[1; 32], [0xff; 32]])?;
    /// assert_eq!(tweaked, [key.tweak_add(&[1; 32]), Err(Error::BadTweak)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tweak_add_public(
        &self,
        keys: &[PublicKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<PublicKey, Error>>, Error> {
        self.answers(TweakAddPublic, (keys, tweaks))
    }
}

impl RowOperation for TweakAddPublic {
    type Rows<'a> = (&'a [PublicKey], &'a [[u8; 32]]);
    type Out = Result<PublicKey, Error>;

    const NONE: Self::Out = Err(Error::BadTweak);
    const SECRET: bool = true;

    fn one_lane(self, (keys, tweaks): Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        // Tweaks may be secret, and so are the ways to their points. What is no scalar gives the error that infinity
        // gives.
        let sum =
            |(key, tweak): (&PublicKey, _)| key.tweak_add_point(Unit::OneLane, tweak).unwrap_or(Jacobian::infinity());
        with_arena(memory, |arena| {
            let points = arena.collect(keys.iter().zip(tweaks).map(sum));
            let mut inverses = arena.filled(points.len(), FieldElement::ZERO);
            for ((affine, point), out) in group::to_affine_batch(&points, &mut inverses).zip(points.iter()).zip(out) {
                // Whether the result is a key is what the caller asked.
                let none = declassify(point.is_infinity().any());
                *out = if none { Err(Error::BadTweak) } else { Ok(PublicKey::from_affine(affine)) };
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
            let mut no_tweak = arena.filled(groups, Mask8::NONE);
            let mut scalars = arena.list::<Scalar>(out.len());
            for (i, ((key, tweak), out)) in keys.iter().zip(tweaks).zip(out.iter_mut()).enumerate() {
                let (group, lane) = place(i);
                points[group].set(lane, &key.affine());
                let tweak = tweak_scalar(tweak);
                // Written over below where there is a sum.
                *out = tweak.as_ref().map(|_| *key).map_err(|error| *error);
                let tweak = tweak.unwrap_or(Scalar::ONE);
                // Multiples by zero are none of eight lanes.
                let zero = tweak.is_zero();
                no_tweak[group].0 |= zero.unwrap_u8() << lane;
                scalars.push(Scalar::conditional_select(&tweak, &Scalar::ONE, zero));
            }
            let others = generator_points(machine, scalars.iter(), arena);
            let mut sums = arena.filled(groups, JacobianX8::ZERO);
            let mut infinite = arena.filled(groups, Mask8::NONE);
            let pairs = PointPairs { points: &points, others: &others, no_other: &no_tweak };
            add_points(machine, pairs, &mut sums, &mut infinite);
            let mut coordinates = arena.filled(groups, [U256x8::ZERO; 2]);
            to_affine_secret(machine, &sums, &mut coordinates, arena.spare());
            for (i, out) in out.iter_mut().enumerate().filter(|(_, out)| out.is_ok()) {
                let (group, lane) = place(i);
                // Whether the result is a key is what the caller asked.
                let none = declassify(infinite[group].lane(lane));
                *out = if none { Err(Error::BadTweak) } else { Ok(point(&coordinates, i)) };
            }
        });
    }
}

impl ColumnOperation for TweakAddPublic {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 2>(|block| {
            let rows = ..block.verdicts.len();
            let publics = decompress::points_or_generator(block, 0);
            let mut tweaks = block.words(1);
            let mut found = [Self::NONE; ROWS];
            block.run(TweakAddPublic, (&publics[rows], &tweaks[rows]), &mut found[rows]);
            wipe(&mut tweaks);
            block.answer_keys(&found[rows], &mut answer);
        })
    }
}
