//! Choices of the means by which calls compute.

use super::{Backend, Threads};
use crate::Error;

/// Chooses the means of a [`Bulk`](crate::Bulk) or an [`Msm`](crate::msm::Msm); what is not chosen is the best there
/// is.
///
/// ```
/// use phalanx::{Backend, Bulk, msm::Msm};
/// let bulk = Bulk::builder().backend(Backend::Portable).threads(1).build()?;
/// assert_eq!((bulk.backend(), bulk.threads()), (Backend::Portable, 1));
/// let msm = Msm::builder().backend(Backend::Portable).threads(1).memory(1 << 20).build()?;
/// assert_eq!(msm.backend(), Backend::Portable);
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Builder<T: Built> {
    backend: Option<Backend>,
    threads: Option<usize>,
    pub(crate) choices: T::Choices,
}

/// What a [`Builder`] builds. This crate alone implements it.
pub trait Built: Sealed {
    /// What can be chosen besides backend and threads.
    #[doc(hidden)]
    type Choices: core::fmt::Debug + Clone + Default;
}

/// Keeps other crates from implementing [`Built`].
pub trait Sealed {}

impl<T: Built> Builder<T> {
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

    /// Takes exactly this number of threads: one is the calling thread, more are a pool of their own.
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

    /// Backend and threads, as chosen or as they are best.
    pub(crate) fn means(&self) -> Result<(Backend, Threads), Error> {
        let backend = self.backend.map_or_else(Backend::from_environment, Ok)?.check()?;
        let threads = self.threads.map_or_else(|| Ok(Threads::all()), Threads::exactly)?;
        Ok((backend, threads))
    }
}
