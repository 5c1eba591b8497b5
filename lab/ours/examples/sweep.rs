//! What sums over 256 points that never change cost by different tables. Large tables want 2 GiB of memory.
//!
//! ```text
//! cargo run --release --manifest-path lab/ours/Cargo.toml --example sweep -- \
//!     CURVE BACKEND POSITIONS N,... SECONDS TABLES,...
//! ```
//!
//! - CURVE: `banderwagon` with the Verkle basis, or `secp256k1` with random points;
//! - BACKEND: the name of one, or `fastest`;
//! - POSITIONS: the points of a sum of N: `first`, or `rest`, which are those from the sixth on;
//! - SECONDS: how long to time sums in all; tables are built besides;
//! - TABLES: `subsets:T:B`, `signed-windows:1:B` or `signed-comb:T:B`, and over Banderwagon the names `baseline`,
//!   `hybrid-144`, `hybrid-16` and `verkle`.
//!
//! Sums are computed one at a time on one thread, and times are CPU times. One of each length is checked against its products before any is
//! timed. For each of the tables and each N it prints a line of JSON:
//!
//! - `ns_per_op`: of a sum, the median of so many `samples`; `build_ns`: of the tables;
//! - `add_plus_double`: additions and doublings of a sum, counted, the mean over random vectors; every entry that is
//!   added counts;
//! - `table_mib`: by the published accounting, 96 bytes an entry and in subsets and combs 2^b entries a window;
//! - `table_bytes`: as the tables are, 64 bytes an entry.

