//! Sums over points that never change, by tables in Go's memory.
#![allow(unsafe_code)]

use crate::{
    call::{
        FIXED_BASIS, FIXED_BUILD, FIXED_LINES, FIXED_PART_LINE, FIXED_PARTS, FIXED_SUMS, FLAG_INFINITY, Input, MISUSED,
    },
    ffi::{Given, answer},
    vectors::{TERM, Term, Vectors, place},
};
use phalanx::{
    Error, PublicKey, Scalar, Verdict,
    bindings::{FixedBasePlan, OneThread},
};

/// Does the work and answers what was asked for, or that the call cannot be. Apart from other operations, so that their
/// stack does not hold its frame.
#[inline(never)]
pub(crate) fn run(given: Given<'_>, one: OneThread) -> Result<u32, u32> {
    match given.call().operation {
        FIXED_BASIS => basis(given),
        FIXED_LINES => answer(plan(given)?.lines()),
        FIXED_PARTS => answer(plan(given)?.parts()),
        FIXED_PART_LINE => {
            let plan = plan(given)?;
            answer(plan.part(given.call().rows).map_or(plan.lines(), |lines| lines.start))
        }
        FIXED_BUILD => build(given, one),
        FIXED_SUMS => sums(given, one),
        _ => Err(MISUSED),
    }
}

/// The lines of workspace that an operation takes; none for an operation that takes none.
#[inline(never)]
pub(crate) fn lines(given: Given<'_>, one: OneThread) -> Option<usize> {
    let (plan, call) = (plan(given).ok()?, given.call());
    match call.flags {
        FIXED_BUILD => Some(one.lines_to_build(&plan)),
        FIXED_SUMS => {
            let terms = &call.inputs[1];
            Some(one.lines_of_fixed_base_sums(&plan, call.rows, terms.stride, terms.width / TERM))
        }
        _ => None,
    }
}

/// The tables that input 4 names.
fn plan(given: Given<'_>) -> Result<FixedBasePlan, u32> {
    let Input { stride, width, .. } = given.call().inputs[4];
    u32::try_from(width).ok().and_then(|bits| FixedBasePlan::windows(stride, bits)).ok_or(MISUSED)
}

/// A refusal of the library, of which there is none where memory fits.
fn misused(_: Error) -> u32 {
    MISUSED
}

fn basis(given: Given<'_>) -> Result<u32, u32> {
    let points = given.column(0, &[33, 65])?;
    // SAFETY: the one place of this operation that asks, once a call.
    let lines = unsafe { given.lines_to_write(0) }?;
    if lines.len() != points.len() {
        return Err(MISUSED);
    }
    for (i, line) in lines.iter_mut().enumerate() {
        let bytes = points.get(i);
        let is_infinity = bytes.iter().all(|byte| *byte == 0);
        *line = match PublicKey::from_bytes(bytes) {
            Ok(key) => FixedBasePlan::line_of(Some(&key)),
            Err(_) if is_infinity => FixedBasePlan::line_of(None),
            Err(error) => return Ok(Verdict::from(error) as u32),
        };
    }
    Ok(Verdict::Valid as u32)
}

fn build(given: Given<'_>, one: OneThread) -> Result<u32, u32> {
    let (plan, basis) = (plan(given)?, given.lines(0)?);
    // SAFETY: the one place of this operation that asks, once a call.
    let (lines, memory) = unsafe { (given.lines_to_write(0)?, given.workspace()?) };
    one.build_part(&plan, given.call().rows, basis, lines, memory).map(u32::from).map_err(misused)
}

fn scalar(term: &Term) -> Option<Scalar> {
    Scalar::from_bytes(term.last_chunk::<32>()?).ok()
}

fn sums(given: Given<'_>, one: OneThread) -> Result<u32, u32> {
    let (plan, infinity) = (plan(given)?, given.call().flags & FLAG_INFINITY != 0);
    let vectors = Vectors::of(given, plan.points())?;
    let tables = plan.tables(given.lines(0)?, infinity).map_err(misused)?;
    if vectors.terms().iter().any(|term| scalar(term).is_none()) {
        return Ok(Verdict::OutOfRange as u32);
    }
    // SAFETY: the one place of this operation that asks, once a call.
    let memory = unsafe { given.workspace() }?;
    let term = |term: &Term| (place(term), scalar(term).unwrap_or(Scalar::ZERO));
    let terms = (0..given.call().rows).map(|i| vectors.vector(i).iter().map(term));
    let mut done = Ok(());
    let write = |i, sum: &phalanx::Point| done = done.and_then(|()| given.write(0, i, &sum.to_bytes()));
    one.fixed_base_sums_vartime(&tables, terms, memory, write).map_err(misused)?;
    done.map(|()| Verdict::Valid as u32)
}
