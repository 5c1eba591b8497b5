//! Scalars against big integers.

use crate::samples::{Random, from_words, le_bytes, order};
use num_bigint::BigUint;
use phalanx_banderwagon::Scalar;
use subtle::{ConditionallySelectable, ConstantTimeEq};

fn value(scalar: Scalar) -> BigUint {
    let value = from_words(&scalar.limbs());
    assert!(value < order(), "scalars are canonical");
    value
}

#[test]
fn arithmetic_is_that_of_integers_modulo_r() {
    let mut random = Random::new("scalar arithmetic");
    let r = order();
    for _ in 0..phalanx_tiers::size(20_000, 1_000_000) {
        let (a, b) = (random.scalar(), random.scalar());
        let (x, y) = (value(a), value(b));
        assert_eq!(value(a + b), (&x + &y) % &r);
        assert_eq!(value(a - b), (&r + &x - &y) % &r);
        assert_eq!(value(a * b), &x * &y % &r);
        assert_eq!(value(-a), (&r - &x) % &r);
        assert_eq!([bool::from(a.ct_eq(&b)), a == b], [x == y; 2]);
        assert_eq!(Scalar::conditional_select(&a, &b, 0.into()), a);
        assert_eq!(Scalar::conditional_select(&a, &b, 1.into()), b);
        let (mut sum, mut difference, mut product) = (a, a, a);
        sum += b;
        difference -= b;
        product *= b;
        assert_eq!([sum, difference, product], [a + b, a - b, a * b]);
    }
    assert_eq!([1u64, 2, 3].map(Scalar::from).into_iter().sum::<Scalar>(), Scalar::from(6u128));
}

#[test]
fn readers_refuse_or_reduce_what_is_not_below_r() {
    let mut random = Random::new("scalar readers");
    let r = order();
    let mut refused = 0;
    for _ in 0..phalanx_tiers::size(20_000, 1_000_000) {
        let little = random.number();
        let mut big = little;
        big.reverse();
        let number = BigUint::from_bytes_le(&little);
        let reduced = Scalar::from_le_bytes_reduced(&little);
        assert_eq!(value(reduced), &number % &r);
        assert_eq!(Scalar::from_be_bytes_reduced(&big), reduced);
        let canonical = (number < r).then_some(reduced);
        assert_eq!([Scalar::from_le_bytes(&little), Scalar::from_be_bytes(&big)], [canonical; 2]);
        if canonical.is_some() {
            assert_eq!([reduced.to_le_bytes(), reduced.to_be_bytes()], [little, big]);
        }
        refused += usize::from(canonical.is_none());
    }
    assert!(refused > 1000);
    for (number, expected) in [(&r - 1u8, Some(-Scalar::ONE)), (r.clone(), None), (&r + 1u8, None)] {
        assert_eq!(Scalar::from_le_bytes(&le_bytes(&number)), expected);
    }
    assert_eq!(Scalar::from_le_bytes_reduced(&le_bytes(&r)), Scalar::ZERO);
    assert_eq!(Scalar::from_le_bytes_reduced(&le_bytes(&(&r + 1u8))), Scalar::ONE);
}

#[test]
fn integers_and_text() {
    assert_eq!(Scalar::from(u128::MAX).limbs(), [u64::MAX, u64::MAX, 0, 0]);
    assert_eq!(Scalar::from(u64::MAX), Scalar::from_u128(u64::MAX.into()));
    assert!(Scalar::ZERO.is_zero_vartime() && !Scalar::ONE.is_zero_vartime());
    assert_eq!(format!("{:?}", -Scalar::ONE), "0x1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e0");
}
