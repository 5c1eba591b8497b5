//! Bitcoin's blocks and what they spend: what is accepted is written again as it was read.

use phalanx_bitcoin::{Block, Flags, Output, Transaction, Verifier, decode_outputs, fuzzing};
use phalanx_cli::fuzzing::spent_outputs_of;
use serde_json::Value;

use crate::bulks;

/// More inputs than this are not verified: they teach nothing that fewer do not.
const MOST_INPUTS: usize = 64;

pub(crate) fn put_size(size: usize, out: &mut Vec<u8>) {
    match size {
        0..0xfd => out.push(size as u8),
        0xfd..=0xffff => {
            out.push(0xfd);
            out.extend((size as u16).to_le_bytes());
        }
        _ => {
            out.push(0xfe);
            out.extend((size as u32).to_le_bytes());
        }
    }
}

pub(crate) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_size(bytes.len(), out);
    out.extend(bytes);
}

fn put_output(output: &Output<'_>, out: &mut Vec<u8>) {
    out.extend(output.value.to_le_bytes());
    put_bytes(&output.script, out);
}

/// The bytes of a transaction.
fn written(transaction: &Transaction<'_>) -> Vec<u8> {
    let mut bytes = transaction.version.to_le_bytes().to_vec();
    let with_witness = transaction.inputs.iter().any(|input| !input.witness.is_empty());
    if with_witness {
        bytes.extend([0, 1]);
    }
    put_size(transaction.inputs.len(), &mut bytes);
    for input in &transaction.inputs {
        bytes.extend(input.previous.txid);
        bytes.extend(input.previous.index.to_le_bytes());
        put_bytes(input.script, &mut bytes);
        bytes.extend(input.sequence.to_le_bytes());
    }
    put_size(transaction.outputs.len(), &mut bytes);
    transaction.outputs.iter().for_each(|output| put_output(output, &mut bytes));
    for input in transaction.inputs.iter().filter(|_| with_witness) {
        put_size(input.witness.len(), &mut bytes);
        input.witness.iter().for_each(|element| put_bytes(element, &mut bytes));
    }
    bytes.extend(transaction.lock_time.to_le_bytes());
    bytes
}

/// A block, a transaction, and outputs one after another.
pub(crate) fn check_block(bytes: &[u8]) {
    if let Ok(transaction) = Transaction::decode(bytes) {
        assert_eq!(written(&transaction), bytes);
    }
    if let Ok(outputs) = decode_outputs(bytes) {
        let mut again = Vec::new();
        outputs.iter().for_each(|output| put_output(output, &mut again));
        assert_eq!(again, bytes);
    }
    let Ok(mut block) = Block::decode(bytes) else { return };
    let mut again = bytes[..80].to_vec();
    put_size(block.transactions.len(), &mut again);
    block.transactions.iter().for_each(|transaction| again.extend(written(transaction)));
    assert_eq!(again, bytes);
    let Some(root) = block.merkle_root() else { return };
    block.header.merkle_root = root;
    if block.spending_inputs() <= MOST_INPUTS {
        // Anyone may spend these.
        let spent = vec![Output { value: 1, script: vec![0x51].into() }; block.spending_inputs()];
        let verify = |bulk| Verifier::new(bulk).verify_block(&block, &spent, Flags::NONE, |_| {});
        let first = verify(&bulks()[0]);
        assert!(bulks().iter().all(|bulk| verify(bulk) == first));
        if let Ok(report) = first {
            assert_eq!(report.inputs as usize, spent.len());
        }
    }
}

/// The record of a block. The first byte says how many inputs its three transactions have.
pub(crate) fn check_undo(bytes: &[u8]) {
    let Some((first, record)) = bytes.split_first() else { return };
    let mut block = [&[0; 80][..], &[4]].concat();
    let inputs = [1, first & 3, first >> 2 & 3, first >> 4];
    for count in inputs {
        let input = [&[7; 36][..], &[0], &[0xff; 4]].concat();
        let inputs = input.repeat(count.max(1).into());
        block.extend([&[1, 0, 0, 0][..], &[count.max(1)], &inputs, &[1], &[0; 13]].concat());
    }
    let block = Block::decode(&block).expect("a block");
    let Ok(outputs) = fuzzing::undo(record, &block) else { return };
    assert_eq!(outputs.len(), block.spending_inputs());
    assert!(outputs.iter().all(|output| output.script.len() <= 10_000));
    // It ends where it ends.
    assert!(fuzzing::undo(&record[..record.len() - 1], &block).is_err());
    assert!(fuzzing::undo(&[record, &[0]].concat(), &block).is_err());
    assert!(fuzzing::undo(record, &Block { transactions: block.transactions[..3].to_vec(), ..block }).is_err());
}

/// Spent outputs in JSON. What is read of them is there for another reader, too.
pub(crate) fn check_spent(bytes: &[u8]) {
    for wanted in [0, 1, 3, usize::MAX] {
        let Ok(outputs) = spent_outputs_of(bytes, wanted) else { continue };
        assert!(outputs.len() <= wanted);
        // That one has a bound on depth, and no numbers that are too large.
        let Ok(Value::Array(mut elements)) = serde_json::from_slice(bytes) else { continue };
        if let [Value::Array(_), Value::Array(spent)] = &elements[..] {
            elements = spent.clone();
        }
        assert_eq!(elements.len(), outputs.len());
        for (element, (value, script)) in elements.iter().zip(outputs) {
            let found =
                if element["txout"].is_object() || element["txout"].is_array() { &element["txout"] } else { element };
            // A record may also be an array of its members.
            if found["script_pubkey"].is_string() && element.is_object() {
                assert_eq!(found["value"], value);
                let digits = found["script_pubkey"].as_str().expect("a text");
                assert_eq!(hex::decode(digits).expect("hex"), script);
            }
        }
    }
}
