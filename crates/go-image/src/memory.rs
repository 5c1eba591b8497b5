//! The four functions that compilers call to copy, fill and compare memory.
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
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
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
        // SAFETY: the caller's promise.
        unsafe { *to.add(done) = *from.add(done) };
        done += 1;
        remain_a_loop();
    }
    to
}

/// # Safety
/// As C's `memmove`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
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
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
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
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
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
