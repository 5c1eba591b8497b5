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

/// What to do if [`is_running`] says no.
pub(crate) const ADVICE: &str = "build with RUSTFLAGS='--cfg phalanx_valgrind' and run under valgrind on x86-64";

/// Whether valgrind runs this process, and the library tells it what becomes public.
pub(crate) fn is_running() -> bool {
    cfg!(phalanx_valgrind) && request([RUNNING, 0, 0, 0, 0, 0]) != 0
}

/// How often the process has branched on, or addressed memory by, a poisoned value.
pub(crate) fn errors() -> usize {
    request([COUNT_ERRORS, 0, 0, 0, 0, 0])
}

/// Makes the bytes unknown to the checker.
///
/// # Panics
/// If the checker did not take note, for then nothing would be tested.
pub(crate) fn poison(address: usize, length: usize) {
    request([MAKE_UNDEFINED, address, length, 0, 0, 0]);
    assert!(unknown_bits(address, length).iter().all(|bits| *bits == 0xff), "valgrind did not poison the secret");
}

/// Whether no byte of the value is known as a whole.
pub(crate) fn is_poisoned<T>(value: &T) -> bool {
    unknown_bits(std::ptr::from_ref(value).addr(), size_of::<T>()).iter().all(|bits| *bits != 0)
}

/// The bits that the checker does not know.
fn unknown_bits(address: usize, length: usize) -> Vec<u8> {
    let mut bits = vec![0u8; length];
    request([GET_VALIDITY, address, bits.as_mut_ptr().addr(), length, 0, 0]);
    black_box(bits)
}

/// A client request: its number, and five arguments.
#[cfg(target_arch = "x86_64")]
fn request(arguments: [usize; 6]) -> usize {
    let mut answer = 0;
    // SAFETY: the four rotations turn rdi by 128 bits in all, which leaves it as it was, and rbx is exchanged with
    // itself, so on a processor nothing changes but the flags. Under valgrind the sequence reads the six words that rax
    // points to, which live here, and writes rdx. The requests above change what the checker knows of memory, not
    // memory itself, except the last, which writes `length` bytes that its caller owns through a `Vec` of that length.
    // The assembly is declared to touch any memory, so the compiler neither caches values across it nor drops it.
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
