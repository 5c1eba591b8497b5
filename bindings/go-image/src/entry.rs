//! The two entry points. They need different amounts of stack.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::call::{MACHINE_FMA, MACHINE_IFMA};
use crate::{
    call::{Call, MACHINE_PORTABLE, MISUSED, NOTHING},
    ffi::Given,
    rows, single,
};
use phalanx::bindings::OneThread;

/// Does what the call says, if it is an operation on one item, and answers a verdict or [`MISUSED`].
///
/// # Safety
/// The CPU has the machine. Each pointer of the call is null, or good for as many values as the operation takes; nobody
/// else writes to what it reads, and what it writes is nothing else's, until it returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_go_single(call: *const Call) -> u32 {
    // SAFETY: the caller's promise.
    let call = unsafe { &*call };
    if call.operation == NOTHING {
        return size_of::<Call>() as u32;
    }
    // SAFETY: the caller's promise.
    let (one, given) = unsafe { (one_thread(call.machine), Given::new(call)) };
    one.and_then(|one| single::run(given, one)).unwrap_or(MISUSED)
}

/// Does what the call says, if it is an operation on rows. Answers 0, what was asked for, or [`MISUSED`].
///
/// # Safety
/// As [`phalanx_go_single`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_go_rows(call: *const Call) -> u32 {
    // SAFETY: the caller's promise.
    let call = unsafe { &*call };
    // SAFETY: the caller's promise.
    let (one, given) = unsafe { (one_thread(call.machine), Given::new(call)) };
    one.and_then(|one| rows::run(given, one)).unwrap_or(MISUSED)
}

/// What computes on the machine of this number.
///
/// # Safety
/// The CPU has the machine.
unsafe fn one_thread(machine: u32) -> Option<OneThread> {
    match machine {
        MACHINE_PORTABLE => Some(OneThread::PORTABLE),
        // SAFETY: the caller's promise.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        MACHINE_FMA => Some(unsafe { OneThread::assume_fma() }),
        // SAFETY: the caller's promise.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        MACHINE_IFMA => Some(unsafe { OneThread::assume_ifma() }),
        _ => None,
    }
}