use phalanx::{Backend, Point, Scalar as OrderN, hash::sha256, internals::fixed_base_by, msm::Msm};
use phalanx_banderwagon::{Basis, Commit, Lanes, Obvious, Scalar as OrderR, Tables, Term};
use phalanx_engine::fixed_base::{Configuration, Operations, Scheme, Vector};
use rustix::time::{ClockId, clock_gettime};
use std::{
    env,
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

/// How many points there are.
const POINTS: usize = 256;
/// The points for which the published baseline has larger tables.
const FIRST: usize = 5;
/// Random vectors of each length: sums take turns with them, and counts are means over them.
const VECTORS: usize = 128;
/// How long a sample is at least, unless it has a sum of every vector.
const SAMPLE: Duration = Duration::from_micros(500);

/// The process's CPU time: what others run on the machine does not count.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Positions, and scalars as limbs.
type Limbs = Vec<(usize, [u64; 4])>;

/// Different numbers below the order that look random, as limbs.
fn numbers(order: [u64; 4]) -> impl Iterator<Item = [u64; 4]> {
    let number = move |i: u64| {
        let bytes = sha256(&i.to_le_bytes());
        let mut limbs = [0, 8, 16, 24].map(|at| u64::from_le_bytes(*bytes[at..].first_chunk().expect("32 bytes")));
        limbs[3] &= u64::MAX >> order[3].leading_zeros();
        limbs
    };
    (0..).map(number).filter(move |limbs| limbs.iter().rev().lt(order.iter().rev()))
}

/// The tables of a name, and what a line of JSON says of them.
fn tables(name: &str, order: [u64; 4]) -> Result<(Configuration, String), Box<dyn Error>> {
    let parts: Vec<&str> = name.split(':').collect();
    if let [scheme, t, b] = parts[..] {
        let (t, b) = (t.parse()?, b.parse()?);
        let scheme = match scheme {
            "subsets" => Scheme::Subsets { t, b },
            "signed-windows" if t == 1 => Scheme::SignedWindows { b },
            "signed-comb" => Scheme::SignedComb { t, b, group: 1 },
            _ => return Err(format!("there are no tables {name}").into()),
        };
        let text = format!("\"t\":{t},\"b\":{b},\"configuration\":null");
        return Ok((Configuration::single(POINTS, order, scheme), text));
    }
    let configuration = match name {
        _ if order != OrderR::ORDER => return Err("tables with a name are over Banderwagon".into()),
        "baseline" => Tables::published_baseline(),
        "hybrid-144" => Tables::published_hybrid_144(),
        "hybrid-16" => Tables::published_hybrid_16(),
        "verkle" => Tables::verkle_configuration(),
        _ => return Err(format!("there are no tables {name}").into()),
    };
    Ok((configuration, format!("\"t\":null,\"b\":null,\"configuration\":\"{name}\"")))
}

/// Sums of one length.
struct OfLength<T> {
    terms: Vec<Vec<T>>,
    /// Sums in a sample.
    calls: usize,
    next: usize,
    nanoseconds: Vec<f64>,
}

impl<T> OfLength<T> {
    /// The time of one sample: each goes on where the last one ended.
    fn sample<S>(&mut self, sum: &mut impl FnMut(&[T]) -> S) -> Duration {
        let begun = now();
        for _ in 0..self.calls {
            black_box(sum(&self.terms[self.next]));
            self.next = (self.next + 1) % VECTORS;
        }
        now() - begun
    }
}

/// Checks a sum of each length, and times all lengths in turn for so long: the median time and the number of samples.
fn measure<T, S: PartialEq>(
    vectors: &[Vec<Limbs>],
    time: Duration,
    term: impl Fn(&(usize, [u64; 4])) -> T,
    mut sum: impl FnMut(&[T]) -> S,
    expected: impl Fn(&[T]) -> S,
) -> Vec<(f64, usize)> {
    let of_length = |limbs: &Vec<Limbs>| OfLength {
        terms: limbs.iter().map(|limbs| limbs.iter().map(&term).collect()).collect(),
        calls: 1,
        next: 0,
        nanoseconds: Vec::new(),
    };
    let mut all: Vec<_> = vectors.iter().map(of_length).collect();
    for of_length in &mut all {
        let terms = &of_length.terms[0];
        assert!(sum(terms) == expected(terms), "a sum of {} products is wrong", terms.len());
        while of_length.calls < VECTORS && of_length.sample(&mut sum) < SAMPLE {
            of_length.calls *= 2;
        }
    }
    let clock = Instant::now();
    while all[0].nanoseconds.is_empty() || clock.elapsed() < time {
        for of_length in &mut all {
            let took = of_length.sample(&mut sum);
            of_length.nanoseconds.push(took.as_nanos() as f64 / of_length.calls as f64);
        }
    }
    let median = |OfLength { mut nanoseconds, .. }: OfLength<T>| {
        nanoseconds.sort_by(f64::total_cmp);
        (nanoseconds[nanoseconds.len() / 2], nanoseconds.len())
    };
    all.into_iter().map(median).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [curve, backend, positions, lengths, seconds, names] = &arguments[..] else {
        return Err("CURVE BACKEND POSITIONS N,... SECONDS TABLES,...".into());
    };
    let backend = match backend.as_str() {
        "fastest" => *Backend::available().last().ok_or("no backend")?,
        name => name.parse()?,
    };
    let skipped = match positions.as_str() {
        "first" => 0,
        "rest" => FIRST,
        _ => return Err(format!("there are no positions {positions}").into()),
    };
    let lengths: Vec<usize> = lengths.split(',').map(str::parse).collect::<Result<_, _>>()?;
    if lengths.iter().any(|n| !(1..=POINTS - skipped).contains(n)) {
        return Err(format!("a sum has 1 to {} points", POINTS - skipped).into());
    }
    let names: Vec<&str> = names.split(',').collect();
    let time = Duration::try_from_secs_f64(seconds.parse::<f64>()? / names.len() as f64)?;
    let is_banderwagon = match curve.as_str() {
        "banderwagon" => true,
        "secp256k1" => false,
        _ => return Err(format!("there is no curve {curve}").into()),
    };
    let order = if is_banderwagon { OrderR::ORDER } else { OrderN::ORDER };
    let mut numbers = numbers(order);
    let mut vector = |n| (skipped..skipped + n).zip(&mut numbers).collect::<Limbs>();
    let vectors: Vec<Vec<Limbs>> = lengths.iter().map(|n| (0..VECTORS).map(|_| vector(*n)).collect()).collect();

    for name in names {
        let (configuration, head) = tables(name, order)?;
        configuration.check()?;
        let (build, times) = if is_banderwagon {
            let basis = Basis::verkle();
            let lanes = Lanes::named(backend.name()).ok_or("the backend does not sum over a fixed basis")?;
            let begun = now();
            let tables = lanes.build(basis.clone(), configuration.clone())?;
            let build = now() - begun;
            let mut committer = lanes.committer(&tables);
            let term = |(position, limbs): &(usize, [u64; 4])| Term {
                position: *position,
                scalar: OrderR::from_limbs_reduced(*limbs),
            };
            let sum = |terms: &[Term]| committer.commit_sparse_vartime(terms);
            (build, measure(&vectors, time, term, sum, |terms| Obvious(&basis).commit_sparse_vartime(terms)))
        } else {
            let msm = Msm::builder().backend(backend).build()?;
            let scalar = |limbs: [u64; 4]| OrderN::from_limbs(limbs).expect("below the order");
            let multiple = |limbs| Point::mul_generator(&scalar(limbs));
            let points: Vec<Point> = self::numbers(order).take(POINTS).map(multiple).collect();
            let begun = now();
            let tables = fixed_base_by(&msm, &points, configuration.clone())?;
            let build = now() - begun;
            let mut sums = tables.sums();
            let term = |(position, limbs): &(usize, [u64; 4])| (*position, scalar(*limbs));
            let sum = |terms: &[(usize, OrderN)]| sums.sum_sparse_vartime(terms).expect("positions are of points");
            let product = |(position, scalar): &(usize, OrderN)| points[*position].mul_vartime(scalar);
            (build, measure(&vectors, time, term, sum, |terms| terms.iter().map(product).sum::<Point>()))
        };
        for ((n, vectors), (ns, samples)) in lengths.iter().zip(&vectors).zip(times) {
            let counted = vectors.iter().map(|limbs| configuration.operations(Vector::Sparse(limbs)));
            let operations: usize = counted.map(|Operations { additions, doublings, .. }| additions + doublings).sum();
            println!(
                "{{\"msm_length\":{n},{head},\"positions\":\"{positions}\",\"backend\":\"{backend}\",\
                 \"ns_per_op\":{ns},\"add_plus_double\":{},\"table_mib\":{},\
                 \"table_bytes\":{},\"build_ns\":{},\"samples\":{samples}}}",
                operations as f64 / VECTORS as f64,
                configuration.published_bytes() as f64 / f64::from(1 << 20),
                configuration.bytes(),
                build.as_nanos(),
            );
        }
    }
    Ok(())
}
