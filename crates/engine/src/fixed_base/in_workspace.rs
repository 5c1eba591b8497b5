//! Sums of terms in any order, in a caller's memory: nothing is allocated.

use super::{configuration::Configuration, lookups::PlacedScalar, scalar::plus, tables::Tables, vector::Vector};
use crate::{
    affine_add::AffineAdder,
    arena::{Arena, List},
    curve::Curve,
    msm::Sum,
    word::CacheLine,
};

/// Memory beside that of the sums: terms, where each vector's terms end, and the sums.
type TermLists<'m, C> = (List<'m, PlacedScalar>, List<'m, usize>, List<'m, Sum<C>>);

/// That of so many vectors with so many terms together.
fn term_lists<'m, 'env: 'm, C: Curve>(vectors: usize, terms: usize, arena: &mut Arena<'m, 'env>) -> TermLists<'m, C> {
    (arena.list(terms), arena.list(vectors), arena.filled(vectors, Sum::<C>::infinity()))
}

impl Configuration {
    /// The lines of memory that [`Tables::sums_of_terms_in_vartime`] takes for so many vectors of at most `longest` terms
    /// each, and `all` together. It takes fewer for fewer.
    pub fn lines_of_terms<A: AffineAdder>(&self, vectors: usize, longest: usize, all: usize) -> usize {
        let lists = Arena::count(|arena| {
            term_lists::<A::Curve>(vectors, all, arena);
        });
        lists.saturating_add(self.lines::<A>(vectors, longest))
    }
}

impl<C: Curve, R: AsRef<[CacheLine]>> Tables<C, R> {
    /// Calls `out` with the number of each vector and its sum: of each term's scalar times the point at its place. Places
    /// may come in any order, and repeat. Scalars are below the order. The vectors have at most `all` terms together.
    /// Variable time.
    ///
    /// # Panics
    /// If a place is not in the basis, if there are more terms than `all`, or if the memory has fewer lines than
    /// [`Configuration::lines_of_terms`] says.
    pub fn sums_of_terms_in_vartime<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        all: usize,
        vectors: impl ExactSizeIterator<Item = impl Iterator<Item = (usize, [u64; 4])>>,
        memory: &mut [CacheLine],
        mut out: impl FnMut(usize, &Sum<C>),
    ) {
        let (count, order) = (vectors.len(), &self.configuration().order);
        // All of it is public.
        Arena::over(
            memory,
            |_| {},
            |arena| {
                let (mut terms, mut ends, mut sums) = term_lists::<C>(count, all, arena);
                for vector in vectors {
                    let start = terms.len();
                    vector.for_each(|term| terms.push(term));
                    let kept = put_in_order(&mut terms[start..], order);
                    terms.truncate(start + kept);
                    ends.push(terms.len());
                }
                let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
                let vector = |i: usize| Vector::Sparse(&terms[start(i)..ends[i]]);
                self.sums_in_vartime(adder, vector, &mut sums, arena.spare());
                sums.iter().enumerate().for_each(|(i, sum)| out(i, sum));
            },
        );
    }
}

/// Makes places rise, as a vector wants them: others are sorted, and scalars of one place added up. Answers how many terms
/// are left.
fn put_in_order(terms: &mut [PlacedScalar], order: &[u64; 4]) -> usize {
    if terms.is_sorted_by(|(a, _), (b, _)| a < b) {
        return terms.len();
    }
    sort(terms);
    let mut last = 0;
    for next in 1..terms.len() {
        let (place, scalar) = terms[next];
        if terms[last].0 == place {
            terms[last].1 = plus(&terms[last].1, &scalar, order);
        } else {
            last += 1;
            terms[last] = (place, scalar);
        }
    }
    last + 1
}

/// Sorts by places, by heapsort: the sorting of the standard library recurses, and this code also goes where the stack is
/// bounded.
fn sort(terms: &mut [PlacedScalar]) {
    let sift = |heap: &mut [PlacedScalar], mut parent: usize| {
        while let Some(left) = heap.get(2 * parent + 1) {
            let right = heap.get(2 * parent + 2).filter(|right| right.0 > left.0);
            let child = 2 * parent + if right.is_some() { 2 } else { 1 };
            if heap[parent].0 >= heap[child].0 {
                return;
            }
            heap.swap(parent, child);
            parent = child;
        }
    };
    (0..terms.len() / 2).rev().for_each(|parent| sift(terms, parent));
    for last in (1..terms.len()).rev() {
        terms.swap(0, last);
        sift(&mut terms[..last], 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn places_rise_and_repeat_no_more() {
        // An odd number above each sum of scalars that has no carry.
        let order = [u64::MAX; 4];
        let mut word = 1u64;
        for length in 0..60 {
            let terms: Vec<PlacedScalar> = (0..length)
                .map(|_| {
                    word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) + 1;
                    ((word % 40) as usize, [word, 0, 0, 0])
                })
                .collect();
            let mut sorted = terms.clone();
            let kept = put_in_order(&mut sorted, &order);
            let at = |place: usize| terms.iter().filter(move |term| term.0 == place);
            let sum = |place| at(place).map(|term| u128::from(term.1[0])).sum::<u128>();
            let expected: Vec<PlacedScalar> = (0..40)
                .filter(|place| at(*place).count() > 0)
                .map(|place| (place, [sum(place) as u64, (sum(place) >> 64) as u64, 0, 0]))
                .collect();
            assert_eq!(sorted[..kept], expected, "{length} terms");
        }
    }

    #[test]
    fn scalars_of_one_place_count_modulo_the_order() {
        let order = [u64::MAX - 4, u64::MAX, u64::MAX, u64::MAX];
        let minus_one = [order[0] - 1, order[1], order[2], order[3]];
        let mut terms = [(3, minus_one), (1, [9, 0, 0, 0]), (3, minus_one), (3, [7, 0, 0, 0])];
        assert_eq!(put_in_order(&mut terms, &order), 2);
        assert_eq!(terms[..2], [(1, [9, 0, 0, 0]), (3, [5, 0, 0, 0])]);
    }
}
