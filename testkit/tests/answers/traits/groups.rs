//! Points as a group and as a curve.

use super::{Counter, Dry, Exhausted};
use k256::ProjectivePoint;
use k256::elliptic_curve::{
    ff::{Field, FromUniformBytes, PrimeField},
    group::{
        Curve, CurveAffine, Group, GroupEncoding,
        prime::{PrimeCurve, PrimeGroup},
    },
};
use phalanx::{AffinePoint, Point, PublicKey, Scalar, hash::sha256};

/// A proof of knowledge of the discrete logarithm of a point, and a commitment to a polynomial with its check:
/// protocols that know no curve.
fn protocols<G: PrimeGroup<Scalar: PrimeField<Repr: From<[u8; 32]>>>>() -> Vec<Vec<u8>> {
    let scalar = |label: u64| G::Scalar::from_repr(sha256(&label.to_le_bytes()).into()).unwrap();
    let (secret, nonce, challenge) = (scalar(1), scalar(2), scalar(3));
    let (key, commitment) = (G::mul_by_generator(&secret), G::generator() * nonce);
    let response = nonce + challenge * secret;
    assert_eq!(G::generator() * response, commitment + key * challenge);
    assert_ne!(G::generator() * response, commitment + key * (challenge + G::Scalar::ONE));

    let coefficients: Vec<G::Scalar> = (10..14).map(scalar).collect();
    let commitments: Vec<G> = coefficients.iter().map(G::mul_by_generator).collect();
    let mut out = vec![key, commitment];
    for x in (1..6u64).map(G::Scalar::from) {
        let share = coefficients.iter().rev().fold(G::Scalar::ZERO, |sum, coefficient| sum * x + coefficient);
        let expected = commitments.iter().rev().fold(G::identity(), |sum, commitment| sum * x + commitment);
        assert_eq!(G::mul_by_generator(&share), expected);
        out.push(expected);
    }
    let sum: G = commitments.iter().sum();
    out.extend([sum, sum.double(), -sum]);
    assert!(bool::from((sum - out[out.len() - 3]).is_identity()));
    for point in &out {
        assert_eq!(G::from_bytes(&point.to_bytes()).unwrap(), *point);
    }
    assert_eq!(G::from_bytes(&G::identity().to_bytes()).unwrap(), G::identity());
    out.iter().map(|point| point.to_bytes().as_ref().to_vec()).collect()
}

#[test]
fn generic_protocols_agree() {
    let points = protocols::<Point>();
    assert_eq!(points, protocols::<ProjectivePoint>());
    let secret = Scalar::from_bytes(&sha256(&1u64.to_le_bytes())).unwrap();
    assert_eq!(points[0], Point::mul_generator(&secret).to_bytes());
}

#[test]
fn random_points() {
    let mut rng = Counter(1);
    let points: Vec<Point> = (0..20).map(|_| Point::random(&mut rng)).collect();
    assert!(points.iter().all(|point| !bool::from(Group::is_identity(point)) && points.contains(point)));
    let odd = points.iter().filter(|point| point.to_bytes()[0] == 3).count();
    assert!((1..20).contains(&odd) && points[0] != points[1]);
    assert_eq!(Point::try_random(&mut Dry), Err(Exhausted));
    let mut bytes = <Point as GroupEncoding>::Repr::default();
    bytes.as_mut()[0] = 2;
    bytes.as_mut()[32] = 5;
    assert!(bool::from(<Point as GroupEncoding>::from_bytes(&bytes).is_none()), "no point has x = 5");
}

/// `group`'s own tests of a curve: sums of points in both forms, encodings, conversions one at a time and many at once.
#[test]
fn the_crate_group_passes_its_tests_of_curves() {
    group::tests::curve_tests::<Point>();
}

/// What a proof system does with a curve: commitments to values under bases in affine form, which it makes together.
fn commitments<C: PrimeCurve<Scalar: FromUniformBytes<64>>>() -> Vec<Vec<u8>>
where
    C::Affine: Default,
{
    // Palindromes: k256 reads uniform bytes from the other end.
    let scalar = |i: u8| C::Scalar::from_uniform_bytes(&std::array::from_fn(|place| i ^ place.min(63 - place) as u8));
    let mut bases = vec![C::generator() * scalar(200), C::identity(), C::generator()];
    bases.extend((1..150).map(|i| C::mul_by_generator(&scalar(i))));
    let mut affine = vec![C::Affine::default(); bases.len()];
    C::batch_normalize(&bases, &mut affine);
    let mut out = Vec::new();
    let mut sum = C::identity();
    for (i, (base, affine)) in (0u8..).zip(bases.iter().zip(&affine)) {
        assert_eq!(*affine, base.to_affine());
        assert_eq!(affine.to_curve(), *base);
        assert_eq!(C::Affine::from_bytes(&affine.to_bytes()).unwrap(), *affine);
        assert_eq!(C::from_bytes_unchecked(&base.to_bytes()).unwrap(), *base);
        assert_eq!(affine.to_bytes().as_ref(), base.to_bytes().as_ref());
        assert_eq!(*affine * scalar(i), *base * scalar(i));
        assert_eq!(sum + affine - affine, sum);
        sum += affine;
        sum -= *affine * scalar(i);
        out.push(affine.to_bytes().as_ref().to_vec());
        out.push(sum.to_bytes().as_ref().to_vec());
    }
    out
}

#[test]
fn affine_points() {
    assert_eq!(commitments::<Point>(), commitments::<ProjectivePoint>());
    let generator = AffinePoint::generator();
    assert_eq!(generator, AffinePoint::from(Point::GENERATOR));
    assert_eq!(generator.to_curve() - generator, Point::IDENTITY);
    assert_eq!(Point::GENERATOR + generator, Point::GENERATOR.double(), "equal points");
    assert_eq!(Point::IDENTITY + generator, Point::GENERATOR);
    assert_eq!(Point::IDENTITY + AffinePoint::IDENTITY, Point::IDENTITY);
    assert_eq!((-generator).coordinates(), (-Point::GENERATOR).to_affine());
    assert_eq!(-AffinePoint::IDENTITY, AffinePoint::default());
    assert!(bool::from(CurveAffine::is_identity(&AffinePoint::IDENTITY) & !CurveAffine::is_identity(&generator)));
    assert_eq!(format!("{generator:?}"), format!("AffinePoint({})", PublicKey::GENERATOR));
    let mut bytes = <AffinePoint as GroupEncoding>::Repr::default();
    bytes.as_mut().fill(0xff);
    bytes.as_mut()[0] = 2;
    assert!(bool::from(AffinePoint::from_bytes(&bytes).is_none()), "x is not below p");
    assert!(std::panic::catch_unwind(|| Point::batch_normalize(&[Point::GENERATOR], &mut [])).is_err());
}
