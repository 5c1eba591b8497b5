//! Sums of public scalars times points of secp256k1 that never change, by tables in the caller's memory.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, TOO_MANY, check_pointer, guard, place},
    handle::phalanx_bulk,
    status::{
        self, PHALANX_BAD_ARGUMENT, PHALANX_BAD_COLUMN, PHALANX_BAD_POINT, PHALANX_BAD_SCALAR, PHALANX_BAD_TABLES,
        PHALANX_NULL_POINTER,
    },
    types::{phalanx_column, phalanx_output},
};
use core::slice;
use library::{
    PublicKey, Scalar,
    bindings::{CacheLine, FixedBasePlan, FixedBaseTables},
};

/// The first word of tables: what tells them from other memory, and this form of them from later ones.
const MARK: u64 = u64::from_le_bytes(*b"phalanx1");

const ZERO: CacheLine = CacheLine([0; 8]);

/// The points at most: a bound for the sizes of what callers ask.
const MAX_POINTS: usize = 1 << 16;

/// Vectors that are summed at once, and their scalars, where there are several.
const VECTORS_AT_ONCE: usize = 256;
const SCALARS_AT_ONCE: usize = 1 << 16;

/// Writes the bytes of the tables over 1 to 65,536 points of secp256k1, with windows of so many bits (1 to 16; 8 is a
/// good start). More bits take more memory and less time: 2^(bits - 1) entries of 64 bytes for each of the 256 / bits
/// windows (rounded up) of each point, and 64 bytes before them.
///
/// Writes 0 first. PHALANX_BAD_ARGUMENT for other numbers, and for tables of 2^26 entries (4 GiB) and more.
///
/// # Safety
/// The pointer is NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_fixed_base_bytes(points: usize, window_bits: u32, bytes: *mut usize) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { place(bytes, 0) }?;
        let lines = lines_of(&plan(points, window_bits).ok_or(PHALANX_BAD_ARGUMENT)?);
        *bytes = lines * size_of::<CacheLine>();
        Ok(())
    })
}

/// Computes the tables over points (33 or 65 bytes, SEC 1; infinity is all zero) into memory of at least as many bytes
/// as phalanx_fixed_base_bytes says, aligned to 64 bytes, on the calling thread. The memory may be saved to a file and
/// loaded or mapped again, on a machine of the same byte order. Allocates some memory for the time of the call.
///
/// PHALANX_BAD_ARGUMENT for points or bits that tables cannot have, and for fewer bytes; PHALANX_BAD_POINT.
///
/// # Safety
/// The pointers are NULL or good for the points and the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_fixed_base_build(
    bulk: *const phalanx_bulk,
    points: *const phalanx_column,
    count: usize,
    window_bits: u32,
    memory: *mut u8,
    bytes: usize,
) -> i32 {
    guard(|| {
        let memory = memory.cast::<CacheLine>();
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let handle = given.value(bulk);
        let points = given.input(points, count, &[33, 65]);
        given.note(check_pointer(memory));
        let plan = given.note(plan(count, window_bits).ok_or(PHALANX_BAD_ARGUMENT));
        let needed = plan.as_ref().map_or(0, lines_of);
        if bytes / size_of::<CacheLine>() < needed {
            given.note::<()>(Err(PHALANX_BAD_ARGUMENT));
        }
        let lines = given.lines_to_write(memory, needed.min(bytes / size_of::<CacheLine>()));
        let checked = given.check()?;
        let points = points.column(&checked);
        let (handle, plan) = handle.zip(plan).ok_or(PHALANX_NULL_POINTER)?;
        let basis = (0..count).map(|i| line(points.get(i))).collect::<Result<Vec<_>, i32>>()?;
        let (head, lines) = lines.zeroed(&checked).split_at_mut(1);
        let (one, mut infinity) = (handle.bulk.one_thread(), false);
        let mut workspace = vec![ZERO; one.lines_to_build(&plan)];
        for part in 0..plan.parts() {
            let lines = &mut lines[plan.part(part).expect("one of the parts")];
            infinity |= one.build_part(&plan, part, &basis, lines, &mut workspace).map_err(status::of)?;
        }
        // Last, so that half of the tables are none.
        head[0].0[..4].copy_from_slice(&[MARK, count as u64, window_bits.into(), infinity.into()]);
        Ok(())
    })
}

