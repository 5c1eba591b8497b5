//! The fastest way to commit on the CPU at hand, chosen when the program runs.

use super::{Commit, Committer, Tables, Term, TermLists, known_answers::is_right};
use crate::{Bandersnatch, Basis, Element};
use core::fmt;
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{Configuration, ConfigurationError},
    word::VectorUnit,
};

/// What the additions of a commitment run on.
#[derive(Clone, Copy, Debug)]
pub enum Lanes {
    /// One lane of 64-bit words, on any CPU.
    One(OneLane<Bandersnatch>),
    /// Eight lanes of a vector unit. Where it multiplies by doubles, short sums that are alone still run on one lane.
    Eight(EightLanes<VectorUnit, Bandersnatch>),
}

impl Lanes {
    /// One lane, whatever the CPU can do.
    pub const fn one() -> Lanes {
        Lanes::One(OneLane::new())
    }

    /// The fastest that the CPU has and that prove themselves: a vector unit must commit as one lane does, to a few
    /// vectors, when it is first asked for. Without the feature `std` nobody can ask the CPU, and this is
    /// [`Lanes::one`]; so it is in a build without optimisation, where eight lanes want more stack than a thread has.
    pub fn detect() -> Lanes {
        VectorUnit::tested().find(|unit| is_right(*unit)).map_or(Lanes::one(), Lanes::of)
    }

    /// Those of this name, if the CPU has them, they prove themselves and this build has code for them: `portable` is
    /// one lane; `fma`, `fma512`, `ifma` and `neon` are the vector units of the library Phalanx.
    pub fn named(name: &str) -> Option<Lanes> {
        if name == "portable" {
            return Some(Lanes::one());
        }
        VectorUnit::detect(name).filter(|unit| is_right(*unit)).map(Lanes::of)
    }

    /// The eight of a vector unit.
    const fn of(unit: VectorUnit) -> Lanes {
        Lanes::Eight(EightLanes::new(unit))
    }

    /// Builds the tables of a configuration: see [`Tables::build`].
    ///
    /// # Errors
    /// As [`Tables::build`] says.
    pub fn build(self, basis: Basis, configuration: Configuration) -> Result<Tables, ConfigurationError> {
        match self {
            Lanes::One(adder) => Tables::build(&adder, basis, configuration),
            Lanes::Eight(adder) => Tables::build(&adder, basis, configuration),
        }
    }

    /// A committer by these tables.
    pub fn committer(self, tables: &Tables) -> LanesCommitter<'_> {
        match self {
            Lanes::One(adder) => LanesCommitter::One(Committer::new(adder, tables)),
            Lanes::Eight(adder) => LanesCommitter::Eight(Committer::new(adder, tables)),
        }
    }
}

/// The name that [`Lanes::named`] takes.
impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lanes::One(_) => "portable",
            Lanes::Eight(adder) => adder.machine().name(),
        })
    }
}

/// A [`Committer`] on [`Lanes`].
///
/// ```
/// use phalanx_banderwagon::{Basis, Commit, Lanes, Obvious, Scalar};
/// use phalanx_engine::fixed_base::{Configuration, Scheme};
///
/// let basis = Basis::draw(b"a seed", 3);
/// let lanes = Lanes::detect();
/// let tables = lanes.build(basis.clone(), Configuration::single(3, Scalar::ORDER, Scheme::SignedWindows { b: 4 }))?;
/// let scalars = [1u64, 2, 3].map(Scalar::from);
/// assert_eq!(lanes.committer(&tables).commit_vartime(&scalars), Obvious(&basis).commit_vartime(&scalars));
/// # Ok::<(), phalanx_engine::fixed_base::ConfigurationError>(())
/// ```
pub enum LanesCommitter<'a> {
    /// On one lane.
    One(Committer<'a, OneLane<Bandersnatch>>),
    /// On eight lanes.
    Eight(Committer<'a, EightLanes<VectorUnit, Bandersnatch>>),
}

impl Commit for LanesCommitter<'_> {
    fn basis(&self) -> &Basis {
        match self {
            LanesCommitter::One(committer) => committer.basis(),
            LanesCommitter::Eight(committer) => committer.basis(),
        }
    }

    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element {
        match self {
            LanesCommitter::One(committer) => committer.commit_sparse_vartime(terms),
            LanesCommitter::Eight(committer) => committer.commit_sparse_vartime(terms),
        }
    }

    fn commit_many_vartime(&mut self, lists: &TermLists, out: &mut [Element]) {
        match self {
            LanesCommitter::One(committer) => committer.commit_many_vartime(lists, out),
            LanesCommitter::Eight(committer) => committer.commit_many_vartime(lists, out),
        }
    }
}
