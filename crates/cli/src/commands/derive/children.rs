//! Children as text and as tables.

use std::fmt::Write;

use phalanx::Bulk;
use phalanx::children::{ChildRow, PayloadKind};
use phalanx_bip32::{Chain, ChildTable, LockingScript, ScriptKind};

use super::source::ChildJob;
use crate::exit::RunError;
use crate::output::OutputFormat;
use crate::output::Payload;

/// What children are written as.
#[derive(Clone, Copy)]
pub(super) enum ChildForm {
    /// The index and the address or the key, with the number of the parent before them or not.
    Lines {
        numbered: bool,
    },
    Table(OutputFormat),
}

/// Children that were derived.
pub(super) struct ChildrenDone {
    pub(super) payload: Payload,
    /// The keys of which these are the first children.
    pub(super) keys: u64,
    pub(super) children: u64,
    /// The indexes that have no child.
    pub(super) missing: u64,
}

/// Derives children and writes them down. Without a kind there are keys alone; without a chain it is that of each key.
pub(super) fn write(
    bulk: &Bulk,
    job: &ChildJob,
    kind: Option<ScriptKind>,
    chain: Option<Chain>,
    form: ChildForm,
) -> Result<ChildrenDone, RunError> {
    let mut rows: Vec<ChildRow<'_>> = Vec::new();
    for part in &job.0 {
        rows.extend(part.key.rows(part.range.first..part.range.last + 1).map_err(RunError::of)?);
    }
    let found = bulk.derive_children(&rows, kind.map_or(PayloadKind::None, ScriptKind::payload));
    let parents = job.0.iter().flat_map(|part| (part.range.first..=part.range.last).map(move |_| part));
    let (mut text, mut table) = (String::new(), ChildTable::new(kind));
    let mut missing = 0;
    for ((row, child), part) in rows.iter().zip(&found).zip(parents) {
        let child = child.as_ref().ok();
        missing += u64::from(child.is_none());
        let chain = chain.unwrap_or(part.key.chain());
        match form {
            ChildForm::Table(_) => table.push(part.number, row.index, child, chain).map_err(RunError::of)?,
            ChildForm::Lines { numbered } => {
                // Writing to memory does not fail.
                if numbered {
                    let _ = write!(text, "{}\t", part.number);
                }
                let shown = child.and_then(|child| match kind {
                    Some(kind) => LockingScript::of_child(kind, child).map(|script| script.address(chain)),
                    None => Some(const_hex::encode(child.public_key.to_bytes())),
                });
                let _ = writeln!(text, "{}\t{}", row.index, shown.as_deref().unwrap_or_default());
            }
        }
    }
    let payload = match form {
        ChildForm::Table(format) => Payload::of_table(table.finish().map_err(RunError::of)?, format)?,
        ChildForm::Lines { .. } => Payload::Text(text.into_bytes()),
    };
    let keys = job.0.iter().filter(|part| part.first).count() as u64;
    Ok(ChildrenDone { payload, keys, children: rows.len() as u64 - missing, missing })
}
