//! Sums of many entries: the sets of all columns of all vectors are summed side by side in rounds of affine additions,
//! which share an inversion.
//!
//! Each set has some partial sums. The first round makes each of two entries; every later round adds one entry more to
//! each, straight from the table. With many sets each has one partial sum, and since entries are listed in the order of
//! the windows, a round asks for a few windows of the table only. At last a set's partial sums are added up.

use super::{
    limits::PAIRS_PER_ROUND,
    points::signed_row,
    workspace::{Listed, Set},
};
use crate::{
    affine_add::{AnyRows, Apart, InPlace, Onto, Rounds},
    curve::Curve,
    word::{CacheLine, PointRef},
};

fn row(index: usize) -> PointRef {
    PointRef::new(index, false)
}

/// Sums every set that is listed: its sum is the row `first` of its set, where it has entries at all.
pub(super) fn sum_sets<C: Curve>(rounds: &mut impl Rounds, table: &[CacheLine], listed: &mut Listed<'_>) {
    let Listed { entries, sets, rows, pairs, .. } = listed;
    rounds.begin();
    rows.clear();
    pairs.clear();
    let each = (PAIRS_PER_ROUND / sets.len().max(1)).max(1);
    let mut longest = 0;
    for set in sets.iter_mut() {
        (set.first, set.left) = (pairs.len(), each.min(set.count / 2));
        let (ones, others) = (set.entries_from(0, entries), set.entries_from(set.left, entries));
        ones.zip(others).take(set.left).for_each(|(one, other)| pairs.push([one, other]));
        longest = longest.max(set.count);
    }
    let sums = rows.lengthen(pairs.len());
    rounds.round(AnyRows::Apart(Apart { points: table, sums }), pairs, false);
    // A set of one entry needs no addition.
    for set in sets.iter_mut().filter(|set| set.count == 1) {
        (set.first, set.left) = (rows.len(), 1);
        rows.push(signed_row::<C>(table, entries[set.start]));
    }
    for round in 2..longest.div_ceil(each).max(2) + 2 {
        pairs.clear();
        for set in sets.iter().filter(|set| set.count > 1) {
            if set.left == 1 {
                if round < set.count {
                    pairs.push([row(set.first), entries[set.start + round * set.step]]);
                }
                continue;
            }
            let next = set.entries_from(round * set.left, entries).take(set.left);
            next.enumerate().for_each(|(i, entry)| pairs.push([row(set.first + i), entry]));
        }
        if !pairs.is_empty() {
            rounds.round(AnyRows::Onto(Onto { sums: rows, table }), pairs, false);
        }
    }
    loop {
        pairs.clear();
        for Set { first, left, .. } in sets.iter_mut() {
            let half = *left / 2;
            *left -= half;
            (*first..*first + half).for_each(|place| pairs.push([row(place), row(place + *left)]));
        }
        if pairs.is_empty() {
            return;
        }
        rounds.round(AnyRows::InPlace(InPlace(rows)), pairs, false);
    }
}
