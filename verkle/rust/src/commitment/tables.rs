//! Commitments by tables of multiples of the basis, which are computed once (the engine's `fixed_base`).

use super::{Commit, Term, TermLists, in_workspace::commit_in_vartime};
use crate::{Bandersnatch, Basis, Element, Scalar};
use alloc::vec::Vec;
use phalanx_engine::{
    affine_add::AffineAdder,
    fixed_base::{self, Configuration, ConfigurationError, Rule, Scheme, StoredRows, TableSpec},
    lanes::INFINITY,
    word::CacheLine,
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
    pub(super) tables: fixed_base::Tables<Bandersnatch, StoredRows>,
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
        Ok(Tables { basis, tables: tables.hold(StoredRows::Built) })
    }

    /// A configuration for the work of a Verkle tree over 256 elements, of 138 MiB. The first five elements, which keys
    /// and leaves commit over, have windows of 14 bits, where short scalars are cheap; the others have the comb of
    /// signed digits with 8 columns. Vectors with more than 200 scalars have a comb of their own, with 85 columns,
    /// whose windows serve five elements at once. `lab/trials.md` of the repository, "Fixed bases", has what this was
    /// measured beside.
    pub fn verkle_configuration() -> Configuration {
        let table = |scheme, places| TableSpec { scheme, places };
        let all = Basis::VERKLE_LENGTH;
        Configuration {
            points: all,
            order: Scalar::ORDER,
            tables: [
                table(Scheme::SignedWindows { b: 14 }, 0..5),
                table(Scheme::SignedComb { t: 8, b: 11, group: 1 }, 5..all),
                table(Scheme::SignedComb { t: 85, b: 15, group: 5 }, 0..all),
            ]
            .into(),
            rules: [Rule { nonzero: 200, tables: [0, 1].into() }, Rule { nonzero: all, tables: [2].into() }].into(),
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
    lines: Vec<CacheLine>,
}

/// How many vectors are summed at once.
const VECTORS_AT_ONCE: usize = 1 << 10;

impl<'a, A: AffineAdder<Curve = Bandersnatch>> Committer<'a, A> {
    /// Commits by these tables.
    pub fn new(adder: A, tables: &'a Tables) -> Self {
        Committer { adder, tables, lines: Vec::new() }
    }

    /// Commits to vectors of at most so many terms each, and so many together.
    fn commit<'t>(
        &mut self,
        [longest, all]: [usize; 2],
        vectors: impl ExactSizeIterator<Item = &'t [Term]>,
        out: &mut [Element],
    ) {
        let tables = &self.tables.tables;
        let lines = tables.configuration().lines_of_terms::<A>(vectors.len(), longest, all);
        if self.lines.len() < lines {
            self.lines.resize(lines, INFINITY);
        }
        let vectors = vectors.map(|terms| terms.iter().copied());
        commit_in_vartime(&self.adder, tables, all, vectors, &mut self.lines, |i, sum| out[i] = sum);
    }
}

impl<A: AffineAdder<Curve = Bandersnatch>> Commit for Committer<'_, A> {
    fn basis(&self) -> &Basis {
        &self.tables.basis
    }

    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element {
        let mut sum = [Element::identity()];
        self.commit([terms.len(); 2], [terms].into_iter(), &mut sum);
        let [sum] = sum;
        sum
    }

    fn commit_many_vartime(&mut self, lists: &TermLists, out: &mut [Element]) {
        assert_eq!(lists.len(), out.len(), "a place per list");
        for (block, out) in out.chunks_mut(VECTORS_AT_ONCE).enumerate() {
            let vectors = || (0..out.len()).map(|i| lists.get(block * VECTORS_AT_ONCE + i));
            let (longest, all) =
                vectors().fold((0, 0), |(longest, all), terms| (terms.len().max(longest), all + terms.len()));
            let vectors: Vec<&[Term]> = vectors().collect();
            self.commit([longest, all], vectors.into_iter(), out);
        }
    }
}
