//! What is wrong in a folder, a line each.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::bytes::DecodeError;
use crate::network::Network;
use crate::text::reversed_hex;

/// Why something of a folder is not verified.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderFault {
    /// There is no file of blocks of these numbers, from the first to the last, and there are some of higher ones.
    MissingFiles(PathBuf, u32, u32),
    /// The file of blocks that this file undoes is missing.
    NoBlocksOf(PathBuf),
    /// A file has a number in its name that a node writes in another way; it is not read.
    OtherName(PathBuf),
    /// A file or a folder cannot be read.
    Io(PathBuf, io::Error),
    /// There are no files of blocks.
    NoBlocks(PathBuf),
    /// `xor.dat` is not eight bytes.
    BadKey(PathBuf),
    /// There is no `xor.dat` in this folder, and no file begins with a record of a known network.
    MissingKey(PathBuf),
    /// With the `xor.dat` of this folder no block can be read.
    WrongKey(PathBuf),
    /// There are no blocks of a network here; they are in this other folder.
    OtherNetwork(PathBuf, Network),
    /// A file has bytes at a place that are no record of the network; they are of another one, if it is known.
    Foreign(PathBuf, u64, Option<Network>),
    /// A file ends within the record at this place.
    Cut(PathBuf, u64),
    /// The record at this place is no block with proof of its work.
    NoWork(PathBuf, u64),
    /// The record at this place undoes no block, and behind it there is no other, or a block lacks its record.
    NoUndoRecord(PathBuf, u64),
    /// A file has too many such places; it is not read from here on.
    GivenUp(PathBuf, u64),
    /// The first block of the chain has no known height: it is not the genesis block, and neither it nor the next blocks
    /// name their heights.
    NoHeight([u8; 32]),
    /// The parent of a block is not there, though the first blocks are: it is damaged or missing, or this block is. The
    /// blocks from this one on are apart from the others.
    NoParent([u8; 32]),
    /// There is no undo data for a block, and not all outputs that it spends are in the blocks that are there.
    NoUndo(u32, [u8; 32]),
    /// A block, or the record of what it spends, cannot be read.
    Bad(u32, [u8; 32], DecodeError),
}

impl fmt::Display for FolderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderFault::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FolderFault::MissingFiles(path, first, last) => {
                write!(f, "{}: no file of blocks has a number from {first} to {last}", path.display())
            }
            FolderFault::NoParent(hash) => write!(
                f,
                "block {}: its parent is not in the folder; one of both is damaged, or the parent is missing",
                reversed_hex(hash)
            ),
            FolderFault::NoBlocksOf(path) => {
                write!(f, "{}: the file of blocks with this number is missing", path.display())
            }
            FolderFault::OtherName(path) => {
                write!(f, "{}: no node names a file of blocks so; it is not read", path.display())
            }
            FolderFault::NoBlocks(path) => write!(f, "{}: there are no files blk*.dat", path.display()),
            FolderFault::BadKey(path) => write!(f, "{}: not eight bytes", path.display()),
            FolderFault::MissingKey(path) => write!(
                f,
                "{}: no file begins with a block of a known network, and xor.dat is missing: Bitcoin Core 28 and later \
                 combine their files with the key in it; copy it from the node's folder blocks",
                path.display()
            ),
            FolderFault::WrongKey(path) => write!(
                f,
                "{}: no block can be read: xor.dat is damaged or that of another folder; copy it from the folder blocks \
                 that the files are of",
                path.display()
            ),
            FolderFault::OtherNetwork(path, network) => {
                write!(f, "the blocks of the network {network} are in {}: give that folder", path.display())
            }
            FolderFault::Foreign(path, at, Some(network)) => {
                write!(f, "{}: at byte {at} there is a record of the network {network}", path.display())
            }
            FolderFault::Foreign(path, at, None) => write!(f, "{}: at byte {at} there is no record", path.display()),
            FolderFault::Cut(path, at) => write!(f, "{}: the file ends within the record at byte {at}", path.display()),
            FolderFault::NoWork(path, at) => {
                write!(f, "{}: at byte {at} there is no block with proof of its work", path.display())
            }
            FolderFault::NoUndoRecord(path, at) => {
                write!(f, "{}: the record at byte {at} is damaged", path.display())
            }
            FolderFault::GivenUp(path, at) => {
                write!(f, "{}: too much is damaged; it is not read from byte {at} on", path.display())
            }
            FolderFault::NoHeight(hash) => {
                write!(f, "the chain begins with block {}, whose height is not known", reversed_hex(hash))
            }
            FolderFault::NoUndo(height, hash) => {
                let hash = reversed_hex(hash);
                write!(
                    f,
                    "block {height} ({hash}): there is no undo data for it, and not all outputs that it spends are here"
                )
            }
            FolderFault::Bad(height, hash, error) => {
                write!(f, "block {height} ({}) cannot be read: {error}", reversed_hex(hash))
            }
        }
    }
}

impl std::error::Error for FolderFault {}
