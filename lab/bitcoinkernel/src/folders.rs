//! Data folders of a node, written by Bitcoin Core's own code from blocks of ours, and read by both.

use crate::{
    Failure, kernel,
    miner::{Coin, MinedBlock, block, payment},
    outputs::OutputKind,
};
use bitcoinkernel::{
    Block, BlockHeader, ChainType, ChainstateManager, ChainstateManagerBuilder, Context, KernelError, prelude::*,
};
use clap::Args;
use phalanx::Bulk;
use phalanx_bitcoin::{BlockFolder, Report, Verifier};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// How long a reward must wait.
const MATURITY: usize = 100;
/// Blocks that come from a peer in a mixed order.
const MIXED: usize = 7;

/// What to write.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// A folder that is not there yet; the node's folders `with-key` and `without-key` are made in it
    folder: PathBuf,
}

/// Blocks in the order in which a node is given them.
struct Course {
    /// The chain, from height 1 on.
    chain: Vec<MinedBlock>,
    /// Two blocks that are connected and then left for a longer branch. They stand behind the first 103.
    left: Vec<MinedBlock>,
    /// One of the last height that is never connected.
    never: MinedBlock,
}

impl Course {
    fn new(verifier: &Verifier) -> Self {
        let mut chain: Vec<MinedBlock> = Vec::new();
        let next = |chain: &[MinedBlock], salt, kinds: &[OutputKind], transactions: &[_]| {
            let (height, previous) = chain.last().map_or((1, genesis()), |last| (last.height + 1, last.hash));
            block(height, previous, salt, kinds, transactions)
        };
        let kind = |height: usize| [OutputKind::ALL[height % OutputKind::ALL.len()]];
        while chain.len() < MATURITY {
            let height = chain.len() + 1;
            let kinds = if height <= 3 { OutputKind::ALL.to_vec() } else { kind(height).to_vec() };
            chain.push(next(&chain, 0, &kinds, &[]));
        }
        // Each kind in a transaction of its own.
        let coins = chain[0].reward.iter().zip(1..);
        let alone: Vec<_> = coins.map(|(coin, number)| payment(&[*coin], &kind(number), number, verifier).0).collect();
        chain.push(next(&chain, 0, &kind(0), &alone));
        // All kinds in one.
        let (together, coins) = payment(&chain[1].reward, &OutputKind::ALL, 0, verifier);
        chain.push(next(&chain, 0, &kind(1), &[together]));
        // Coins that are no rewards, one of them of the same block.
        let (first, again) = payment(&coins, &OutputKind::ALL, 1, verifier);
        let (second, _) = payment(&again[..2], &kind(2), 2, verifier);
        let (third, _) = payment(&chain[2].reward, &OutputKind::ALL, 3, verifier);
        chain.push(next(&chain, 0, &kind(2), &[first, second, third]));
        // Two branches from here on.
        let spend = |coins: &[Coin], salt: u8| payment(coins, &kind(salt.into()), salt.into(), verifier).0;
        let mut branch = chain.clone();
        for _ in 0..2 {
            let transaction = spend(&branch[branch.len() - MATURITY].reward, 1);
            branch.push(next(&branch, 1, &kind(3), &[transaction]));
        }
        let left = branch.split_off(chain.len());
        while chain.len() < 108 {
            let transaction = spend(&chain[chain.len() - MATURITY].reward, 0);
            chain.push(next(&chain, 0, &kind(4), &[transaction]));
        }
        let never = next(&chain[..chain.len() - 1], 1, &kind(5), &[]);
        Self { chain, left, never }
    }

    /// Gives a node these blocks; in the end its chain is ours.
    fn give(&self, node: &ChainstateManager) -> Result<(), String> {
        let failed = |error: KernelError| error.to_string();
        let (early, late) = self.chain.split_at(MATURITY + 3);
        for block in early {
            let header = BlockHeader::new(&block.bytes[..80]).map_err(failed)?;
            let _ = node.process_block_header(&header);
        }
        // Headers come first, and blocks as peers send them.
        let mixed = early.chunks(MIXED).flat_map(|blocks| blocks.iter().rev());
        for block in mixed.chain(&self.left).chain(late).chain([&self.never]) {
            if !node.process_block(&Block::new(&block.bytes).map_err(failed)?).is_new_block() {
                return Err(format!("Bitcoin Core refuses block {}", block.height));
            }
        }
        let tip = node.active_chain().tip().block_hash().to_bytes();
        let last = &self.chain[self.chain.len() - 1];
        if tip == last.hash { Ok(()) } else { Err("Bitcoin Core has another chain".into()) }
    }
}

