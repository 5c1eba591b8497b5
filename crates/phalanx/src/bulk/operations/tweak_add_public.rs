//! Public keys plus tweaks. Constant time in the tweaks.

use super::decompress;
use crate::bulk::{
    Bulk,
    columns::{Answers, ColumnCall, ColumnOperation},
    memory::{Lines, with_arena},
    operation::RowOperation,
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{
    Error, FieldElement, PublicKey,
    declassify::declassify,
    group::{self, Jacobian},
    lanes::Machine,
    mul::Unit,
    wipe::wipe,
};
use alloc::vec::Vec;
use phalanx_engine::word::Mask;

/// [`PublicKey::tweak_add`] of each key and tweak. One lane computes it on every machine.
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

    fn eight_lanes<M: Machine>(self, _: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines) {
        self.one_lane(rows, out, memory);
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
