//! Operations on one element.

use crate::operation::*;
use phalanx_banderwagon::{DecodeError, Element, Scalar};
use phalanx_go_image::{call::MISUSED, ffi::Given};

/// Does the work. An error is the answer to a call that cannot be, or to bytes that are no element.
pub(crate) fn run(given: Given<'_>) -> Result<u32, u32> {
    let made = match given.call().operation {
        DECODE => Element::from_bytes(given.array(0)?).map_err(reason)?,
        DECODE_UNCOMPRESSED => Element::from_uncompressed(given.array(0)?).map_err(reason)?,
        ENCODE_UNCOMPRESSED => return given.write(0, 0, &element(given, 0)?.to_uncompressed()).map(|()| 0),
        ADD => element(given, 0)? + element(given, 1)?,
        SUBTRACT => element(given, 0)? - element(given, 1)?,
        EQUAL => return Ok((element(given, 0)? == element(given, 1)?).into()),
        MULTIPLY => element(given, 0)?.mul(&scalar(given, 1)?),
        MULTIPLY_VARTIME => element(given, 0)?.mul_vartime(&scalar(given, 1)?),
        _ => return Err(MISUSED),
    };
    given.write(0, 0, &bytes(&made)).map(|()| 0)
}

fn reason(error: DecodeError) -> u32 {
    match error {
        DecodeError::NotCanonical => NOT_CANONICAL,
        DecodeError::NotOnCurve => NOT_ON_CURVE,
        _ => NOT_IN_GROUP,
    }
}

fn element(given: Given<'_>, input: usize) -> Result<Element, u32> {
    Ok(of_bytes(given.array(input)?))
}

fn scalar(given: Given<'_>, input: usize) -> Result<Scalar, u32> {
    Scalar::from_le_bytes(given.array(input)?).ok_or(NOT_A_SCALAR)
}

/// The element of bytes that this side has written.
pub(crate) fn of_bytes(bytes: &[u8; ELEMENT]) -> Element {
    let word = |i: usize| u64::from_le_bytes(bytes.as_chunks().0[i]);
    Element::from_coordinates(&core::array::from_fn(|i| core::array::from_fn(|j| word(4 * i + j))))
}

/// An element as it crosses the interface.
pub(crate) fn bytes(element: &Element) -> [u8; ELEMENT] {
    let (mut bytes, coordinates) = ([0; ELEMENT], element.to_coordinates());
    bytes.as_chunks_mut().0.iter_mut().zip(coordinates.as_flattened()).for_each(|(to, word)| *to = word.to_le_bytes());
    bytes
}
