//! The data folder of Bitcoin Core: blocks in the order of the chain, each with what it spends. Nothing is written
//! there.
//!
//! - `files`: their names, the key, the network;
//! - `records`: what is in them;
//! - `chain`: the chain with the most work;
//! - `undo_index`: which record undoes which block;
//! - `fault`: what is wrong.

mod chain;
mod fault;
mod files;
mod records;
mod undo_index;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::block::{Block, HEADER_BYTES, Header};
use crate::bytes::{DecodeError, Reader};
use crate::network::Network;
use crate::transaction::{MAX_WEIGHT, Output};
use crate::{undo, work};
use chain::{Chain, Link, Links, Place};
pub use fault::FolderFault;
use files::undo_path;
use records::{Damage, HEAD_BYTES, Head, Key, RecordFile};
use undo_index::{Candidate, UndoPlaces};

/// A number after a header.
const COUNT_BYTES: usize = 9;
/// How many files' records that undo are known at a time. Blocks of neighbouring heights are in few files.
const INDEXED_FILES: usize = 16;
/// How many files are open at a time.
const OPEN_FILES: usize = 8;
/// How many blocks at the start of a chain are asked for a height.
const ASKED_FOR_HEIGHT: usize = 16;

/// A folder of blocks.
pub struct BlockFolder {
    network: Network,
    key: Key,
    blocks: BTreeMap<u32, PathBuf>,
    first_height: u32,
    chain: Chain,
    /// The places in the chain of the blocks of each file.
    by_file: BTreeMap<u32, Vec<u32>>,
    stale: Vec<[u8; 32]>,
    faults: Vec<FolderFault>,
    /// By the number of the file, and when it was used last.
    undo: BTreeMap<u32, (u64, UndoPlaces)>,
    uses: u64,
    /// The files that were read last.
    open: Vec<RecordFile>,
}

/// A block as it is stored, with what it spends.
#[derive(Clone, Debug)]
pub struct StoredBlock {
    /// The height.
    pub height: u32,
    /// The hash, in the order in which it is hashed.
    pub hash: [u8; 32],
    /// The bytes of the block.
    pub block: Vec<u8>,
    /// The record of what it spends; none where it spends nothing.
    undo: Option<Vec<u8>>,
}

impl StoredBlock {
    /// The outputs that the block's inputs spend, in the order of the inputs.
    ///
    /// # Errors
    /// The record is none of this block.
    pub fn spent(&self, block: &Block<'_>) -> Result<Vec<Output<'_>>, DecodeError> {
        match &self.undo {
            Some(undo) => undo::decode(undo, block),
            None => Ok(Vec::new()),
        }
    }

    /// The bytes that were read for it.
    pub fn size(&self) -> usize {
        self.block.len() + self.undo.as_ref().map_or(0, Vec::len)
    }
}

impl BlockFolder {
    /// Opens a node's data folder, that of one of its networks, or the folder `blocks` in it. Without a network it is
    /// that of the first block that is found. Reads the headers of all blocks.
    ///
    /// # Errors
    /// There is no block whose height can be known. What else is wrong is in [`faults`](Self::faults).
    pub fn open(path: &Path, network: Option<Network>) -> Result<BlockFolder, FolderFault> {
        let folder = if path.join("blocks").is_dir() { path.join("blocks") } else { path.to_owned() };
        let key = files::key(&folder.join("xor.dat"))?;
        let (blocks, faults) = files::files(&folder)?;
        if blocks.is_empty() {
            return Err(FolderFault::NoBlocks(folder));
        }
        let network = match network {
            Some(network) => network,
            None => files::find_network(&blocks, key)?.ok_or_else(|| FolderFault::UnknownNetwork(folder.clone()))?,
        };
        let mut found = BlockFolder {
            network,
            key,
            blocks,
            first_height: 0,
            chain: Chain::default(),
            by_file: BTreeMap::new(),
            stale: Vec::new(),
            faults,
            undo: BTreeMap::new(),
            uses: 0,
            open: Vec::new(),
        };
        let mut links = Links::default();
        for (number, path) in found.blocks.clone() {
            let file = RecordFile::open(&path, key);
            let scanned = file.and_then(|file| scan(number, file, network, &mut found.faults, &mut links));
            if let Err(error) = scanned {
                found.faults.push(FolderFault::Io(path, error));
            }
        }
        (found.chain, found.stale) = links.best_chain();
        found.by_file = found.chain.by_file();
        found.first_height = found.find_height()?;
        Ok(found)
    }

