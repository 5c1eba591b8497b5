//! Multiples of the generator, computed once and committed. The program `tablegen` writes them. `tablegen check` and
//! its test compare them. A file has the name of its static.
//!
//! An entry is an affine point of eight 64-bit words on one cache line: x, then y, each least significant word first.
//! For lookups in registers the same entries stand in windows, word by word.
//!
//! This room knows no field: an entry is words.

/// An affine point as canonical words, x then y.
pub(crate) use phalanx_engine::word::CacheLine as Entry;
use phalanx_engine::word::{Table32, Word};

/// Bits of a window of [`G_COMB_6`].
pub(crate) const G_COMB_6_WIDTH: u32 = 6;
/// Bits of a window of [`G_ODD_COMB_8`].
pub(crate) const G_ODD_COMB_8_WIDTH: u32 = 8;
/// Bits of the non-adjacent form that [`G_ODD_WNAF_13`] serves.
pub(crate) const G_ODD_WNAF_WIDTH: u32 = 13;

/// Entry `32 i + j - 1` is `j 2^(6 i) G`, j from 1 to 32. 86 KiB: small enough to be read whole for each secret.
pub(crate) static G_COMB_6: [Entry; 43 << 5] = table(include_bytes!("g_comb_6.bin"));

/// Entry `128 i + j` is `(2 j + 1) 2^(8 i) G`, j below 128. 256 KiB: the fewest additions that stay in a level-2 cache.
pub(crate) static G_ODD_COMB_8: [Entry; 32 << 7] = table(include_bytes!("g_odd_comb_8.bin"));

/// Entry `j` is `(2 j + 1) G`, and entry `2048 + j` is `(2 j + 1) 2^128 G`, j below 2048. 256 KiB.
pub(crate) static G_ODD_WNAF_13: [Entry; 2 << 11] = table(include_bytes!("g_odd_wnaf_13.bin"));

/// Bits of a window of [`G_ODD_COMB_6_LIMBS`].
pub(crate) const G_ODD_COMB_6_WIDTH: u32 = 6;
/// Bits of a window of [`g_odd_comb_7`].
pub(crate) const G_ODD_COMB_7_WIDTH: u32 = 7;

/// Word by word 32 entries, for lookups in registers: the five words of x in which a machine's field keeps it in memory,
/// then those of y.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct LookupWindow(pub(crate) [Table32; 10]);

/// Entry `j` of window `i` is `(2 j + 1) 2^(6 i) G`, j below 32, in limbs of 52 bits. 107 KiB: less to read for one
/// product than wider windows.
pub(crate) static G_ODD_COMB_6_LIMBS: [LookupWindow; 43] = table(include_bytes!("g_odd_comb_6_limbs.bin"));

/// Two halves of a window that has 64 entries.
pub(crate) type WideWindow = [LookupWindow; 2];

/// Entry `j` of window `i` is `(2 j + 1) 2^(7 i) G`, j below 64. 185 KiB for each kind of field.
#[inline(always)]
pub(crate) fn g_odd_comb_7<W: Word>() -> &'static [WideWindow; 37] {
    if W::IN_DOUBLES { &G_ODD_COMB_7_DOUBLES } else { &G_ODD_COMB_7_LIMBS }
}

/// For fields of five limbs of 52 bits.
static G_ODD_COMB_7_LIMBS: [WideWindow; 37] = table(include_bytes!("g_odd_comb_7_limbs.bin"));

/// For fields of five doubles.
static G_ODD_COMB_7_DOUBLES: [WideWindow; 37] = table(include_bytes!("g_odd_comb_7_doubles.bin"));

/// What a table may be made of: any bytes are a value of it.
///
/// # Safety
/// The type is integers of [`Integers::BYTES`] and nothing else, of an alignment that divides its size.
#[allow(unsafe_code)]
unsafe trait Integers: Copy {
    /// The bytes of an integer, a power of two.
    const BYTES: usize;
}
// SAFETY: a line is eight words of 64 bits, aligned to its 64 bytes.
#[allow(unsafe_code)]
unsafe impl Integers for Entry {
    const BYTES: usize = 8;
}
// SAFETY: a window is 640 words of 32 bits, aligned to 64 of its 2,560 bytes.
#[allow(unsafe_code)]
unsafe impl Integers for LookupWindow {
    const BYTES: usize = 4;
}
// SAFETY: a window is twice 640 words of 32 bits, aligned to 64 of its 5,120 bytes.
#[allow(unsafe_code)]
unsafe impl Integers for WideWindow {
    const BYTES: usize = 4;
}

/// The table of a file's bytes. They are copied whole: word by word the compiler's interpreter takes seconds.
#[allow(unsafe_code)]
const fn table<T: Integers, const BYTES: usize, const N: usize>(bytes: &[u8; BYTES]) -> [T; N] {
    assert!(BYTES == N * size_of::<T>(), "a table has the wrong length");
    let swapped;
    let bytes = if cfg!(target_endian = "little") {
        bytes
    } else {
        swapped = with_integers_reversed(bytes, T::BYTES);
        &swapped
    };
    // SAFETY: the bytes are as many as the table's, and any are a table: `Integers` promises that it is of nothing else.
    unsafe { bytes.as_ptr().cast::<[T; N]>().read_unaligned() }
}

/// The bytes with those of each integer of `size` bytes in the other order.
#[allow(long_running_const_eval, reason = "a loop over the table's bytes, long but finite")]
const fn with_integers_reversed<const BYTES: usize>(bytes: &[u8; BYTES], size: usize) -> [u8; BYTES] {
    let mut reversed = [0; BYTES];
    let mut at = 0;
    while at < BYTES {
        reversed[at] = bytes[at ^ (size - 1)];
        at += 1;
    }
    reversed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_reversed_one_by_one() {
        let bytes = core::array::from_fn::<u8, 16, _>(|i| i as u8);
        assert_eq!(with_integers_reversed(&bytes, 8), [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
        assert_eq!(with_integers_reversed(&bytes, 4), [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
    }
}
