//! What is computed: rows that follow from their numbers, the same in every run.

use std::array;
use std::thread;

use phalanx::hash::sha256;
use phalanx::{
    Keypair, PublicKey, PublicKeyRef, Scalar, SecretKey,
    bindings::{Column, ColumnKind, OneThread},
    ecdsa,
};

use crate::exit::RunError;

/// Keys of the rows that share keys.
pub(super) const FEW_KEYS: usize = 16;
/// Rows per thread of the longest bulk call. No chunk of a call is longer than a quarter of it.
pub(super) const ROWS_PER_THREAD: usize = 1024;
/// Rows at most, for machines with very many threads: about 40 MiB.
const MOST_ROWS: usize = 1 << 16;

/// One number's inputs of every operation. A row of a verification has a key and a digest of its own, except that the
/// rows of `shared` have one of [`FEW_KEYS`] keys.
struct NumberInputs {
    digest: [u8; 32],
    pair: Keypair,
    key: [u8; 33],
    x_only: [u8; 32],
    ecdsa: [u8; 64],
    recovery_id: u8,
    schnorr: [u8; 64],
    shared: ([u8; 33], [u8; 64]),
    scalar: Scalar,
}

impl NumberInputs {
    /// Everything is made on one lane of any CPU, so that the other backends meet rows that they have not made.
    fn new(number: usize, few: &[Keypair; FEW_KEYS]) -> Result<NumberInputs, RunError> {
        let one = OneThread::PORTABLE;
        let digest = hash("digest", number);
        let pair = pair("key", number)?;
        let (ecdsa, id) = one.sign_ecdsa_recoverable(&digest, pair.secret_key());
        let shared = &few[number % FEW_KEYS];
        Ok(NumberInputs {
            digest,
            key: pair.public_key().to_bytes(),
            x_only: pair.x_only().to_bytes(),
            ecdsa: ecdsa.to_compact(),
            recovery_id: id.to_u8(),
            schnorr: one.sign_schnorr(&digest, &pair, &digest).to_bytes(),
            shared: (shared.public_key().to_bytes(), one.sign_ecdsa(&digest, shared.secret_key()).to_compact()),
            scalar: Scalar::from_bytes_reduced(&hash("scalar", number)),
            pair,
        })
    }
}

fn hash(what: &str, number: usize) -> [u8; 32] {
    sha256(format!("phalanx bench: {what} {number}").as_bytes())
}

fn pair(what: &str, number: usize) -> Result<Keypair, RunError> {
    Ok(Keypair::from_secret(SecretKey::from_bytes(&hash(what, number)).map_err(RunError::of)?))
}

/// The inputs of all operations, a slice for each parameter of a call. All have the same length.
pub(super) struct Inputs {
    pub(super) digests: Vec<[u8; 32]>,
    pub(super) pairs: Vec<Keypair>,
    pub(super) publics: Vec<PublicKey>,
    pub(super) scalars: Vec<Scalar>,
    pub(super) keys: Vec<[u8; 33]>,
    pub(super) x_only: Vec<[u8; 32]>,
    pub(super) ecdsa: Vec<[u8; 64]>,
    pub(super) schnorr: Vec<[u8; 64]>,
    pub(super) recovery_ids: Vec<[u8; 1]>,
    numbers: Vec<[u8; 4]>,
    encoded_secrets: Vec<[u8; 32]>,
    /// Keys and signatures of the rows that share keys.
    shared: Vec<([u8; 33], [u8; 64])>,
}

impl Inputs {
    /// Inputs for calls on this number of threads, made on as many.
    pub(super) fn new(threads: usize) -> Result<Inputs, RunError> {
        let few: Vec<Keypair> = (0..FEW_KEYS).map(|number| pair("shared key", number)).collect::<Result<_, _>>()?;
        let few: [Keypair; FEW_KEYS] = array::from_fn(|number| few[number].clone());
        let count = (ROWS_PER_THREAD * threads).min(MOST_ROWS);
        let numbers: Vec<usize> = (0..count).collect();
        let all = thread::scope(|scope| {
            let make = |numbers: &[usize]| {
                numbers.iter().map(|number| NumberInputs::new(*number, &few)).collect::<Result<Vec<NumberInputs>, _>>()
            };
            let parts: Vec<_> =
                numbers.chunks(count.div_ceil(threads)).map(|numbers| scope.spawn(move || make(numbers))).collect();
            let mut all = Vec::with_capacity(count);
            for part in parts {
                all.extend(part.join().map_err(|_| RunError::new("internal error: no rows to measure with"))??);
            }
            Ok::<_, RunError>(all)
        })?;
        Ok(Inputs {
            digests: all.iter().map(|input| input.digest).collect(),
            publics: all.iter().map(|input| input.pair.public_key()).collect(),
            scalars: all.iter().map(|input| input.scalar).collect(),
            keys: all.iter().map(|input| input.key).collect(),
            x_only: all.iter().map(|input| input.x_only).collect(),
            ecdsa: all.iter().map(|input| input.ecdsa).collect(),
            schnorr: all.iter().map(|input| input.schnorr).collect(),
            recovery_ids: all.iter().map(|input| [input.recovery_id]).collect(),
            numbers: (0..all.len() as u32).map(u32::to_ne_bytes).collect(),
            encoded_secrets: all.iter().map(|input| input.pair.secret_key().to_bytes()).collect(),
            shared: all.iter().map(|input| input.shared).collect(),
            pairs: all.into_iter().map(|input| input.pair).collect(),
        })
    }

    /// A secret that all rows share.
    pub(super) fn secret(&self) -> Option<&[u8; 32]> {
        self.encoded_secrets.first()
    }

    /// A column of what operations read, if there are such values here. Bytes that may be anything are digests.
    pub(super) fn column(&self, kind: ColumnKind) -> Option<Column<'_>> {
        Some(match kind {
            ColumnKind::Message | ColumnKind::Digest | ColumnKind::ChainCode | ColumnKind::Bytes(32) => {
                Column::of(&self.digests)
            }
            ColumnKind::Number => Column::of(&self.numbers),
            ColumnKind::SecretKey => Column::of(&self.encoded_secrets),
            ColumnKind::PublicKey => Column::of(&self.keys),
            ColumnKind::XOnlyPublicKey => Column::of(&self.x_only),
            ColumnKind::Signature => Column::of(&self.ecdsa),
            ColumnKind::SchnorrSignature => Column::of(&self.schnorr),
            ColumnKind::RecoveryId => Column::of(&self.recovery_ids),
            _ => return None,
        })
    }
}

/// The inputs, and of the rows that share keys what a bulk call takes: keys and signatures are encoded, as in a file.
pub(super) struct EncodedRows<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) shared: Vec<ecdsa::Row<'a>>,
}

impl<'a> EncodedRows<'a> {
    pub(super) fn new(inputs: &'a Inputs) -> EncodedRows<'a> {
        let shared = inputs.digests.iter().zip(&inputs.shared).map(|(digest, (key, signature))| ecdsa::Row {
            digest,
            signature: ecdsa::SignatureRef::Compact(signature),
            public_key: PublicKeyRef::Encoded(key),
        });
        EncodedRows { inputs, shared: shared.collect() }
    }

    /// How many there are of each kind.
    pub(super) fn count(&self) -> usize {
        self.shared.len()
    }
}
