//! Two blocks of the main network: every input is valid, and a bit that is flipped is found.

use std::borrow::Cow;

use phalanx::Bulk;
use phalanx_bitcoin::{Block, BlockFault, Flags, Network, Output, Report, Verifier};

use crate::shared::shared;

/// A block with what it spends, and its height.
struct Sample {
    height: u32,
    bytes: Vec<u8>,
    spent: Vec<Output<'static>>,
}

/// Reads the outputs of an undo file: a value of eight bytes, and a script behind its length.
fn undo(mut bytes: &[u8]) -> Vec<Output<'static>> {
    let mut outputs = Vec::new();
    while let Some((value, rest)) = bytes.split_first_chunk::<8>() {
        let (length, rest) = match rest {
            [0xfd, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
            [length @ 0..=0xfc, rest @ ..] => (usize::from(*length), rest),
            _ => panic!("a long script"),
        };
        let (script, rest) = rest.split_at(length);
        outputs.push(Output { value: u64::from_le_bytes(*value), script: Cow::Owned(script.to_vec()) });
        bytes = rest;
    }
    outputs
}

fn block_300025() -> Option<Sample> {
    let path = shared("data/bitcoin-block-300025.raw", "1,427 inputs of block 300,025, and flips")?;
    let spent = undo(&std::fs::read(path.with_file_name("bitcoin-block-300025.undo.raw")).expect("beside it"));
    Some(Sample { height: 300_025, bytes: std::fs::read(path).expect("it can be read"), spent })
}

fn block_866342() -> Option<Sample> {
    let path = shared("data/bitcoin-block-866342.raw.zst", "7,972 inputs of block 866,342, and flips")?;
    let unpacked =
        |path: &std::path::Path| zstd::decode_all(std::fs::File::open(path).expect("it can be opened")).expect("zstd");
    let json = unpacked(&path.with_file_name("bitcoin-block-866342.spent-outputs.json.zst"));
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let output = |spent: &serde_json::Value| Output {
        value: spent["txout"]["value"].as_u64().expect("a value"),
        script: const_hex::decode(spent["txout"]["script_pubkey"].as_str().expect("text")).expect("hex").into(),
    };
    let spent = json.as_array().expect("an array").iter().map(output).collect();
    Some(Sample { height: 866_342, bytes: unpacked(&path), spent })
}

impl Sample {
    fn flags(&self) -> Flags {
        Network::Main.flags(self.height, &Block::decode(&self.bytes).expect("a block").header.hash())
    }

    /// The report, and how many checks hold.
    fn verify(&self) -> Result<(Report, u64), BlockFault> {
        let mut block = Block::decode(&self.bytes).expect("a block");
        // That of changed transactions, too, so that the scripts run.
        block.header.merkle_root = block.merkle_root().expect("a root");
        let mut held = 0;
        let verifier = Verifier::new(&Bulk::new());
        let each = |row: phalanx_bitcoin::CheckRow<'_>| held += u64::from(row.holds);
        let report = verifier.verify_block(&block, &self.spent, self.flags(), each)?;
        Ok((report, held))
    }

    /// The inputs of a transaction that are not valid, as if it was alone.
    fn invalid_of(&self, number: usize) -> Vec<usize> {
        let block = Block::decode(&self.bytes).expect("a block");
        let before: usize = block.transactions[1..number].iter().map(|transaction| transaction.inputs.len()).sum();
        let transaction = &block.transactions[number];
        let spent = &self.spent[before..before + transaction.inputs.len()];
        let verifier = Verifier::new(&Bulk::new());
        let report = verifier.verify_transaction(transaction, spent, self.flags(), |_| {}).expect("a transaction");
        report.invalid.iter().map(|invalid| invalid.input).collect()
    }

    /// Whether the report names these inputs of a transaction, and no other.
    fn only(&self, transaction: usize, inputs: &[usize]) -> bool {
        let (report, _) = self.verify().expect("a block within limits");
        let found: Vec<_> = report.invalid.iter().map(|invalid| (invalid.transaction, invalid.input)).collect();
        found == inputs.iter().map(|input| (transaction, *input)).collect::<Vec<_>>()
    }
}

