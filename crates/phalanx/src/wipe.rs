//! Wiping of secrets: plain zeroes followed by a barrier, so that the compiler can neither drop the writes nor is
//! forced to make them byte by byte.
//!
//! Best effort, by nature: copies that the compiler made in registers or moved on the stack are out of reach.

use zeroize::optimization_barrier;

/// Overwrites with the default value, which for numbers and arrays is zero.
#[inline]
pub(crate) fn wipe<T: Copy + Zero>(secret: &mut T) {
    *secret = T::ZERO;
    optimization_barrier(secret);
}

/// Types whose value of all zero bits holds nothing.
pub(crate) trait Zero {
    const ZERO: Self;
}

impl<const N: usize> Zero for [u8; N] {
    const ZERO: Self = [0; N];
}

impl<const N: usize> Zero for [u32; N] {
    const ZERO: Self = [0; N];
}

impl<const N: usize> Zero for [u64; N] {
    const ZERO: Self = [0; N];
}
