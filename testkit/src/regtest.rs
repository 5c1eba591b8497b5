//! A chain of one's own, and a node's folder that holds it: blocks with proof of work, each of which spends the first
//! output of the block before, and the records that undo them.

use std::path::Path;

use phalanx::hash::sha256;
use phalanx::{SecretKey, ecdsa};
use ripemd::{Digest, Ripemd160};

/// The mark of regtest in front of each record.
pub const MAGIC: [u8; 4] = [0xfa, 0xbf, 0xb5, 0xda];
/// The easiest target.
const BITS: u32 = 0x207f_ffff;
const REWARD: u64 = 5_000_000_000;

/// A block with the record that undoes it.
#[derive(Clone, Debug)]
pub struct MadeBlock {
    /// The height.
    pub height: u32,
    /// The block.
    pub bytes: Vec<u8>,
    /// The record without the hash behind it.
    pub undo: Vec<u8>,
    /// The hash of the block before.
    pub previous: [u8; 32],
    /// The id of the first transaction.
    reward: [u8; 32],
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

fn secret(height: u32) -> SecretKey {
    SecretKey::from_bytes(&[1 + (height % 200) as u8; 32]).expect("a key")
}

fn push(data: &[u8]) -> Vec<u8> {
    assert!(data.len() < 76);
    [&[data.len() as u8], data].concat()
}

/// The key that the reward of a height is paid to: long for every third.
fn key(height: u32) -> Vec<u8> {
    let key = secret(height).public_key();
    if height.is_multiple_of(3) { key.to_bytes_uncompressed().to_vec() } else { key.to_bytes().to_vec() }
}

/// The script that the reward of a height is paid to, and how an undo record has it.
fn output(height: u32) -> (Vec<u8>, Vec<u8>) {
    let key = key(height);
    match height % 3 {
        0 => ([push(&key), vec![0xac]].concat(), [&[4 + (key[64] & 1)][..], &key[1..33]].concat()),
        1 => ([push(&key), vec![0xac]].concat(), key),
        _ => {
            let hash: [u8; 20] = ripemd160(&sha256(&key));
            ([&[0x76, 0xa9, 20][..], &hash, &[0x88, 0xac]].concat(), [&[0][..], &hash].concat())
        }
    }
}

fn ripemd160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(bytes).into()
}

/// The reward's transaction, which names the height. `salt` makes chains that differ.
fn reward(height: u32, salt: u8) -> Vec<u8> {
    let number = height.to_le_bytes();
    let script = [push(&number[..if height < 128 { 1 } else { 2 }]), push(&[salt])].concat();
    let (output, _) = output(height);
    [
        &[1, 0, 0, 0, 1][..],
        &[0; 32],
        &[0xff; 4],
        &push(&script),
        &[0xff; 4],
        &[1],
        &REWARD.to_le_bytes(),
        &push(&output),
        &[0; 4],
    ]
    .concat()
}

/// A transaction that spends the reward of the block before.
fn payment(before: &MadeBlock) -> Vec<u8> {
    let with = |script: &[u8]| {
        assert!(script.len() < 0xfd);
        let script = [&[script.len() as u8], script].concat();
        [
            &[1, 0, 0, 0, 1][..],
            &before.reward,
            &[0; 4],
            &script,
            &[0xff; 4],
            &[1],
            &1000_u64.to_le_bytes(),
            &[1, 0x51],
            &[0; 4],
        ]
        .concat()
    };
    let (output, _) = output(before.height);
    let digest = hash(&[with(&output), vec![1, 0, 0, 0]].concat());
    let signature = [&ecdsa::sign(&digest, &secret(before.height)).to_der()[..], &[1]].concat();
    let key = if before.height % 3 == 2 { push(&key(before.height)) } else { Vec::new() };
    with(&[push(&signature), key].concat())
}

/// The block behind another, or the first one.
pub fn next(before: Option<&MadeBlock>, salt: u8) -> MadeBlock {
    let (height, previous) = before.map_or((0, [0; 32]), |before| (before.height + 1, before.hash()));
    let transactions: Vec<Vec<u8>> = [reward(height, salt)].into_iter().chain(before.map(payment)).collect();
    let ids: Vec<[u8; 32]> = transactions.iter().map(|bytes| hash(bytes)).collect();
    let root = if ids.len() == 1 { ids[0] } else { hash(ids.as_flattened()) };
    let head =
        [&[4, 0, 0, 0][..], &previous, &root, &(1_500_000_000 + height).to_le_bytes(), &BITS.to_le_bytes()].concat();
    let mut headers = (0_u32..).map(|nonce| [&head[..], &nonce.to_le_bytes()].concat());
    let header = headers.find(|header| hash(header)[31] < 0x7f).expect("one in two");
    let bytes = [header, vec![transactions.len() as u8], transactions.concat()].concat();
    let undo = before.map_or(vec![0], |before| {
        // One transaction of one input: the height and the mark of a reward as one number, a version, 50 coins, the
        // script.
        let code = 2 * before.height + 1;
        assert!(code < 16_512);
        let code = if code < 128 { vec![code as u8] } else { vec![0x80 | ((code >> 7) - 1) as u8, code as u8 & 0x7f] };
        let version: &[u8] = if before.height > 0 { &[0] } else { &[] };
        [&[1, 1][..], &code, version, &[0x32], &output(before.height).1].concat()
    });
    MadeBlock { height, bytes, undo, previous, reward: ids[0] }
}

/// A chain from the first block on.
pub fn chain(length: usize) -> Vec<MadeBlock> {
    let mut chain: Vec<MadeBlock> = Vec::new();
    while chain.len() < length {
        chain.push(next(chain.last(), 0));
    }
    chain
}

impl MadeBlock {
    /// The hash, in the order in which it is hashed.
    pub fn hash(&self) -> [u8; 32] {
        hash(&self.bytes[..80])
    }

    /// The block in a file of blocks.
    pub fn record(&self) -> Vec<u8> {
        [&MAGIC[..], &(self.bytes.len() as u32).to_le_bytes(), &self.bytes].concat()
    }

    /// What undoes it in its file.
    pub fn undo_record(&self) -> Vec<u8> {
        let checksum = hash(&[&self.previous[..], &self.undo].concat());
        [&MAGIC[..], &(self.undo.len() as u32).to_le_bytes(), &self.undo, &checksum].concat()
    }
}

/// Writes a file of a folder, combined with a key.
pub fn write(path: &Path, records: &[Vec<u8>], key: [u8; 8]) {
    let combined = records.iter().flatten().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key);
    std::fs::write(path, combined.collect::<Vec<_>>()).expect("it can be written");
}
