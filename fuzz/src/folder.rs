//! A node's folder. It reads the same with a key and without, and at every opening.
//!
//! An input is records: a byte that says what follows, its length in two bytes, and bytes. Blocks get the hash of the
//! block before, their Merkle root and proof of work, and records that undo the last block its hash, so that changes
//! reach what is read behind these checks.

use std::fs;
use std::path::Path;

use phalanx::hash::sha256;
use phalanx_bitcoin::{Block, BlockFolder, Network, Verifier};
use tempfile::TempDir;

use crate::bulks;

/// Longer ones teach nothing that short ones do not.
const LONGEST: usize = 1 << 14;
/// More files than these are not made.
const MOST_FILES: usize = 4;
/// The target of every block: the easiest of regtest.
const BITS: [u8; 4] = [0xff, 0xff, 0x7f, 0x20];
const KEY: [u8; 8] = [0x5a, 1, 0xff, 0x80, 9, 0, 0x33, 0xee];

fn hash(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

/// The files of a folder: of blocks, and of what undoes them.
#[derive(Default)]
struct Files {
    blocks: Vec<Vec<u8>>,
    undo: Vec<Vec<u8>>,
}

fn put_record(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(Network::Regtest.magic());
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}

/// A block with the hash of its predecessor, the root of its transactions if it has any that can be read, and proof of
/// work.
fn mended(bytes: &[u8], previous: [u8; 32]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().max(81), 0);
    bytes[4..36].copy_from_slice(&previous);
    if let Some(root) = Block::decode(&bytes).ok().and_then(|block| block.merkle_root()) {
        bytes[36..68].copy_from_slice(&root);
    }
    bytes[72..76].copy_from_slice(&BITS);
    let proves = |nonce: &u32| {
        let head = [&bytes[..76], &nonce.to_le_bytes()].concat();
        hash(&head)[31] < 0x7f
    };
    let nonce = (0..).find(proves).expect("one in two");
    bytes[76..80].copy_from_slice(&nonce.to_le_bytes());
    bytes
}

impl Files {
    fn read(mut bytes: &[u8]) -> Self {
        let mut files = Self { blocks: vec![Vec::new()], undo: vec![Vec::new()] };
        // The last block, and those before it that others may stand behind.
        let mut chain: Vec<[u8; 32]> = vec![[0; 32]];
        let mut before = [0; 32];
        while let Some(([what, low, high], rest)) = bytes.split_first_chunk() {
            let length = rest.len().min(usize::from(u16::from_le_bytes([*low, *high])));
            let (part, rest) = rest.split_at(length);
            bytes = rest;
            let full = files.blocks.len() == MOST_FILES;
            let (blocks, undo) = (files.blocks.last_mut().expect("one"), files.undo.last_mut().expect("one"));
            match what & 7 {
                0 | 1 => {
                    // Behind the last block, or behind an earlier one.
                    let place = usize::from(what >> 3) % chain.len();
                    before = chain[chain.len() - 1 - place];
                    let block = mended(part, before);
                    chain.push(hash(&block[..80]));
                    put_record(&block, blocks);
                }
                2 | 3 => {
                    put_record(part, undo);
                    undo.extend(hash(&[&before[..], part].concat()));
                }
                4 => blocks.extend(part),
                5 => undo.extend(part),
                6 if !full => {
                    files.blocks.push(Vec::new());
                    files.undo.push(Vec::new());
                }
                _ => blocks.resize(blocks.len() + usize::from(what >> 3), 0),
            }
        }
        files
    }

    fn write(&self, key: [u8; 8]) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("xor.dat"), key).expect("it can be written");
        for (kind, files) in [("blk", &self.blocks), ("rev", &self.undo)] {
            for (number, bytes) in files.iter().enumerate() {
                let hidden: Vec<u8> = bytes.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect();
                fs::write(folder.path().join(format!("{kind}{number:05}.dat")), hidden).expect("it can be written");
            }
        }
        folder
    }

    fn size(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }
}

/// What is said of a folder: each height with its block and verdict, and what is wrong.
fn said(path: &Path, most: usize) -> Vec<String> {
    let hide = |text: String| text.replace(&path.display().to_string(), "");
    let mut folder = match BlockFolder::open(path, Some(Network::Regtest)) {
        Ok(folder) => folder,
        Err(fault) => return vec![hide(fault.to_string())],
    };
    let mut said = vec![format!("{:?}, {} stale", folder.heights(), folder.stale().len())];
    // A block takes 8 + 80 + 1 bytes at least.
    assert!(folder.heights().len() + folder.stale().len() <= most / 89);
    let verifier = Verifier::new(&bulks()[0]);
    for height in folder.heights() {
        let stored = match folder.read(height).expect("a height of the chain") {
            Ok(stored) => stored,
            Err(fault) => {
                said.push(hide(fault.to_string()));
                continue;
            }
        };
        let Ok(block) = Block::decode(&stored.block) else {
            said.push(format!("{height}: no block"));
            continue;
        };
        assert_eq!(block.header.hash(), stored.hash);
        let Ok(spent) = stored.spent(&block) else {
            said.push(format!("{height}: another record"));
            continue;
        };
        assert_eq!(spent.len(), block.spending_inputs());
        let flags = folder.network().flags(height, &stored.hash);
        said.push(format!("{height}: {:?}", verifier.verify_block(&block, &spent, flags, |_| {})));
    }
    assert!(folder.read(folder.heights().end).is_none());
    said.extend(folder.faults().into_iter().map(|fault| hide(fault.to_string())));
    said
}

pub(crate) fn check(bytes: &[u8]) {
    if bytes.len() > LONGEST {
        return;
    }
    let files = Files::read(bytes);
    let (plain, hidden) = (files.write([0; 8]), files.write(KEY));
    let first = said(plain.path(), files.size());
    assert_eq!(said(plain.path(), files.size()), first);
    // Zeros at the end are room that was taken in advance, with and without a key.
    let ends = files.blocks.iter().chain(&files.undo).filter(|bytes| !bytes.is_empty());
    let blank = ends
        .map(|bytes| (bytes[bytes.len() - 1], KEY[(bytes.len() - 1) % 8]))
        .any(|(last, key)| last == 0 || last == key);
    let other = said(hidden.path(), files.size());
    if !blank {
        assert_eq!(other, first);
    }
}
