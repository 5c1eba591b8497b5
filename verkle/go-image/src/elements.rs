//! Operations on many elements.
#![allow(unsafe_code)]

use crate::{element::of_bytes, operation::*};
use phalanx_banderwagon::{Element, Scalar};
use phalanx_engine::lanes::INFINITY;
use phalanx_go_image::{call::MISUSED, ffi::Given};

/// Elements on the stack at a time.
const BLOCK: usize = 32;

/// Calls with some elements after the other, and the number of the first.
fn blocks(
    rows: usize,
    element: impl Fn(usize) -> Element,
    mut work: impl FnMut(usize, &[Element]) -> Result<(), u32>,
) -> Result<u32, u32> {
    for first in (0..rows).step_by(BLOCK) {
        let mut elements = [Element::identity(); BLOCK];
        let elements = &mut elements[..BLOCK.min(rows - first)];
        elements.iter_mut().enumerate().for_each(|(i, place)| *place = element(first + i));
        work(first, elements)?;
    }
    Ok(0)
}

/// The elements that a call gives.
pub(crate) fn given_elements(given: Given<'_>) -> Result<impl Fn(usize) -> Element, u32> {
    let value = given.values::<ELEMENT>(0)?;
    Ok(move |i| of_bytes(value(i)))
}

pub(crate) fn encode(given: Given<'_>) -> Result<u32, u32> {
    blocks(given.call().rows, given_elements(given)?, |first, elements| {
        let mut encoded = [[0; 32]; BLOCK];
        let encoded = &mut encoded[..elements.len()];
        Element::batch_to_bytes(elements, encoded);
        encoded.iter().enumerate().try_for_each(|(i, bytes)| given.write(0, first + i, bytes))
    })
}

/// Writes the images of elements among the scalars to an output.
pub(crate) fn map(given: Given<'_>, output: usize, element: impl Fn(usize) -> Element) -> Result<u32, u32> {
    blocks(given.call().rows, element, |first, elements| {
        let mut scalars = [Scalar::ZERO; BLOCK];
        let scalars = &mut scalars[..elements.len()];
        Element::batch_map_to_scalar_field_vartime(elements, scalars);
        scalars.iter().enumerate().try_for_each(|(i, scalar)| given.write(output, first + i, &scalar.to_le_bytes()))
    })
}

pub(crate) fn basis(given: Given<'_>) -> Result<u32, u32> {
    // SAFETY: the one place of this operation that asks, once a call.
    let lines = unsafe { given.lines_to_write(0) }?;
    if lines.len() != given.call().rows {
        return Err(MISUSED);
    }
    lines.fill(INFINITY);
    blocks(given.call().rows, given_elements(given)?, |first, elements| {
        Element::write_rows(elements, &mut lines[first..first + elements.len()]);
        Ok(())
    })
}
