//! Bytes in: regular files, pipes and standard input, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::gzip::Members;
use crate::exit::RunError;
use crate::process::standard;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// How much of a stream is looked at to tell what it is.
const HEAD: usize = 4 << 10;

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
pub(super) const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// The bytes of one input before anything is known about them.
pub(crate) enum Source {
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

    /// Tells the format, unless it is `asked` for: by the name's ending, else by how the content begins. `of_name` gets
    /// the name without the ending of its compression.
    pub(super) fn recognised<K>(
        self,
        asked: Option<K>,
        of_name: impl Fn(&Path) -> Option<K>,
        of_content: impl Fn(&[u8], bool) -> Result<K, RunError>,
    ) -> Result<(K, Source), RunError> {
        if let Some(asked) = asked {
            return Ok((asked, self));
        }
        match self {
            Source::Regular { path, size } => {
                let kind = match of_name(&without_compression(&path)) {
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

/// The ending of a name, in lower case.
pub(super) fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// A name without the ending that says how the file is compressed.
fn without_compression(path: &Path) -> PathBuf {
    if matches!(ending(path).as_deref(), Some("gz" | "zst")) { path.with_extension("") } else { path.to_owned() }
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
