//! Transactions, borrowed from the bytes that they are read from.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use crate::bytes::{DecodeError, Reader, double_sha256};

/// The least bytes of an input: outpoint, empty script, sequence.
const INPUT_BYTES: usize = 36 + 1 + 4;
/// The least bytes of an output: value, empty script.
const OUTPUT_BYTES: usize = 8 + 1;

/// The number of satoshis that there can be: 21 million bitcoins.
const MAX_MONEY: u64 = 21_000_000 * 100_000_000;

/// The most that a block, and so a transaction, may weigh.
pub(crate) const MAX_WEIGHT: usize = 4_000_000;

/// What an input spends: an output of an earlier transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutPoint {
    /// The transaction's id, in the order in which it is hashed. Text shows it backwards.
    pub txid: [u8; 32],
    /// Which of its outputs.
    pub index: u32,
}

impl OutPoint {
    /// What stands in the place of an outpoint in the first transaction of a block.
    fn is_null(&self) -> bool {
        self.txid == [0; 32] && self.index == u32::MAX
    }
}

/// An input of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<'a> {
    /// What it spends.
    pub previous: OutPoint,
    /// The script that runs before that of the spent output.
    pub script: &'a [u8],
    /// The sequence number, which holds relative lock times.
    pub sequence: u32,
    /// The elements of the witness.
    pub witness: Vec<&'a [u8]>,
}

/// An output of a transaction, spent or new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output<'a> {
    /// The amount in satoshis.
    pub value: u64,
    /// The script that says who may spend it.
    pub script: Cow<'a, [u8]>,
}

impl<'a> Output<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Output<'a>, DecodeError> {
        Ok(Output { value: reader.u64()?, script: Cow::Borrowed(reader.bytes()?) })
    }
}

/// Reads outputs that stand one after another, up to the end. The memory that they take is at most eight times that
/// of the bytes.
///
/// # Errors
/// The bytes end within an output.
pub fn decode_outputs(bytes: &[u8]) -> Result<Vec<Output<'_>>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let mut outputs = Vec::new();
    while reader.end().is_err() {
        outputs.push(Output::read(&mut reader)?);
    }
    Ok(outputs)
}

/// A transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction<'a> {
    /// The version.
    pub version: u32,
    /// The inputs.
    pub inputs: Vec<Input<'a>>,
    /// The outputs.
    pub outputs: Vec<Output<'a>>,
    /// The height or time before which it is in no block.
    pub lock_time: u32,
    /// All of it, with witnesses.
    bytes: &'a [u8],
    /// Inputs and outputs with their counts, which are hashed as they stand.
    body: &'a [u8],
}

