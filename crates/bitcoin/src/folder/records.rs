//! Files of records: each a mark of the network, a length, and bytes. Bitcoin Core keeps blocks so, and what undoes
//! them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::fault::FolderFault;
use crate::network::Network;

/// The bytes in front of a record.
pub(super) const HEAD_BYTES: u64 = 8;
/// The longest record that is read: more than any block spends, 24,000 scripts of 10,000 bytes.
const MAX_RECORD_BYTES: u32 = 1 << 28;
/// How much is looked through at a time for the next mark.
const WINDOW: usize = 1 << 20;

/// Damaged places of one file, after which the rest of it is left.
const MOST_FAULTS: usize = 64;

/// What the bytes of a folder are combined with: byte i of a file with byte i modulo 8.
pub(super) type Key = [u8; 8];

/// A file whose bytes are combined with a key.
pub(super) struct RecordFile {
    pub(super) path: PathBuf,
    file: File,
    key: Key,
    pub(super) size: u64,
}

/// What begins at a place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// A record of so many bytes.
    Record(u32),
    /// Nothing was written from here to the end of the file.
    End,
    /// Less than the head, or than the record that the head announces.
    Cut,
    /// Another mark than the network's; that of another network, if it is one.
    Foreign(Option<Network>),
}

/// The damaged places of one file.
pub(super) struct Damage<'a> {
    count: usize,
    faults: &'a mut Vec<FolderFault>,
}

impl<'a> Damage<'a> {
    /// Faults are added to a list.
    pub(super) fn new(faults: &'a mut Vec<FolderFault>) -> Damage<'a> {
        Damage { count: 0, faults }
    }

    /// Notes what is wrong at a place. Returns where the next record may begin, which may be whole.
    pub(super) fn pass(
        &mut self,
        file: &mut RecordFile,
        at: u64,
        fault: FolderFault,
        network: Network,
    ) -> io::Result<Option<u64>> {
        self.count += 1;
        if self.count > MOST_FAULTS {
            self.give_up(file, at);
            return Ok(None);
        }
        self.faults.push(fault);
        file.next_mark(at + 1, network)
    }

    /// Notes that a file is not read from a place on.
    pub(super) fn give_up(&mut self, file: &RecordFile, at: u64) {
        self.faults.push(FolderFault::GivenUp(file.path.clone(), at));
    }
}

/// Opens a regular file, or a link to one: to open a pipe would wait for its writer.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}

impl RecordFile {
    pub(super) fn open(path: &Path, key: Key) -> io::Result<RecordFile> {
        let file = open_regular(path)?;
        let size = file.metadata()?.len();
        Ok(RecordFile { path: path.to_owned(), file, key, size })
    }

    /// Reads bytes at a place, all of them.
    pub(super) fn read(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(bytes)?;
        self.reveal(at, bytes);
        Ok(())
    }

    /// Reads so many bytes at a place, which are known to be there.
    pub(super) fn bytes(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }

    fn reveal(&self, at: u64, bytes: &mut [u8]) {
        let mut key = self.key;
        key.rotate_left((at % 8) as usize);
        bytes.chunks_mut(8).for_each(|bytes| bytes.iter_mut().zip(&key).for_each(|(byte, key)| *byte ^= key));
    }

    /// Looks at what begins at a place. `behind` is how many bytes come behind each record.
    pub(super) fn head(&mut self, at: u64, network: Network, behind: u64) -> io::Result<Head> {
        let left = self.size.saturating_sub(at);
        let mut head = [0; HEAD_BYTES as usize];
        let there = &mut head[..left.min(HEAD_BYTES) as usize];
        self.read(at, there)?;
        let mut written = there.to_vec();
        self.reveal(at, &mut written);
        if written.iter().all(|byte| *byte == 0) {
            // Room that was taken in advance, unless something stands behind it.
            return Ok(if self.is_blank(at + written.len() as u64)? { Head::End } else { Head::Foreign(None) });
        }
        if left < HEAD_BYTES {
            return Ok(Head::Cut);
        }
        let ([magic @ .., _, _, _, _], [_, _, _, _, length @ ..]) = (head, head);
        if magic != network.magic() {
            return Ok(Head::Foreign(Network::ALL.into_iter().find(|other| other.magic() == magic)));
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_RECORD_BYTES {
            return Ok(Head::Foreign(None));
        }
        Ok(if left - HEAD_BYTES < u64::from(length) + behind { Head::Cut } else { Head::Record(length) })
    }

    /// The network whose mark the file begins with. None where it has less than a mark.
    pub(super) fn network(&mut self) -> io::Result<Option<Network>> {
        let mut mark = [0; 4];
        if self.size < mark.len() as u64 {
            return Ok(None);
        }
        self.read(0, &mut mark)?;
        Ok(Network::ALL.into_iter().find(|network| network.magic() == mark))
    }

    /// Whether nothing but zeros was written from a place on.
    fn is_blank(&mut self, mut at: u64) -> io::Result<bool> {
        while at < self.size {
            let mut bytes = self.bytes(at, (self.size - at).min(WINDOW as u64) as usize)?;
            self.reveal(at, &mut bytes);
            if bytes.iter().any(|byte| *byte != 0) {
                return Ok(false);
            }
            at += bytes.len() as u64;
        }
        Ok(true)
    }

    /// What is wrong where no whole record begins.
    pub(super) fn fault(&self, at: u64, head: Head) -> FolderFault {
        match head {
            Head::Foreign(network) => FolderFault::Foreign(self.path.clone(), at, network),
            _ => FolderFault::Cut(self.path.clone(), at),
        }
    }

    /// Where the network's mark stands first, not at the start, but near it.
    pub(super) fn early_mark(&mut self, network: Network) -> io::Result<Option<u64>> {
        self.mark_between(1, self.size.min(WINDOW as u64), network)
    }

    /// Where the network's mark stands next, from a place on.
    pub(super) fn next_mark(&mut self, at: u64, network: Network) -> io::Result<Option<u64>> {
        self.mark_between(at, self.size, network)
    }

    fn mark_between(&mut self, mut at: u64, end: u64, network: Network) -> io::Result<Option<u64>> {
        while at + HEAD_BYTES <= end {
            let length = (end - at).min(WINDOW as u64) as usize;
            let bytes = self.bytes(at, length)?;
            if let Some(place) = bytes.windows(4).position(|window| window == network.magic()) {
                return Ok(Some(at + place as u64));
            }
            // A mark may begin in the last three bytes.
            at += length as u64 - 3;
        }
        Ok(None)
    }
}
