//! Which record of a file undoes which block.
//!
//! A record does not name its block. Behind it stands a hash of the block's predecessor and of the record. Records
//! stand in the order in which blocks were connected, so the next block of the chain is tried first.

use std::collections::HashMap;
use std::io;

use super::chain::Link;
use super::records::{HEAD_BYTES, Head, RecordFile};
use crate::bytes::{Reader, double_sha256};
use crate::network::Network;

/// The hash after a record.
const CHECKSUM_BYTES: u64 = 32;
/// The most blocks that a record is tried with.
const TRIES: usize = 512;

/// Where a record is, by the height of its block.
pub(super) type UndoPlaces = HashMap<u32, (u64, u32)>;

/// Why the rest of a file was not read.
pub(super) type Stop = Option<(u64, Head)>;

/// Finds the records of blocks of the chain in a file. `blocks` are those of the file of blocks with the same number,
/// with their heights, in the order of the chain. Records of other blocks are passed over: they were disconnected.
pub(super) fn index(file: &mut RecordFile, network: Network, blocks: &[(u32, Link)]) -> io::Result<(UndoPlaces, Stop)> {
    let mut places = UndoPlaces::new();
    let (mut next, mut at) = (0, 0);
    loop {
        let length = match file.head(at, network, CHECKSUM_BYTES)? {
            Head::Record(length) => length,
            Head::End => return Ok((places, None)),
            stop => return Ok((places, Some((at, stop)))),
        };
        let start = at + HEAD_BYTES;
        let bytes = file.bytes(start, length as usize + CHECKSUM_BYTES as usize)?;
        let (record, checksum) = bytes.split_at(length as usize);
        let transactions = Reader::new(record).compact_size().map_or(0, |count| count as u32 + 1);
        // From the next block on, and then those before: after a reorganisation, or where records are missing.
        let candidates = (next..blocks.len()).chain((0..next).rev());
        let fits = |index: &usize| {
            let (height, link) = &blocks[*index];
            link.place.transactions == transactions && !places.contains_key(height)
        };
        let found = candidates
            .filter(fits)
            .take(TRIES)
            .find(|index| double_sha256(&[&blocks[*index].1.previous[..], record].concat()) == checksum);
        if let Some(index) = found {
            places.insert(blocks[index].0, (start, length));
            next = index + 1;
        }
        at = start + u64::from(length) + CHECKSUM_BYTES;
    }
}
