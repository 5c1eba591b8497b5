//! Where blocks come from: a node's folder, or files of one block each with what it spends beside it.

use std::path::Path;
use std::sync::Arc;

use phalanx_bitcoin::{BlockFolder, FolderFault, Network, StoredBlock};

use super::BlockAnswer;
use super::block_file::{BlockFile, FileBytes, spent_names};
use super::options::HeightRange;
use crate::exit::RunError;
use crate::output::ReadPlace;
use crate::pipeline::Feed;

/// Why blocks in a row are not verified whose records are missing.
const NO_UNDO: &str = "there is no undo data for them, and not all outputs that they spend are here";

pub(super) type BlockFeed = Feed<BlockJob, BlockAnswer, ()>;

/// A block with what it spends, as they were read.
pub(super) enum BlockBytes {
    Stored(StoredBlock),
    Files(FileBytes),
}

/// A block to be verified.
pub(super) struct BlockJob {
    /// Where it comes from.
    pub(super) place: Arc<str>,
    pub(super) network: Network,
    /// The heights that were asked for: a single one is that of a block in a file that names none.
    pub(super) heights: HeightRange,
    /// Whether no block of its source comes after it.
    pub(super) last: bool,
    pub(super) bytes: BlockBytes,
}

impl BlockJob {
    /// The bytes that wait with it.
    pub(super) fn size(&self) -> usize {
        match &self.bytes {
            BlockBytes::Stored(stored) => stored.size(),
            BlockBytes::Files(files) => files.size(),
        }
    }
}

/// A place that blocks come from.
pub(super) struct BlockSource {
    name: Arc<str>,
    kind: SourceKind,
}

enum SourceKind {
    Folder {
        folder: Box<BlockFolder>,
        first: u32,
        end: u32,
        /// What was asked for and is not there.
        lacking: Option<String>,
    },
    File {
        file: BlockFile,
        network: Network,
        heights: HeightRange,
    },
}

impl BlockSource {
    /// Opens a folder, or a file of one block. Heights choose among the blocks of a folder.
    pub(super) fn open(name: &str, network: Option<Network>, heights: &HeightRange) -> Result<BlockSource, RunError> {
        let path = Path::new(name);
        let metadata = std::fs::metadata(path).map_err(|error| RunError::of(error).about(name))?;
        let kind = if metadata.is_dir() {
            let folder = BlockFolder::open(path, network).map_err(|fault| match fault {
                FolderFault::NoHeight(_) => RunError::of(fault).about(name),
                // It names a file.
                fault => RunError::of(fault),
            })?;
            let there = folder.heights();
            let (asked, last) = (heights.first.unwrap_or(0), heights.last.unwrap_or(u32::MAX));
            let (first, end) = (asked.max(there.start), last.saturating_add(1).min(there.end));
            let lacking = if first >= end {
                let (first, last) = (there.start, there.end - 1);
                Some(format!("none of the heights of --heights is there: the folder has {first} to {last}"))
            } else if heights.first.is_some_and(|asked| asked < first) || heights.last.is_some_and(|last| last >= end) {
                Some(format!("of the heights asked for, only {first} to {} are there", end - 1))
            } else {
                None
            };
            SourceKind::Folder { folder: Box::new(folder), first, end: end.max(first), lacking }
        } else {
            let file = BlockFile::open(path, metadata.len()).map_err(|error| error.about(name))?;
            SourceKind::File { file, network: network.unwrap_or(Network::Main), heights: *heights }
        };
        Ok(BlockSource { name: name.into(), kind })
    }

    /// The hashes of blocks that are there and in no chain that is verified.
    pub(super) fn stale(&self) -> &[[u8; 32]] {
        match &self.kind {
            SourceKind::Folder { folder, .. } => folder.stale(),
            SourceKind::File { .. } => &[],
        }
    }

    /// The bytes of the blocks.
    pub(super) fn size(&self) -> u64 {
        match &self.kind {
            SourceKind::Folder { folder, first, end, .. } => folder.size(*first..*end),
            SourceKind::File { file, .. } => file.size,
        }
    }

