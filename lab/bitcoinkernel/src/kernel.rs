//! Bitcoin Core's side: a call for each input.

use bitcoinkernel::{
    Block, Context, KernelError, PrecomputedTransactionData, ScriptPubkey, Transaction, TxOut,
    VERIFY_CHECKLOCKTIMEVERIFY, VERIFY_CHECKSEQUENCEVERIFY, VERIFY_DERSIG, VERIFY_NULLDUMMY, VERIFY_P2SH,
    VERIFY_TAPROOT, VERIFY_WITNESS, prelude::*, verify,
};
use phalanx_bitcoin::{Flags, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Has Bitcoin Core's code choose its SHA-256 for the CPU, as a node does when it starts.
pub(crate) fn start() -> Result<(), KernelError> {
    Context::new().map(drop)
}

/// Whether it reads a transaction from these bytes, and nothing is left behind it.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    let encoded = Transaction::new(bytes).and_then(|transaction| transaction.consensus_encode());
    encoded.is_ok_and(|encoded| encoded == bytes)
}

/// The verdict on each input of a transaction.
pub(crate) fn transaction(bytes: &[u8], spent: &[Output<'_>], flags: Flags) -> Result<Vec<bool>, KernelError> {
    let inputs = Inputs::read(bytes, spent, flags)?;
    (0..spent.len()).map(|input| inputs.verdict(input)).collect()
}

/// The verdict on each input of a block that spends something. Threads take inputs one by one, as those of a node do.
pub(crate) fn block(
    bytes: &[u8],
    spent: &[Output<'_>],
    flags: Flags,
    threads: usize,
) -> Result<Vec<bool>, KernelError> {
    let block = Block::new(bytes)?;
    let (mut rest, mut work) = (spent, Vec::with_capacity(block.transaction_count()));
    for number in 1..block.transaction_count() {
        let transaction = block.transaction(number)?;
        let (own, others) =
            rest.split_at_checked(transaction.input_count()).ok_or(KernelError::MismatchedOutputsSize)?;
        work.push(Inputs::new(transaction, own, flags)?);
        rest = others;
    }
    let inputs = |(number, work): (usize, &Inputs<_>)| (0..work.spent.len()).map(move |input| (number, input));
    let places: Vec<(usize, usize)> = work.iter().enumerate().flat_map(inputs).collect();
    let verdict = |(number, input): (usize, usize)| work[number].verdict(input);
    if threads < 2 {
        return places.into_iter().map(verdict).collect();
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let take = || places.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        let one = |place| Ok((place, verdict(place)?));
        std::iter::from_fn(take).map(one).collect::<Result<Vec<_>, KernelError>>()
    };
    let found = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect::<Result<Vec<_>, _>>()
    });
    let mut found = found?.concat();
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, verdict)| verdict).collect())
}

/// The inputs of a transaction, with what its signatures have in common. The call for an input copies all outputs that
/// the transaction spends, which a node does not: of thousands of inputs that is most of the time.
pub(crate) struct Inputs<T> {
    transaction: T,
    spent: Vec<TxOut>,
    hashes: PrecomputedTransactionData,
    rules: u32,
}

impl Inputs<Transaction> {
    /// The inputs of a transaction of these bytes.
    pub(crate) fn read(bytes: &[u8], spent: &[Output<'_>], flags: Flags) -> Result<Self, KernelError> {
        Self::new(Transaction::new(bytes)?, spent, flags)
    }
}

impl<T: TransactionExt> Inputs<T> {
    fn new(transaction: T, spent: &[Output<'_>], flags: Flags) -> Result<Self, KernelError> {
        let output = |output: &Output<'_>| Ok(TxOut::new(&ScriptPubkey::new(&output.script)?, output.value as i64));
        let spent = spent.iter().map(output).collect::<Result<Vec<_>, KernelError>>()?;
        let hashes = PrecomputedTransactionData::new(&transaction, &spent)?;
        Ok(Self { transaction, spent, hashes, rules: bits(flags) })
    }

    pub(crate) fn verdict(&self, input: usize) -> Result<bool, KernelError> {
        let spent = &self.spent[input];
        let (script, value) = (spent.script_pubkey(), Some(spent.value()));
        match verify(&script, value, &self.transaction, input, Some(self.rules), &self.hashes) {
            Ok(()) => Ok(true),
            Err(KernelError::ScriptVerify(bitcoinkernel::ScriptVerifyError::Invalid)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
