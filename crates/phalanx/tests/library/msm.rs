//! Sums of products by every means, against the sum that the discrete logarithms of the points give.

use crate::backends::backends;
use phalanx::{
    Backend, Error, Point, PublicKey, PublicKeyRef, Scalar, SecretKey,
    hash::sha256,
    internals::{Method, SumPlan, SumVariant},
    msm::{self, Msm},
};
use phalanx_tiers::{sample, size};

fn scalar(label: &str, i: usize) -> Scalar {
    Scalar::from_bytes_reduced(&sha256(format!("{label} {i}").as_bytes()))
}

/// Points as multiples of the generator, the scalars they are to be multiplied by, and the sum.
#[derive(Clone)]
struct Case {
    name: &'static str,
    logarithms: Vec<Scalar>,
    scalars: Vec<Scalar>,
    points: Vec<Point>,
    expected: Point,
}

impl Case {
    fn new(name: &'static str, logarithms: Vec<Scalar>, scalars: Vec<Scalar>) -> Case {
        let points = logarithms.iter().map(Point::mul_generator).collect();
        let products = logarithms.iter().zip(&scalars).map(|(d, k)| *d * *k);
        let expected = Point::mul_generator(&products.fold(Scalar::ZERO, |sum, product| sum + product));
        Case { name, logarithms, scalars, points, expected }
    }
}

/// Every case that has broken some library, with `n` terms.
fn cases(n: usize) -> Vec<Case> {
    let build = |name, logarithm: &dyn Fn(usize) -> Scalar, factor: &dyn Fn(usize) -> Scalar| {
        Case::new(name, (0..n).map(logarithm).collect(), (0..n).map(factor).collect())
    };
    let (point, random) = (|i| scalar("point", i), |i| scalar("scalar", i));
    let order_less_one = -Scalar::ONE;
    let power = |bits: usize| (0..bits).fold(Scalar::ONE, |power, _| power.double());
    vec![
        build("random", &point, &random),
        build("one point", &|_| point(0), &random),
        build("a point and its negated", &|i| if i % 2 == 0 { point(0) } else { -point(0) }, &|i| random(i / 2)),
        build("the generator", &|_| Scalar::ONE, &|i| Scalar::from(i as u64)),
        build("small multiples", &|i| Scalar::from(i as u64 % 7 + 1), &|i| Scalar::from(i as u64 % 5)),
        build("infinity among the points", &|i| if i % 3 == 0 { Scalar::ZERO } else { point(i) }, &random),
        build("infinity alone", &|_| Scalar::ZERO, &random),
        build("zero", &point, &|_| Scalar::ZERO),
        build("one", &point, &|_| Scalar::ONE),
        build("n - 1", &point, &|_| order_less_one),
        build("equal scalars", &point, &|_| random(0)),
        build("powers of two", &point, &|i| power(i % 256)),
        build("below powers of two", &point, &|i| power(i % 256) - Scalar::ONE),
        build("lambda", &|i| if i % 2 == 0 { Scalar::ONE } else { Point::LAMBDA }, &|i| {
            if i % 2 == 0 { Point::LAMBDA } else { order_less_one }
        }),
        build("cancelling in the end", &|i| point(i / 2), &|i| if i % 2 == 0 { random(i) } else { -random(i - 1) }),
    ]
}

/// Sums as the library computes them on this backend, with so many threads and so much memory.
fn variant(backend: Backend, threads: usize, memory: usize) -> SumVariant {
    SumVariant::of(Msm::builder().backend(backend).threads(threads).memory(memory).build().unwrap())
}

fn plan(method: Method, width: u32) -> Option<SumPlan> {
    Some(SumPlan { method, width })
}

fn check(sums: &SumVariant, case: &Case, what: &str) {
    let sum = sums.sum_of_products(&case.scalars, &case.points).unwrap();
    assert_eq!(sum, case.expected, "{} of {} terms by {what}, {sums:?}", case.name, case.scalars.len());
}

/// Whether the backend has eight lanes.
fn has_lanes(backend: Backend) -> bool {
    backend != Backend::Portable
}

