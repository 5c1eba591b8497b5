//! Which record of a file undoes which block.
//!
//! A record does not name its block. Behind it stands a hash of the block's predecessor and of the record. Records
//! stand in the order in which blocks were connected, so the next block of the chain is tried first.

use std::collections::HashMap;
use std::io;

use super::fault::FolderFault;
use super::records::{Damage, HEAD_BYTES, Head, RecordFile};
use crate::bytes::{Reader, double_sha256};
use crate::network::Network;

/// A hash: of a block in front of a record where it is tried, and after a record.
const HASH_BYTES: usize = 32;
/// The most blocks that a record is tried with.
const TRIES: usize = 512;
/// The most bytes that are hashed for a file after hashing it once: this many times its size, plus [`HASHED_BYTES`], for
/// small records can be many. Bytes that are read again because a record is damaged count too.
const HASHED_SIZES: u64 = 8;
const HASHED_BYTES: u64 = 1 << 28;

/// The records of a file.
#[derive(Default)]
pub(super) struct UndoPlaces {
    /// Where a record begins and how long it is, by the number of its block's header.
    places: HashMap<u32, (u64, u32)>,
    /// Where the first record begins that belongs to no block of the file.
    unmatched: Option<u64>,
}

impl UndoPlaces {
    /// The record of a block.
    pub(super) fn get(&self, number: u32) -> Option<(u64, u32)> {
        self.places.get(&number).copied()
    }

    /// Where the first record begins that belongs to no block of the file. Given once.
    pub(super) fn take_unmatched(&mut self) -> Option<u64> {
        self.unmatched.take()
    }
}

/// A block that a record may undo.
pub(super) struct Candidate {
    /// The number of its header.
    pub(super) number: u32,
    /// The hash of the block before it.
    pub(super) previous: [u8; HASH_BYTES],
    /// The number of its transactions.
    pub(super) transactions: u32,
}

/// Finds the records of a file. The candidates are the blocks of the file of blocks with the same number: those of the
/// chain in its order, and then stale ones. Of what is damaged, the rest of the file is still read.
pub(super) fn index(
    file: &mut RecordFile,
    network: Network,
    candidates: &Candidates,
    faults: &mut Vec<FolderFault>,
) -> io::Result<UndoPlaces> {
    let mut matching = Matching::new(candidates, file.size);
    let (mut at, mut damage) = (0, Damage::new(faults));
    loop {
        let fault = match file.head(at, network, HASH_BYTES as u64)? {
            Head::End => return Ok(matching.places),
            Head::Record(length) => {
                let start = at + HEAD_BYTES;
                let end = start + u64::from(length) + HASH_BYTES as u64;
                let mut bytes = vec![0; 2 * HASH_BYTES + length as usize];
                file.read(start, &mut bytes[HASH_BYTES..])?;
                let known = matching.add(&mut bytes, (start, length));
                // If no other record follows, its length may be damaged, and hide those that do.
                if known || !matches!(file.head(end, network, HASH_BYTES as u64)?, Head::Foreign(_)) {
                    if !known {
                        matching.places.unmatched.get_or_insert(at);
                    }
                    at = end;
                    continue;
                }
                if !spend(&mut matching.left, end - at) {
                    damage.give_up(file, at);
                    return Ok(matching.places);
                }
                FolderFault::NoUndoRecord(file.path.clone(), at)
            }
            head => file.fault(at, head),
        };
        match damage.pass(file, at, fault, network)? {
            Some(next) => at = next,
            None => return Ok(matching.places),
        }
    }
}

/// The blocks that the records of a file may undo.
pub(super) struct Candidates {
    /// Those of the chain, in its order.
    pub(super) chain: Vec<Candidate>,
    /// The others, whose records are left when a block is disconnected.
    pub(super) stale: Vec<Candidate>,
}

/// Records and blocks that are brought together.
struct Matching<'c> {
    candidates: &'c Candidates,
    places: UndoPlaces,
    /// The block of the chain behind that of the last record.
    next: usize,
    /// The bytes that may still be hashed.
    left: u64,
}

