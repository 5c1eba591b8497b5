//! The scan of a chunk of rows, and what SQL is told of each.

use crate::wallet::Wallet;
use phalanx::bindings::payments::Row;
use phalanx_silent::Match;
use std::ops::Range;

/// Why nothing is looked for in a row.
pub(crate) type Malformed = &'static str;

/// A row as it was read. None where tweak point or outputs are NULL.
pub(crate) type ReadRow<'c> = Option<Result<Row<'c>, Malformed>>;

/// What a list of the answer holds.
pub(crate) enum Item {
    Match(Match),
    Malformed(Malformed),
}

/// A list for each row, none for NULL: where it stands among all items.
pub(crate) struct Answer {
    pub(crate) items: Vec<Item>,
    pub(crate) lists: Vec<Option<Range<usize>>>,
}

impl Answer {
    /// Scans rows. A row whose tweak point is none of the curve is malformed.
    pub(crate) fn of(wallet: &Wallet, rows: &[ReadRow<'_>]) -> Answer {
        let good: Vec<Row<'_>> = rows.iter().filter_map(|row| row.as_ref()?.as_ref().ok().copied()).collect();
        let mut found = phalanx_silent::scan(&wallet.bulk, &[&wallet.scanner], &good);
        found.bad_points.sort_unstable();
        let mut bad_points = found.bad_points.into_iter().peekable();
        let mut matches = found.matches.into_iter().peekable();
        let (mut items, mut number) = (Vec::new(), 0);
        let mut list = |row: &ReadRow<'_>| {
            let first = items.len();
            match row {
                None => return None,
                Some(Err(why)) => items.push(Item::Malformed(why)),
                Some(Ok(_)) => {
                    if bad_points.next_if_eq(&number).is_some() {
                        items.push(Item::Malformed("tweak_key is no point of the curve"));
                    }
                    while let Some(found) = matches.next_if(|found| found.row == number) {
                        items.push(Item::Match(found));
                    }
                    number += 1;
                }
            }
            Some(first..items.len())
        };
        let lists = rows.iter().map(&mut list).collect();
        // A match that is in no list would be lost.
        assert!(bad_points.next().is_none() && matches.next().is_none(), "matches in the order of rows");
        Answer { items, lists }
    }
}
