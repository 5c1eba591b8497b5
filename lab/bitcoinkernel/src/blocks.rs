//! Both on the inputs of real blocks, in turn.

use crate::{
    Failure, kernel,
    real_blocks::RealBlock,
    stats::{Summary, is_noise},
};
use clap::Args;
use phalanx::{Backend, Bulk};
use phalanx_bitcoin::{Block, Flags, Output, Report, Verifier, decode_outputs};
use rustix::time::{ClockId, clock_gettime};
use std::{num::NonZeroUsize, path::PathBuf};

/// What to time.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// How often each side verifies each block, in turn
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
    /// Forces a backend of ours
    #[arg(long)]
    backend: Option<Backend>,
    /// Threads of each side; with more than one the time is that of the clock on the wall
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// The blocks of a node's folder, all together, in place of two blocks of the main network
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// Milliseconds: the process's CPU time for one thread, those of the wall for several.
pub(crate) fn milliseconds(threads: usize) -> f64 {
    let time = clock_gettime(if threads == 1 { ClockId::ProcessCPUTime } else { ClockId::Monotonic });
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// What is verified: a block, what it spends as bytes, and the same parsed.
struct Work<'a> {
    block: &'a RealBlock,
    spent: Vec<Output<'a>>,
    flags: Flags,
}

impl<'a> Work<'a> {
    fn new(block: &'a RealBlock) -> Result<Self, Failure> {
        let spent = decode_outputs(&block.spent).map_err(|error| Failure::NotThere(error.to_string()))?;
        Ok(Self { flags: block.flags()?, block, spent })
    }

    /// Ours, from bytes.
    fn ours(&self, verifier: &Verifier) -> Result<Report, String> {
        let block = Block::decode(&self.block.bytes).map_err(|error| error.to_string())?;
        let spent = decode_outputs(&self.block.spent).map_err(|error| error.to_string())?;
        verifier.verify_block(&block, &spent, self.flags, |_| {}).map_err(|error| error.to_string())
    }

    /// Bitcoin Core's, which has no form of outputs alone as bytes.
    fn theirs(&self, threads: usize) -> Result<Vec<bool>, String> {
        kernel::block(&self.block.bytes, &self.spent, self.flags, threads).map_err(|error| error.to_string())
    }

    /// Compares the verdicts; what ours found.
    fn same(&self, verifier: &Verifier, threads: usize) -> Result<Report, String> {
        let (ours, theirs) = (self.ours(verifier)?, self.theirs(threads)?);
        let transactions = Block::decode(&self.block.bytes).map_err(|error| error.to_string())?.transactions;
        let places = transactions.iter().enumerate().skip(1);
        let places = places.flat_map(|(number, each)| (0..each.inputs.len()).map(move |input| (number, input)));
        let valid = |place: (usize, usize)| ours.invalid.iter().all(|found| (found.transaction, found.input) != place);
        let verdicts: Vec<bool> = places.map(valid).collect();
        if verdicts.is_empty() || verdicts != theirs {
            return Err(format!("verdicts differ: {:?}", ours.invalid));
        }
        Ok(ours)
    }
}

/// Blocks that are timed together, under a name.
struct Lot<'a> {
    name: String,
    works: Vec<Work<'a>>,
}

impl Lot<'_> {
    fn different(&self, work: &Work<'_>, reason: String) -> Failure {
        Failure::Different(format!("{}: block {}: {reason}", self.name, work.block.height))
    }

    /// Compares verdicts, then times both in turn, and prints a line.
    fn compare(&self, settings: &Settings, verifier: &Verifier, backend: Backend) -> Result<(), Failure> {
        let threads = settings.threads.get();
        let mut sum = Report::default();
        for work in &self.works {
            sum.add_counts(&work.same(verifier, threads).map_err(|reason| self.different(work, reason))?);
        }
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..settings.n {
            for side in [round % 2, 1 - round % 2] {
                let begun = milliseconds(threads);
                for work in &self.works {
                    let done = if side == 0 { work.ours(verifier).map(drop) } else { work.theirs(threads).map(drop) };
                    done.map_err(|reason| self.different(work, reason))?;
                }
                times[side as usize].push(milliseconds(threads) - begun);
            }
        }
        let [ours, theirs] = times.map(|times| Summary::of(&times));
        let [left, right] = [ours, theirs].map(|side| format!("{:.1} ±{:.1}%", side.median, side.spread * 100.0));
        println!(
            "{:>12} {:>7} {:>6} {:>8} {:>8} {:>7} {left:>16} {right:>16}  {:.2}x{}, least {:.2}x",
            self.name,
            sum.inputs,
            sum.ecdsa,
            sum.schnorr,
            backend.name(),
            threads,
            theirs.median / ours.median,
            if is_noise(ours, theirs) { ", noise" } else { "" },
            theirs.least / ours.least,
        );
        Ok(())
    }
}

/// Compares verdicts and then times.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let mut builder = Bulk::builder().threads(settings.threads.get());
    if let Some(backend) = settings.backend {
        builder = builder.backend(backend);
    }
    let bulk = builder.build().map_err(|error| Failure::NotThere(error.to_string()))?;
    kernel::start().map_err(|error| Failure::NotThere(error.to_string()))?;
    let verifier = Verifier::new(&bulk);
    let blocks = match &settings.folder {
        Some(folder) => RealBlock::of_folder(folder)?,
        None => RealBlock::all()?.into(),
    };
    let works = blocks.iter().map(Work::new).collect::<Result<Vec<_>, Failure>>()?;
    let lots = match &settings.folder {
        Some(_) => vec![Lot { name: "folder".to_owned(), works }],
        None => works.into_iter().map(|work| Lot { name: work.block.height.to_string(), works: vec![work] }).collect(),
    };
    println!(
        "{:>12} {:>7} {:>6} {:>8} {:>8} {:>7} {:>16} {:>16}  ratio",
        "block", "inputs", "ECDSA", "Schnorr", "backend", "threads", "ours, ms", "kernel's, ms"
    );
    lots.iter().try_for_each(|lot| lot.compare(settings, &verifier, bulk.backend()))
}
