//! The verdicts of a batch's rows, as they are found.

use crate::Verdict;
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// A verdict for each row that has one so far. A row that never gets one is not valid.
pub(super) struct Verdicts(Vec<Option<Verdict>>);

impl Verdicts {
    /// No verdict yet for any of `rows` rows.
    pub(super) fn none(rows: usize) -> Self {
        Verdicts(vec![None; rows])
    }

    /// The verdict of one row.
    pub(super) fn set(&mut self, row: usize, verdict: Verdict) {
        self.0[row] = Some(verdict);
    }

    /// The verdicts of the rows at these places, in their order.
    ///
    /// # Panics
    /// If there are not as many verdicts as places.
    pub(super) fn set_all(&mut self, places: impl ExactSizeIterator<Item = usize>, found: Vec<Verdict>) {
        assert_eq!(places.len(), found.len(), "a verdict for each row");
        for (row, verdict) in places.zip(found) {
            self.set(row, verdict);
        }
    }

    /// A sum has shown that these rows are valid. A row that was verified alone before keeps the verdict it got then.
    pub(super) fn clear(&mut self, rows: Range<usize>) {
        for verdict in &mut self.0[rows] {
            verdict.get_or_insert(Verdict::Valid);
        }
    }

    /// A verdict for every row.
    pub(super) fn finish(self) -> Vec<Verdict> {
        // Every row has one. If an error of this program left one out, it must not pass for a valid signature.
        self.0.into_iter().map(|verdict| verdict.unwrap_or(Verdict::InvalidSignature)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_verdict_is_not_valid() {
        let mut verdicts = Verdicts::none(5);
        verdicts.set(1, Verdict::HighS);
        verdicts.set_all([4].into_iter(), vec![Verdict::BadPublicKey]);
        verdicts.clear(2..5);
        let [none, high_s, bad_key] = [Verdict::InvalidSignature, Verdict::HighS, Verdict::BadPublicKey];
        assert_eq!(verdicts.finish(), [none, high_s, Verdict::Valid, Verdict::Valid, bad_key]);
    }

    #[test]
    #[should_panic = "a verdict for each row"]
    fn too_few_verdicts_do_not_go_unnoticed() {
        Verdicts::none(3).set_all(0..3, vec![Verdict::Valid; 2]);
    }
}
