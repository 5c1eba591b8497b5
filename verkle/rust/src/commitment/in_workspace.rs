//! Commitments in a caller's memory: nothing is allocated.

use super::Term;
use crate::{Bandersnatch, Element};
use phalanx_engine::{affine_add::AffineAdder, fixed_base, word::CacheLine};

/// Calls `out` with the number of each vector and the commitment to it, by tables over a basis: the sum of each term's
/// scalar times the element at its position. Positions may come in any order, and repeat. The vectors have at most
/// `all` terms together. Variable time.
///
/// ```
/// use phalanx_banderwagon::{Bandersnatch, Basis, Commit, Obvious, Scalar, Term, commit_in_vartime};
/// use phalanx_engine::{affine_add::OneLane, fixed_base::{Configuration, Scheme, Tables}, word::CacheLine};
///
/// let (basis, adder) = (Basis::draw(b"a seed", 3), OneLane::<Bandersnatch>::new());
/// let configuration = Configuration::single(3, Scalar::ORDER, Scheme::SignedWindows { b: 4 });
/// let tables = Tables::build(&adder, configuration, basis.rows())?;
/// let terms = [Term { position: 2, scalar: Scalar::from(5u64) }, Term { position: 0, scalar: Scalar::ONE }];
/// let lines = tables.configuration().lines_of_terms::<OneLane<Bandersnatch>>(1, 2, 2);
/// let mut memory = vec![CacheLine([0; 8]); lines];
/// let expected = Obvious(&basis).commit_sparse_vartime(&terms);
/// commit_in_vartime(&adder, &tables, 2, [terms.into_iter()].into_iter(), &mut memory, |_, sum| assert_eq!(sum,
/// expected));
/// # Ok::<(), phalanx_engine::fixed_base::ConfigurationError>(())
/// ```
///
/// # Panics
/// If a position is not in the basis, if there are more terms than `all`, or if the memory has fewer lines than
/// [`Configuration::lines_of_terms`](fixed_base::Configuration::lines_of_terms) says.
pub fn commit_in_vartime<A: AffineAdder<Curve = Bandersnatch>, R: AsRef<[CacheLine]>>(
    adder: &A,
    tables: &fixed_base::Tables<Bandersnatch, R>,
    all: usize,
    vectors: impl ExactSizeIterator<Item = impl Iterator<Item = Term>>,
    memory: &mut [CacheLine],
    mut out: impl FnMut(usize, Element),
) {
    let vectors = vectors.map(|terms| terms.map(|term| (term.position, term.scalar.limbs())));
    tables.sums_of_terms_in_vartime(adder, all, vectors, memory, |i, sum| out(i, Element::from_sum(*sum)));
}
