//! The chain with the most work among headers that came in any order.

use std::collections::{BTreeMap, HashMap};

use crate::block::Header;

/// Where a block is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number in the names of the files.
    pub(super) file: u32,
    /// Where the block begins, after the head of its record.
    pub(super) at: u64,
    pub(super) length: u32,
    /// The number of its transactions.
    pub(super) transactions: u32,
}

/// A header with what is known of it. With the map of hashes this takes at most some 200 bytes for each block, which is
/// all that grows with their number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) hash: [u8; 32],
    pub(super) previous: [u8; 32],
    pub(super) place: Place,
    /// Of the header alone, and then of all from the first that is there on.
    work: u128,
    /// Whether the work is that of all.
    summed: bool,
}

/// Headers in the order in which they were found.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    by_hash: HashMap<[u8; 32], u32>,
}

impl Links {
    /// Adds a header, unless it is there.
    pub(super) fn add(&mut self, header: &Header, work: u128, place: Place) {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.by_hash.entry(header.hash()) {
            vacant.insert(self.links.len() as u32);
            self.links.push(Link { hash: header.hash(), previous: header.previous, place, work, summed: false });
        }
    }

    fn previous(&self, link: usize) -> Option<usize> {
        self.by_hash.get(&self.links[link].previous).map(|link| *link as usize)
    }

    /// The chain with the most work. Of chains with the same work it is that whose last block was found first.
    pub(super) fn best_chain(mut self) -> Chain {
        let mut best: Option<usize> = None;
        for number in 0..self.links.len() {
            // What leads here and has no sum yet. A header cannot lead to itself: it is hashed.
            let mut waiting = Vec::new();
            let mut next = Some(number);
            while let Some(link) = next.filter(|link| !self.links[*link].summed) {
                waiting.push(link);
                next = self.previous(link);
            }
            let mut sum = next.map_or(0, |link| self.links[link].work);
            for link in waiting.into_iter().rev() {
                sum = self.links[link].work.saturating_add(sum);
                (self.links[link].work, self.links[link].summed) = (sum, true);
            }
            if best.is_none_or(|best| self.links[number].work > self.links[best].work) {
                best = Some(number);
            }
        }
        let roots =
            (0..self.links.len()).filter(|link| self.previous(*link).is_none()).map(|link| link as u32).collect();
        let mut order = Vec::new();
        while let Some(link) = best {
            order.push(link as u32);
            best = self.previous(link);
        }
        order.reverse();
        let mut is_stale = vec![true; self.links.len()];
        for link in &order {
            is_stale[*link as usize] = false;
        }
        let stale = (0..).zip(is_stale).filter_map(|(link, stale)| stale.then_some(link)).collect();
        Chain { links: self.links, order, stale, roots }
    }
}

/// Headers, each of which leads to the next, and those beside this chain.
#[derive(Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// The numbers of those of the chain, the first block first.
    order: Vec<u32>,
    /// The numbers of the others.
    stale: Vec<u32>,
    /// The numbers of those whose previous header is not there.
    roots: Vec<u32>,
}

impl Chain {
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of a header by its place in the chain.
    pub(super) fn number(&self, place: usize) -> Option<u32> {
        self.order.get(place).copied()
    }

    /// The header of a number.
    pub(super) fn link(&self, number: u32) -> Link {
        self.links[number as usize]
    }

    /// A header by its place in the chain.
    pub(super) fn get(&self, place: usize) -> Option<Link> {
        self.number(place).map(|number| self.link(number))
    }

    /// The headers whose previous header is not there, in the order in which they were found.
    pub(super) fn roots(&self) -> impl Iterator<Item = Link> {
        self.roots.iter().map(|number| self.link(*number))
    }

    /// The hashes of the blocks that are not in the chain, in the order in which they were found.
    pub(super) fn stale(&self) -> Vec<[u8; 32]> {
        self.stale.iter().map(|number| self.link(*number).hash).collect()
    }

    /// The numbers of the headers of each file: those of the chain in its order, and the others.
    pub(super) fn by_file(&self) -> BTreeMap<u32, (Vec<u32>, Vec<u32>)> {
        let mut files: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for number in &self.order {
            files.entry(self.link(*number).place.file).or_default().0.push(*number);
        }
        for number in &self.stale {
            files.entry(self.link(*number).place.file).or_default().1.push(*number);
        }
        files
    }
}
