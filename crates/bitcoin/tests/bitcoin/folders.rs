//! Folders as a node writes them, made up here: a chain, stale branches, damage.

use std::fs;
use std::path::Path;

use phalanx::Bulk;
use phalanx_bitcoin::{Block, BlockFault, BlockFolder, FolderFault, Network, Verifier};
use phalanx_testkit::regtest::{self, MadeBlock};
use tempfile::TempDir;

pub(crate) const KEY: [u8; 8] = [0x5a, 1, 0xff, 0x80, 9, 0, 0x33, 0xee];

/// A node's folder. Blocks of the first file come in a mixed order, their records in the order of the chain.
pub(crate) fn folder(files: &[&[&MadeBlock]], undo: &[&[&MadeBlock]], key: Option<[u8; 8]>) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let blocks = folder.path().join("blocks");
    fs::create_dir(&blocks).expect("a folder");
    if let Some(key) = key {
        fs::write(blocks.join("xor.dat"), key).expect("it can be written");
    }
    let key = key.unwrap_or_default();
    for (number, file) in files.iter().enumerate() {
        let records: Vec<_> = file.iter().map(|block| block.record()).collect();
        regtest::write(&blocks.join(format!("blk{number:05}.dat")), &records, key);
    }
    for (number, file) in undo.iter().enumerate() {
        let records: Vec<_> = file.iter().map(|block| block.undo_record()).collect();
        regtest::write(&blocks.join(format!("rev{number:05}.dat")), &records, key);
    }
    folder
}

/// What a folder gives: the heights that are valid, and what is said of the others and of the folder.
pub(crate) fn verified(path: &Path) -> (Vec<u32>, Vec<String>) {
    let mut folder = BlockFolder::open(path, None).expect("a folder with a chain");
    assert_eq!(folder.network(), Network::Regtest);
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
    let (mut valid, mut said) = (Vec::new(), Vec::new());
    for height in folder.heights() {
        let stored = match folder.read(height).expect("a height of the chain") {
            Ok(stored) => stored,
            Err(fault) => {
                said.push(fault.to_string());
                continue;
            }
        };
        let block = Block::decode(&stored.block).expect("a block");
        assert_eq!(block.header.hash(), stored.hash);
        let spent = stored.spent(&block).expect("the block's record");
        let flags = folder.network().flags(height, &stored.hash);
        let report = verifier.verify_block(&block, &spent, flags, |_| {}).expect("a block within limits");
        assert_eq!(report.inputs, u64::from(height > 0));
        match report.invalid.first() {
            None => valid.push(height),
            Some(invalid) => said.push(format!("{height}: {}", invalid.error.name())),
        }
    }
    said.extend(folder.faults().iter().map(FolderFault::to_string));
    let here = path.display().to_string();
    (valid, said.into_iter().map(|line| line.replace(&here, "")).collect())
}

pub(crate) fn all(chain: &[MadeBlock]) -> Vec<u32> {
    chain.iter().map(|block| block.height).collect()
}

/// Blocks of the places.
fn picked<'b>(chain: &'b [MadeBlock], places: &[usize]) -> Vec<&'b MadeBlock> {
    places.iter().map(|place| &chain[*place]).collect()
}

#[test]
fn a_chain_in_two_files_with_and_without_a_key() {
    let chain = regtest::chain(150);
    let mut order: Vec<usize> = (0..100).collect();
    // As blocks come from several peers.
    order.chunks_mut(7).for_each(|places| places.reverse());
    let first = picked(&chain, &order);
    let (second, records) =
        (picked(&chain, &(100..150).collect::<Vec<_>>()), picked(&chain, &(1..100).collect::<Vec<_>>()));
    for key in [None, Some(KEY)] {
        let folder = folder(&[&first, &second], &[&records, &second], key);
        assert_eq!(verified(folder.path()), (all(&chain), vec![]));
        assert_eq!(verified(&folder.path().join("blocks")).0.len(), 150);
        // What was taken in advance, and written nothing to.
        let path = folder.path().join("blocks/blk00001.dat");
        fs::write(&path, [fs::read(&path).expect("a file"), vec![0; 5000]].concat()).expect("it can be written");
        assert_eq!(verified(folder.path()), (all(&chain), vec![]));
    }
}

