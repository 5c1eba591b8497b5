//! Tables as files: written once, read back checked.

use super::tables::{Tables, fits};
use crate::Basis;
#[cfg(feature = "mmap")]
use phalanx_engine::fixed_base::MapError;
use phalanx_engine::fixed_base::{self, Configuration, SavedError, StoredRows};

impl Tables {
    /// Writes the tables to `sink`, piece by piece, with a header that says what they are of.
    ///
    /// ```
    /// use phalanx_banderwagon::{Basis, Lanes, Scalar, Tables};
    /// use phalanx_engine::fixed_base::{Configuration, Scheme};
    ///
    /// let basis = Basis::draw(b"a seed", 2);
    /// let configuration = Configuration::single(2, Scalar::ORDER, Scheme::SignedWindows { b: 4 });
    /// let tables = Lanes::detect().build(basis.clone(), configuration.clone())?;
    /// let mut file = Vec::new();
    /// let sink = |piece: &[u8]| {
    ///     file.extend_from_slice(piece);
    ///     Ok::<(), ()>(())
    /// };
    /// tables.save(sink).expect("memory takes all of it");
    /// assert!(Tables::read(basis.clone(), configuration.clone(), &file).is_ok());
    /// file[500] ^= 1;
    /// assert!(Tables::read(basis, configuration, &file).is_err());
    /// # Ok::<(), phalanx_engine::fixed_base::ConfigurationError>(())
    /// ```
    ///
    /// # Errors
    /// The first one of the sink.
    pub fn save<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.tables.save(self.basis.rows(), sink)
    }

    /// Reads tables back that were saved over this basis with this configuration.
    ///
    /// Damage is found by checksums. A file that someone made up is not: only trusted files may be read.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration.
    pub fn read(basis: Basis, configuration: Configuration, file: &[u8]) -> Result<Tables, SavedError> {
        fits(&basis, &configuration).map_err(SavedError::Configuration)?;
        let tables = fixed_base::Tables::read(configuration, basis.rows(), file)?;
        Ok(Tables { basis, tables: tables.hold(StoredRows::Built) })
    }

    /// As [`Tables::read`], of a file that is mapped to memory and stays there as long as the tables do. All of it is
    /// read once, for the checksums.
    ///
    /// # Safety
    /// As long as the tables are there, nobody changes the file or makes it shorter.
    ///
    /// No check can hold this. On Linux a process that reads behind the new end of a file is ended by `SIGBUS`. What is
    /// left of the page with that end reads as zeros, and a sum by it is wrong, as is one by words that were changed. To
    /// replace a file, write another one and rename it: the tables keep the old one.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration, and what the system says.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub unsafe fn map(basis: Basis, configuration: Configuration, file: &std::fs::File) -> Result<Tables, MapError> {
        fits(&basis, &configuration).map_err(SavedError::Configuration)?;
        // SAFETY: the caller promises what this asks for.
        let tables = unsafe { fixed_base::Tables::map(configuration, basis.rows(), file) }?;
        Ok(Tables { basis, tables: tables.hold(StoredRows::Mapped) })
    }
}
