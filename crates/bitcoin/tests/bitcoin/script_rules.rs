//! Rules of scripts, transactions and records that no vector of Bitcoin Core needs.

use std::borrow::Cow;

use phalanx::hash::{TaggedHash, sha256};
use phalanx::{Bulk, Keypair, SecretKey};
use phalanx_bitcoin::{
    Block, BlockFault, BlockFolder, DecodeError, Flags, Network, Output, ScriptError, Transaction, TransactionFault,
    Verifier,
};
use phalanx_testkit::regtest::{self, MadeBlock};

use crate::assembly::{assemble, push};
use crate::folders::folder;

fn prefixed(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    let head = if length < 0xfd { vec![length as u8] } else { vec![0xfd, length as u8, (length >> 8) as u8] };
    [head, bytes.to_vec()].concat()
}

fn list(values: &[Vec<u8>]) -> Vec<u8> {
    let count = prefixed(&vec![0; values.len()]);
    let head = count.len() - values.len();
    [count[..head].to_vec(), values.iter().flat_map(|value| prefixed(value)).collect()].concat()
}

fn verifier() -> Verifier {
    Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"))
}

/// What is wrong with the only input of a transaction, if anything.
fn spend(output: &[u8], script: &[u8], witness: &[Vec<u8>], flags: Flags) -> Result<(), ScriptError> {
    let (mark, witness): (&[u8], _) = if witness.is_empty() { (&[], Vec::new()) } else { (&[0, 1], list(witness)) };
    let body = [&[1][..], &[7; 36], &prefixed(script), &[0xff; 4], &[1], &[0; 9]].concat();
    let bytes = [&[2, 0, 0, 0], mark, &body, &witness, &[0; 4]].concat();
    let transaction = Transaction::decode(&bytes).expect("a transaction");
    let spent = [Output { value: 0, script: Cow::Borrowed(output) }];
    let report = verifier().verify_transaction(&transaction, &spent, flags, |_| {}).expect("one output for one input");
    report.invalid.first().map_or(Ok(()), |invalid| Err(invalid.error))
}

fn script(text: &str) -> Result<(), ScriptError> {
    spend(&assemble(text), &[], &[], Flags::NONE)
}

#[test]
fn too_few_values_are_found_before_a_value_that_is_no_number() {
    // Five bytes are not a number.
    for text in ["1099511627776 1099511627776 WITHIN", "1099511627776 PICK", "1099511627776 ROLL"] {
        assert_eq!(script(text), Err(ScriptError::InvalidStackOperation), "{text}");
    }
    let added = tapscript("CHECKSIGADD", &[vec![1; 5], vec![1; 32]]);
    assert_eq!(added, Err(ScriptError::InvalidStackOperation));
}

#[test]
fn within_takes_what_it_compares() {
    assert_eq!(script("1 0 2 WITHIN VERIFY DEPTH 0 NUMEQUAL"), Ok(()));
}

fn taproot() -> Flags {
    Flags::P2SH | Flags::WITNESS | Flags::TAPROOT
}

/// A program of one script, with branches beside it, and the control block that shows it.
fn program(script: &[u8], branches: usize) -> (Vec<u8>, Vec<u8>) {
    let hash = |tag: &str, parts: &[&[u8]]| TaggedHash::new(tag.as_bytes()).hash(parts);
    let mut root = hash("TapLeaf", &[&[0xc0], &prefixed(script)]);
    let other = [0x77; 32];
    for _ in 0..branches {
        let (low, high) = if root < other { (root, other) } else { (other, root) };
        root = hash("TapBranch", &[&low, &high]);
    }
    let internal = Keypair::from_secret(SecretKey::from_bytes(&[9; 32]).expect("a key")).x_only();
    let (key, odd) = internal.taproot_tweak(Some(&root)).expect("a key");
    let control = [&[0xc0 | u8::from(odd)], &internal.to_bytes()[..], &other.repeat(branches)].concat();
    ([&[0x51, 32], &key.to_bytes()[..]].concat(), control)
}

