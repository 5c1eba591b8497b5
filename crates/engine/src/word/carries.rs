//! Sums with carries by the CPU's own instructions.
//!
//! Written with comparisons, as in [`crate::limbs`], they are something that the compiler has to find out to be these
//! instructions. It misses some, and takes long to search.
#![allow(unsafe_code)]
// The intrinsics are safe for newer compilers than the oldest that is supported.
#![allow(unused_unsafe)]

use core::arch::x86_64::{_addcarry_u64, _subborrow_u64};

/// None or one. Not a `bool`, from and to which the compiler would convert it at every step.
pub(super) type Flag = u8;
pub(super) const NONE: Flag = 0;

/// The top bit of a word: the carry of twice the word.
#[inline(always)]
pub(super) fn top_bit(word: u64) -> Flag {
    (word >> 63) as Flag
}

/// The sum of two words and a carry: its low word, and its carry.
#[inline(always)]
pub(super) fn carrying_add(a: u64, b: u64, carry: Flag) -> (u64, Flag) {
    let mut sum = 0;
    // SAFETY: every x86-64 CPU has the instruction, and it writes the one word that is borrowed for it.
    let carry = unsafe { _addcarry_u64(carry, a, b, &mut sum) };
    (sum, carry)
}

/// The difference of two words less a borrow: its low word, and its borrow.
#[inline(always)]
pub(super) fn borrowing_sub(a: u64, b: u64, borrow: Flag) -> (u64, Flag) {
    let mut difference = 0;
    // SAFETY: as above.
    let borrow = unsafe { _subborrow_u64(borrow, a, b, &mut difference) };
    (difference, borrow)
}
