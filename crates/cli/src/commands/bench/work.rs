//! What is measured: the operations, and the ways of a backend to compute them.

use std::ops::Range;

use phalanx::msm::Msm;
use phalanx::{
    Backend, Bulk, Error, LowS, PublicKey, Verdict, XOnlyPublicKey,
    bindings::{Column, ColumnOptions, OneThread, Operation as RowOperation},
    ecdsa, schnorr,
};

use super::inputs::{EncodedRows, FEW_KEYS, ROWS_PER_THREAD};
use crate::pipeline::grouped;

/// Rows per thread of the shortest bulk call: few enough that a call of a slow backend is no longer than a sample.
const FEWEST_ROWS: usize = 64;
/// Products of a sum.
pub(super) const PRODUCTS: usize = 1024;

/// An operation that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// One of the library's operations on rows. Keys have no tables.
    Rows(RowOperation),
    /// Verification of rows that share a few keys, whose tables are kept where the backend makes some.
    VerifyEcdsaFewKeys,
    Sum,
}

use Operation::{Rows, Sum, VerifyEcdsaFewKeys};

impl Operation {
    /// Every operation.
    pub(super) fn all() -> impl Iterator<Item = Operation> {
        RowOperation::ALL.into_iter().map(Rows).chain([VerifyEcdsaFewKeys, Sum])
    }

    /// The name for machines.
    pub(super) fn name(self) -> String {
        match self {
            Rows(operation) => operation.declaration().name.replace('_', "-"),
            VerifyEcdsaFewKeys => "verify-ecdsa-few-keys".into(),
            Sum => "sum".into(),
        }
    }