#[test]
fn every_case_at_every_size() {
    let sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300];
    let all: Vec<Case> = sizes.into_iter().flat_map(cases).collect();
    for backend in &backends() {
        let msm = Msm::builder().backend(*backend).threads(1).build().unwrap();
        assert_eq!(msm.backend(), *backend);
        let planned = SumVariant::of(msm.clone());
        for products in [2, 8, 48] {
            assert_eq!(
                planned.plan_of(products).method == Method::Lanes,
                has_lanes(*backend),
                "{products} on {backend}"
            );
        }
        assert_eq!(planned.plan_of(300).method, Method::Pippenger);
        for case in &all {
            check(&planned, case, "the plan");
            assert_eq!(msm.sum_of_products(&case.scalars, &case.points), Ok(case.expected));
        }
        println!("ran on {backend}");
    }
}

#[test]
fn every_method_with_every_window() {
    let all: Vec<Case> = size(&[9, 40][..], &[1, 2, 9, 40]).iter().copied().flat_map(cases).collect();
    for backend in &backends() {
        let tables = (2..=10).map(|width| (Method::Straus, width));
        let buckets = (2..=16).map(|width| (Method::Pippenger, width));
        let lanes = has_lanes(*backend).then_some((Method::Lanes, 4));
        for (method, width) in tables.chain(buckets).chain(lanes) {
            for endomorphism in [true, false] {
                let msm = SumVariant { plan: plan(method, width), endomorphism, ..variant(*backend, 1, usize::MAX) };
                for case in &all {
                    check(&msm, case, &format!("{method:?} {width}, endomorphism {endomorphism}"));
                }
            }
        }
    }
}

/// So many buckets that terms are added to them in place, and so many terms that rounds are full, that some wait, and
/// that more of those with equal digits wait than are put down again. Of the widths some leave a narrow last window,
/// which is sorted.
#[test]
fn every_case_in_place() {
    let windows = [(12, true), (13, true), (15, true), (16, true), (11, false), (13, false)];
    let other = [(1, usize::MAX), (1, 1 << 21), (2, usize::MAX)];
    let backend_and_threads: Vec<_> = windows.iter().flat_map(|window| other.map(|other| (*window, other))).collect();
    let mut all = cases(5000);
    let mut scalars = all[0].scalars.clone();
    scalars[500..3500].fill(scalar("scalar", 3));
    all.push(Case::new("equal scalars among others", all[0].logarithms.clone(), scalars));
    for backend in &backends() {
        for case in &all {
            for backend_and_threads in
                sample(&format!("backend_and_threads for {} on {backend}", case.name), backend_and_threads.len(), 5)
                    .iter()
                    .map(|i| backend_and_threads[*i])
            {
                let ((width, endomorphism), (threads, memory)) = backend_and_threads;
                let plan = plan(Method::Pippenger, width);
                let msm = SumVariant { plan, endomorphism, ..variant(*backend, threads, memory) };
                let sum = msm.sum_of_products(&case.scalars, &case.points).unwrap();
                assert_eq!(sum, case.expected, "{} with width {width}, {threads} threads, {backend}", case.name);
            }
        }
        println!("ran on {backend}");
    }
}

#[test]
fn jacobian_buckets() {
    let all: Vec<Case> = [1, 2, 9, 50].into_iter().flat_map(cases).collect();
    for backend in &backends() {
        for threads in [1, 2] {
            for endomorphism in [true, false] {
                let variant = |memory| SumVariant { endomorphism, ..variant(*backend, threads, memory) };
                for case in &all {
                    for (width, memory) in [(3, usize::MAX), (6, 0), (11, usize::MAX)] {
                        let plan = plan(Method::Pippenger, width);
                        let jacobian = SumVariant { plan, affine_buckets: false, ..variant(memory) };
                        check(&jacobian, case, &format!("Jacobian buckets, width {width}"));
                    }
                }
            }
        }
    }
}

/// In a sum in lanes, digits of two terms add up to nothing, or are the same point twice, in one lane or in all: in the
/// first round, in a later one, or where the chain takes what is left.
#[test]
fn points_that_vanish_in_lanes() {
    let numbers = |k: Scalar| [k, -k, k + Scalar::ONE, k * Point::LAMBDA];
    for backend in backends().iter().filter(|backend| has_lanes(**backend)) {
        let msm = SumVariant { plan: plan(Method::Lanes, 4), ..variant(*backend, 1, usize::MAX) };
        for others in [0, 3, 13, 30] {
            for apart in [1, 2, 4, 8] {
                for (i, number) in numbers(scalar("number", others)).into_iter().enumerate() {
                    let count = others + apart + 1;
                    let mut scalars: Vec<_> = (0..count).map(|i| scalar("scalar", i)).collect();
                    let mut logarithms: Vec<_> = (0..count).map(|i| scalar("point", i)).collect();
                    scalars[0] = scalar("number", others);
                    scalars[apart] = number;
                    logarithms[apart] = logarithms[0];
                    check(
                        &msm,
                        &Case::new("a point twice", logarithms.clone(), scalars.clone()),
                        &format!("number {i}"),
                    );
                    logarithms[apart] = -logarithms[0];
                    check(&msm, &Case::new("a point and its negated", logarithms, scalars), &format!("number {i}"));
                }
            }
        }
    }
}

