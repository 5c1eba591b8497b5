//! Multiples of the generator.

use k256::{AffinePoint, FieldBytes, ProjectivePoint, elliptic_curve::sec1::ToSec1Point};

/// A table as it is committed.
pub(crate) struct Table {
    /// The file's name: that of the static in `crates/phalanx/src/tables` that includes it.
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Every committed table.
pub(crate) fn tables() -> [Table; 4] {
    [
        Table { name: "g_comb_6.bin", bytes: windows(6) },
        Table { name: "g_odd_comb_8.bin", bytes: odd_windows(8) },
        Table { name: "g_odd_comb_6_limbs.bin", bytes: lookup_windows(6) },
        Table { name: "g_odd_wnaf_13.bin", bytes: [odd_multiples(0, 2048), odd_multiples(128, 2048)].concat() },
    ]
}

/// Entry `i * 2^(width - 1) + j - 1` is `j 2^(width i) G` for j from 1 to 2^(width - 1), as many windows as 256 bits
/// need.
fn windows(width: usize) -> Vec<u8> {
    let window = |i| multiples(power(width * i), power(width * i), 1 << (width - 1));
    (0..256usize.div_ceil(width)).flat_map(window).collect()
}

/// Entry `i * 2^(width - 1) + j` is `(2 j + 1) 2^(width i) G`, j below 2^(width - 1), as many windows as 256 bits need.
fn odd_windows(width: usize) -> Vec<u8> {
    (0..256usize.div_ceil(width)).flat_map(|i| odd_multiples(width * i, 1 << (width - 1))).collect()
}

/// The entries of [`odd_windows`], window by window and there limb by limb: the same limb of all entries stands
/// together. The limbs are of 52 bits, five for x and five for y.
fn lookup_windows(width: usize) -> Vec<u8> {
    let windows = odd_windows(width);
    let windows = windows.chunks_exact(64 << (width - 1));
    let limb = |window: &[u8], at| -> Vec<u8> { window.chunks_exact(64).flat_map(|entry| limbs(entry)[at]).collect() };
    windows.flat_map(|window| (0..10).flat_map(move |at| limb(window, at)).collect::<Vec<u8>>()).collect()
}

/// An entry's coordinates in limbs of 52 bits.
fn limbs(entry: &[u8]) -> [[u8; 8]; 10] {
    let bit = |coordinate: &[u8], at: usize| u64::from(coordinate[at / 8] >> (at % 8) & 1);
    let limb = |coordinate: &[u8], from: usize| -> u64 {
        (from..(from + 52).min(256)).rev().fold(0, |limb, at| limb << 1 | bit(coordinate, at))
    };
    core::array::from_fn(|at| limb(&entry[at / 5 * 32..][..32], at % 5 * 52).to_le_bytes())
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