/// Computes sums by tables that phalanx_fixed_base_build has written, on the calling thread. Row i of `vectors` is a
/// vector of scalars of 32 bytes, big-endian, below the order of the group, so that the width is 32 times their number;
/// they are for the first points, and those behind them count nothing. Writes sums of 33 bytes, compressed; infinity is
/// all zero. Variable time: not for secrets. Allocates memory for the time of the call.
///
/// Writes zeros first. PHALANX_BAD_SCALAR if some scalar is not below the order; then all are zero. PHALANX_BAD_TABLES
/// for memory that is none, or not all, of such tables. Damage of their entries is not found.
///
/// # Safety
/// The pointers are NULL or good for the rows and the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_fixed_base_sums(
    bulk: *const phalanx_bulk,
    memory: *const u8,
    bytes: usize,
    vectors: *const phalanx_column,
    sums: *const phalanx_output,
    rows: usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let out = given.answer(sums, rows, &[33]);
        let handle = given.value(bulk);
        // SAFETY: the caller's promise about the tables.
        let tables = unsafe { opened(memory, bytes, &mut given) };
        let vectors = given.input(vectors, rows, &[]);
        let checked = given.check()?;
        let (mut out, vectors) = (out.writer(&checked), vectors.column(&checked));
        let (handle, (plan, tables)) = handle.zip(tables).ok_or(PHALANX_NULL_POINTER)?;
        let length = vectors.width() / 32;
        if !vectors.width().is_multiple_of(32) || length > plan.points() {
            return Err(PHALANX_BAD_COLUMN);
        }
        let scalars = |row: usize| vectors.get(row).chunks_exact(32).map(Scalar::from_bytes);
        if !(0..rows).all(|row| scalars(row).all(|scalar| scalar.is_ok())) {
            return Err(PHALANX_BAD_SCALAR);
        }
        let step = (SCALARS_AT_ONCE / length.max(1)).clamp(1, VECTORS_AT_ONCE);
        let (one, most) = (handle.bulk.one_thread(), step.min(rows));
        let mut workspace = vec![ZERO; one.lines_of_fixed_base_sums(&plan, most, length, most * length)];
        for first in (0..rows).step_by(step) {
            let terms = |row| scalars(row).map(|scalar| scalar.unwrap_or(Scalar::ZERO)).enumerate();
            let vectors = (first..rows.min(first + step)).map(terms);
            one.fixed_base_sums_vartime(&tables, vectors, &mut workspace, |i, sum| {
                out.write(first + i, &sum.to_bytes());
            })
            .map_err(status::of)?;
        }
        Ok(())
    })
}

/// The tables over so many points.
fn plan(points: usize, window_bits: u32) -> Option<FixedBasePlan> {
    if points > MAX_POINTS { None } else { FixedBasePlan::windows(points, window_bits) }
}

/// The lines of memory of the tables: one that says what they are, and their own.
fn lines_of(plan: &FixedBasePlan) -> usize {
    1 + plan.lines()
}

/// A point as a line of a basis.
fn line(bytes: &[u8]) -> Result<CacheLine, i32> {
    if bytes.iter().all(|byte| *byte == 0) {
        return Ok(FixedBasePlan::line_of(None));
    }
    PublicKey::from_bytes(bytes).map(|key| FixedBasePlan::line_of(Some(&key))).map_err(|_| PHALANX_BAD_POINT)
}

/// Notes tables in memory that [`phalanx_fixed_base_build`] has written.
///
/// # Safety
/// The pointer is NULL or good for the bytes, which nobody writes to for as long as `'a`.
unsafe fn opened<'a>(
    memory: *const u8,
    bytes: usize,
    given: &mut Given<'a>,
) -> Option<(FixedBasePlan, FixedBaseTables<'a>)> {
    let memory = memory.cast::<CacheLine>();
    let lines = bytes / size_of::<CacheLine>();
    // What is no table is noted whole: nothing is written into it either.
    let refuse = |given: &mut Given<'a>, status| {
        given.bytes(memory, bytes.min(TOO_MANY - 1).min(usize::MAX - memory.addr()), false);
        given.note(Err(status))
    };
    if let Err(status) = check_pointer(memory) {
        return refuse(given, status);
    }
    if lines == 0 {
        return refuse(given, PHALANX_BAD_TABLES);
    }
    // SAFETY: aligned, and one line is there, as the caller promises; any words are a line.
    let [mark, points, bits, infinity, ..] = unsafe { memory.read() }.0;
    let plan = usize::try_from(points).ok().zip(u32::try_from(bits).ok()).and_then(|(points, bits)| plan(points, bits));
    let plan = plan.filter(|plan| mark == MARK && infinity < 2 && lines_of(plan) <= lines);
    let Some(plan) = plan else { return refuse(given, PHALANX_BAD_TABLES) };
    given.bytes(memory, lines_of(&plan) * size_of::<CacheLine>(), false);
    // SAFETY: no more lines than were given, which are there and stay, as the caller promises.
    let lines: &'a [CacheLine] = unsafe { slice::from_raw_parts(memory.add(1), plan.lines()) };
    let tables = given.note(plan.tables(lines, infinity == 1).map_err(status::of))?;
    Some((plan, tables))
}
