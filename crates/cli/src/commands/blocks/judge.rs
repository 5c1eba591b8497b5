//! What is found of one block.

use std::sync::Arc;

use phalanx::Bulk;
use phalanx_bitcoin::{Block, BlockFault, InvalidInput, Network, Output, Report, ScriptError, StoredBlock, Verifier};

use super::block_file::FileContent;
use super::options::HeightRange;
use super::source::{BlockBytes, BlockJob};
use crate::exit::RunError;
use crate::output::inputs::InputVerdict;
use crate::output::{OutputFormat, Payload, RowTable, checks, index, inputs};

/// Said of a block whose height is nowhere.
const NO_HEIGHT: &str = "its height is not known; --heights N..N gives it";

/// Why a block has no verdict on each of its inputs.
pub(super) enum Unjudged {
    /// It breaks this rule of consensus as a whole.
    NotValid(String),
    /// It, or what it spends, cannot be read.
    Unread(String),
}

/// Something for each output of the command.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerOutput<T> {
    /// Of checks.
    pub(super) checks: T,
    /// Of inputs.
    pub(super) inputs: T,
    /// Of the index of silent payments.
    pub(super) index: T,
}

impl<T> PerOutput<T> {
    /// Another thing for each output.
    pub(super) fn map<U>(self, mut map: impl FnMut(T) -> U) -> PerOutput<U> {
        PerOutput { checks: map(self.checks), inputs: map(self.inputs), index: map(self.index) }
    }

    /// The things in their order.
    pub(super) fn into_array(self) -> [T; 3] {
        [self.checks, self.inputs, self.index]
    }
}

/// By what blocks are judged, and the formats of what is written down of each.
pub(super) struct BlockJudge {
    pub(super) verifier: Verifier,
    pub(super) bulk: Bulk,
    pub(super) formats: PerOutput<Option<OutputFormat>>,
}

/// An input that is not valid.
pub(super) struct FoundInput {
    pub(super) txid: [u8; 32],
    pub(super) input: usize,
    pub(super) error: ScriptError,
}

/// A block that was looked at.
pub(super) struct Judged {
    pub(super) place: Arc<str>,
    /// What it is called where something is said of it.
    pub(super) named: String,
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
    /// The inputs that are not valid.
    pub(super) invalid: Vec<FoundInput>,
    pub(super) payloads: PerOutput<Option<Payload>>,
}

impl BlockJudge {
    /// Verifies a block, and writes down what there is a format for.
    pub(super) fn judge(&self, job: &BlockJob) -> Result<Judged, RunError> {
        let (height, bytes) = match &job.bytes {
            BlockBytes::Stored(stored) => (Some(stored.height), stored.block.len()),
            BlockBytes::Files(files) => (None, files.block_size()),
        };
        let mut judged = Judged {
            place: Arc::clone(&job.place),
            named: height.map_or_else(|| job.place.to_string(), |height| format!("{}: block {height}", job.place)),
            network: job.network,
            stored: height.is_some(),
            last: job.last,
            height,
            bytes: bytes as u64,
            hash: None,
            result: Ok(Report::default()),
            invalid: Vec::new(),
            payloads: self.formats.map(|_| None),
        };
        let PerOutput { checks, inputs, index } = self.formats;
        let mut tables = PerOutput {
            checks: checks.map(|_| RowTable::new(checks::schema())),
            inputs: inputs.map(|_| RowTable::new(inputs::schema())),
            index: index.map(|_| RowTable::new(index::schema())),
        };
        judged.result = self.verify(job, &mut tables, &mut judged)?;
        let valid = judged.result.is_ok();
        if let Some((table, format)) = tables.checks.zip(checks).filter(|_| valid) {
            judged.payloads.checks = Some(Payload::of_table(table.finish()?, format)?);
        }
        if let Some((table, format)) = tables.index.zip(index).filter(|_| valid) {
            judged.payloads.index = Some(Payload::of_table(table.finish()?, format)?);
        }
        let unread = matches!(judged.result, Err(Unjudged::Unread(_)));
        if let Some((table, format)) = tables.inputs.zip(inputs).filter(|_| !unread) {
            judged.payloads.inputs = Some(Payload::of_table(table.finish()?, format)?);
        }
        Ok(judged)
    }

    fn verify(
        &self,
        job: &BlockJob,
        tables: &mut PerOutput<Option<RowTable>>,
        judged: &mut Judged,
    ) -> Result<Result<Report, Unjudged>, RunError> {
        let named = judged.named.clone();
        let unread = |fault: String| Ok(Err(Unjudged::Unread(format!("{named}{fault}"))));
        let content = match BlockContent::of(job) {
            Ok(content) => content,
            Err(fault) => return unread(format!(" cannot be read: {fault}")),
        };
        let block = match content.block() {
            Ok(block) => block,
            Err(fault) => return unread(format!(" cannot be read: {fault}")),
        };
        judged.hash = Some(block.header.hash());
        let spent = match content.spent(&block) {
            Ok(spent) => spent,
            Err(fault) => return unread(format!(": what it spends cannot be read: {fault}")),
        };
        let height = match content.height(job, &block) {
            Ok(height) => height,
            Err(fault) => return unread(format!(": {fault}")),
        };
        judged.height = Some(height);
        let report = verify(&self.verifier, (&block, &spent, height), tables, judged)?;
        // What a block pays that is not valid, nobody has.
        if let (Some(table), Ok(report)) = (&mut tables.index, &report)
            && report.invalid.is_empty()
        {
            index::push(table, &self.bulk, height, &block, &spent)?;
        }
        Ok(report)
    }
}

