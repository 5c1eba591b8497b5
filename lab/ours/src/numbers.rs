//! Numbers and points between the lab's bytes and one lane.

use lab_abi::rows::part;
use phalanx::FieldElement;
use phalanx::internals::P256k1;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Fe4, Field},
    word::Mask,
};

/// One lane of the library's field.
pub(crate) type Fe = Fe4<P256k1>;

/// 64-bit words, least significant first.
pub(crate) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks::<8>();
    core::array::from_fn(|i| u64::from_be_bytes(words[3 - i]))
}

pub(crate) fn fe(bytes: &[u8; 32]) -> Fe {
    Fe::from_words(words(bytes))
}

pub(crate) fn affine(xy: &[u8; 64]) -> Affine<Fe> {
    Affine { x: fe(part(xy, 0)), y: fe(part(xy, 32)) }
}

/// The Jacobian point (x z^2, y z^3, z).
pub(crate) fn jacobian(xyz: &[u8; 96]) -> Jacobian<Fe> {
    let (point, z) = (affine(part(xyz, 0)), fe(part(xyz, 64)));
    let zz = z.square();
    Jacobian { x: point.x.mul(zz), y: point.y.mul(zz.mul(z)), z }
}

pub(crate) fn bytes(number: [u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (to, word) in bytes.chunks_exact_mut(8).zip(number.iter().rev()) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    bytes
}

pub(crate) fn write(number: Fe) -> [u8; 32] {
    bytes(number.normalize().to_words())
}

/// The even one of the number and its negative.
pub(crate) fn write_even(number: Fe) -> [u8; 32] {
    let number = number.normalize();
    write(if number.is_odd().any() { number.negate(1) } else { number })
}

pub(crate) fn write_point(point: Jacobian<Fe>) -> [u8; 64] {
    let mut xy = [0; 64];
    if !point.is_infinity().any() {
        let z = FieldElement::from_bytes_reduced(&write(point.z)).invert().unwrap_or(FieldElement::ZERO);
        let point = point.to_affine_with(fe(&z.to_bytes()));
        xy[..32].copy_from_slice(&write(point.x));
        xy[32..].copy_from_slice(&write(point.y));
    }
    xy
}
