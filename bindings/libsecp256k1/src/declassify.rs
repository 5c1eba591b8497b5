//! The function by which something computed from a secret becomes public, in the functions of this crate.
//!
//! Under `--cfg phalanx_valgrind` it also tells valgrind's memory checker that the value may be branched
//! on, where the context asks for it by the flag of the original that is made for this. Otherwise it does nothing, and
//! such a context cannot be made.

use crate::context::Context;
#[cfg(phalanx_valgrind)]
use phalanx::bindings::make_defined_for_valgrind as make_defined;

/// Gives the value back, to be branched on.
#[cfg(not(phalanx_valgrind))]
#[inline(always)]
pub(crate) fn declassify<T: Copy>(_: &Context, value: T) -> T {
    value
}

/// Gives the value back, known to the checker as defined where the context asks for that.
#[cfg(phalanx_valgrind)]
#[inline(never)]
pub(crate) fn declassify<T: Copy>(context: &Context, value: T) -> T {
    let mut value = value;
    if context.declassifies() {
        make_defined((&raw mut value).addr(), size_of::<T>());
    }
    std::hint::black_box(value)
}

/// Whether a memory checker runs this process and is told what becomes public.
pub(crate) fn is_checked() -> bool {
    #[cfg(phalanx_valgrind)]
    return make_defined(0, 0) != 0;
    #[cfg(not(phalanx_valgrind))]
    false
}
