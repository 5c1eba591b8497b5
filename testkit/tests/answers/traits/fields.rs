//! Scalars and coordinates as fields: the constants by their definitions, and what generic code computes by exact integers.

use super::{Counter, Dry, Exhausted};
use k256::elliptic_curve::ff::{FromUniformBytes, PrimeField};
use num_bigint::BigUint;
use phalanx::{FieldElement, Scalar, hash::sha256};

/// A field of 256 bits, with 32 bytes for an element.
trait Field256: PrimeField<Repr = [u8; 32]> + FromUniformBytes<64> {}
impl<F: PrimeField<Repr = [u8; 32]> + FromUniformBytes<64>> Field256 for F {}

fn number(bytes: impl AsRef<[u8]>) -> BigUint {
    BigUint::from_bytes_be(bytes.as_ref())
}

fn value<F: PrimeField>(element: F) -> BigUint {
    number(element.to_repr())
}

fn modulus<F: PrimeField>() -> BigUint {
    BigUint::parse_bytes(F::MODULUS.trim_start_matches("0x").as_bytes(), 16).unwrap()
}

/// Every constant of a field, by what `ff` says it is. `primes` are those that divide the modulus less one.
fn check_constants<F: PrimeField>(order: [u64; 4], primes: &[&str]) {
    let m = modulus::<F>();
    assert_eq!(m, number(order.map(u64::to_be_bytes).iter().rev().flatten().copied().collect::<Vec<u8>>()));
    assert_eq!((u64::from(F::NUM_BITS), F::CAPACITY), (m.bits(), F::NUM_BITS - 1));
    let one = BigUint::from(1u32);
    assert_eq!((value(F::ZERO), value(F::ONE)), (BigUint::ZERO, one.clone()));
    assert_eq!(value(F::TWO_INV) * 2u32 % &m, one);
    let t = (&m - 1u32) >> F::S;
    assert!(t.bit(0), "the modulus is 1 + 2^S t with t odd");
    let generator = value(F::MULTIPLICATIVE_GENERATOR);
    let root = value(F::ROOT_OF_UNITY);
    assert_eq!(generator.modpow(&t, &m), root);
    assert_eq!(root * value(F::ROOT_OF_UNITY_INV) % &m, one);
    assert_eq!(generator.modpow(&BigUint::from(1u32 << F::S), &m), value(F::DELTA));
    // The generator's order is m - 1: its power by (m - 1) / q is not 1 for any prime q that divides m - 1.
    let mut rest = &m - 1u32;
    for prime in primes {
        let prime: BigUint = prime.parse().unwrap();
        assert_ne!(generator.modpow(&((&m - 1u32) / &prime), &m), one, "{prime}");
        while (&rest % &prime) == BigUint::ZERO {
            rest /= &prime;
        }
    }
    assert_eq!(rest, one, "these are all primes that divide the modulus less one");
}

#[test]
fn constants_of_both_fields() {
    check_constants::<Scalar>(
        Scalar::ORDER,
        &["2", "3", "149", "631", "107361793816595537", "174723607534414371449", "341948486974166000522343609283189"],
    );
    check_constants::<FieldElement>(
        FieldElement::MODULUS,
        &["2", "3", "7", "13441", "205115282021455665897114700593932402728804164701536103180137503955397371"],
    );
}

/// What generic code computes of a field's elements.
fn check_operations<F: Field256>() {
    let m = modulus::<F>();
    let elements = (0..40u64).map(|i| match i {
        0..6 => F::from(i),
        6..12 => -F::from(i - 5),
        _ => F::from_repr(sha256(&i.to_le_bytes())).unwrap(),
    });
    let mut squares = 0;
    for x in elements {
        let integer = value(x);
        // By Euler's criterion; zero is a square too.
        let is_square = integer.modpow(&((&m - 1u32) >> 1), &m) <= BigUint::from(1u32);
        let root = x.sqrt().into_option();
        assert_eq!(root.is_some(), is_square, "{x:?}");
        assert!(root.is_none_or(|root| root.square() == x), "{x:?}");
        squares += u32::from(is_square);
        let (ratio_is_square, ratio) = F::sqrt_ratio(&x, &F::from(3));
        let expected = if ratio_is_square.into() { x } else { x * F::ROOT_OF_UNITY };
        assert_eq!(ratio.square() * F::from(3), expected, "{x:?}");
        let inverse = integer.modpow(&(&m - 2u32), &m);
        assert_eq!(x.invert().map(value).into_option(), (inverse != BigUint::ZERO).then_some(inverse), "{x:?}");
        assert_eq!(bool::from(x.is_odd()), integer.bit(0), "{x:?}");
        let power = integer.modpow(&((BigUint::from(1u32) << 64) + 5u32), &m);
        assert_eq!(value(x.pow([5, 1])), power, "{x:?}");
        assert_eq!(value(x.pow_vartime([5, 1])), power, "{x:?}");
        assert_eq!(value(x.double() * x.cube()), integer.pow(4) * 2u32 % &m, "{x:?}");
    }
    assert!((8..33).contains(&squares), "{squares}");
    for (num, div, is_square) in [(0, 5, true), (0, 0, true), (5, 0, false)] {
        let (found, root) = F::sqrt_ratio(&F::from(num), &F::from(div));
        assert_eq!((bool::from(found), root), (is_square, F::ZERO), "{num} / {div}");
    }

    for bad in [[0xff; 32], m.to_bytes_be().try_into().unwrap()] {
        assert!(bool::from(F::from_repr(bad).is_none()));
        assert_eq!(F::from_repr_vartime(bad), None);
    }
    assert_eq!(F::from_repr((&m - 1u32).to_bytes_be().try_into().unwrap()).unwrap(), -F::ONE);

    // Little-endian, and reduced: zero, 1, the modulus, the highest, and what has no symmetry.
    let mut modulus_bytes = [0; 64];
    modulus_bytes[..32].copy_from_slice(&m.to_bytes_le());
    let one = std::array::from_fn(|i| u8::from(i == 0));
    for bytes in [[0; 64], one, modulus_bytes, [0xff; 64], std::array::from_fn(|i| i as u8 + 1)] {
        assert_eq!(value(F::from_uniform_bytes(&bytes)), BigUint::from_bytes_le(&bytes) % &m);
    }
    let (a, b) = (F::random(&mut Counter(0)), F::random(&mut Counter(0)));
    assert!(a == b && a != F::random(&mut Counter(7)));
    assert_eq!(F::try_random(&mut Dry), Err(Exhausted));
}

#[test]
fn operations_of_both_fields() {
    check_operations::<Scalar>();
    check_operations::<FieldElement>();
}

/// The constants that are a choice are k256's too.
#[test]
fn the_scalar_field_is_that_of_k256() {
    fn choices<F: PrimeField>() -> [BigUint; 4] {
        [F::MULTIPLICATIVE_GENERATOR, F::ROOT_OF_UNITY, F::ROOT_OF_UNITY_INV, F::DELTA].map(value)
    }
    assert_eq!(choices::<Scalar>(), choices::<k256::Scalar>());
}
