//! Sums over points that never change, by tables that are computed once: Pedersen vector commitments.

use super::{Msm, PointInput, input::PointStore};
use crate::{Error, Point, Scalar, backend::Backend, group::Secp256k1, tables::Entry};
use alloc::{vec, vec::Vec};
use core::fmt;
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{Configuration, Load, Request, Scheme, Tables, Vector, Workspace, scalar_difference},
    lanes::INFINITY,
    msm::Sum,
    word::VectorUnit,
};

/// Points, and tables of their multiples. Threads may share one, each with a [`FixedBaseSums`] of its own.
///
/// A commitment to scalars v_0 to v_(n-1) with a blinding r is v_0 P_0 + ... + v_(n-1) P_(n-1) + r H: give H as one more
/// point. It hides the scalars only where nobody sees how long it took, so **for secret scalars take
/// [`FixedBase::commit`]**, which is constant time. Sums that say `_vartime` are for public scalars.
///
/// ```
/// use phalanx::{Point, Scalar, msm::{self, FixedBase}};
/// let points: Vec<Point> = (1..=3u64).map(|i| Point::mul_generator(&Scalar::from(i))).collect();
/// let base = FixedBase::build(&points, 1 << 20)?;
/// let scalars = [7u64, 8, 9].map(Scalar::from);
/// let sum = base.sums().sum_vartime(&scalars)?;
/// assert_eq!(sum, msm::sum_of_products(&scalars, &points)?);
/// assert_eq!(sum, base.commit(&scalars)?);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub struct FixedBase {
    points: Vec<Point>,
    /// None where there are no points.
    tables: Option<Tables<Secp256k1>>,
    backend: Backend,
}

impl FixedBase {
    /// Computes tables of at most so many bytes over the points, on the best backend. Any points are allowed. With too
    /// little memory for any table the smallest is built, of 256 bytes a point. Variable time.
    ///
    /// # Errors
    /// As [`super::sum_of_products`].
    pub fn build<P: PointInput>(points: &[P], memory: usize) -> Result<FixedBase, Error> {
        FixedBase::build_by(&Msm::builder().build()?, points, memory)
    }

    /// As [`FixedBase::build`], on the backend of `msm`.
    ///
    /// # Errors
    /// For encoded points [`Error::BadPublicKey`].
    pub fn build_by<P: PointInput>(msm: &Msm, points: &[P], memory: usize) -> Result<FixedBase, Error> {
        // Without points there are no tables.
        FixedBase::build_configured(msm, points, configuration(points.len().max(1), memory))
    }

    /// As [`FixedBase::build_by`], by tables of the caller's choice: for this project's own tools, without any promise.
    ///
    /// # Panics
    /// If it is no configuration over as many points of this group.
    #[doc(hidden)]
    pub fn build_configured<P: PointInput>(
        msm: &Msm,
        points: &[P],
        configuration: Configuration,
    ) -> Result<FixedBase, Error> {
        assert_eq!(configuration.order, Scalar::ORDER, "tables of another group");
        let store: PointStore<'_> = P::affine(points, msm)?;
        let mut rows = vec![INFINITY; points.len()];
        store.as_points().copy(0..points.len(), &mut rows);
        let build = |configuration| match Lanes::of(msm.backend()) {
            Lanes::One(adder) => Tables::build(&adder, configuration, &rows),
            Lanes::Eight(adder) => Tables::build(&adder, configuration, &rows),
            #[cfg(feature = "internals")]
            Lanes::Emulated(adder) => Tables::build(&adder, configuration, &rows),
        };
        let tables = (!points.is_empty()).then(|| build(configuration));
        let tables = tables.map(|tables| tables.expect("this is a configuration"));
        let points = rows.iter().map(Point::from_entry).collect();
        Ok(FixedBase { points, tables, backend: msm.backend() })
    }

    /// The points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The bytes of the tables.
    pub fn bytes(&self) -> usize {
        self.tables.as_ref().map_or(0, |tables| size_of_val(tables.rows()))
    }

