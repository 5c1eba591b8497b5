//! The two entry points. They need different amounts of stack.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use crate::call::{MACHINE_FMA, MACHINE_IFMA};
use crate::{
    call::{Call, MACHINE_PORTABLE, MISUSED, NOTHING},
    ffi::Given,
    means::Means,
    rows, single,
};
use phalanx::{Machine, bulk::OneThread};

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
    let (means, given) = unsafe { (means(call.machine), Given::new(call)) };
    means.and_then(|means| single::run(given, means.machine)).unwrap_or(MISUSED)
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
    let (means, given) = unsafe { (means(call.machine), Given::new(call)) };
    means.and_then(|means| rows::run(given, means)).unwrap_or(MISUSED)
}

/// What a number of a machine stands for.
///
/// # Safety
/// The CPU has the machine.
unsafe fn means(machine: u32) -> Option<Means> {
    match machine {
        MACHINE_PORTABLE => Some(Means { bulk: OneThread::PORTABLE, machine: Machine::PORTABLE }),
        // SAFETY: the caller's promise. One item is computed on one lane, which is faster.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        MACHINE_FMA => Some(Means { bulk: unsafe { OneThread::assume_fma() }, machine: Machine::PORTABLE }),
        // SAFETY: the caller's promise.
        #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
        MACHINE_IFMA => Some(unsafe { Means { bulk: OneThread::assume_ifma(), machine: Machine::assume_ifma() } }),
        _ => None,
    }
}
