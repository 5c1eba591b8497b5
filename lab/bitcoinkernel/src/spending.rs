//! A transaction that can be changed, with the outputs that it spends.

use crate::encoding::{double_sha256, put_bytes, put_size};
use phalanx_bitcoin::{Output, Transaction};

/// An input.
#[derive(Clone)]
pub(crate) struct SpendingInput {
    outpoint: [u8; 36],
    pub(crate) script: Vec<u8>,
    pub(crate) sequence: u32,
    pub(crate) witness: Vec<Vec<u8>>,
}

impl SpendingInput {
    /// One that spends an output, and says nothing yet.
    pub(crate) fn of(txid: [u8; 32], index: u32) -> Self {
        let mut outpoint = [0; 36];
        outpoint[..32].copy_from_slice(&txid);
        outpoint[32..].copy_from_slice(&index.to_le_bytes());
        Self { outpoint, script: Vec::new(), sequence: u32::MAX, witness: Vec::new() }
    }
}

/// A transaction, and what its inputs spend.
#[derive(Clone)]
pub(crate) struct Spending {
    pub(crate) version: u32,
    pub(crate) inputs: Vec<SpendingInput>,
    pub(crate) outputs: Vec<Output<'static>>,
    pub(crate) lock_time: u32,
    pub(crate) spent: Vec<Output<'static>>,
}

fn owned(output: &Output<'_>) -> Output<'static> {
    Output { value: output.value, script: output.script.to_vec().into() }
}

impl Spending {
    /// One that can be changed.
    pub(crate) fn of(transaction: &Transaction<'_>, spent: &[Output<'_>]) -> Self {
        let inputs = transaction.inputs.iter().map(|input| {
            let witness = input.witness.iter().map(|element| element.to_vec()).collect();
            let empty = SpendingInput::of(input.previous.txid, input.previous.index);
            SpendingInput { script: input.script.to_vec(), sequence: input.sequence, witness, ..empty }
        });
        Self {
            version: transaction.version,
            inputs: inputs.collect(),
            outputs: transaction.outputs.iter().map(owned).collect(),
            lock_time: transaction.lock_time,
            spent: spent.iter().map(owned).collect(),
        }
    }

    /// The bytes of the transaction.
    pub(crate) fn encoded(&self) -> Vec<u8> {
        self.bytes(self.inputs.iter().any(|input| !input.witness.is_empty()))
    }

    /// The id, which covers no witness.
    pub(crate) fn txid(&self) -> [u8; 32] {
        double_sha256(&self.bytes(false))
    }

    fn bytes(&self, has_witness: bool) -> Vec<u8> {
        let mut bytes = self.version.to_le_bytes().to_vec();
        if has_witness {
            bytes.extend([0, 1]);
        }
        put_size(self.inputs.len(), &mut bytes);
        for input in &self.inputs {
            bytes.extend(input.outpoint);
            put_bytes(&input.script, &mut bytes);
            bytes.extend(input.sequence.to_le_bytes());
        }
        put_size(self.outputs.len(), &mut bytes);
        for output in &self.outputs {
            bytes.extend(output.value.to_le_bytes());
            put_bytes(&output.script, &mut bytes);
        }
        for input in self.inputs.iter().filter(|_| has_witness) {
            put_size(input.witness.len(), &mut bytes);
            input.witness.iter().for_each(|element| put_bytes(element, &mut bytes));
        }
        bytes.extend(self.lock_time.to_le_bytes());
        bytes
    }
}
