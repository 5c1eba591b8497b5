//! Requests to valgrind's memory checker, by the instruction sequence that it recognises and a processor ignores
//! (`valgrind.h` and `memcheck.h`, valgrind 3.19). Without valgrind every request answers 0.
#![allow(unsafe_code)]

use std::hint::black_box;

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
const RUNNING: usize = 0x1001;
/// `VG_USERREQ__COUNT_ERRORS`.
const COUNT_ERRORS: usize = 0x1201;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED`: 'M', 'C', 1.
const MAKE_UNDEFINED: usize = 0x4d43_0001;
/// `VG_USERREQ__GET_VBITS`: 'M', 'C', 8.
const GET_VALIDITY: usize = 0x4d43_0008;

/// Whether valgrind runs this process.
pub(crate) fn is_running() -> bool {
    request([RUNNING, 0, 0, 0, 0, 0]) != 0
}

/// How often the process has branched on, or addressed memory by, a poisoned value.
pub(crate) fn errors() -> usize {
    request([COUNT_ERRORS, 0, 0, 0, 0, 0])
}

/// The value with every bit poisoned: whatever is computed from it is poisoned too.
///
/// # Panics
/// If the checker did not take note, for then nothing would be tested.
pub(crate) fn secret<T>(value: T) -> T {
    let mut value = black_box(value);
    poison(std::ptr::from_mut(&mut value).addr(), size_of::<T>());
    black_box(value)
}

/// As [`secret`], for the characters of a text.
pub(crate) fn secret_text(text: &str) -> String {
    let mut text = text.to_owned();
    poison(text.as_mut_str().as_mut_ptr().addr(), text.len());
    black_box(text)
}

/// As [`secret`], for what a vector holds.
pub(crate) fn secrets<T>(values: Vec<T>) -> Vec<T> {
    values.into_iter().map(secret).collect()
}

fn poison(address: usize, length: usize) {
    request([MAKE_UNDEFINED, address, length, 0, 0, 0]);
    let mut undefined = vec![0u8; length];
    request([GET_VALIDITY, address, undefined.as_mut_ptr().addr(), length, 0, 0]);
    assert!(black_box(undefined).iter().all(|bits| *bits == 0xff), "valgrind did not poison the secret");
}

/// A client request: its number, and five arguments.
#[cfg(target_arch = "x86_64")]
fn request(arguments: [usize; 6]) -> usize {
    let mut answer = 0;
    // SAFETY: the four rotations turn rdi by 128 bits in all, which leaves it as it was, and rbx is exchanged with itself,
    // so on a processor nothing changes but the flags. Under valgrind the sequence reads the six words that rax points to,
    // which live here, and writes rdx. The requests above change what the checker knows of memory, not memory itself,
    // except the last, which writes `length` bytes that its caller owns through a `Vec` of that length. The assembly is
    // declared to touch any memory, so the compiler neither caches values across it nor drops it.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// On other processors the sequence differs; the runs say that they need x86-64.
#[cfg(not(target_arch = "x86_64"))]
fn request(_: [usize; 6]) -> usize {
    0
}
