//! What is found of one block.

use std::sync::Arc;

use phalanx::Bulk;
use phalanx_bitcoin::{Block, BlockFault, Network, Output, Report, Verifier, decode_outputs, reversed_hex};

use super::source::{BlockBytes, BlockJob};
use super::spent_json;
use crate::args::FileFormat;
use crate::exit::RunError;
use crate::output::Payload;
use crate::output::checks::CheckTable;
use crate::output::index::IndexTable;

/// Why a block has no verdict on each of its inputs.
pub(super) enum Unjudged {
    /// It breaks a rule of consensus as a whole.
    NotValid(String),
    /// It, or what it spends, cannot be read.
    Unread(String),
}

/// By what blocks are judged, and the formats of what is written down of each.
pub(super) struct BlockJudge {
    pub(super) verifier: Verifier,
    pub(super) bulk: Bulk,
    /// Of checks.
    pub(super) checks: Option<FileFormat>,
    /// Of the index of silent payments.
    pub(super) index: Option<FileFormat>,
}

/// The tables of a block.
#[derive(Default)]
struct Tables {
    checks: Option<CheckTable>,
    index: Option<IndexTable>,
}

/// A block that was looked at.
pub(super) struct Judged {
    pub(super) place: Arc<str>,
    pub(super) network: Network,
    /// Whether it is of a folder.
    pub(super) stored: bool,
    /// Whether no block of its source comes after it.
    pub(super) last: bool,
    /// The height, if it is known.
    pub(super) height: Option<u32>,
    pub(super) bytes: u64,
    /// The hash, once the block is read.
    pub(super) hash: Option<[u8; 32]>,
    pub(super) result: Result<Report, Unjudged>,
    /// A line for each of the first inputs that are not valid.
    pub(super) notes: Vec<String>,
    pub(super) payload: Option<Payload>,
    pub(super) index: Option<Payload>,
}

impl BlockJudge {
    /// Verifies a block, and writes down what there is a format for.
    pub(super) fn judge(&self, job: &BlockJob) -> Result<Judged, RunError> {
        let height = match &job.bytes {
            BlockBytes::Stored(stored) => Some(stored.height),
            BlockBytes::Files { .. } => None,
        };
        let mut judged = Judged {
            place: Arc::clone(&job.place),
            network: job.network,
            stored: height.is_some(),
            last: job.last,
            height,
            hash: None,
            bytes: block_bytes(job).len() as u64,
            result: Ok(Report::default()),
            notes: Vec::new(),
            payload: None,
            index: None,
        };
        let named = match height {
            Some(height) => format!("{}: block {height}", job.place),
            None => job.place.to_string(),
        };
        let checks = self.checks.map(|_| CheckTable::default());
        let mut tables = Tables { checks, index: self.index.map(|_| IndexTable::default()) };
        judged.result = self.verify(job, &named, &mut tables, &mut judged)?;
        if judged.result.is_ok() {
            let checks = tables.checks.zip(self.checks);
            judged.payload = checks.map(|(table, format)| Payload::of_table(table.finish()?, format)).transpose()?;
            let index = tables.index.zip(self.index);
            judged.index = index.map(|(table, format)| Payload::of_table(table.finish()?, format)).transpose()?;
        }
        Ok(judged)
    }

    fn verify(
        &self,
        job: &BlockJob,
        named: &str,
        tables: &mut Tables,
        judged: &mut Judged,
    ) -> Result<Result<Report, Unjudged>, RunError> {
        let read = match read(job, named, judged) {
            Ok(read) => read,
            Err(unjudged) => return Ok(Err(unjudged)),
        };
        let report = verify(&self.verifier, job, named, &read, tables.checks.as_mut(), judged);
        // What a block pays that is not valid, nobody has.
        if let (Some(table), Ok(report)) = (&mut tables.index, &report)
            && report.invalid.is_empty()
        {
            let (block, spent, height) = &read;
            table.push(&self.bulk, *height, block, spent)?;
        }
        Ok(report)
    }
}

fn block_bytes(job: &BlockJob) -> &[u8] {
    match &job.bytes {
        BlockBytes::Stored(stored) => &stored.block,
        BlockBytes::Files { block, .. } => block,
    }
}

/// A block, what it spends, and its height.
type ReadBlock<'j> = (Block<'j>, Vec<Output<'j>>, u32);

fn read<'j>(job: &'j BlockJob, named: &str, judged: &mut Judged) -> Result<ReadBlock<'j>, Unjudged> {
    let block = Block::decode(block_bytes(job))
        .map_err(|error| Unjudged::Unread(format!("{named} cannot be read: {error}")))?;
    let hash = block.header.hash();
    judged.hash = Some(hash);
    let spent: Vec<Output<'j>> = match &job.bytes {
        BlockBytes::Stored(stored) => stored.spent(&block).map_err(|error| error.to_string()),
        BlockBytes::Files { spent, json: true, .. } => spent_json::outputs(spent, block.spending_inputs()),
        BlockBytes::Files { spent, .. } => decode_outputs(spent).map_err(|error| error.to_string()),
    }
    .map_err(|error| Unjudged::Unread(format!("{named}: what it spends cannot be read: {error}")))?;
    let height = match &job.bytes {
        BlockBytes::Stored(stored) => Some(stored.height),
        BlockBytes::Files { .. } if block.header.previous == [0; 32] => Some(0),
        BlockBytes::Files { .. } => job.network.named_height(&block).or(job.given),
    };
    let unknown = || Unjudged::Unread(format!("{named}: its height is not known; --heights N..N gives it"));
    let height = height.ok_or_else(unknown)?;
    judged.height = Some(height);
    Ok((block, spent, height))
}

fn verify(
    verifier: &Verifier,
    job: &BlockJob,
    named: &str,
    (block, spent, height): &ReadBlock<'_>,
    checks: Option<&mut CheckTable>,
    judged: &mut Judged,
) -> Result<Report, Unjudged> {
    let hash = block.header.hash();
    let flags = job.network.flags(*height, &hash);
    // Of the transaction that rows come from now.
    let mut txid = (0, [0; 32]);
    let mut checks = checks;
    let each = |row: phalanx_bitcoin::CheckRow<'_>| {
        if let Some(table) = &mut checks {
            if txid.0 != row.transaction {
                txid = (row.transaction, block.transactions[row.transaction].txid());
            }
            table.push(Some(*height), &hash, &txid.1, &row);
        }
    };
    let report = verifier.verify_block(block, spent, flags, each).map_err(|fault| match fault {
        BlockFault::SpentOutputs { .. } => Unjudged::Unread(format!("{named}: {fault}")),
        // A block of a folder has proved its work; of a file, nothing says that it is a block of the chain.
        BlockFault::MerkleRoot if matches!(job.bytes, BlockBytes::Files { .. }) => {
            Unjudged::Unread(format!("{named}: {fault}"))
        }
        _ => Unjudged::NotValid(format!("{named}: {fault}")),
    })?;
    judged.notes.extend(report.invalid.iter().take(super::NOTES as usize).map(|invalid| {
        let txid = reversed_hex(&block.transactions[invalid.transaction].txid());
        format!("{named}, transaction {txid}, input {}: {}: {}", invalid.input, invalid.error.name(), invalid.error)
    }));
    Ok(report)
}
