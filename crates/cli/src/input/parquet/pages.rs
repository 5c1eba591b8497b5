//! The pages of one column of one row group, read from the file and decompressed: never into more bytes than the header
//! claims, and never for a header that claims too much.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use brotli_decompressor::{BrotliDecoderParameter, Decompressor};
use bytes::Bytes;
use flate2::bufread::MultiGzDecoder;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

use super::chunk::Chunk;
use super::delta;
use super::header::{Header, PageKind};
use super::thrift::{Compact, damaged};

/// How much of a page in Brotli is decompressed at a time.
const BROTLI_BUFFER: usize = 32 << 10;

/// More than most headers take.
const HEADER: usize = 512;

/// Reads a chunk from its first page to its last.
pub(super) struct Pages {
    file: Arc<File>,
    chunk: Chunk,
    /// Where the next header begins, and the bytes of the chunk from there on.
    at: u64,
    left: u64,
    decoder: Option<zstd::bulk::Decompressor<'static>>,
}

impl Pages {
    pub(super) fn new(file: Arc<File>, chunk: Chunk) -> Pages {
        Pages { file, at: chunk.start, left: chunk.length, chunk, decoder: None }
    }

    /// The next header, and where its page begins. Only `advance` goes beyond it.
    pub(super) fn header(&mut self) -> Result<Option<(Header, u64)>> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let mut input = Compact::new(BufReader::with_capacity(HEADER, file), self.left);
        let header = Header::read(&mut input, &self.chunk)?;
        Ok(Some((header, self.at + (self.left - input.left()))))
    }

    /// Goes on to the header behind a page.
    pub(super) fn advance(&mut self, header: &Header, start: u64) {
        let next = start + u64::from(header.compressed);
        self.left -= next - self.at;
        self.at = next;
    }

    fn load(&mut self, header: &Header, start: u64) -> Result<Bytes> {
        let mut packed = vec![0; header.compressed as usize];
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut packed)?;
        if self.chunk.codec == Compression::UNCOMPRESSED || !header.is_compressed {
            return Ok(packed.into());
        }
        let size = header.uncompressed as usize;
        let (levels, packed) = packed.split_at(header.levels());
        let mut page = Vec::with_capacity(size);
        page.extend_from_slice(levels);
        // Without values there may be nothing at all to decompress.
        if page.len() < size {
            self.decompress(packed, &mut page, size)?;
        }
        if page.len() != size {
            return Err(damaged("a page has another size than its header says"));
        }
        Ok(page.into())
    }

    /// Appends what is compressed, up to a size or little more.
    fn decompress(&mut self, packed: &[u8], page: &mut Vec<u8>, size: usize) -> Result<()> {
        let start = page.len();
        match self.chunk.codec {
            Compression::SNAPPY => {
                page.resize(size, 0);
                let count = snap::raw::Decoder::new().decompress(packed, &mut page[start..]);
                page.truncate(start + count.map_err(external)?);
            }
            Compression::GZIP(_) => {
                MultiGzDecoder::new(packed).take((size - start) as u64 + 1).read_to_end(page)?;
            }
            Compression::ZSTD(_) => {
                let decoder = match &mut self.decoder {
                    Some(decoder) => decoder,
                    none => none.insert(zstd::bulk::Decompressor::new()?),
                };
                let mut end = Cursor::new(page);
                end.set_position(start as u64);
                decoder.decompress_to_buffer(packed, &mut end)?;
            }
            Compression::BROTLI(_) => {
                let mut decoder = Decompressor::new(packed, BROTLI_BUFFER);
                // Windows of RFC 7932, of at most 16 MiB: the extension's take up to a GiB.
                decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                decoder.take((size - start) as u64 + 1).read_to_end(page)?;
            }
            Compression::LZ4_RAW => {
                page.resize(size, 0);
                let count = lz4_flex::block::decompress_into(packed, &mut page[start..]);
                page.truncate(start + count.map_err(external)?);
            }
            Compression::LZ4 => {
                page.resize(size, 0);
                if hadoop(packed, &mut page[start..]).is_none() {
                    page.truncate(start);
                    let limit = (size - start) as u64 + 1;
                    if lz4_flex::frame::FrameDecoder::new(packed).take(limit).read_to_end(page).is_err() {
                        page.resize(size, 0);
                        let count = lz4_flex::block::decompress_into(packed, &mut page[start..]);
                        page.truncate(start + count.map_err(external)?);
                    }
                }
            }
            other => {
                let name = &self.chunk.name;
                let what =
                    format!("column `{name}` is compressed by {other}, which is not read; write it with Zstandard");
                return Err(ParquetError::General(what));
            }
        }
        Ok(())
    }

    /// Where a data page's values begin, behind its levels.
    fn values(&self, header: &Header, page: &[u8]) -> Result<usize> {
        let behind = |at: usize| {
            let length = page.get(at..)?.first_chunk().map(|length| u32::from_le_bytes(*length))?;
            at.checked_add(length as usize)?.checked_add(4)
        };
        let start = match (header.kind, header.definition_levels) {
            (PageKind::DataV2, _) => Some(header.levels()),
            _ if !self.chunk.nullable => Some(0),
            (_, Encoding::RLE) if self.chunk.repeated => behind(0).and_then(behind),
            (_, Encoding::RLE) => behind(0),
            // A list has levels of more than one bit, which only writers before Parquet 1.0 packed.
            _ if self.chunk.repeated => None,
            _ => Some(header.values.div_ceil(8) as usize),
        };
        start.filter(|start| *start <= page.len()).ok_or_else(|| damaged("a page is shorter than its levels"))
    }

    fn page(&mut self, header: &Header, start: u64) -> Result<Page> {
        let buf = self.load(header, start)?;
        if header.kind != PageKind::Dictionary {
            let values = self.values(header, &buf)?;
            delta::check(header, &buf[values..])?;
        }
        let (num_values, encoding) = (header.values, header.encoding);
        Ok(match header.kind {
            PageKind::Dictionary => Page::DictionaryPage { buf, num_values, encoding, is_sorted: false },
            PageKind::DataV2 => Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls: header.nulls,
                num_rows: header.rows,
                def_levels_byte_len: header.definition_bytes,
                rep_levels_byte_len: header.repetition_bytes,
                is_compressed: header.is_compressed,
                statistics: None,
            },
            _ => Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding: header.definition_levels,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            },
        })
    }
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
}

