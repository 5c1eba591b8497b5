//! Blocks that are made to take time, within the limits of consensus, by both.

use crate::{
    Failure,
    blocks::milliseconds,
    kernel,
    miner::block,
    outputs::OutputKind,
    scripts::{OP_1, TAPSCRIPT, committed, push},
    signed::asked,
    spending::{Spending, SpendingInput},
};
use clap::{Args, ValueEnum};
use phalanx::{Backend, Bulk, Keypair, SecretKey, ecdsa, hash::sha256, schnorr};
use phalanx_bitcoin::{Block, Output, Verifier};
use std::num::NonZeroUsize;

const OP_IF: u8 = 0x63;
const OP_ENDIF: u8 = 0x68;
const OP_2DUP: u8 = 0x6e;
const OP_DROP: u8 = 0x75;
const OP_DUP: u8 = 0x76;
const OP_HASH256: u8 = 0xaa;
const OP_CODESEPARATOR: u8 = 0xab;
const OP_CHECKSIG: u8 = 0xac;
const OP_CHECKSIGVERIFY: u8 = 0xad;
const OP_CHECKMULTISIG: u8 = 0xae;

/// The bytes of a transaction without witnesses that fills a block.
const TRANSACTION_BYTES: usize = 999_000;
/// The bytes of a tapscript that fills a block.
const TAPSCRIPT_BYTES: usize = 3_990_000;
/// The bytes of an input without a script.
const INPUT_BYTES: usize = 41;
/// What the signature operations of witnesses may count.
const MOST_CHECKS: usize = 80_000;
/// Operations of a script that is no tapscript.
const MOST_OPERATIONS: usize = 201;
/// The bytes of such a script.
const MOST_SCRIPT_BYTES: usize = 10_000;
/// What a signature in tapscript uses up of the witness's bytes.
const CHECK_BYTES: usize = 50;
/// The sighash types of signatures that do not hold: all, and this input alone.
const ALL: u8 = 1;
const ALONE: u8 = 0x81;

/// What takes the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A transaction as large as a block, hashed anew for each of 67 legacy signatures of an input
    Sighashes,
    /// Nine times in an input, CHECKMULTISIG of one signature that none of twenty keys has made
    Multisig,
    /// Seven times in an input, CHECKMULTISIG of ten such signatures
    TenOfTwenty,
    /// As many checks of SegWit version 0 as a block may have; no signature holds
    Segwit,
    /// As many checks of tapscript as a block may have
    Tapscript,
    /// Four megabytes of tapscript that hash values of 520 bytes
    Hashes,
    /// Four megabytes of tapscript of nested conditions
    Conditions,
}

/// Which blocks to make.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Only this one; without it, all of them
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Of `sighashes` and both CHECKMULTISIG, how many inputs do what takes the time; the block's others do nothing
    #[arg(long, default_value = "4")]
    inputs: NonZeroUsize,
    /// Forces a backend of ours
    #[arg(long)]
    backend: Option<Backend>,
}

/// The transaction of a block.
struct Worst {
    spending: Spending,
    /// How many inputs do what takes the time, and how many there is room for.
    inputs: [usize; 2],
}

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).expect("in range")
}

fn key(seed: u8) -> [u8; 33] {
    secret(seed).public_key().to_bytes()
}

/// A signature of what nothing asks for.
fn false_signature(hash_type: u8) -> Vec<u8> {
    [&ecdsa::sign(&[1; 32], &secret(9)).to_der()[..], &[hash_type]].concat()
}

/// A transaction of inputs that spend outputs with these scripts.
fn spending(scripts: Vec<Vec<u8>>) -> Spending {
    let inputs = (0..scripts.len() as u32).map(|number| SpendingInput::of([7; 32], number)).collect();
    let output = |script: Vec<u8>| Output { value: 0, script: script.into() };
    let spent = scripts.into_iter().map(output).collect();
    Spending { version: 2, inputs, outputs: vec![output(vec![OP_1])], lock_time: 0, spent }
}

/// A transaction that fills a block. So many of its inputs spend an output with this script.
fn legacy(script: &[u8], some: usize) -> Worst {
    let most = TRANSACTION_BYTES / INPUT_BYTES;
    let some = some.min(most);
    let scripts = (0..most).map(|number| if number < some { script.to_vec() } else { vec![OP_1] }).collect();
    Worst { spending: spending(scripts), inputs: [some, most] }
}

/// The same for CHECKMULTISIG of some signatures that none of twenty keys has made, as often as a script has room.
fn multisig(signatures: u8, some: usize) -> Worst {
    let keys: Vec<u8> = (100..120).flat_map(|seed| push(&key(seed))).collect();
    let pushed = push(&false_signature(ALONE)).repeat(signatures.into());
    let check = [&[0], &pushed[..], &[OP_1 + signatures - 1], &keys, &[1, 20, OP_CHECKMULTISIG, OP_DROP]].concat();
    // It counts as 21 operations, and what drops its result as one.
    let times = (MOST_OPERATIONS / 22).min((MOST_SCRIPT_BYTES - 1) / check.len());
    legacy(&[check.repeat(times), vec![OP_1]].concat(), some)
}

/// One input with a tapscript.
fn tapscript(script: Vec<u8>, values: Vec<Vec<u8>>) -> Worst {
    let (output_key, control) = committed(&script, TAPSCRIPT, &[]);
    let mut spending = spending(vec![[&[OP_1, 32][..], &output_key].concat()]);
    spending.inputs[0].witness = [values, vec![script, control]].concat();
    Worst { spending, inputs: [1, 1] }
}

