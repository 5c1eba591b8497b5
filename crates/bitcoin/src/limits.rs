//! What a block may be as a whole, before any script runs. These limits bound the time that scripts take.

use std::fmt;

use crate::block::Block;
use crate::flags::Flags;
use crate::script::{is_script_hash, last_push, signature_operations, witness_program};
use crate::text::reversed_hex;
use crate::transaction::{Input, MAX_WEIGHT, Output, Transaction, TransactionFault};

/// What a signature operation outside a witness counts.
const LEGACY_COST: usize = 4;
/// The most that the signature operations of a block may count.
const MAX_COST: usize = 80_000;

/// What is wrong with a block, beside its scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFault {
    /// There are not as many outputs as inputs that spend something.
    SpentOutputs {
        /// The inputs.
        inputs: usize,
        /// The outputs.
        outputs: usize,
    },
    /// The first transaction is none that spends nothing, or another is.
    Coinbase,
    /// The header does not commit to these transactions.
    MerkleRoot,
    /// The first transaction does not commit to these witnesses (BIP-141).
    WitnessCommitment,
    /// A transaction breaks a rule that needs neither chain nor spent outputs.
    Transaction {
        /// Its number in the block.
        number: usize,
        /// Its id, in the order in which it is hashed.
        txid: [u8; 32],
        /// The rule.
        fault: TransactionFault,
    },
    /// It weighs more than 4,000,000.
    Weight,
    /// Its scripts may check more signatures than a block may ask for.
    SignatureOperations,
}

impl fmt::Display for BlockFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlockFault::SpentOutputs { inputs, outputs } => {
                write!(f, "{inputs} inputs spend something, and there are {outputs} spent outputs")
            }
            BlockFault::Coinbase => f.write_str("the first transaction is no coinbase, or another is"),
            BlockFault::MerkleRoot => {
                f.write_str("the header does not commit to these transactions: they are damaged or mutated")
            }
            BlockFault::WitnessCommitment => {
                f.write_str("the coinbase does not commit to these witnesses: they are damaged or mutated")
            }
            BlockFault::Transaction { number, txid, fault } => {
                write!(f, "transaction {number}, {}: {fault}", reversed_hex(txid))
            }
            BlockFault::Weight => f.write_str("the block weighs more than 4,000,000"),
            BlockFault::SignatureOperations => f.write_str("the block has too many signature operations"),
        }
    }
}

impl std::error::Error for BlockFault {}

impl BlockFault {
    /// Whether the bytes are not those that the header commits to: they are damaged or mutated, and say nothing about
    /// the block itself. Bitcoin Core calls it `BLOCK_MUTATED`.
    pub const fn is_mutation(self) -> bool {
        matches!(self, BlockFault::MerkleRoot | BlockFault::WitnessCommitment)
    }

    pub(crate) fn of_transaction(number: usize, transaction: &Transaction<'_>, fault: TransactionFault) -> BlockFault {
        BlockFault::Transaction { number, txid: transaction.txid(), fault }
    }

    /// Whether other witnesses could be without this fault.
    pub(crate) const fn depends_on_witnesses(self) -> bool {
        matches!(self, BlockFault::Weight | BlockFault::SignatureOperations)
    }
}

/// Fails unless a block keeps these limits and has the outputs that its inputs spend. Its transactions are compared with
/// its header first: only what the header commits to can break a rule.
pub(crate) fn check_block(block: &Block<'_>, spent: &[Output<'_>], flags: Flags) -> Result<(), BlockFault> {
    // Without transactions the root is zero.
    let root = if block.transactions.is_empty() { Some([0; 32]) } else { block.merkle_root() };
    if root != Some(block.header.merkle_root) {
        return Err(BlockFault::MerkleRoot);
    }
    let [first, others @ ..] = &block.transactions[..] else { return Err(BlockFault::Coinbase) };
    if !first.is_coinbase() || others.iter().any(|transaction| transaction.is_coinbase()) {
        // Two nodes of the tree may pass for a transaction of 64 bytes, as in Bitcoin Core's `IsBlockMutated`.
        let may_be_nodes = block.transactions.iter().any(|transaction| transaction.stripped_size() == 64);
        let mutated = may_be_nodes && !first.is_coinbase();
        return Err(if mutated { BlockFault::MerkleRoot } else { BlockFault::Coinbase });
    }
    for (number, transaction) in block.transactions.iter().enumerate() {
        transaction.check().map_err(|fault| BlockFault::of_transaction(number, transaction, fault))?;
    }
    if block.weight() > MAX_WEIGHT {
        return Err(BlockFault::Weight);
    }
    let inputs: usize = others.iter().map(|transaction| transaction.inputs.len()).sum();
    if inputs != spent.len() {
        return Err(BlockFault::SpentOutputs { inputs, outputs: spent.len() });
    }
    let mut cost = 0;
    for transaction in &block.transactions {
        let scripts = transaction.inputs.iter().map(|input| input.script);
        let scripts = scripts.chain(transaction.outputs.iter().map(|output| &output.script[..]));
        cost += LEGACY_COST * scripts.map(|script| signature_operations(script, false)).sum::<usize>();
    }
    let spending = others.iter().flat_map(|transaction| &transaction.inputs);
    cost += spending.zip(spent).map(|(input, output)| spending_cost(input, &output.script, flags)).sum::<usize>();
    if cost > MAX_COST { Err(BlockFault::SignatureOperations) } else { Ok(()) }
}

/// What the scripts count that the spent output names by their hash.
fn spending_cost(input: &Input<'_>, output: &[u8], flags: Flags) -> usize {
    let redeem = if is_script_hash(output) { last_push(input.script) } else { None };
    let redeem_cost = match redeem {
        Some(redeem) if flags.contains(Flags::P2SH) => LEGACY_COST * signature_operations(redeem, true),
        _ => 0,
    };
    let program = witness_program(output).or_else(|| witness_program(redeem?));
    let witness_cost = match (program, input.witness.last()) {
        (Some((0, program)), _) if program.len() == 20 => 1,
        (Some((0, program)), Some(script)) if program.len() == 32 => signature_operations(script, true),
        _ => 0,
    };
    redeem_cost + if flags.contains(Flags::WITNESS) { witness_cost } else { 0 }
}