/// Where a part of the block stands in its bytes.
fn offset(sample: &Sample, part: &[u8]) -> usize {
    part.as_ptr() as usize - sample.bytes.as_ptr() as usize
}

#[test]
fn a_height_is_named_by_a_version_that_names_it() {
    // The coinbase of block 170 of the main network begins with the four bytes of a target, in a block of version 1.
    let named = |network: Network, version: u8, script: &str| {
        let script = const_hex::decode(script).expect("hex");
        let coinbase = [
            &[1, 0, 0, 0, 1][..],
            &[0; 32],
            &[0xff; 4],
            &[script.len() as u8],
            &script,
            &[0xff; 4],
            &[1],
            &[0; 9],
            &[0; 4],
        ];
        let bytes = [&[version, 0, 0, 0][..], &[7; 76], &[1], &coinbase.concat()].concat();
        network.named_height(&Block::decode(&bytes).expect("a block"))
    };
    assert_eq!(named(Network::Main, 1, "04ffff001d0102"), None);
    assert_eq!(named(Network::Main, 2, "04ffff001d0102"), None);
    assert_eq!(named(Network::Main, 2, "03e9930400"), Some(300_009));
    assert_eq!(named(Network::Main, 1, "03e9930400"), None);
    for (height, expected) in [("039a7903", None), ("035b7a03", Some(227_931)), ("0480969800", Some(10_000_000))] {
        assert_eq!(named(Network::Main, 4, height), expected, "{height}");
    }
    assert_eq!(named(Network::Main, 4, "0481969800"), None);
    assert_eq!(named(Network::Regtest, 4, "5100"), Some(1));
    assert_eq!(named(Network::Regtest, 4, "0000"), None);
}

#[test]
fn every_input_of_real_blocks_is_valid() {
    if let Some(sample) = block_300025() {
        let block = Block::decode(&sample.bytes).expect("a block");
        assert_eq!(block.merkle_root(), Some(block.header.merkle_root));
        assert_eq!(Network::Main.named_height(&block), Some(300_025));
        let (report, held) = sample.verify().expect("a block within limits");
        println!("{report:?}, {held} hold");
        assert_eq!((report.inputs, report.ecdsa, report.schnorr, report.commitments), (1_427, 1_427, 0, 0));
        assert_eq!((report.executed_again, report.invalid.len(), held), (0, 0, 1_427));
    }
    if let Some(sample) = block_866342() {
        let block = Block::decode(&sample.bytes).expect("a block");
        assert_eq!(block.merkle_root(), Some(block.header.merkle_root));
        assert_eq!(Network::Main.named_height(&block), Some(866_342));
        let (report, held) = sample.verify().expect("a block within limits");
        println!("{report:?}, {held} hold");
        assert_eq!((report.inputs, report.ecdsa, report.schnorr, report.commitments), (7_972, 5_701, 2_375, 150));
        // Signatures of CHECKMULTISIG were tried under 23 keys that are not theirs.
        assert_eq!((report.executed_again, report.invalid.len(), held), (0, 0, 8_226 - 23));
    }
}

