//! Bytes in: regular files, pipes and standard input, compressed or not, and what kind of rows they hold.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::gzip::Members;
use crate::args::{ChainFormat, FileFormat};
use crate::exit::RunError;
use crate::process::standard;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// How much of a stream is looked at to tell what it is.
const HEAD: usize = 4 << 10;

const PARQUET_MAGIC: &[u8] = b"PAR1";
const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// The first record of e2store, which is the version.
const E2STORE_MAGIC: &[u8] = &[0x65, 0x32, 0, 0, 0, 0, 0, 0];
const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// What is said of a file that is nothing known.
pub(super) const UNKNOWN: &str =
    "neither the name nor the first bytes show a format: expected Parquet, CSV or JSON lines; --format FORMAT names it";

/// What is said of a file that holds no Ethereum transactions.
const NO_CHAIN: &str = "neither the name nor the first bytes show a format: expected blocks in RLP, era1, JSON lines, \
                        transactions in hex, Parquet or CSV; --format FORMAT names it";

/// The bytes of one input before anything is known about them.
pub(super) enum Source {
    /// Can be opened as often as is needed.
    Regular { path: PathBuf, size: u64 },
    /// Standard input, a pipe, a device: what is read from it is gone.
    Once(Box<dyn Read + Send>),
}

impl Source {
    pub(super) fn new(name: &str) -> Result<Source, RunError> {
        if name == "-" {
            return Ok(Source::Once(Box::new(standard::input_to_read().map_err(RunError::of)?)));
        }
        let file = File::open(name).map_err(RunError::of)?;
        let metadata = file.metadata().map_err(RunError::of)?;
        if metadata.is_dir() {
            return Err(RunError::new("is a directory"));
        }
        standard::refuse_nothing(&metadata).map_err(RunError::of)?;
        Ok(if metadata.is_file() {
            Source::Regular { path: PathBuf::from(name), size: metadata.len() }
        } else {
            Source::Once(Box::new(file))
        })
    }

    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Source::Regular { size, .. } => Some(*size),
            Source::Once(_) => None,
        }
    }

    /// Tells what the rows are: by the name's ending, else by how the content begins. Text that begins in none of the
    /// known ways may be CSV; its header tells.
    pub(super) fn kind(self) -> Result<(Option<FileFormat>, Source), RunError> {
        self.recognised(kind_of_name, kind_of_content)
    }

    /// Tells what holds Ethereum transactions, in the same way.
    pub(super) fn chain_kind(self) -> Result<(ChainFormat, Source), RunError> {
        let of_name = |path: &Path| ChainFormat::of(&without_compression(path));
        self.recognised(of_name, chain_kind_of_content)
    }

    fn recognised<K>(
        self,
        of_name: impl Fn(&Path) -> Option<K>,
        of_content: impl Fn(&[u8], bool) -> Result<K, RunError>,
    ) -> Result<(K, Source), RunError> {
        match self {
            Source::Regular { path, size } => {
                let kind = match of_name(&path) {
                    Some(kind) => kind,
                    None => {
                        let mut text = TextStream::from_stream(open(&path)?)?;
                        of_content(&peek(&mut text.reader, HEAD)?, text.compressed)?
                    }
                };
                Ok((kind, Source::Regular { path, size }))
            }
            Source::Once(stream) => {
                let mut text = TextStream::from_stream(stream)?;
                let head = peek(&mut text.reader, HEAD)?;
                let kind = of_content(&head, text.compressed)?;
                Ok((kind, Source::Once(Box::new(Cursor::new(head).chain(text.reader)))))
            }
        }
    }

    /// A file that can be read at any place; a stream is first copied to a temporary one.
    pub(super) fn seekable(self) -> Result<File, RunError> {
        match self {
            Source::Regular { path, .. } => File::open(path).map_err(RunError::of),
            Source::Once(mut stream) => {
                let mut file = tempfile::tempfile().map_err(RunError::of)?;
                io::copy(&mut stream, &mut file).map_err(RunError::of)?;
                file.seek(SeekFrom::Start(0)).map_err(RunError::of)?;
                Ok(file)
            }
        }
    }
}

fn open(path: &Path) -> Result<Box<dyn Read + Send>, RunError> {
    Ok(Box::new(File::open(path).map_err(RunError::of)?))
}