#[test]
fn the_chain_with_the_most_work_is_taken() {
    let chain = regtest::chain(20);
    let mut branch = vec![regtest::next(Some(&chain[10]), 1)];
    while branch.len() < 5 {
        branch.push(regtest::next(branch.last(), 1));
    }
    // The branch came first, and was connected and disconnected.
    let blocks: Vec<&MadeBlock> = chain[..11].iter().chain(&branch).chain(&chain[11..]).collect();
    let records: Vec<&MadeBlock> = blocks.iter().copied().skip(1).collect();
    let stale = folder(&[&blocks], &[&records], None);
    assert_eq!(verified(stale.path()), (all(&chain), vec![]));
    let hashes: Vec<[u8; 32]> = branch.iter().map(MadeBlock::hash).collect();
    assert_eq!(BlockFolder::open(stale.path(), None).expect("a folder").stale(), hashes);
    // A branch of the same length does not replace what was there before.
    while branch.len() < 9 {
        branch.push(regtest::next(branch.last(), 1));
    }
    let blocks: Vec<&MadeBlock> = chain.iter().chain(&branch).collect();
    let tied = folder(&[&blocks], &[&blocks[1..]], None);
    let mut opened = BlockFolder::open(tied.path(), None).expect("a folder");
    let last = opened.read(19).expect("a height").expect("a block");
    assert_eq!(last.hash, chain[19].hash());
    assert!(opened.read(20).is_none());
}

#[test]
fn a_chain_whose_start_is_missing_has_the_heights_that_it_names() {
    let chain = regtest::chain(300);
    let kept: Vec<&MadeBlock> = chain[200..].iter().collect();
    let pruned = folder(&[&kept], &[&kept], Some(KEY));
    assert_eq!(verified(pruned.path()), ((200..300).collect(), vec![]));
    // Blocks that are cut off from the longer part are passed over.
    let cut: Vec<&MadeBlock> = chain[..100].iter().chain(&chain[101..]).collect();
    let cut = folder(&[&cut], &[&cut[1..]], None);
    assert_eq!(verified(cut.path()), ((101..300).collect(), vec![]));
    assert_eq!(BlockFolder::open(cut.path(), None).expect("a folder").stale().len(), 100);
}

#[test]
fn damage_is_named_and_the_rest_is_verified() {
    let chain = regtest::chain(30);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let whole = || folder(&[&blocks], &[&blocks[1..]], Some(KEY));
    let change = |folder: &TempDir, name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = folder.path().join("blocks").join(name);
        let mut bytes = fs::read(&path).expect("a file");
        change(&mut bytes);
        fs::write(&path, bytes).expect("it can be written");
    };
    let end = |count: usize| blocks[..count].iter().map(|block| block.record().len()).sum::<usize>();

    // The last block is cut short, and so is the last record of the others.
    let cut = whole();
    change(&cut, "blk00000.dat", &|bytes| bytes.truncate(bytes.len() - 10));
    let (valid, said) = verified(cut.path());
    assert_eq!(valid, all(&chain[..29]));
    assert_eq!(said, [format!("/blocks/blk00000.dat: the file ends within the record at byte {}", end(29))]);
    let cut = whole();
    change(&cut, "rev00000.dat", &|bytes| bytes.truncate(bytes.len() - 10));
    let (valid, said) = verified(cut.path());
    assert_eq!((valid, said.len()), (all(&chain), 1), "{said:?}");
    assert!(said[0].starts_with("/blocks/rev00000.dat: the file ends within the record at byte "));

    // A mark in the middle is damaged: the chain ends there. What comes behind is found, and has more blocks.
    let damaged = whole();
    change(&damaged, "blk00000.dat", &|bytes| bytes[end(10)] ^= 1);
    let (valid, said) = verified(damaged.path());
    assert_eq!(valid, all(&chain[11..]));
    assert_eq!(said, [format!("/blocks/blk00000.dat: at byte {} there is no record", end(10))]);
    // Headers that do not prove their work: by a target that is none, and by a hash above the target.
    let bad_target = |bytes: &mut Vec<u8>| bytes[end(10) + 8 + 75] ^= 0x40;
    let header = &blocks[10].bytes[..80];
    let mut above = (0..=255).map(|nonce| [&header[..76], &[nonce, 0xff, 0xff, 0xff]].concat());
    let hash = |bytes: &[u8]| phalanx::hash::sha256(&phalanx::hash::sha256(bytes));
    let above = above.find(|header| hash(header)[31] > 0x7f).expect("one in two");
    let bad_hash = |bytes: &mut Vec<u8>| {
        for (place, byte) in above.iter().enumerate() {
            let at = end(10) + 8 + place;
            bytes[at] = byte ^ KEY[at % 8];
        }
    };
    for change_header in [&bad_target as &dyn Fn(&mut Vec<u8>), &bad_hash] {
        let damaged = whole();
        change(&damaged, "blk00000.dat", change_header);
        let (valid, said) = verified(damaged.path());
        assert_eq!(valid, all(&chain[11..]));
        assert_eq!(
            said,
            [format!("/blocks/blk00000.dat: at byte {} there is no block with proof of its work", end(10))]
        );
    }

    // Bytes of a transaction: the header does not commit to it.
    let flipped = whole();
    let place = end(20) + blocks[20].bytes.windows(2).position(|pair| pair == [0x30, 0x44]).expect("a signature");
    change(&flipped, "blk00000.dat", &|bytes| bytes[place + 8 + 20] ^= 1);
    let mut opened = BlockFolder::open(flipped.path(), None).expect("a folder");
    let stored = opened.read(20).expect("a height").expect("a block");
    let block = Block::decode(&stored.block).expect("a block");
    let spent = stored.spent(&block).expect("the block's record");
    let verifier = Verifier::new(&Bulk::new());
    let flags = Network::Regtest.flags(20, &stored.hash);
    assert_eq!(verifier.verify_block(&block, &spent, flags, |_| {}), Err(BlockFault::MerkleRoot));
}

