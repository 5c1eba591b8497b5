//! The elements of Banderwagon, the group of Ethereum's Verkle trees, that commitments are sums of; and commitments
//! in constant time, which take no tables.
#![allow(unsafe_code)]

use crate::{
    ffi::{Checked, Given, guard, release},
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_COLUMN, PHALANX_BAD_POINT, PHALANX_BAD_SCALAR, PHALANX_NULL_POINTER},
    types::{phalanx_column, phalanx_output},
};
use phalanx_banderwagon::{Basis, Element, Scalar};
use zeroize::Zeroizing;

/// The elements that commitments are sums of. Threads may share one.
pub struct phalanx_basis {
    pub(crate) basis: Basis,
}

/// The basis's length at most: a bound for the sizes of what callers ask.
const MAX_ELEMENTS: usize = 1 << 16;

/// Makes the basis of a Verkle tree: 256 elements.
///
/// Writes NULL to `basis` first.
///
/// # Safety
/// The pointer is NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_basis_verkle(basis: *mut *mut phalanx_basis) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let given = unsafe { Given::new() };
        give_basis(basis, given, |_| Ok(Basis::verkle()))
    })
}

/// Makes a basis of up to 65,536 elements of 32 bytes, in the encoding of Verkle trees.
///
/// Writes NULL to `basis` first. PHALANX_BAD_POINT for what is no element; PHALANX_BAD_ARGUMENT for none or too many.
///
/// # Safety
/// The pointers are NULL or good for the elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_basis_new(
    elements: *const phalanx_column,
    count: usize,
    basis: *mut *mut phalanx_basis,
) -> i32 {
    // SAFETY: the caller's promise.
    guard(|| {
        // SAFETY: the caller's promise.
        let mut given = unsafe { Given::new() };
        let column = given.input(elements, count, &[32]);
        let make = |checked: &Checked<'_>| {
            if count == 0 || count > MAX_ELEMENTS {
                return Err(PHALANX_BAD_ARGUMENT);
            }
            let column = column.column(checked);
            let element = |i| Element::from_bytes(&word(column.get(i))).map_err(|_| PHALANX_BAD_POINT);
            Ok(Basis::new((0..count).map(element).collect::<Result<_, i32>>()?))
        };
        give_basis(basis, given, make)
    })
}

/// Makes a basis where what was given is good.
fn give_basis<'a>(
    place: *mut *mut phalanx_basis,
    mut given: Given<'a>,
    make: impl FnOnce(&Checked<'a>) -> Result<Basis, i32>,
) -> Result<(), i32> {
    let place = given.pointer(place);
    let checked = given.check()?;
    let basis = make(&checked)?;
    place.set(Box::into_raw(Box::new(phalanx_basis { basis })), &checked);
    Ok(())
}

/// Frees a basis. NULL is allowed.
///
/// # Safety
/// The basis is NULL, or was made here and has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_basis_free(basis: *mut phalanx_basis) {
    // SAFETY: a box that `give_basis` gave away, as the caller promises.
    unsafe { release(basis) };
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
        let scalars = scalars.column(&checked);
        if count > basis.len() {
            return Err(PHALANX_BAD_COLUMN);
        }
        // Of its whole length from the start: one that grows leaves copies behind.
        let mut found = Zeroizing::new(vec![Scalar::ZERO; count]);
        for (i, found) in found.iter_mut().enumerate() {
            let bytes = Zeroizing::new(word(scalars.get(i)));
            *found = Scalar::from_le_bytes(&bytes).ok_or(PHALANX_BAD_SCALAR)?;
        }
        out.write(0, &basis.commit(&found).to_bytes());
        Ok(())
    })
}

fn word(bytes: &[u8]) -> [u8; 32] {
    bytes.try_into().expect("a column of 32 bytes")
}
