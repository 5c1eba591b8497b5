//! Truth values, one per lane, without branches: the one home of secret ones.
//!
//! A compiler that can see that a word is only ever 0 or 2^64 - 1 may replace arithmetic on it by a branch. Every mask
//! that depends on a secret passes through [`opaque`], after which nothing about its value is known to the compiler:
//! [`Mask1`] is made in no other way, and the words of [`from_bit`] and [`from_sign`] neither.
//!
//! The masks of eight lanes come from comparisons of vector words. On words of 512 bits they stay in mask registers. On
//! words of 256 bits they are the collected sign bits of a comparison; another comparison turns them back into words of
//! all ones or all zeros.
//!
//! Looks at no other room.
#![allow(unsafe_code)]

/// A truth value for each lane of a computation.
pub trait Mask: Copy {
    /// False in every lane.
    const NONE: Self;
    /// True in every lane.
    const ALL: Self;
    /// The lanes set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// The lanes set in either.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// The lanes set in exactly one.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// The lanes not set.
    #[must_use]
    fn not(self) -> Self;
    /// Whether some lane is set. The answer is meant to be branched on: public values only.
    fn any(self) -> bool;
    /// Whether the lane is set.
    fn lane(self, index: usize) -> bool;
}

/// The operations of a mask on the bits it is made of.
macro_rules! bits {
    () => {
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(self.0 & other.0)
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(self.0 | other.0)
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(self.0 ^ other.0)
        }
        #[inline(always)]
        fn not(self) -> Self {
            Self(!self.0)
        }
        #[inline(always)]
        fn any(self) -> bool {
            self.0 != 0
        }
    };
}

/// A truth value for one lane: all bits set or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask1(u64);

impl Mask1 {
    /// From the bit 0 or 1; the compiler is kept from learning that only two values occur, so that it cannot turn a
    /// selection back into a branch.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Self {
        debug_assert!(bit <= 1);
        Self(from_bit(bit))
    }

    /// Whether a number below 2^63 is zero, for one instruction fewer than [`Self::is_zero`]: for the search of a
    /// table.
    #[inline(always)]
    pub fn is_zero_below_2_63(value: u64) -> Self {
        debug_assert!(value >> 63 == 0);
        Self(opaque((value.wrapping_sub(1) as i64 >> 63) as u64))
    }

    /// From a value that is zero or not.
    #[inline(always)]
    pub fn is_zero(value: u64) -> Self {
        Self::from_bit(((value | value.wrapping_neg()) >> 63) ^ 1)
    }

    /// All bits set, or none.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }
}

impl Mask for Mask1 {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u64::MAX);
    bits!();
    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        debug_assert!(index == 0);
        self.0 != 0
    }
}

/// A truth value for each of eight lanes, lane `i` in bit `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask8(pub u8);

impl Mask for Mask8 {
    const NONE: Self = Self(0);
    const ALL: Self = Self(0xff);
    bits!();
    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }
}

/// Returns `word`, about which the optimiser may then assume nothing. Costs no instruction where inline assembly
/// exists: [`core::hint::black_box`] would travel through memory in the innermost loops of secret arithmetic. The build
/// for MemorySanitizer does take it: what comes out of assembly counts as known there, what comes from memory does not.
#[inline(always)]
pub fn opaque(word: u64) -> u64 {
    #[cfg(all(not(phalanx_msan), any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
    {
        let mut word = word;
        // SAFETY: the template is only an assembler comment, so no instruction runs; the single operand is a register
        // that is read and written back unchanged, and the options promise nothing that an empty body could break.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) word, options(pure, nomem, nostack, preserves_flags));
        }
        word
    }
    #[cfg(any(phalanx_msan, not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
    core::hint::black_box(word)
}

/// The mask of a bit: all ones for 1, zero for 0. Other values of `bit` give meaningless words.
#[inline(always)]
pub fn from_bit(bit: u64) -> u64 {
    opaque(bit.wrapping_neg())
}

/// The mask of a sign: all ones (-1) for a negative number, else zero.
#[inline(always)]
pub fn from_sign(number: i64) -> i64 {
    opaque((number >> 63) as u64) as i64
}

/// `if_set` where `mask` is all ones, `if_clear` where it is zero.
#[inline(always)]
pub const fn select(if_clear: u64, if_set: u64, mask: u64) -> u64 {
    if_clear ^ ((if_clear ^ if_set) & mask)
}