impl Kind {
    fn make(self, inputs: usize, verifier: &Verifier) -> Worst {
        match self {
            Self::Sighashes => {
                // What is signed begins behind the separator, so each check signs something else. Of 201 operations
                // three go to a check.
                let check =
                    [&[OP_CODESEPARATOR][..], &push(&false_signature(ALL)), &push(&key(9)), &[OP_CHECKSIG, OP_DROP]];
                legacy(&[check.concat().repeat(MOST_OPERATIONS / 3), vec![OP_1]].concat(), inputs)
            }
            Self::Multisig => multisig(1, inputs),
            Self::TenOfTwenty => multisig(10, inputs),
            Self::Segwit => {
                // A signature and a key are copied for each check. The last two operations drop them.
                let checks = (MOST_OPERATIONS - 2) / 3;
                let script = [[OP_2DUP, OP_CHECKSIG, OP_DROP].repeat(checks), vec![OP_DROP, OP_DROP, OP_1]].concat();
                let count = MOST_CHECKS / checks;
                let mut spending = spending(vec![[&[0, 32], &sha256(&script)[..]].concat(); count]);
                for input in &mut spending.inputs {
                    input.witness = vec![false_signature(ALONE), key(9).to_vec(), script.clone()];
                }
                Worst { spending, inputs: [count; 2] }
            }
            Self::Tapscript => {
                let room = CHECK_BYTES - 4;
                let check = [&push(&vec![0; room])[..], &[OP_DROP, OP_2DUP, OP_CHECKSIGVERIFY]].concat();
                let script = [check.repeat(TAPSCRIPT_BYTES / CHECK_BYTES), vec![OP_DROP, OP_DROP, OP_1]].concat();
                // One that does not hold ends the script.
                let pair = Keypair::from_secret(secret(9));
                let sign = |digest: &[u8; 32]| schnorr::sign(digest, &pair, &[0; 32]).to_bytes().to_vec();
                let mut worst = tapscript(script, vec![sign(&[1; 32]), pair.x_only().to_bytes().to_vec()]);
                let digest = asked(&worst.spending, 0, verifier).expect("the script asks for a signature");
                worst.spending.inputs[0].witness[0] = sign(&digest);
                worst
            }
            Self::Hashes => {
                let script = [[OP_DUP, OP_HASH256, OP_DROP].repeat(TAPSCRIPT_BYTES / 3), vec![OP_DROP, OP_1]].concat();
                tapscript(script, vec![vec![7; 520]])
            }
            Self::Conditions => {
                let depth = TAPSCRIPT_BYTES / 3;
                tapscript([[OP_1, OP_IF].repeat(depth), vec![OP_ENDIF; depth], vec![OP_1]].concat(), vec![])
            }
        }
    }

    /// Verifies a block by both on one thread, and prints a line. Of the kernel's calls those for inputs that do
    /// nothing are not timed.
    fn compare(self, settings: &Settings, verifier: &Verifier) -> Result<(), String> {
        let Worst { spending, inputs: [some, most] } = self.make(settings.inputs.get(), verifier);
        let (flags, spent) = (kernel::today(), spending.spent.clone());
        let transaction = spending.encoded();
        let bytes = block(1, [0; 32], 0, &[OutputKind::Key], &[spending]).bytes;
        let begun = milliseconds(1);
        let block = Block::decode(&bytes).map_err(|error| error.to_string())?;
        let report = verifier.verify_block(&block, &spent, flags, |_| {}).map_err(|fault| fault.to_string())?;
        let between = milliseconds(1);
        let failed = |error: bitcoinkernel::KernelError| error.to_string();
        let inputs = kernel::Inputs::read(&transaction, &spent, flags).map_err(failed)?;
        let verdict = |input| inputs.verdict(input).map_err(failed);
        let mut theirs = (0..some).map(verdict).collect::<Result<Vec<bool>, _>>()?;
        let end = milliseconds(1);
        theirs.extend((some..spent.len()).map(verdict).collect::<Result<Vec<bool>, _>>()?);
        let is_valid = |input| report.invalid.iter().all(|invalid| invalid.input != input);
        if (0..spent.len()).map(is_valid).ne(theirs) {
            return Err(format!("{self:?}: ours {:?}", report.invalid.first()));
        }
        let (ours, theirs) = (between - begun, end - between);
        println!(
            "{:>11} {:>8} {some:>7} {most:>7} {:>8} {:>8} {:>8} {:>7} {ours:>12.0} {theirs:>12.0} {:>9.1}x",
            format!("{self:?}").to_lowercase(),
            bytes.len(),
            report.invalid.len(),
            report.ecdsa + report.schnorr,
            report.speculative,
            report.executed_again,
            theirs / ours
        );
        Ok(())
    }
}

/// Makes the blocks and compares.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let mut builder = Bulk::builder().threads(1);
    if let Some(backend) = settings.backend {
        builder = builder.backend(backend);
    }
    let bulk = builder.build().map_err(|error| Failure::NotThere(error.to_string()))?;
    kernel::start().map_err(|error| Failure::NotThere(error.to_string()))?;
    println!("backend {}; of `most` inputs `some` take the time", bulk.backend().name());
    println!(
        "{:>11} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>7} {:>12} {:>12} {:>10}",
        "block", "bytes", "some", "most", "invalid", "checks", "in vain", "twice", "ours, ms", "kernel's, ms", "ratio"
    );
    let verifier = Verifier::new(&bulk);
    let kinds: Vec<Kind> = settings.kind.map_or_else(|| Kind::value_variants().to_vec(), |kind| vec![kind]);
    kinds.into_iter().try_for_each(|kind| kind.compare(settings, &verifier)).map_err(Failure::Different)
}
