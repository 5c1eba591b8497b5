//! Folders whose files are damaged, too many, or of names that no node gives: each fault costs what it touches alone.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use phalanx::Bulk;
use phalanx_bitcoin::{Block, BlockFolder, FolderFault, Network, Verifier};
use phalanx_testkit::regtest::{self, MadeBlock};
use tempfile::TempDir;

use crate::folder_forms::no_undo;
use crate::folders::{KEY, all, folder, verified};

/// The longest record that is read, as the page on Bitcoin blocks says.
const MOST: u64 = 256 << 20;

#[test]
fn a_damaged_record_of_undo_data_costs_itself_alone() {
    let chain = regtest::chain(40);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let lost = 17;
    let start: usize = chain[1..lost].iter().map(|block| block.undo_record().len()).sum();
    let behind = start + chain[lost].undo_record().len();
    let no_record = format!("/blocks/rev00000.dat: at byte {start} there is no record");
    let damaged = format!("/blocks/rev00000.dat: the record at byte {start} is damaged");
    for (byte, bit, said) in [
        // The mark.
        (0, 1, &no_record),
        // The length: a byte more or less, more than some records that follow, more than any record has.
        (4, 1, &damaged),
        (5, 1, &damaged),
        (7, 0x80, &no_record),
        // The record, and the hash behind it.
        (9, 4, &damaged),
        (behind - start - 1, 4, &damaged),
    ] {
        for key in [None, Some(KEY)] {
            let folder = folder(&[&blocks], &[&blocks[1..]], key);
            let path = folder.path().join("blocks/rev00000.dat");
            let mut bytes = fs::read(&path).expect("a file");
            bytes[start + byte] ^= bit;
            fs::write(&path, bytes).expect("it can be written");
            // What the block spends is in the block before.
            assert_eq!(verified(folder.path()), (all(&chain), vec![said.clone()]), "{byte}");
        }
    }
    // Where it is not, the block is lost, and no other.
    let folder = folder(&[&blocks[lost..]], &[&blocks[lost..]], Some(KEY));
    let path = folder.path().join("blocks/rev00000.dat");
    let mut bytes = fs::read(&path).expect("a file");
    bytes[9] ^= 4;
    fs::write(&path, bytes).expect("it can be written");
    assert_eq!(verified(folder.path()), (all(&chain[lost + 1..]), vec![no_undo(blocks[lost])]));
}

/// A folder that Bitcoin Core's code wrote, and the names of its files.
fn by_bitcoin_core() -> (TempDir, [&'static str; 2]) {
    let (folder, names) = (tempfile::tempdir().expect("a folder"), ["blk00000.dat", "rev00000.dat"]);
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/nodes/bitcoin-without-key");
    for name in names {
        let bytes = fs::read(packed.join(format!("{name}.zst"))).expect("a file");
        let mut bytes = zstd::decode_all(&bytes[..]).expect("a whole file");
        // Room that was taken in advance.
        let end = bytes.iter().rposition(|byte| *byte != 0).expect("a byte") + 1;
        bytes.truncate(end + 64);
        fs::write(folder.path().join(name), bytes).expect("it can be written");
    }
    (folder, names)
}

/// What becomes of the blocks of a folder: how many are valid, and how many are damaged. None may be invalid.
fn judged(folder: &TempDir, verifier: &Verifier, what: &str) -> (u32, u32) {
    let mut opened = match BlockFolder::open(folder.path(), Some(Network::Regtest)) {
        Ok(opened) => opened,
        Err(_) => return (0, 1),
    };
    let (mut valid, mut damaged) = (0, 0);
    for height in opened.heights() {
        let Ok(stored) = opened.read(height).expect("a height of the chain") else {
            damaged += 1;
            continue;
        };
        let block = Block::decode(&stored.block);
        let read = block.as_ref().ok().and_then(|block| Some((block, stored.spent(block).ok()?)));
        let Some((block, spent)) = read else {
            damaged += 1;
            continue;
        };
        match verifier.verify_block(block, &spent, Network::Regtest.flags(height, &stored.hash), |_| {}) {
            Ok(report) => {
                assert!(report.invalid.is_empty(), "{what}: block {height}: {:?}", report.invalid);
                valid += 1;
            }
            Err(fault) => {
                assert!(fault.is_mutation(), "{what}: block {height}: {fault}");
                damaged += 1;
            }
        }
    }
    (valid, damaged + opened.faults().len() as u32)
}

#[test]
fn a_flipped_bit_is_damage_and_makes_nothing_invalid() {
    let (folder, names) = by_bitcoin_core();
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
    assert_eq!(judged(&folder, &verifier, "whole"), (109, 0));
    let mut draws = phalanx_tiers::Draws::of_run();
    let mut found = [0; 2];
    for (name, found) in names.into_iter().zip(&mut found) {
        let path = folder.path().join(name);
        let whole = fs::read(&path).expect("a file");
        let mut flip = |at: usize, bit: u8| {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&path, bytes).expect("it can be written");
            let (_, damaged) = judged(&folder, &verifier, &format!("{name}, byte {at}, bit {bit}"));
            *found += u32::from(damaged > 0);
        };
        // The marks, lengths, headers, transactions and witnesses of the last blocks, which spend coins of every kind;
        // and any place.
        let step = phalanx_tiers::size(37, 1);
        let end = whole.len() - 64;
        (end.saturating_sub(6_000)..end).step_by(step).for_each(|at| flip(at, draws.below(8) as u8));
        (0..phalanx_tiers::size(40, 4_000)).for_each(|_| flip(draws.below(whole.len()), draws.below(8) as u8));
        fs::write(&path, &whole).expect("it can be written");
    }
    assert!(found.into_iter().all(|found| found > 30), "{found:?}");
}

#[test]
fn a_damaged_first_mark_hides_no_network() {
    let chain = regtest::chain(10);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    for key in [None, Some(KEY)] {
        let folder = folder(&[&blocks], &[&blocks[1..]], key);
        let path = folder.path().join("blocks/blk00000.dat");
        let mut bytes = fs::read(&path).expect("a file");
        bytes[2] ^= 8;
        fs::write(&path, bytes).expect("it can be written");
        let said = vec!["/blocks/blk00000.dat: at byte 0 there is no record".to_owned()];
        assert_eq!(verified(folder.path()), (all(&chain[1..]), said));
    }
}

#[test]
fn a_damaged_block_names_no_height() {
    let chain = regtest::chain(60);
    let kept: Vec<&MadeBlock> = chain[40..].iter().collect();
    let folder = folder(&[&kept], &[&kept], None);
    let path = folder.path().join("blocks/blk00000.dat");
    let mut bytes = fs::read(&path).expect("a file");
    // Record, header, count; version, count, outpoint, length, and the push of the height.
    let place = 8 + 80 + 1 + 4 + 1 + 36 + 1 + 1;
    assert_eq!(bytes[place], 40);
    bytes[place] ^= 2;
    fs::write(&path, bytes).expect("it can be written");
    let opened = BlockFolder::open(folder.path(), None).expect("a height");
    assert_eq!(opened.heights(), 40..60);
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