/// Blocks of LZ4, each behind its two lengths, as Hadoop wrote them. `None` where the bytes are not that.
fn hadoop(mut packed: &[u8], mut page: &mut [u8]) -> Option<()> {
    while !packed.is_empty() {
        let (size, rest) = packed.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (block, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        let (out, left) = page.split_at_mut_checked(u32::from_be_bytes(*size) as usize)?;
        if lz4_flex::block::decompress_into(block, out).ok()? != out.len() {
            return None;
        }
        (packed, page) = (rest, left);
    }
    page.is_empty().then_some(())
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        while let Some((header, start)) = self.header()? {
            self.advance(&header, start);
            if header.kind != PageKind::Index {
                return self.page(&header, start).map(Some);
            }
        }
        Ok(None)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let next = self.header()?.map(|(header, _)| PageMetadata {
            num_rows: None,
            num_levels: (header.kind != PageKind::Dictionary).then_some(header.values as usize),
            is_dict: header.kind == PageKind::Dictionary,
        });
        Ok(next)
    }

    fn skip_next_page(&mut self) -> Result<()> {
        if let Some((header, start)) = self.header()? {
            self.advance(&header, start);
        }
        Ok(())
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

/// The chunks of one column, one row group after the other.
pub(super) struct ColumnChunks {
    pub(super) file: Arc<File>,
    pub(super) chunks: std::vec::IntoIter<Chunk>,
}

impl Iterator for ColumnChunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let pages = Pages::new(Arc::clone(&self.file), self.chunks.next()?);
        Some(Ok(Box::new(pages)))
    }
}

impl PageIterator for ColumnChunks {}