#[test]
fn widths_that_digits_cannot_have_panic() {
    for backend in &backends() {
        for (method, width) in [Method::Straus, Method::Lanes, Method::Pippenger]
            .into_iter()
            .flat_map(|m| [0, 1, 17, 18, 64].map(|w| (m, w)))
        {
            let sum = move || {
                let msm = SumVariant { plan: plan(method, width), ..variant(*backend, 1, usize::MAX) };
                msm.sum_of_products(&[Scalar::from(5u64); 3], &[Point::GENERATOR; 3])
            };
            assert!(std::panic::catch_unwind(sum).is_err(), "{method:?} {width} on {backend}");
        }
        let in_lanes = move || {
            let msm = SumVariant { plan: plan(Method::Lanes, 4), ..variant(*backend, 1, usize::MAX) };
            msm.sum_of_products(&[Scalar::from(5u64); 3], &[Point::GENERATOR; 3])
        };
        assert_eq!(std::panic::catch_unwind(in_lanes).is_ok(), has_lanes(*backend), "in lanes on {backend}");
    }
}

/// Buckets go from piece to piece, and what is in them may be infinity, or equal or negatives of each other to what
/// comes next.
#[test]
fn every_case_in_pieces() {
    let all: Vec<Case> = [130, 300].into_iter().flat_map(cases).collect();
    for backend in &backends() {
        let lanes = has_lanes(*backend).then_some((Method::Lanes, 4));
        let others = [(Method::Pippenger, 3), (Method::Pippenger, 7), (Method::Straus, 4)];
        for (method, width) in others.into_iter().chain(lanes) {
            for (endomorphism, threads) in [(true, 1), (true, 2), (false, 1)] {
                let msm = SumVariant { plan: plan(method, width), endomorphism, ..variant(*backend, threads, 0) };
                assert!(msm.pieces(300) > 4);
                for case in &all {
                    check(&msm, case, &format!("{method:?} {width} in pieces"));
                    // The same points again, then their negatives: all comes to nothing in the buckets, and then starts
                    // anew.
                    let (scalars, points) = (&case.scalars, &case.points);
                    let negations = points.iter().map(|point| -*point);
                    let thrice: Vec<_> =
                        points.iter().copied().chain(negations).chain(points.iter().copied()).collect();
                    let sum = msm.sum_of_products(&[&scalars[..]; 3].concat(), &thrice).unwrap();
                    assert_eq!(sum, case.expected, "{} thrice on {backend}", case.name);
                }
            }
        }
    }
}

#[test]
fn threads_memory_and_forms_of_points_change_nothing() {
    let case = &cases(700)[0];
    let (points, expected) = (&case.points, case.expected);
    let keys: Vec<PublicKey> = points.iter().map(|point| PublicKey::try_from(point).unwrap()).collect();
    let encoded: Vec<[u8; 33]> = keys.iter().map(PublicKey::to_bytes).collect();
    let mixed: Vec<PublicKeyRef<'_>> = keys
        .iter()
        .zip(&encoded)
        .enumerate()
        .map(|(i, (key, bytes))| if i % 2 == 0 { PublicKeyRef::Parsed(key) } else { PublicKeyRef::Encoded(bytes) })
        .collect();
    for backend in &backends() {
        for threads in [1, 2, 3] {
            for memory in [0, 10_000, 300_000, usize::MAX] {
                let msm = Msm::builder().backend(*backend).threads(threads).memory(memory).build().unwrap();
                assert_eq!(msm.sum_of_products(&case.scalars, points), Ok(expected));
                assert_eq!(msm.sum_of_products(&case.scalars, &keys), Ok(expected));
                assert_eq!(msm.sum_of_products(&case.scalars, &encoded), Ok(expected));
                assert_eq!(msm.sum_of_products(&case.scalars, &mixed), Ok(expected));
            }
            // Enough terms for each thread to sum its own.
            let long = 40_000;
            let msm = Msm::builder().backend(*backend).threads(threads).build().unwrap();
            let long_keys: Vec<PublicKey> = keys.iter().copied().cycle().take(long).collect();
            let long_scalars: Vec<Scalar> = case.scalars.iter().copied().cycle().take(long).collect();
            let whole = Scalar::from((long / 700) as u64);
            let start = ..long % 700;
            let rest = Case::new("rest", case.logarithms[start].to_vec(), case.scalars[start].to_vec());
            assert_eq!(msm.sum_of_products(&long_scalars, &long_keys), Ok(expected * whole + rest.expected));
        }
    }
}

