//! Measures sums over a fixed basis of 256 points of Bandersnatch's group: nanoseconds a sum, by scheme, number of
//! non-zero scalars and machine, one at a time and many side by side. The variants take turns; medians are printed.
//!
//! `cargo run --release -p phalanx-engine --example fixed_base`

use phalanx_engine::affine_add::{AffineAdder, EightLanes, OneLane};
use phalanx_engine::curve::Curve;
use phalanx_engine::field::{BaseField, FieldX1, Montgomery, MontgomeryPrime};
use phalanx_engine::fixed_base::{Configuration, Scheme, Tables, Vector};
use phalanx_engine::lanes::write_entry;
use phalanx_engine::msm::Sum;
use phalanx_engine::word::{CacheLine, Fma, Ifma};
use std::hint::black_box;
use std::time::Instant;

/// The prime of the coordinates.
#[derive(Clone, Copy)]
struct Base;
impl MontgomeryPrime for Base {
    const MODULUS: [u64; 4] = [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48];
}

/// The short Weierstrass model of Bandersnatch that its Edwards form gives.
#[derive(Clone, Copy)]
struct Bandersnatch;
impl Curve for Bandersnatch {
    type Field = Montgomery<Base>;
    const A: [u64; 4] = [0xe0720f8033267935, 0xe32913d24f20541d, 0x8c4a118e26da26e5, 0x17d15ecbe9f0fc8b];
    const B: [u64; 4] = [0x07bb3d28d5e8bbbf, 0xfa2d24f0ab8c2569, 0x11194e6b4d5d4625, 0x415fcb20d12e60a8];
    const GENERATOR: [[u64; 4]; 2] = [
        [0x47ac4aea0a73f2f7, 0x3f83a04d7022aead, 0xbd002014ef530ad6, 0x4450f9122ae57d5c],
        [0x795a3eb57763c1b2, 0x27f74e164a63e0be, 0x592598412a2b2726, 0x1bff80ef062fe4b1],
    ];
}

const ORDER: [u64; 4] = [0x74fd06b52876e7e1, 0xff8f870074190471, 0x0cce760202687600, 0x1cfb69d4ca675f52];
const POINTS: usize = 256;
const BULK: usize = 256;
const ROUNDS: usize = 15;

/// Words that look random.
fn word(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Doublings of the generator.
fn basis() -> Vec<CacheLine> {
    type X1 = <Montgomery<Base> as BaseField>::X1;
    let first = phalanx_engine::curve::Affine::<X1>::generator::<Bandersnatch>().to_jacobian();
    let points = core::iter::successors(Some(first), |point| Some(point.double_on::<Bandersnatch>()));
    let affine = |point: Sum<Bandersnatch>| {
        let words = Montgomery::<Base>::invert_vartime(&point.z.to_words());
        write_entry(&point.to_affine_with(X1::from_words(words)))
    };
    points.step_by(7).take(POINTS).map(affine).collect()
}

/// Many vectors with so many non-zero scalars, at places that are spread.
fn vectors(nonzero: usize) -> Vec<Vec<(usize, [u64; 4])>> {
    let mut state = nonzero as u64;
    (0..BULK)
        .map(|_| {
            let start = word(&mut state) as usize;
            let place = |i: usize| (start + i * (POINTS / nonzero)) % POINTS;
            let mut places: Vec<_> = (0..nonzero).map(place).collect();
            places.sort_unstable();
            let scalar = |place| (place, [0; 4].map(|_: u64| word(&mut state)));
            places.into_iter().map(scalar).collect()
        })
        .collect()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Nanoseconds a sum, one at a time and side by side.
fn measure<A: AffineAdder<Curve = Bandersnatch>>(
    adder: &A,
    tables: &Tables<Bandersnatch>,
    terms: &[Vec<(usize, [u64; 4])>],
) -> [f64; 2] {
    let vectors: Vec<_> = terms.iter().map(|terms| Vector::Sparse(terms)).collect();
    let mut workspace = Default::default();
    let mut sums = vec![Sum::<Bandersnatch>::infinity(); BULK];
    let (mut single, mut bulk) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (start, some) = (Instant::now(), &vectors[..64]);
        for vector in some {
            black_box(tables.sum_vartime(adder, *vector, &mut workspace));
        }
        single.push(start.elapsed().as_nanos() as f64 / some.len() as f64);
        let start = Instant::now();
        tables.sums_vartime(adder, &vectors, &mut sums, &mut workspace);
        bulk.push(start.elapsed().as_nanos() as f64 / BULK as f64);
    }
    [median(single), median(bulk)]
}

fn report<A: AffineAdder<Curve = Bandersnatch>>(adder: &A, name: &str, basis: &[CacheLine], schemes: &[Scheme]) {
    for scheme in schemes {
        let configuration = Configuration::single(POINTS, ORDER, *scheme);
        let start = Instant::now();
        let tables = Tables::<Bandersnatch>::build(adder, configuration, basis).expect("a scheme that can be");
        let build = start.elapsed().as_secs_f64();
        println!(
            "{name} {scheme:?}: {:.1} MiB, built in {build:.3} s",
            tables.configuration().bytes() as f64 / 1048576.0
        );
        for nonzero in [1, 4, 16, 64, 256] {
            let terms = vectors(nonzero);
            let operations = tables.configuration().operations(Vector::Sparse(&terms[0]));
            let [single, bulk] = measure(adder, &tables, &terms);
            println!("  n = {nonzero:3}: {single:8.0} ns alone, {bulk:8.0} ns in bulk, {operations:?}");
        }
    }
}

fn main() {
    let basis = basis();
    let schemes = [
        Scheme::SignedComb { t: 8, b: 11, group: 1 },
        Scheme::SignedComb { t: 20, b: 13, group: 1 },
        Scheme::SignedComb { t: 4, b: 11, group: 1 },
        Scheme::SignedWindows { b: 8 },
    ];
    if let Some(ifma) = Ifma::detect() {
        report(&EightLanes::<_, Bandersnatch>::new(ifma), "ifma", &basis, &schemes);
    }
    if let Some(fma) = Fma::detect() {
        report(&EightLanes::<_, Bandersnatch>::new(fma), "fma", &basis, &schemes[..1]);
    }
    report(&OneLane::<Bandersnatch>::new(), "one lane", &basis, &schemes[..1]);
}
