//! Folders that are not whole: without undo data, without the first block, without their key, or of another network.

use std::fs;

use phalanx_bitcoin::{Block, BlockFolder, FolderFault, Network};
use phalanx_testkit::regtest::{self, MadeBlock};

use crate::folders::{KEY, all, folder, verified};
use crate::shared::shared;

/// What is said of a block whose outputs are not all there.
pub(crate) fn no_undo(block: &MadeBlock) -> String {
    let (height, hash) = (block.height, phalanx_bitcoin::reversed_hex(&block.hash()));
    format!("block {height} ({hash}): there is no undo data for it, and not all outputs that it spends are here")
}

#[test]
fn blocks_without_undo_data_spend_what_other_blocks_have() {
    let chain = regtest::chain(30);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let without = |height: u32| blocks[1..].iter().copied().filter(move |block| block.height != height);
    // A record is missing, and all are; in one file and in several, with and without a key.
    let records: Vec<&MadeBlock> = without(7).collect();
    assert_eq!(verified(folder(&[&blocks], &[&records], None).path()), (all(&chain), vec![]));
    for key in [None, Some(KEY)] {
        assert_eq!(verified(folder(&[&blocks[..9], &blocks[9..]], &[], key).path()), (all(&chain), vec![]));
        assert_eq!(verified(folder(&[&blocks[9..], &blocks[..9]], &[&[]], key).path()), (all(&chain), vec![]));
    }
    // What a block before the first spends is not there.
    let (valid, said) = verified(folder(&[&blocks[5..]], &[], None).path());
    assert_eq!((valid, said), (all(&chain[6..]), vec![no_undo(&chain[5])]));
    // In any order of reading, and each for itself.
    let folder = folder(&[&blocks], &[], Some(KEY));
    for height in [29, 3, 17, 0] {
        let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
        let stored = opened.read(height).expect("a height").expect("a block");
        let block = Block::decode(&stored.block).expect("a block");
        assert_eq!(stored.spent(&block).expect("outputs").len(), usize::from(height > 0));
        assert!(stored.size() > stored.block.len() || height == 0);
        assert_eq!(opened.faults().len(), 0);
    }
    // A block that is damaged has no outputs, and the next one lacks them.
    let path = folder.path().join("blocks/blk00000.dat");
    let mut bytes = fs::read(&path).expect("a file");
    let place = blocks[..=9].iter().map(|block| block.record().len()).sum::<usize>() - blocks[9].bytes.len();
    bytes[place + 85 + 60] ^= 1;
    fs::write(&path, bytes).expect("it can be written");
    let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
    let lacking = opened.read(10).expect("a height").expect_err("an output that is not there");
    assert_eq!(lacking.to_string(), no_undo(&chain[10]));
}

#[test]
fn records_of_stale_blocks_are_no_damage() {
    let chain = regtest::chain(12);
    let branch = regtest::next(Some(&chain[5]), 1);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    // The branch was connected and left; the last blocks are yet to be connected.
    let (stored, records) = ([&blocks[..], &[&branch]].concat(), [&blocks[1..6], &[&branch], &blocks[6..9]].concat());
    assert_eq!(verified(folder(&[&stored], &[&records], None).path()), (all(&chain), vec![]));
    // A record that is left over may be damaged. That of the branch is as good for the block of the chain.
    let start: usize = blocks[1..=6].iter().map(|block| block.undo_record().len()).sum();
    let said = vec![format!("/blocks/rev00000.dat: the record at byte {start} is damaged")];
    assert_eq!(verified(folder(&[&blocks], &[&records], None).path()), (all(&chain), said));
}

#[test]
fn a_chain_that_begins_behind_the_first_block_has_its_heights() {
    // Blocks 1 and 2 of the main network, which name no height.
    let blocks = [BLOCK_1, BLOCK_2].map(|hex| const_hex::decode(hex).expect("hex"));
    let record = |block: &Vec<u8>| [&Network::Main.magic()[..], &(block.len() as u32).to_le_bytes(), block].concat();
    let folder = tempfile::tempdir().expect("a folder");
    regtest::write(&folder.path().join("blk00000.dat"), &blocks.each_ref().map(record), [0; 8]);
    let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
    assert_eq!((opened.network(), opened.heights()), (Network::Main, 1..3));
    for (height, bytes) in (1..3).zip(&blocks) {
        let stored = opened.read(height).expect("a height").expect("a block");
        assert_eq!(stored.block, *bytes);
        assert!(stored.spent(&Block::decode(bytes).expect("a block")).expect("nothing").is_empty());
    }
    regtest::write(&folder.path().join("blk00000.dat"), &[record(&blocks[1])], [0; 8]);
    let refused = BlockFolder::open(folder.path(), None).map(|_| ()).expect_err("no height");
    assert!(matches!(refused, FolderFault::NoHeight(_)), "{refused}");
}

