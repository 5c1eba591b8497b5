//! Public keys of secret keys. Constant time.

use crate::bulk::{
    Bulk,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::{generator_points, point},
    memory::{Lines, with_arena},
    one_lane::normalize,
    operation::RowOperation,
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{
    Error, PublicKey, SecretKey,
    lanes::Machine,
    mul::{self, Unit},
};
use alloc::vec::Vec;

/// [`SecretKey::public_key`] of each key.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct PublicKeys;

impl Bulk {
    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// assert_eq!(Bulk::new().public_keys(&[secret.clone()]), [secret.public_key()]);
    /// ```
    pub fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        self.answers(PublicKeys, secrets).expect("one slice")
    }
}

impl RowOperation for PublicKeys {
    type Rows<'a> = &'a [SecretKey];
    type Out = PublicKey;

    const NONE: PublicKey = PublicKey::GENERATOR;
    const SECRET: bool = true;

    fn one_lane(self, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines) {
        with_arena(memory, |arena| {
            normalize(secrets.iter().map(|secret| mul::mul_generator_ct(Unit::OneLane, secret.scalar())), out, arena);
        });
    }

    fn eight_lanes<M: Machine>(self, machine: M, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines) {
        debug_assert_eq!(secrets.len(), out.len());
        with_arena(memory, |arena| {
            let points = generator_points(machine, secrets.iter().map(SecretKey::scalar), arena);
            for (i, out) in out.iter_mut().enumerate() {
                *out = point(&points, i);
            }
        });
    }
}

impl ColumnOperation for PublicKeys {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 1>(|block| {
            let keys = block.secret_keys(0);
            let rows = ..block.verdicts.len();
            let mut found = [Self::NONE; ROWS];
            block.run(PublicKeys, &keys[rows], &mut found[rows]);
            block.valid().for_each(|i| block.answer_key(i, &found[i], &mut answer));
        })
    }
}