    /// What computes sums by these tables, with the memory of one thread.
    pub fn sums(&self) -> FixedBaseSums<'_> {
        FixedBaseSums { base: self, lanes: Lanes::of(self.backend), workspace: Workspace::default() }
    }

    /// The sum of `scalars[i]` times point i, for secret scalars. There are at most as many as points; the points behind
    /// the last scalar have zero. One multiplication a scalar: the tables are not read, because where one reads would
    /// tell. Constant time but for the number of scalars.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more scalars than points.
    pub fn commit(&self, scalars: &[Scalar]) -> Result<Point, Error> {
        self.check(scalars)?;
        Ok(scalars.iter().zip(&self.points).fold(Point::IDENTITY, |sum, (scalar, point)| sum + *point * *scalar))
    }

    fn check(&self, scalars: &[Scalar]) -> Result<(), Error> {
        if scalars.len() > self.points.len() {
            return Err(Error::LengthMismatch { left: scalars.len(), right: self.points.len() });
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
fn configuration(points: usize, memory: usize) -> Configuration {
    let loads = [Load { nonzero: 1, weight: 1.0 }, Load { nonzero: points, weight: 1.0 }];
    let request = Request { points, order: Scalar::ORDER, budget: memory, loads: &loads, batch: 1 };
    // Four elements a point, each a window of its own.
    let smallest = || Configuration::single(points, Scalar::ORDER, Scheme::SignedComb { t: 64, b: 1, group: 1 });
    request.plan().map_or_else(smallest, |planned| planned.configuration)
}

#[cfg(feature = "internals")]
type EmulatedLanes = EightLanes<phalanx_engine::word::Emulation, Secp256k1>;

/// What a backend adds on.
enum Lanes {
    One(OneLane<Secp256k1>),
    Eight(EightLanes<VectorUnit, Secp256k1>),
    #[cfg(feature = "internals")]
    Emulated(EmulatedLanes),
}

impl Lanes {
    fn of(backend: Backend) -> Lanes {
        #[cfg(feature = "internals")]
        if backend == Backend::Emulated {
            return Lanes::Emulated(EightLanes::new(phalanx_engine::word::Emulation));
        }
        backend.vectors().map_or(Lanes::One(OneLane::new()), |machine| Lanes::Eight(EightLanes::new(machine)))
    }
}

/// Computes sums over a [`FixedBase`], with the memory of one thread.
pub struct FixedBaseSums<'a> {
    base: &'a FixedBase,
    lanes: Lanes,
    workspace: Workspace,
}

impl FixedBaseSums<'_> {
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
        vectors.iter().try_for_each(|scalars| self.base.check(scalars))?;
        let limbs: Vec<Vec<[u64; 4]>> =
            vectors.iter().map(|scalars| scalars.iter().map(Scalar::limbs).collect()).collect();
        let vectors: Vec<Vector<'_>> = limbs.iter().map(|scalars| Vector::Dense(scalars)).collect();
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
        let workspace = &mut self.workspace;
        match &self.lanes {
            Lanes::One(adder) => compute_by(adder, tables, vectors, sums, workspace),
            Lanes::Eight(adder) => compute_by(adder, tables, vectors, sums, workspace),
            #[cfg(feature = "internals")]
            Lanes::Emulated(adder) => compute_by(adder, tables, vectors, sums, workspace),
        }
    }
}

fn compute_by<A: AffineAdder<Curve = Secp256k1>>(
    adder: &A,
    tables: &Tables<Secp256k1>,
    vectors: &[Vector<'_>],
    sums: &mut [Point],
    workspace: &mut Workspace,
) {
    let mut jacobian = vec![Sum::<Secp256k1>::infinity(); sums.len()];
    tables.sums_vartime(adder, vectors, &mut jacobian, workspace);
    sums.iter_mut().zip(jacobian).for_each(|(sum, point)| *sum = Point::from_jacobian(point));
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
