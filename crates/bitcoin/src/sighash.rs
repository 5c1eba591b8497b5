//! What a signature signs: the digests of legacy inputs, of SegWit version 0 (BIP-143) and of Taproot (BIP-341, 342).
//!
//! What all digests of a transaction have in common is hashed once. That leaves the legacy digest, which hashes most of
//! the transaction for each signature. The limits on the size of a transaction and on the signatures in a block bound
//! this, as they do for every node.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use phalanx::hash::{TaggedHash, sha256};

use crate::bytes::{double_sha256, put_bytes, put_compact_size};
use crate::script::without_separators;
use crate::transaction::{Output, Transaction};

/// Outputs are not signed.
const NONE: u32 = 2;
/// Of the outputs only that with the input's number is signed.
const SINGLE: u32 = 3;
/// Of the inputs only the one is signed.
const ANYONE_CAN_PAY: u32 = 0x80;
/// The bits that choose outputs. Taproot has two of them.
const OUTPUT_MASK: u32 = 0x1f;

static TAP_SIGHASH: LazyLock<TaggedHash> = LazyLock::new(|| TaggedHash::new(b"TapSighash"));

/// Hashes that the digests of a transaction share, each a single SHA-256.
#[derive(Debug)]
struct Midstates {
    prevouts: [u8; 32],
    amounts: [u8; 32],
    scripts: [u8; 32],
    sequences: [u8; 32],
    outputs: [u8; 32],
}

/// A transaction with the outputs that it spends, and what its digests share.
#[derive(Debug)]
pub(crate) struct SpendingTransaction<'t, 'a> {
    pub(crate) transaction: &'t Transaction<'a>,
    /// As many as inputs.
    pub(crate) spent: &'t [Output<'a>],
    midstates: OnceLock<Midstates>,
}

/// How a signature of Taproot is made, beside the transaction and the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaprootSpend {
    /// The hash of the annex with its length, if there is one.
    pub(crate) annex: Option<[u8; 32]>,
    /// The leaf's hash and the place of the last OP_CODESEPARATOR, where a script is executed.
    pub(crate) leaf: Option<([u8; 32], u32)>,
}

