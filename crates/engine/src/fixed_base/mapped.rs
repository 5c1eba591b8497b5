//! Files of tables that are mapped to memory: pages are read when they are needed, and programs share them.
//!
//! This module alone has unsafe code: a mapped file as rows, which stay as they are only while the file does.
#![allow(unsafe_code)]

use super::{
    configuration::Configuration,
    saved::{SavedError, SavedRows},
    tables::Tables,
};
use crate::{curve::Curve, word::CacheLine};
use core::fmt;
use memmap2::Mmap;
use std::{fs::File, io};

/// A file that is mapped to memory.
#[derive(Debug)]
pub struct MappedFile(Mmap);

const ROW: usize = size_of::<CacheLine>();

impl MappedFile {
    /// Maps a file of whole rows. None if there is a part of a row, or none at all.
    ///
    /// # Safety
    /// Until this is dropped, nobody changes the file or makes it shorter.
    unsafe fn new(file: &File) -> io::Result<Option<MappedFile>> {
        let length = file.metadata()?.len();
        if length == 0 || length % ROW as u64 != 0 {
            return Ok(None);
        }
        // SAFETY: the caller promises what this asks for.
        let map = unsafe { Mmap::map(file)? };
        // Pages are aligned to more than a row. Nothing here relies on that unasked.
        let fits = map.len() % ROW == 0 && map.as_ptr().cast::<CacheLine>().is_aligned();
        Ok(fits.then_some(MappedFile(map)))
    }
}

impl AsRef<[CacheLine]> for MappedFile {
    fn as_ref(&self) -> &[CacheLine] {
        // SAFETY: `new` has found the bytes to be whole rows, and their place to be that of a row. A row is eight words of
        // 64 bits without padding, for which all bytes are values. The memory is mapped, and by the caller's promise
        // unchanged, as long as `self` lives, to which the slice is bound. It is far below `isize::MAX` bytes long, as
        // every mapping is.
        unsafe { core::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() / ROW) }
    }
}

impl<C: Curve> Tables<C, SavedRows<MappedFile>> {
    /// As [`Tables::read`], of a file that is mapped to memory and stays there as long as the tables do. All of it is read
    /// once, for the checksums.
    ///
    /// # Safety
    /// As long as the tables are there, nobody changes the file or makes it shorter.
    ///
    /// # Errors
    /// What is wrong with the file, or with the configuration, and what the system says.
    pub unsafe fn map(configuration: Configuration, basis: &[CacheLine], file: &File) -> Result<Self, MapError> {
        // SAFETY: the caller promises what this asks for.
        let mapped = unsafe { MappedFile::new(file) }.map_err(MapError::System)?;
        let mapped = mapped.ok_or(MapError::Saved(SavedError::Truncated))?;
        Ok(Tables::of_file(configuration, basis, mapped)?)
    }
}

/// Why a file of tables cannot be mapped.
#[derive(Debug)]
pub enum MapError {
    /// The system does not map it.
    System(io::Error),
    /// The file is refused. One that does not end with a whole row counts as [`SavedError::Truncated`].
    Saved(SavedError),
}

impl From<SavedError> for MapError {
    fn from(error: SavedError) -> MapError {
        MapError::Saved(error)
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapError::System(error) => error.fmt(f),
            MapError::Saved(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MapError {}