impl<'c> Matching<'c> {
    fn new(candidates: &'c Candidates, size: u64) -> Matching<'c> {
        let left = size.saturating_mul(HASHED_SIZES).saturating_add(HASHED_BYTES);
        Matching { candidates, places: UndoPlaces::default(), next: 0, left }
    }

    /// Looks for the block of a record. The bytes are room for a hash, the record and the hash behind it. Returns
    /// whether there is one.
    fn add(&mut self, bytes: &mut [u8], place: (u64, u32)) -> bool {
        let end = bytes.len() - HASH_BYTES;
        let record = &bytes[HASH_BYTES..end];
        let transactions = Reader::new(record).compact_size().map_or(0, |count| count as u32 + 1);
        let Candidates { chain, stale } = self.candidates;
        // From the next block on, and then those before: after a reorganisation, or where records are missing.
        let order = (self.next..chain.len()).chain((0..self.next).rev()).map(|index| (Some(index), &chain[index]));
        let order = order.chain(stale.iter().map(|candidate| (None, candidate)));
        let fits = |(_, candidate): &(Option<usize>, &Candidate)| {
            candidate.transactions == transactions && !self.places.places.contains_key(&candidate.number)
        };
        for (tries, (index, candidate)) in order.filter(fits).take(TRIES).enumerate() {
            if tries > 0 && !spend(&mut self.left, end as u64) {
                return false;
            }
            bytes[..HASH_BYTES].copy_from_slice(&candidate.previous);
            let (hashed, checksum) = bytes.split_at(end);
            if double_sha256(hashed) == checksum {
                self.places.places.insert(candidate.number, place);
                self.next = index.map_or(self.next, |index| index + 1);
                return true;
            }
        }
        false
    }
}

/// Takes bytes of those that are left, if there are so many.
fn spend(left: &mut u64, bytes: u64) -> bool {
    let rest = left.checked_sub(bytes);
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(count: u32) -> Candidates {
        let candidate = |number: u32| Candidate { number, previous: [number as u8; HASH_BYTES], transactions: 2 };
        Candidates { chain: (0..count).map(candidate).collect(), stale: vec![candidate(count)] }
    }

    /// A record of one transaction behind room for a hash, with the hash that the block asks for.
    fn record(length: usize, previous: [u8; HASH_BYTES]) -> Vec<u8> {
        let mut hashed = [&previous[..], &[1], &vec![7; length - 1]].concat();
        let checksum = double_sha256(&hashed);
        hashed[..HASH_BYTES].fill(0);
        [hashed, checksum.to_vec()].concat()
    }

    #[test]
    fn a_record_is_tried_with_few_blocks_where_it_is_long() {
        let candidates = candidates(200);
        // Records of no block, in a file of these records: eight tries each, once more is used up, and then one.
        let size = 1 << 20;
        let mut foreign = record(size, [0xff; HASH_BYTES]);
        let bound = |file: u64| HASHED_BYTES + HASHED_SIZES * file;
        let mut matching = Matching::new(&candidates, 4 * size as u64);
        assert_eq!(matching.left, bound(4 * size as u64));
        let mut tries = 0;
        for _ in 0..4 {
            let before = matching.left;
            assert!(!matching.add(&mut foreign, (0, 0)));
            tries += (before - matching.left) / (size + HASH_BYTES) as u64;
        }
        assert!(tries * size as u64 <= bound(4 * size as u64));
        assert!((250..300).contains(&tries), "{tries}");
        // What is left is not enough for another try: a record is tried with the next block alone.
        assert!(!matching.add(&mut record(size, [1; HASH_BYTES]), (0, 0)));
        assert!(matching.add(&mut record(size, [0; HASH_BYTES]), (8, 9)));
        assert_eq!((matching.places.get(0), matching.next), (Some((8, 9)), 1));
        // Small records are tried with all.
        let mut matching = Matching::new(&candidates, 100);
        assert!(matching.add(&mut record(40, [199; HASH_BYTES]), (0, 0)));
        assert!(matching.add(&mut record(40, [3; HASH_BYTES]), (0, 0)));
        // So are they with stale blocks, which the next block of the chain is not behind.
        assert!(matching.add(&mut record(40, [200; HASH_BYTES]), (0, 0)));
        assert_eq!(matching.next, 4);
    }
}
