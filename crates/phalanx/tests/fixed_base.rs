//! Sums over points that never change, beside one multiplication per scalar, on every backend.

use phalanx::{Backend, Error, Point, PublicKey, Scalar, SecretKey, msm::FixedBase, msm::Msm};

/// Every backend that can run here, and the code of eight lanes on emulated words.
fn backends() -> Vec<Msm> {
    let mut backends = Backend::available().to_vec();
    #[cfg(feature = "internals")]
    backends.push(Backend::Emulated);
    let by = |backend: &Backend| Msm::builder().backend(*backend).build().expect("it is available");
    println!("on {}", backends.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(", "));
    backends.iter().map(by).collect()
}

/// Numbers below n that look random.
fn scalar(seed: u64) -> Scalar {
    Scalar::from(seed | 1).pow_vartime(1000 + seed)
}

trait Power {
    fn pow_vartime(self, exponent: u64) -> Self;
}

impl Power for Scalar {
    fn pow_vartime(self, exponent: u64) -> Scalar {
        (0..64).rev().fold(Scalar::ONE, |power, bit| {
            let power = power * power;
            if exponent >> bit & 1 == 1 { power * self } else { power }
        })
    }
}

/// Points with infinity, an equal pair and an opposite pair among them.
fn points(count: usize) -> Vec<Point> {
    let mut points: Vec<Point> = (0..count).map(|i| Point::mul_generator(&scalar(i as u64 + 9))).collect();
    if count > 6 {
        points[2] = Point::IDENTITY;
        points[4] = points[3];
        points[6] = -points[5];
    }
    points
}

fn obvious(points: &[Point], scalars: &[Scalar]) -> Point {
    points.iter().zip(scalars).fold(Point::IDENTITY, |sum, (point, scalar)| sum + point.mul_vartime(scalar))
}

fn vectors(points: usize) -> Vec<Vec<Scalar>> {
    let edges = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(2u64), -Scalar::from(2u64)];
    let mut vectors = vec![vec![], vec![Scalar::ZERO; points]];
    vectors.extend(edges.iter().map(|edge| vec![*edge; points]));
    vectors.extend((0..points.min(9)).map(|at| {
        let mut vector = vec![Scalar::ZERO; at];
        vector.push(scalar(at as u64));
        vector
    }));
    vectors.extend((0..4).map(|seed| (0..points as u64).map(|i| scalar(1000 * seed + i)).collect()));
    vectors
}

#[test]
fn sums_are_the_obvious_ones_on_every_backend_and_budget() {
    for (count, memory) in [(1, 0), (7, 0), (8, 1 << 16), (33, 1 << 20), (40, 1 << 22)] {
        let (points, vectors) = (points(count), vectors(count));
        let expected: Vec<Point> = vectors.iter().map(|scalars| obvious(&points, scalars)).collect();
        for msm in backends() {
            let base = FixedBase::build_by(&msm, &points, memory).expect("they are points");
            assert!(base.bytes() <= memory.max(256 * count), "{count} points: {} bytes", base.bytes());
            assert_eq!(base.points(), points);
            let mut sums = base.sums();
            for (scalars, expected) in vectors.iter().zip(&expected) {
                assert_eq!(sums.sum_vartime(scalars), Ok(*expected), "{count} points by {:?}", msm.backend());
            }
            let all: Vec<&[Scalar]> = vectors.iter().map(Vec::as_slice).collect();
            let mut found = vec![Point::IDENTITY; all.len()];
            sums.sums_vartime(&all, &mut found).expect("a place for each");
            assert_eq!(found, expected, "{count} points side by side by {:?}", msm.backend());
        }
        let base = FixedBase::build(&points, memory).expect("they are points");
        for (scalars, expected) in vectors.iter().zip(&expected) {
            assert_eq!(base.commit(scalars), Ok(*expected), "{count} points in constant time");
        }
    }
}

#[test]
fn a_change_of_one_scalar_changes_the_sum() {
    let points = points(12);
    for msm in backends() {
        let base = FixedBase::build_by(&msm, &points, 1 << 18).expect("they are points");
        let mut sums = base.sums();
        let mut scalars: Vec<Scalar> = (0..12).map(scalar).collect();
        let mut sum = sums.sum_vartime(&scalars).expect("as many as points");
        for (place, new) in [(0, Scalar::ZERO), (2, Scalar::ONE), (11, -Scalar::ONE), (5, scalar(77)), (5, scalar(77))]
        {
            sum = sums.update_vartime(&sum, place, &scalars[place], &new);
            scalars[place] = new;
            assert_eq!(sum, obvious(&points, &scalars), "place {place} by {:?}", msm.backend());
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let keys: Vec<PublicKey> = (1..4u8).map(|i| SecretKey::from_bytes(&[i; 32]).unwrap().public_key()).collect();
    let base = FixedBase::build(&keys, 1 << 16).expect("they are points");
    let four = [Scalar::ONE; 4];
    assert_eq!(base.sums().sum_vartime(&four), Err(Error::LengthMismatch { left: 4, right: 3 }));
    assert_eq!(base.commit(&four), Err(Error::LengthMismatch { left: 4, right: 3 }));
    let mut places = [Point::IDENTITY; 2];
    assert!(base.sums().sums_vartime(&[&four[..1]], &mut places).is_err());
    assert!(FixedBase::build(&[[5u8; 33]], 1 << 16).is_err());
}

#[test]
fn no_points_sum_to_infinity() {
    let base = FixedBase::build::<Point>(&[], 1 << 16).expect("no point is wrong");
    assert_eq!((base.bytes(), base.sums().sum_vartime(&[])), (0, Ok(Point::IDENTITY)));
    assert_eq!(base.commit(&[]), Ok(Point::IDENTITY));
    assert!(base.sums().sum_vartime(&[Scalar::ONE]).is_err());
}
