//! Both on the inputs of real blocks, in turn, on one thread.

use crate::{
    Failure, kernel,
    real_blocks::RealBlock,
    stats::{Summary, is_noise},
};
use clap::Args;
use phalanx::{Backend, Bulk};
use phalanx_bitcoin::{Block, Flags, Output, Report, Verifier, decode_outputs};
use rustix::time::{ClockId, clock_gettime};

/// What to time.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// How often each side verifies each block, in turn
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
    /// Forces a backend of ours
    #[arg(long)]
    backend: Option<Backend>,
}

/// The process's CPU time in milliseconds.
fn milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// What is verified: a block, what it spends as bytes, and the same parsed.
struct Work<'a> {
    block: &'a RealBlock,
    spent: Vec<Output<'a>>,
    flags: Flags,
    verifier: &'a Verifier,
}

impl Work<'_> {
    /// Ours, from bytes.
    fn ours(&self) -> Result<Report, String> {
        let block = Block::decode(&self.block.bytes).map_err(|error| error.to_string())?;
        let spent = decode_outputs(&self.block.spent).map_err(|error| error.to_string())?;
        self.verifier.verify_block(&block, &spent, self.flags, |_| {}).map_err(|error| error.to_string())
    }

    /// Bitcoin Core's, which has no form of outputs alone as bytes.
    fn theirs(&self) -> Result<Vec<bool>, String> {
        kernel::block(&self.block.bytes, &self.spent, self.flags).map_err(|error| error.to_string())
    }

    /// Compares the verdicts; how many checks ours made of ECDSA and of Schnorr signatures.
    fn same(&self) -> Result<[u64; 2], String> {
        let (ours, theirs) = (self.ours()?, self.theirs()?);
        let transactions = Block::decode(&self.block.bytes).map_err(|error| error.to_string())?.transactions;
        let places = transactions.iter().enumerate().skip(1);
        let places = places.flat_map(|(number, each)| (0..each.inputs.len()).map(move |input| (number, input)));
        let valid = |place: (usize, usize)| ours.invalid.iter().all(|found| (found.transaction, found.input) != place);
        let verdicts: Vec<bool> = places.map(valid).collect();
        if verdicts.is_empty() || verdicts != theirs {
            return Err(format!("verdicts differ: {:?}", ours.invalid));
        }
        Ok([ours.ecdsa, ours.schnorr])
    }

    /// Times both so often.
    fn race(&self, rounds: u32) -> Result<[Summary; 2], String> {
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..rounds {
            for side in [round % 2, 1 - round % 2] {
                let begun = milliseconds();
                if side == 0 {
                    drop(self.ours()?)
                } else {
                    drop(self.theirs()?)
                }
                times[side as usize].push(milliseconds() - begun);
            }
        }
        Ok(times.map(|times| Summary::of(&times)))
    }
}

/// Compares verdicts and then times.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let mut builder = Bulk::builder().threads(1);
    if let Some(backend) = settings.backend {
        builder = builder.backend(backend);
    }
    let bulk = builder.build().map_err(|error| Failure::NotThere(error.to_string()))?;
    let verifier = Verifier::new(&bulk);
    println!(
        "{:>7} {:>7} {:>6} {:>8} {:>8} {:>16} {:>16}  ratio",
        "block", "inputs", "ECDSA", "Schnorr", "backend", "ours, ms", "kernel's, ms"
    );
    for block in RealBlock::all()? {
        let spent = decode_outputs(&block.spent).map_err(|error| Failure::NotThere(error.to_string()))?;
        let work = Work { flags: block.flags()?, block: &block, spent, verifier: &verifier };
        let different = |reason| Failure::Different(format!("block {}: {reason}", block.height));
        let [ecdsa, schnorr] = work.same().map_err(different)?;
        let [ours, theirs] = work.race(settings.n).map_err(different)?;
        let [left, right] = [ours, theirs].map(|side| format!("{:.1} ±{:.1}%", side.median, side.spread * 100.0));
        let noise = if is_noise(ours, theirs) { ", noise" } else { "" };
        println!(
            "{:>7} {:>7} {ecdsa:>6} {schnorr:>8} {:>8} {left:>16} {right:>16}  {:.2}x{noise}, least {:.2}x",
            block.height,
            work.spent.len(),
            bulk.backend().name(),
            theirs.median / ours.median,
            theirs.least / ours.least,
        );
    }
    Ok(())
}
