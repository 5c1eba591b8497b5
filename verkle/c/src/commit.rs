//! Commitments: to public scalars by tables, and to secret ones in constant time.
#![allow(unsafe_code)]

use crate::{basis::phalanx_basis, tables::phalanx_tables};
use phalanx_banderwagon::{Element, Scalar};
use phalanx_ffi::{
    Given, guard, phalanx_column, phalanx_output,
    status::{PHALANX_BAD_COLUMN, PHALANX_BAD_SCALAR, PHALANX_NULL_POINTER},
};
use zeroize::Zeroizing;

/// Vectors that are summed at once, and their scalars, where there are several.
const VECTORS_AT_ONCE: usize = 256;
const SCALARS_AT_ONCE: usize = 1 << 16;

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
        let mut out = out.writer(&checked);
        // SAFETY: neither NULL nor misaligned, by the check, and nobody else uses them, as the caller promises.
        let tables = unsafe { &mut *tables };
        let scalars = |i: usize| vectors.row(i, &checked).as_chunks().0;
        let length = vectors.width() / 32;
        if !vectors.width().is_multiple_of(32) || length > tables.configuration.points {
            return Err(PHALANX_BAD_COLUMN);
        }
        let check = |i: usize| scalars(i).iter().all(|bytes| Scalar::from_le_bytes(bytes).is_some());
        if !(0..rows).all(check) {
            return Err(PHALANX_BAD_SCALAR);
        }
        let step = (SCALARS_AT_ONCE / length.max(1)).clamp(1, VECTORS_AT_ONCE);
        for start in (0..rows).step_by(step) {
            let rows = start..rows.min(start + step);
            tables.vectors.clear();
            for row in rows.clone() {
                tables.vectors.extend(scalars(row).iter().map(limbs));
            }
            let found = tables.committer.sums(&tables.vectors, length, rows.len());
            for (row, sum) in rows.zip(found) {
                out.write(row, &Element::from_sum(*sum).to_bytes());
            }
        }
        Ok(())
    })
}

/// Commits to one vector of `count` scalars of 32 bytes, little-endian and below the order, in constant time: for
/// scalars that are secret. Writes 32 bytes. It takes no tables, and is many times slower.
///
/// Writes zeros first. PHALANX_BAD_SCALAR, and PHALANX_BAD_COLUMN for more scalars than elements.
///
/// # Safety
/// The pointers are NULL or good for the scalars.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_commit_secret(
    basis: *const phalanx_basis,
    scalars: *const phalanx_column,
    count: usize,
    commitment: *const phalanx_output,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let out = given.answer(commitment, 1, &[32]);
        let basis = given.value(basis);
        let scalars = given.input(scalars, count, &[32]);
        let checked = given.check()?;
        let (basis, mut out) = (&basis.ok_or(PHALANX_NULL_POINTER)?.basis, out.writer(&checked));
        if count > basis.len() {
            return Err(PHALANX_BAD_COLUMN);
        }
        // Of its whole length from the start: one that grows leaves copies behind.
        let mut found = Zeroizing::new(vec![Scalar::ZERO; count]);
        for (i, found) in found.iter_mut().enumerate() {
            let bytes = scalars.row(i, &checked).try_into().expect("a column of 32 bytes");
            *found = Scalar::from_le_bytes(bytes).ok_or(PHALANX_BAD_SCALAR)?;
        }
        out.write(0, &basis.commit(&found).to_bytes());
        Ok(())
    })
}

fn limbs(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes.as_chunks().0[i]))
}
