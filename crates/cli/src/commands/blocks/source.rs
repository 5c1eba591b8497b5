//! Where blocks come from: a node's folder, or files of one block each with what it spends beside it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use phalanx_bitcoin::{BlockFolder, FolderFault, Network, StoredBlock};

use super::BlockAnswer;
use crate::args::HeightRange;
use crate::exit::RunError;
use crate::output::ReadPlace;
use crate::pipeline::Feed;

/// The longest file of a block that is read, once it is unpacked.
const MOST_BLOCK: u64 = 4_000_000;
/// The longest file of what a block spends, once it is unpacked: as long as a record of a node may be.
const MOST_SPENT: u64 = 1 << 28;
/// The longest such file in JSON, once it is unpacked: several times that in memory.
const MOST_JSON: u64 = 1 << 25;
/// Why blocks in a row are not verified whose records are missing.
const NO_UNDO: &str = "there is no undo data for them";
/// What a file that begins so is packed with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub(super) type BlockFeed = Feed<BlockJob, BlockAnswer, ()>;

/// A block with what it spends, as they were read.
pub(super) enum BlockBytes {
    Stored(StoredBlock),
    /// What is spent is an array of JSON, or a value of eight bytes and a script after its length for each output.
    Files {
        block: Vec<u8>,
        spent: Vec<u8>,
        json: bool,
    },
}

/// A block to be verified.
pub(super) struct BlockJob {
    /// Where it comes from.
    pub(super) place: Arc<str>,
    pub(super) network: Network,
    /// The height of a block in a file that names none.
    pub(super) given: Option<u32>,
    /// Whether no block of its source comes after it.
    pub(super) last: bool,
    pub(super) bytes: BlockBytes,
}

impl BlockJob {
    /// The bytes that wait with it.
    pub(super) fn size(&self) -> usize {
        match &self.bytes {
            BlockBytes::Stored(stored) => stored.size(),
            BlockBytes::Files { block, spent, .. } => block.len() + spent.len(),
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
        block: PathBuf,
        spent: PathBuf,
        size: u64,
        network: Network,
        given: Option<u32>,
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
            if first >= end {
                let all =
                    format!("the heights {} to {} are there, and none of those asked for", there.start, there.end - 1);
                return Err(RunError::new(all).about(name));
            }
            let lacks =
                heights.first.is_some_and(|asked| asked < first) || heights.last.is_some_and(|last| last >= end);
            let lacking = format!("of the heights asked for, only {first} to {} are there", end - 1);
            SourceKind::Folder { folder: Box::new(folder), first, end, lacking: lacks.then_some(lacking) }
        } else {
            let spent = spent_file(path).map_err(|error| error.about(name))?;
            let network = network.unwrap_or(Network::Main);
            let given = heights.first.filter(|first| heights.last == Some(*first));
            SourceKind::File { block: path.to_owned(), spent, size: metadata.len(), network, given }
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
            SourceKind::File { size, .. } => *size,
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
                        given: None,
                        last: height + 1 == end,
                        bytes: BlockBytes::Stored(stored),
                    };
                    put(feed, read.map(job).map_err(|fault| format!("{name}: {fault}")))?;
                }
                unread.take().map_or(Some(()), |said| put(feed, Err(format!("{name}: {said}"))))
            }
            SourceKind::File { block, spent, network, given, .. } => {
                let job = || {
                    let json = stem(&spent).is_some_and(|stem| stem.ends_with(".json"));
                    let most = if json { MOST_JSON } else { MOST_SPENT };
                    let (block, spent) = (unpacked(&block, MOST_BLOCK)?, unpacked(&spent, most)?);
                    let bytes = BlockBytes::Files { block, spent, json };
                    Ok(BlockJob { place: Arc::clone(&name), network, given, last: true, bytes })
                };
                put(feed, job().map_err(|error: RunError| error.to_string()))
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

/// A file's name without the ending of what packs it.
fn stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    Some(name.strip_suffix(".zst").unwrap_or(name))
}

/// The file beside a block's that holds what the block spends.
fn spent_file(block: &Path) -> Result<PathBuf, RunError> {
    let name = stem(block).unwrap_or_default();
    if name.ends_with(".undo.raw") || name.ends_with(".json") {
        return Err(RunError::new("is what a block spends, and no block"));
    }
    let base = name.strip_suffix(".raw").unwrap_or(name);
    let endings = ["undo.raw", "undo.raw.zst", "spent-outputs.json", "spent-outputs.json.zst"];
    let found =
        endings.iter().map(|ending| block.with_file_name(format!("{base}.{ending}"))).find(|path| path.exists());
    found.ok_or_else(|| {
        RunError::new(format!(
            "beside it there is neither {base}.undo.raw nor {base}.spent-outputs.json, nor either as .zst"
        ))
    })
}

/// Opens a regular file, or a link to one: to open a pipe would wait for its writer.
fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(path)
}

/// What is read of folders and files, with what stands beside them.
pub(super) fn places(paths: &[String]) -> Vec<ReadPlace> {
    let of_path = |path: &Path| match path.is_dir() {
        true => vec![ReadPlace::Folder(path.to_owned())],
        false => [Some(path.to_owned()), spent_file(path).ok()].into_iter().flatten().map(ReadPlace::File).collect(),
    };
    paths.iter().map(Path::new).flat_map(of_path).collect()
}

/// A file's bytes, unpacked. Fails if they are more than `most`.
fn unpacked(path: &Path, most: u64) -> Result<Vec<u8>, RunError> {
    let name = path.display().to_string();
    let failed = |error: std::io::Error| RunError::of(error).about(&name);
    let mut bytes = Vec::new();
    let mut file = open_regular(path).map_err(failed)?;
    (&mut file).take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.starts_with(&ZSTD_MAGIC) {
        let packed = bytes;
        bytes = Vec::new();
        let decoder = zstd::stream::read::Decoder::new(&packed[..]).map_err(failed)?;
        decoder.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > most {
        return Err(RunError::new(format!("has more than {most} bytes")).about(&name));
    }
    Ok(bytes)
}
