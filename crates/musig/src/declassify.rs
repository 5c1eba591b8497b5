//! The function by which something computed from a secret becomes public.
//!
//! Under `--cfg phalanx_valgrind` it also tells valgrind's memory checker that the value may be branched on.

/// Gives the value back, to be branched on.
#[cfg(not(phalanx_valgrind))]
#[inline(always)]
pub(crate) fn declassify<T: Copy>(value: T) -> T {
    value
}

/// Gives the value back, known to the checker as defined.
#[cfg(phalanx_valgrind)]
#[inline(never)]
pub(crate) fn declassify<T: Copy>(value: T) -> T {
    let mut value = value;
    phalanx::make_defined_for_valgrind((&raw mut value).addr(), size_of::<T>());
    core::hint::black_box(value)
}