    /// The network.
    pub fn network(&self) -> Network {
        self.network
    }

    /// The heights of the chain with the most work.
    pub fn heights(&self) -> Range<u32> {
        self.first_height..self.first_height.saturating_add(self.chain.len() as u32)
    }

    /// The hashes of the blocks that are not in that chain, in the order in which they were found.
    pub fn stale(&self) -> &[[u8; 32]] {
        &self.stale
    }

    /// What was found to be wrong since this was asked last, beside what [`read`](Self::read) returns.
    pub fn faults(&mut self) -> Vec<FolderFault> {
        std::mem::take(&mut self.faults)
    }

    /// The bytes of the blocks of these heights.
    pub fn size(&self, heights: Range<u32>) -> u64 {
        heights.filter_map(|height| self.link(height)).map(|link| u64::from(link.place.length)).sum()
    }

    /// How many bytes [`read`](Self::read) reads for the block of a height: those of the block, and of the record of what
    /// it spends. Of a record that cannot be found, none.
    pub fn stored_size(&mut self, height: u32) -> usize {
        let Some(Link { place, .. }) = self.link(height) else { return 0 };
        let undo = self.undo_place(place.file).ok().and_then(|places| places.get(&height));
        place.length as usize + undo.map_or(0, |(_, length)| *length as usize)
    }

    fn link(&self, height: u32) -> Option<Link> {
        self.chain.get(height.checked_sub(self.first_height)? as usize)
    }

    /// The block of a height, with what it spends; none if there is no such height.
    pub fn read(&mut self, height: u32) -> Option<Result<StoredBlock, FolderFault>> {
        let link = self.link(height)?;
        Some(self.read_link(height, &link))
    }

    fn read_link(&mut self, height: u32, link: &Link) -> Result<StoredBlock, FolderFault> {
        let Place { file, at, length, transactions } = link.place;
        let path = self.blocks[&file].clone();
        let block = self.bytes(path, at, length).map_err(|(path, error)| FolderFault::Io(path, error))?;
        let undo = match self.undo_place(file)?.get(&height) {
            Some(&(at, length)) => {
                let path = undo_path(&self.blocks[&file]);
                Some(self.bytes(path, at, length).map_err(|(path, error)| FolderFault::Io(path, error))?)
            }
            // It spends nothing. The first of all has no record, and others need none.
            None if transactions == 1 => None,
            None => return Err(FolderFault::NoUndo(height, link.hash)),
        };
        Ok(StoredBlock { height, hash: link.hash, block, undo })
    }

    /// Reads from a file, which stays open until some others were read from.
    fn bytes(&mut self, path: PathBuf, at: u64, length: u32) -> Result<Vec<u8>, (PathBuf, io::Error)> {
        let kept = self.open.iter().position(|file| file.path == path);
        let file = match kept {
            Some(place) => Ok(self.open.remove(place)),
            None => RecordFile::open(&path, self.key),
        };
        let read = file.and_then(|mut file| {
            let bytes = file.bytes(at, length as usize);
            self.open.truncate(OPEN_FILES - 1);
            self.open.insert(0, file);
            bytes
        });
        read.map_err(|error| (path, error))
    }

