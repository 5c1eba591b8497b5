//! Multi-scalar multiplication: sums k_0 P_0 + k_1 P_1 + ... of any length, of public scalars and points.
//!
//! ```
//! use phalanx::{Point, Scalar, msm};
//! let points: Vec<Point> = (1..=100u64).map(|i| Point::mul_generator(&Scalar::from(i))).collect();
//! let scalars: Vec<Scalar> = (1..=100u64).map(Scalar::from).collect();
//! // 1 + 4 + 9 + ... + 10,000
//! assert_eq!(msm::sum_of_products(&scalars, &points)?, Point::mul_generator(&Scalar::from(338_350u64)));
//! # Ok::<(), phalanx::Error>(())
//! ```
//!
//! [`sum_of_products`] takes the best backend, all threads, and the plan that costs least by the model of costs.
//! [`Msm`] lets the caller choose each of these. The sum does not depend on the choice.
//!
//! All scalars and points are allowed, zero, infinity, equal points and negatives included. An attacker who chooses
//! them can at worst force every round of additions to be computed a second time, by complete formulas.
//!
//! - [`PointInput`]: what may stand for a point;
//! - `costs`: what the steps cost on each backend;
//! - [`Accumulator`]: inputs that come in pieces;
//! - `workspace`: the memory that a thread keeps;
//! - `one_thread`: sums in memory that the caller lends;
//! - [`FixedBase`]: sums over points that never change, by tables;
//! - [`Msm::add_pairs`]: the additions that every sum consists of.
//!
//! All is variable time, except [`FixedBase::commit`]. The room uses `backend`, `bulk`, `glv`, `group`, `keys`,
//! `lanes`, `mul`, `point` and `scalar`.

mod accumulator;
mod additions;
mod builder;
mod costs;
pub(crate) mod fixed_base;
pub(crate) mod input;
mod one_thread;
mod points;
pub(crate) mod sum;
pub(crate) mod workspace;

pub use accumulator::Accumulator;
#[cfg(feature = "mmap")]
pub use fixed_base::MapError;
pub use fixed_base::{FixedBase, FixedBaseSums};
pub use input::PointInput;
pub use phalanx_engine::fixed_base::SavedError;

use crate::{
    Backend, Error, Point, Scalar,
    backend::{Builder, Threads, refuse},
    bulk::Bulk,
};
use core::fmt;
pub(crate) use one_thread::{lines_of_sum, sum_fits, sum_in};
pub(crate) use points::FinitePoints;
use sum::LongProducts;
pub(crate) use sum::Products;

/// The sum of `scalars[i] points[i]`; infinity if there are none. Variable time.
///
/// # Errors
/// [`Error::LengthMismatch`] if there are not as many scalars as points; for encoded points [`Error::BadPublicKey`];
/// [`Error::BackendUnavailable`] if `PHALANX_BACKEND` names a backend that is not available. (Calls that return no
/// error panic then.)
///
/// ```
/// # use phalanx::{Error, Point, PublicKey, Scalar, SecretKey, msm};
/// let key = SecretKey::random().public_key();
/// let sum = msm::sum_of_products(&[Scalar::ONE, -Scalar::ONE], &[key, key])?;
/// assert_eq!(sum, Point::IDENTITY);
/// assert!(msm::sum_of_products::<PublicKey>(&[Scalar::ONE], &[]).is_err());
/// # Ok::<(), Error>(())
/// ```
pub fn sum_of_products<P: PointInput>(scalars: &[Scalar], points: &[P]) -> Result<Point, Error> {
    Msm::builder().build()?.sum_of_products(scalars, points)
}

/// Computes sums of products, with a chosen backend, threads and memory.
#[derive(Clone)]
pub struct Msm {
    backend: Backend,
    pub(crate) threads: Threads,
    /// Bytes for the points and tables of a sum.
    pub(crate) memory: usize,
}

impl Msm {
    /// The best backend, or the one that the environment variable `PHALANX_BACKEND` names, all threads, and memory
    /// without bound.
    ///
    /// # Panics
    /// If `PHALANX_BACKEND` names a backend that is not available, as [`crate::Bulk::new`] does.
    pub fn new() -> Self {
        Self::builder().build().unwrap_or_else(|error| refuse(error))
    }

    /// With the backend and the threads of `bulk`.
    ///
    /// ```
    /// # use phalanx::{Bulk, msm::Msm};
    /// let bulk = Bulk::builder().threads(2).build()?;
    /// assert_eq!(Msm::with(&bulk).backend(), bulk.backend());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn with(bulk: &Bulk) -> Self {
        let (backend, threads) = bulk.backend_and_threads();
        Msm { backend, threads, memory: usize::MAX }
    }

    /// A builder, by which backend, threads and memory are chosen.
    pub fn builder() -> Builder<Msm> {
        Builder::default()
    }

    /// The backend that computes.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// As [`sum_of_products`].
    ///
    /// # Errors
    /// As [`sum_of_products`].
    pub fn sum_of_products<P: PointInput>(&self, scalars: &[Scalar], points: &[P]) -> Result<Point, Error> {
        Error::check_lengths(scalars.len(), points.len())?;
        let points = P::affine(points, self)?;
        Ok(Point::from_jacobian(self.sum(LongProducts::of(scalars, points).products())))
    }

    /// Bulk operations with the same backend and threads.
    pub(crate) fn bulk(&self) -> Result<Bulk, Error> {
        Bulk::with(self.backend, self.threads.clone())
    }

    /// A sum whose terms come in pieces.
    pub fn accumulator(&self) -> Accumulator<'_> {
        Accumulator::new(self)
    }
}

impl Default for Msm {
    /// As [`Msm::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Msm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Msm").field("backend", &self.backend).field("threads", &self.threads.count()).finish()
    }
}
