//! Every point formula against chord and tangent on big integers, on every backend, each lane on a case of its own.

use crate::backends::{Backend, Operation, operations};
use crate::reference::{
    Eight, Point, from_limbs, from_words, generator, invert, multiple, negate, negated, p, sum, to_limbs,
};
use crate::samples::{Random, Shape};
use crate::secp256k1::Secp256k1;
use num_bigint::BigUint;
use phalanx_engine::curve::{Affine, GlvCurve, Jacobian};
use phalanx_engine::word::LANES;

fn jacobian<F>([x, y, z]: [F; 3]) -> Jacobian<F> {
    Jacobian { x, y, z }
}

operations! {
    Double: 3 => 3, |[a, b, c]| { let r = jacobian([a, b, c]).double(); [r.x, r.y, r.z] };
    Negate: 3 => 3, |[a, b, c]| { let r = jacobian([a, b, c]).negate(); [r.x, r.y, r.z] };
    AddMixed: 5 => 4, |[a, b, c, x, y]| {
        let (r, h) = jacobian([a, b, c]).add_mixed(Affine { x, y });
        [r.x, r.y, r.z, h]
    };
    Add: 6 => 4, |[a, b, c, d, e, f]| {
        let (r, h) = jacobian([a, b, c]).add(jacobian([d, e, f]));
        [r.x, r.y, r.z, h]
    };
    AddCoZ: 4 => 5, |[x, y, u, v]| {
        let (r, moved, h) = Affine { x, y }.add_co_z(Affine { x: u, y: v });
        [r.x, r.y, moved.x, moved.y, h]
    };
    /// The denominator as it was given back is inverted outside, and comes in again.
    Chord: 5 => 3, |[x, y, u, v, i]| {
        let (a, b) = (Affine { x, y }, Affine { x: u, y: v });
        let r = a.add_with(b, i);
        [r.x, r.y, a.chord_denominator(&b)]
    };
    Tangent: 3 => 3, |[x, y, i]| {
        let a = Affine { x, y };
        let r = a.double_with(i);
        [r.x, r.y, a.tangent_denominator()]
    };
    AddMixedComplete: 5 => 3, |[a, b, c, x, y]| {
        let r = jacobian([a, b, c]).add_mixed_complete(Affine { x, y });
        [r.x, r.y, r.z]
    };
    AddComplete: 6 => 3, |[a, b, c, d, e, f]| {
        let r = jacobian([a, b, c]).add_complete(jacobian([d, e, f]));
        [r.x, r.y, r.z]
    };
    SamePoint: 6 => 0, |[a, b, c, d, e, f]| [], jacobian([a, b, c]).equals(jacobian([d, e, f]));
    IsInfinity: 3 => 0, |[a, b, c]| [], jacobian([a, b, c]).is_infinity();
    ToAffine: 4 => 2, |[a, b, c, i]| { let r = jacobian([a, b, c]).to_affine_with(i); [r.x, r.y] };
    AffineNegate: 2 => 2, |[x, y]| { let r = Affine { x, y }.negate(); [r.x, r.y] };
    Endomorphism: 2 => 2, |[x, y]| { let r = Affine { x, y }.endomorphism::<Secp256k1>(); [r.x, r.y] };
    OnCurve: 2 => 0, |[x, y]| [], Affine { x, y }.is_on_curve::<Secp256k1>();
    Generator: 1 => 2, |[_unused]| { let r = Affine::<F>::generator::<Secp256k1>(); [r.x, r.y] };
}

