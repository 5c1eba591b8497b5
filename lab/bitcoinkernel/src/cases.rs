//! Changed real transactions, signed inputs and random scripts, under every set of rules that consensus can have: both
//! give each input the same verdict.

use crate::{Failure, draw::Draw, kernel, mutations, real_blocks::RealBlock, scripts, signed, spending::Spending};
use clap::Args;
use phalanx::Bulk;
use phalanx_bitcoin::{Block, Flags, Output, Transaction, Verifier, decode_outputs};
use std::fmt;

/// Transactions with more inputs would take most of the time.
const MOST_INPUTS: usize = 30;

/// What to compare.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// How many cases
    count: u64,
    /// What the cases follow from, with their numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first case
    #[arg(long, default_value_t = 0)]
    first: u64,
}

/// A case: bytes of a transaction, what it spends, and the rules.
pub(crate) struct Case {
    pub(crate) bytes: Vec<u8>,
    pub(crate) spent: Vec<Output<'static>>,
    pub(crate) flags: Flags,
}

/// What both say of a case.
pub(crate) enum Found {
    /// Both read no transaction, or it is not well formed, or has not as many inputs as it spends outputs.
    Refused,
    /// So many inputs are valid, and so many are not; ours ran so many of them twice.
    Judged { valid: u64, invalid: u64, again: u64 },
}

impl Case {
    /// The case of this number.
    fn new(transactions: &[Spending], verifier: &Verifier, seed: u64, number: u64) -> Self {
        let mut draw = Draw::new(seed, number);
        let mut spending = transactions[draw.below(transactions.len())].clone();
        let input = draw.below(spending.inputs.len());
        let kind = draw.below(6);
        match kind {
            0 | 1 => scripts::replace(&mut spending, input, &mut draw),
            2 | 3 => signed::replace(&mut spending, input, verifier, &mut draw),
            _ => {}
        }
        if kind > 2 {
            mutations::mutate(&mut spending, input, &mut draw);
        }
        let mut bytes = spending.encoded();
        if draw.below(16) == 0 {
            mutations::mutate_bytes(&mut bytes, &mut draw);
        }
        Self { bytes, spent: spending.spent, flags: flags(&mut draw) }
    }

    /// Asks both; the error says how they differ.
    pub(crate) fn compare(&self, verifier: &Verifier) -> Result<Found, String> {
        let transaction = match (Transaction::decode(&self.bytes), kernel::reads(&self.bytes)) {
            (Err(_), false) => return Ok(Found::Refused),
            (Ok(_), false) => return Err("only the kernel refuses the transaction".into()),
            (Err(error), true) => return Err(format!("only ours refuses the transaction: {error}")),
            (Ok(transaction), true) => transaction,
        };
        // The kernel's call for scripts does not ask whether a transaction is well formed. Changed bytes may also have
        // lost an input.
        let Ok(report) = verifier.verify_transaction(&transaction, &self.spent, self.flags, |_| {}) else {
            return Ok(Found::Refused);
        };
        let theirs = kernel::transaction(&self.bytes, &self.spent, self.flags).map_err(|error| error.to_string())?;
        let is_valid = |input| report.invalid.iter().all(|found| found.input != input);
        let ours: Vec<bool> = (0..self.spent.len()).map(is_valid).collect();
        if ours != theirs {
            return Err(format!("ours {ours:?}, the kernel's {theirs:?}, {:?}", report.invalid));
        }
        let invalid = report.invalid.len() as u64;
        Ok(Found::Judged { valid: report.inputs - invalid, invalid, again: report.executed_again })
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "flags {:?}\ntransaction {}", self.flags, const_hex::encode(&self.bytes))?;
        for spent in &self.spent {
            writeln!(f, "spends {} {}", spent.value, const_hex::encode(&spent.script))?;
        }
        Ok(())
    }
}

/// Today's rules, or any set in which Taproot comes with SegWit, and that with BIP-16.
fn flags(draw: &mut Draw) -> Flags {
    if draw.below(3) > 0 {
        return kernel::today();
    }
    let some = kernel::RULES.into_iter().filter(|_| draw.below(2) == 0);
    let mut flags = some.fold(Flags::NONE, |flags, (rule, _)| flags | rule);
    if flags.contains(Flags::TAPROOT) {
        flags = flags | Flags::WITNESS;
    }
    if flags.contains(Flags::WITNESS) {
        flags = flags | Flags::P2SH;
    }
    flags
}

/// The transactions of real blocks that spend something.
fn transactions() -> Result<Vec<Spending>, Failure> {
    let mut transactions = Vec::new();
    for block in RealBlock::all()? {
        let bad = |error: phalanx_bitcoin::DecodeError| Failure::NotThere(format!("block {}: {error}", block.height));
        let spent = decode_outputs(&block.spent).map_err(bad)?;
        let mut rest = &spent[..];
        for transaction in &Block::decode(&block.bytes).map_err(bad)?.transactions[1..] {
            let own = rest
                .split_off(..transaction.inputs.len())
                .ok_or_else(|| Failure::NotThere(format!("block {} spends more than is stored", block.height)))?;
            if own.len() < MOST_INPUTS {
                transactions.push(Spending::of(transaction, own));
            }
        }
    }
    Ok(transactions)
}

/// Compares until a case differs.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let bulk = Bulk::builder().threads(1).build().map_err(|error| Failure::NotThere(error.to_string()))?;
    let (verifier, transactions) = (Verifier::new(&bulk), transactions()?);
    let mut refused = 0;
    let mut inputs = [0; 3];
    for number in (settings.first..).take(usize::try_from(settings.count).unwrap_or(usize::MAX)) {
        let case = Case::new(&transactions, &verifier, settings.seed, number);
        let different =
            |reason| Failure::Different(format!("case {number} of seed {} differs: {reason}\n{case}", settings.seed));
        match case.compare(&verifier).map_err(different)? {
            Found::Refused => refused += 1,
            Found::Judged { valid, invalid, again } => {
                inputs = [inputs[0] + valid, inputs[1] + invalid, inputs[2] + again];
            }
        }
    }
    let [valid, invalid, again] = inputs;
    println!(
        "{} cases of seed {} from number {} on, {refused} refused; {valid} inputs valid and \
         {invalid} not, {again} run twice by ours",
        settings.count, settings.seed, settings.first
    );
    if valid + invalid == 0 {
        return Err(Failure::NotThere("no input was compared".into()));
    }
    Ok(())
}
