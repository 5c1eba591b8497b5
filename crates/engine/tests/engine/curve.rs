//! Every point formula against chord and tangent on big integers, on every backend, each lane on a case of its own.

use crate::backends::{Backend, Operation};
use crate::groups::{generator, multiple, sum_of};
use crate::operations::*;
use crate::reference::{Eight, Point, from_limbs, from_words, invert, negate, negated, p, to_limbs};
use crate::samples::{Random, Shape};
use crate::secp256k1::Secp256k1;
use num_bigint::BigUint;
use phalanx_engine::curve::GlvCurve;
use phalanx_engine::word::LANES;

/// Points that meet: a few and their negatives, doubles, images under the endomorphism (same y, and with the negatives
/// y1 = -y2 with different x), and infinity.
fn points() -> Vec<Point> {
    let mut random = Random::new(21);
    let mut points = vec![None];
    for k in [BigUint::from(1u8), BigUint::from(2u8), BigUint::from(3u8), random.number()] {
        let point = multiple::<Secp256k1>(&k);
        let beta = from_words(&Secp256k1::BETA);
        let image = point.as_ref().map(|(x, y)| (x * &beta % p(), y.clone()));
        let image2 = image.as_ref().map(|(x, y)| (x * &beta % p(), y.clone()));
        for point in [point, image, image2] {
            points.push(negated(&point));
            points.push(point);
        }
    }
    points
}

/// A field element in limbs, magnitude 1, sometimes not canonical.
fn coordinate(random: &mut Random, number: &BigUint) -> [u64; 5] {
    let beyond = to_limbs(&(number + p()));
    if random.below(2) == 0 && Shape::carried(1).admits(beyond) { beyond } else { to_limbs(number) }
}

/// Jacobian coordinates of a point with a random Z, Z = 1, or a Z near an edge.
fn coordinates(random: &mut Random, point: &Point) -> [[u64; 5]; 3] {
    let z = match random.below(4) {
        0 => BigUint::from(1u8),
        1 => random.canonical(),
        _ => random.number(),
    } % p();
    let z = if z == BigUint::ZERO { BigUint::from(1u8) } else { z };
    match point {
        Some((x, y)) => [x * &z * &z % p(), y * &z * &z * &z % p(), z],
        // Any X and Y with Z = 0 stand for infinity; formulas keep Y^2 = X^3, and so do these.
        None => [&z * &z % p(), &z * &z * &z % p(), BigUint::ZERO],
    }
    .map(|number| coordinate(random, &number))
}

fn affine_coordinates(random: &mut Random, point: &Point) -> [[u64; 5]; 2] {
    let (x, y) = point.clone().expect("an affine point is finite");
    [x, y].map(|number| coordinate(random, &number))
}

/// The point that Jacobian coordinates stand for; the limbs must be carried and of magnitude 1.
fn read(limbs: [[u64; 5]; 3]) -> Point {
    for limbs in limbs {
        assert!(Shape::carried(1).admits(limbs), "{limbs:x?} is not carried and of magnitude 1");
    }
    let [x, y, z] = limbs.map(|limbs| from_limbs(limbs) % p());
    let i = invert(&z);
    (z != BigUint::ZERO).then(|| (x * &i * &i % p(), y * &i * &i * &i % p()))
}

fn lane<const N: usize>(numbers: &[Eight], lane: usize) -> [[u64; 5]; N] {
    core::array::from_fn(|i| numbers[i][lane])
}

/// Runs the operation on every case, eight at a time, in every rotation of the lanes; `check` sees the case and its
/// results.
pub(crate) fn run_all<const N: usize, const M: usize, T: Clone>(
    operation: impl Operation<N, M>,
    cases: &[T],
    encode: impl Fn(&mut Random, &T) -> [[u64; 5]; N],
    check: impl Fn(&T, [[u64; 5]; M], bool),
) {
    let mut random = Random::new(22);
    for backend in Backend::all() {
        println!("on {}", backend.name());
        for chunk in cases.chunks(LANES) {
            // A short chunk repeats its first case.
            let mut eight: [T; LANES] = core::array::from_fn(|i| chunk.get(i).unwrap_or(&chunk[0]).clone());
            for _ in 0..LANES {
                eight.rotate_left(1);
                let numbers = eight.each_ref().map(|case| encode(&mut random, case));
                let inputs = core::array::from_fn(|i| numbers.map(|number| number[i]));
                let (outputs, truth) = backend.run(operation, &inputs);
                for (i, case) in eight.iter().enumerate() {
                    check(case, lane(&outputs, i), truth >> i & 1 == 1);
                }
            }
        }
    }
}

