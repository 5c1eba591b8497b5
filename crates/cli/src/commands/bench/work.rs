//! What is measured: the operations, and the ways of a backend to compute them.

use std::ops::Range;

use phalanx::ecdsa::RecoveryId;
use phalanx::msm::Msm;
use phalanx::{Backend, Bulk, Error, LowS, Machine, PublicKey, Verdict, ecdsa, schnorr};

use super::inputs::{EncodedRows, FEW_KEYS, ROWS_PER_THREAD};
use crate::pipeline::grouped;

/// Rows per thread of the shortest bulk call: few enough that a call of a slow backend is no longer than a sample.
const FEWEST_ROWS: usize = 64;
/// Products of a sum.
pub(super) const PRODUCTS: usize = 1024;

/// An operation that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    VerifyEcdsa,
    /// Of rows that share a few keys, whose tables are kept where the backend makes some.
    VerifyEcdsaFewKeys,
    VerifySchnorr,
    Recover,
    SignEcdsa,
    SignSchnorr,
    PublicKeys,
    Ecdh,
    Sum,
}

use Operation::*;

impl Operation {
    pub(super) const ALL: [Operation; 9] =
        [VerifyEcdsa, VerifyEcdsaFewKeys, VerifySchnorr, Recover, SignEcdsa, SignSchnorr, PublicKeys, Ecdh, Sum];

    /// The name for machines.
    pub(super) fn name(self) -> &'static str {
        match self {
            VerifyEcdsa => "verify-ecdsa",
            VerifyEcdsaFewKeys => "verify-ecdsa-few-keys",
            VerifySchnorr => "verify-schnorr",
            Recover => "recover",
            SignEcdsa => "sign-ecdsa",
            SignSchnorr => "sign-schnorr",
            PublicKeys => "public-keys",
            Ecdh => "ecdh",
            Sum => "sum",
        }
    }

    /// The name for people.
    pub(super) fn label(self) -> String {
        match self {
            VerifyEcdsa => "ECDSA verify".into(),
            VerifyEcdsaFewKeys => format!("ECDSA verify, {FEW_KEYS} keys"),
            VerifySchnorr => "Schnorr verify".into(),
            Recover => "recover".into(),
            SignEcdsa => "ECDSA sign".into(),
            SignSchnorr => "Schnorr sign".into(),
            PublicKeys => "public key".into(),
            Ecdh => "ECDH".into(),
            Sum => format!("sum of {} products", grouped(PRODUCTS as u64)),
        }
    }
}

/// A way of computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// One row per call.
    Single,
    /// Many rows per call, on one thread.
    OneThread,
    /// Many rows per call, on all threads.
    AllThreads,
}

impl Way {
    pub(super) const ALL: [Way; 3] = [Way::Single, Way::OneThread, Way::AllThreads];

    /// The fewest and the most rows of one call of `operation`, of `count` rows that there are. The rows of a single
    /// call go one after another.
    pub(super) fn rows(self, operation: Operation, threads: usize, count: usize) -> (usize, usize) {
        let threads = if self == Way::AllThreads { threads } else { 1 };
        match (self, operation) {
            (Way::Single, _) => (1, count),
            (_, Sum) => (PRODUCTS, PRODUCTS),
            _ => ((FEWEST_ROWS * threads).min(count), (ROWS_PER_THREAD * threads).min(count)),
        }
    }
}

/// What an operation found.
#[derive(PartialEq)]
pub(super) enum Answers {
    Verdicts(Vec<Verdict>),
    Recovered(Vec<Result<PublicKey, Error>>),
    Ecdsa(Vec<ecdsa::Signature>),
    Schnorr(Vec<schnorr::Signature>),
    Keys(Vec<PublicKey>),
    Secrets(Vec<[u8; 32]>),
    Sum([u8; 33]),
}

impl Answers {
    /// Whether they are what is known of the rows in `range`: all are valid, and their keys are known.
    pub(super) fn fit(&self, rows: &EncodedRows<'_>, range: Range<usize>) -> bool {
        let known = &rows.inputs.publics[range];
        match self {
            Answers::Verdicts(verdicts) => {
                verdicts.len() == known.len() && verdicts.iter().all(|verdict| verdict.is_valid())
            }
            Answers::Recovered(keys) => keys.iter().copied().eq(known.iter().map(|key| Ok(*key))),
            Answers::Keys(keys) => keys == known,
            Answers::Ecdsa(_) | Answers::Schnorr(_) | Answers::Secrets(_) | Answers::Sum(_) => true,
        }
    }
}

/// Bulk calls of a backend on some threads.
pub(super) struct BenchBulk {
    bulk: Bulk,
    with_tables: Bulk,
    msm: Msm,
}

impl BenchBulk {
    /// On one thread, or on all.
    fn new(backend: Backend, way: Way) -> Result<BenchBulk, Error> {
        let (bulk, msm) = (Bulk::builder().backend(backend), Msm::builder().backend(backend));
        let (bulk, msm) = if way == Way::OneThread { (bulk.threads(1), msm.threads(1)) } else { (bulk, msm) };
        Ok(BenchBulk { bulk: bulk.clone().key_table_memory(0).build()?, with_tables: bulk.build()?, msm: msm.build()? })
    }