#[test]
fn wrong_inputs_are_errors() {
    let key = SecretKey::from_bytes(&[1; 32]).unwrap().public_key();
    let lengths = Err(Error::LengthMismatch { left: 2, right: 1 });
    assert_eq!(msm::sum_of_products(&[Scalar::ONE; 2], &[key]), lengths);
    let mut bytes = key.to_bytes();
    bytes[0] = 5;
    assert_eq!(msm::sum_of_products(&[Scalar::ONE; 2], &[key.to_bytes(), bytes]), Err(Error::BadPublicKey));
    assert_eq!(msm::sum_of_products::<PublicKey>(&[], &[]), Ok(Point::IDENTITY));
}

#[test]
fn pieces_and_permutations_and_linearity() {
    let case = &cases(90)[0];
    let (points, expected) = (&case.points, case.expected);
    for backend in &backends() {
        let msm = Msm::builder().backend(*backend).build().unwrap();
        let mut sum = msm.accumulator();
        for (scalars, points) in case.scalars.chunks(13).zip(points.chunks(13)) {
            sum.add(scalars, points).unwrap();
        }
        assert_eq!(sum.finish(), expected);
        let reversed: (Vec<_>, Vec<_>) = case.scalars.iter().copied().zip(points.iter().copied()).rev().unzip();
        assert_eq!(msm.sum_of_products(&reversed.0, &reversed.1), Ok(expected));
        let factor = scalar("factor", 0);
        let scaled: Vec<_> = case.scalars.iter().map(|scalar| *scalar * factor).collect();
        assert_eq!(msm.sum_of_products(&scaled, points), Ok(expected * factor));
        let added: Vec<_> = case.scalars.iter().zip(&scaled).map(|(a, b)| *a + *b).collect();
        assert_eq!(msm.sum_of_products(&added, points), Ok(expected + expected * factor));
    }
}

#[test]
fn additions_together_and_alone() {
    for k in [0usize, 1, 2, 7, 8, 9, 17, 64, 300] {
        for case in cases(2 * k) {
            let key = |point: &Point| PublicKey::try_from(point).unwrap_or(PublicKey::GENERATOR);
            let keys: Vec<_> = case.points.iter().map(key).collect();
            let (a, b) = keys.split_at(k);
            let sums = phalanx::internals::add_pairs_alone(a, b).unwrap();
            for backend in &backends() {
                let msm = Msm::builder().backend(*backend).build().unwrap();
                assert_eq!(msm.add_pairs(a, b).unwrap(), sums, "{} on {backend}", case.name);
            }
            for ((a, b), sum) in a.iter().zip(b).zip(sums) {
                assert_eq!(sum, PublicKey::combine_keys(&[*a, *b]).ok());
            }
        }
    }
}

/// The sum one product after another, which shares nothing with the above but the single multiplication.
#[test]
fn the_naive_sum() {
    for case in cases(20) {
        let naive = case.points.iter().zip(&case.scalars).fold(Point::IDENTITY, |sum, (point, k)| sum + *point * *k);
        assert_eq!(naive, case.expected, "{}", case.name);
    }
}

#[test]
fn infinity_is_taken_as_it_is_written() {
    let points = [Point::GENERATOR, Point::IDENTITY, Point::GENERATOR.double()].map(|point| point.to_bytes());
    for backend in Backend::available() {
        let msm = Msm::builder().backend(*backend).threads(1).build().unwrap();
        let sum = msm.sum_of_products(&[Scalar::ONE, Scalar::from(5u64), Scalar::ONE], &points).unwrap();
        assert_eq!(sum, Point::GENERATOR * Scalar::from(3u64), "{backend}");
        assert_eq!(msm.sum_of_products(&[Scalar::ONE; 2], &[[0; 33]; 2]).unwrap(), Point::IDENTITY, "{backend}");
        let mut almost = [0; 33];
        almost[32] = 1;
        assert!(msm.sum_of_products(&[Scalar::ONE], &[almost]).is_err(), "{backend}");
    }
}
