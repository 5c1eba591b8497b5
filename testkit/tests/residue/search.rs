//! A process searches its own memory: every mapping that can be written, which holds stacks of all threads, heaps,
//! thread-locals and static data. What cannot be written cannot have been given a secret.
//!
//! Needles stay masked: a word of memory is masked in a register before it is compared. What is read passes through one
//! buffer, which is left out of the search.

use crate::case::Case;
use std::{fs::File, ops::Range, os::unix::fs::FileExt, sync::Arc};

/// Bytes read at once.
const PIECE: usize = 1 << 20;
/// How far a needle reaches beyond its first byte.
const REACH: usize = 128;
/// Bits of a hash that says of most words that they are no needle's.
const FILTER: u32 = 24;

/// A place where a needle was found.
pub(crate) struct Hit {
    pub(crate) needle: usize,
    pub(crate) address: usize,
}

/// A mapping that can be read and written.
pub(crate) struct Region {
    pub(crate) range: Range<usize>,
    pub(crate) name: String,
}

/// The mappings of this process that can be read and written; neighbours count as one.
pub(crate) fn regions() -> Vec<Region> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("a process may read its own map");
    let region = |line: &str| {
        let mut fields = line.split_ascii_whitespace();
        let (range, access) = (fields.next()?, fields.next()?);
        let name = fields.nth(3).unwrap_or("anonymous").to_owned();
        let (start, end) = range.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        access.starts_with("rw").then_some(Region { range: address(start)?..address(end)?, name })
    };
    let mut regions: Vec<Region> = Vec::new();
    for region in maps.lines().filter_map(region) {
        match regions.last_mut().filter(|before| before.range.end == region.range.start) {
            Some(before) => before.range.end = region.range.end,
            None => regions.push(region),
        }
    }
    regions
}

pub(crate) struct Searcher {
    memory: File,
    buffer: Vec<u8>,
    case: Arc<Case>,
    /// First words with the numbers of their needles, in order: those on end, and columns.
    sorted: [Vec<(u64, usize)>; 2],
    filter: Vec<u64>,
}

impl Searcher {
    pub(crate) fn new(case: Arc<Case>) -> Searcher {
        let sorted = [false, true].map(|column| {
            let numbered = case.needles.iter().enumerate().filter(|(_, needle)| needle.column == column);
            let mut words: Vec<_> = numbered.map(|(number, needle)| (needle.word, number)).collect();
            words.sort_unstable();
            words
        });
        let mut filter = vec![0; 1 << (FILTER - 6)];
        for needle in &case.needles {
            let bit = hash(needle.word);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        let memory = File::open("/proc/self/mem").expect("a process may read its own memory");
        Searcher { memory, buffer: vec![0; PIECE + REACH], case, sorted, filter }
    }

    /// Where needles stand now.
    pub(crate) fn search(&mut self) -> Vec<Hit> {
        let mut hits = Vec::new();
        for region in regions() {
            let mut start = region.range.start;
            while start < region.range.end {
                let length = (region.range.end - start).min(PIECE + REACH);
                self.piece(start, length, &mut hits);
                start += PIECE;
            }
        }
        let first = self.buffer.as_ptr().addr();
        hits.retain(|hit| !(first..first + self.buffer.len()).contains(&hit.address));
        hits
    }

    fn piece(&mut self, start: usize, length: usize, hits: &mut Vec<Hit>) {
        // A page that no file backs and nobody has touched may be refused; what can be read is read.
        if self.memory.read_exact_at(&mut self.buffer[..length], start as u64).is_err() {
            return;
        }
        let memory = &self.buffer[..length];
        for (at, window) in memory.windows(8).enumerate().take(PIECE) {
            let word = word(window) ^ self.case.pad;
            self.compare(0, word, at, memory, start, hits);
            if at % 4 == 0 && at + 68 <= length {
                let word = u64::from(half(&memory[at..])) | u64::from(half(&memory[at + 64..])) << 32;
                self.compare(1, word ^ self.case.pad, at, memory, start, hits);
            }
        }
    }

    #[inline(always)]
    fn compare(&self, kind: usize, word: u64, at: usize, memory: &[u8], start: usize, hits: &mut Vec<Hit>) {
        let bit = hash(word);
        if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
            return;
        }
        let first = self.sorted[kind].partition_point(|(other, _)| *other < word);
        for (_, needle) in self.sorted[kind][first..].iter().take_while(|(other, _)| *other == word) {
            let rest = &self.case.needles[*needle].rest;
            let follows =
                |i: usize| memory.get(at + 8 * i + 8..at + 8 * i + 16).map(|bytes| self::word(bytes) ^ self.case.pad);
            if rest.iter().enumerate().all(|(i, word)| follows(i) == Some(*word)) {
                hits.push(Hit { needle: *needle, address: start + at });
            }
        }
    }

    /// Copies memory of this process.
    pub(crate) fn copy(&self, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        self.memory.read_exact_at(&mut bytes, range.start as u64).expect("a range that is mapped");
        bytes
    }
}

#[inline(always)]
fn hash(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER)) as usize
}

#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    u64::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}

#[inline(always)]
fn half(bytes: &[u8]) -> u32 {
    u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
