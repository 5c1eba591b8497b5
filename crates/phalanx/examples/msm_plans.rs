//! What sums of products cost by each plan.
//!
//! ```text
//! cargo run --release -p phalanx --example msm_plans -- [BACKEND [N ...]]
//! ```

use phalanx::{
    Backend, Bulk, Point, PublicKey, Scalar, SecretKey,
    hash::sha256,
    msm::{Method, Msm},
};
use std::{env, error::Error, hint::black_box, time::Instant};

fn scalar(label: &str, i: usize) -> Scalar {
    Scalar::from_bytes_reduced(&sha256(format!("{label} {i}").as_bytes()))
}

/// The median time of a sum, in nanoseconds a point.
fn time(msm: &Msm, scalars: &[Scalar], points: &[PublicKey], expected: &Point) -> f64 {
    let turns = (200_000 / scalars.len()).clamp(3, 301);
    let mut times: Vec<f64> = (0..turns)
        .map(|_| {
            let start = Instant::now();
            let sum = msm.sum_of_products(black_box(scalars), points).expect("as many of each");
            let elapsed = start.elapsed();
            assert_eq!(sum, *expected);
            elapsed.as_nanos() as f64 / scalars.len() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[turns / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let backend: Backend = arguments.next().as_deref().unwrap_or("portable").parse()?;
    let sizes: Vec<usize> = arguments.map(|n| n.parse()).collect::<Result<_, _>>()?;
    let most = sizes.iter().copied().max().unwrap_or(1);
    let secrets: Vec<_> =
        (0..most).map(|i| SecretKey::from_bytes(&scalar("point", i).to_bytes())).collect::<Result<_, _>>()?;
    let points = Bulk::new().public_keys(&secrets);
    let scalars: Vec<_> = (0..most).map(|i| scalar("scalar", i)).collect();
    let builder = || Msm::builder().backend(backend).threads(1);
    for n in sizes {
        let (scalars, points) = (&scalars[..n], &points[..n]);
        let products = scalars.iter().enumerate().map(|(i, k)| *k * scalar("point", i));
        let expected = Point::mul_generator(&products.fold(Scalar::ZERO, |sum, product| sum + product));
        let planned = time(&builder().build()?, scalars, points, &expected);
        println!("n {n}: planned {planned:.0} ns a point");
        if env::var_os("PLANNED").is_some() {
            let msm = builder().method(Method::Buckets, env::var("PLANNED")?.parse()?).build()?;
            for _ in 0..20 {
                time(&msm, scalars, points, &expected);
            }
            continue;
        }
        for (method, widths) in [(Method::Tables, 3..=6), (Method::Buckets, 3..=15)] {
            for width in widths {
                let load = n as f64 / (1 << width) as f64;
                if method == Method::Tables && n > 600 || method == Method::Buckets && !(0.1..200.0).contains(&load) {
                    continue;
                }
                let took = time(&builder().method(method, width).build()?, scalars, points, &expected);
                println!("  {method:?} {width}: {took:.0}");
            }
        }
    }
    Ok(())
}