#[test]
fn zeros_hide_nothing_after_them() {
    let chain = regtest::chain(20);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    for key in [None, Some(KEY)] {
        let folder = folder(&[&blocks], &[&blocks[1..]], key);
        let path = folder.path().join("blocks/blk00000.dat");
        let whole = fs::read(&path).expect("a file");
        // Up to the end of the file, zeros are room that was taken in advance.
        for zeros in [1, 7, 8, 9, 100_000] {
            fs::write(&path, [&whole[..], &vec![0; zeros]].concat()).expect("it can be written");
            assert_eq!(verified(folder.path()), (all(&chain), vec![]), "{zeros}");
        }
        // As many as keep the place of the key.
        let end: usize = blocks[..12].iter().map(|block| block.record().len()).sum();
        for zeros in [8, 1 << 21] {
            let bytes = [&whole[..end], &vec![0; zeros], &whole[end..]].concat();
            fs::write(&path, bytes).expect("it can be written");
            let (valid, said) = verified(folder.path());
            assert_eq!(valid, all(&chain), "{zeros}");
            assert_eq!(said, [format!("/blocks/blk00000.dat: at byte {end} there is no record")]);
        }
    }
}

#[test]
fn files_that_are_missing_are_named() {
    let chain = regtest::chain(20);
    let files: Vec<Vec<&MadeBlock>> = chain.chunks(4).map(|blocks| blocks.iter().collect()).collect();
    let slices: Vec<&[&MadeBlock]> = files.iter().map(Vec::as_slice).collect();
    let folder = folder(&slices, &slices, None);
    let remove = |name: &str| fs::remove_file(folder.path().join("blocks").join(name)).expect("a file");
    remove("blk00000.dat");
    remove("rev00000.dat");
    assert_eq!(verified(folder.path()), ((4..20).collect(), vec![]), "as on a node that prunes");
    remove("blk00004.dat");
    let last = "/blocks/rev00004.dat: the file of blocks with this number is missing".to_owned();
    assert_eq!(verified(folder.path()), ((4..16).collect(), vec![last.clone()]));
    remove("blk00002.dat");
    remove("rev00002.dat");
    let gap = "/blocks: no file of blocks has a number from 2 to 2".to_owned();
    assert_eq!(verified(folder.path()), ((4..8).collect(), vec![gap, last]));
}

#[cfg(unix)]
#[test]
fn nothing_but_regular_files_is_opened() {
    let chain = regtest::chain(8);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let path = |name: &str| folder.path().join("blocks").join(name);
    let pipe = |name: &str| assert!(std::process::Command::new("mkfifo").arg(path(name)).status().unwrap().success());
    fs::rename(path("blk00000.dat"), folder.path().join("elsewhere")).expect("it can be moved");
    std::os::unix::fs::symlink("../elsewhere", path("blk00000.dat")).expect("a link");
    assert_eq!(verified(folder.path()), (all(&chain), vec![]));
    pipe("blk00001.dat");
    let said = ["/blocks/blk00001.dat: not a regular file".to_owned()];
    assert_eq!(verified(folder.path()), (all(&chain), said.to_vec()));
    fs::remove_file(path("blk00001.dat")).expect("a pipe");
    fs::remove_file(path("rev00000.dat")).expect("a file");
    pipe("rev00000.dat");
    let (valid, said) = verified(folder.path());
    assert!(valid.is_empty());
    assert!(said.iter().all(|line| line == "/blocks/rev00000.dat: not a regular file"), "{said:?}");
    pipe("xor.dat");
    let refused = BlockFolder::open(folder.path(), None).map(|_| ()).expect_err("a pipe").to_string();
    assert!(refused.ends_with("xor.dat: not a regular file"), "{refused}");
}

