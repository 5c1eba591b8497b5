//! Sums of public scalars by tables.

use super::{FixedBase, lanes::AdderWithWorkspace};
use crate::{Error, Point, Scalar};
use alloc::vec::Vec;
use phalanx_engine::fixed_base::Vector;

/// Computes sums over a [`FixedBase`] on the calling thread, with memory that it keeps from call to call.
pub struct FixedBaseSums<'a> {
    base: &'a FixedBase,
    means: AdderWithWorkspace,
}

impl<'a> FixedBaseSums<'a> {
    pub(super) fn new(base: &'a FixedBase) -> Self {
        FixedBaseSums { base, means: AdderWithWorkspace::of(base.backend) }
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
    /// Where the scalar of one point changes, the sum changes by that point times the difference.
    ///
    /// ```
    /// use phalanx::{Point, Scalar, msm::{FixedBase, Msm}};
    /// let base = FixedBase::build(&Msm::new(), &[Point::GENERATOR; 300], 1 << 20)?;
    /// let sum = base.sums().sum_sparse_vartime(&[(299, Scalar::from(3u64)), (7, Scalar::ONE)])?;
    /// assert_eq!(sum, Point::mul_generator(&Scalar::from(4u64)));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is no such point.
    pub fn sum_sparse_vartime(&mut self, terms: &[(usize, Scalar)]) -> Result<Point, Error> {
        terms.iter().try_for_each(|(point, _)| self.base.check(point.saturating_add(1)))?;
        let mut sum = [Point::IDENTITY];
        self.compute(&[Vector::Sparse(&in_order(terms))], &mut sum);
        let [sum] = sum;
        Ok(sum)
    }

    fn compute(&mut self, vectors: &[Vector<'_>], sums: &mut [Point]) {
        match &self.base.tables {
            Some(tables) => self.means.sums(tables, vectors, sums),
            None => sums.fill(Point::IDENTITY),
        }
    }
}

/// The terms by rising numbers of points, each of which is there once, with scalars as words.
fn in_order(terms: &[(usize, Scalar)]) -> Vec<(usize, [u64; 4])> {
    let mut places: Vec<(usize, usize)> = terms.iter().map(|(point, _)| *point).zip(0..).collect();
    places.sort_unstable();
    let of_point = |places: &[(usize, usize)]| {
        let sum = places.iter().fold(Scalar::ZERO, |sum, (_, place)| sum + terms[*place].1);
        (places[0].0, sum.limbs())
    };
    places.chunk_by(|(a, _), (b, _)| a == b).map(of_point).collect()
}
