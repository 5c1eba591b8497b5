//! The data folder of Bitcoin Core: blocks in the order of the chain, each with what it spends. Nothing is written
//! there.
//!
//! - `files`: their names, the key, the network;
//! - `records`: what is in them;
//! - `chain`: the chain with the most work;
//! - `undo_index`: which record undoes which block;
//! - `created`: what is spent where there is no record;
//! - `fault`: what is wrong.

mod chain;
mod created;
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
use crate::transaction::{MAX_WEIGHT, Output, decode_outputs};
use crate::{undo, work};
use chain::{Chain, Link, Links, Place};
use created::{Collected, TransactionIndex};
pub use fault::FolderFault;
use files::undo_path;
use records::{Damage, HEAD_BYTES, Head, Key, RecordFile};
use undo_index::{Candidate, Candidates, UndoPlaces};

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
    /// The numbers of the headers of each file: those of the chain in its order, and the others.
    by_file: BTreeMap<u32, (Vec<u32>, Vec<u32>)>,
    stale: Vec<[u8; 32]>,
    faults: Vec<FolderFault>,
    /// By the number of the file, and when it was used last.
    undo: BTreeMap<u32, (u64, UndoPlaces)>,
    uses: u64,
    /// For blocks without undo data.
    created: TransactionIndex,
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
    spent: StoredSpent,
}

/// What a block spends.
#[derive(Clone, Debug)]
enum StoredSpent {
    /// The record that undoes it.
    Record(Vec<u8>),
    /// Outputs of earlier blocks, one after another.
    Outputs(Vec<u8>),
}

