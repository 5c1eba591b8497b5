//! What is refused of blocks and folders, beside what other files test in passing.

use std::fs::OpenOptions;

use phalanx_bitcoin::{Block, BlockFolder, DecodeError, FolderFault, Network};
use phalanx_testkit::regtest::{self, MadeBlock};

use crate::folders::folder;

#[test]
fn nothing_stands_behind_a_block() {
    let block = &regtest::chain(2)[1].bytes;
    assert!(Block::decode(block).is_ok());
    let longer = [&block[..], &[0]].concat();
    assert_eq!(Block::decode(&longer).map(|_| ()), Err(DecodeError::TrailingBytes));
}

/// A list that ends in the same transactions twice has the root of a shorter one (CVE-2012-2459).
#[test]
fn transactions_that_stand_twice_have_no_root() {
    let made: Vec<Vec<u8>> = (0..3).map(|salt| regtest::next(None, salt).bytes[81..].to_vec()).collect();
    let root = |places: &[usize]| {
        let transactions: Vec<u8> = places.iter().flat_map(|place| made[*place].clone()).collect();
        let bytes = [&[0; 80][..], &[places.len() as u8], &transactions].concat();
        Block::decode(&bytes).expect("a block").merkle_root()
    };
    assert!(root(&[0, 1, 2]).is_some() && root(&[0, 1, 0]).is_some());
    for twice in [&[0, 0][..], &[0, 1, 2, 2], &[0, 1, 0, 1], &[0, 1, 2, 0, 1, 1]] {
        assert_eq!(root(twice), None, "{twice:?}");
    }
}

fn cut(path: &std::path::Path, length: u64) {
    let file = OpenOptions::new().write(true).open(path).expect("a file");
    file.set_len(length).expect("it can be cut");
}

#[test]
fn files_that_shrink_while_they_are_open() {
    let chain = regtest::chain(4);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
    assert!(opened.read(1).expect("a height").is_ok());
    for name in ["rev00000.dat", "blk00000.dat"] {
        cut(&folder.path().join("blocks").join(name), 10);
        let refused = opened.read(2).expect("a height").map(|_| ());
        assert!(matches!(&refused, Err(FolderFault::Io(path, _)) if path.ends_with(name)), "{refused:?}");
    }
}

#[test]
fn a_height_that_is_not_there_has_no_bytes() {
    let chain = regtest::chain(2);
    let folder = folder(&[&[&chain[0], &chain[1]]], &[&[&chain[1]]], None);
    let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
    assert_eq!(opened.heights(), 0..2);
    assert_eq!((opened.stored_size(2), opened.read(2).is_none()), (0, true));
}

#[test]
fn a_record_longer_than_any_block_is_none() {
    let chain = regtest::chain(3);
    let folder = folder(&[&[&chain[0], &chain[1]]], &[&[&chain[1]]], None);
    let path = folder.path().join("blocks/blk00000.dat");
    let before = std::fs::read(&path).expect("a file");
    for (length, heights) in [(4_000_000_u32, 0..3), (4_000_001, 0..2), (80, 0..2)] {
        let head = [&regtest::MAGIC[..], &length.to_le_bytes(), &chain[2].bytes].concat();
        std::fs::write(&path, [&before[..], &head].concat()).expect("it can be written");
        cut(&path, before.len() as u64 + 8 + u64::from(length));
        let mut opened = BlockFolder::open(folder.path(), Some(Network::Regtest)).expect("a folder");
        assert_eq!(opened.heights(), heights, "{length}");
        let no_work = matches!(opened.faults()[..], [FolderFault::NoWork(_, at)] if at == before.len() as u64);
        assert_eq!(no_work, heights == (0..2), "{length}");
    }
}

#[test]
fn a_file_too_short_for_a_mark_names_no_network() {
    let folder = folder(&[&[]], &[], None);
    for length in 0..4 {
        let bytes = &regtest::MAGIC[..length];
        std::fs::write(folder.path().join("blocks/blk00000.dat"), bytes).expect("it can be written");
        let refused = BlockFolder::open(folder.path(), None).map(|_| ());
        assert!(matches!(refused, Err(FolderFault::MissingKey(_))), "{refused:?}");
    }
}

#[test]
fn a_block_whose_parent_is_not_there_is_named() {
    // The header of the network's first block, which the fixture's own is not.
    let root = const_hex::decode("3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a").expect("hex");
    let mut chain = vec![regtest::next(None, 0)];
    chain[0].bytes[..4].copy_from_slice(&1_u32.to_le_bytes());
    chain[0].bytes[36..68].copy_from_slice(&root);
    chain[0].bytes[68..72].copy_from_slice(&1_296_688_602_u32.to_le_bytes());
    chain[0].bytes[76..80].copy_from_slice(&2_u32.to_le_bytes());
    assert!(Network::Regtest.is_genesis(&chain[0].hash()));
    for _ in 1..9 {
        chain.push(regtest::next(chain.last(), 0));
    }
    let faults = |first: u32| {
        let blocks: Vec<&MadeBlock> = chain.iter().filter(|block| block.height >= first && block.height != 4).collect();
        let folder = folder(&[&blocks], &[&blocks[1..]], None);
        BlockFolder::open(folder.path(), Some(Network::Regtest)).expect("a folder").faults()
    };
    for first in [0, 1] {
        let faults = faults(first);
        assert!(matches!(faults[..], [FolderFault::NoParent(_)]), "{faults:?}");
    }
    // A node that has removed its first blocks may have removed the parents of others.
    assert!(faults(2).iter().all(|fault| !matches!(fault, FolderFault::NoParent(_))));
}