/// Points that meet: a few and their negatives, doubles, images under the endomorphism (same y, and with the negatives
/// y1 = -y2 with different x), and infinity.
fn points() -> Vec<Point> {
    let mut random = Random::new(21);
    let g = generator();
    let mut points = vec![None];
    for k in [BigUint::from(1u8), BigUint::from(2u8), BigUint::from(3u8), random.number()] {
        let point = multiple(&k, &g);
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
fn run_all<const N: usize, const M: usize, T: Clone>(
    operation: impl Operation<N, M>,
    cases: &[T],
    encode: impl Fn(&mut Random, &T) -> [[u64; 5]; N],
    check: impl Fn(&T, [[u64; 5]; M], bool),
) {
    let mut random = Random::new(22);
    for backend in Backend::all() {
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
    run_all(Double, &points(), coordinates, |a, r, _| assert_eq!(read(r), sum(a, a)));
    run_all(Negate, &points(), coordinates, |a, r, _| assert_eq!(read(r), negated(a)));
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
        assert_eq!(read([x, y, z]), sum(a, b));
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

#[test]
fn additions_on_one_model() {
    let finite: Vec<_> = pairs_with_affine().into_iter().filter(|(a, _)| a.is_some()).collect();
    let encode = |random: &mut Random, (a, b): &(Point, Point)| {
        let ([a, b], [c, d]) = (affine_coordinates(random, a), affine_coordinates(random, b));
        [a, b, c, d]
    };
    run_all(AddCoZ, &finite, encode, |(a, b), [x, y, u, v, h], _| {
        // H is a difference that is not reduced.
        let h = to_limbs(&(from_limbs(h) % p()));
        check_incomplete(&(a.clone(), b.clone()), [x, y, h, h]);
        if h != [0; 5] {
            assert_eq!(read([u, v, h]), *a);
        }
    });
}

#[test]
fn chords_and_tangents() {
    let read_affine = |x, y| Some((from_limbs(x) % p(), from_limbs(y) % p()));
    let is = |found: [u64; 5], number: &BigUint| assert_eq!(from_limbs(found) % p(), number % p());
    let finite = |(a, b): (Point, Point)| a.zip(b);
    let pairs: Vec<_> = pairs_with_affine().into_iter().filter_map(finite).collect();
    let chords: Vec<_> = pairs.iter().filter(|((x1, _), (x2, _))| x1 != x2).cloned().collect();
    let encode = |random: &mut Random, (a, b): &((BigUint, BigUint), (BigUint, BigUint))| {
        let ([x, y], [u, v]) =
            (affine_coordinates(random, &Some(a.clone())), affine_coordinates(random, &Some(b.clone())));
        [x, y, u, v, to_limbs(&invert(&((&b.0 + negate(&a.0)) % p())))]
    };
    run_all(Chord, &chords, encode, |(a, b), [x, y, denominator], _| {
        assert_eq!(read_affine(x, y), sum(&Some(a.clone()), &Some(b.clone())));
        is(denominator, &(&b.0 + negate(&a.0)));
    });
    let encode = |random: &mut Random, (a, _): &((BigUint, BigUint), (BigUint, BigUint))| {
        let [x, y] = affine_coordinates(random, &Some(a.clone()));
        [x, y, to_limbs(&invert(&(&a.1 * 2u8 % p())))]
    };
    run_all(Tangent, &pairs, encode, |(a, _), [x, y, denominator], _| {
        assert_eq!(read_affine(x, y), sum(&Some(a.clone()), &Some(a.clone())));
        is(denominator, &(&a.1 * 2u8));
    });
}

#[test]
fn complete_additions() {
    run_all(AddMixedComplete, &pairs_with_affine(), encode_mixed, |(a, b), r, _| assert_eq!(read(r), sum(a, b)));
    run_all(AddComplete, &pairs(), encode_pair, |(a, b), r, _| assert_eq!(read(r), sum(a, b)));
}

#[test]
fn comparisons() {
    run_all(SamePoint, &pairs(), encode_pair, |(a, b), [], truth| assert_eq!(truth, a == b));
}

#[test]
fn affine_points() {
    let finite: Vec<Point> = points().into_iter().filter(Option::is_some).collect();
    let read_affine = |[x, y]: [[u64; 5]; 2]| Some((from_limbs(x) % p(), from_limbs(y) % p()));
    run_all(AffineNegate, &finite, affine_coordinates, |a, r, _| assert_eq!(read_affine(r), negated(a)));
    run_all(Endomorphism, &finite, affine_coordinates, |a, r, _| {
        let (x, y) = a.clone().expect("finite");
        let image = read_affine(r);
        assert_eq!(image, Some((x * from_words(&Secp256k1::BETA) % p(), y)));
        // Three points on a line y = const, so P + image + image of image is infinity: the image is on the curve.
        let (x, y) = image.clone().expect("finite");
        let again = Some((x * from_words(&Secp256k1::BETA) % p(), y));
        assert_eq!(sum(&sum(a, &image), &again), None);
    });
    run_all(OnCurve, &finite, affine_coordinates, |_, [], truth| assert!(truth));
    let off: Vec<Point> =
        finite.iter().map(|point| point.as_ref().map(|(x, y)| (x.clone(), (y + 1u8) % p()))).collect();
    run_all(OnCurve, &off, affine_coordinates, |a, [], truth| {
        let (x, y) = a.clone().expect("finite");
        assert_eq!(truth, (&y * &y + negate(&(&x * &x * &x + 7u8))) % p() == BigUint::ZERO);
    });
    run_all(Generator, &finite, |_, _| [[0; 5]; 1], |_, r, _| assert_eq!(read_affine(r), generator()));
    let encode = |random: &mut Random, point: &Point| {
        let [x, y, z] = coordinates(random, point);
        [x, y, z, to_limbs(&invert(&(from_limbs(z) % p())))]
    };
    run_all(ToAffine, &finite, encode, |a, r, _| assert_eq!(read_affine(r), *a));
}
