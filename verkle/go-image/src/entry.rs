//! The two entry points. They need different amounts of stack.
#![allow(unsafe_code)]

use crate::{commit, element, elements, operation::*, tables};
use phalanx_banderwagon::Bandersnatch;
use phalanx_engine::affine_add::{AffineAdder, OneLane};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_engine::{
    affine_add::EightLanes,
    word::{Fma, Ifma, VectorUnit},
};
#[cfg(all(target_arch = "x86_64", feature = "vectors"))]
use phalanx_go_image::call::{MACHINE_FMA, MACHINE_IFMA};
use phalanx_go_image::{
    call::{Call, MACHINE_PORTABLE, MISUSED},
    ffi::Given,
};

/// Does what the call says, if it is an operation on one element. Answers 0, what was asked for, why bytes are no element,
/// or [`MISUSED`].
///
/// # Safety
/// Each pointer of the call is null, or good for as many values as the operation takes; nobody else writes to what it
/// reads, and what it writes is nothing else's, until it returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_go_element(call: *const Call) -> u32 {
    // SAFETY: the caller's promise.
    let call = unsafe { &*call };
    if call.operation == NOTHING {
        return size_of::<Call>() as u32;
    }
    // SAFETY: the caller's promise.
    let given = unsafe { Given::new(call) };
    element::run(given).unwrap_or_else(|answer| answer)
}

/// Does what the call says, if it is an operation on many elements, on tables, or a commitment. Answers 0, what was asked
/// for, or [`MISUSED`].
///
/// # Safety
/// The CPU has the machine, and else as [`phalanx_go_element`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_go_commitments(call: *const Call) -> u32 {
    // SAFETY: the caller's promise.
    let call = unsafe { &*call };
    // SAFETY: the caller's promise.
    let given = unsafe { Given::new(call) };
    let answer = match call.operation {
        ENCODE => elements::encode(given),
        MAP => elements::given_elements(given).and_then(|element| elements::map(given, 0, element)),
        BASIS => elements::basis(given),
        TABLE_LINES => tables::lines(given),
        PARTS => tables::parts(given),
        PART_LINE => tables::first_line(given),
        LINES | BUILD | COMMIT => match call.machine {
            MACHINE_PORTABLE => by(&OneLane::<Bandersnatch>::new(), given),
            // SAFETY: the caller's promise.
            #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
            MACHINE_FMA => by(&EightLanes::new(VectorUnit::Fma(unsafe { Fma::assume() })), given),
            // SAFETY: the caller's promise.
            #[cfg(all(target_arch = "x86_64", feature = "vectors"))]
            MACHINE_IFMA => by(&EightLanes::new(VectorUnit::Ifma(unsafe { Ifma::assume() })), given),
            _ => Err(MISUSED),
        },
        _ => Err(MISUSED),
    };
    answer.unwrap_or_else(|answer| answer)
}

/// The operations that add points. One copy for all vector units: they are told apart where work runs on words.
#[inline(never)]
fn by<A: AffineAdder<Curve = Bandersnatch>>(adder: &A, given: Given<'_>) -> Result<u32, u32> {
    match given.call().operation {
        LINES => match given.call().rows as u32 {
            BUILD => tables::lines_to_build::<A>(given),
            COMMIT => commit::lines::<A>(given),
            _ => Err(MISUSED),
        },
        BUILD => tables::build(adder, given),
        _ => commit::commit(adder, given),
    }
}