#[test]
fn a_bit_flipped_in_a_legacy_block_is_found() {
    let Some(sample) = block_300025() else { return };
    let block = Block::decode(&sample.bytes).expect("a block");
    // Transactions with several inputs, each of which pushes a signature of at least 70 bytes first.
    let signed = |number: &usize| {
        let inputs = &block.transactions[*number].inputs;
        inputs.len() > 1 && inputs.iter().all(|input| matches!(input.script, [70..=73, 0x30, ..]))
    };
    let numbers: Vec<usize> = (1..block.transactions.len()).filter(signed).take(5).collect();
    assert_eq!(numbers.len(), 5);
    for number in numbers {
        let transaction = &block.transactions[number];
        let all: Vec<usize> = (0..transaction.inputs.len()).collect();
        let flipped = |at: usize, bit: u8| {
            let (mut bytes, spent) = (sample.bytes.clone(), sample.spent.clone());
            bytes[at] ^= bit;
            Sample { height: sample.height, bytes, spent }
        };
        // In r, behind its length.
        let script = transaction.inputs[1].script;
        assert!(flipped(offset(&sample, script) + 20, 4).only(number, &[1]));
        // In the amount of an output, which all inputs sign.
        let amount = offset(&sample, &transaction.outputs[0].script) - 9;
        assert!(flipped(amount, 1).only(number, &all));
        // In the key, and in the script that is spent.
        assert!(flipped(offset(&sample, script) + script.len() - 5, 1).only(number, &[1]));
        let mut changed = flipped(0, 0);
        let before: usize = block.transactions[1..number].iter().map(|transaction| transaction.inputs.len()).sum();
        changed.spent[before].script.to_mut()[10] ^= 1;
        assert!(changed.only(number, &[0]));
    }
}

#[test]
fn a_bit_flipped_in_a_block_with_witnesses_is_found() {
    let Some(sample) = block_866342() else { return };
    let block = Block::decode(&sample.bytes).expect("a block");
    // The program's version and length at the front of what is spent, and which element of the witness is flipped.
    let kinds = [("v0 key", &[0, 20][..], 2, 0), ("v0 script", &[0, 32], 4, 1), ("key path", &[0x51, 32], 1, 0)];
    let kinds = kinds.into_iter().chain([("script path", &[0x51, 32][..], 3, 1)]);
    let mut place = 0;
    let places: Vec<(usize, usize, usize)> = (1..block.transactions.len())
        .flat_map(|number| (0..block.transactions[number].inputs.len()).map(move |input| (number, input)))
        .map(|(number, input)| {
            place += 1;
            (number, input, place - 1)
        })
        .collect();
    for (kind, program, elements, flip) in kinds {
        let fits = |(number, input, place): &&(usize, usize, usize)| {
            let transaction = &block.transactions[*number];
            transaction.inputs.len() == 1
                && transaction.inputs[*input].witness.len() == elements
                && sample.spent[*place].script.starts_with(program)
        };
        let (number, input, place) = *places.iter().find(fits).unwrap_or_else(|| panic!("no input of {kind}"));
        let mut flipped = sample.bytes.clone();
        let element = block.transactions[number].inputs[input].witness[flip];
        flipped[offset(&sample, element) + 10] ^= 1;
        let flipped = Sample { height: sample.height, bytes: flipped, spent: sample.spent.clone() };
        assert_eq!(flipped.invalid_of(number), [input], "{kind}");
        // The coinbase commits to the witness as it was.
        assert_eq!(flipped.verify(), Err(BlockFault::WitnessCommitment), "{kind}");
        // The amount that is spent is signed, unless a script asks for no signature.
        let mut spent = sample.spent.clone();
        spent[place].value ^= 1;
        let amount = Sample { height: sample.height, bytes: sample.bytes.clone(), spent };
        assert!(amount.only(number, &[input]), "{kind}, amount");
    }
}

#[test]
fn a_block_has_the_outputs_that_it_spends() {
    let Some(mut sample) = block_300025() else { return };
    let inputs = sample.spent.len();
    sample.spent.pop();
    assert_eq!(sample.verify(), Err(BlockFault::SpentOutputs { inputs, outputs: inputs - 1 }));
}

#[test]
fn a_block_has_the_transactions_that_its_header_commits_to() {
    let Some(mut sample) = block_300025() else { return };
    // The lock time of the last transaction.
    *sample.bytes.last_mut().expect("a byte") ^= 1;
    let block = Block::decode(&sample.bytes).expect("a block");
    let found = Verifier::new(&Bulk::new()).verify_block(&block, &sample.spent, sample.flags(), |_| {});
    assert_eq!(found, Err(BlockFault::MerkleRoot));
}
