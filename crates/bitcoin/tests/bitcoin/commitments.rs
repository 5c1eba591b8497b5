//! What a block commits to: transactions by its header, witnesses by its coinbase.

use phalanx::{Bulk, hash::sha256};
use phalanx_bitcoin::{Block, BlockFault, Flags, Output, Report, Verifier};

use crate::hostile::{consensus, prefixed};

fn hash(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

/// The root of a tree of hashes, as it is written down: the last one stands twice where they are odd.
fn root(mut nodes: Vec<[u8; 32]>) -> [u8; 32] {
    while nodes.len() > 1 {
        if nodes.len() % 2 == 1 {
            nodes.extend(nodes.last().copied());
        }
        nodes = nodes.as_chunks::<2>().0.iter().map(|pair| hash(pair.as_flattened())).collect();
    }
    nodes[0]
}

/// A coinbase with outputs of these scripts, and a witness of this element if there is one.
pub(crate) fn coinbase(scripts: &[Vec<u8>], reserved: Option<&[u8]>) -> Vec<u8> {
    let outputs = scripts.iter().flat_map(|script| [&[0; 8][..], &[script.len() as u8], script].concat());
    let outputs: Vec<u8> = [scripts.len() as u8].into_iter().chain(outputs).collect();
    let input = [&[1][..], &[0; 32], &[0xff; 4], &[2, 0, 0], &[0xff; 4]].concat();
    match reserved {
        None => [&[1, 0, 0, 0][..], &input, &outputs, &[0; 4]].concat(),
        Some(element) => {
            let witness = [&[1, element.len() as u8][..], element].concat();
            [&[1, 0, 0, 0, 0, 1][..], &input, &outputs, &witness, &[0; 4]].concat()
        }
    }
}

/// The script of the output that commits to the witnesses of these transactions, the coinbase left out.
pub(crate) fn commitment(transactions: &[&[u8]], reserved: &[u8]) -> Vec<u8> {
    let leaves = [[0; 32]].into_iter().chain(transactions.iter().map(|bytes| hash(bytes))).collect();
    [&[0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed][..], &hash(&[&root(leaves), reserved].concat())].concat()
}

/// A block of these transactions, whose header names no root.
fn block(transactions: &[&[u8]]) -> Vec<u8> {
    [&[0; 80][..], &[transactions.len() as u8], &transactions.concat()].concat()
}

/// A transaction that spends an output of a version 0 script OP_1, with this script in its witness.
fn payment(witness: &[u8], tag: u8) -> Vec<u8> {
    let input = [&[1][..], &[tag; 36], &[0], &[0xff; 4]].concat();
    let witness = [&[1][..], &prefixed(witness)].concat();
    [&[2, 0, 0, 0, 0, 1][..], &input, &[1], &[0; 9], &witness, &[0; 4]].concat()
}

/// The verdict on a block; its header commits to its transactions if `rooted`.
fn verdict(bytes: &[u8], flags: Flags, rooted: bool) -> Result<Report, BlockFault> {
    let mut block = Block::decode(bytes).expect("a block");
    if rooted {
        block.header.merkle_root = block.merkle_root().expect("a root");
    }
    let script = [&[0, 32], &sha256(&[0x51])[..]].concat();
    let spent = vec![Output { value: 0, script: script.into() }; block.spending_inputs()];
    Verifier::new(&Bulk::new()).verify_block(&block, &spent, flags, |_| {})
}

/// How many inputs are not valid.
fn invalid(bytes: &[u8]) -> Result<usize, BlockFault> {
    verdict(bytes, consensus(), true).map(|report| report.invalid.len())
}

#[test]
fn an_input_is_invalid_if_its_witness_is_that_of_the_block() {
    let reserved = [7; 32];
    let (good, other) = (payment(&[0x51], 1), payment(&[0x52], 2));
    let with =
        |script: Vec<u8>, reserved: &[u8]| block(&[&coinbase(&[vec![0x51], script], Some(reserved)), &good, &other]);
    // The second input has another script than what it spends names.
    let right = commitment(&[&good, &other], &reserved);
    assert_eq!(invalid(&with(right.clone(), &reserved)), Ok(1));
    let mutated = Err(BlockFault::WitnessCommitment);
    assert_eq!(invalid(&with(right.clone(), &[8; 32])), mutated);
    assert_eq!(invalid(&with(right.clone(), &[7; 31])), mutated);
    assert_eq!(invalid(&with(commitment(&[&other, &good], &reserved), &reserved)), mutated);
    // The last of several outputs counts, and what comes behind the 32 bytes does not.
    let of = |scripts: &[Vec<u8>]| invalid(&block(&[&coinbase(scripts, Some(&reserved)), &good, &other]));
    let wrong = commitment(&[&good], &reserved);
    assert_eq!(of(&[wrong.clone(), [right.clone(), vec![1]].concat()]), Ok(1));
    assert_eq!(of(&[right.clone(), wrong]), mutated);
    // Without a commitment, or the coinbase's witness, no transaction may have a witness.
    assert_eq!(of(&[right[..37].to_vec()]), mutated);
    assert_eq!(invalid(&block(&[&coinbase(&[right], None), &good, &other])), mutated);
    // Where every input is valid, the commitment is not looked at.
    assert_eq!(invalid(&block(&[&coinbase(&[vec![0x51]], None), &good])), Ok(0));
    // A limit may be broken by witnesses, too.
    let long = payment(&[0xac; 80_001], 3);
    let of = |script: Vec<u8>| invalid(&block(&[&coinbase(&[script], Some(&reserved)), &long]));
    assert_eq!(of(commitment(&[&long], &reserved)), Err(BlockFault::SignatureOperations));
    assert_eq!(of(commitment(&[&good], &reserved)), mutated);
}

#[test]
fn before_segwit_an_output_may_look_like_a_commitment() {
    let flags = Flags::P2SH | Flags::WITNESS;
    let plain = [&[2, 0, 0, 0, 1][..], &[1; 36], &[0], &[0xff; 4], &[1], &[0; 9], &[0; 4]].concat();
    let bytes = block(&[&coinbase(&[commitment(&[&plain], &[0; 32])], None), &plain]);
    // Its only input lacks a witness.
    let found = |flags| verdict(&bytes, flags, true).map(|report| report.invalid.len());
    assert_eq!(found(flags), Ok(1));
    assert_eq!(found(flags | Flags::NULLDUMMY), Err(BlockFault::WitnessCommitment));
}

#[test]
fn transactions_that_stand_twice_are_a_mutation() {
    // CVE-2012-2459: the last of three stands twice, and the root is the same.
    let (first, second) = (payment(&[0x51], 1), payment(&[0x51], 2));
    let reward = coinbase(&[vec![0x51]], None);
    let transactions = [&reward[..], &first, &second];
    let ids = |transactions: &[&[u8]]| {
        let bytes = block(transactions);
        Block::decode(&bytes).expect("a block").transactions.iter().map(|transaction| transaction.txid()).collect()
    };
    let root = root(ids(&transactions));
    let with_root = |transactions: &[&[u8]]| {
        let mut bytes = block(transactions);
        bytes[36..68].copy_from_slice(&root);
        verdict(&bytes, consensus(), false).map(|report| report.inputs)
    };
    assert_eq!(with_root(&transactions), Ok(2));
    assert_eq!(with_root(&[&reward, &first, &second, &second]), Err(BlockFault::MerkleRoot));
    assert_eq!(with_root(&[&reward, &second, &first]), Err(BlockFault::MerkleRoot));
}

#[test]
fn what_the_header_does_not_commit_to_breaks_no_rule() {
    let reward = coinbase(&[vec![0x51]], None);
    let found = |transaction: &[u8], rooted| verdict(&block(&[transaction]), consensus(), rooted).map(|_| ());
    let spending = |script: usize| {
        let input = [&[1][..], &[7; 36], &[script as u8], &vec![0x61; script], &[0xff; 4]].concat();
        [&[1, 0, 0, 0][..], &input, &[1], &[0; 9], &[0; 4]].concat()
    };
    assert_eq!(found(&reward, true), Ok(()));
    assert_eq!(found(&reward, false), Err(BlockFault::MerkleRoot));
    // The first transaction is not a coinbase. It may be two nodes of a tree if it has 64 bytes.
    assert_eq!(found(&spending(5), true), Err(BlockFault::Coinbase));
    assert_eq!(found(&spending(5), false), Err(BlockFault::MerkleRoot));
    assert_eq!(spending(4).len(), 64);
    assert_eq!(found(&spending(4), true), Err(BlockFault::MerkleRoot));
    for (fault, mutation) in [
        (BlockFault::MerkleRoot, true),
        (BlockFault::WitnessCommitment, true),
        (BlockFault::Coinbase, false),
        (BlockFault::Weight, false),
    ] {
        assert_eq!(fault.is_mutation(), mutation, "{fault}");
    }
}
