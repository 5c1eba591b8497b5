//! All-ones and all-zeros words that stand for secret truth values, kept opaque to the optimiser.
//!
//! A compiler that can see that a word is only ever 0 or 2^64 - 1 may replace arithmetic on it by a branch. Every mask
//! that depends on a secret passes through [`opaque`], after which nothing about its value is known to the compiler.
//!
//! Looks at no other room.
#![allow(unsafe_code)]

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
    fn masks_select_and_recognise_zero() {
        assert_eq!(from_bit(1), u64::MAX);
        assert_eq!(from_bit(0), 0);
        assert_eq!([i64::MIN, -1, 0, i64::MAX].map(from_sign), [-1, -1, 0, 0]);
        assert_eq!(select4(&[1, 2, 3, 4], &[5, 6, 7, 8], from_bit(0)), [1, 2, 3, 4]);
        assert_eq!(select4(&[1, 2, 3, 4], &[5, 6, 7, 8], from_bit(1)), [5, 6, 7, 8]);
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
