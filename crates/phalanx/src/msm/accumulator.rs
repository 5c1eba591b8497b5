//! A sum whose terms come in pieces.

use super::{Msm, PointInput};
use crate::{Error, Point, Scalar};

/// Sums products as they arrive: for inputs that do not fit memory, or are not there all at once.
///
/// Each piece is a sum of its own, so that long pieces (thousands of terms) cost least.
///
/// ```
/// use phalanx::{Point, Scalar, msm::Msm};
/// let msm = Msm::new();
/// let mut sum = msm.accumulator();
/// for piece in 0..3u64 {
///     sum.add(&[Scalar::from(piece); 4], &[Point::GENERATOR; 4])?;
/// }
/// assert_eq!(sum.finish(), Point::mul_generator(&Scalar::from(12u64)));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug)]
pub struct Accumulator<'a> {
    msm: &'a Msm,
    sum: Point,
}

impl<'a> Accumulator<'a> {
    pub(super) fn new(msm: &'a Msm) -> Self {
        Accumulator { msm, sum: Point::IDENTITY }
    }

    /// Adds the products of a piece.
    ///
    /// # Errors
    /// As [`super::sum_of_products`]; the sum is then what it was.
    pub fn add<P: PointInput>(&mut self, scalars: &[Scalar], points: &[P]) -> Result<(), Error> {
        self.sum += self.msm.sum_of_products(scalars, points)?;
        Ok(())
    }

    /// The sum of all products so far.
    pub fn finish(self) -> Point {
        self.sum
    }
}
