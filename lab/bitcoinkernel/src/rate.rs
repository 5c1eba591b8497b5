//! The command `phalanx blocks` on a folder, beside the same blocks held in memory, and beside their checks alone.

use crate::{Failure, blocks::milliseconds, large::LargeFolder};
use clap::Args;
use phalanx::{Bulk, LowS, PublicKeyRef, XOnlyKeyRef, ecdsa, schnorr};
use phalanx_bitcoin::{Block, BlockFolder, Check, StoredBlock, Verifier};
use std::{
    fmt::Display,
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// Blocks that are held in memory.
const HELD: usize = 40;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// The command `phalanx`, built for release
    phalanx: PathBuf,
    /// A folder that is not there yet; it is removed in the end
    folder: PathBuf,
    /// How many blocks of 1.6 megabytes and what they spend it gets
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,
    /// How often each is timed, in turn
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    n: u32,
    /// Threads of the command, and for the blocks in memory
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,
}

fn failed(error: impl Display) -> Failure {
    Failure::NotThere(error.to_string())
}

/// The most memory that a process has held so far, in KiB.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Runs the command: inputs a second, and the most memory in MiB.
fn command_rate(settings: &Settings) -> Result<(f64, f64), Failure> {
    let threads = settings.threads.to_string();
    let mut command = Command::new(&settings.phalanx);
    command.args(["blocks", "--json", "-q", "-j", &threads]).arg(&settings.folder);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut most = 0;
    while child.try_wait().map_err(failed)?.is_none() {
        most = most.max(peak(&child).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(failed)?;
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(failed)?;
    if !output.status.success() || summary["blocks"] != settings.blocks || summary["invalid"] != 0 {
        return Err(Failure::Different(format!("the command says {summary}")));
    }
    let rate = summary["inputs_per_second"].as_f64().ok_or_else(|| failed("no rate"))?;
    Ok((rate, most as f64 / 1024.0))
}

/// Blocks of the folder, whose bytes are in memory.
fn held(settings: &Settings) -> Result<Vec<StoredBlock>, Failure> {
    let mut folder = BlockFolder::open(&settings.folder, None).map_err(failed)?;
    let heights = folder.heights().take(HELD);
    heights.map(|height| folder.read(height).expect("a height of the chain").map_err(failed)).collect()
}

/// Verifies blocks from their bytes; inputs a second by the clock on the wall. Each thread takes whole blocks.
fn memory_rate(blocks: &[StoredBlock], verifier: &Verifier, threads: usize) -> f64 {
    let begun = milliseconds(2);
    let verify = |stored: &StoredBlock| {
        let block = Block::decode(&stored.block).expect("it was read before");
        let spent = stored.spent(&block).expect("the record of the block");
        let flags = phalanx_bitcoin::Network::Regtest.flags(stored.height, &stored.hash);
        let report = verifier.verify_block(&block, &spent, flags, |_| {}).expect("a block within limits");
        assert!(report.invalid.is_empty());
        report.inputs
    };
    let part = |first: usize| blocks.iter().skip(first).step_by(threads).map(verify).sum::<u64>();
    let inputs: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).sum()
    });
    inputs as f64 / (milliseconds(2) - begun) * 1e3
}

/// Verifies the signatures of a block alone; how many inputs a second that would be, if there was nothing else.
fn checks_rate(stored: &StoredBlock, verifier: &Verifier, bulk: &Bulk) -> Result<f64, Failure> {
    let block = Block::decode(&stored.block).map_err(failed)?;
    let spent = stored.spent(&block).map_err(failed)?;
    let flags = phalanx_bitcoin::Network::Regtest.flags(stored.height, &stored.hash);
    let mut checks: Vec<Check> = Vec::new();
    let report = verifier.verify_block(&block, &spent, flags, |row| checks.push(*row.check)).map_err(failed)?;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for check in &checks {
        match check {
            Check::Ecdsa { digest, key, signature } => left.push(ecdsa::Row {
                digest,
                signature: ecdsa::SignatureRef::Parsed(signature),
                public_key: PublicKeyRef::EncodedHybrid(key.as_bytes()),
            }),
            Check::Schnorr { digest, key, signature } => {
                right.push(schnorr::Row { message: digest, signature, public_key: XOnlyKeyRef::Encoded(key) });
            }
            Check::Commitment { .. } => {}
        }
    }
    let begun = milliseconds(2);
    let found = bulk.verify_ecdsa(&left, LowS::Allow).len() + bulk.verify_schnorr(&right).len();
    let time = milliseconds(2) - begun;
    assert_eq!(found, left.len() + right.len());
    Ok(report.inputs as f64 / time * 1e3)
}

/// Makes the folder and measures.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let bulk = Bulk::builder().threads(1).build().map_err(failed)?;
    let verifier = Verifier::new(&bulk);
    let folder = LargeFolder::create(&settings.folder, settings.blocks as usize)?;
    let blocks = held(settings)?;
    println!(
        "{} blocks, {} MB; backend {}, {} threads; inputs a second, the best of {}",
        settings.blocks,
        folder.bytes / 1_000_000,
        bulk.backend().name(),
        settings.threads,
        settings.n
    );
    let (mut rates, mut most) = ([0.0_f64; 3], 0.0_f64);
    for _ in 0..settings.n {
        let (rate, memory) = command_rate(settings)?;
        let in_memory = memory_rate(&blocks, &verifier, settings.threads as usize);
        let alone = checks_rate(&blocks[0], &verifier, &bulk)? * f64::from(settings.threads);
        for (best, rate) in rates.iter_mut().zip([rate, in_memory, alone]) {
            *best = best.max(rate);
        }
        most = most.max(memory);
    }
    let [file, in_memory, alone] = rates;
    println!("the command on the folder    {file:>9.0}  {most:.0} MiB at most");
    println!("blocks in memory             {in_memory:>9.0}  {:.1}% is the command", 100.0 * file / in_memory);
    println!("signatures alone             {alone:>9.0}  {:.1}% is the command", 100.0 * file / alone);
    Ok(())
}