impl<'a> Transaction<'a> {
    /// Reads a transaction that ends where the bytes end. The memory that it takes is at most 32 times theirs.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn decode(bytes: &'a [u8]) -> Result<Transaction<'a>, DecodeError> {
        let mut reader = Reader::new(bytes);
        let transaction = Transaction::read(&mut reader)?;
        reader.end()?;
        Ok(transaction)
    }

    /// Reads a transaction from the front.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Transaction<'a>, DecodeError> {
        let start = reader.rest();
        let version = reader.u32()?;
        let mut before = reader.rest();
        let mut inputs = read_inputs(reader)?;
        // No inputs: the mark of a transaction with witnesses (BIP-144). A byte of parts follows.
        let parts = if inputs.is_empty() { reader.byte()? } else { 0 };
        let mut outputs = Vec::new();
        if parts != 0 {
            before = reader.rest();
            inputs = read_inputs(reader)?;
        }
        if parts != 0 || !inputs.is_empty() {
            outputs = reader.list(OUTPUT_BYTES, Output::read)?;
        }
        let body = &before[..before.len() - reader.rest().len()];
        if parts & 1 != 0 {
            for input in &mut inputs {
                input.witness = reader.list(1, Reader::bytes)?;
            }
            if inputs.iter().all(|input| input.witness.is_empty()) {
                return Err(DecodeError::EmptyWitness);
            }
        }
        if parts > 1 {
            return Err(DecodeError::UnknownPart);
        }
        let lock_time = reader.u32()?;
        let bytes = &start[..start.len() - reader.rest().len()];
        Ok(Transaction { version, inputs, outputs, lock_time, bytes, body })
    }

    /// The transaction's id: the hash of what is not witness. Text shows it backwards.
    pub fn txid(&self) -> [u8; 32] {
        if self.bytes.len() == self.stripped_size() {
            return double_sha256(self.bytes);
        }
        let stripped = [&self.version.to_le_bytes(), self.body, &self.lock_time.to_le_bytes()].concat();
        double_sha256(&stripped)
    }

    /// The hash of all of it, witnesses included (BIP-141). Text shows it backwards.
    pub fn wtxid(&self) -> [u8; 32] {
        double_sha256(self.bytes)
    }

    /// Whether it is the first transaction of a block, which spends nothing.
    pub fn is_coinbase(&self) -> bool {
        matches!(&self.inputs[..], [input] if input.previous.is_null())
    }

    /// All of its bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that are no witness.
    pub(crate) fn stripped_size(&self) -> usize {
        4 + self.body.len() + 4
    }

    /// The bytes with witnesses, and three times those that are no witness.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.len() + 3 * self.stripped_size()
    }

    /// Fails unless the transaction keeps the rules that need neither the chain nor the spent outputs: those of Bitcoin
    /// Core's `CheckTransaction`, in its order.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check(&self) -> Result<(), TransactionFault> {
        if self.inputs.is_empty() {
            return Err(TransactionFault::NoInputs);
        }
        if self.outputs.is_empty() {
            return Err(TransactionFault::NoOutputs);
        }
        if 4 * self.stripped_size() > MAX_WEIGHT {
            return Err(TransactionFault::Size(self.stripped_size()));
        }
        let mut sum = 0;
        for (number, output) in self.outputs.iter().enumerate() {
            if output.value > MAX_MONEY {
                return Err(TransactionFault::Value(number));
            }
            sum += output.value;
            if sum > MAX_MONEY {
                return Err(TransactionFault::Sum);
            }
        }
        let mut spent = HashSet::new();
        if let Some(input) = self.inputs.iter().position(|input| !spent.insert(input.previous)) {
            return Err(TransactionFault::SpentTwice(input));
        }
        if self.is_coinbase() {
            let length = self.inputs[0].script.len();
            return if (2..=100).contains(&length) { Ok(()) } else { Err(TransactionFault::CoinbaseScript(length)) };
        }
        match self.inputs.iter().position(|input| input.previous.is_null()) {
            Some(input) => Err(TransactionFault::SpendsNothing(input)),
            None => Ok(()),
        }
    }
}

/// A rule that a transaction breaks, whatever it spends.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionFault {
    /// It has no inputs.
    NoInputs,
    /// It has no outputs.
    NoOutputs,
    /// It has this number of bytes without witnesses: more than a block may.
    Size(usize),
    /// The output of this number has more than 21 million bitcoins.
    Value(usize),
    /// All outputs together have more than 21 million bitcoins.
    Sum,
    /// The input of this number spends what one before it spends.
    SpentTwice(usize),
    /// The script of a coinbase's input has this number of bytes, and not 2 to 100.
    CoinbaseScript(usize),
    /// The input of this number spends nothing, and there are others.
    SpendsNothing(usize),
    /// It is a coinbase, which has no input to verify.
    IsCoinbase,
}

/// In words, and Bitcoin Core's name of the rule.
impl fmt::Display for TransactionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransactionFault::NoInputs => f.write_str("no inputs (bad-txns-vin-empty)"),
            TransactionFault::NoOutputs => f.write_str("no outputs (bad-txns-vout-empty)"),
            TransactionFault::Size(bytes) => {
                write!(f, "{bytes} bytes without witnesses, at most {} (bad-txns-oversize)", MAX_WEIGHT / 4)
            }
            TransactionFault::Value(output) => {
                write!(f, "output {output} has more than 21,000,000 bitcoins (bad-txns-vout-toolarge)")
            }
            TransactionFault::Sum => {
                f.write_str("the outputs together have more than 21,000,000 bitcoins (bad-txns-txouttotal-toolarge)")
            }
            TransactionFault::SpentTwice(input) => {
                write!(f, "input {input} spends the output of an input before it (bad-txns-inputs-duplicate)")
            }
            TransactionFault::CoinbaseScript(bytes) => {
                write!(f, "the coinbase's script has {bytes} bytes, expected 2 to 100 (bad-cb-length)")
            }
            TransactionFault::SpendsNothing(input) => write!(f, "input {input} spends nothing (bad-txns-prevout-null)"),
            TransactionFault::IsCoinbase => f.write_str("a coinbase, which spends nothing"),
        }
    }
}

impl std::error::Error for TransactionFault {}

fn read_inputs<'a>(reader: &mut Reader<'a>) -> Result<Vec<Input<'a>>, DecodeError> {
    reader.list(INPUT_BYTES, |reader| {
        let previous = OutPoint { txid: reader.array()?, index: reader.u32()? };
        Ok(Input { previous, script: reader.bytes()?, sequence: reader.u32()?, witness: Vec::new() })
    })
}
