//! Bitcoin Core's side: a call for each input.

use bitcoinkernel::{
    Block, KernelError, PrecomputedTransactionData, ScriptPubkey, Transaction, TxOut, VERIFY_CHECKLOCKTIMEVERIFY,
    VERIFY_CHECKSEQUENCEVERIFY, VERIFY_DERSIG, VERIFY_NULLDUMMY, VERIFY_P2SH, VERIFY_TAPROOT, VERIFY_WITNESS,
    prelude::*, verify,
};
use phalanx_bitcoin::{Flags, Output};

/// The rules of consensus, by the names of both.
pub(crate) const RULES: [(Flags, u32); 7] = [
    (Flags::P2SH, VERIFY_P2SH),
    (Flags::DERSIG, VERIFY_DERSIG),
    (Flags::NULLDUMMY, VERIFY_NULLDUMMY),
    (Flags::CHECKLOCKTIMEVERIFY, VERIFY_CHECKLOCKTIMEVERIFY),
    (Flags::CHECKSEQUENCEVERIFY, VERIFY_CHECKSEQUENCEVERIFY),
    (Flags::WITNESS, VERIFY_WITNESS),
    (Flags::TAPROOT, VERIFY_TAPROOT),
];

/// All of them.
pub(crate) fn today() -> Flags {
    RULES.into_iter().fold(Flags::NONE, |flags, (rule, _)| flags | rule)
}

fn bits(flags: Flags) -> u32 {
    RULES.iter().filter(|(rule, _)| flags.contains(*rule)).map(|(_, bit)| bit).sum()
}

/// Whether it reads a transaction from these bytes, and nothing is left behind it.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    let encoded = Transaction::new(bytes).and_then(|transaction| transaction.consensus_encode());
    encoded.is_ok_and(|encoded| encoded == bytes)
}

/// The verdict on each input of a transaction.
pub(crate) fn transaction(bytes: &[u8], spent: &[Output<'_>], flags: Flags) -> Result<Vec<bool>, KernelError> {
    inputs(&Transaction::new(bytes)?, spent, flags)
}

/// The verdict on each input of a block that spends something.
pub(crate) fn block(bytes: &[u8], spent: &[Output<'_>], flags: Flags) -> Result<Vec<bool>, KernelError> {
    let block = Block::new(bytes)?;
    let (mut rest, mut verdicts) = (spent, Vec::with_capacity(spent.len()));
    for number in 1..block.transaction_count() {
        let transaction = block.transaction(number)?;
        let (own, others) =
            rest.split_at_checked(transaction.input_count()).ok_or(KernelError::MismatchedOutputsSize)?;
        verdicts.extend(inputs(&transaction, own, flags)?);
        rest = others;
    }
    Ok(verdicts)
}

fn inputs(transaction: &impl TransactionExt, spent: &[Output<'_>], flags: Flags) -> Result<Vec<bool>, KernelError> {
    let output = |output: &Output<'_>| Ok(TxOut::new(&ScriptPubkey::new(&output.script)?, output.value as i64));
    let spent = spent.iter().map(output).collect::<Result<Vec<_>, KernelError>>()?;
    let hashes = PrecomputedTransactionData::new(transaction, &spent)?;
    let input = |(input, spent): (usize, &TxOut)| {
        verify(&spent.script_pubkey(), Some(spent.value()), transaction, input, Some(bits(flags)), &hashes)
    };
    let verdict = |verdict| match verdict {
        Ok(()) => Ok(true),
        Err(KernelError::ScriptVerify(bitcoinkernel::ScriptVerifyError::Invalid)) => Ok(false),
        Err(error) => Err(error),
    };
    spent.iter().enumerate().map(input).map(verdict).collect()
}
