//! Tables as files: written once, read back checked.

use super::{FixedBase, Msm, PointInput, configuration, rows_of};
use crate::{Error, Point};
use phalanx_engine::fixed_base::{StoredRows, Tables};

impl FixedBase {
    /// Writes the tables to `sink`, piece by piece, with a header that says what they are of. Without points nothing is
    /// written.
    ///
    /// ```
    /// use phalanx::{Point, Scalar, msm::{FixedBase, Msm}};
    /// let points: Vec<Point> = (1..=3u64).map(|i| Point::mul_generator(&Scalar::from(i))).collect();
    /// let base = FixedBase::build(&Msm::new(), &points, 1 << 16)?;
    /// let mut file = Vec::new();
    /// let sink = |piece: &[u8]| {
    ///     file.extend_from_slice(piece);
    ///     Ok::<(), ()>(())
    /// };
    /// base.save(sink).expect("memory takes all of it");
    /// let again = FixedBase::read(&Msm::new(), &points, 1 << 16, &file)?;
    /// assert_eq!(again.sums().sum_vartime(&[Scalar::ONE; 3])?, base.sums().sum_vartime(&[Scalar::ONE; 3])?);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first one of the sink.
    pub fn save<E>(&self, sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let Some(tables) = &self.tables else { return Ok(()) };
        tables.save(&Point::batch_to_entries(&self.points), sink)
    }

    /// Reads tables back that were saved over these points with this budget of memory, for sums on the backend of `msm`.
    /// Any backend reads what another one wrote.
    ///
    /// Damage is found by checksums. A file that someone made up is not: only trusted files may be read. Another release
    /// may plan other tables for the same budget, and then refuses the file: build them again.
    ///
    /// # Errors
    /// As for [`FixedBase::build`]; [`Error::BadTables`] with what is wrong with the file.
    pub fn read<P: PointInput>(msm: &Msm, points: &[P], memory: usize, file: &[u8]) -> Result<FixedBase, Error> {
        let configuration = configuration(points.len().max(1), memory)?;
        let rows = rows_of(msm, points)?;
        let read = || Tables::read(configuration, &rows, file).map_err(Error::BadTables);
        let tables = (!points.is_empty()).then(read).transpose()?;
        Ok(FixedBase::of(msm, &rows, tables.map(|tables| tables.hold(StoredRows::Built))))
    }

    /// As [`FixedBase::read`], of a file that is mapped to memory and stays there as long as the tables do. All of it
    /// is read once, for the checksums.
    ///
    /// # Safety
    /// As long as the tables are there, nobody changes the file or makes it shorter.
    ///
    /// No check can hold this. On Linux a process that reads behind the new end of a file is ended by `SIGBUS`. What is
    /// left of the page with that end reads as zeros, and a sum by it is wrong, as is one by words that were changed. To
    /// replace a file, write another one and rename it: the tables keep the old one.
    ///
    /// # Errors
    /// As [`FixedBase::read`], and what the system says.
    #[cfg(feature = "mmap")]
    #[allow(unsafe_code)]
    pub unsafe fn map<P: PointInput>(
        msm: &Msm,
        points: &[P],
        memory: usize,
        file: &std::fs::File,
    ) -> Result<FixedBase, MapError> {
        let rows = rows_of(msm, points)?;
        if points.is_empty() {
            return Ok(FixedBase::of(msm, &rows, None));
        }
        // SAFETY: the caller promises what this asks for.
        let tables = unsafe { Tables::map(configuration(points.len(), memory)?, &rows, file) };
        let tables = tables.map_err(|error| match error {
            phalanx_engine::fixed_base::MapError::System(error) => MapError::System(error),
            phalanx_engine::fixed_base::MapError::Saved(error) => MapError::Refused(Error::BadTables(error)),
        })?;
        Ok(FixedBase::of(msm, &rows, Some(tables.hold(StoredRows::Mapped))))
    }
}

/// Why a file of tables cannot be mapped.
#[cfg(feature = "mmap")]
#[derive(Debug)]
#[non_exhaustive]
pub enum MapError {
    /// The system does not map it.
    System(std::io::Error),
    /// The points or the file are refused.
    Refused(Error),
}

#[cfg(feature = "mmap")]
impl From<Error> for MapError {
    fn from(error: Error) -> MapError {
        MapError::Refused(error)
    }
}

#[cfg(feature = "mmap")]
impl core::fmt::Display for MapError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            MapError::System(error) => error.fmt(f),
            MapError::Refused(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "mmap")]
impl core::error::Error for MapError {}
