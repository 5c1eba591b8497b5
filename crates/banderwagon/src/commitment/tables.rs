//! Commitments by tables of multiples of the basis, which are computed once (the engine's `fixed_base`).

use super::{Commit, Term, TermLists};
use crate::{Bandersnatch, Basis, Element, Scalar};
use alloc::vec::Vec;
use phalanx_engine::{
    affine_add::AffineAdder,
    fixed_base::{self, Configuration, ConfigurationError, HeldRows, Rule, Scheme, TableSpec, Vector, WorkspaceOf},
    msm::Sum,
};

/// Tables over a basis. Threads may share them, each with a [`Committer`] of its own.
///
/// ```
/// use phalanx_banderwagon::{Bandersnatch, Basis, Commit, Committer, Obvious, Scalar, Tables};
/// use phalanx_engine::affine_add::OneLane;
/// use phalanx_engine::fixed_base::{Configuration, Scheme};
///
/// let basis = Basis::draw(b"a seed", 3);
/// let configuration = Configuration::single(3, Scalar::ORDER, Scheme::SignedWindows { b: 4 });
/// let tables = Tables::build(&OneLane::new(), basis.clone(), configuration)?;
/// let scalars = [1u64, 2, 3].map(Scalar::from);
/// let mut committer = Committer::new(OneLane::new(), &tables);
/// assert_eq!(committer.commit_vartime(&scalars), Obvious(&basis).commit_vartime(&scalars));
/// # Ok::<(), phalanx_engine::fixed_base::ConfigurationError>(())
/// ```
pub struct Tables {
    pub(super) basis: Basis,
    pub(super) tables: fixed_base::Tables<Bandersnatch, HeldRows>,
}

/// Whether a configuration is one over this group and a basis of this length.
pub(super) fn fits(basis: &Basis, configuration: &Configuration) -> Result<(), ConfigurationError> {
    if configuration.order != Scalar::ORDER {
        return Err(ConfigurationError::Order);
    }
    if configuration.points == basis.len() { Ok(()) } else { Err(ConfigurationError::Places(0)) }
}

impl Tables {
    /// Builds the tables of a configuration, whose order must be [`Scalar::ORDER`]. Takes about six multiplications per
    /// entry. Variable time.
    ///
    /// # Errors
    /// If the configuration is none over this basis; one of another order is refused as [`ConfigurationError::Order`],
    /// one of another number of points as [`ConfigurationError::Places`].
    pub fn build<A: AffineAdder<Curve = Bandersnatch>>(
        adder: &A,
        basis: Basis,
        configuration: Configuration,
    ) -> Result<Tables, ConfigurationError> {
        fits(&basis, &configuration)?;
        let tables = fixed_base::Tables::build(adder, configuration, basis.rows())?;
        Ok(Tables { basis, tables: tables.hold(HeldRows::Built) })
    }

    /// A configuration for the work of a Verkle tree over 256 elements, of 138 MiB. The first five elements, which keys
    /// and leaves commit over, have windows of 14 bits, where short scalars are cheap; the others have the comb of signed
    /// digits with 8 columns. Vectors with more than 200 scalars have a comb of their own, with 85 columns, whose
    /// windows serve five elements at once. `docs/fixed-base.md` of the repository has what this was measured beside.
    pub fn verkle_configuration() -> Configuration {
        let table = |scheme, places| TableSpec { scheme, places };
        let all = Basis::VERKLE_LENGTH;
        Configuration {
            points: all,
            order: Scalar::ORDER,
            tables: Vec::from([
                table(Scheme::SignedWindows { b: 14 }, 0..5),
                table(Scheme::SignedComb { t: 8, b: 11, group: 1 }, 5..all),
                table(Scheme::SignedComb { t: 85, b: 15, group: 5 }, 0..all),
            ]),
            rules: Vec::from([
                Rule { nonzero: 200, tables: Vec::from([0, 1]) },
                Rule { nonzero: all, tables: Vec::from([2]) },
            ]),
        }
    }

    /// The basis.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The configuration.
    pub fn configuration(&self) -> &Configuration {
        self.tables.configuration()
    }
}

/// Commits by tables, on one lane or on eight, with the memory of one thread.
pub struct Committer<'a, A: AffineAdder<Curve = Bandersnatch>> {
    adder: A,
    tables: &'a Tables,
    workspace: WorkspaceOf<A>,
    /// The terms of all vectors at hand, by rising positions in each, and where each vector ends.
    terms: Vec<(usize, [u64; 4])>,
    ends: Vec<usize>,
    sums: Vec<Sum<Bandersnatch>>,
}

/// How many vectors are summed at once.
const VECTORS_AT_ONCE: usize = 1 << 10;

impl<'a, A: AffineAdder<Curve = Bandersnatch>> Committer<'a, A> {
    /// Commits by these tables.
    pub fn new(adder: A, tables: &'a Tables) -> Self {
        let (terms, ends, sums) = (Vec::new(), Vec::new(), Vec::new());
        Committer { adder, tables, workspace: WorkspaceOf::<A>::default(), terms, ends, sums }
    }

    /// Keeps a vector. The engine wants positions that rise: others are sorted, and scalars of one position added up.
    fn keep(&mut self, terms: &[Term]) {
        let start = self.terms.len();
        self.terms.extend(terms.iter().map(|term| (term.position, term.scalar.limbs())));
        let kept = &mut self.terms[start..];
        if !kept.is_sorted_by(|(a, _), (b, _)| a < b) {
            kept.sort_unstable_by_key(|(position, _)| *position);
            let mut last = start;
            for next in start + 1..self.terms.len() {
                let (position, scalar) = self.terms[next];
                if self.terms[last].0 == position {
                    let sum = Scalar::from_limbs_reduced(self.terms[last].1) + Scalar::from_limbs_reduced(scalar);
                    self.terms[last].1 = sum.limbs();
                } else {
                    last += 1;
                    self.terms[last] = (position, scalar);
                }
            }
            self.terms.truncate(last + 1);
        }
        self.ends.push(self.terms.len());
    }

    /// Forgets all vectors: also those of a call that panicked, which a caller may have caught.
    fn begin(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Sums the vectors that were kept.
    fn sum(&mut self) {
        let Committer { adder, tables, workspace, terms, ends, sums } = self;
        sums.clear();
        sums.resize(ends.len(), Sum::<Bandersnatch>::infinity());
        let starts = [0].into_iter().chain(ends.iter().copied());
        let vectors: Vec<Vector<'_>> =
            starts.zip(&*ends).map(|(start, end)| Vector::Sparse(&terms[start..*end])).collect();
        tables.tables.sums_vartime(adder, &vectors, sums, workspace);
    }
}

impl<A: AffineAdder<Curve = Bandersnatch>> Commit for Committer<'_, A> {
    fn basis(&self) -> &Basis {
        &self.tables.basis
    }

    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element {
        self.begin();
        self.keep(terms);
        self.sum();
        Element::from_sum(self.sums[0])
    }

    fn commit_many_vartime(&mut self, lists: &TermLists, out: &mut [Element]) {
        assert_eq!(lists.len(), out.len(), "a place per list");
        for (block, out) in out.chunks_mut(VECTORS_AT_ONCE).enumerate() {
            self.begin();
            (0..out.len()).for_each(|i| self.keep(lists.get(block * VECTORS_AT_ONCE + i)));
            self.sum();
            out.iter_mut().zip(&self.sums).for_each(|(out, sum)| *out = Element::from_sum(*sum));
        }
    }
}