fn tapscript(text: &str, values: &[Vec<u8>]) -> Result<(), ScriptError> {
    let script = assemble(text);
    let (output, control) = program(&script, 0);
    spend(&output, &[], &[values, &[script, control]].concat(), taproot())
}

#[test]
fn a_control_block_has_at_most_128_branches() {
    for (branches, expected) in [(128, Ok(())), (129, Err(ScriptError::TaprootWrongControlSize))] {
        let (output, control) = program(&[0x51], branches);
        assert_eq!(spend(&output, &[], &[vec![0x51], control], taproot()), expected);
    }
}

#[test]
fn tapscript_begins_with_at_most_1000_values() {
    // All but one are taken at once: what is left of them is not too much behind the first operation.
    let values = |count: usize| vec![vec![1]; count];
    let drop = |count: usize| [vec!["2DROP"; count / 2], vec!["DROP"; count % 2]].concat().join(" ");
    assert_eq!(tapscript(&drop(999), &values(1000)), Ok(()));
    assert_eq!(tapscript(&drop(1000), &values(1001)), Err(ScriptError::StackSize));
}

#[test]
fn a_signature_of_taproot_has_64_or_65_bytes() {
    let output = [&[0x51, 32], &[2; 32][..]].concat();
    for length in [0, 1, 63, 66, 67, 128] {
        let refused = spend(&output, &[], &[vec![1; length]], taproot());
        assert_eq!(refused, Err(ScriptError::SchnorrSigSize), "{length}");
    }
}

#[test]
fn a_spend_by_witness_leaves_a_clean_stack() {
    let flags = taproot() | Flags::CLEANSTACK;
    let witness = [vec![0x51]];
    let program = [&[0, 32], &sha256(&[0x51])[..]].concat();
    assert_eq!(spend(&program, &[], &witness, flags), Ok(()));
    let hash = {
        use ripemd::{Digest, Ripemd160};
        Ripemd160::digest(sha256(&program))
    };
    let nested = [&[0xa9, 20], &hash[..], &[0x87]].concat();
    assert_eq!(spend(&nested, &push(&program), &witness, flags), Ok(()));
    assert_eq!(spend(&assemble("1 1"), &[], &[], flags), Err(ScriptError::CleanStack));
}

#[test]
fn transactions_have_one_encoding() {
    let head = [1, 0, 0, 0];
    let body = [&[1][..], &[7; 36], &[0], &[0xff; 4], &[1], &[0; 9]].concat();
    let decode = |mark: &[u8], witness: &[u8], behind: &[u8]| {
        let bytes = [&head, mark, &body, witness, &[0; 4], behind].concat();
        Transaction::decode(&bytes).map(|_| ())
    };
    assert_eq!(decode(&[], &[], &[]), Ok(()));
    assert_eq!(decode(&[], &[], &[0]), Err(DecodeError::TrailingBytes));
    assert_eq!(decode(&[0, 1], &[1, 1, 5], &[]), Ok(()));
    assert_eq!(decode(&[0, 1], &[0], &[]), Err(DecodeError::EmptyWitness));
    assert_eq!(decode(&[0, 2], &[], &[]), Err(DecodeError::UnknownPart));
    assert_eq!(decode(&[0, 3], &[1, 1, 5], &[]), Err(DecodeError::UnknownPart));
}

