//! The choices that a caller makes for a [`Bulk`].

use super::{Bulk, key_tables::KeyTableCache};
use crate::{
    Error,
    backend::{Builder, Built, Sealed},
};

/// What can be chosen for a [`Bulk`] besides backend and threads.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    key_table_memory: Option<usize>,
}

impl Sealed for Bulk {}

impl Built for Bulk {
    type Choices = Choices;
}

impl Builder<Bulk> {
    /// Takes at most this number of bytes for tables of keys; 0 forbids them. Without this, 64 MiB.
    ///
    /// Where a slice repeats keys, [`Bulk::verify_ecdsa`] and [`Bulk::verify_schnorr`] make a table of 55 KiB for each
    /// key that has had enough rows, in this call and those before, and compute its rows by it: 16 rows per key are
    /// enough if eight keys have as many, or 128 of one. Tables are cache for later calls, and given up for new ones
    /// when the memory is full, those first whose last use is longest ago. Clones of a [`Bulk`] share tables. A call
    /// that uses a table while another gives it up has it to the end. Verdicts do not depend on any of this; how long a
    /// call takes does, and so tells of keys seen before.
    ///
    /// The portable backend makes no tables.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// let bulk = Bulk::builder().key_table_memory(1 << 20).build()?;
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[must_use]
    pub fn key_table_memory(mut self, bytes: usize) -> Self {
        self.choices.key_table_memory = Some(bytes);
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
        let (backend, threads) = self.means()?;
        let bulk = Bulk::with(backend, threads)?;
        Ok(match self.choices.key_table_memory {
            Some(bytes) => Bulk { cache: KeyTableCache::new(bytes).into(), ..bulk },
            None => bulk,
        })
    }
}
