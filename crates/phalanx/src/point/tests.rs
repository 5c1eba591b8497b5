use super::*;
use crate::{Error, PublicKey, SecretKey, XOnlyPublicKey};
use alloc::{format, string::ToString};
use core::hash::BuildHasher;
use proptest::{prelude::*, test_runner::Config};

/// Small numbers of either sign, powers of lambda and of two, halves of one sum, and any.
fn scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        2 => any::<u8>().prop_map(|small| Scalar::from(small % 20)),
        2 => any::<u8>().prop_map(|small| -Scalar::from(small % 20)),
        1 => any::<u8>().prop_map(|bit| Scalar::from(2u64).pow([u64::from(bit)])),
        1 => (0..3u64, 0..4u8).prop_map(|(power, times)| Point::LAMBDA.pow([power]) * Scalar::from(times)),
        1 => any::<u128>().prop_map(Scalar::from),
        3 => any::<[u8; 32]>().prop_map(|bytes| Scalar::from_bytes_reduced(&bytes)),
    ]
}

/// A multiple of the generator, with its logarithm, in coordinates that any scaling may have reached.
fn point() -> impl Strategy<Value = (Point, Scalar)> {
    (scalar(), 1..=u64::MAX).prop_map(|(k, z)| (rescaled(&Point::mul_generator(&k), z), k))
}

/// The same point over another denominator.
fn rescaled(point: &Point, factor: u64) -> Point {
    let f = Fe::from_words([factor, factor, 1, 0]);
    let Jacobian { x, y, z } = point.0;
    Point(Jacobian { x: x.mul(f.square()), y: y.mul(f.square().mul(f)), z: z.mul(f) })
}

/// k G by libsecp256k1, `None` for zero.
fn oracle(k: &Scalar) -> Option<[u8; 33]> {
    let secret = secp256k1::SecretKey::from_secret_bytes(k.to_bytes()).ok()?;
    Some(secret.public_key().serialize())
}

proptest! {
    #![proptest_config(Config::with_cases(300))]

    #[test]
    fn laws_of_a_group((p, a) in point(), (q, b) in point(), (r, _) in point(), k in scalar()) {
        prop_assert_eq!(p + q, q + p);
        prop_assert_eq!((p + q) + r, p + (q + r));
        prop_assert_eq!(p + Point::IDENTITY, p);
        prop_assert_eq!(Point::IDENTITY + p, p);
        prop_assert_eq!(p - p, Point::IDENTITY);
        prop_assert_eq!(p + p, p.double());
        prop_assert_eq!(p - q, -(q - p));
        prop_assert_eq!((p + q) * k, p * k + q * k);
        prop_assert_eq!(p * a + p * b, p * (a + b));
        prop_assert_eq!(p * Scalar::ZERO, Point::IDENTITY);
        prop_assert_eq!(p * Scalar::ONE, p);
        prop_assert_eq!(p * -Scalar::ONE, -p);
        prop_assert_eq!(p == q, a == b);
        prop_assert_eq!(bool::from(p.is_identity()), bool::from(a.is_zero()));
    }

    #[test]
    fn products_are_those_of_libsecp256k1((p, a) in point(), k in scalar(), b in scalar()) {
        let expected = oracle(&(a * k)).unwrap_or([0; 33]);
        prop_assert_eq!((p * k).to_bytes(), expected);
        prop_assert_eq!(p.mul_vartime(&k).to_bytes(), expected);
        let expected = oracle(&(a * k + b)).unwrap_or([0; 33]);
        prop_assert_eq!(Point::double_mul_vartime(&k, &p, &b).to_bytes(), expected);
        prop_assert_eq!((p * k + Point::mul_generator(&b)).to_bytes(), expected);
        prop_assert_eq!(Point::mul_generator(&b).to_bytes(), oracle(&b).unwrap_or([0; 33]));
    }

    #[test]
    fn the_endomorphism((p, a) in point()) {
        prop_assert_eq!(p.endomorphism(), p * Point::LAMBDA);
        prop_assert_eq!(p.endomorphism(), Point::mul_generator(&(a * Point::LAMBDA)));
    }

    #[test]
    fn every_form_leads_back((p, a) in point()) {
        let bytes = p.to_bytes();
        prop_assert_eq!(Point::from_bytes(&bytes), Ok(p));
        prop_assert_eq!(p.to_string().parse(), Ok(p));
        prop_assert_eq!(p.to_affine(), p.to_affine_vartime());
        prop_assert_eq!(p.to_affine().is_none(), a == Scalar::ZERO);
        if let Some((x, y)) = p.to_affine() {
            let key = PublicKey::try_from(p).unwrap();
            prop_assert_eq!(key, SecretKey::try_from(a).unwrap().public_key());
            prop_assert_eq!(Point::from(key), p);
            prop_assert_eq!(Point::from_bytes(&key.to_bytes_uncompressed()), Ok(p));
            prop_assert_eq!(Point::from_coordinates(&x, &y).unwrap(), p);
            prop_assert_eq!(Point::from_x(&x, y.is_odd()).unwrap(), p);
            prop_assert_eq!(Point::from_x(&x, !y.is_odd()).unwrap(), -p);
            prop_assert_eq!(Point::from(key.x_only().0), if bool::from(y.is_odd()) { -p } else { p });
            prop_assert!(bool::from(Point::from_coordinates(&x, &(y + FieldElement::ONE)).is_none()));
        }
    }

    #[test]
    fn lifting_agrees_with_the_parser_of_keys(x in any::<[u8; 32]>()) {
        let key = XOnlyPublicKey::from_bytes(&x).ok().map(Point::from);
        let point = FieldElement::from_bytes(&x).ok().and_then(|x| Option::from(Point::from_x(&x, Choice::from(0))));
        prop_assert_eq!(point, key);
    }
}