    /// The records that undo the blocks of a file.
    fn undo_place(&mut self, file: u32) -> Result<&UndoPlaces, FolderFault> {
        self.uses += 1;
        if !self.undo.contains_key(&file) {
            let path = undo_path(&self.blocks[&file]);
            let heights = self.by_file.get(&file).into_iter().flatten().map(|place| self.first_height + place);
            let blocks: Vec<Candidate> = heights
                .filter_map(|height| {
                    let Link { previous, place, .. } = self.link(height)?;
                    Some(Candidate { height, previous, transactions: place.transactions })
                })
                .collect();
            let places = match RecordFile::open(&path, self.key) {
                Ok(mut file) => {
                    let indexed = undo_index::index(&mut file, self.network, &blocks, &mut self.faults);
                    indexed.map_err(|error| FolderFault::Io(path.clone(), error))?
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => UndoPlaces::new(),
                Err(error) => return Err(FolderFault::Io(path, error)),
            };
            if self.undo.len() >= INDEXED_FILES
                && let Some(oldest) = self.undo.iter().min_by_key(|(_, (used, _))| *used).map(|(file, _)| *file)
            {
                self.undo.remove(&oldest);
            }
            self.undo.insert(file, (self.uses, places));
        }
        let (used, places) = self.undo.entry(file).or_default();
        *used = self.uses;
        Ok(places)
    }

    /// The height of the first block of the chain: it names it, or one of the next blocks does if the first is damaged.
    fn find_height(&mut self) -> Result<u32, FolderFault> {
        let Some(first) = self.chain.get(0) else {
            let folder = self.blocks.values().next().and_then(|path| path.parent()).unwrap_or(Path::new(""));
            return Err(self.faults.pop().unwrap_or_else(|| FolderFault::NoBlocks(folder.to_owned())));
        };
        if first.previous == [0; 32] {
            return Ok(0);
        }
        for place in 0..ASKED_FOR_HEIGHT.min(self.chain.len()) {
            let Some(link) = self.chain.get(place) else { break };
            let path = self.blocks[&link.place.file].clone();
            let bytes = self.bytes(path, link.place.at, link.place.length);
            let bytes = bytes.map_err(|(path, error)| FolderFault::Io(path, error))?;
            let block = Block::decode(&bytes).ok();
            let named = block.and_then(|block| self.network.named_height(&block));
            if let Some(height) = named.and_then(|height| height.checked_sub(place as u32)) {
                return Ok(height);
            }
        }
        Err(FolderFault::NoHeight(first.hash))
    }
}

/// Adds the headers of a file's blocks.
fn scan(
    number: u32,
    mut file: RecordFile,
    network: Network,
    faults: &mut Vec<FolderFault>,
    links: &mut Links,
) -> io::Result<()> {
    let (mut at, mut damage) = (0, Damage::new(faults));
    loop {
        let fault = match file.head(at, network, 0)? {
            Head::End => return Ok(()),
            Head::Record(length) => {
                let place = Place { file: number, at: at + HEAD_BYTES, length, transactions: 0 };
                if add(&mut file, network.easiest(), place, links)? {
                    at = place.at + u64::from(length);
                    continue;
                }
                FolderFault::NoWork(file.path.clone(), at)
            }
            head => file.fault(at, head),
        };
        match damage.pass(&mut file, at, fault, network)? {
            Some(next) => at = next,
            None => return Ok(()),
        }
    }
}

/// Adds the header of a record, if it is that of a block with proof of its work.
fn add(file: &mut RecordFile, limit: u32, mut place: Place, links: &mut Links) -> io::Result<bool> {
    let length = place.length as usize;
    if !(HEADER_BYTES + 1..=MAX_WEIGHT).contains(&length) {
        return Ok(false);
    }
    let bytes = file.bytes(place.at, length.min(HEADER_BYTES + COUNT_BYTES))?;
    let mut reader = Reader::new(&bytes);
    let (Ok(header), Ok(transactions)) = (Header::read(&mut reader), reader.compact_size()) else { return Ok(false) };
    place.transactions = transactions as u32;
    let Some(work) = work::proved(&header, limit) else { return Ok(false) };
    links.add(&header, work, place);
    Ok(true)
}
