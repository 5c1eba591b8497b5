//! Choices for a [`Bulk`].

use super::{Backend, Bulk, schedule::Threads};
use crate::Error;

/// Chooses backend and threads; what is not chosen is the best there is.
///
/// ```
/// use phalanx::{Backend, Bulk};
/// let bulk = Bulk::builder().backend(Backend::Portable).threads(1).build()?;
/// assert_eq!((bulk.backend(), bulk.threads()), (Backend::Portable, 1));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Builder {
    backend: Option<Backend>,
    threads: Option<usize>,
}

impl Builder {
    /// Takes this backend and no other, whatever `PHALANX_BACKEND` says.
    ///
    /// ```
    /// # use phalanx::{Backend, Bulk};
    /// for backend in Backend::available() {
    ///     assert_eq!(Bulk::builder().backend(*backend).build()?.backend(), *backend);
    /// }
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = Some(backend);
        self
    }

    /// Takes exactly so many threads: one is the calling thread, more are a pool of their own.
    ///
    /// Without this, calls run on the rayon pool that surrounds them, which unless the program says otherwise has one
    /// thread for each core.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error};
    /// assert_eq!(Bulk::builder().threads(0).build().err(), Some(Error::ThreadsUnavailable));
    /// ```
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Some(count);
        self
    }

    /// Makes the choices good.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`], with the names of those that are, if the backend chosen here or by
    /// `PHALANX_BACKEND` is not; [`Error::ThreadsUnavailable`] for zero threads, for threads that the system refuses, and
    /// without the feature `std` for more than one.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// match Bulk::builder().build() {
    ///     Ok(bulk) => println!("{} on {} threads", bulk.backend(), bulk.threads()),
    ///     Err(error) => println!("{error}"),
    /// }
    /// ```
    pub fn build(self) -> Result<Bulk, Error> {
        let backend = self.backend.map_or_else(Backend::from_environment, Ok)?;
        let threads = self.threads.map_or_else(|| Ok(Threads::all()), Threads::exactly)?;
        Ok(Bulk { backend, kernels: backend.kernels()?, threads })
    }
}
