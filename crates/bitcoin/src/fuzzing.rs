//! What lies inside of the crate, for the fuzz targets in `fuzz/` and for nobody else: this is no interface, and nothing
//! here keeps its name or its form.

use phalanx::{Batch, Bulk};

use crate::block::Block;
use crate::bytes::DecodeError;
use crate::check::Check;
use crate::flags::Flags;
use crate::judge::Judge;
use crate::script_error::ScriptError;
use crate::sighash::SpendingTransaction;
use crate::spend::run;
use crate::transaction::{Output, Transaction};

/// Runs the scripts of an input, and verifies each signature where it stands. Returns how they end, and every check with
/// its answer.
///
/// # Panics
/// There is no such input, or not as many outputs as inputs.
pub fn run_directly(
    bulk: &Bulk,
    transaction: &Transaction<'_>,
    spent: &[Output<'_>],
    input: usize,
    flags: Flags,
) -> (Result<(), ScriptError>, Vec<(Check, bool)>) {
    assert!(input < transaction.inputs.len() && transaction.inputs.len() == spent.len());
    let batch = Batch::with(bulk);
    let mut judge = Judge::knowing(&batch, []);
    let result = run(&SpendingTransaction::new(transaction, spent), input, flags, &mut judge);
    (result, judge.finish().asked)
}

/// The outputs that a block's inputs spend, from the record that undoes it.
///
/// # Errors
/// The record is none of this block.
pub fn undo<'a>(record: &'a [u8], block: &Block<'_>) -> Result<Vec<Output<'a>>, DecodeError> {
    crate::undo::decode(record, block)
}
