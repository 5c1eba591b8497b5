//! Multiples of the generator, computed once and committed. The program `tablegen` writes them; its argument `check`,
//! and its test, compare them. A file has the name of its static.
//!
//! An entry is an affine point of eight 64-bit words on one cache line: x, then y, each least significant word first.
//!
//! Knows no field: an entry is words.

/// An affine point as canonical words, x then y.
pub(crate) use phalanx_engine::word::CacheLine as Entry;

/// Bits of a window of [`G_COMB_6`].
pub(crate) const G_COMB_6_WIDTH: u32 = 6;
/// Bits of a window of [`G_ODD_COMB_8`].
pub(crate) const G_ODD_COMB_8_WIDTH: u32 = 8;
/// Bits of the non-adjacent form that [`G_ODD_WNAF_13`] serves.
pub(crate) const G_ODD_WNAF_WIDTH: u32 = 13;

/// Entry `32 i + j - 1` is `j 2^(6 i) G`, j from 1 to 32. 86 KiB: small enough to be read whole for each secret.
pub(crate) static G_COMB_6: [Entry; 43 << 5] = entries(include_bytes!("g_comb_6.bin"));

/// Entry `128 i + j` is `(2 j + 1) 2^(8 i) G`, j below 128. 256 KiB: the fewest additions that stay in a level-2 cache.
pub(crate) static G_ODD_COMB_8: [Entry; 32 << 7] = entries(include_bytes!("g_odd_comb_8.bin"));

/// Entry `j` is `(2 j + 1) G`, and entry `2048 + j` is `(2 j + 1) 2^128 G`, j below 2048. 256 KiB.
pub(crate) static G_ODD_WNAF_13: [Entry; 2 << 11] = entries(include_bytes!("g_odd_wnaf_13.bin"));

/// Bits of a window of [`G_ODD_COMB_6_LIMBS`].
pub(crate) const G_ODD_COMB_6_WIDTH: u32 = 6;

/// Limb by limb the entries of a window, for lookups in registers: first five limbs of 52 bits of x, then those of y.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct LookupWindow(pub(crate) [[u64; 32]; 10]);

/// Entry `j` of window `i` is `(2 j + 1) 2^(6 i) G`, j below 32. 107 KiB.
pub(crate) static G_ODD_COMB_6_LIMBS: [LookupWindow; 43] = lookup_windows(include_bytes!("g_odd_comb_6_limbs.bin"));

#[allow(long_running_const_eval, reason = "a loop over the table's bytes, long but finite")]
const fn lookup_windows<const N: usize>(bytes: &[u8]) -> [LookupWindow; N] {
    assert!(bytes.len() == 2560 * N, "a table has the wrong length");
    let mut windows = [LookupWindow([[0; 32]; 10]); N];
    let mut at = 0;
    while at < 320 * N {
        windows[at / 320].0[at / 32 % 10][at % 32] = word(bytes, at);
        at += 1;
    }
    windows
}

#[allow(long_running_const_eval, reason = "a loop over the table's bytes, long but finite")]
const fn entries<const N: usize>(bytes: &[u8]) -> [Entry; N] {
    assert!(bytes.len() == 64 * N, "a table has the wrong length");
    let mut entries = [Entry([0; 8]); N];
    let mut at = 0;
    while at < 8 * N {
        entries[at / 8].0[at % 8] = word(bytes, at);
        at += 1;
    }
    entries
}

const fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.split_at(8 * at).1.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => panic!("a word has eight bytes"),
    }
}