impl<'t, 'a> SpendingTransaction<'t, 'a> {
    /// The outputs are those that the inputs spend, in their order.
    pub(crate) fn new(transaction: &'t Transaction<'a>, spent: &'t [Output<'a>]) -> SpendingTransaction<'t, 'a> {
        SpendingTransaction { transaction, spent, midstates: OnceLock::new() }
    }

    fn midstates(&self) -> &Midstates {
        self.midstates.get_or_init(|| {
            let inputs = &self.transaction.inputs;
            let mut bytes = Vec::new();
            inputs.iter().for_each(|input| put_outpoint(input, &mut bytes));
            let prevouts = sha256(&bytes);
            bytes.clear();
            self.spent.iter().for_each(|output| bytes.extend(output.value.to_le_bytes()));
            let amounts = sha256(&bytes);
            bytes.clear();
            self.spent.iter().for_each(|output| put_bytes(&output.script, &mut bytes));
            let scripts = sha256(&bytes);
            bytes.clear();
            inputs.iter().for_each(|input| bytes.extend(input.sequence.to_le_bytes()));
            let sequences = sha256(&bytes);
            bytes.clear();
            self.transaction.outputs.iter().for_each(|output| put_output(output, &mut bytes));
            Midstates { prevouts, amounts, scripts, sequences, outputs: sha256(&bytes) }
        })
    }

    /// The digest of a legacy signature. `code` is the script that runs, from the last OP_CODESEPARATOR on, without the
    /// signature.
    pub(crate) fn legacy(&self, input: usize, code: &[u8], hash_type: u32) -> [u8; 32] {
        let Transaction { version, inputs, outputs, lock_time, .. } = self.transaction;
        let chosen = hash_type & OUTPUT_MASK;
        if input >= inputs.len() || chosen == SINGLE && input >= outputs.len() {
            // A flaw of the first version that became consensus: the number one is signed.
            let mut one = [0; 32];
            one[0] = 1;
            return one;
        }
        let code = without_separators(code);
        let mut bytes = Vec::with_capacity(self.transaction.stripped_size() + code.len() + 16);
        bytes.extend(version.to_le_bytes());
        let alone = hash_type & ANYONE_CAN_PAY != 0;
        let signed = if alone { &inputs[input..=input] } else { &inputs[..] };
        put_compact_size(signed.len(), &mut bytes);
        for (number, other) in signed.iter().enumerate() {
            let own = alone || number == input;
            put_outpoint(other, &mut bytes);
            put_bytes(if own { &code } else { &[] }, &mut bytes);
            let free = !own && matches!(chosen, NONE | SINGLE);
            bytes.extend((if free { 0 } else { other.sequence }).to_le_bytes());
        }
        match chosen {
            NONE => bytes.push(0),
            SINGLE => {
                put_compact_size(input + 1, &mut bytes);
                let blank = Output { value: u64::MAX, script: Cow::Borrowed(&[]) };
                (0..input).for_each(|_| put_output(&blank, &mut bytes));
                put_output(&outputs[input], &mut bytes);
            }
            _ => {
                put_compact_size(outputs.len(), &mut bytes);
                outputs.iter().for_each(|output| put_output(output, &mut bytes));
            }
        }
        bytes.extend(lock_time.to_le_bytes());
        bytes.extend(hash_type.to_le_bytes());
        double_sha256(&bytes)
    }

    /// The digest of a signature in SegWit version 0.
    pub(crate) fn segwit_v0(&self, input: usize, code: &[u8], hash_type: u32) -> [u8; 32] {
        let Transaction { version, inputs, outputs, lock_time, .. } = self.transaction;
        let midstates = self.midstates();
        let chosen = hash_type & OUTPUT_MASK;
        let alone = hash_type & ANYONE_CAN_PAY != 0;
        let zero = [0; 32];
        let mut bytes = Vec::with_capacity(170 + code.len());
        bytes.extend(version.to_le_bytes());
        bytes.extend(if alone { zero } else { sha256(&midstates.prevouts) });
        let sequences = !alone && !matches!(chosen, NONE | SINGLE);
        bytes.extend(if sequences { sha256(&midstates.sequences) } else { zero });
        put_outpoint(&inputs[input], &mut bytes);
        put_bytes(code, &mut bytes);
        bytes.extend(self.spent[input].value.to_le_bytes());
        bytes.extend(inputs[input].sequence.to_le_bytes());
        bytes.extend(match (chosen, outputs.get(input)) {
            (SINGLE, Some(output)) => double_sha256(&output_bytes(output)),
            (NONE | SINGLE, _) => zero,
            _ => sha256(&midstates.outputs),
        });
        bytes.extend(lock_time.to_le_bytes());
        bytes.extend(hash_type.to_le_bytes());
        double_sha256(&bytes)
    }

    /// The digest of a signature of Taproot; none if there is no such sighash type, or no such output.
    pub(crate) fn taproot(&self, input: usize, spend: &TaprootSpend, hash_type: u8) -> Option<[u8; 32]> {
        if !matches!(hash_type, 0..=3 | 0x81..=0x83) {
            return None;
        }
        let Transaction { version, inputs, outputs, lock_time, .. } = self.transaction;
        let midstates = self.midstates();
        let chosen = u32::from(hash_type) & 3;
        let alone = u32::from(hash_type) & ANYONE_CAN_PAY != 0;
        let mut bytes = Vec::with_capacity(256);
        // The epoch.
        bytes.push(0);
        bytes.push(hash_type);
        bytes.extend(version.to_le_bytes());
        bytes.extend(lock_time.to_le_bytes());
        if !alone {
            bytes.extend(midstates.prevouts);
            bytes.extend(midstates.amounts);
            bytes.extend(midstates.scripts);
            bytes.extend(midstates.sequences);
        }
        if !matches!(chosen, NONE | SINGLE) {
            bytes.extend(midstates.outputs);
        }
        bytes.push(2 * u8::from(spend.leaf.is_some()) + u8::from(spend.annex.is_some()));
        if alone {
            put_outpoint(&inputs[input], &mut bytes);
            put_output(&self.spent[input], &mut bytes);
            bytes.extend(inputs[input].sequence.to_le_bytes());
        } else {
            bytes.extend((input as u32).to_le_bytes());
        }
        bytes.extend(spend.annex.iter().flatten());
        if chosen == SINGLE {
            bytes.extend(sha256(&output_bytes(outputs.get(input)?)));
        }
        if let Some((leaf, separator)) = spend.leaf {
            bytes.extend(leaf);
            // The version of keys.
            bytes.push(0);
            bytes.extend(separator.to_le_bytes());
        }
        Some(TAP_SIGHASH.hash(&[&bytes]))
    }
}

fn put_outpoint(input: &crate::transaction::Input<'_>, bytes: &mut Vec<u8>) {
    bytes.extend(input.previous.txid);
    bytes.extend(input.previous.index.to_le_bytes());
}

