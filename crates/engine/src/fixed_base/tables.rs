//! Tables in memory, and sums over them.

use super::{
    across_lanes,
    configuration::{Configuration, ConfigurationError},
    horner::horner,
    limits::{INSTEAD_OF_DOUBLES_UP_TO, ONE_AFTER_THE_OTHER_UP_TO, SPREAD_UP_TO},
    rounds::sum_sets,
    vector::Vector,
    workspace::{Listed, Needs, Workspace},
};
use crate::{
    affine_add::{AffineAdder, ArenaProducts, RoundsOf},
    curve::Curve,
    lanes::INFINITY,
    large_pages::room_for_rows,
    msm::Sum,
    word::{CacheLine, Machine, Op, Word},
};
use alloc::{vec, vec::Vec};
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
    /// Any points of the group whose order the configuration names are allowed: equal ones, opposite ones, and
    /// infinity.
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
        let mut rows = room_for_rows(configuration.rows());
        rows.resize(configuration.rows(), INFINITY);
        let infinity = fill(adder, &configuration, basis, &mut rows);
        Ok(Tables { configuration, rows, infinity, curve: PhantomData })
    }
}

/// Writes the rows of all tables. Says whether some entry is infinity.
pub(super) fn fill<A: AffineAdder>(
    adder: &A,
    configuration: &Configuration,
    basis: &[CacheLine],
    rows: &mut [CacheLine],
) -> bool {
    let parts = || configuration.parts(usize::MAX);
    let most = parts().map(|part| configuration.lines_of_part::<A>(&part)).max().unwrap_or(0);
    let mut memory = vec![INFINITY; most];
    let mut infinity = false;
    for part in parts() {
        let rows = &mut rows[part.rows.clone()];
        infinity |= configuration.build_part(adder, &part, basis, rows, &mut memory);
    }
    infinity && configuration.has_infinity(rows)
}

impl<C: Curve, R: AsRef<[CacheLine]>> Tables<C, R> {
    /// Tables of rows that were built of this configuration.
    pub(super) fn of_rows(configuration: Configuration, rows: R) -> Self {
        let infinity = configuration.has_infinity(rows.as_ref());
        Tables { configuration, rows, infinity, curve: PhantomData }
    }

    /// Tables of rows that [`Configuration::build_part`] has written, all parts of this configuration. Of other rows
    /// the sums are wrong. `infinity` is whether some part said that it met infinity.
    ///
    /// # Errors
    /// If the configuration does not pass [`Configuration::check`].
    ///
    /// # Panics
    /// If these are not as many rows.
    pub fn of_parts(configuration: Configuration, rows: R, infinity: bool) -> Result<Self, ConfigurationError> {
        configuration.check()?;
        assert_eq!(rows.as_ref().len(), configuration.rows(), "the rows of the tables");
        Ok(Tables { configuration, rows, infinity, curve: PhantomData })
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

    /// Writes the sum of each vector. Many at once are summed side by side. Variable time.
    ///
    /// # Panics
    /// If a vector is not one over this basis, or there are not as many sums as vectors.
    pub fn sums_vartime<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        vectors: &[Vector<'_>],
        sums: &mut [Sum<C>],
        workspace: &mut Workspace,
    ) {
        assert_eq!(vectors.len(), sums.len());
        let mut done = 0;
        while done < sums.len() {
            let vector = |i: usize| vectors[done + i];
            let (count, needs) = self.together(sums.len() - done, vector, |_| true);
            let lines = workspace.lines(needs.lines::<A>());
            self.sum_together(adder, vector, &mut sums[done..done + count], needs, lines);
            done += count;
        }
    }

    /// Writes the sum of `vector(i)` to `sums[i]`, in a caller's memory: in less than [`Configuration::lines`] says for
    /// all of them, fewer are summed side by side. Variable time.
    ///
    /// # Panics
    /// If a vector is not one over this basis, or if the memory is too small for one of them alone.
    pub fn sums_in_vartime<'v, A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        vector: impl Fn(usize) -> Vector<'v>,
        sums: &mut [Sum<C>],
        memory: &mut [CacheLine],
    ) {
        let (room, mut done) = (memory.len(), 0);
        while done < sums.len() {
            let vector = |i: usize| vector(done + i);
            let fit = |needs: &Needs| needs.lines::<A>() <= room;
            let (count, needs) = self.together(sums.len() - done, vector, fit);
            self.sum_together(adder, vector, &mut sums[done..done + count], needs, memory);
            done += count;
        }
    }

    /// How many of the first vectors are summed side by side, at least one, and what their lists hold.
    fn together<'v>(
        &self,
        most: usize,
        vector: impl Fn(usize) -> Vector<'v>,
        fit: impl Fn(&Needs) -> bool,
    ) -> (usize, Needs) {
        let (mut needs, mut count) = (Needs::default(), 0);
        while count < most {
            let more = needs.and(Needs::of(&self.configuration, vector(count).len()));
            if count > 0 && (needs.are_enough() || !fit(&more)) {
                break;
            }
            (needs, count) = (more, count + 1);
        }
        (count, needs)
    }

    fn sum_together<'v, A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        vector: impl Fn(usize) -> Vector<'v>,
        sums: &mut [Sum<C>],
        needs: Needs,
        memory: &mut [CacheLine],
    ) {
        let infinite = self.infinity.then(|| self.rows());
        needs.with_lists::<A, _>(memory, |listed, work| {
            (0..sums.len()).for_each(|i| listed.list(&self.configuration, vector(i), infinite));
            self.sum_listed(adder, sums, listed, work);
        });
    }

    fn sum_listed<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        sums: &mut [Sum<C>],
        listed: &mut Listed<'_>,
        work: &mut ArenaProducts<'_, A::Kept>,
    ) {
        if let [sum] = sums {
            let entries = listed.entries_of_vector(0);
            // Known when this is compiled: then one lane has no code of eight.
            let (in_one_lane, in_eight) = if const { A::LANES == 1 } {
                (ONE_AFTER_THE_OTHER_UP_TO, 0)
            } else if adder.machine().run(InDoubles) {
                (INSTEAD_OF_DOUBLES_UP_TO, 0)
            } else {
                (0, SPREAD_UP_TO)
            };
            if entries <= in_one_lane {
                *sum = across_lanes::one_after_the_other::<C>(self.rows(), listed);
                return;
            }
            if const { A::LANES > 1 } && entries <= in_eight {
                *sum = across_lanes::sum(adder, self.rows(), listed);
                return;
            }
        }
        sum_sets::<C>(&mut RoundsOf { adder, work }, self.rows(), listed);
        horner(adder, listed, sums);
    }
}

impl Configuration {
    /// The lines of memory in which so many vectors of at most so many terms each are summed side by side by
    /// [`Tables::sums_in_vartime`]. It takes fewer for fewer.
    pub fn lines<A: AffineAdder>(&self, vectors: usize, terms: usize) -> usize {
        let one = Needs::of(self, terms.min(self.points));
        let (mut needs, mut count) = (one, 1);
        while count < vectors && !needs.are_enough() {
            (needs, count) = (needs.and(one), count + 1);
        }
        needs.lines::<A>()
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