/// A block and what it spends, as they were found.
enum BlockContent<'j> {
    Stored(&'j StoredBlock),
    File(FileContent<'j>),
}

impl<'j> BlockContent<'j> {
    fn of(job: &'j BlockJob) -> Result<BlockContent<'j>, String> {
        match &job.bytes {
            BlockBytes::Stored(stored) => Ok(BlockContent::Stored(stored)),
            BlockBytes::Files(files) => files.decode().map(BlockContent::File),
        }
    }

    fn block(&self) -> Result<Block<'_>, String> {
        match self {
            BlockContent::Stored(stored) => Block::decode(&stored.block).map_err(|fault| fault.to_string()),
            BlockContent::File(file) => file.block(),
        }
    }

    fn spent(&self, block: &Block<'_>) -> Result<Vec<Output<'_>>, String> {
        match self {
            BlockContent::Stored(stored) => stored.spent(block).map_err(|fault| fault.to_string()),
            BlockContent::File(file) => file.spent(block),
        }
    }

    /// The height: that in a folder, that which the block names, that in its JSON, or the only one that was asked for.
    fn height(&self, job: &BlockJob, block: &Block<'_>) -> Result<u32, String> {
        let file = match self {
            BlockContent::Stored(stored) => return Ok(stored.height),
            BlockContent::File(file) => file,
        };
        let previous = &block.header.previous;
        let known = if *previous == [0; 32] {
            Some(0)
        } else if job.network.is_genesis(previous) {
            Some(1)
        } else {
            job.network.named_height(block).or(file.height)
        };
        let HeightRange { first, last } = job.heights;
        match known {
            Some(height) if first.is_some_and(|first| height < first) || last.is_some_and(|last| height > last) => {
                Err(format!("its height, {height}, is outside --heights"))
            }
            Some(height) => Ok(height),
            None if first == last => first.ok_or_else(|| NO_HEIGHT.to_owned()),
            None => Err(NO_HEIGHT.to_owned()),
        }
    }
}

/// Verifies a block of a height.
fn verify(
    verifier: &Verifier,
    (block, spent, height): (&Block<'_>, &[Output<'_>], u32),
    tables: &mut PerOutput<Option<RowTable>>,
    judged: &mut Judged,
) -> Result<Result<Report, Unjudged>, RunError> {
    let hash = block.header.hash();
    let flags = judged.network.flags(height, &hash);
    // Of the transaction that rows come from now.
    let mut txid = (0, [0; 32]);
    let each = |row: phalanx_bitcoin::CheckRow<'_>| {
        if let Some(table) = &mut tables.checks {
            if txid.0 != row.transaction {
                txid = (row.transaction, block.transactions[row.transaction].txid());
            }
            checks::push(table, Some(height), &hash, &txid.1, &row);
        }
    };
    let result = verifier.verify_block(block, spent, flags, each).map_err(|fault| match fault {
        // What was read is not the block, or not what it spends.
        _ if fault.is_mutation() => Unjudged::Unread(format!("{}: {fault}", judged.named)),
        BlockFault::SpentOutputs { .. } => Unjudged::Unread(format!("{}: {fault}", judged.named)),
        _ => Unjudged::NotValid(fault.to_string()),
    });
    let (invalid, of_block) = match &result {
        Ok(report) => (&report.invalid[..], None),
        Err(Unjudged::NotValid(rule)) => (&[][..], Some(&rule[..])),
        Err(Unjudged::Unread(_)) => return Ok(result),
    };
    let found = |invalid: &InvalidInput| FoundInput {
        txid: block.transactions[invalid.transaction].txid(),
        input: invalid.input,
        error: invalid.error,
    };
    judged.invalid = invalid.iter().map(found).collect();
    if let Some(table) = &mut tables.inputs {
        let mut invalid = invalid.iter().peekable();
        for (number, transaction) in block.transactions.iter().enumerate().skip(1) {
            let txid = transaction.txid();
            for input in 0..transaction.inputs.len() {
                let found = invalid.next_if(|invalid| (invalid.transaction, invalid.input) == (number, input));
                let verdict = match (of_block, found) {
                    (Some(rule), _) => InputVerdict::BlockInvalid(rule),
                    (None, Some(invalid)) => InputVerdict::Invalid(invalid.error.name()),
                    (None, None) => InputVerdict::Valid,
                };
                inputs::push(table, height, &hash, &txid, input, verdict);
            }
        }
    }
    Ok(result)
}
