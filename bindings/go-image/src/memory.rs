//! What compilers call to copy, fill and compare memory.
//!
//! A compiler turns loops that copy into calls of these very functions; a piece of assembly without an instruction in
//! each loop keeps it from that.
#![allow(unsafe_code)]

use core::arch::asm;

/// Keeps the loop around it a loop.
#[inline(always)]
fn remain_a_loop() {
    // SAFETY: no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) };
}

/// 16 bytes.
type Block = [u64; 2];

/// # Safety
/// As C's `memcpy`.
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise. Of 16 bytes and more, the last 16 are copied apart.
    unsafe {
        if count < size_of::<Block>() {
            return copy_few(to, from, count);
        }
        let last = count - size_of::<Block>();
        let end: Block = from.add(last).cast::<Block>().read_unaligned();
        let mut done = 0;
        while done < last {
            to.add(done).cast::<Block>().write_unaligned(from.add(done).cast::<Block>().read_unaligned());
            done += size_of::<Block>();
            remain_a_loop();
        }
        to.add(last).cast::<Block>().write_unaligned(end);
    }
    to
}

/// # Safety
/// As C's `memcpy`.
#[inline(always)]
unsafe fn copy_few(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    let mut done = 0;
    while done < count {
        // SAFETY: the caller's promise. From the first byte on, so that memory may overlap that lies lower.
        unsafe { *to.add(done) = *from.add(done) };
        done += 1;
        remain_a_loop();
    }
    to
}

/// # Safety
/// As C's `memmove`.
pub(crate) unsafe fn copy_overlapping(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise. Bytes are read before they are overwritten, whichever lies lower.
    unsafe {
        if to.cast_const() <= from {
            return copy_few(to, from, count);
        }
        let mut left = count;
        while left > 0 {
            left -= 1;
            *to.add(left) = *from.add(left);
            remain_a_loop();
        }
    }
    to
}

/// # Safety
/// As C's `memset`.
pub(crate) unsafe fn fill(to: *mut u8, value: i32, count: usize) -> *mut u8 {
    let byte = value as u8;
    let block: Block = [u64::from(byte) * 0x0101_0101_0101_0101; 2];
    let mut done = 0;
    // SAFETY: the caller's promise. Of 16 bytes and more, the last 16 are filled apart.
    unsafe {
        if count >= size_of::<Block>() {
            let last = count - size_of::<Block>();
            while done < last {
                to.add(done).cast::<Block>().write_unaligned(block);
                done += size_of::<Block>();
                remain_a_loop();
            }
            to.add(last).cast::<Block>().write_unaligned(block);
            return to;
        }
        while done < count {
            *to.add(done) = byte;
            done += 1;
            remain_a_loop();
        }
    }
    to
}

/// # Safety
/// As C's `memcmp`.
pub(crate) unsafe fn compare(a: *const u8, b: *const u8, count: usize) -> i32 {
    let mut done = 0;
    while done < count {
        // SAFETY: the caller's promise.
        let (a, b) = unsafe { (*a.add(done), *b.add(done)) };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
        done += 1;
        remain_a_loop();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Calls `work` with each place and length within a few blocks.
    fn places(mut work: impl FnMut(usize, usize, usize)) {
        for length in 0..70 {
            for to in 0..20 {
                for from in 0..20 {
                    work(to, from, length);
                }
            }
        }
    }

    fn bytes() -> [u8; 100] {
        core::array::from_fn(|i| (i * 7 + 1) as u8)
    }

    #[test]
    fn memory_is_copied() {
        places(|to, from, length| {
            let (source, mut found, mut expected) = (bytes(), [0; 100], [0; 100]);
            expected[to..to + length].copy_from_slice(&source[from..from + length]);
            // SAFETY: both places are within arrays of their own.
            let answer = unsafe { copy(found.as_mut_ptr().add(to), source.as_ptr().add(from), length) };
            assert_eq!((found, answer), (expected, found.as_mut_ptr().wrapping_add(to)));
        });
    }

    #[test]
    fn memory_is_copied_over_itself() {
        places(|to, from, length| {
            let (mut found, mut expected) = (bytes(), bytes());
            expected.copy_within(from..from + length, to);
            let start = found.as_mut_ptr();
            // SAFETY: both places are within one array.
            unsafe { copy_overlapping(start.add(to), start.add(from), length) };
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn memory_is_filled() {
        places(|to, value, length| {
            let (mut found, mut expected) = (bytes(), bytes());
            expected[to..to + length].fill((0xf0 + value) as u8);
            // SAFETY: the place is within the array; only the lowest byte of the value counts.
            unsafe { fill(found.as_mut_ptr().add(to), 0x5500 | ((0xf0 + value as i32) & 0xff), length) };
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn memory_is_compared() {
        let texts: Vec<Vec<u8>> = [&b""[..], b"a", b"b", b"ab", b"abc", b"abd", b"\x80bc", b"\xffbc"]
            .iter()
            .map(|text| text.to_vec())
            .collect();
        for a in &texts {
            for b in &texts {
                let length = a.len().min(b.len());
                // SAFETY: both have so many bytes.
                let found = unsafe { compare(a.as_ptr(), b.as_ptr(), length) };
                assert_eq!(found.cmp(&0), a[..length].cmp(&b[..length]), "{a:?} {b:?}");
            }
        }
    }
}