fn put_output(output: &Output<'_>, bytes: &mut Vec<u8>) {
    bytes.extend(output.value.to_le_bytes());
    put_bytes(&output.script, bytes);
}

fn output_bytes(output: &Output<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(9 + output.script.len());
    put_output(output, &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::path::Path;

    fn shared(name: &str, would_check: &str) -> Option<Value> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(name);
        let Ok(text) = std::fs::read(path) else {
            phalanx_tiers::skipped(&format!("{name} is not in ../shared/vectors"), would_check);
            return None;
        };
        Some(serde_json::from_slice(&text).unwrap())
    }

    fn decoded(value: &Value) -> Vec<u8> {
        const_hex::decode(value.as_str().unwrap()).unwrap()
    }

    #[test]
    fn legacy_digests_are_those_of_bitcoin_core() {
        let Some(vectors) = shared("bitcoin-core/sighash-tests.json", "500 legacy digests") else { return };
        let vectors = &vectors.as_array().unwrap()[1..];
        for vector in vectors {
            let (bytes, code) = (decoded(&vector[0]), decoded(&vector[1]));
            let transaction = Transaction::decode(&bytes).unwrap();
            let (input, hash_type) = (vector[2].as_u64().unwrap() as usize, vector[3].as_i64().unwrap() as u32);
            let digest = SpendingTransaction::new(&transaction, &[]).legacy(input, &code, hash_type);
            assert_eq!(Value::from(crate::text::reversed_hex(&digest)), vector[4]);
        }
        assert_eq!(vectors.len(), 500);
    }

    #[test]
    fn the_digest_of_bip_143_is_found() {
        // "Native P2WPKH" in the BIP.
        let bytes = const_hex::decode(concat!(
            "0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b8",
            "04cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a914",
            "8280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f016",
            "7faa815988ac11000000"
        ));
        let bytes = bytes.unwrap();
        let transaction = Transaction::decode(&bytes).unwrap();
        let output = |value| Output { value, script: Cow::Borrowed(&[]) };
        let spent = [output(0), output(600_000_000)];
        let code = const_hex::decode("76a9141d0f172a0ecb48aee1be1f2687d2963ae33f71a188ac").unwrap();
        let digest = SpendingTransaction::new(&transaction, &spent).segwit_v0(1, &code, 1);
        let expected = "c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670";
        assert_eq!(const_hex::encode(digest), expected);
    }

    #[test]
    fn key_path_digests_are_those_of_bip_341() {
        let Some(vectors) = shared("bip341/wallet-test-vectors.json", "7 digests of key paths") else { return };
        let vectors = &vectors["keyPathSpending"][0];
        let bytes = decoded(&vectors["given"]["rawUnsignedTx"]);
        let transaction = Transaction::decode(&bytes).unwrap();
        let output = |spent: &Value| Output {
            value: spent["amountSats"].as_u64().unwrap(),
            script: decoded(&spent["scriptPubKey"]).into(),
        };
        let spent: Vec<_> = vectors["given"]["utxosSpent"].as_array().unwrap().iter().map(output).collect();
        let spending = SpendingTransaction::new(&transaction, &spent);
        let inputs = vectors["inputSpending"].as_array().unwrap();
        assert_eq!(inputs.len(), 7);
        for input in inputs {
            let number = input["given"]["txinIndex"].as_u64().unwrap() as usize;
            let hash_type = input["given"]["hashType"].as_u64().unwrap() as u8;
            let digest = spending.taproot(number, &TaprootSpend { annex: None, leaf: None }, hash_type);
            assert_eq!(digest.unwrap()[..], decoded(&input["intermediary"]["sigHash"]));
        }
    }

    #[test]
    fn unknown_types_of_taproot_have_no_digest() {
        let bytes = [&[2, 0, 0, 0, 1][..], &[7; 36], &[0], &[0; 4], &[1], &[0; 9], &[0; 4]].concat();
        let transaction = Transaction::decode(&bytes).unwrap();
        let spent = [Output { value: 1, script: Cow::Borrowed(&[]) }];
        let spending = SpendingTransaction::new(&transaction, &spent);
        let spend = TaprootSpend { annex: None, leaf: None };
        let known: Vec<u8> = (0..=255).filter(|hash_type| spending.taproot(0, &spend, *hash_type).is_some()).collect();
        assert_eq!(known, [0, 1, 2, 3, 0x81, 0x82, 0x83]);
    }
}
