//! Multiples of the generator.

use k256::{AffinePoint, FieldBytes, ProjectivePoint, elliptic_curve::sec1::ToSec1Point};

/// Every committed table, by file name.
pub(crate) fn tables() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("windows_6.bin", windows(6)),
        ("windows_8.bin", windows(8)),
        ("odd_multiples.bin", [odd_multiples(0, 2048), odd_multiples(128, 2048)].concat()),
    ]
}

/// Entry `i * 2^(width - 1) + j - 1` is `j 2^(width i) G` for j from 1 to 2^(width - 1), as many windows as 256 bits need.
fn windows(width: usize) -> Vec<u8> {
    let window = |i| multiples(power(width * i), power(width * i), 1 << (width - 1));
    (0..256usize.div_ceil(width)).flat_map(window).collect()
}

/// Entry `j` is `(2 j + 1) 2^exponent G`.
fn odd_multiples(exponent: usize, count: usize) -> Vec<u8> {
    multiples(power(exponent), power(exponent).double(), count)
}

/// `2^exponent G`.
fn power(exponent: usize) -> ProjectivePoint {
    (0..exponent).fold(ProjectivePoint::GENERATOR, |point, _| point.double())
}

/// `first`, then each time `step` more.
fn multiples(first: ProjectivePoint, step: ProjectivePoint, count: usize) -> Vec<u8> {
    std::iter::successors(Some(first), |point| Some(point + &step))
        .take(count)
        .flat_map(|point| entry(&point))
        .collect()
}

fn entry(point: &ProjectivePoint) -> Vec<u8> {
    let encoded = AffinePoint::from(point).to_sec1_point(false);
    let words = |coordinate: &FieldBytes| coordinate.iter().rev().copied().collect::<Vec<u8>>();
    [words(encoded.x().expect("a multiple is finite")), words(encoded.y().expect("a multiple is finite"))].concat()
}