    /// The name for people.
    pub(super) fn label(self) -> String {
        match self {
            Rows(operation) => {
                operation.declaration().name.replace('_', " ").replace("ecdsa", "ECDSA").replace("schnorr", "Schnorr")
            }
            VerifyEcdsaFewKeys => format!("verify ECDSA, {FEW_KEYS} keys"),
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

/// What an operation found: the verdicts of rows, and the values that it gives, one after another.
#[derive(PartialEq)]
pub(super) struct Answers {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) values: Vec<u8>,
}

impl Answers {
    /// Whether all these rows are valid, and keys that the operation finds are those of the rows.
    pub(super) fn fit(&self, operation: Operation, rows: &EncodedRows<'_>, range: Range<usize>) -> bool {
        let rows_fit = match operation {
            Sum => true,
            _ => self.verdicts.len() == range.len() && self.verdicts.iter().all(|verdict| verdict.is_valid()),
        };
        let finds_keys =
            [RowOperation::Recover, RowOperation::PublicKeys, RowOperation::Decompress].map(Rows).contains(&operation);
        let known = || rows.inputs.publics[range].iter().flat_map(PublicKey::to_bytes);
        rows_fit && (!finds_keys || self.values.iter().copied().eq(known()))
    }

    /// The answers of rows that have a value each, or an error.
    fn of<const N: usize>(rows: impl Iterator<Item = Result<[u8; N], Error>>) -> Answers {
        let mut answers = Answers { verdicts: Vec::new(), values: Vec::new() };
        for row in rows {
            answers.values.extend(row.unwrap_or([0; N]));
            answers.verdicts.push(row.map(|_| ()).into());
        }
        answers
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
        let inputs = rows.inputs;
        Ok(match operation {
            Rows(operation) => self.rows(operation, rows, range)?,
            VerifyEcdsaFewKeys => {
                let verdicts = self.with_tables.verify_ecdsa(&rows.shared[range], LowS::Require);
                Answers { verdicts, values: Vec::new() }
            }
            Sum => {
                let sum = self.msm.sum_of_products(&inputs.scalars[range.clone()], &inputs.publics[range])?;
                Answers { verdicts: Vec::new(), values: sum.to_bytes().into() }
            }
        })
    }

    /// The rows in columns, as C and Go compute them.
    fn rows(&self, operation: RowOperation, rows: &EncodedRows<'_>, range: Range<usize>) -> Result<Answers, Error> {
        let declared = operation.declaration();
        let columns: Option<Vec<_>> = declared.inputs.iter().map(|(_, kind)| rows.inputs.column(*kind)).collect();
        let columns: Vec<_> =
            columns.ok_or(Error::BadColumn)?.iter().map(|column| column.part(range.clone())).collect();
        let widths = declared.outputs_of_call(false).iter().filter_map(|(_, kind)| kind.widths());
        let widths: Vec<_> = widths.map(|[width, _]| width).collect();
        let width = widths.iter().sum::<usize>();
        let (mut verdicts, mut values) = (vec![Verdict::InvalidSignature; range.len()], vec![0; range.len() * width]);
        let mut of_row = values.chunks_mut(width.max(1));
        let mut places: Vec<_> = verdicts.iter_mut().map(|verdict| (verdict, of_row.next())).collect();
        let options = ColumnOptions { secret: rows.inputs.secret(), ..ColumnOptions::default() };
        self.bulk.in_chunks(&mut places, |rows, places, one, memory| {
            let columns: Vec<Column<'_>> = columns.iter().map(|column| column.part(rows.clone())).collect();
            let mut verdicts = vec![Verdict::InvalidSignature; places.len()];
            let write = |row: usize, output: usize, value: &[u8]| {
                if let (_, Some(place)) = &mut places[row] {
                    let first = widths[..output].iter().sum::<usize>();
                    place[first..first + value.len()].copy_from_slice(value);
                }
            };
            let done = one.in_columns(operation, &columns, options, &mut verdicts, memory, write);
            assert_eq!(done, Ok(()), "columns of the operation, and a chunk's memory");
            places.iter_mut().zip(verdicts).for_each(|((place, _), verdict)| **place = verdict);
        });
        drop(places);
        Ok(Answers { verdicts, values })
    }
}

/// One row after another on one thread; none for what is no operation of one row here.
fn singles(one: OneThread, operation: Operation, rows: &EncodedRows<'_>, range: Range<usize>) -> Option<Answers> {
    let inputs = rows.inputs;
    let Rows(operation) = operation else { return None };
    Some(match operation {
        RowOperation::VerifyEcdsa => Answers::of(range.map(|row| {
            let key = PublicKey::from_bytes(&inputs.keys[row])?;
            let signature = ecdsa::Signature::from_compact(&inputs.ecdsa[row])?;
            one.verify_ecdsa(&inputs.digests[row], &signature, &key, LowS::Require).map(|()| [])
        })),
        RowOperation::VerifySchnorr => Answers::of(range.map(|row| {
            let key = XOnlyPublicKey::from_bytes(&inputs.x_only[row])?;
            let signature = schnorr::Signature::from_bytes(&inputs.schnorr[row])?;
            one.verify_schnorr(&inputs.digests[row], &signature, &key).map(|()| [])
        })),
        RowOperation::Recover => Answers::of(range.map(|row| {
            let signature = ecdsa::Signature::from_compact(&inputs.ecdsa[row])?;
            let id = ecdsa::RecoveryId::from_u8(inputs.recovery_ids[row][0])?;
            one.recover(&inputs.digests[row], &signature, id).map(|key| key.to_bytes())
        })),
        RowOperation::SignEcdsa => Answers::of(range.map(|row| {
            let signature = one.sign_ecdsa(&inputs.digests[row], inputs.pairs[row].secret_key());
            Ok(signature.to_compact())
        })),
        RowOperation::SignSchnorr => Answers::of(range.map(|row| {
            let (message, aux) = (&inputs.digests[row], &inputs.digests[row]);
            Ok(one.sign_schnorr(message, &inputs.pairs[row], aux).to_bytes())
        })),
        RowOperation::PublicKeys => {
            Answers::of(inputs.pairs[range].iter().map(|pair| Ok(one.public_key(pair.secret_key()).to_bytes())))
        }
        RowOperation::SharedSecrets => {
            Answers::of(range.map(|row| Ok(one.shared_secret(&inputs.publics[row], inputs.pairs[row].secret_key()))))
        }
        _ => return None,
    })
}

/// The ways that a backend has.
pub(super) struct BenchBackend {
    pub(super) backend: Backend,
    /// What single calls run on where the backend is chosen.
    one: OneThread,
    one_thread: BenchBulk,
    /// None where all threads are one.
    all_threads: Option<BenchBulk>,
}

impl BenchBackend {
    pub(super) fn new(backend: Backend, threads: usize) -> Result<BenchBackend, Error> {
        Ok(BenchBackend {
            backend,
            one: OneThread::of(backend)?,
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
            Way::Single => return Ok(singles(self.one, operation, rows, range)),
            Way::OneThread => Some(&self.one_thread),
            Way::AllThreads => self.all_threads.as_ref(),
        };
        bulk.map(|bulk| bulk.compute(operation, rows, range)).transpose()
    }
}