/// The hash of the first block of regtest.
fn genesis() -> [u8; 32] {
    let hex = "06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f";
    const_hex::decode_to_array(hex).expect("32 bytes")
}

/// A node on a folder.
fn node(folder: &Path) -> Result<ChainstateManager, String> {
    let failed = |error: KernelError| error.to_string();
    let name = |path: &Path| path.to_str().map(str::to_owned).ok_or("a path that is no text");
    let context = Context::builder().chain_type(ChainType::Regtest).build().map_err(failed)?;
    let builder = ChainstateManagerBuilder::new(&context, &name(folder)?, &name(&folder.join("blocks"))?);
    let node = builder.map_err(failed)?.worker_threads(0).build().map_err(failed)?;
    node.import_blocks().map_err(failed)?;
    Ok(node)
}

/// Ours reads the folder as Bitcoin Core does, and both verdicts on all of its blocks are the same.
fn compare(folder: &Path, course: &Course, verifier: &Verifier) -> Result<Report, String> {
    let failed = |error: KernelError| error.to_string();
    let node = node(folder)?;
    let mut opened = BlockFolder::open(folder, None).map_err(|fault| fault.to_string())?;
    if opened.heights().len() != course.chain.len() + 1 || opened.stale().len() != course.left.len() + 1 {
        return Err(format!("ours finds the heights {:?} and {} stale blocks", opened.heights(), opened.stale().len()));
    }
    let mut sum = Report::default();
    for entry in node.active_chain().iter() {
        let height = entry.height().cast_unsigned();
        let different = |what: &str| format!("block {height}: {what}");
        let stored = opened.read(height).ok_or_else(|| different("ours has none"))?;
        let stored = stored.map_err(|fault| fault.to_string())?;
        if stored.block != node.read_block_data(&entry).and_then(|block| block.consensus_encode()).map_err(failed)? {
            return Err(different("the bytes differ"));
        }
        let block = phalanx_bitcoin::Block::decode(&stored.block).map_err(|error| error.to_string())?;
        let spent = stored.spent(&block).map_err(|error| error.to_string())?;
        if height > 0 {
            let theirs = node.read_spent_outputs(&entry).map_err(failed)?;
            let coins = theirs.iter().flat_map(|transaction| {
                let coin = |coin: bitcoinkernel::CoinRef<'_>| {
                    let output = coin.output();
                    (output.value().cast_unsigned(), output.script_pubkey().to_bytes())
                };
                transaction.coins().map(coin).collect::<Vec<_>>()
            });
            let ours = spent.iter().map(|output| (output.value, output.script.to_vec()));
            if !ours.eq(coins) {
                return Err(different("what it spends differs"));
            }
        }
        let flags = opened.network().flags(height, &stored.hash);
        let report = verifier.verify_block(&block, &spent, flags, |_| {}).map_err(|fault| fault.to_string())?;
        let theirs = kernel::block(&stored.block, &spent, flags, 1).map_err(failed)?;
        if !report.invalid.is_empty() || theirs.contains(&false) {
            return Err(different("an input is not valid"));
        }
        sum.add_counts(&report);
    }
    match opened.faults().first() {
        None => Ok(sum),
        Some(fault) => Err(fault.to_string()),
    }
}

/// Writes both folders and compares.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let bulk = Bulk::builder().threads(1).build().map_err(|error| Failure::NotThere(error.to_string()))?;
    let verifier = Verifier::new(&bulk);
    let course = Course::new(&verifier);
    let made = |error: std::io::Error| Failure::NotThere(format!("{}: {error}", settings.folder.display()));
    fs::create_dir(&settings.folder).map_err(made)?;
    for name in ["with-key", "without-key"] {
        let folder = settings.folder.join(name);
        let blocks = folder.join("blocks");
        // Bitcoin Core draws a key for an empty folder. One that older versions have begun gets the key zero.
        let first = if name == "with-key" { blocks } else { blocks.join("index") };
        fs::create_dir_all(first).map_err(made)?;
        course.give(&node(&folder).map_err(Failure::NotThere)?).map_err(Failure::Different)?;
        let report = compare(&folder, &course, &verifier).map_err(Failure::Different)?;
        println!(
            "{name}: heights 0 to {}, {} stale blocks, {} inputs, {} ECDSA, {} Schnorr, {} commitments; \
             {} speculative, {} run twice",
            course.chain.len(),
            course.left.len() + 1,
            report.inputs,
            report.ecdsa,
            report.schnorr,
            report.commitments,
            report.speculative,
            report.executed_again
        );
    }
    Ok(())
}
