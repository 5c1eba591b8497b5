//! What others published of sums over the Verkle basis: their configurations, and their sweep of the (t, b) scheme.
//!
//! The sweep counts every entry that is added to the sum, also the first, which meets infinity, and t - 1 doublings.
//! Entries of index 0 are not added. So does the engine count. A published count is of one random vector; here it is
//! the mean over many.

use crate::samples::Random;
use phalanx_banderwagon::{Basis, Commit, Lanes, Obvious, Scalar, Tables, Term};
use phalanx_engine::fixed_base::{Configuration, Scheme, Vector};
use std::collections::BTreeSet;

const MIB: f64 = (1 << 20) as f64;

/// A row of the published sweep.
struct Row {
    n: usize,
    t: u32,
    b: u32,
    operations: f64,
    /// The table's MiB, as printed.
    mebibytes: &'static str,
}

fn sweep() -> Vec<Row> {
    let lines = include_str!("../data/verkle-sweep.csv").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Row> = lines
        .skip(1)
        .map(|line| {
            let [n, t, b, operations, mebibytes] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{line}"));
            Row {
                n: number(n) as usize,
                t: number(t),
                b: number(b),
                operations: operations.parse().unwrap(),
                mebibytes,
            }
        })
        .collect();
    let different: BTreeSet<_> = rows.iter().map(|row| (row.n, row.t, row.b)).collect();
    assert_eq!((rows.len(), different.len()), (297, 297));
    rows
}

/// Four significant digits. Ties go to the even digit, by the sweep's program and by this one's.
fn four_digits(value: f64) -> String {
    format!("{value:.*}", (3 - value.log10().floor() as i32).max(0) as usize)
}

fn subsets(t: u32, b: u32) -> Configuration {
    Configuration::single(Basis::VERKLE_LENGTH, Scalar::ORDER, Scheme::Subsets { t, b })
}

fn uniform(length: usize, random: &mut Random) -> Vec<[u64; 4]> {
    (0..length).map(|_| Scalar::from_le_bytes_reduced(&random.bytes()).limbs()).collect()
}

fn operations(configuration: &Configuration, scalars: &[[u64; 4]]) -> usize {
    let counted = configuration.operations(Vector::Dense(scalars));
    counted.additions + counted.doublings
}

#[test]
fn tables_of_the_sweep_have_the_published_sizes() {
    for Row { t, b, mebibytes, .. } in sweep() {
        let configuration = subsets(t, b);
        assert_eq!(configuration.check(), Ok(()), "({t}, {b})");
        // W 2^b 96 bytes, W = ceil(N ceil(L / t) / b), for N = 256 and L = 253.
        let bytes = 96 * ((256 * 253usize.div_ceil(t as usize)).div_ceil(b as usize) << b);
        assert_eq!(configuration.published_bytes(), bytes, "({t}, {b})");
        assert_eq!(four_digits(bytes as f64 / MIB), mebibytes, "({t}, {b})");
        assert_eq!(configuration.bytes(), bytes / 96 * 64, "({t}, {b})");
    }
}

#[test]
fn sums_of_the_sweep_take_the_published_operations() {
    let mut random = Random::new("the published sweep");
    let vectors: Vec<_> = (0..phalanx_tiers::size(100, 1000)).map(|_| uniform(256, &mut random)).collect();
    for Row { n, t, b, operations: published, .. } in sweep() {
        let configuration = subsets(t, b);
        let sum: usize = vectors.iter().map(|vector| operations(&configuration, &vector[..n])).sum();
        let mean = sum as f64 / vectors.len() as f64;
        let allowed = (0.05 * published).max(3.0);
        assert!((mean - published).abs() <= allowed, "{n} scalars, ({t}, {b}): {mean} beside {published}");
    }
}

#[test]
fn published_configurations_have_their_sizes() {
    let mebibytes = |configuration: Configuration| {
        assert_eq!(configuration.check(), Ok(()));
        assert_eq!(configuration.bytes() * 3, configuration.published_bytes() * 2);
        configuration.published_bytes() as f64 / MIB
    };
    // Half of 2^16 entries for 5 times 16 windows; half of 2^8 for 251 times 32.
    let baseline = (5 * 16 * 96 * (1 << 15) + 251 * 32 * 96 * (1 << 7)) as f64 / MIB;
    assert_eq!(baseline, 334.125);
    assert_eq!(mebibytes(Tables::published_baseline()), baseline);
    assert_eq!(mebibytes(Tables::published_hybrid_144()), baseline + 128.25 + 16.125);
    assert_eq!(mebibytes(Tables::published_hybrid_16()), baseline + 16.125);
}

#[test]
fn the_baseline_takes_the_published_additions() {
    let baseline = Tables::published_baseline();
    // No digit of 8 bits, and so none of 16, is zero.
    let full = [[0x0101_0101_0101_0101; 4]; 256];
    assert_eq!(operations(&baseline, &full), 8112);
    for n in [0, 1, 4, 5, 6, 128] {
        assert_eq!(operations(&baseline, &full[..n]), 16 * n.min(5) + 32 * n.saturating_sub(5), "{n}");
    }
    let mut random = Random::new("the published baseline");
    let mean = (0..100).map(|_| operations(&baseline, &uniform(256, &mut random))).sum::<usize>() as f64 / 100.0;
    assert!((mean / 8112.0 - 1.0).abs() < 0.05, "{mean}");
}

/// The numbers of scalars at which hybrids change from one table to another.
#[test]
fn hybrids_take_the_tables_that_are_published_for_each_length() {
    let mut random = Random::new("the published hybrids");
    let vector = uniform(256, &mut random);
    let (baseline, short, long) = (Tables::published_baseline(), subsets(16, 12), subsets(128, 12));
    for n in 1..=256 {
        let prefix = &vector[..n];
        let large = match n {
            ..9 => &baseline,
            9..33 => &short,
            _ => &long,
        };
        assert_eq!(operations(&Tables::published_hybrid_144(), prefix), operations(large, prefix), "{n}");
        let small = if n < 17 { &baseline } else { &long };
        assert_eq!(operations(&Tables::published_hybrid_16(), prefix), operations(small, prefix), "{n}");
    }
}

/// All tables of the larger hybrid, which are those of the other two.
#[test]
fn commitments_by_published_configurations() {
    let mut random = Random::new("commitments by published configurations");
    let basis = Basis::verkle();
    let lanes = if phalanx_tiers::is_emulated() { Lanes::one() } else { Lanes::detect() };
    phalanx_tiers::say(&format!("commitments by published configurations: {lanes}"));
    let tables = lanes.build(basis.clone(), Tables::published_hybrid_144()).expect("a configuration of this basis");
    let (mut committer, mut obvious) = (lanes.committer(&tables), Obvious(&basis));
    for n in [1, 5, 8, 9, 32, 33, 256] {
        for step in [1, 256 / n] {
            let terms: Vec<Term> = (0..n).map(|i| Term { position: i * step, scalar: random.scalar() }).collect();
            let commitment = committer.commit_sparse_vartime(&terms);
            assert_eq!(commitment, obvious.commit_sparse_vartime(&terms), "{n} scalars, every {step}th");
        }
    }
}
