//! Tables in memory, and sums over them.

use super::{
    build::fill,
    configuration::{Configuration, ConfigurationError},
    horner::horner,
    limits::{INSTEAD_OF_DOUBLES_UP_TO, ONE_AFTER_THE_OTHER_UP_TO, PAIRS_PER_ROUND, REFERENCES_AT_ONCE, SPREAD_UP_TO},
    rounds::sum_sets,
    spread,
    vector::Vector,
    workspace::WorkspaceOf,
};
use crate::{
    affine_add::AffineAdder,
    curve::Curve,
    large_pages::room_for_rows,
    msm::Sum,
    word::{CacheLine, Machine, Op, Word},
};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// Tables of a configuration over a basis of points of the curve `C`, in rows that may be anywhere in memory.
#[derive(Clone, Debug)]
pub struct Tables<C, R = Vec<CacheLine>> {
    configuration: Configuration,
    rows: R,
    /// Whether an entry that some sum may add is infinity.
    infinity: bool,
    curve: PhantomData<C>,
}

impl<C: Curve> Tables<C> {
    /// Builds the tables of a configuration over a basis, whose points are rows (see [`crate::lanes::write_entry`]).
    ///
    /// Any points of the group whose order the configuration names are allowed: equal ones, opposite ones, and infinity.
    ///
    /// # Errors
    /// If the configuration does not pass [`Configuration::check`].
    ///
    /// # Panics
    /// If the basis is not as long as the configuration says.
    pub fn build<A: AffineAdder<Curve = C>>(
        adder: &A,
        configuration: Configuration,
        basis: &[CacheLine],
    ) -> Result<Self, ConfigurationError> {
        configuration.check()?;
        let rows = room_for_rows(configuration.rows());
        Self::build_in(adder, configuration, basis, rows)
    }
}

impl<C: Curve> Tables<C, Vec<CacheLine>> {
    /// As [`Tables::build`], in memory that the caller gives and that grows to the rows of the configuration.
    ///
    /// # Errors
    /// If the configuration does not pass [`Configuration::check`].
    ///
    /// # Panics
    /// If the basis is not as long as the configuration says.
    pub fn build_in<A: AffineAdder<Curve = C>>(
        adder: &A,
        configuration: Configuration,
        basis: &[CacheLine],
        memory: Vec<CacheLine>,
    ) -> Result<Self, ConfigurationError> {
        configuration.check()?;
        assert_eq!(basis.len(), configuration.points, "a basis of another length than the configuration's");
        let mut rows = memory;
        rows.clear();
        rows.reserve_exact(configuration.rows());
        let mut infinity = false;
        for (table, spec) in configuration.tables.iter().enumerate() {
            let layout = configuration.layout(table);
            infinity |= fill(adder, &layout, &basis[spec.places.clone()], &mut rows);
        }
        let infinity = infinity && configuration.has_infinity(&rows);
        Ok(Tables { configuration, rows, infinity, curve: PhantomData })
    }
}

impl<C: Curve, R: AsRef<[CacheLine]>> Tables<C, R> {
    /// Tables of rows that were built of this configuration.
    pub(super) fn of_rows(configuration: Configuration, rows: R) -> Self {
        let infinity = configuration.has_infinity(rows.as_ref());
        Tables { configuration, rows, infinity, curve: PhantomData }
    }

    /// The configuration.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The rows of all tables.
    pub fn rows(&self) -> &[CacheLine] {
        self.rows.as_ref()
    }

    /// The same tables, with their rows held in another way.
    ///
    /// # Panics
    /// If these are not as many rows.
    pub fn hold<S: AsRef<[CacheLine]>>(self, held: impl FnOnce(R) -> S) -> Tables<C, S> {
        let Tables { configuration, rows, infinity, curve } = self;
        let rows = held(rows);
        assert_eq!(rows.as_ref().len(), configuration.rows(), "the rows of the tables");
        Tables { configuration, rows, infinity, curve }
    }

    /// Gives the rows back.
    pub fn into_rows(self) -> R {
        self.rows
    }

    /// The sum of scalars times basis points. Variable time.
    ///
    /// # Panics
    /// If the vector is not one over this basis.
    pub fn sum_vartime<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        vector: Vector<'_>,
        workspace: &mut WorkspaceOf<A>,
    ) -> Sum<C> {
        let mut sum = [Sum::<C>::infinity()];
        self.sums_vartime(adder, &[vector], &mut sum, workspace);
        let [sum] = sum;
        sum
    }

    /// Writes the sum of each vector. Many at once are summed side by side. Variable time.
    ///
    /// # Panics
    /// If a vector is not one over this basis, or there are not as many sums as vectors.
    pub fn sums_vartime<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        vectors: &[Vector<'_>],
        sums: &mut [Sum<C>],
        workspace: &mut WorkspaceOf<A>,
    ) {
        assert_eq!(vectors.len(), sums.len());
        let infinite = self.infinity.then(|| self.rows());
        let (mut vectors, mut sums) = (vectors, sums);
        while !vectors.is_empty() {
            workspace.begin();
            let mut count = 0;
            while count < vectors.len()
                && workspace.sets.len() < PAIRS_PER_ROUND
                && workspace.entries.len() < REFERENCES_AT_ONCE
            {
                workspace.list(&self.configuration, vectors[count], infinite);
                count += 1;
            }
            let (now, later) = sums.split_at_mut(count);
            self.sum_listed(adder, now, workspace);
            (vectors, sums) = (&vectors[count..], later);
        }
    }

    fn sum_listed<A: AffineAdder<Curve = C>>(&self, adder: &A, sums: &mut [Sum<C>], workspace: &mut WorkspaceOf<A>) {
        if let [sum] = sums {
            let entries = workspace.entries_of_vector(0);
            // Known when this is compiled: then one lane has no code of eight.
            let (in_one_lane, in_eight) = if const { A::LANES == 1 } {
                (ONE_AFTER_THE_OTHER_UP_TO, 0)
            } else if adder.machine().run(InDoubles) {
                (INSTEAD_OF_DOUBLES_UP_TO, 0)
            } else {
                (0, SPREAD_UP_TO)
            };
            if entries <= in_one_lane {
                *sum = spread::one_after_the_other::<A>(self.rows(), workspace);
                return;
            }
            if const { A::LANES > 1 } && entries <= in_eight {
                *sum = spread::sum(adder, self.rows(), workspace);
                return;
            }
        }
        sum_sets(adder, self.rows(), workspace);
        horner(adder, workspace, sums);
    }
}

/// Whether the words multiply by doubles.
struct InDoubles;

impl Op for InDoubles {
    type Output = bool;

    #[inline(always)]
    fn call<W: Word>(self) -> bool {
        W::IN_DOUBLES
    }
}
