//! Folders whose files are damaged, too many, or of names that no node gives: each fault costs what it touches alone.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};

use phalanx_bitcoin::{Block, BlockFolder, FolderFault, Network};
use phalanx_testkit::regtest::{self, MadeBlock};

use crate::folders::{KEY, all, folder, reversed, verified};

/// The longest record that is read, as the page on Bitcoin blocks says.
const MOST: u64 = 256 << 20;

#[test]
fn a_damaged_record_of_undo_data_costs_itself_alone() {
    let chain = regtest::chain(40);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let lost = 17;
    let start: usize = chain[1..lost].iter().map(|block| block.undo_record().len()).sum();
    let behind = start + chain[lost].undo_record().len();
    let no_undo = format!("block {lost} ({}): there is no undo data for it", reversed(&chain[lost].hash()));
    let no_record = format!("/blocks/rev00000.dat: at byte {start} there is no record");
    let damaged = format!("/blocks/rev00000.dat: the record at byte {start} is damaged");
    for (byte, bit, said) in [
        // The mark.
        (0, 1, Some(&no_record)),
        // The length: a byte more or less, more than some records that follow, more than any record has.
        (4, 1, Some(&damaged)),
        (5, 1, Some(&damaged)),
        (7, 0x80, Some(&no_record)),
        // The record, and the hash behind it.
        (9, 4, None),
        (behind - start - 1, 4, None),
    ] {
        for key in [None, Some(KEY)] {
            let folder = folder(&[&blocks], &[&blocks[1..]], key);
            let path = folder.path().join("blocks/rev00000.dat");
            let mut bytes = fs::read(&path).expect("a file");
            bytes[start + byte] ^= bit;
            fs::write(&path, bytes).expect("it can be written");
            let (valid, lines) = verified(folder.path());
            assert_eq!(valid, [all(&chain[..lost]), all(&chain[lost + 1..])].concat(), "{byte}");
            assert_eq!(lines.iter().collect::<Vec<_>>(), [&no_undo].into_iter().chain(said).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_file_of_undo_data_that_is_nothing_but_damage_is_given_up() {
    let chain = regtest::chain(3);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let path = folder.path().join("blocks/rev00000.dat");
    let whole = fs::read(&path).expect("a file");
    // Behind none is another mark.
    let marks = [&regtest::MAGIC[..], &[81, 0, 0, 0]].concat().repeat(100_000);
    fs::write(&path, [&whole[..], &marks].concat()).expect("it can be written");
    let (valid, said) = verified(folder.path());
    assert_eq!((valid, said.len()), (all(&chain), 65));
    assert!(said[64].contains("rev00000.dat: too much is damaged; it is not read from byte "), "{}", said[64]);
}

#[test]
fn records_within_records_are_not_all_read() {
    let chain = regtest::chain(3);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let path = folder.path().join("blocks/rev00000.dat");
    let mut file = File::options().append(true).open(&path).expect("a file");
    // Marks of long records one behind another, and behind each of the records there is none.
    let length: u32 = 30 << 20;
    let marks = [&regtest::MAGIC[..], &length.to_le_bytes()].concat().repeat(64);
    file.write_all(&marks).expect("it can be written");
    let size = file.metadata().expect("a file").len() + (32 << 20);
    file.set_len(size).expect("it can be longer");
    file.write_all(&[1; 8]).expect("it can be written");
    let (valid, said) = verified(folder.path());
    assert_eq!(valid, all(&chain));
    // Together they are read again no more than eight times the file, and 256 MiB.
    let damaged = said.iter().filter(|line| line.ends_with(" is damaged")).count();
    assert_eq!(damaged as u64, (8 * size + (256 << 20)) / u64::from(length), "{said:?}");
    assert_eq!(said.len(), damaged + 1);
    assert!(said[damaged].contains(": too much is damaged; it is not read from byte "), "{}", said[damaged]);
}

#[test]
fn undo_data_of_a_block_is_read_up_to_its_bound() {
    let chain = regtest::chain(4);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let records: Vec<u8> = blocks[1..].iter().flat_map(|block| block.undo_record()).collect();
    let no_record = "/blocks/rev00000.dat: at byte 0 there is no record".to_owned();
    for (length, said) in [(MOST, vec![]), (MOST + 1, vec![no_record])] {
        let folder = folder(&[&blocks], &[], None);
        let mut file = File::create(folder.path().join("blocks/rev00000.dat")).expect("it can be written");
        file.write_all(&[&regtest::MAGIC[..], &(length as u32).to_le_bytes()].concat()).expect("it can be written");
        // Zeros, which take no room, and a hash.
        file.seek(SeekFrom::Start(8 + length + 32)).expect("a place");
        file.write_all(&records).expect("it can be written");
        assert_eq!(verified(folder.path()), (all(&chain), said));
    }
}

#[test]
fn a_number_has_one_name() {
    let chain = regtest::chain(6);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let others = ["blk0.dat", "blk+1.dat", "rev000000.dat", "rev1.dat"];
    for name in others {
        fs::write(folder.path().join("blocks").join(name), [7; 100]).expect("it can be written");
    }
    for name in ["blk.dat", "blkx.dat", "blk00000.dat.old", "notes"] {
        fs::write(folder.path().join("blocks").join(name), [7; 100]).expect("it can be written");
    }
    let said = ["blk+1.dat", "blk0.dat", "rev000000.dat", "rev1.dat"]
        .map(|name| format!("/blocks/{name}: no node names a file of blocks so; it is not read"));
    assert_eq!(verified(folder.path()), (all(&chain), said.to_vec()));
}

#[test]
fn a_first_file_that_says_nothing_does_not_mislead() {
    let chain = regtest::chain(6);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&[], &blocks], &[&[], &blocks[1..]], Some(KEY));
    let first = folder.path().join("blocks/blk00000.dat");
    for length in 1..=7 {
        for byte in [7, KEY[0] ^ regtest::MAGIC[0]] {
            fs::write(&first, &[byte; 7][..length]).expect("it can be written");
            let (valid, said) = verified(folder.path());
            assert_eq!((valid, said.len()), (all(&chain), 1), "{said:?}");
            assert!(said[0].starts_with("/blocks/blk00000.dat: the file ends within the record at byte 0"), "{said:?}");
        }
    }
    fs::remove_file(&first).expect("a file");
    fs::create_dir(&first).expect("a folder");
    let said = vec!["/blocks/blk00000.dat: not a regular file".to_owned()];
    assert_eq!(verified(folder.path()), (all(&chain), said));
    // Where no file tells the network, the first that cannot be read is named.
    fs::remove_file(folder.path().join("blocks/blk00001.dat")).expect("a file");
    let refused = BlockFolder::open(folder.path(), None).map(|_| ()).expect_err("no network").to_string();
    assert!(refused.ends_with("blk00000.dat: not a regular file"), "{refused}");
}

#[test]
fn the_next_blocks_name_the_height_of_a_damaged_first_one() {
    let chain = regtest::chain(60);
    let kept: Vec<&MadeBlock> = chain[40..].iter().collect();
    let cut = |count: usize| {
        let folder = folder(&[&kept], &[&kept], None);
        // Records of the header and a bit more, as long as they say.
        let short = |bytes: &[u8]| [&regtest::MAGIC[..], &[100, 0, 0, 0], &bytes[..100]].concat();
        let records: Vec<Vec<u8>> = kept
            .iter()
            .enumerate()
            .map(|(place, block)| if place < count { short(&block.bytes) } else { block.record() })
            .collect();
        regtest::write(&folder.path().join("blocks/blk00000.dat"), &records, [0; 8]);
        let opened = BlockFolder::open(folder.path(), Some(Network::Regtest));
        (folder, opened)
    };
    for count in [1, 3, 15] {
        let (_folder, opened) = cut(count);
        let mut opened = opened.expect("a height");
        assert_eq!(opened.heights(), 40..60);
        for height in opened.heights() {
            let stored = opened.read(height).expect("a height of the chain").expect("a block");
            assert_eq!(stored.hash, chain[height as usize].hash());
            assert_eq!(Block::decode(&stored.block).is_ok(), height >= 40 + count as u32);
        }
    }
    let (_folder, opened) = cut(16);
    assert!(matches!(opened.map(|_| ()), Err(FolderFault::NoHeight(hash)) if hash == chain[40].hash()));
}