fn pairs() -> Vec<(Point, Point)> {
    let points = points();
    points.iter().flat_map(|a| points.iter().map(move |b| (a.clone(), b.clone()))).collect()
}

fn pairs_with_affine() -> Vec<(Point, Point)> {
    pairs().into_iter().filter(|(_, b)| b.is_some()).collect()
}

#[test]
fn doubling_and_negation() {
    run_all(Double, &points(), coordinates, |a, r, _| assert_eq!(read(r), sum_of::<Secp256k1>(a, a)));
    run_all(NegatePoint, &points(), coordinates, |a, r, _| assert_eq!(read(r), negated(a)));
    run_all(IsInfinity, &points(), coordinates, |a, [], truth| assert_eq!(truth, a.is_none()));
}

fn encode_mixed(random: &mut Random, (a, b): &(Point, Point)) -> [[u64; 5]; 5] {
    let ([a, b, c], [d, e]) = (coordinates(random, a), affine_coordinates(random, b));
    [a, b, c, d, e]
}

fn encode_pair(random: &mut Random, (a, b): &(Point, Point)) -> [[u64; 5]; 6] {
    let ([a, b, c], [d, e, f]) = (coordinates(random, a), coordinates(random, b));
    [a, b, c, d, e, f]
}

/// An incomplete addition is right where the abscissas differ and both points are finite; elsewhere it says so.
fn check_incomplete((a, b): &(Point, Point), [x, y, z, h]: [[u64; 5]; 4]) {
    let finite = a.as_ref().zip(b.as_ref());
    if finite.is_some_and(|((x1, _), (x2, _))| x1 != x2) {
        assert_eq!(read([x, y, z]), sum_of::<Secp256k1>(a, b));
        assert_ne!(from_limbs(h) % p(), BigUint::ZERO);
    } else {
        assert_eq!(from_limbs(z) % p(), BigUint::ZERO);
        assert!(finite.is_none() || from_limbs(h) % p() == BigUint::ZERO);
    }
}

#[test]
fn incomplete_additions() {
    run_all(AddMixed, &pairs_with_affine(), encode_mixed, |case, r, _| check_incomplete(case, r));
    run_all(Add, &pairs(), encode_pair, |case, r, _| check_incomplete(case, r));
}

/// Pairs of finite points.
fn affine_pairs() -> Vec<(Point, Point)> {
    pairs_with_affine().into_iter().filter(|(a, _)| a.is_some()).collect()
}

fn encode_affine(random: &mut Random, (a, b): &(Point, Point)) -> [[u64; 5]; 4] {
    let ([a, b], [c, d]) = (affine_coordinates(random, a), affine_coordinates(random, b));
    [a, b, c, d]
}

/// x2 - x1.
fn difference((a, b): &(Point, Point)) -> BigUint {
    let x = |point: &Point| point.clone().expect("a finite point").0;
    (x(b) + negate(&x(a))) % p()
}

#[test]
fn additions_on_one_model() {
    run_all(AddCoZ, &affine_pairs(), encode_affine, |(a, b), [x, y, u, v], _| {
        let h = to_limbs(&difference(&(a.clone(), b.clone())));
        check_incomplete(&(a.clone(), b.clone()), [x, y, h, h]);
        if h != [0; 5] {
            assert_eq!(read([u, v, h]), *a);
        }
    });
    // The difference is not reduced.
    run_all(AddCoZDifference, &affine_pairs(), encode_affine, |pair, [h], _| {
        assert_eq!(from_limbs(h) % p(), difference(pair));
    });
}

#[test]
fn doublings_on_one_model() {
    let finite: Vec<Point> = points().into_iter().filter(Option::is_some).collect();
    run_all(DoubleCoZ, &finite, affine_coordinates, |a, [x, y, u, v], _| {
        let z = to_limbs(&twice_y(a));
        assert_eq!((read([x, y, z]), read([u, v, z])), (sum_of::<Secp256k1>(a, a), a.clone()));
    });
}

fn twice_y(point: &Point) -> BigUint {
    point.clone().expect("a finite point").1 * 2u8 % p()
}

