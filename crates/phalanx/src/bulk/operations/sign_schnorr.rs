//! BIP-340 signing. Constant time.
//!
//! Nonces are in lists, which are wiped when the work is done, on unwinding too.

use super::PublicKeys;
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
    Error, Keypair, PublicKey, Scalar,
    declassify::declassify,
    encoding::words,
    lanes::{self, HashLanes, Machine, bip340_nonces},
    mul::{self, Unit},
    schnorr,
    wipe::wipe,
};
use alloc::vec::Vec;
use phalanx_engine::{arena::List, word::NARROW_LANES};
use zeroize::Zeroize;

/// [`schnorr::sign`] with each message, pair and auxiliary randomness.
#[derive(Clone, Copy)]
pub(in crate::bulk) struct SignSchnorr;

/// Messages, pairs and auxiliary randomness.
type Rows<'a> = (&'a [&'a [u8]], &'a [Keypair], &'a [[u8; 32]]);

impl Bulk {
    /// [`schnorr::sign`] with each message, pair and auxiliary randomness. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = Bulk::new().sign_schnorr(&[b"m"], &[pair.clone()], &[[0; 32]])?;
    /// assert_eq!(signatures, [schnorr::sign(b"m", &pair, &[0; 32])]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_schnorr(
        &self,
        messages: &[&[u8]],
        pairs: &[Keypair],
        aux: &[[u8; 32]],
    ) -> Result<Vec<schnorr::Signature>, Error> {
        self.answers(SignSchnorr, (messages, pairs, aux))
    }
}

impl RowOperation for SignSchnorr {
    type Rows<'a> = Rows<'a>;
    type Out = schnorr::Signature;

    const NONE: schnorr::Signature = schnorr::Signature::PLACEHOLDER;
    const SECRET: bool = true;

    fn one_lane(self, (messages, pairs, aux): Rows<'_>, out: &mut [schnorr::Signature], memory: &mut Lines) {
        let rows = || messages.iter().zip(pairs);
        with_arena(memory, |arena| {
            let derive = |((message, pair), aux): ((&&[u8], _), _)| schnorr::Nonce::derive(message, pair, aux).0;
            let nonces = arena.collect(rows().zip(aux).map(derive));
            let mut points = arena.filled(nonces.len(), PublicKey::GENERATOR);
            normalize(nonces.iter().map(|nonce| mul::mul_generator_ct(Unit::OneLane, nonce)), &mut points, arena);
            for (((message, pair), (nonce, point)), out) in rows().zip(nonces.iter().zip(points.iter())).zip(out) {
                *out = schnorr::finish(message, pair, nonce, point);
            }
        });
    }

    fn eight_lanes<M: Machine>(self, machine: M, rows: Rows<'_>, out: &mut [schnorr::Signature], memory: &mut Lines) {
        let (messages, pairs, aux) = rows;
        debug_assert!([messages.len(), aux.len(), out.len()] == [pairs.len(); 3]);
        with_arena(memory, |arena| {
            let mut nonces = arena.list(pairs.len());
            nonces_of(machine, rows, &mut nonces);
            let points = generator_points(machine, nonces.iter(), arena);
            let points = arena.collect((0..pairs.len()).map(|i| point(&points, i)));
            let mut challenges = arena.list(pairs.len());
            challenges_of(machine, messages, pairs, &points, &mut challenges);
            for ((pair, out), (nonce, (point, challenge))) in
                pairs.iter().zip(out).zip(nonces.iter().zip(points.iter().zip(challenges.iter())))
            {
                *out = schnorr::finish_with(pair, nonce, point, challenge);
            }
        });
    }
}

impl ColumnOperation for SignSchnorr {
    fn in_columns(call: ColumnCall<'_>, mut answer: impl Answers) -> Result<(), Error> {
        call.blocks::<Self, 3>(|block| {
            let keys = block.secret_keys(1);
            let rows = ..block.verdicts.len();
            let mut publics = [PublicKeys::NONE; ROWS];
            // Takes no more memory than signing.
            block.run(PublicKeys, &keys[rows], &mut publics[rows]);
            let pairs: [Keypair; ROWS] = core::array::from_fn(|i| Keypair::of_row(&keys[i], publics[i]));
            let (messages, mut aux) = (block.bytes(0), block.words(2));
            let mut found = [Self::NONE; ROWS];
            block.run(SignSchnorr, (&messages[rows], &pairs[rows], &aux[rows]), &mut found[rows]);
            wipe(&mut aux);
            block.valid().for_each(|i| answer(block.first + i, 0, &found[i].to_bytes()));
        })
    }
}

/// The nonce of [`schnorr::sign`] for each row.
fn nonces_of<M: Machine>(machine: M, (messages, pairs, aux): Rows<'_>, nonces: &mut List<'_, Scalar>) {
    let mut batch = HashLanes::new();
    let chunks = messages.chunks(NARROW_LANES).zip(pairs.chunks(NARROW_LANES)).zip(aux.chunks(NARROW_LANES));
    for ((messages, pairs), aux) in chunks {
        for (i, ((message, pair), aux)) in messages.iter().zip(pairs).zip(aux).enumerate() {
            let Ok(message) = <&[u8; 32]>::try_from(*message) else { continue };
            let mut secret = pair.even_scalar();
            batch.set(0, i, secret.limbs());
            batch.set(1, i, words(aux));
            batch.set(2, i, pair.public_key().x_words());
            batch.set(3, i, words(message));
            secret.zeroize();
        }
        bip340_nonces(machine, &mut batch);
        for (i, ((message, pair), aux)) in messages.iter().zip(pairs).zip(aux).enumerate() {
            let nonce = schnorr::Nonce(Scalar::from_limbs_reduced(batch.get(i)));
            // Zero with probability 2^-256.
            let here = message.len() == 32 && !bool::from(declassify(nonce.0.is_zero()));
            nonces.push(if here { nonce.0 } else { schnorr::Nonce::derive(message, pair, aux).0 });
        }
    }
}

/// The challenge of each row of [`schnorr::sign`], whose nonces have these points.
fn challenges_of<M: Machine>(
    machine: M,
    messages: &[&[u8]],
    pairs: &[Keypair],
    points: &[PublicKey],
    challenges: &mut List<'_, Scalar>,
) {
    let mut batch = HashLanes::new();
    let chunks = messages.chunks(NARROW_LANES).zip(pairs.chunks(NARROW_LANES)).zip(points.chunks(NARROW_LANES));
    for ((messages, pairs), points) in chunks {
        let rows = || messages.iter().zip(pairs).zip(points).enumerate();
        for (i, ((message, pair), point)) in rows() {
            let Ok(message) = <&[u8; 32]>::try_from(*message) else { continue };
            batch.set(0, i, point.x_words());
            batch.set(1, i, pair.public_key().x_words());
            batch.set(2, i, words(message));
        }
        lanes::challenges(machine, &mut batch);
        for (i, ((message, pair), point)) in rows() {
            challenges.push(match message.len() {
                32 => Scalar::from_limbs_reduced(batch.get(i)),
                _ => schnorr::challenge(&point.x_bytes(), &pair.public_key().x_bytes(), message),
            });
        }
    }
}
