//! Sums over points that never change, such as Pedersen vector commitments. They use tables that are computed once.
//!
//! | file | holds |
//! |---|---|
//! | this one | points with their tables, and sums of secret scalars |
//! | `sums` | sums by the tables |
//! | `one_thread` | tables and sums in memory that the caller lends |
//! | `saved` | tables as files |
//! | `lanes` | the unit on which a backend adds, with the memory of one thread |

mod lanes;
mod one_thread;
mod saved;
mod sums;

pub use one_thread::{FixedBasePlan, FixedBaseTables};
#[cfg(feature = "mmap")]
pub use saved::MapError;
pub use sums::FixedBaseSums;

use super::{Msm, PointInput, input::PointStore};
use crate::{Error, Point, Scalar, backend::Backend, group::Secp256k1, tables::Entry};
use alloc::{vec, vec::Vec};
use core::fmt;
use lanes::{ChosenAdder, on};
use phalanx_engine::{
    fixed_base::{Configuration, Load, Request, Scheme, StoredRows, Tables},
    lanes::INFINITY,
};

/// Points, and tables of their multiples. Threads may share one, each with a [`FixedBaseSums`] of its own.
///
/// A commitment to scalars v_0 to v_(n-1) with a blinding r is v_0 P_0 + ... + v_(n-1) P_(n-1) + r H: give H as one
/// more point. It hides the scalars only where nobody sees how long it took, so **for secret scalars take
/// [`FixedBase::commit`]**, which is constant time. Sums that say `_vartime` are for public scalars.
///
/// ```
/// use phalanx::{Point, Scalar, msm::{self, FixedBase, Msm}};
/// let points: Vec<Point> = (1..=3u64).map(|i| Point::mul_generator(&Scalar::from(i))).collect();
/// let base = FixedBase::build(&Msm::new(), &points, 1 << 20)?;
/// let scalars = [7u64, 8, 9].map(Scalar::from);
/// let sum = base.sums().sum_vartime(&scalars)?;
/// assert_eq!(sum, msm::sum_of_products(&scalars, &points)?);
/// assert_eq!(sum, base.commit(&scalars)?);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub struct FixedBase {
    points: Vec<Point>,
    /// None where there are no points.
    tables: Option<Tables<Secp256k1, StoredRows>>,
    backend: Backend,
}

impl FixedBase {
    /// Computes tables of at most so many bytes over the points, on the backend of `msm` and the calling thread. Any
    /// points are allowed. With too little memory for any table the smallest is built, of 256 bytes per point. Variable
    /// time.
    ///
    /// # Errors
    /// For encoded points [`Error::BadPublicKey`]; [`Error::TooManyPoints`] where tables would have 2^26 rows or more,
    /// which the smallest have from 2^24 points on.
    pub fn build<P: PointInput>(msm: &Msm, points: &[P], memory: usize) -> Result<FixedBase, Error> {
        // Without points there are no tables.
        FixedBase::build_configured(msm, points, configuration(points.len().max(1), memory)?)
    }

    /// As [`FixedBase::build`], by tables of the caller's choice.
    ///
    /// # Panics
    /// If it is no configuration over as many points of this group.
    pub(crate) fn build_configured<P: PointInput>(
        msm: &Msm,
        points: &[P],
        configuration: Configuration,
    ) -> Result<FixedBase, Error> {
        assert_eq!(configuration.order, Scalar::ORDER, "tables of another group");
        let rows = rows_of(msm, points)?;
        let build = |configuration| on!(&ChosenAdder::of(msm.backend().lanes()), adder => Tables::build(adder, configuration, &rows));
        let tables = (!points.is_empty()).then(|| build(configuration));
        let tables = tables.map(|tables| tables.expect("this is a configuration").hold(StoredRows::Built));
        Ok(FixedBase::of(msm, &rows, tables))
    }

    fn of(msm: &Msm, rows: &[Entry], tables: Option<Tables<Secp256k1, StoredRows>>) -> FixedBase {
        FixedBase { points: rows.iter().map(Point::from_entry).collect(), tables, backend: msm.backend() }
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> usize {
        self.tables.as_ref().map_or(0, |tables| size_of_val(tables.rows()))
    }

    /// What computes sums by these tables, on one thread and with its memory.
    pub fn sums(&self) -> FixedBaseSums<'_> {
        FixedBaseSums::new(self)
    }

    /// The sum of `scalars[i]` times point i, for secret scalars. There are at most as many as points; the points
    /// behind the last scalar have zero. One multiplication a scalar: the tables are not read, because where one reads
    /// would tell. Constant time but for the number of scalars.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more scalars than points.
    pub fn commit(&self, scalars: &[Scalar]) -> Result<Point, Error> {
        self.check(scalars.len())?;
        Ok(scalars.iter().zip(&self.points).fold(Point::IDENTITY, |sum, (scalar, point)| sum + *point * *scalar))
    }

    /// Fails with both numbers unless there are so many points.
    fn check(&self, count: usize) -> Result<(), Error> {
        if count > self.points.len() {
            return Err(Error::LengthMismatch { left: count, right: self.points.len() });
        }
        Ok(())
    }
}

impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (points, bytes) = (self.points.len(), self.bytes());
        f.debug_struct("FixedBase").field("points", &points).field("bytes", &bytes).finish_non_exhaustive()
    }
}

/// The tables for vectors without zeros, and for single scalars, within so many bytes.
fn configuration(points: usize, memory: usize) -> Result<Configuration, Error> {
    let loads = [Load { nonzero: 1, weight: 1.0 }, Load { nonzero: points, weight: 1.0 }];
    let request = Request { points, order: Scalar::ORDER, budget: memory, loads: &loads, batch: 1 };
    // Four elements per point, each a window of its own.
    let smallest = || Configuration::single(points, Scalar::ORDER, Scheme::SignedComb { t: 64, b: 1, group: 1 });
    let configuration = request.plan().map_or_else(smallest, |planned| planned.configuration);
    configuration.check().map(|()| configuration).map_err(|_| Error::TooManyPoints)
}

/// The points as rows of tables.
fn rows_of<P: PointInput>(msm: &Msm, points: &[P]) -> Result<Vec<Entry>, Error> {
    let store: PointStore<'_> = P::affine(points, msm)?;
    let mut rows = vec![INFINITY; points.len()];
    store.as_points().copy(0..points.len(), &mut rows);
    Ok(rows)
}

impl Point {
    /// The point of a row: zeros are infinity. Variable time.
    fn from_entry(entry: &Entry) -> Point {
        if phalanx_engine::lanes::is_infinity(entry) {
            return Point::IDENTITY;
        }
        Point::from_inner(phalanx_engine::lanes::read_entry(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_points_are_an_error() {
        assert!(configuration((1 << 24) - 1, 0).is_ok());
        assert_eq!(configuration(1 << 24, 0).err(), Some(Error::TooManyPoints));
        assert!(configuration(1 << 24, 1 << 30).is_ok(), "a column for each bit, and a row a point");
        assert_eq!(configuration(1 << 26, usize::MAX).err(), Some(Error::TooManyPoints));
    }
}
