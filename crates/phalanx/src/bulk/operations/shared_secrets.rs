//! ECDH. Constant time in the secret keys.

use super::decompress;
use crate::bulk::{
    Bulk,
    columns::{Answers, ColumnCall, ColumnOperation},
    eight_lanes::place,
    memory::{Lines, with_arena},
    one_lane::normalize,
    operation::RowOperation,
};
use crate::tuning::SECRET_ROWS_ON_STACK as ROWS;
use crate::{
    Error, PublicKey, SecretKey, ecdh,
    encoding::bytes_of_words,
    lanes::{AffineLanes, HashLanes, JacobianX8, Machine, U256x8, compressed_points},
    mul::{self, PointDigits, Unit, mul_point_rows_ct},
    wipe::wipe,
};
use alloc::vec::Vec;
use phalanx_engine::word::{LANES, NARROW_LANES};

/// [`ecdh::shared_secret`] of each public key and secret key.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct SharedSecrets;

impl Bulk {
    /// [`crate::ecdh::shared_secret`] of each pair of keys. Constant time in the secret keys.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdh};
    /// let (mine, theirs) = (SecretKey::random(), SecretKey::random().public_key());
    /// let shared = Bulk::new().shared_secrets(&[theirs], &[mine.clone()])?;
    /// assert_eq!(shared, [ecdh::shared_secret(&theirs, &mine)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Result<Vec<[u8; 32]>, Error> {
        self.answers(SharedSecrets, (publics, secrets))
    }
}

impl RowOperation for SharedSecrets {
    type Rows<'a> = (&'a [PublicKey], &'a [SecretKey]);
    type Out = [u8; 32];

    const NONE: [u8; 32] = [0; 32];
    const SECRET: bool = true;

    fn one_lane(self, (publics, secrets): Self::Rows<'_>, out: &mut [[u8; 32]], memory: &mut Lines) {
        let rows = publics.iter().zip(secrets);
        with_arena(memory, |arena| {
            let mut shared = arena.filled(rows.len(), PublicKey::GENERATOR);
            let point = |(public, secret): (&PublicKey, &SecretKey)| {
                mul::mul_point_ct(Unit::OneLane, &public.affine(), secret.scalar())
            };
            normalize(rows.map(point), &mut shared, arena);
            for (point, out) in shared.iter().zip(out) {
                *out = ecdh::hash_point(point);
            }
        });
    }

    fn eight_lanes<M: Machine>(
        self,
        machine: M,
        (publics, secrets): Self::Rows<'_>,
        out: &mut [[u8; 32]],
        memory: &mut Lines,
    ) {
        debug_assert!(publics.len() == out.len() && secrets.len() == out.len());
        let groups = out.len().div_ceil(LANES);
        with_arena(memory, |arena| {
            let mut points = arena.filled(groups, AffineLanes::generator());
            let mut digits = arena.filled(groups, PointDigits::of_one());
            for (i, (public, secret)) in publics.iter().zip(secrets).enumerate() {
                let (group, lane) = place(i);
                points[group].set(lane, &public.affine());
                digits[group].set(lane, secret.scalar());
            }
            let mut sums = arena.filled(groups, JacobianX8::ZERO);
            let mut shared = arena.filled(groups, [U256x8::ZERO; 2]);
            mul_point_rows_ct(machine, &points, &digits, &mut sums, &mut shared, arena.spare());
            let mut batch = HashLanes::new();
            for (shared, out) in shared.chunks(NARROW_LANES / LANES).zip(out.chunks_mut(NARROW_LANES)) {
                for i in 0..out.len() {
                    let (group, lane) = place(i);
                    let [x, y] = &shared[group];
                    batch.set_point(i, x.get(lane), y.get(lane));
                }
                compressed_points(machine, &mut batch);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = bytes_of_words(&batch.get(i));
                }
            }
        });
    }
}

impl ColumnOperation for SharedSecrets {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 2>(|block| {
            let publics = decompress::points_or_generator(block, 0);
            let keys = block.secret_keys(1);
            let rows = ..block.verdicts.len();
            let mut found = [Self::NONE; ROWS];
            block.run(SharedSecrets, (&publics[rows], &keys[rows]), &mut found[rows]);
            block.valid().for_each(|i| answer(block.first + i, 0, &found[i]));
            wipe(&mut found);
        })
    }
}
