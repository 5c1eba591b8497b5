//! Sums of products.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, guard},
    handle::phalanx_bulk,
    status::{self, PHALANX_BAD_SCALAR, PHALANX_NULL_POINTER},
    types::phalanx_column,
};
use core::ffi::c_void;
use library::{
    Error, Point, PublicKeyRef, Scalar,
    bindings::{CacheLine, Column, OneThread},
    msm::Msm,
};

/// Computes the sum of scalars (32 bytes, big-endian, below the order) times points (33 or 65 bytes, SEC 1; infinity
/// is all zero). Writes it to the 33 bytes at `sum`, compressed; infinity is all zero. Variable time: not for
/// secrets. Allocates memory.
///
/// Writes zeros first. PHALANX_BAD_SCALAR, PHALANX_BAD_POINT.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_sum_of_products(
    bulk: *const phalanx_bulk,
    scalars: *const phalanx_column,
    points: *const phalanx_column,
    rows: usize,
    sum: *mut u8,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { sum_by([scalars, points], bulk, rows, sum, None) }
}

/// As phalanx_sum_of_products, on the calling thread and in the program's memory: a workspace aligned to 64 bytes, of
/// as many as phalanx_workspace_bytes says. Allocates nothing.
///
/// PHALANX_WORKSPACE_TOO_SMALL where the sum cannot be computed in the workspace.
///
/// # Safety
/// The pointers are NULL or good for the rows, and nobody else uses the workspace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_sum_of_products_in(
    bulk: *const phalanx_bulk,
    scalars: *const phalanx_column,
    points: *const phalanx_column,
    rows: usize,
    sum: *mut u8,
    workspace: *mut c_void,
    workspace_bytes: usize,
) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { sum_by([scalars, points], bulk, rows, sum, Some((workspace, workspace_bytes))) }
}

/// The status of a sum, in the workspace and its bytes if there are any.
///
/// # Safety
/// The pointers are NULL or good for the rows, and nobody else uses the workspace.
unsafe fn sum_by(
    [scalars, points]: [*const phalanx_column; 2],
    bulk: *const phalanx_bulk,
    rows: usize,
    sum: *mut u8,
    workspace: Option<(*mut c_void, usize)>,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let sum = given.answer_bytes(sum, 33);
        let handle = given.value(bulk);
        let inputs = [given.input(scalars, rows, &[32]), given.input(points, rows, &[33, 65])];
        let lines = workspace.map(|(workspace, bytes)| {
            // No more than the sum takes, whatever the caller says.
            let most = handle.map_or(0, |handle| handle.bulk.one_thread().lines_of_sum_in_columns(rows));
            let lines = most.min(bytes / size_of::<CacheLine>());
            given.lines_to_write(workspace.cast(), lines)
        });
        let checked = given.check()?;
        let (bulk, mut sum) = (&handle.ok_or(PHALANX_NULL_POINTER)?.bulk, sum.writer(&checked));
        let [scalars, points] = inputs.map(|input| input.column(&checked));
        let found = match lines {
            None => sum_of(bulk, &scalars, &points)?,
            Some(lines) => sum_in(bulk.one_thread(), scalars, points, lines.get(&checked))?,
        };
        sum.write(0, &found.to_bytes());
        Ok(())
    })
}

fn sum_in(bulk: OneThread, scalars: Column<'_>, points: Column<'_>, lines: &mut [CacheLine]) -> Result<Point, i32> {
    bulk.sum_of_products_in_columns(scalars, points, lines).map_err(|error| match error {
        Error::OutOfRange => PHALANX_BAD_SCALAR,
        other => status::of(other),
    })
}

/// Rows whose values stand in memory at a time: a bound for it, whatever number of rows columns of one value claim.
const ROWS_AT_ONCE: usize = 1 << 22;

fn sum_of(bulk: &library::Bulk, scalars: &Column<'_>, points: &Column<'_>) -> Result<Point, i32> {
    let mut sum = Point::IDENTITY;
    for first in (0..scalars.len()).step_by(ROWS_AT_ONCE) {
        let rows = first..first + ROWS_AT_ONCE.min(scalars.len() - first);
        sum += sum_of_some(bulk, scalars.part(rows.clone()), points.part(rows))?;
    }
    Ok(sum)
}

fn sum_of_some(bulk: &library::Bulk, scalars: Column<'_>, points: Column<'_>) -> Result<Point, i32> {
    let scalar = |i: usize| Scalar::from_bytes(scalars.get(i)).map_err(|_| PHALANX_BAD_SCALAR);
    // Infinity adds nothing, but its scalar is checked too.
    let finite = |i: &usize| points.get(*i).iter().any(|byte| *byte != 0);
    let all = (0..scalars.len()).map(scalar).collect::<Result<Vec<_>, i32>>()?;
    let kept: Vec<usize> = (0..points.len()).filter(finite).collect();
    let scalars: Vec<Scalar> = kept.iter().map(|i| all[*i]).collect();
    let keys: Vec<PublicKeyRef<'_>> = kept.iter().map(|i| PublicKeyRef::Encoded(points.get(*i))).collect();
    Msm::with(bulk).sum_of_products(&scalars, &keys).map_err(status::of)
}
