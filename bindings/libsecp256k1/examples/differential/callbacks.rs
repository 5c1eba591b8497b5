//! Functions that both libraries call, and the journal of what they were called with.
#![allow(unsafe_code)]

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    slice,
};

thread_local! {
    static JOURNAL: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(entry: String) {
    JOURNAL.with_borrow_mut(|journal| journal.push(entry));
}

/// What was noted since the last time.
pub(crate) fn take_journal() -> Vec<String> {
    JOURNAL.with_borrow_mut(std::mem::take)
}

/// Notes an illegal argument, or an error, with the data that it was set with.
pub(crate) unsafe extern "C" fn report(text: *const c_char, data: *mut c_void) {
    // SAFETY: the interface of callbacks.
    let text = unsafe { CStr::from_ptr(text) };
    note(format!("reported {:?} with {:#x}", text, data.addr()));
}

/// Bytes at a pointer, none at null.
fn bytes<'a>(start: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: callers pass what the interface says that there is.
    if start.is_null() { &[] } else { unsafe { slice::from_raw_parts(start, length) } }
}

/// Mixes all inputs into 32 bytes, the first of them small, so that the number is in range.
fn mixed(parts: &[&[u8]]) -> [u8; 32] {
    let mut state = 0xcbf2_9ce4_8422_2325u64;
    let mut mixed = [0; 32];
    for round in 0..32u8 {
        for part in parts {
            for byte in part.iter().chain([&round]) {
                state = (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        mixed[usize::from(round)] = (state >> 24) as u8;
    }
    mixed[0] &= 0x7f;
    mixed
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A nonce function whose data's address says how it behaves: at 1 it fails; at 2 the first attempt is zero, the second
/// too large, the third fails; at 3 the third succeeds.
pub(crate) unsafe extern "C" fn nonce(
    nonce: *mut u8,
    digest: *const u8,
    key: *const u8,
    algorithm: *const u8,
    data: *mut c_void,
    attempt: c_uint,
) -> c_int {
    let (digest, key) = (bytes(digest, 32), bytes(key, 32));
    let name = hex(bytes(algorithm, 16));
    note(format!("nonce {} {} {name} {:#x} {attempt}", hex(digest), hex(key), data.addr()));
    let made = match (data.addr(), attempt) {
        (1, _) | (2, 2) => return 0,
        (2 | 3, 0) => [0; 32],
        (2 | 3, 1) => [0xff; 32],
        _ => mixed(&[digest, key, &attempt.to_be_bytes()]),
    };
    // SAFETY: the interface of nonce functions.
    unsafe { nonce.cast::<[u8; 32]>().write(made) };
    // Any answer but 0 is success.
    if data.addr() == 4 { -7 } else { 1 }
}

/// The same for BIP-340: at 1 it fails; at 2 the nonce is zero; at 3 it is n; at 4 it is above n.
pub(crate) unsafe extern "C" fn hardened_nonce(
    nonce: *mut u8,
    message: *const u8,
    length: usize,
    key: *const u8,
    x: *const u8,
    algorithm: *const u8,
    algorithm_length: usize,
    data: *mut c_void,
) -> c_int {
    let (message, key, x) = (bytes(message, length), bytes(key, 32), bytes(x, 32));
    let algorithm = hex(bytes(algorithm, algorithm_length));
    note(format!("nonce {} {} {} {algorithm} {:#x}", hex(message), hex(key), hex(x), data.addr()));
    let made = match data.addr() {
        1 => return 0,
        2 => [0; 32],
        3 => crate::values::ORDER,
        4 => [0xff; 32],
        _ => mixed(&[message, key, x]),
    };
    // SAFETY: the interface of nonce functions.
    unsafe { nonce.cast::<[u8; 32]>().write(made) };
    1
}

/// A hash of a shared point that writes both coordinates, or by its data's address fails after or before that.
pub(crate) unsafe extern "C" fn point_hash(output: *mut u8, x: *const u8, y: *const u8, data: *mut c_void) -> c_int {
    let (x, y) = (bytes(x, 32), bytes(y, 32));
    note(format!("hash {} {} {:#x}", hex(x), hex(y), data.addr()));
    if data.addr() == 1 {
        return 0;
    }
    // SAFETY: the cases give 64 bytes of room.
    unsafe { output.cast::<[u8; 64]>().write(crate::values::joined(x.try_into().unwrap(), y.try_into().unwrap())) };
    c_int::from(data.addr() != 2)
}

/// A hash of the x of a shared point that writes the x, or by its data's address fails after or before that.
pub(crate) unsafe extern "C" fn x_hash(
    output: *mut u8,
    x: *const u8,
    a: *const u8,
    b: *const u8,
    data: *mut c_void,
) -> c_int {
    let (x, a, b) = (bytes(x, 32), bytes(a, 64), bytes(b, 64));
    note(format!("hash {} {} {} {:#x}", hex(x), hex(a), hex(b), data.addr()));
    if data.addr() == 1 {
        return 0;
    }
    // SAFETY: the cases give 64 bytes of room.
    unsafe { output.cast::<[u8; 32]>().write(x.try_into().unwrap()) };
    if data.addr() == 2 { 0 } else { -3 }
}

/// A table of one label: at its data stand 33 bytes of the label and the tweak.
pub(crate) unsafe extern "C" fn lookup(label: *const u8, data: *const c_void) -> *const u8 {
    let known = bytes(data.cast(), 33);
    note(format!("label {}", hex(bytes(label, 33))));
    // SAFETY: the tweak stands behind the label.
    if !data.is_null() && known == bytes(label, 33) { unsafe { data.cast::<u8>().add(33) } } else { std::ptr::null() }
}

/// SHA-256's compression function, which notes how many blocks it gets.
pub(crate) unsafe extern "C" fn compression(state: *mut u32, blocks: *const u8, count: usize) {
    note(format!("{count} blocks"));
    compress(state, blocks, count);
}

fn compress(state: *mut u32, blocks: *const u8, count: usize) {
    // SAFETY: the interface of compression functions.
    let (state, blocks) = unsafe { (&mut *state.cast::<[u32; 8]>(), slice::from_raw_parts(blocks.cast(), count)) };
    sha2::block_api::compress256(state, blocks);
}

/// One that is wrong for every block.
pub(crate) unsafe extern "C" fn wrong_compression(state: *mut u32, blocks: *const u8, count: usize) {
    compress(state, blocks, count);
    // SAFETY: as above.
    unsafe { *state ^= 1 };
}

/// One that does not go on to the next block.
pub(crate) unsafe extern "C" fn one_block_compression(state: *mut u32, blocks: *const u8, count: usize) {
    (0..count).for_each(|_| compress(state, blocks, 1));
}

/// One that is wrong for seven blocks in a call.
pub(crate) unsafe extern "C" fn wrong_for_seven(state: *mut u32, blocks: *const u8, count: usize) {
    compress(state, blocks, if count == 7 { 6 } else { count });
}

/// One that is wrong where blocks begin at the last place before a multiple of 64.
pub(crate) unsafe extern "C" fn wrong_alignment(state: *mut u32, blocks: *const u8, count: usize) {
    compress(state, blocks, if count > 1 && blocks.addr() % 64 == 63 { count - 1 } else { count });
}

/// The address of a function.
pub(crate) fn address<F: Copy>(function: F) -> usize {
    assert_eq!(size_of::<F>(), size_of::<usize>());
    // SAFETY: a pointer to a function.
    unsafe { std::mem::transmute_copy(&function) }
}