#[test]
fn infinity_in_every_place() {
    let (o, g, k) = (Point::IDENTITY, Point::GENERATOR, Scalar::from(77u64));
    // Infinity is whatever has Z = 0, also with coordinates that no formula would leave there.
    let zeros = Point(Jacobian { x: Fe::zero(), y: Fe::zero(), z: Fe::zero() });
    for o in [o, zeros, g - g, -o, o.double(), o + o, o * k, k * o, g * Scalar::ZERO, rescaled(&(g - g), 5)] {
        assert_eq!(o, Point::IDENTITY);
        assert_eq!(o + g, g);
        assert_eq!(g + o, g);
        assert_eq!(g - o, g);
        assert_eq!(o * k, Point::IDENTITY);
        assert_eq!(o.mul_vartime(&k), Point::IDENTITY);
        assert_eq!(Point::double_mul_vartime(&k, &o, &k), g * k);
        assert_eq!(o.endomorphism(), Point::IDENTITY);
        assert_ne!(o, g);
        assert_eq!((o.to_affine(), o.to_affine_vartime()), (None, None));
        assert_eq!(o.to_bytes(), [0; 33]);
        assert_eq!(PublicKey::try_from(o), Err(Error::BadPublicKey));
    }
    assert_eq!(Point::from_bytes(&[0; 33]), Ok(o));
    assert_eq!("00".repeat(33).parse(), Ok(o));
    assert_eq!(Point::default(), o);
    assert!(o < g);
}

#[test]
fn the_order_of_the_group() {
    let minus_one = -Scalar::ONE;
    assert_eq!(Point::GENERATOR * minus_one + Point::GENERATOR, Point::IDENTITY);
    assert_eq!(Point::mul_generator(&minus_one), -Point::GENERATOR);
    // n G by doubling and adding over the bits of n, which no scalar can hold.
    let bits = Scalar::ORDER.iter().rev().flat_map(|limb| (0..64).rev().map(move |bit| limb >> bit & 1));
    let product = bits.fold(Point::IDENTITY, |sum, bit| {
        let sum = sum.double();
        Point::conditional_select(&sum, &(sum + Point::GENERATOR), Choice::from(bit as u8))
    });
    assert_eq!(product, Point::IDENTITY);
}

#[test]
fn batches_of_every_awkward_length() {
    for length in [0, 1, 2, 127, 128, 129, 300u64] {
        let points: Vec<Point> = (0..length).map(|i| Point::mul_generator(&Scalar::from(i * i % 5))).collect();
        let expected: Vec<_> = points.iter().map(Point::to_affine).collect();
        assert_eq!(Point::batch_to_affine(&points), expected);
    }
}

#[test]
fn what_is_no_point() {
    for length in (0..=70).filter(|length| *length != 33) {
        assert_eq!(Point::from_bytes(&[0; 70][..length]), Err(Error::BadPublicKey), "{length}");
    }
    let mut hybrid = SecretKey::random().public_key().to_bytes_uncompressed();
    hybrid[0] = 6 + (hybrid[64] & 1);
    assert_eq!(Point::from_bytes(&hybrid), Err(Error::BadPublicKey));
    let mut infinity_marked = [0; 33];
    infinity_marked[0] = 2;
    assert_eq!(Point::from_bytes(&infinity_marked), Err(Error::BadPublicKey));
    for text in ["", "00", "zz", "02"] {
        assert_eq!(text.parse::<Point>(), Err(Error::BadHex));
    }
}

#[test]
#[allow(clippy::op_ref, reason = "each form is what is tested")]
fn operators_in_every_form() {
    let (p, q, k) = (Point::GENERATOR, Point::GENERATOR.double(), Scalar::from(3u64));
    assert_eq!([p + &q, &p + q, &p + &q], [p + q; 3]);
    assert_eq!([q - &p, &q - p, &q - &p], [p; 3]);
    assert_eq!([p * &k, &p * k, &p * &k, k * p, &k * p, k * &p, &k * &p], [p + q; 7]);
    assert_eq!(-p, -&p);
    let mut r = p;
    r += q;
    r += &q;
    r -= p;
    r -= &p;
    r *= k;
    r *= &k;
    assert_eq!(r, p * Scalar::from(27u64));
    assert_eq!([p, q].iter().sum::<Point>(), [p, q].into_iter().sum());
    assert_eq!(core::iter::empty::<Point>().sum::<Point>(), Point::IDENTITY);
    let mut wiped = p;
    wiped.zeroize();
    assert_eq!(wiped, Point::IDENTITY);
}

#[test]
fn order_and_hash_are_those_of_the_encoding() {
    let hasher = std::hash::RandomState::new();
    let points: Vec<Point> = (0..12u64).map(|i| Point::mul_generator(&Scalar::from(i))).collect();
    for a in &points {
        assert_eq!(hasher.hash_one(a), hasher.hash_one(a.to_bytes()));
        assert_eq!(hasher.hash_one(rescaled(a, 9)), hasher.hash_one(a));
        for b in &points {
            assert_eq!(a.cmp(b), a.to_bytes().cmp(&b.to_bytes()));
        }
    }
    assert_eq!(format!("{:?}", Point::IDENTITY), format!("Point({})", "00".repeat(33)));
}

#[cfg(feature = "serde")]
#[test]
fn serde_text() {
    for point in [Point::GENERATOR, Point::IDENTITY] {
        let text = serde_json::to_string(&point).unwrap();
        assert_eq!(text, format!("\"{point}\""));
        assert_eq!(serde_json::from_str::<Point>(&text).unwrap(), point);
    }
    for bad in ["\"00\"", "\"\"", "7", "null"] {
        assert!(serde_json::from_str::<Point>(bad).is_err(), "{bad}");
    }
}
