//! Tables of multiples of a basis, in the caller's memory.
#![allow(unsafe_code)]

use crate::{
    adders::{Committer, unit},
    basis::phalanx_basis,
};
use core::slice;
use phalanx_banderwagon::{Bandersnatch, Basis, Scalar, Tables as VerkleTables};
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    fixed_base::{Configuration, Scheme, Tables},
    word::CacheLine,
};
use phalanx_ffi::{
    BulkHead as phalanx_bulk, Given, check_pointer, guard, place, release,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_TABLES, PHALANX_NULL_POINTER},
    value,
};

/// Commits by tables, on one thread. It reads the memory that holds the tables until it is freed. Threads that share
/// tables open them once each.
pub struct phalanx_tables {
    /// The caller's memory, which holds them.
    pub(crate) memory: &'static [CacheLine],
    pub(crate) configuration: Configuration,
    pub(crate) committer: Committer,
    pub(crate) vectors: Vec<[u64; 4]>,
}

/// Writes the bytes of the tables over a basis with windows of so many bits (1 to 20; 8 is a good start). More bits
/// take more memory and less time: 2^(bits - 1) entries of 64 bytes for each window of each element. 0 stands for the
/// tables of Verkle trees, of 138 MiB, over a basis of 256 elements.
///
/// Writes 0 first. PHALANX_BAD_ARGUMENT for bits or a basis that the tables cannot have, and for 2^26 entries (4 GiB) and
/// more.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_tables_bytes(basis: *const phalanx_basis, window_bits: u32, bytes: *mut usize) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let (bytes, basis) = unsafe { (place(bytes, 0)?, value(basis)?) };
        let lines = configuration(&basis.basis, window_bits)?.rows_of_file();
        *bytes = lines * size_of::<CacheLine>();
        Ok(())
    })
}

/// Computes the tables into memory of at least as many bytes as phalanx_tables_bytes says, aligned to 64 bytes. The
/// memory may be saved to a file and loaded or mapped again, on a machine of the same byte order. Allocates some
/// megabytes for the time of the call. PHALANX_BAD_ARGUMENT for fewer bytes.
///
/// # Safety
/// The pointers are NULL or good for the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_tables_build(
    bulk: *const phalanx_bulk,
    basis: *const phalanx_basis,
    window_bits: u32,
    memory: *mut u8,
    bytes: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let (handle, basis) = (given.bulk_head(bulk), given.value(basis));
        let bytes = Bytes { bytes, written: true, too_few: PHALANX_BAD_ARGUMENT };
        let place = noted(&mut given, basis, window_bits, memory, bytes);
        given.check()?;
        let (handle, (basis, memory, configuration)) = handle.zip(place).ok_or(PHALANX_NULL_POINTER)?;
        let (unit, needed) = (unit(handle)?, configuration.rows_of_file());
        // SAFETY: `noted` has found the memory to be aligned, and large enough if so many bytes are there, as the caller
        // promises, whose words may have no value yet.
        unsafe { memory.write_bytes(0, needed) };
        // SAFETY: all lines have values now, and are this call's alone, as the caller promises.
        let file = unsafe { slice::from_raw_parts_mut(memory, needed) };
        match unit {
            None => Tables::<Bandersnatch>::build_file(&OneLane::new(), &configuration, basis.rows(), file),
            Some(unit) => {
                Tables::<Bandersnatch>::build_file(&EightLanes::new(unit), &configuration, basis.rows(), file)
            }
        }
        .map_err(|_| PHALANX_BAD_ARGUMENT)?;
        Ok(())
    })
}

/// Opens tables that phalanx_tables_build has written, in memory that stays as it is until they are freed.
///
/// Writes NULL to `tables` first. PHALANX_BAD_TABLES if they are damaged, or over another basis, or of other windows.
/// Damage is found by checksums; a file that somebody made up is not.
///
/// # Safety
/// The pointers are NULL or good for the bytes, and nobody writes to the memory before phalanx_tables_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_tables_open(
    bulk: *const phalanx_bulk,
    basis: *const phalanx_basis,
    window_bits: u32,
    memory: *const u8,
    bytes: usize,
    tables: *mut *mut phalanx_tables,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let slot = given.pointer(tables);
        let (handle, basis) = (given.bulk_head(bulk), given.value(basis));
        let bytes = Bytes { bytes, written: false, too_few: PHALANX_BAD_TABLES };
        let place = noted(&mut given, basis, window_bits, memory.cast_mut(), bytes);
        let checked = given.check()?;
        let (handle, (basis, memory, configuration)) = handle.zip(place).ok_or(PHALANX_NULL_POINTER)?;
        let (unit, needed) = (unit(handle)?, configuration.rows_of_file());
        // SAFETY: aligned, and so many lines are there and stay, as the caller promises; any words are lines.
        let file: &'static [CacheLine] = unsafe { slice::from_raw_parts(memory, needed) };
        let found = Tables::<Bandersnatch, _>::of_file(configuration.clone(), basis.rows(), file);
        let committer = Committer::new(unit, found.map_err(|_| PHALANX_BAD_TABLES)?);
        let opened = Box::new(phalanx_tables { memory: file, configuration, committer, vectors: Vec::new() });
        slot.set(Box::into_raw(opened), &checked);
        Ok(())
    })
}

/// Frees what phalanx_tables_open has made, not the memory of the tables. NULL is allowed.
///
/// # Safety
/// The tables are NULL, or were made here and have not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_tables_free(tables: *mut phalanx_tables) {
    // SAFETY: a box that `phalanx_tables_open` gave away, as the caller promises.
    unsafe { release(tables) };
}

/// Bytes of memory for tables, whether they are written, and the status where they are too few.
struct Bytes {
    bytes: usize,
    written: bool,
    too_few: i32,
}

/// Notes memory for tables: their basis, the lines, and their configuration.
fn noted<'a>(
    given: &mut Given<'a>,
    basis: Option<&'a phalanx_basis>,
    window_bits: u32,
    memory: *mut u8,
    Bytes { bytes, written, too_few }: Bytes,
) -> Option<(&'a Basis, *mut CacheLine, Configuration)> {
    let memory = memory.cast::<CacheLine>();
    let configuration = basis.and_then(|basis| given.note(configuration(&basis.basis, window_bits)));
    let needed = configuration.as_ref().map_or(1, Configuration::rows_of_file);
    given.bytes(memory, bytes.min(needed * size_of::<CacheLine>()), written);
    given.note(check_pointer(memory));
    if bytes / size_of::<CacheLine>() < needed {
        given.note::<()>(Err(too_few));
    }
    basis.zip(configuration).map(|(basis, configuration)| (&basis.basis, memory, configuration))
}

/// The configuration for windows of so many bits.
fn configuration(basis: &Basis, window_bits: u32) -> Result<Configuration, i32> {
    let configuration = match window_bits {
        0 if basis.len() == Basis::VERKLE_LENGTH => VerkleTables::verkle_configuration(),
        1.. => Configuration::single(basis.len(), Scalar::ORDER, Scheme::SignedWindows { b: window_bits }),
        _ => return Err(PHALANX_BAD_ARGUMENT),
    };
    configuration.check().map_err(|_| PHALANX_BAD_ARGUMENT)?;
    Ok(configuration)
}
