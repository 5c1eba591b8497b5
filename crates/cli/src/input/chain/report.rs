//! What is said of transactions beside their verdicts: what is wrong with each, where it stands, and counts.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use phalanx::Verdict;
use phalanx_rows::{ColumnNames, Outcome, RowFault};

use super::detail::Detail;

/// What is said of some rows.
#[derive(Debug, Default)]
pub(crate) struct ChainReport {
    /// What is wrong with rows that were decided before anything was recovered, in ascending order.
    pub(super) details: Vec<(usize, Detail)>,
    pub(crate) tally: ChainTally,
}

impl ChainReport {
    /// The outcome of a row in words, behind the place of its transaction: block, index and hash as far as they are
    /// known.
    pub(crate) fn note(&self, row: usize, kept: &[Option<ArrayRef>], outcome: Outcome, names: &ColumnNames) -> String {
        let mut text = String::new();
        let known = |place: usize| kept.get(place)?.as_ref().filter(|column| column.is_valid(row));
        // Writing to memory does not fail.
        for (place, name) in ["block", "transaction"].into_iter().enumerate() {
            if let Some(column) = known(place) {
                let _ = write!(text, ", {name} {}", column.as_primitive::<UInt64Type>().value(row));
            }
        }
        if let Some(column) = known(2) {
            let _ = write!(text, ", {}", const_hex::encode_prefixed(column.as_fixed_size_binary().value(row)));
        }
        let _ = write!(text, ": {}", outcome.reason());
        if let Some(name) = outcome.column_name(names) {
            let _ = write!(text, ": {name}");
        }
        let _ = match self.details.binary_search_by_key(&row, |(row, _)| *row) {
            Ok(place) => match self.details[place].1 {
                Detail::NoAccessList(stated) if outcome.verdict == Verdict::InvalidSignature => {
                    write!(text, ": {}", Detail::Hash(stated))
                }
                detail => write!(text, ": {detail}"),
            },
            Err(_) => outcome.fault.map(RowFault::text).map_or(Ok(()), |fault| write!(text, ": {fault}")),
        };
        text
    }
}

/// Counts beside those of verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChainTally {
    /// Blocks. Of a table, the runs of rows of one block.
    pub(crate) blocks: u64,
    /// Blocks whose root of transactions could not be computed, since one of them has a type without a signature.
    pub(crate) unchecked_roots: u64,
    /// Rows that break rules of Ethereum's main chain which other networks do not have.
    pub(crate) foreign: u64,
    /// The first chain id of these rows.
    pub(crate) foreign_chain: Option<u64>,
    /// Of a table, the blocks of the first row and of the last.
    pub(super) ends: Option<(u64, u64)>,
}

impl ChainTally {
    /// Counts what follows, too.
    pub(crate) fn add(&mut self, next: &ChainTally) {
        let is_one = |((_, last), (first, _)): ((u64, u64), (u64, u64))| last == first;
        self.blocks += next.blocks - u64::from(self.ends.zip(next.ends).is_some_and(is_one));
        self.unchecked_roots += next.unchecked_roots;
        self.foreign += next.foreign;
        self.foreign_chain = self.foreign_chain.or(next.foreign_chain);
        if next.blocks > 0 {
            self.ends = next.ends;
        }
    }

    /// What to say if the rows may be another network's.
    pub(crate) fn hint(&self) -> Option<String> {
        let chain = self.foreign_chain.map_or(String::new(), |chain| format!(" --chain-id {chain}"));
        (self.foreign > 0).then(|| {
            format!(
                "rules of Ethereum's main chain, the default, are broken by {} rows; for another network, name its fork: \
                 --fork prague{chain}",
                self.foreign
            )
        })
    }

    /// Counts the block of a table's next row.
    pub(super) fn count_row(&mut self, block: u64) {
        let ends = self.ends.map_or((block, block), |(first, _)| (first, block));
        let is_new = self.ends.is_none_or(|(_, last)| last != block);
        self.blocks += u64::from(is_new);
        self.ends = Some(ends);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_goes_on_in_the_next_part_of_a_table_is_one() {
        let tally = |blocks: &[u64]| {
            let mut tally = ChainTally::default();
            blocks.iter().for_each(|block| tally.count_row(*block));
            tally
        };
        let mut all = ChainTally::default();
        for (part, blocks) in [(&[1, 1, 2][..], 2), (&[2], 2), (&[2, 3], 3), (&[4, 4], 4), (&[], 4), (&[4], 4)] {
            all.add(&tally(part));
            assert_eq!(all.blocks, blocks, "{part:?}");
        }
    }
}
