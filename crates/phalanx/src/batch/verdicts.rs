//! The verdicts of a batch's equations, as they are found.

use crate::Verdict;
use core::ops::Range;
use phalanx_engine::arena::{Arena, List};

/// A verdict for each equation that has one so far. One that never gets one is not valid.
pub(super) struct Verdicts<'m>(List<'m, Option<Verdict>>);

impl<'m> Verdicts<'m> {
    /// Room for so many.
    pub(super) fn with_room(count: usize, arena: &mut Arena<'m, '_>) -> Self {
        Verdicts(arena.list(count))
    }

    /// No verdict yet for any of so many.
    pub(super) fn begin(&mut self, count: usize) {
        self.0.clear();
        (0..count).for_each(|_| self.0.push(None));
    }

    /// The verdicts at these places, in their order.
    ///
    /// # Panics
    /// If there are not as many verdicts as places.
    pub(super) fn set_all(&mut self, places: &[u32], found: &[Verdict]) {
        assert_eq!(places.len(), found.len(), "a verdict for each row");
        for (place, verdict) in places.iter().zip(found) {
            self.0[*place as usize] = Some(*verdict);
        }
    }

    /// A sum has shown that these rows are valid. A row that was verified alone before keeps the verdict it got then.
    pub(super) fn clear(&mut self, rows: Range<usize>) {
        for verdict in &mut self.0[rows] {
            verdict.get_or_insert(Verdict::Valid);
        }
    }

    /// A verdict for every equation.
    pub(super) fn finish(&self) -> impl ExactSizeIterator<Item = Verdict> {
        // Every row has one. If an error of this program left one out, it must not pass for a valid signature.
        self.0.iter().map(|verdict| verdict.unwrap_or(Verdict::InvalidSignature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use phalanx_engine::word::CacheLine;

    fn with_verdicts(count: usize, work: impl FnOnce(&mut Verdicts<'_>)) {
        let mut memory = [CacheLine([7; 8]); 4];
        Arena::over(
            &mut memory,
            |_| (),
            |arena| {
                let mut verdicts = Verdicts::with_room(count, arena);
                verdicts.begin(count);
                work(&mut verdicts);
            },
        );
    }

    #[test]
    fn a_row_without_a_verdict_is_not_valid() {
        with_verdicts(5, |verdicts| {
            verdicts.set_all(&[1], &[Verdict::HighS]);
            verdicts.set_all(&[4], &[Verdict::BadPublicKey]);
            verdicts.clear(2..5);
            let [none, high_s, bad_key] = [Verdict::InvalidSignature, Verdict::HighS, Verdict::BadPublicKey];
            let found: Vec<_> = verdicts.finish().collect();
            assert_eq!(found, [none, high_s, Verdict::Valid, Verdict::Valid, bad_key]);
        });
    }

    #[test]
    #[should_panic = "a verdict for each row"]
    fn too_few_verdicts_do_not_go_unnoticed() {
        with_verdicts(3, |verdicts| verdicts.set_all(&[0, 1, 2], &[Verdict::Valid; 2]));
    }
}