/// Limb-wise [`select`].
#[inline(always)]
pub const fn select4(if_clear: &[u64; 4], if_set: &[u64; 4], mask: u64) -> [u64; 4] {
    [
        select(if_clear[0], if_set[0], mask),
        select(if_clear[1], if_set[1], mask),
        select(if_clear[2], if_set[2], mask),
        select(if_clear[3], if_set[3], mask),
    ]
}

/// The entry of a table whose number, counted from 1, is given; zeros for 0. The number is below 2^63. All entries are
/// read.
#[inline(always)]
pub fn entry(table: impl IntoIterator<Item = [u64; 8]>, number: u64) -> [u64; 8] {
    use registers::{COUNT, EntryPart, and, or, splat};
    // SAFETY: the build is for a CPU with these registers. `COUNT` of them are as large as eight words, and both
    // can have any bits.
    unsafe {
        let mut found = [splat(0); COUNT];
        for (j, words) in (1u64..).zip(table) {
            let here = splat(Mask1::is_zero_below_2_63(j ^ number).bits() as i64);
            let words: [EntryPart; COUNT] = core::mem::transmute(words);
            for (found, words) in found.iter_mut().zip(words) {
                *found = or(*found, and(words, here));
            }
        }
        core::mem::transmute(found)
    }
}

/// Registers that every CPU has which the build is for. The compiler does not take them by itself in every program.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod registers {
    pub(super) use core::arch::x86_64::{
        __m256i as EntryPart, _mm256_and_si256 as and, _mm256_or_si256 as or, _mm256_set1_epi64x as splat,
    };
    pub(super) const COUNT: usize = 2;
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(target_feature = "avx2")))]
mod registers {
    pub(super) use core::arch::x86_64::{
        __m128i as EntryPart, _mm_and_si128 as and, _mm_or_si128 as or, _mm_set1_epi64x as splat,
    };
    pub(super) const COUNT: usize = 4;
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod registers {
    pub(super) type EntryPart = i64;
    pub(super) const COUNT: usize = 8;
    #[inline(always)]
    pub(super) const fn splat(word: i64) -> EntryPart {
        word
    }
    #[inline(always)]
    pub(super) const fn and(a: EntryPart, b: EntryPart) -> EntryPart {
        a & b
    }
    #[inline(always)]
    pub(super) const fn or(a: EntryPart, b: EntryPart) -> EntryPart {
        a | b
    }
}

/// All ones where every limb is zero, else zero.
#[inline(always)]
pub fn is_zero(limbs: &[u64; 4]) -> u64 {
    let any = limbs[0] | limbs[1] | limbs[2] | limbs[3];
    // any | -any has its top bit set exactly where any is not zero.
    from_bit(((any | any.wrapping_neg()) >> 63) ^ 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_a_number_is_found() {
        let table: [[u64; 8]; 5] = core::array::from_fn(|j| core::array::from_fn(|i| !(8 * j as u64 + i as u64)));
        assert_eq!(entry(table, 0), [0; 8]);
        for (number, expected) in (1..).zip(table) {
            assert_eq!(entry(table, number), expected);
        }
    }

    #[test]
    fn masks_select_and_recognise_zero() {
        assert_eq!(from_bit(1), u64::MAX);
        assert_eq!(from_bit(0), 0);
        assert_eq!([i64::MIN, -1, 0, i64::MAX].map(from_sign), [-1, -1, 0, 0]);
        assert_eq!(select4(&[1, 2, 3, 4], &[5, 6, 7, 8], from_bit(0)), [1, 2, 3, 4]);
        assert_eq!(select4(&[1, 2, 3, 4], &[5, 6, 7, 8], from_bit(1)), [5, 6, 7, 8]);
        for value in [0, 1, 31, u64::MAX >> 1] {
            assert_eq!(Mask1::is_zero_below_2_63(value), Mask1::is_zero(value));
            assert_eq!(Mask1::is_zero(value).bits(), if value == 0 { u64::MAX } else { 0 });
        }
        assert_eq!(is_zero(&[0; 4]), u64::MAX);
        for limb in 0..4 {
            for bit in 0..64 {
                let mut limbs = [0; 4];
                limbs[limb] = 1 << bit;
                assert_eq!(is_zero(&limbs), 0);
            }
        }
    }
}
