//! Which layout should one lane have, modulo p and modulo n? Prints tables of medians from interleaved runs.
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --manifest-path lab/layouts/Cargo.toml
//! ```
//!
//! Every layout implements the engine's `Field`, so a doubling and a mixed addition are the formulas that ship. Chains: each
//! operation waits for the one before, as in a scalar multiplication.

mod assembly;
mod full;
mod scalars;

use assembly::TwoChains;
use full::{Full, Plain};
use phalanx_engine::word::Mask;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Fe4, Field, Prime},
};
use std::{hint::black_box, time::Instant};

/// The modulus 2^256 - 2^32 - 977.
#[derive(Clone, Copy)]
struct P;

impl Prime for P {
    const C: u64 = 0x1_0000_03d1;
    fn invert<F: Field>(x: F) -> F {
        x
    }
}

const GENERATOR: [[u64; 4]; 2] = [
    [0x59f2_815b_16f8_1798, 0x029b_fcdb_2dce_28d9, 0x55a0_6295_ce87_0b07, 0x79be_667e_f9dc_bbac],
    [0x9c47_d08f_fb10_d4b8, 0xfd17_b448_a685_5419, 0x5da4_fbfc_0e11_08a8, 0x483a_da77_26a3_c465],
];
const STEPS: usize = 2000;
const SAMPLES: usize = 301;

/// Nanoseconds a step of each operation, in the order of `NAMES`, and the point that shows the layouts agree.
const NAMES: [&str; 4] = ["multiplication", "squaring", "doubling", "mixed addition"];

fn time<T: Copy>(start: T, step: impl Fn(T) -> T) -> f64 {
    let mut value = black_box(start);
    let begin = Instant::now();
    for _ in 0..STEPS {
        value = step(value);
    }
    black_box(value);
    begin.elapsed().as_nanos() as f64 / STEPS as f64
}

#[inline(never)]
fn sample<F: Field>() -> [f64; 4] {
    let [x, y] = black_box(GENERATOR).map(F::constant);
    let point = Affine { x, y };
    let start = point.to_jacobian().double();
    [
        time(x, |value| value.mul(y)),
        time(x, |value| value.square()),
        time(start, Jacobian::double),
        time(start, |sum| sum.add_mixed(point).0),
    ]
}

/// The affine x of 2^100 G + G, as the layout's canonical number: equal to the shipping layout's, or there is no measurement.
fn agrees<F: Field>() -> bool {
    let [x, y] = GENERATOR.map(F::constant);
    let point = Affine { x, y };
    let sum = (0..100).fold(point.to_jacobian(), |sum, _| sum.double()).add_mixed(point).0;
    let shipping = {
        let [x, y] = GENERATOR.map(Fe4::<P>::constant);
        let point = Affine { x, y };
        (0..100).fold(point.to_jacobian(), |sum, _| sum.double()).add_mixed(point).0
    };
    // The formulas are the same, so even Z agrees.
    [(sum.x, shipping.x), (sum.y, shipping.y), (sum.z, shipping.z)]
        .into_iter()
        .all(|(ours, other)| ours.sub(F::constant(other.normalize().to_words()), 1).is_zero().any())
}

fn main() {
    let has_two_chains = std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx");
    assert!(agrees::<Full<Plain>>(), "the plain 4x64 layout computes something else");
    let mut layouts: Vec<(&str, fn() -> [f64; 4])> =
        vec![("4x64, top digit for carries (ships)", sample::<Fe4<P>>), ("4x64, u128", sample::<Full<Plain>>)];
    if has_two_chains {
        assert!(agrees::<Full<TwoChains>>(), "the 4x64 layout in assembly computes something else");
        layouts.push(("4x64, asm! mulx adcx adox", sample::<Full<TwoChains>>));
    } else {
        println!("the CPU lacks BMI2 or ADX: the layout in assembly is left out");
    }
    median_table("modulo p", &NAMES, &layouts);
    scalars::print();
}

/// Runs the samples of all layouts in turn, and prints their medians.
pub fn median_table(title: &str, names: &[&str; 4], layouts: &[(&str, fn() -> [f64; 4])]) {
    let mut times = vec![vec![Vec::new(); names.len()]; layouts.len()];
    for _ in 0..SAMPLES {
        for (times, (_, sample)) in times.iter_mut().zip(layouts) {
            for (times, time) in times.iter_mut().zip(sample()) {
                times.push(time);
            }
        }
    }
    println!("| {title} | {} |\n|---|---|---|---|---|", names.join(" | "));
    for ((name, _), times) in layouts.iter().zip(&mut times) {
        let median = times.iter_mut().map(|times| {
            times.sort_by(f64::total_cmp);
            format!("{:.1} ns", times[times.len() / 2])
        });
        println!("| {name} | {} |", median.collect::<Vec<_>>().join(" | "));
    }
    println!();
}