    fn compute(&self, operation: Operation, rows: &EncodedRows<'_>, range: Range<usize>) -> Result<Answers, Error> {
        let (inputs, bulk) = (rows.inputs, &self.bulk);
        Ok(match operation {
            VerifyEcdsa => Answers::Verdicts(bulk.verify_ecdsa(&rows.ecdsa[range], LowS::Require)),
            VerifyEcdsaFewKeys => Answers::Verdicts(self.with_tables.verify_ecdsa(&rows.shared[range], LowS::Require)),
            VerifySchnorr => Answers::Verdicts(bulk.verify_schnorr(&rows.schnorr[range])),
            Recover => Answers::Recovered(bulk.recover(&rows.recover[range])),
            SignEcdsa => Answers::Ecdsa(bulk.sign_ecdsa(&inputs.digests[range.clone()], &inputs.secrets[range])?),
            SignSchnorr => {
                let (messages, pairs) = (&rows.messages[range.clone()], &inputs.pairs[range.clone()]);
                Answers::Schnorr(bulk.sign_schnorr(messages, pairs, &inputs.digests[range])?)
            }
            PublicKeys => Answers::Keys(bulk.public_keys(&inputs.secrets[range])),
            Ecdh => Answers::Secrets(bulk.shared_secrets(&inputs.theirs[range.clone()], &inputs.secrets[range])?),
            Sum => {
                let sum = self.msm.sum_of_products(&inputs.scalars[range.clone()], &inputs.publics[range])?;
                Answers::Sum(sum.to_bytes())
            }
        })
    }
}

/// One row after another on a machine; none for what is no operation of one row.
fn singles(machine: Machine, operation: Operation, rows: &EncodedRows<'_>, range: Range<usize>) -> Option<Answers> {
    let inputs = rows.inputs;
    Some(match operation {
        VerifyEcdsa => {
            let verify = |row: &ecdsa::Row<'_>| {
                let (key, signature) = (row.public_key.parse()?, row.signature.parse()?);
                let digest = row.digest.try_into().map_err(|_| Error::BadDigest)?;
                machine.verify_ecdsa(digest, &signature, &key, LowS::Require)
            };
            Answers::Verdicts(rows.ecdsa[range].iter().map(|row| verify(row).into()).collect())
        }
        VerifySchnorr => {
            let verify = |row: &schnorr::Row<'_>| {
                let (key, signature) = (row.public_key.parse()?, schnorr::Signature::from_bytes(row.signature)?);
                machine.verify_schnorr(row.message, &signature, &key)
            };
            Answers::Verdicts(rows.schnorr[range].iter().map(|row| verify(row).into()).collect())
        }
        Recover => {
            let recover = |row: &ecdsa::RecoverRow<'_>| {
                let (signature, id) = (row.signature.parse()?, RecoveryId::from_u8(row.recovery_id)?);
                let digest = row.digest.try_into().map_err(|_| Error::BadDigest)?;
                machine.recover(digest, &signature, id)
            };
            Answers::Recovered(rows.recover[range].iter().map(recover).collect())
        }
        SignEcdsa => {
            let sign = |row: usize| machine.sign_ecdsa(&inputs.digests[row], &inputs.secrets[row]);
            Answers::Ecdsa(range.map(sign).collect())
        }
        SignSchnorr => {
            let sign = |row| machine.sign_schnorr(rows.messages[row], &inputs.pairs[row], &inputs.digests[row]);
            Answers::Schnorr(range.map(|row: usize| sign(row)).collect())
        }
        PublicKeys => {
            let secrets = inputs.secrets[range].iter();
            Answers::Keys(secrets.map(|secret| machine.public_key(secret)).collect())
        }
        Ecdh => {
            let share = |row: usize| machine.shared_secret(&inputs.theirs[row], &inputs.secrets[row]);
            Answers::Secrets(range.map(share).collect())
        }
        VerifyEcdsaFewKeys | Sum => return None,
    })
}

/// The ways that a backend has.
pub(super) struct BenchBackend {
    pub(super) backend: Backend,
    /// What single calls run on where the backend is chosen.
    machine: Machine,
    one_thread: BenchBulk,
    /// None where all threads are one.
    all_threads: Option<BenchBulk>,
}

impl BenchBackend {
    pub(super) fn new(backend: Backend, threads: usize) -> Result<BenchBackend, Error> {
        Ok(BenchBackend {
            backend,
            machine: Machine::of(backend.of_single_calls())?,
            one_thread: BenchBulk::new(backend, Way::OneThread)?,
            all_threads: (threads > 1).then(|| BenchBulk::new(backend, Way::AllThreads)).transpose()?,
        })
    }

    /// The answers for the rows in `range`; none where the backend does not compute this operation in this way.
    pub(super) fn compute(
        &self,
        operation: Operation,
        way: Way,
        rows: &EncodedRows<'_>,
        range: Range<usize>,
    ) -> Result<Option<Answers>, Error> {
        let bulk = match way {
            Way::Single => return Ok(singles(self.machine, operation, rows, range)),
            Way::OneThread => Some(&self.one_thread),
            Way::AllThreads => self.all_threads.as_ref(),
        };
        bulk.map(|bulk| bulk.compute(operation, rows, range)).transpose()
    }
}