fn ends_in(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|ending| known.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// A name without the ending that says how the file is compressed.
fn without_compression(path: &Path) -> PathBuf {
    if ends_in(path, &["gz", "zst"]) { path.with_extension("") } else { path.to_owned() }
}

fn kind_of_name(path: &Path) -> Option<Option<FileFormat>> {
    let stem = without_compression(path);
    FileFormat::of(&stem).or_else(|| ends_in(&stem, &["json"]).then_some(FileFormat::Jsonl)).map(Some)
}

/// Whether a file is Parquet, by how it begins.
///
/// Fails where it stands in a compressed stream: it is copied whole before it is read, so it must not unfold. A small
/// stream could fill the disk.
fn is_parquet(head: &[u8], compressed: bool) -> Result<bool, RunError> {
    match head.starts_with(PARQUET_MAGIC) {
        true if compressed => Err(RunError::new("Parquet within gzip or zstd is not read; decompress it first")),
        found => Ok(found),
    }
}

fn chain_kind_of_content(head: &[u8], compressed: bool) -> Result<ChainFormat, RunError> {
    if is_parquet(head, compressed)? {
        return Ok(ChainFormat::Parquet);
    }
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    match text.trim_ascii_start() {
        _ if head.starts_with(E2STORE_MAGIC) => Ok(ChainFormat::Era1),
        [] | [b'{' | b'[' | b'"', ..] => Ok(ChainFormat::Jsonl),
        text if is_hex(text) => Ok(ChainFormat::Hex),
        _ if head[0] >= 0xc0 => Ok(ChainFormat::Rlp),
        _ => Err(RunError::new(NO_CHAIN)),
    }
}

/// Whether a text begins with a line of hex digits, of which there are more than a word has.
fn is_hex(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X")).unwrap_or(text);
    let count = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
    count >= 20 && digits.get(count).is_none_or(u8::is_ascii_whitespace)
}

fn kind_of_content(head: &[u8], compressed: bool) -> Result<Option<FileFormat>, RunError> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    if is_parquet(head, compressed)? {
        Ok(Some(FileFormat::Parquet))
    } else if text.contains(&0) {
        Err(RunError::new(UNKNOWN))
    } else {
        // A bracket alone may begin a link, or the name of a section.
        let values = |byte: &u8| byte.is_ascii_digit() || b"\"{[]-".contains(byte);
        let array = |rest: &[u8]| rest.trim_ascii_start().first().is_none_or(values);
        let json = match text.trim_ascii_start() {
            [] | [b'{', ..] => true,
            [b'[', rest @ ..] => array(rest),
            _ => false,
        };
        Ok(json.then_some(FileFormat::Jsonl))
    }
}

/// The first bytes of a stream; fewer than asked for only when the stream is that short.
fn peek(stream: &mut dyn Read, count: usize) -> Result<Vec<u8>, RunError> {
    let mut head = Vec::with_capacity(count);
    stream.take(count as u64).read_to_end(&mut head).map_err(RunError::of)?;
    Ok(head)
}

/// A stream of text with its compression undone.
pub(super) struct TextStream {
    pub(super) reader: Box<dyn BufRead + Send>,
    pub(super) progress: BytesRead,
    compressed: bool,
}

impl TextStream {
    /// Opens text and steps over a byte order mark.
    pub(super) fn new(source: Source) -> Result<TextStream, RunError> {
        let mut text = TextStream::from_stream(match source {
            Source::Regular { path, .. } => open(&path)?,
            Source::Once(stream) => stream,
        })?;
        let head = peek(&mut text.reader, BYTE_ORDER_MARK.len())?;
        if head != BYTE_ORDER_MARK {
            text.reader = Box::new(Cursor::new(head).chain(text.reader));
        }
        Ok(text)
    }

    fn from_stream(stream: Box<dyn Read + Send>) -> Result<TextStream, RunError> {
        let consumed = Arc::new(AtomicU64::new(0));
        let mut counted = Counted { stream, consumed: Arc::clone(&consumed) };
        let magic = peek(&mut counted, ZSTD_MAGIC.len())?;
        let gzip = magic.starts_with(GZIP_MAGIC);
        let zstd = magic == ZSTD_MAGIC;
        let packed = BufReader::with_capacity(CHUNK, Cursor::new(magic).chain(counted));
        let reader: Box<dyn BufRead + Send> = if gzip {
            Box::new(BufReader::with_capacity(CHUNK, Members::new(packed)))
        } else if zstd {
            let decoder = zstd::stream::read::Decoder::with_buffer(packed).map_err(RunError::of)?;
            Box::new(BufReader::with_capacity(CHUNK, decoder))
        } else {
            Box::new(packed)
        };
        Ok(TextStream { reader, progress: BytesRead { consumed, reported: 0 }, compressed: gzip || zstd })
    }
}

/// Bytes read from a stream, call by call.
pub(super) struct BytesRead {
    consumed: Arc<AtomicU64>,
    reported: u64,
}

impl BytesRead {
    pub(super) fn since_last(&mut self) -> u64 {
        let consumed = self.consumed.load(Ordering::Relaxed);
        consumed - std::mem::replace(&mut self.reported, consumed)
    }
}

struct Counted {
    stream: Box<dyn Read + Send>,
    consumed: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
