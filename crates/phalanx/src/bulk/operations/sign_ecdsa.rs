//! ECDSA signing. Constant time.
//!
//! Nonces are in lists, which are wiped when the work is done, on unwinding too.

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
    Error, PublicKey, Scalar, SecretKey,
    arithmetic::batch_invert_nonzero,
    declassify::declassify,
    ecdsa,
    lanes::{HashLanes, Machine, rfc6979_candidates},
    mul::{self, Unit},
};
use alloc::vec::Vec;
use phalanx_engine::{arena::List, mask::is_zero, word::NARROW_LANES};

/// [`ecdsa::sign_recoverable`] with each digest and key.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct SignEcdsa;

impl Bulk {
    /// [`ecdsa::sign`] with each digest and key. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let signatures = Bulk::new().sign_ecdsa(&[[1; 32]], &[secret.clone()])?;
    /// assert_eq!(signatures, [ecdsa::sign(&[1; 32], &secret)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Result<Vec<ecdsa::Signature>, Error> {
        let signed = self.answers(SignEcdsa, (digests, secrets))?;
        Ok(signed.into_iter().map(|(signature, _)| signature).collect())
    }
}

/// A signature and its recovery id.
type Signed = (ecdsa::Signature, ecdsa::RecoveryId);

impl RowOperation for SignEcdsa {
    type Rows<'a> = (&'a [[u8; 32]], &'a [SecretKey]);
    type Out = Signed;

    const NONE: Signed = (ecdsa::Signature::PLACEHOLDER, ecdsa::RecoveryId::PLACEHOLDER);
    const SECRET: bool = true;

    fn one_lane(self, (digests, secrets): Self::Rows<'_>, out: &mut [Signed], memory: &mut Lines) {
        let rows = || digests.iter().zip(secrets);
        with_arena(memory, |arena| {
            let mut nonces = arena.collect(rows().map(|(digest, secret)| ecdsa::first_nonce(digest, secret)));
            let mut points = arena.filled(nonces.len(), PublicKey::GENERATOR);
            normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::OneLane, nonce)), &mut points, arena);
            batch_invert_nonzero(&mut nonces);
            for (((digest, secret), (inverse, point)), out) in rows().zip(nonces.iter().zip(points.iter())).zip(out) {
                *out = signature(digest, secret, inverse, point);
            }
        });
    }

    fn eight_lanes<M: Machine>(
        self,
        machine: M,
        (digests, secrets): Self::Rows<'_>,
        out: &mut [Signed],
        memory: &mut Lines,
    ) {
        debug_assert!(digests.len() == secrets.len() && out.len() == secrets.len());
        let rows = || digests.iter().zip(secrets);
        with_arena(memory, |arena| {
            let mut nonces = arena.list(secrets.len());
            nonces_of(machine, digests, secrets, &mut nonces);
            let points = generator_points(machine, nonces.iter(), arena);
            batch_invert_nonzero(&mut nonces);
            for (i, ((digest, secret), (inverse, out))) in rows().zip(nonces.iter().zip(out)).enumerate() {
                *out = signature(digest, secret, inverse, &point(&points, i));
            }
        });
    }
}

impl ColumnOperation for SignEcdsa {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 2>(|block| {
            let keys = block.secret_keys(1);
            let (digests, rows) = (block.words(0), ..block.verdicts.len());
            let mut found = [Self::NONE; ROWS];
            block.run(SignEcdsa, (&digests[rows], &keys[rows]), &mut found[rows]);
            for i in block.valid() {
                let (signature, id) = &found[i];
                answer(block.first + i, 0, &signature.to_compact());
                if block.options.recovery_ids {
                    answer(block.first + i, 1, &[declassify(*id).to_u8()]);
                }
            }
        })
    }
}

/// The signature by the first nonce, whose inverse and point are given. It fails with probability 2^-256; the single
/// operation goes on to the next.
fn signature(digest: &[u8; 32], secret: &SecretKey, inverse: &Scalar, point: &PublicKey) -> Signed {
    ecdsa::finish(digest, secret, inverse, point).unwrap_or_else(|| ecdsa::sign_recoverable(digest, secret))
}

/// The nonce of [`ecdsa::sign`] for each row.
fn nonces_of<M: Machine>(machine: M, digests: &[[u8; 32]], secrets: &[SecretKey], nonces: &mut List<'_, Scalar>) {
    let mut batch = HashLanes::new();
    for (digests, secrets) in digests.chunks(NARROW_LANES).zip(secrets.chunks(NARROW_LANES)) {
        for (i, (digest, secret)) in digests.iter().zip(secrets).enumerate() {
            batch.set(0, i, secret.scalar().limbs());
            batch.set(1, i, Scalar::from_bytes_reduced(digest).limbs());
        }
        rfc6979_candidates(machine, &mut batch);
        for (i, (digest, secret)) in digests.iter().zip(secrets).enumerate() {
            let candidate = batch.get(i);
            let nonce = Scalar::from_limbs_reduced(candidate);
            // Refused with probability 2^-127, which says nothing about the candidate that is accepted in its place.
            let reduced = core::array::from_fn(|i| nonce.limbs()[i] ^ candidate[i]);
            let refused = declassify(!is_zero(&reduced) | is_zero(&nonce.limbs()));
            nonces.push(if refused != 0 { ecdsa::first_nonce(digest, secret) } else { nonce });
        }
    }
}
