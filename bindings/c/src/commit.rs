//! Commitments to public scalars by tables in the caller's memory.
#![allow(unsafe_code)]

use crate::{
    basis::phalanx_basis,
    ffi::{Given, check_pointer, guard, place, release, value},
    handle::phalanx_bulk,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_COLUMN, PHALANX_BAD_SCALAR, PHALANX_BAD_TABLES, PHALANX_NULL_POINTER},
    types::{phalanx_column, phalanx_output},
};
use core::slice;
use library::{Backend, CacheLine};
use phalanx_banderwagon::{Bandersnatch, Basis, Element, Scalar, Tables as VerkleTables};
use phalanx_engine::{
    affine_add::{AffineAdder, EightLanes, OneLane},
    fixed_base::{Configuration, SavedRows, Scheme, Tables, Vector},
    msm::Sum,
    word::VectorUnit,
};

/// Commits by tables, on one thread. It reads the memory that holds the tables until it is freed. Threads that share
/// tables open them once each.
pub struct phalanx_tables {
    /// The caller's memory, which holds them.
    memory: &'static [CacheLine],
    configuration: Configuration,
    committer: Committer,
    vectors: Vec<[u64; 4]>,
}

/// Tables with an adder and its memory.
enum Committer {
    Portable(Over<OneLane<Bandersnatch>>),
    Vectors(Over<EightLanes<VectorUnit, Bandersnatch>>),
}

struct Over<A: AffineAdder<Curve = Bandersnatch>> {
    adder: A,
    tables: Tables<Bandersnatch, SavedRows<&'static [CacheLine]>>,
    lines: Vec<CacheLine>,
    sums: Vec<Sum<Bandersnatch>>,
}

/// Vectors that are summed at once, and their scalars, where there are several.
const VECTORS_AT_ONCE: usize = 256;
const SCALARS_AT_ONCE: usize = 1 << 16;

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
        let (handle, basis) = (given.value(bulk), given.value(basis));
        let bytes = Bytes { bytes, written: true, too_few: PHALANX_BAD_ARGUMENT };
        let place = noted(&mut given, basis, window_bits, memory, bytes);
        given.check()?;
        let (handle, (basis, memory, configuration)) = handle.zip(place).ok_or(PHALANX_NULL_POINTER)?;
        let needed = configuration.rows_of_file();
        // SAFETY: `noted` has found the memory to be aligned, and large enough if so many bytes are there, as the caller
        // promises, whose words may have no value yet.
        unsafe { memory.write_bytes(0, needed) };
        // SAFETY: all lines have values now, and are this call's alone, as the caller promises.
        let file = unsafe { slice::from_raw_parts_mut(memory, needed) };
        match unit(handle.bulk.backend()) {
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
        let (handle, basis) = (given.value(bulk), given.value(basis));
        let bytes = Bytes { bytes, written: false, too_few: PHALANX_BAD_TABLES };
        let place = noted(&mut given, basis, window_bits, memory.cast_mut(), bytes);
        let checked = given.check()?;
        let (handle, (basis, memory, configuration)) = handle.zip(place).ok_or(PHALANX_NULL_POINTER)?;
        let needed = configuration.rows_of_file();
        // SAFETY: aligned, and so many lines are there and stay, as the caller promises; any words are lines.
        let file: &'static [CacheLine] = unsafe { slice::from_raw_parts(memory, needed) };
        let over = |configuration| {
            Tables::<Bandersnatch, _>::of_file(configuration, basis.rows(), file).map_err(|_| PHALANX_BAD_TABLES)
        };
        let found = over(configuration.clone())?;
        let committer = match unit(handle.bulk.backend()) {
            None => Committer::Portable(Over::new(OneLane::new(), found)),
            Some(unit) => Committer::Vectors(Over::new(EightLanes::new(unit), found)),
        };
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

/// Commits to vectors by tables. Row i of `vectors` is a vector of scalars of 32 bytes, little-endian, below the
/// order of the group, so that the width is 32 times their number; they stand at the first elements of the basis, and
/// behind them is zero. Writes commitments of 32 bytes. Variable time: not for secrets.
///
/// Writes zeros first. PHALANX_BAD_SCALAR if some scalar is not below the order; then all are zero.
///
/// # Safety
/// The pointers are NULL or good for the rows, and no other thread uses the tables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_commit(
    tables: *mut phalanx_tables,
    vectors: *const phalanx_column,
    commitments: *const phalanx_output,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let out = given.answer(commitments, rows, &[32]);
        if let Some(tables) = given.value(tables) {
            given.bytes(tables.memory.as_ptr(), size_of_val(tables.memory), false);
        }
        let vectors = given.input(vectors, rows, &[]);
        let checked = given.check()?;
        let (mut out, vectors) = (out.writer(&checked), vectors.column(&checked));
        // SAFETY: neither NULL nor misaligned, by the check, and nobody else uses them, as the caller promises.
        let tables = unsafe { &mut *tables };
        let length = vectors.width() / 32;
        if !vectors.width().is_multiple_of(32) || length > tables.configuration.points {
            return Err(PHALANX_BAD_COLUMN);
        }
        let check = |i: usize| vectors.get(i).as_chunks().0.iter().all(|bytes| Scalar::from_le_bytes(bytes).is_some());
        if !(0..rows).all(check) {
            return Err(PHALANX_BAD_SCALAR);
        }
        let step = (SCALARS_AT_ONCE / length.max(1)).clamp(1, VECTORS_AT_ONCE);
        for start in (0..rows).step_by(step) {
            let rows = start..rows.min(start + step);
            tables.vectors.clear();
            for row in rows.clone() {
                tables.vectors.extend(vectors.get(row).as_chunks().0.iter().map(limbs));
            }
            let found = tables.committer.sums(&tables.vectors, length, rows.len());
            for (row, sum) in rows.zip(found) {
                out.write(row, &Element::from_sum(*sum).to_bytes());
            }
        }
        Ok(())
    })
}

impl Committer {
    fn sums(&mut self, scalars: &[[u64; 4]], length: usize, rows: usize) -> &[Sum<Bandersnatch>] {
        match self {
            Committer::Portable(over) => over.sums(scalars, length, rows),
            Committer::Vectors(over) => over.sums(scalars, length, rows),
        }
    }
}

impl<A: AffineAdder<Curve = Bandersnatch>> Over<A> {
    fn new(adder: A, tables: Tables<Bandersnatch, SavedRows<&'static [CacheLine]>>) -> Self {
        Over { adder, tables, lines: Vec::new(), sums: Vec::new() }
    }

    fn sums(&mut self, scalars: &[[u64; 4]], length: usize, rows: usize) -> &[Sum<Bandersnatch>] {
        let needed = self.tables.lines::<A>(rows, length).max(self.lines.len());
        self.lines.resize(needed, CacheLine([0; 8]));
        self.sums.clear();
        self.sums.resize(rows, Sum::<Bandersnatch>::infinity());
        let vector = |row| Vector::Dense(&scalars[row * length..][..length]);
        self.tables.sums_in_vartime(&self.adder, vector, &mut self.sums, &mut self.lines);
        &self.sums
    }
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

/// The vector unit of a backend, which is available since a handle has it.
fn unit(backend: Backend) -> Option<VectorUnit> {
    VectorUnit::detect(backend.name())
}

fn limbs(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]))
}
