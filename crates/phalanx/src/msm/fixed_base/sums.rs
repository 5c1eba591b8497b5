//! Sums of public scalars by tables.

use super::{FixedBase, lanes::AdderWithWorkspace};
use crate::{Error, Point, Scalar, backend::Threads};
use alloc::vec::Vec;
use phalanx_engine::fixed_base::{Vector, scalar_difference};

/// Computes sums over a [`FixedBase`], with memory that it keeps from call to call: on the calling thread, unless
/// [`FixedBaseSums::threads`] asks for more.
pub struct FixedBaseSums<'a> {
    base: &'a FixedBase,
    means: AdderWithWorkspace,
    threads: Threads,
}

/// The scalars of some points, as words.
type PlacedScalars = Vec<(usize, [u64; 4])>;

impl<'a> FixedBaseSums<'a> {
    pub(super) fn new(base: &'a FixedBase) -> Self {
        FixedBaseSums { base, means: AdderWithWorkspace::of(base.backend), threads: Threads::One }
    }

    /// The same on a given number of threads, which share the vectors of a call. One sum alone is computed on one.
    ///
    /// ```
    /// use phalanx::{Point, Scalar, msm::FixedBase};
    /// let base = FixedBase::build(&[Point::GENERATOR; 3], 1 << 16)?;
    /// let (vectors, mut sums) = (vec![&[Scalar::ONE][..]; 1000], vec![Point::IDENTITY; 1000]);
    /// base.sums().threads(2)?.sums_vartime(&vectors, &mut sums)?;
    /// assert_eq!(sums, [Point::GENERATOR; 1000]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ThreadsUnavailable`] for no threads, for ones that the system does not start, and without the feature
    /// `threads` for more than one.
    pub fn threads(self, count: usize) -> Result<Self, Error> {
        Ok(FixedBaseSums { threads: Threads::exactly(count)?, ..self })
    }

    /// The sum of `scalars[i]` times point i. There are at most as many scalars as points; the points behind the last
    /// one have zero. Variable time, for public scalars.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more scalars than points.
    pub fn sum_vartime(&mut self, scalars: &[Scalar]) -> Result<Point, Error> {
        let mut sum = [Point::IDENTITY];
        self.sums_vartime(&[scalars], &mut sum)?;
        let [sum] = sum;
        Ok(sum)
    }

    /// Writes the sum of each vector of scalars to its place in `sums`. Many are computed side by side. Variable time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if a vector has more scalars than there are points, or there are not as many places as
    /// vectors.
    pub fn sums_vartime(&mut self, vectors: &[&[Scalar]], sums: &mut [Point]) -> Result<(), Error> {
        Error::check_lengths(vectors.len(), sums.len())?;
        vectors.iter().try_for_each(|scalars| self.base.check(scalars.len()))?;
        let limbs: Vec<Vec<[u64; 4]>> =
            vectors.iter().map(|scalars| scalars.iter().map(Scalar::limbs).collect()).collect();
        let vectors: Vec<Vector<'_>> = limbs.iter().map(|scalars| Vector::Dense(scalars)).collect();
        self.compute(&vectors, sums);
        Ok(())
    }

    /// The sum of these scalars times the points of these numbers, from 0 on. They may come in any order, and of a
    /// point that is there twice both scalars count. Variable time.
    ///
    /// ```
    /// use phalanx::{Point, Scalar, msm::FixedBase};
    /// let base = FixedBase::build(&[Point::GENERATOR; 300], 1 << 20)?;
    /// let sum = base.sums().sum_sparse_vartime(&[(299, Scalar::from(3u64)), (7, Scalar::ONE)])?;
    /// assert_eq!(sum, Point::mul_generator(&Scalar::from(4u64)));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is no such point.
    pub fn sum_sparse_vartime(&mut self, terms: &[(usize, Scalar)]) -> Result<Point, Error> {
        let mut sum = [Point::IDENTITY];
        self.sums_sparse_vartime(&[terms], &mut sum)?;
        let [sum] = sum;
        Ok(sum)
    }

    /// As [`FixedBaseSums::sum_sparse_vartime`], of many: writes the sum of each vector to its place in `sums`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is no such point, or there are not as many places as vectors.
    pub fn sums_sparse_vartime(&mut self, vectors: &[&[(usize, Scalar)]], sums: &mut [Point]) -> Result<(), Error> {
        Error::check_lengths(vectors.len(), sums.len())?;
        vectors.iter().flat_map(|terms| *terms).try_for_each(|(point, _)| self.base.check(point.saturating_add(1)))?;
        let terms: Vec<PlacedScalars> = vectors.iter().map(|terms| in_order(terms)).collect();
        let vectors: Vec<Vector<'_>> = terms.iter().map(|terms| Vector::Sparse(terms)).collect();
        self.compute(&vectors, sums);
        Ok(())
    }

    /// The sum after the scalar of one point has changed from `old` to `new`. `old` is trusted. Variable time.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn update_vartime(&mut self, sum: &Point, point: usize, old: &Scalar, new: &Scalar) -> Point {
        assert!(point < self.base.points.len(), "there is no point {point}");
        let difference = [(point, scalar_difference(&new.limbs(), &old.limbs(), &Scalar::ORDER))];
        let mut change = [Point::IDENTITY];
        self.compute(&[Vector::Sparse(&difference)], &mut change);
        *sum + change[0]
    }

    fn compute(&mut self, vectors: &[Vector<'_>], sums: &mut [Point]) {
        let Some(tables) = &self.base.tables else { return sums.fill(Point::IDENTITY) };
        if self.threads.count() == 1 {
            return self.means.sums(tables, vectors, sums);
        }
        let backend = self.base.backend;
        self.threads.fill(sums, |range, sums| AdderWithWorkspace::of(backend).sums(tables, &vectors[range], sums));
    }
}

/// The terms by rising numbers of points, each of which is there once.
fn in_order(terms: &[(usize, Scalar)]) -> PlacedScalars {
    let mut places: Vec<(usize, usize)> = terms.iter().map(|(point, _)| *point).zip(0..).collect();
    places.sort_unstable();
    let of_point = |places: &[(usize, usize)]| {
        let sum = places.iter().fold(Scalar::ZERO, |sum, (_, place)| sum + terms[*place].1);
        (places[0].0, sum.limbs())
    };
    places.chunk_by(|(a, _), (b, _)| a == b).map(of_point).collect()
}