    /// Hands on the blocks in their order, and what is wrong. None when nobody takes them.
    pub(super) fn feed(self, feed: &mut BlockFeed) -> Option<()> {
        let name = self.name;
        let put = |feed: &mut BlockFeed, answer: Result<BlockJob, String>| {
            let taken = match answer {
                Ok(job) => {
                    let weight = job.size();
                    feed.put(job, weight)
                }
                Err(fault) => feed.answer(BlockAnswer::Fault(fault)),
            };
            taken.then_some(())
        };
        match self.kind {
            SourceKind::Folder { mut folder, first, end, lacking } => {
                if let Some(lacking) = lacking {
                    put(feed, Err(format!("{name}: {lacking}")))?;
                }
                let mut unread = Unread::default();
                for height in first..end {
                    feed.expect(folder.stored_size(height));
                    let read = folder.read(height);
                    for fault in folder.faults() {
                        put(feed, Err(fault.to_string()))?;
                    }
                    let Some(read) = read else { break };
                    let unread_now = match &read {
                        Err(fault @ FolderFault::Io(..)) => Some((fault.to_string(), None)),
                        Err(fault @ FolderFault::NoUndo(..)) => Some((NO_UNDO.to_owned(), Some(fault.to_string()))),
                        _ => None,
                    };
                    let passed = unread_now.is_some();
                    let said = match unread_now {
                        Some((reason, alone)) => unread.add(height, reason, alone),
                        None => unread.take(),
                    };
                    if let Some(said) = said {
                        put(feed, Err(format!("{name}: {said}")))?;
                    }
                    if passed {
                        continue;
                    }
                    let job = |stored: StoredBlock| BlockJob {
                        place: Arc::clone(&name),
                        network: folder.network(),
                        heights: HeightRange { first: None, last: None },
                        last: height + 1 == end,
                        bytes: BlockBytes::Stored(stored),
                    };
                    put(feed, read.map(job).map_err(|fault| format!("{name}: {fault}")))?;
                }
                unread.take().map_or(Some(()), |said| put(feed, Err(format!("{name}: {said}"))))
            }
            SourceKind::File { file, network, heights } => {
                let job = |files| BlockJob {
                    place: Arc::clone(&name),
                    network,
                    heights,
                    last: true,
                    bytes: BlockBytes::Files(files),
                };
                put(feed, file.read().map(job).map_err(|error| error.to_string()))
            }
        }
    }
}

/// Blocks one after another that cannot be read for the same reason, which is said once.
#[derive(Default)]
struct Unread(Option<UnreadBlocks>);

struct UnreadBlocks {
    first: u32,
    last: u32,
    reason: String,
    /// What is said if the first is the only one.
    alone: Option<String>,
}

impl Unread {
    /// Adds a block. Returns what is to be said of those before it.
    fn add(&mut self, height: u32, reason: String, alone: Option<String>) -> Option<String> {
        if let Some(blocks) = self.0.as_mut().filter(|blocks| blocks.reason == reason) {
            blocks.last = height;
            return None;
        }
        let before = self.take();
        self.0 = Some(UnreadBlocks { first: height, last: height, reason, alone });
        before
    }

    /// What is to be said of those that were added.
    fn take(&mut self) -> Option<String> {
        self.0.take().map(|UnreadBlocks { first, last, reason, alone }| match (alone, last - first) {
            (Some(alone), 0) => alone,
            (None, 0) => format!("block {first}: {reason}"),
            _ => format!("blocks {first} to {last}: {reason}"),
        })
    }
}

/// What is read of folders and files, with what stands beside them.
pub(super) fn places(paths: &[String]) -> Vec<ReadPlace> {
    let of_path = |path: &Path| match path.is_dir() {
        true => vec![ReadPlace::Folder(path.to_owned())],
        false => spent_names(path).chain([path.to_owned()]).map(ReadPlace::File).collect(),
    };
    paths.iter().map(Path::new).flat_map(of_path).collect()
}
