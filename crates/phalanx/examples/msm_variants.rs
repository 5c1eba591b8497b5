//! What each technique of sums of products is worth: the same sum by the plan, and with one technique left out at a
//! time.
//!
//! ```text
//! cargo run --release -p phalanx --example msm_variants -- [BACKEND [N ...]]
//! ```
//!
//! All variants compute in turn, and the least time of each counts. The points are Jacobian, as sums of points are.

use phalanx::{
    Backend, Builder, Point, Scalar,
    hash::sha256,
    msm::{Method, Msm},
};
use std::{env, error::Error, hint::black_box, time::Instant};

const TURNS: usize = 15;

fn scalar(label: &str, i: usize) -> Scalar {
    Scalar::from_bytes_reduced(&sha256(format!("{label} {i}").as_bytes()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let backend: Backend = arguments.next().as_deref().unwrap_or("portable").parse()?;
    let sizes: Vec<usize> = arguments.map(|n| n.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![8, 64, 1024, 16_384] } else { sizes };
    let builder = || Msm::builder().backend(backend).threads(1);
    println!("| n | variant | ns a product | the plan's over it |\n|---|---|---|---|");
    for n in sizes {
        let scalars: Vec<_> = (0..n).map(|i| scalar("scalar", i)).collect();
        // Sums, so that no Z is one.
        let points: Vec<_> = (0..n).map(|i| Point::mul_generator(&scalar("point", i)) + Point::GENERATOR).collect();
        let plan = builder().build()?.plan(n);
        let other = if plan.method == Method::Straus { Method::Pippenger } else { Method::Straus };
        let variants: Vec<(&str, Builder<Msm>)> = vec![
            ("the plan", builder()),
            ("without the endomorphism", builder().endomorphism(false)),
            ("points normalised one by one", builder().normalize_together(false)),
            ("Jacobian buckets", builder().affine_buckets(false).method(Method::Pippenger, plan.width.max(4))),
            ("a window two bits narrower", builder().method(plan.method, plan.width.max(4) - 2)),
            ("the other method, width 5", builder().method(other, 5)),
        ];
        let sums: Vec<_> =
            variants.into_iter().map(|(name, b)| b.build().map(|m| (name, m))).collect::<Result<_, _>>()?;
        let expected = sums[0].1.sum_of_products(&scalars, &points)?;
        let mut least = vec![f64::INFINITY; sums.len()];
        for _ in 0..TURNS {
            for (least, (_, msm)) in least.iter_mut().zip(&sums) {
                let start = Instant::now();
                assert_eq!(msm.sum_of_products(black_box(&scalars), &points)?, expected);
                *least = least.min(start.elapsed().as_nanos() as f64 / n as f64);
            }
        }
        for ((name, _), time) in sums.iter().zip(&least) {
            println!("| {n} | {name} | {time:.0} | {:.2}x |", least[0] / time);
        }
    }
    Ok(())
}