#[test]
fn a_transaction_by_itself_spends_one_output_for_each_input() {
    let chain = regtest::chain(2);
    let block = Block::decode(&chain[1].bytes).expect("a block");
    let [reward, payment] = &block.transactions[..] else { panic!("two transactions") };
    let output = Output { value: 0, script: Cow::Borrowed(&[0x51]) };
    let verify = |transaction, spent: &[Output<'_>]| {
        verifier().verify_transaction(transaction, spent, Flags::NONE, |_| {}).map(|_| ())
    };
    let refused = verify(reward, std::slice::from_ref(&output));
    assert!(matches!(refused, Err(BlockFault::Transaction { fault: TransactionFault::IsCoinbase, .. })), "{refused:?}");
    assert_eq!(verify(payment, std::slice::from_ref(&output)), Ok(()));
    for outputs in [0, 2] {
        let refused = verify(payment, &vec![output.clone(); outputs]);
        assert_eq!(refused, Err(BlockFault::SpentOutputs { inputs: 1, outputs }));
    }
}

#[test]
fn the_first_transaction_of_a_block_spends_nothing() {
    let chain = regtest::chain(2);
    let block = Block::decode(&chain[1].bytes).expect("a block");
    let root = block.transactions[1].txid();
    // Its version and count of inputs stand before the id that it spends.
    let id = block.transactions[1].inputs[0].previous.txid;
    let start = chain[1].bytes.windows(32).position(|bytes| *bytes == id).expect("the id") - 5;
    let payment = &chain[1].bytes[start..];
    let bytes = [&chain[1].bytes[..36], &root, &chain[1].bytes[68..80], &[1], payment].concat();
    let alone = Block::decode(&bytes).expect("a block");
    assert_eq!(alone.merkle_root(), Some(alone.header.merkle_root));
    let refused = verifier().verify_block(&alone, &[], Flags::NONE, |_| {}).map(|_| ());
    assert_eq!(refused, Err(BlockFault::Coinbase));
}

/// What block 1 spends by a record: the only output's value and script.
fn spent(undo: &[u8]) -> Result<(u64, Vec<u8>), DecodeError> {
    let mut chain = regtest::chain(2);
    chain[1].undo = undo.to_vec();
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let stored = BlockFolder::open(folder.path(), None).expect("a folder").read(1).expect("a height").expect("a block");
    let block = Block::decode(&stored.block).expect("a block");
    let outputs = stored.spent(&block)?;
    assert_eq!(outputs.len(), 1);
    Ok((outputs[0].value, outputs[0].script.to_vec()))
}

#[test]
fn records_of_spent_outputs_have_one_reading() {
    // One transaction of one input; the reward of block 0; 50 coins; a script of three bytes.
    let record = |script: &[u8]| [&[1, 1, 1, 0x32][..], script].concat();
    assert_eq!(spent(&record(&[9, 1, 2, 3])), Ok((5_000_000_000, vec![1, 2, 3])));
    // A script that is too long to be spent.
    let long = [&[0xcd, 0x17][..], &vec![0x51; 10_001]].concat();
    assert_eq!(spent(&record(&long)), Ok((5_000_000_000, vec![0x6a])));
    let refused = |undo: &[u8], why| assert_eq!(spent(undo), Err(why));
    refused(&[1, 2, 1, 0x32, 9, 1, 2, 3], DecodeError::Truncated);
    refused(&record(&[9, 1, 2, 3, 0]), DecodeError::TrailingBytes);
    // An amount, and a number, beyond 64 bits; the x of no point.
    let most = [0x80, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0xfe, 0x7f];
    refused(&[&[1, 1, 1][..], &most, &[9, 1, 2, 3]].concat(), DecodeError::TooLarge);
    refused(&[&[1, 1, 1][..], &[0xff; 11], &[0, 9, 1, 2, 3]].concat(), DecodeError::TooLarge);
    let next = [&most[..9], &[0xff, 0]].concat();
    refused(&[&[1, 1, 1][..], &next, &[9, 1, 2, 3]].concat(), DecodeError::TooLarge);
    refused(&record(&[&[4][..], &[0xff; 32]].concat()), DecodeError::UnknownPart);
}

#[test]
fn networks_have_their_names() {
    assert_eq!("regtest".parse(), Ok(Network::Regtest));
    assert!("nonsense".parse::<Network>().is_err());
}
