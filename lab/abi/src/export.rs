//! A peer as the C functions of a shared object.
//!
//! The functions, with text and results handed over through a callback that copies, so that no memory changes
//! owner:
//!
//! ```c
//! typedef void (*sink)(void *context, const uint8_t *bytes, size_t length);
//! void  lab_peer_describe(sink, void *context);             // "abi=1\nversion=...\nflags=...\n"
//! void *lab_peer_prepare(const uint8_t *request, size_t, const uint8_t *input, size_t, sink, void *context);
//!                                                           // text: "backend=...\n", or the refusal when NULL
//! void  lab_peer_run(void *job, size_t first, size_t count, size_t times);
//! void  lab_peer_output(void *job, sink, void *context);
//! void  lab_peer_drop(void *job);
//! void  lab_peer_count(void *job, size_t first, size_t count, uint64_t heap[2]);  // allocations and bytes of a run
//! ```
//!
//! `lab_peer_count` may be missing: then nothing is said of the heap.

use crate::{
    VERSION, heap,
    peer::{Peer, Prepared, not_offered},
    request::{Inputs, Request},
};
use core::{ffi::c_void, slice, str};

/// Receives bytes: copies them before it returns.
pub type Sink = unsafe extern "C" fn(context: *mut c_void, bytes: *const u8, length: usize);
/// `lab_peer_describe`.
pub type Describe = unsafe extern "C" fn(sink: Sink, context: *mut c_void);
/// `lab_peer_prepare`.
pub type Prepare = unsafe extern "C" fn(
    request: *const u8,
    request_length: usize,
    input: *const u8,
    input_length: usize,
    sink: Sink,
    context: *mut c_void,
) -> *mut c_void;
/// `lab_peer_run`.
pub type Run = unsafe extern "C" fn(job: *mut c_void, first: usize, count: usize, times: usize);
/// `lab_peer_output`.
pub type Output = unsafe extern "C" fn(job: *mut c_void, sink: Sink, context: *mut c_void);
/// `lab_peer_drop`.
pub type Drop = unsafe extern "C" fn(job: *mut c_void);
/// `lab_peer_count`.
pub type Count = unsafe extern "C" fn(job: *mut c_void, first: usize, count: usize, heap: *mut [u64; 2]);

fn send(text: &[u8], sink: Sink, context: *mut c_void) {
    // SAFETY: the bytes live across the call, and `Sink` copies them; the context is the caller's own, passed through.
    unsafe { sink(context, text.as_ptr(), text.len()) }
}

/// The body of `lab_peer_describe`.
pub fn describe<P: Peer>(sink: Sink, context: *mut c_void) {
    let about = P::describe();
    let mut text = format!("abi={VERSION}\nversion={}\nflags={}\n", about.version, about.flags);
    if P::DRAWS_NONCES {
        text += "nonces=drawn\n";
    }
    if let Some(curve) = P::OTHER_CURVE {
        text += &format!("curve={curve}\n");
    }
    send(text.as_bytes(), sink, context);
}

/// The body of `lab_peer_prepare`.
///
/// # Safety
///
/// `request` and `input` are readable for their lengths during the call.
pub unsafe fn prepare<P: Peer>(
    request: (*const u8, usize),
    input: (*const u8, usize),
    sink: Sink,
    context: *mut c_void,
) -> *mut c_void {
    // SAFETY: readable for their lengths by this function's contract; neither is kept after the call.
    let (request, input) =
        unsafe { (slice::from_raw_parts(request.0, request.1), slice::from_raw_parts(input.0, input.1)) };
    let prepared =
        str::from_utf8(request).map_err(|error| error.to_string()).and_then(Request::from_text).and_then(|request| {
            if let Some(technique) = request.without.as_ref().filter(|_| !P::LEAVES_OUT) {
                Err(format!("cannot leave out {technique}"))
            } else if request.inputs == Inputs::Parsed && !P::TAKES_PARSED {
                Err(not_offered(&request))
            } else if input.len() == request.rows * request.op.row_bytes() {
                P::prepare(&request, input)
            } else {
                Err(format!("{} bytes of input are not {} rows", input.len(), request.rows))
            }
        });
    match prepared {
        Ok(prepared) => {
            send(format!("backend={}\n", prepared.backend).as_bytes(), sink, context);
            Box::into_raw(Box::new(prepared)).cast()
        }
        Err(reason) => {
            send(reason.as_bytes(), sink, context);
            core::ptr::null_mut()
        }
    }
}

// SAFETY (of each `no_mangle`): the names are the lab's own, and each shared object defines each once; it is opened by
// itself, so that another peer's definitions do not meet these.

/// Computes the rows `first .. first + count`, so many times over.
///
/// # Safety
///
/// `job` came from [`prepare`], is not dropped and not in use by another call.
#[unsafe(no_mangle)]
unsafe extern "C" fn lab_peer_run(job: *mut c_void, first: usize, count: usize, times: usize) {
    // SAFETY: by this function's contract `job` is the box that `prepare` leaked, and this is its only use.
    let prepared = unsafe { &mut *job.cast::<Prepared>() };
    for _ in 0..times {
        prepared.job.run(first..first + count);
    }
}

/// Hands the results over.
///
/// # Safety
///
/// As for [`lab_peer_run`].
#[unsafe(no_mangle)]
unsafe extern "C" fn lab_peer_output(job: *mut c_void, sink: Sink, context: *mut c_void) {
    // SAFETY: as in `lab_peer_run`.
    let prepared = unsafe { &mut *job.cast::<Prepared>() };
    send(&prepared.job.output(), sink, context);
}

/// Computes the rows `first .. first + count` once, and says what they took from the heap.
///
/// # Safety
///
/// As for [`lab_peer_run`]; `heap` is writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn lab_peer_count(job: *mut c_void, first: usize, count: usize, heap: *mut [u64; 2]) {
    // SAFETY: as in `lab_peer_run`.
    let prepared = unsafe { &mut *job.cast::<Prepared>() };
    let taken = heap::count(|| prepared.job.run(first..first + count));
    // SAFETY: writable by this function's contract.
    unsafe { heap.write([taken.allocations, taken.bytes]) }
}

/// Drops the job.
///
/// # Safety
///
/// `job` came from [`prepare`] and is never used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn lab_peer_drop(job: *mut c_void) {
    // SAFETY: by this function's contract the box that `prepare` leaked, taken back once.
    drop(unsafe { Box::from_raw(job.cast::<Prepared>()) });
}

/// Exports a type that implements [`Peer`] from this shared object, with the functions above.
#[macro_export]
macro_rules! export_peer {
    ($peer:ident) => {
        /// The functions by which the lab reaches this library; their contracts are in `lab_abi::export`.
        #[allow(unsafe_code)]
        mod exported {
            use super::$peer;
            use core::ffi::c_void;
            use $crate::export::{self, Sink};

            $crate::count_heap!();

            // SAFETY (of each `no_mangle`): as in `lab_abi::export`.
            #[unsafe(no_mangle)]
            extern "C" fn lab_peer_describe(sink: Sink, context: *mut c_void) {
                export::describe::<$peer>(sink, context);
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn lab_peer_prepare(
                request: *const u8,
                request_length: usize,
                input: *const u8,
                input_length: usize,
                sink: Sink,
                context: *mut c_void,
            ) -> *mut c_void {
                // SAFETY: the lab passes slices of its own.
                unsafe { export::prepare::<$peer>((request, request_length), (input, input_length), sink, context) }
            }
        }
    };
}