#[test]
fn chords_and_tangents() {
    let read_affine = |[x, y]: [[u64; 5]; 2]| Some((from_limbs(x) % p(), from_limbs(y) % p()));
    let chords: Vec<_> = affine_pairs().into_iter().filter(|pair| difference(pair) != BigUint::ZERO).collect();
    let encode = |random: &mut Random, pair: &(Point, Point)| {
        let [x, y, u, v] = encode_affine(random, pair);
        [x, y, u, v, to_limbs(&invert(&difference(pair)))]
    };
    run_all(AddWith, &chords, encode, |(a, b), found, _| assert_eq!(read_affine(found), sum_of::<Secp256k1>(a, b)));
    run_all(ChordDenominator, &affine_pairs(), encode_affine, |pair, [found], _| {
        assert_eq!(from_limbs(found) % p(), difference(pair));
    });
    let finite: Vec<Point> = points().into_iter().filter(Option::is_some).collect();
    let encode = |random: &mut Random, point: &Point| {
        let [x, y] = affine_coordinates(random, point);
        [x, y, to_limbs(&invert(&twice_y(point)))]
    };
    run_all(DoubleWith, &finite, encode, |a, found, _| assert_eq!(read_affine(found), sum_of::<Secp256k1>(a, a)));
    run_all(TangentDenominator, &finite, affine_coordinates, |a, [found], _| {
        assert_eq!(from_limbs(found) % p(), twice_y(a));
    });
}

#[test]
fn complete_additions() {
    run_all(AddMixedComplete, &pairs_with_affine(), encode_mixed, |(a, b), r, _| {
        assert_eq!(read(r), sum_of::<Secp256k1>(a, b))
    });
    run_all(AddComplete, &pairs(), encode_pair, |(a, b), r, _| assert_eq!(read(r), sum_of::<Secp256k1>(a, b)));
}

#[test]
fn comparisons() {
    run_all(SamePoint, &pairs(), encode_pair, |(a, b), [], truth| assert_eq!(truth, a == b));
}

#[test]
fn affine_points() {
    let finite: Vec<Point> = points().into_iter().filter(Option::is_some).collect();
    let read_affine = |[x, y]: [[u64; 5]; 2]| Some((from_limbs(x) % p(), from_limbs(y) % p()));
    run_all(NegateAffine, &finite, affine_coordinates, |a, r, _| assert_eq!(read_affine(r), negated(a)));
    run_all(Endomorphism, &finite, affine_coordinates, |a, r, _| {
        let (x, y) = a.clone().expect("finite");
        let image = read_affine(r);
        assert_eq!(image, Some((x * from_words(&Secp256k1::BETA) % p(), y)));
        // Three points on a line y = const, so P + image + image of image is infinity: the image is on the curve.
        let (x, y) = image.clone().expect("finite");
        let again = Some((x * from_words(&Secp256k1::BETA) % p(), y));
        assert_eq!(sum_of::<Secp256k1>(&sum_of::<Secp256k1>(a, &image), &again), None);
    });
    run_all(OnCurve, &finite, affine_coordinates, |_, [], truth| assert!(truth));
    let off: Vec<Point> =
        finite.iter().map(|point| point.as_ref().map(|(x, y)| (x.clone(), (y + 1u8) % p()))).collect();
    run_all(OnCurve, &off, affine_coordinates, |a, [], truth| {
        let (x, y) = a.clone().expect("finite");
        assert_eq!(truth, (&y * &y + negate(&(&x * &x * &x + 7u8))) % p() == BigUint::ZERO);
    });
    run_all(Generator, &finite, |_, _| [[0; 5]; 1], |_, r, _| assert_eq!(read_affine(r), generator::<Secp256k1>()));
    let encode = |random: &mut Random, point: &Point| {
        let [x, y, z] = coordinates(random, point);
        [x, y, z, to_limbs(&invert(&(from_limbs(z) % p())))]
    };
    run_all(ToAffine, &finite, encode, |a, r, _| assert_eq!(read_affine(r), *a));
}

/// A key P, a multiple of it, another point, all finite, and an r that the x of their sum is, or not.
type Sum = [BigUint; 7];

/// Sums of pairs under some keys. The true r comes first where there is one, then that of the difference, and others.
fn sums() -> Vec<Sum> {
    let mut random = Random::new(23);
    let keys: Vec<Point> = [2u8, 5, 7].iter().map(|k| multiple::<Secp256k1>(&BigUint::from(*k))).collect();
    let mut sums = Vec::new();
    for (a, b) in affine_pairs() {
        for key in &keys {
            let x = |sum: Point| sum.map_or(BigUint::ZERO, |(x, _)| x);
            let (sum, difference) = (sum_of::<Secp256k1>(&a, &b), sum_of::<Secp256k1>(&a, &negated(&b)));
            for r in [x(sum), x(difference), random.canonical()] {
                let [(x, y), (u, v), (g, h)] = [key, &a, &b].map(|point| point.clone().expect("a finite point"));
                sums.push([x, y, u, v, g, h, r]);
            }
        }
    }
    sums
}

