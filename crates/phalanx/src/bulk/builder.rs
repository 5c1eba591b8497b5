//! Choices for a [`Bulk`].

use super::Bulk;
use super::key_tables::KeyTableCache;
use crate::{Backend, Error, backend::Threads};

/// Chooses backend, threads and memory for tables; what is not chosen is the best there is.
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
    prepared_memory: Option<usize>,
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

    /// Takes at most so many bytes for tables of keys; 0 forbids them. Without this, 64 MiB.
    ///
    /// Where a slice repeats keys, [`Bulk::verify_ecdsa`] and [`Bulk::verify_schnorr`] make a table of 55 KiB for each
    /// key that has had enough rows, in this call and those before, and compute its rows by it: 16 rows per key are
    /// enough if eight keys have as many, or 128 of one. Tables are kept for later calls, and given up for new ones
    /// when the memory is full, those first whose last use is longest ago. Clones of a [`Bulk`] share tables. A call
    /// that uses a table while another gives it up has it to the end. Verdicts do not depend on any of this; how long a
    /// call takes does, and so tells of keys seen before.
    ///
    /// The portable backend makes no tables.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// let bulk = Bulk::builder().prepared_memory(1 << 20).build()?;
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[must_use]
    pub fn prepared_memory(mut self, bytes: usize) -> Self {
        self.prepared_memory = Some(bytes);
        self
    }

    /// Makes the choices good.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`], with the names of those that are, if the backend chosen here or by
    /// `PHALANX_BACKEND` is not; [`Error::ThreadsUnavailable`] for zero threads, for threads that the system refuses,
    /// and without the feature `std` for more than one.
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
        let bulk = Bulk::with(backend, threads)?;
        let bulk = match self.prepared_memory {
            Some(bytes) => Bulk { kept: KeyTableCache::new(bytes).into(), ..bulk },
            None => bulk,
        };
        Ok(bulk)
    }
}