#[test]
fn what_is_no_folder_of_blocks_is_refused() {
    let open = |path: &Path, network| BlockFolder::open(path, network).map(|_| ()).expect_err("no folder").to_string();
    let empty = tempfile::tempdir().expect("a folder");
    assert!(open(empty.path(), None).ends_with("there are no files blk*.dat"));
    assert!(open(&empty.path().join("nothing"), None).contains("nothing: "));
    let write = |name: &str, bytes: &[u8]| fs::write(empty.path().join(name), bytes).expect("it can be written");
    write("blk00000.dat", &[7; 1000]);
    let missing = "no file begins with a block of a known network, and xor.dat is missing: ";
    assert!(open(empty.path(), None).contains(missing));
    assert!(open(empty.path(), Some(Network::Main)).contains(missing));
    write("xor.dat", &[1; 7]);
    assert!(open(empty.path(), None).ends_with("xor.dat: not eight bytes"));
    let chain = regtest::chain(3);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let regtest = folder(&[&blocks], &[], None);
    let said = open(regtest.path(), Some(Network::Main));
    assert!(said.ends_with("there is a record of the network regtest"), "{said}");
    let said = open(folder(&[&blocks], &[], Some(KEY)).path(), Some(Network::Main));
    assert!(said.ends_with("there is a record of the network regtest"), "{said}");
    // A file that is nothing but marks.
    let marks = [&regtest::MAGIC[..], &[80, 0, 0, 0]].concat().repeat(100_000);
    write("xor.dat", &[0; 8]);
    write("blk00000.dat", &[&chain[0].record()[..], &marks].concat());
    let mut opened = BlockFolder::open(empty.path(), None).expect("one block");
    assert_eq!(opened.heights(), 0..1);
    assert!(opened.faults().len() < 100);
}

#[test]
fn blocks_of_many_files_are_read_in_any_order() {
    let chain = regtest::chain(120);
    let files: Vec<Vec<&MadeBlock>> = chain.chunks(3).map(|blocks| blocks.iter().rev().collect()).collect();
    let slices: Vec<&[&MadeBlock]> = files.iter().map(Vec::as_slice).collect();
    // Records come in the order of the chain, or, where blocks were connected again, in another.
    let folder = folder(&slices, &slices, Some(KEY));
    assert_eq!(verified(folder.path()), (all(&chain), vec![]));
    let mut opened = BlockFolder::open(folder.path(), None).expect("a folder");
    for step in 0..400_u32 {
        let height = step * 37 % 120;
        let stored = opened.read(height).expect("a height").expect("a block");
        assert_eq!((stored.height, stored.hash), (height, chain[height as usize].hash()));
        assert_eq!(stored.block, chain[height as usize].bytes);
        let block = Block::decode(&stored.block).expect("a block");
        assert_eq!(stored.spent(&block).expect("the record").len(), usize::from(height > 0));
    }
}

#[test]
fn random_damage_does_not_panic() {
    let mut draws = phalanx_tiers::Draws::of_run();
    let mut draw = |bound: usize| draws.below(bound);
    let chain = regtest::chain(12);
    let blocks: Vec<&MadeBlock> = chain.iter().collect();
    let folder = folder(&[&blocks], &[&blocks[1..]], None);
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
    let (mut whole, mut damaged) = (0, 0);
    for _ in 0..phalanx_tiers::size(200, 5_000) {
        let name = ["blk00000.dat", "rev00000.dat"][draw(2)];
        let path = folder.path().join("blocks").join(name);
        let good = fs::read(&path).expect("a file");
        let mut bytes = good.clone();
        for _ in 0..1 + draw(3) {
            let place = draw(bytes.len());
            match draw(4) {
                0 => bytes.truncate(place.max(1)),
                1 => bytes.splice(place..place, [0xfa, 0xbf, 0xb5, 0xda, draw(256) as u8, 0, 0, 0]).for_each(drop),
                _ => bytes[place] = draw(256) as u8,
            }
        }
        fs::write(&path, bytes).expect("it can be written");
        if let Ok(mut opened) = BlockFolder::open(folder.path(), Some(Network::Regtest)) {
            for height in opened.heights() {
                let Some(Ok(stored)) = opened.read(height) else {
                    damaged += 1;
                    continue;
                };
                let Ok(block) = Block::decode(&stored.block) else {
                    damaged += 1;
                    continue;
                };
                let spent = stored.spent(&block).unwrap_or_default();
                let flags = Network::Regtest.flags(height, &stored.hash);
                let report = verifier.verify_block(&block, &spent, flags, |_| {});
                let valid = report.is_ok_and(|report| report.invalid.is_empty());
                *(if valid { &mut whole } else { &mut damaged }) += 1;
            }
        }
        fs::write(&path, good).expect("it can be written");
    }
    assert!(whole > 100 && damaged > 10, "{whole} blocks whole, {damaged} damaged");
}
