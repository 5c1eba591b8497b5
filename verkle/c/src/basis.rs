//! The elements of Banderwagon, the group of Ethereum's Verkle trees, that commitments are sums of.
#![allow(unsafe_code)]

use phalanx_banderwagon::{Basis, Element};
use phalanx_ffi::{
    Checked, Given, guard, phalanx_column, release,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_BAD_POINT},
};

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
            let element = |i| {
                let bytes = column.row(i, checked).try_into().expect("a column of 32 bytes");
                Element::from_bytes(bytes).map_err(|_| PHALANX_BAD_POINT)
            };
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
