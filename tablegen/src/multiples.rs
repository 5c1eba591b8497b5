//! Multiples of the generator.

use k256::{AffinePoint, FieldBytes, ProjectivePoint, elliptic_curve::sec1::ToSec1Point};

/// A table as it is committed.
pub(crate) struct Table {
    /// The file's name: that of the static in `crates/phalanx/src/tables` that includes it.
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Every committed table.
pub(crate) fn tables() -> [Table; 6] {
    [
        Table { name: "g_comb_6.bin", bytes: windows(6) },
        Table { name: "g_odd_comb_8.bin", bytes: odd_windows(8) },
        Table { name: "g_odd_comb_6_limbs.bin", bytes: lookup_windows(6, limbs) },
        Table { name: "g_odd_comb_7_limbs.bin", bytes: lookup_windows(7, limbs) },
        Table { name: "g_odd_comb_7_doubles.bin", bytes: lookup_windows(7, doubles) },
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

/// The entries of [`odd_windows`], 32 by 32 and there word by word: of five words for x and five for y, the lower halves
/// of these entries stand together, and then the upper halves.
fn lookup_windows(width: usize, words: fn(&[u8]) -> [u64; 5]) -> Vec<u8> {
    let windows = odd_windows(width);
    let halves = |entries: &[u8], half: usize| -> Vec<u8> {
        let coordinate = half / 10 * 32;
        let word = entries.chunks_exact(64).map(|entry| words(&entry[coordinate..][..32])[half / 2 % 5]);
        word.flat_map(|word| ((word >> (half % 2 * 32)) as u32).to_le_bytes()).collect()
    };
    windows
        .chunks_exact(32 * 64)
        .flat_map(|entries| (0..20).flat_map(|half| halves(entries, half)).collect::<Vec<u8>>())
        .collect()
}

/// The bits of a coordinate from one position up to another.
fn bits(coordinate: &[u8], positions: std::ops::Range<usize>) -> u64 {
    positions.rev().fold(0, |bits, at| bits << 1 | u64::from(coordinate[at / 8] >> (at % 8) & 1))
}

/// A coordinate in limbs of 52 bits.
fn limbs(coordinate: &[u8]) -> [u64; 5] {
    core::array::from_fn(|at| bits(coordinate, 52 * at..(52 * at + 52).min(256)))
}

/// A coordinate, or a number that it is modulo p, as five doubles: a digit is a multiple of its weight, and at most half
/// of the next weight in absolute value. What is left above the last digit is a multiple of 2^256 = 2^32 + 977.
fn doubles(coordinate: &[u8]) -> [u64; 5] {
    const WEIGHTS: [usize; 6] = [0, 52, 103, 154, 205, 256];
    let mut carry = 0;
    let mut digits = core::array::from_fn::<i64, 5, _>(|at| {
        let gap = 1 << (WEIGHTS[at + 1] - WEIGHTS[at]);
        let digit = bits(coordinate, WEIGHTS[at]..WEIGHTS[at + 1]) as i64 + carry;
        carry = i64::from(digit >= gap / 2);
        digit - carry * gap
    });
    digits[0] += carry * 0x1_0000_03d1;
    core::array::from_fn(|at| (digits[at] as f64 * 2f64.powi(WEIGHTS[at] as i32)).to_bits())
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
