//! Tables of multiples, part by part, in the caller's memory.
#![allow(unsafe_code)]

use crate::operation::*;
use phalanx_banderwagon::{Bandersnatch, Basis, Scalar, Tables};
use phalanx_engine::{
    affine_add::AffineAdder,
    fixed_base::{Configuration, Part, Scheme},
};
use phalanx_go_image::{
    call::MISUSED,
    ffi::{Given, answer},
};

/// Elements of a part at most: it takes some milliseconds.
const ELEMENTS_OF_PART: usize = 16;

/// The configuration that the flags and the number of elements name.
pub(crate) fn configuration(given: Given<'_>) -> Result<Configuration, u32> {
    let (elements, bits) = (given.call().inputs[0].stride, given.call().flags & FLAG_WINDOW);
    let configuration = match bits {
        0 if elements == Basis::VERKLE_LENGTH => Tables::verkle_configuration(),
        1.. if (1..=MAX_ELEMENTS).contains(&elements) => {
            Configuration::single(elements, Scalar::ORDER, Scheme::SignedWindows { b: bits })
        }
        _ => return Err(MISUSED),
    };
    configuration.check().map_err(|_| MISUSED)?;
    Ok(configuration)
}

pub(crate) fn lines(given: Given<'_>) -> Result<u32, u32> {
    answer(configuration(given)?.rows())
}

pub(crate) fn parts(given: Given<'_>) -> Result<u32, u32> {
    answer(configuration(given)?.parts(ELEMENTS_OF_PART).count())
}

pub(crate) fn first_line(given: Given<'_>) -> Result<u32, u32> {
    let configuration = configuration(given)?;
    let part = configuration.parts(ELEMENTS_OF_PART).nth(given.call().rows);
    answer(part.map_or(configuration.rows(), |part| part.rows.start))
}

pub(crate) fn lines_to_build<A: AffineAdder<Curve = Bandersnatch>>(given: Given<'_>) -> Result<u32, u32> {
    let configuration = configuration(given)?;
    let most = configuration.parts(ELEMENTS_OF_PART).map(|part| configuration.lines_of_part::<A>(&part)).max();
    answer(most.unwrap_or(1))
}

/// Input 0 is the basis, output 0 the place of the part.
pub(crate) fn build<A: AffineAdder<Curve = Bandersnatch>>(adder: &A, given: Given<'_>) -> Result<u32, u32> {
    let (configuration, basis) = (configuration(given)?, given.lines(0)?);
    let part: Part = configuration.parts(ELEMENTS_OF_PART).nth(given.call().rows).ok_or(MISUSED)?;
    // SAFETY: the one place of this operation that asks, once a call.
    let (rows, memory) = unsafe { (given.lines_to_write(0)?, given.workspace()?) };
    let fits = basis.len() == configuration.points && rows.len() == part.rows.len();
    if !fits || memory.len() < configuration.lines_of_part::<A>(&part) {
        return Err(MISUSED);
    }
    Ok(configuration.build_part(adder, &part, basis, rows, memory).into())
}
