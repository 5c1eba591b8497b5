//! Tables as files: written once, read back checked.

#[cfg(feature = "mmap")]
use super::mapped::MappedFile;
use super::tables::{Rows, Tables, fits};
use crate::Basis;
#[cfg(feature = "mmap")]
use core::fmt;
use phalanx_engine::fixed_base::{self, Configuration, SavedError};

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
        Ok(Tables { basis, tables: tables.hold(Rows::Built) })
    }

    /// As [`Tables::read`], of a file that is mapped to memory and stays there as long as the tables do. All of it is
    /// read once, for the checksums.
    ///
    /// # Safety
    /// As long as the tables are there, nobody changes the file or makes it shorter.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration, and what the system says.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub unsafe fn map(basis: Basis, configuration: Configuration, file: &std::fs::File) -> Result<Tables, MapError> {
        fits(&basis, &configuration).map_err(SavedError::Configuration)?;
        // SAFETY: the caller promises what this asks for.
        let mapped = unsafe { MappedFile::new(file) }.map_err(MapError::System)?;
        let mapped = mapped.ok_or(MapError::Saved(SavedError::Truncated))?;
        let tables = fixed_base::Tables::of_file(configuration, basis.rows(), mapped)?;
        Ok(Tables { basis, tables: tables.hold(Rows::Mapped) })
    }
}

/// Why a file of tables cannot be mapped.
#[cfg(feature = "mmap")]
#[derive(Debug)]
pub enum MapError {
    /// The system does not map it.
    System(std::io::Error),
    /// The file is refused. One that does not end with a whole row counts as [`SavedError::Truncated`].
    Saved(SavedError),
}

#[cfg(feature = "mmap")]
impl From<SavedError> for MapError {
    fn from(error: SavedError) -> MapError {
        MapError::Saved(error)
    }
}

#[cfg(feature = "mmap")]
impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::System(error) => error.fmt(f),
            MapError::Saved(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "mmap")]
impl core::error::Error for MapError {}