impl StoredBlock {
    /// The outputs that the block's inputs spend, in the order of the inputs.
    ///
    /// # Errors
    /// The record is none of this block.
    pub fn spent(&self, block: &Block<'_>) -> Result<Vec<Output<'_>>, DecodeError> {
        match &self.spent {
            StoredSpent::Record(record) => undo::decode(record, block),
            StoredSpent::Outputs(outputs) => decode_outputs(outputs),
        }
    }

    /// The bytes that were read for it.
    pub fn size(&self) -> usize {
        let (StoredSpent::Record(spent) | StoredSpent::Outputs(spent)) = &self.spent;
        self.block.len() + spent.len()
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
        let key = files::key(&folder)?;
        let (blocks, faults) = files::files(&folder)?;
        if blocks.is_empty() {
            return Err(files::elsewhere(path, network).unwrap_or(FolderFault::NoBlocks(folder)));
        }
        let network = match (network, files::find_network(&blocks, key)) {
            (Some(asked), Ok(Some((other, file)))) if asked != other => {
                let foreign = FolderFault::Foreign(file, 0, Some(other));
                return Err(files::elsewhere(path, network).unwrap_or(foreign));
            }
            (Some(asked), _) => asked,
            (None, Ok(Some((found, _)))) => found,
            // Its first record may be damaged.
            (None, Ok(None)) => second_block(&blocks, key).ok_or_else(|| files::key_fault(&folder))?,
            (None, Err(fault)) => return Err(fault),
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
            created: TransactionIndex::default(),
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
        found.chain = links.best_chain();
        (found.stale, found.by_file) = (found.chain.stale(), found.chain.by_file());
        if found.chain.len() == 0 {
            return Err(found.no_chain(path, &folder));
        }
        found.first_height = found.find_height()?;
        // Other faults tell why a block is not there.
        if found.faults.is_empty() {
            found.faults.extend(found.parted().map(FolderFault::NoParent));
        }
        Ok(found)
    }

    /// The first block whose parent is not there, in a folder that has the first blocks of the network. Where a node
    /// has removed these, it may have removed the parents of others too.
    fn parted(&self) -> Option<[u8; 32]> {
        let is_first = |link: &Link| self.network.is_genesis(&link.hash) || self.network.is_genesis(&link.previous);
        self.chain.roots().find(is_first)?;
        self.chain.roots().find(|link| !is_first(link)).map(|link| link.hash)
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
        let Some(number) = self.number(height) else { return 0 };
        let Place { file, length, .. } = self.chain.link(number).place;
        let undo = self.undo_places(file).ok().and_then(|places| places.get(number));
        length as usize + undo.map_or(0, |(_, length)| length as usize)
    }

    fn place(&self, height: u32) -> Option<usize> {
        height.checked_sub(self.first_height).map(|place| place as usize)
    }

    fn number(&self, height: u32) -> Option<u32> {
        self.chain.number(self.place(height)?)
    }

    fn link(&self, height: u32) -> Option<Link> {
        self.chain.get(self.place(height)?)
    }

    /// The block of a height, with what it spends; none if there is no such height.
    pub fn read(&mut self, height: u32) -> Option<Result<StoredBlock, FolderFault>> {
        let number = self.number(height)?;
        Some(self.read_number(height, number))
    }

    fn read_number(&mut self, height: u32, number: u32) -> Result<StoredBlock, FolderFault> {
        let Link { hash, place: Place { file, at, length, transactions }, .. } = self.chain.link(number);
        let block = self.bytes(self.blocks[&file].clone(), at, length)?;
        let spent = match self.undo_places(file)?.get(number) {
            Some((at, length)) => StoredSpent::Record(self.bytes(undo_path(&self.blocks[&file]), at, length)?),
            // It spends nothing. The first of all has no record, and others need none.
            None if transactions == 1 => StoredSpent::Outputs(Vec::new()),
            None => {
                let read = Block::decode(&block).map_err(|error| FolderFault::Bad(height, hash, error))?;
                let outputs = self.created_outputs(height, &read).ok_or(FolderFault::NoUndo(height, hash))?;
                // A record that no block has may be the one that is lacking.
                if let Some(at) = self.undo.get_mut(&file).and_then(|(_, places)| places.take_unmatched()) {
                    self.faults.push(FolderFault::NoUndoRecord(undo_path(&self.blocks[&file]), at));
                }
                StoredSpent::Outputs(outputs)
            }
        };
        Ok(StoredBlock { height, hash, block, spent })
    }

    /// What a block spends that has no record, if the blocks up to it have all of that, and are not too many.
    fn created_outputs(&mut self, height: u32, block: &Block<'_>) -> Option<Vec<u8>> {
        let place = self.place(height)?;
        let size = |place| self.chain.get(place).map_or(0, |link| link.place.length);
        for place in self.created.lacking(place, size) {
            let bytes = self.block_part(place, 0, None);
            self.created.add(bytes.ok().as_deref());
        }
        let mut outputs = Collected::new(block.spending_inputs());
        for (place, inputs) in self.created.spent_by(block)? {
            let transaction = self.block_part(place.block as usize, place.at, Some(place.length)).ok()?;
            outputs.take(&transaction, &inputs)?;
        }
        Some(outputs.into_bytes())
    }

    /// Bytes of the block at a place of the chain: `length` bytes from an offset on, or all that follow.
    fn block_part(&mut self, place: usize, offset: u32, length: Option<u32>) -> Result<Vec<u8>, FolderFault> {
        let place = self.chain.get(place).expect("a place of the chain").place;
        let length = length.unwrap_or(place.length - offset);
        self.bytes(self.blocks[&place.file].clone(), place.at + u64::from(offset), length)
    }

    /// Reads from a file, which stays open until some others were read from.
    fn bytes(&mut self, path: PathBuf, at: u64, length: u32) -> Result<Vec<u8>, FolderFault> {
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
        read.map_err(|error| FolderFault::Io(path, error))
    }

    /// The records that undo the blocks of a file.
    fn undo_places(&mut self, file: u32) -> Result<&UndoPlaces, FolderFault> {
        self.uses += 1;
        if !self.undo.contains_key(&file) {
            let path = undo_path(&self.blocks[&file]);
            let candidate = |number: &u32| {
                let Link { previous, place, .. } = self.chain.link(*number);
                Candidate { number: *number, previous, transactions: place.transactions }
            };
            let of_file = self.by_file.get(&file);
            let candidates = |numbers: &[u32]| numbers.iter().map(candidate).collect();
            let blocks = Candidates {
                chain: of_file.map_or_else(Vec::new, |(chain, _)| candidates(chain)),
                stale: of_file.map_or_else(Vec::new, |(_, stale)| candidates(stale)),
            };
            let places = match RecordFile::open(&path, self.key) {
                Ok(mut file) => {
                    let indexed = undo_index::index(&mut file, self.network, &blocks, &mut self.faults);
                    indexed.map_err(|error| FolderFault::Io(path.clone(), error))?
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => UndoPlaces::default(),
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

    /// Why there is no chain: the files are of another network, the key is another, or what is wrong with the last file.
    fn no_chain(&mut self, path: &Path, folder: &Path) -> FolderFault {
        if let Some(fault) = files::elsewhere(path, Some(self.network)) {
            return fault;
        }
        let suspect = match files::find_network(&self.blocks, self.key) {
            Ok(found) => found.is_none() || self.key != [0; 8],
            Err(_) => false,
        };
        let fault = self.faults.pop().filter(|_| !suspect);
        fault.unwrap_or_else(|| files::key_fault(folder))
    }

    /// The height of the first block of the chain: the first block of the network comes before it, or it names its own,
    /// or one of the next blocks does if the first is damaged.
    fn find_height(&mut self) -> Result<u32, FolderFault> {
        let first = self.chain.get(0).expect("a chain");
        if first.previous == [0; 32] {
            return Ok(0);
        }
        if self.network.is_genesis(&first.previous) {
            return Ok(1);
        }
        for place in 0..ASKED_FOR_HEIGHT.min(self.chain.len()) {
            let bytes = self.block_part(place, 0, None)?;
            // A height in a damaged block may be wrong.
            let block = Block::decode(&bytes).ok();
            let block = block.filter(|block| block.merkle_root() == Some(block.header.merkle_root));
            let named = block.and_then(|block| self.network.named_height(&block));
            if let Some(height) = named.and_then(|height| height.checked_sub(place as u32)) {
                return Ok(height);
            }
        }
        Err(FolderFault::NoHeight(first.hash))
    }
}

/// The network of the first block in the first file that does not stand at its start, and proves its work.
fn second_block(files: &BTreeMap<u32, PathBuf>, key: Key) -> Option<Network> {
    let mut file = RecordFile::open(files.values().next()?, key).ok()?;
    Network::ALL.into_iter().find(|network| {
        let mut proves = || {
            let Some(at) = file.early_mark(*network)? else { return Ok(false) };
            let Head::Record(length) = file.head(at, *network, 0)? else { return Ok(false) };
            let place = Place { file: 0, at: at + HEAD_BYTES, length, transactions: 0 };
            add(&mut file, network.easiest(), place, &mut Links::default())
        };
        proves().is_ok_and(|proves: bool| proves)
    })
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
