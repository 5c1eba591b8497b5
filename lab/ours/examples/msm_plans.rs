//! What sums of products cost by the plan that the model of costs chooses, and by the plans that it does not.
//!
//! ```text
//! cargo run --release --manifest-path lab/ours/Cargo.toml --example msm_plans -- \
//!     [BACKEND [LARGEST_EXPONENT [THREADS]]]
//! ```
//!
//! For each number of products a line: the plan, nanoseconds a product, the additions of affine points and inversions a
//! product and the memory that the model expects, the fastest of the other plans, and what the chosen one loses to it.
//! All plans compute in turn, and the least time of each counts, so that a busy machine does not decide.

use phalanx::{
    Backend, Bulk, Point, PublicKey, Scalar, SecretKey,
    hash::sha256,
    internals::{Method, SumPlan, SumVariant},
    msm::Msm,
};
use std::{env, error::Error, hint::black_box, time::Instant};

fn scalar(label: &str, i: usize) -> Scalar {
    Scalar::from_bytes_reduced(&sha256(format!("{label} {i}").as_bytes()))
}

/// The time of one sum, in nanoseconds a product.
fn time(sums: &SumVariant, scalars: &[Scalar], points: &[PublicKey], expected: &Point) -> f64 {
    let start = Instant::now();
    let sum = sums.sum_of_products(black_box(scalars), points).expect("as many of each");
    let elapsed = start.elapsed();
    assert_eq!(sum, *expected);
    elapsed.as_nanos() as f64 / scalars.len() as f64
}

/// The methods and widths worth trying for so many products.
fn candidates(backend: Backend, n: usize) -> Vec<(Method, u32)> {
    let load = |width: u32| 2.0 * n as f64 / f64::from(1 << (width - 1));
    let tables = (3..=6).filter(|_| n <= 512).map(|width| (Method::Straus, width));
    let buckets = (3..=16)
        .filter(|width| n < 64 && *width < 8 || (2.0..300.0).contains(&load(*width)) || *width >= 15 && n > 1 << 17);
    let lanes = (n <= 512 && backend != Backend::Portable).then_some((Method::Lanes, 4));
    tables.chain(lanes).chain(buckets.map(|width| (Method::Pippenger, width))).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let backend: Backend = arguments.next().as_deref().unwrap_or("portable").parse()?;
    let exponent: u32 = arguments.next().map_or(Ok(14), |exponent| exponent.parse())?;
    let threads: usize = arguments.next().map_or(Ok(1), |threads| threads.parse())?;
    let most = 1 << exponent;
    let logarithms: Vec<_> = (0..most).map(|i| scalar("point", i)).collect();
    let secrets: Vec<_> = logarithms.iter().map(|d| SecretKey::from_bytes(&d.to_bytes())).collect::<Result<_, _>>()?;
    let points = Bulk::new().public_keys(&secrets);
    let scalars: Vec<_> = (0..most).map(|i| scalar("scalar", i)).collect();
    let planner = SumVariant::of(Msm::builder().backend(backend).threads(threads).build()?);
    println!("{backend}, {threads} threads; ns, additions and inversions a product");
    println!(
        "{:>8}  {:<12} {:>9} {:>6} {:>7} {:>9}  {:<12} {:>9}  loss",
        "n", "plan", "ns", "add", "inv", "KiB", "runner-up", "ns"
    );
    let between = (0..exponent).flat_map(|e| [1 << e, 3 << e >> 1]).filter(|n| *n > 0);
    let mut sizes: Vec<usize> = between.chain([most]).collect();
    sizes.dedup();
    for n in sizes {
        let (scalars, points) = (&scalars[..n], &points[..n]);
        let products = scalars.iter().zip(&logarithms).map(|(k, d)| *k * *d);
        let expected = Point::mul_generator(&products.fold(Scalar::ZERO, |sum, product| sum + product));
        let (plan, estimate) = (planner.plan_of(n), planner.estimate(n));
        let others = candidates(backend, n).into_iter().filter(|other| *other != (plan.method, plan.width));
        let others: Vec<_> = others
            .map(|(method, width)| {
                (method, width, SumVariant { plan: Some(SumPlan { method, width }), ..planner.clone() })
            })
            .collect();
        let mut least = vec![f64::INFINITY; others.len() + 1];
        for _ in 0..(60_000 / n).clamp(3, 400) {
            least[0] = least[0].min(time(&planner, scalars, points, &expected));
            for (least, (.., sums)) in least[1..].iter_mut().zip(&others) {
                *least = least.min(time(sums, scalars, points, &expected));
            }
        }
        let (runner, took) = others.iter().zip(&least[1..]).min_by(|a, b| a.1.total_cmp(b.1)).ok_or("no other plan")?;
        let name = |method, width| format!("{method:?} {width}");
        let planned = if n == 1 { "alone".to_owned() } else { name(plan.method, plan.width) };
        println!(
            "{n:>8}  {planned:<12} {:>9.0} {:>6.1} {:>7.3} {:>9}  {:<12} {took:>9.0}  {:+.1} %",
            least[0],
            estimate.additions / n as f64,
            estimate.rounds / n as f64,
            estimate.bytes >> 10,
            name(runner.0, runner.1),
            100.0 * (least[0] / took - 1.0),
        );
    }
    Ok(())
}
