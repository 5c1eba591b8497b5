//! A data folder as large as is asked for: the transactions of one real block, again and again, in blocks of regtest.

use crate::{
    Failure,
    encoding::{double_sha256, put_size},
    miner::with_work,
    real_blocks::RealBlock,
};
use phalanx_bitcoin::{Block, Network, Output, decode_outputs};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Bitcoin Core begins another file when one has grown to this size.
const FILE_BYTES: usize = 128 << 20;

/// A folder that goes away.
pub(crate) struct LargeFolder {
    pub(crate) path: PathBuf,
    /// The bytes of its blocks.
    pub(crate) bytes: usize,
}

/// A number as undo records have it: digits of base 128, the high ones first, each but the last one less.
fn put_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = vec![(number & 0x7f) as u8];
    while number > 0x7f {
        number = (number >> 7) - 1;
        digits.push(0x80 | (number & 0x7f) as u8);
    }
    out.extend(digits.iter().rev());
}

/// An amount as they have it: its last zeros are counted.
fn short_amount(value: u64) -> u64 {
    if value == 0 {
        return 0;
    }
    let (mut rest, mut zeros) = (value, 0);
    while zeros < 9 && rest.is_multiple_of(10) {
        (rest, zeros) = (rest / 10, zeros + 1);
    }
    if zeros == 9 { 1 + 10 * (rest - 1) + 9 } else { 1 + 10 * (9 * (rest / 10) + rest % 10 - 1) + zeros }
}

/// The record that undoes a block.
fn undo(block: &Block<'_>, spent: &[Output<'_>]) -> Vec<u8> {
    let (mut rest, mut record) = (spent.iter(), Vec::new());
    put_size(block.transactions.len() - 1, &mut record);
    for transaction in &block.transactions[1..] {
        put_size(transaction.inputs.len(), &mut record);
        for output in rest.by_ref().take(transaction.inputs.len()) {
            // Of height zero, and no reward. Scripts stand as they are.
            record.push(0);
            put_number(short_amount(output.value), &mut record);
            put_number(output.script.len() as u64 + 6, &mut record);
            record.extend_from_slice(&output.script);
        }
    }
    record
}

fn put_record(bytes: &[u8], behind: &[u8], file: &mut File) -> io::Result<()> {
    file.write_all(&Network::Regtest.magic())?;
    file.write_all(&(bytes.len() as u32).to_le_bytes())?;
    file.write_all(bytes)?;
    file.write_all(behind)
}

impl LargeFolder {
    /// A new folder of so many blocks.
    pub(crate) fn create(path: &Path, count: usize) -> Result<Self, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::NotThere(format!("{}: {error}", path.display()));
        let [_, real] = RealBlock::all()?;
        let block = Block::decode(&real.bytes).map_err(|error| failed(&error))?;
        let spent = decode_outputs(&real.spent).map_err(|error| failed(&error))?;
        let record = undo(&block, &spent);
        fs::create_dir(path).map_err(|error| failed(&error))?;
        let mut folder = Self { path: path.to_owned(), bytes: 0 };
        folder.write(&real.bytes, &record, count).map_err(|error| failed(&error))?;
        Ok(folder)
    }

    fn write(&mut self, bytes: &[u8], record: &[u8], count: usize) -> io::Result<()> {
        let mut previous = [0; 32];
        let per_file = (FILE_BYTES / bytes.len()).max(1);
        for (number, first) in (0..count).step_by(per_file).enumerate() {
            let create = |kind: &str| File::create_new(self.path.join(format!("{kind}{number:05}.dat")));
            let (mut blocks, mut records) = (create("blk")?, create("rev")?);
            for _ in first..count.min(first + per_file) {
                let block = with_work(bytes, previous);
                let checksum = double_sha256(&[&previous[..], record].concat());
                previous = double_sha256(&block[..80]);
                put_record(&block, &[], &mut blocks)?;
                put_record(record, &checksum, &mut records)?;
                self.bytes += block.len();
            }
        }
        Ok(())
    }
}

impl Drop for LargeFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            eprintln!("{} stays: {error}", self.path.display());
        }
    }
}
