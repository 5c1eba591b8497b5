//! What MemorySanitizer is told of vector instructions, in the build for it (`--cfg phalanx_msan`).
//!
//! The sanitizer keeps a shadow of every value: which of its bits are known. Of a sum or a product it takes as unknown
//! only the bits that are unknown in an operand, as if nothing were carried, so that the carry out of a secret limb, or
//! the sign of a difference of two, would count as known. Here each lane that an unknown bit entered becomes unknown as
//! a whole. It refuses unknown operands of instructions that it has no rule for (three-operand logic): they go by known
//! copies, and the lanes of the result become unknown. And it refuses an unknown index into registers, which is no
//! address: this is the exemption of [`super::Word::lookup32`] and [`super::Word::permute`], which go by a known copy
//! of the index and give back lanes as unknown as it was. The vectors `V` have 256 or 512 bits.
//!
//! Sums and products of doubles are not covered here. Their lanes are covered when the digits become words again, which
//! is done by sums of integers.
//!
//! In every other build these functions are their first argument.
#![allow(unsafe_code)]

/// `result`, unknown in each lane of so many bytes in which some input is not wholly known. A macro, so that in other
/// builds nothing is compiled for the inputs.
macro_rules! mixed {
    ($lane:literal, $result:expr, $($input:expr),+) => {{
        #[cfg(phalanx_msan)]
        let result = $crate::word::shadow::with_unknown_lanes::<$lane, _, _>($result, [$($input),+]);
        #[cfg(not(phalanx_msan))]
        let result = $result;
        result
    }};
}
pub(super) use mixed;

/// An operand, of which the sanitizer may think that it is known.
#[cfg(not(phalanx_msan))]
#[inline(always)]
pub(super) fn known<V: Copy>(operand: V) -> V {
    operand
}

/// The work of the macro of this name.
#[cfg(phalanx_msan)]
#[inline(always)]
pub(super) fn with_unknown_lanes<const LANE: usize, const N: usize, V: Copy>(result: V, inputs: [V; N]) -> V {
    let mut result = result;
    runtime::spread(&mut result, &inputs, LANE);
    result
}

/// An operand, of which the sanitizer may think that it is known.
#[cfg(phalanx_msan)]
#[inline(always)]
pub(super) fn known<V: Copy>(operand: V) -> V {
    let mut operand = operand;
    runtime::make_known(&mut operand);
    operand
}

#[cfg(phalanx_msan)]
mod runtime {
    use core::ffi::c_void;

    unsafe extern "C" {
        /// The offset of the first byte of which some bit is unknown, or -1.
        fn __msan_test_shadow(address: *const c_void, size: usize) -> isize;
        fn __msan_poison(address: *const c_void, size: usize);
        fn __msan_unpoison(address: *const c_void, size: usize);
    }

    /// Not inlined, like what follows, so that the vectors are in memory, where the runtime finds their shadow.
    #[inline(never)]
    pub(super) fn spread<V>(result: &mut V, inputs: &[V], lane: usize) {
        let result = (&raw mut *result).cast::<u8>();
        for input in inputs {
            let input = (&raw const *input).cast::<u8>();
            for at in (0..size_of::<V>()).step_by(lane) {
                // SAFETY: `at` is a multiple of the lane's size below the vector's, of which the lane's size is a
                // divisor, so both ranges lie within the vectors. The runtime reads and writes its own record of them,
                // no value.
                unsafe {
                    if __msan_test_shadow(input.add(at).cast(), lane) >= 0 {
                        __msan_poison(result.add(at).cast(), lane);
                    }
                }
            }
        }
    }

    #[inline(never)]
    pub(super) fn make_known<V>(operand: &mut V) {
        // SAFETY: the runtime writes its own record of the vector, whose bytes these are, and no value.
        unsafe { __msan_unpoison((&raw mut *operand).cast(), size_of::<V>()) };
    }
}