/// b of an equation, and (g - u) b, h b and W b^2 for the Z of the image.
fn equation([_, y, u, v, g, h, r]: &Sum, z: &BigUint) -> [BigUint; 4] {
    let d = y * y % p();
    let b = &d * &d * z * z * z % p();
    let chord = (g + negate(u)) % p();
    // m / y is the y of the multiple.
    let w = h * h + v * v + negate(&((u + g + r) * &chord * &chord % p()));
    let divisor = w * &b * &b % p();
    [chord * &b % p(), h * &b % p(), divisor, b]
}

/// X, Y and Z of the image of the multiple, and d.
fn image([_, y, u, v, ..]: &Sum, z: &BigUint) -> [BigUint; 4] {
    let d = y * y % p();
    [u * &d * z * z % p(), v * y * &d * z * z * z % p(), z.clone(), d]
}

#[test]
fn images_by_x() {
    let mut random = Random::new(24);
    let numbers: Vec<BigUint> = (0..200).map(|_| random.canonical()).chain([BigUint::ZERO]).collect();
    run_all(
        Image,
        &numbers,
        |random, x| [coordinate(random, x)],
        |x, found, _| {
            let d = (x * x * x + 7u8) % p();
            assert_eq!(found.map(|limbs| from_limbs(limbs) % p()), [x * &d % p(), &d * &d % p(), d.clone()]);
        },
    );
}

#[test]
fn equations_tell_y() {
    // Each sum has another Z.
    let mut random = Random::new(25);
    let sums: Vec<(Sum, BigUint)> = sums().into_iter().map(|sum| (sum, random.canonical() + 1u8)).collect();
    let encode = |random: &mut Random, (sum, z): &(Sum, BigUint)| {
        let ([x, y, z, d], [_, _, _, _, g, h, r]) = (image(sum, &(z % p())), sum.clone());
        [x, y, z, d, g, h, r].map(|number| coordinate(random, &number))
    };
    run_all(Equation, &sums, encode, |(sum, z), found, _| {
        let [width, height, divisor, _] = equation(sum, z);
        let denominator = &width * &divisor % p();
        assert_eq!(found.map(|limbs| from_limbs(limbs) % p()), [width, height, divisor, denominator]);
    });
    // Only where the denominator is not zero. Then the y that comes out is the key's where r is the sum's.
    let said: Vec<_> = sums.iter().filter(|(sum, z)| equation(sum, z)[0] != BigUint::ZERO).cloned().collect();
    let said: Vec<_> = said.into_iter().filter(|(sum, z)| equation(sum, z)[2] != BigUint::ZERO).collect();
    assert!(said.len() < sums.len());
    let sum_of_pair = |[_, _, u, v, g, h, _]: &Sum| {
        let [a, b] = [(u, v), (g, h)].map(|(x, y)| Some((x.clone(), y.clone())));
        sum_of::<Secp256k1>(&a, &b).expect("a chord")
    };
    let parts = |random: &mut Random, (sum, z): &(Sum, BigUint)| {
        let [width, height, divisor, _] = equation(sum, z);
        let inverse = invert(&(&width * &divisor % p()));
        let [_, product_y, _, d] = image(sum, &(z % p()));
        [width, height, divisor, product_y, d, inverse].map(|number| coordinate(random, &number))
    };
    let right = std::cell::Cell::new(0);
    run_all(EquationY, &said, parts, |(sum, _), [found], _| {
        let found = from_limbs(found) % p();
        let holds = sum_of_pair(sum).0 == sum[6];
        assert_eq!(found == sum[1], holds);
        assert!(holds || &found * &found % p() != &sum[1] * &sum[1] % p() || found == negate(&sum[1]));
        right.set(right.get() + u32::from(holds));
    });
    assert!(right.get() > 1000);
    let true_ones: Vec<_> = said.into_iter().filter(|(sum, _)| sum_of_pair(sum).0 == sum[6]).collect();
    let encode = |random: &mut Random, case: &(Sum, BigUint)| {
        let [width, height, divisor, product_y, _, inverse] = parts(random, case);
        let [_, y, _, _, g, h, r] = case.0.clone().map(|number| coordinate(random, &number));
        [width, height, divisor, product_y, y, g, h, r, inverse]
    };
    run_all(EquationSumY, &true_ones, encode, |(sum, _), [found], _| {
        assert_eq!(from_limbs(found) % p(), sum_of_pair(sum).1);
    });
}