/// Block 1 of the main network.
const BLOCK_1: &str = "010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd1e4ba744bbbe680e1fee\
                       14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e362990101000000010000000000000000000000000000\
                       000000000000000000000000000000000000ffffffff0704ffff001d0104ffffffff0100f2052a0100000043410496b538e8\
                       53519c726a2c91e61ec11600ae1390813a627c66fb8be7947be63c52da7589379515d4e0a604f8141781e62294721166bf62\
                       1e73a82cbf2342c858eeac00000000";
/// Block 2 of the main network.
const BLOCK_2: &str = "010000004860eb18bf1b1620e37e9490fc8a427514416fd75159ab86688e9a8300000000d5fdcc541e25de1c7a5addedf248\
                       58b8bb665c9f36ef744ee42c316022c90f9bb0bc6649ffff001d08d2bd610101000000010000000000000000000000000000\
                       000000000000000000000000000000000000ffffffff0704ffff001d010bffffffff0100f2052a010000004341047211a824\
                       f55b505228e4c3d5194c1fcfaa15a456abdf37f9b9d97a4040afc073dee6c89064984f03385237d92167c13e236446b417ab\
                       79a0fcae412ae3316b77ac00000000";

#[test]
fn the_first_heights_of_the_main_network_need_no_undo_data() {
    let Some(path) = shared("cases/heights-1-256", "heights 1 to 255 of the main network without undo data") else {
        return;
    };
    let mut opened = BlockFolder::open(&path, None).expect("a folder");
    assert_eq!((opened.network(), opened.heights()), (Network::Main, 1..256));
    let mut spent = 0;
    for height in opened.heights() {
        let stored = opened.read(height).expect("a height").expect("a block");
        spent += stored.spent(&Block::decode(&stored.block).expect("a block")).expect("outputs").len();
    }
    assert_eq!((spent, opened.faults().len()), (7, 0));
}

#[test]
fn a_key_that_is_not_the_folders_is_named() {
    let chain = regtest::chain(3);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let keyed = folder(&[&blocks], &[&blocks[1..]], Some(KEY));
    let path = keyed.path().join("blocks/xor.dat");
    let said = |network| BlockFolder::open(keyed.path(), network).map(|_| ()).expect_err("another key").to_string();
    // Also one under which the marks are right, and no length.
    let later = [KEY[0], KEY[1], KEY[2], KEY[3], 0x77, 0x77, 0x77, 0x77];
    for key in [[0; 8], [1; 8], later] {
        fs::write(&path, key).expect("it can be written");
        for network in [None, Some(Network::Regtest)] {
            let said = said(network);
            assert!(said.contains("blocks: no block can be read: xor.dat is damaged or that of another"), "{said}");
        }
    }
    fs::remove_file(&path).expect("a file");
    for network in [None, Some(Network::Regtest)] {
        assert!(said(network).contains("xor.dat is missing"), "{}", said(network));
    }
    fs::write(&path, KEY).expect("it can be written");
    assert_eq!(verified(keyed.path()), (all(&chain), vec![]));
}

#[test]
fn the_folder_of_another_network_is_named() {
    let chain = regtest::chain(3);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    for (name, network) in [
        ("testnet3", Network::Testnet3),
        ("testnet4", Network::Testnet4),
        ("signet", Network::Signet),
        ("regtest", Network::Regtest),
    ] {
        let data = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(data.path().join(name).join("blocks")).expect("a folder");
        let said = |network| BlockFolder::open(data.path(), network).map(|_| ()).expect_err("no blocks").to_string();
        let expected = format!("the blocks of the network {network} are in {}", data.path().join(name).display());
        assert!(said(None).contains(&expected), "{}", said(None));
        assert!(said(Some(network)).contains(&expected), "{}", said(Some(network)));
        assert!(said(Some(Network::Main)).ends_with("there are no files blk*.dat"), "{}", said(Some(Network::Main)));
        // Beside the blocks of the network that the folder is of.
        let both = folder(&[&blocks], &[], None);
        fs::create_dir_all(both.path().join(name).join("blocks")).expect("a folder");
        if network != Network::Regtest {
            let said = BlockFolder::open(both.path(), Some(network)).map(|_| ()).expect_err("others").to_string();
            assert!(said.contains(&both.path().join(name).display().to_string()), "{said}");
        }
        assert_eq!(verified(both.path()), (all(&chain), vec![]));
    }
}
