//! Commitments in a caller's memory: nothing is allocated.

use super::Term;
use crate::{Bandersnatch, Element, Scalar};
use phalanx_engine::{
    affine_add::AffineAdder,
    arena::{lines_for, with_room},
    fixed_base::{self, Configuration, Vector},
    msm::Sum,
    word::CacheLine,
};

/// A term as the engine has it.
type Placed = (usize, [u64; 4]);

/// The lines of lists that so many vectors with a given number of terms together take beside the engine's.
fn lists(vectors: usize, terms: usize) -> usize {
    lines_for::<Placed>(terms) + lines_for::<usize>(vectors) + lines_for::<Sum<Bandersnatch>>(vectors)
}

/// The lines of memory that [`commit_in_vartime`] takes for a given number of vectors of at most `longest` terms each,
/// and `all` together. It takes fewer for fewer.
pub fn lines_to_commit<A: AffineAdder<Curve = Bandersnatch>>(
    configuration: &Configuration,
    vectors: usize,
    longest: usize,
    all: usize,
) -> usize {
    lists(vectors, all).saturating_add(configuration.lines::<A>(vectors, longest))
}

/// Calls `out` with the number of each vector and the commitment to it, by tables over a basis: the sum of each term's
/// scalar times the element at its position. Positions may come in any order, and repeat. The vectors have at most
/// `all` terms together. Variable time.
///
/// ```
/// use phalanx_banderwagon::{Bandersnatch, Basis, Commit, Obvious, Scalar, Term, commit_in_vartime, lines_to_commit};
/// use phalanx_engine::{affine_add::OneLane, fixed_base::{Configuration, Scheme, Tables}, word::CacheLine};
///
/// let (basis, adder) = (Basis::draw(b"a seed", 3), OneLane::<Bandersnatch>::new());
/// let configuration = Configuration::single(3, Scalar::ORDER, Scheme::SignedWindows { b: 4 });
/// let tables = Tables::build(&adder, configuration, basis.rows())?;
/// let terms = [Term { position: 2, scalar: Scalar::from(5u64) }, Term { position: 0, scalar: Scalar::ONE }];
/// let mut memory = vec![CacheLine([0; 8]); lines_to_commit::<OneLane<Bandersnatch>>(tables.configuration(), 1, 2, 2)];
/// let expected = Obvious(&basis).commit_sparse_vartime(&terms);
/// commit_in_vartime(&adder, &tables, 2, [terms.into_iter()].into_iter(), &mut memory, |_, sum| assert_eq!(sum,
/// expected));
/// # Ok::<(), phalanx_engine::fixed_base::ConfigurationError>(())
/// ```
///
/// # Panics
/// If a position is not in the basis, if there are more terms than `all`, or if the memory has fewer lines than
/// [`lines_to_commit`] says.
pub fn commit_in_vartime<A: AffineAdder<Curve = Bandersnatch>, R: AsRef<[CacheLine]>>(
    adder: &A,
    tables: &fixed_base::Tables<Bandersnatch, R>,
    all: usize,
    vectors: impl ExactSizeIterator<Item = impl Iterator<Item = Term>>,
    memory: &mut [CacheLine],
    mut out: impl FnMut(usize, Element),
) {
    let count = vectors.len();
    // All of it is public.
    with_room(
        memory,
        lists(count, all),
        |_| {},
        |lists, numbers| {
            let (mut terms, mut ends) = (lists.list::<Placed>(all), lists.list::<usize>(count));
            let mut sums = lists.filled(count, Sum::<Bandersnatch>::infinity());
            for vector in vectors {
                let start = terms.len();
                vector.for_each(|term| terms.push((term.position, term.scalar.limbs())));
                let kept = put_in_order(&mut terms[start..]);
                terms.truncate(start + kept);
                ends.push(terms.len());
            }
            let start = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
            let vector = |i: usize| Vector::Sparse(&terms[start(i)..ends[i]]);
            tables.sums_in_vartime(adder, vector, &mut sums, numbers.rest());
            sums.iter().enumerate().for_each(|(i, sum)| out(i, Element::from_sum(*sum)));
        },
    );
}

/// Makes positions rise, as the engine wants them: others are sorted, and scalars of one position added up. Answers how
/// many terms are left.
fn put_in_order(terms: &mut [Placed]) -> usize {
    if terms.is_sorted_by(|(a, _), (b, _)| a < b) {
        return terms.len();
    }
    sort(terms);
    let mut last = 0;
    for next in 1..terms.len() {
        let (position, scalar) = terms[next];
        if terms[last].0 == position {
            let sum = Scalar::from_limbs_reduced(terms[last].1) + Scalar::from_limbs_reduced(scalar);
            terms[last].1 = sum.limbs();
        } else {
            last += 1;
            terms[last] = (position, scalar);
        }
    }
    last + 1
}

/// Sorts by positions, by heapsort: the sorting of the standard library recurses, and this code also goes where the
/// stack is bounded.
fn sort(terms: &mut [Placed]) {
    let sift = |heap: &mut [Placed], mut parent: usize| {
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
    fn positions_rise_and_repeat_no_more() {
        let mut word = 1u64;
        for length in 0..60 {
            let terms: Vec<Placed> = (0..length)
                .map(|_| {
                    word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) + 1;
                    ((word % 40) as usize, [word, 0, 0, 0])
                })
                .collect();
            let mut sorted = terms.clone();
            let kept = put_in_order(&mut sorted);
            let at = |position: usize| terms.iter().filter(move |term| term.0 == position);
            let sum = |position| at(position).map(|term| u128::from(term.1[0])).sum::<u128>();
            let expected: Vec<Placed> = (0..40)
                .filter(|position| at(*position).count() > 0)
                .map(|position| (position, [sum(position) as u64, (sum(position) >> 64) as u64, 0, 0]))
                .collect();
            assert_eq!(sorted[..kept], expected, "{length} terms");
        }
    }
}
