use super::*;
use alloc::{format, string::ToString, vec::Vec};
use num_bigint::BigUint;
use proptest::prelude::*;

fn modulus() -> BigUint {
    big(&FieldElement::MODULUS)
}

fn big(limbs: &[u64; 4]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64u32) + limb)
}

fn value(element: &FieldElement) -> BigUint {
    let value = big(&element.limbs());
    assert!(value < modulus(), "not canonical: {element:?}");
    value
}

/// 1/2, which is close to p/2.
fn half() -> FieldElement {
    FieldElement::from(2u8).invert_fermat()
}

/// Any element, with limbs that are often all zeros, all ones, one bit or one run; and elements close to 0, p/2 and p.
fn element() -> impl Strategy<Value = FieldElement> {
    let limb = prop_oneof![
        3 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
        1 => (0u32..64).prop_map(|bit| 1 << bit),
        1 => (0u32..64, any::<bool>()).prop_map(|(n, high)| if high { u64::MAX << n } else { u64::MAX >> n }),
    ];
    prop_oneof![
        4 => prop::array::uniform4(limb).prop_map(FieldElement::from_limbs_reduced),
        1 => any::<u8>().prop_map(FieldElement::from),
        1 => any::<u8>().prop_map(|small| -FieldElement::from(small)),
        1 => any::<u8>().prop_map(|small| FieldElement::from(small) * half()),
        1 => any::<u128>().prop_map(|half| -FieldElement::from(half)),
    ]
}

fn corners() -> Vec<FieldElement> {
    let mut corners: Vec<FieldElement> =
        (0..4u8).flat_map(|k| [k.into(), -FieldElement::from(k), FieldElement::from(k) * half()]).collect();
    for bit in [32, 33, 51, 52, 53, 63, 64, 104, 127, 128, 156, 208, 255] {
        let power = FieldElement::from(2u8).pow([bit]);
        corners.extend([power, -power, power - FieldElement::ONE]);
    }
    corners.push(FieldElement::from_bytes_reduced(&[0xff; 32]));
    corners
}

fn check_pair(a: &FieldElement, b: &FieldElement) {
    let (x, y, p) = (value(a), value(b), modulus());
    assert_eq!(value(&(a + b)), (&x + &y) % &p, "{a:?} + {b:?}");
    assert_eq!(value(&(a - b)), (&x + &p - &y) % &p, "{a:?} - {b:?}");
    assert_eq!(value(&(a * b)), (&x * &y) % &p, "{a:?} * {b:?}");
    assert_eq!(a == b, x == y);
    assert_eq!(a.cmp(b), x.cmp(&y));
    assert_eq!(FieldElement::conditional_select(a, b, Choice::from(0)), *a);
    assert_eq!(FieldElement::conditional_select(a, b, Choice::from(1)), *b);
}

fn check_one(a: &FieldElement) {
    let (x, p) = (value(a), modulus());
    assert_eq!(value(&a.square()), (&x * &x) % &p, "{a:?} squared");
    assert_eq!(value(&a.double()), (&x + &x) % &p);
    assert_eq!(*a + -a, FieldElement::ZERO);
    assert_eq!(value(&a.negate_if(Choice::from(1))), (&p - &x) % &p);
    assert_eq!(a.negate_if(Choice::from(0)), *a);
    assert_eq!(bool::from(a.is_odd()), x.bit(0));
    assert_eq!(bool::from(a.is_zero()), x == BigUint::ZERO);
    assert_eq!(FieldElement::from_bytes(&a.to_bytes()), Some(*a));
    assert_eq!(BigUint::from_bytes_be(&a.to_bytes()), x);
    assert_eq!(a.to_string(), x.to_string());
    assert_eq!(format!("{a:x}"), format!("{x:064x}"));
    assert_eq!(a.to_string().parse(), Ok(*a));
    assert_eq!(format!("{a:#x}").parse(), Ok(*a));
    // The ways to invert agree.
    let fermat = a.invert_fermat();
    assert_eq!(Option::from(a.invert()), a.invert_vartime());
    assert_eq!(a.invert_vartime().unwrap_or_default(), fermat);
    assert_eq!(*a * fermat, if x == BigUint::ZERO { FieldElement::ZERO } else { FieldElement::ONE });
    assert_eq!(invert(a.to_fe()).to_words(), fermat.limbs());
    assert_eq!(invert_vartime(a.to_fe()).to_words(), fermat.limbs());
    // The ways to know a square agree, by Euler's criterion.
    let square = x.modpow(&((&p - 1u32) >> 1u32), &p) <= BigUint::from(1u32);
    assert_eq!(a.is_square_vartime(), square, "{a:?}");
    match Option::<FieldElement>::from(a.sqrt()) {
        Some(root) => assert!(square && root.square() == *a && root.is_square_vartime()),
        None => assert!(!square),
    }
}

#[test]
fn corners_agree_with_exact_integers() {
    let corners = corners();
    for a in &corners {
        check_one(a);
        check_one(&a.square());
        for b in &corners {
            check_pair(a, b);
        }
    }
}

#[test]
fn numbers_at_and_above_the_prime() {
    let p = bytes_of_words(&FieldElement::MODULUS);
    assert_eq!(FieldElement::from_bytes(&p), None);
    assert_eq!(FieldElement::from_bytes_reduced(&p), FieldElement::ZERO);
    assert_eq!(FieldElement::from_limbs([u64::MAX; 4]), None);
    let [low, rest @ ..] = FieldElement::MODULUS;
    let largest = FieldElement::from_limbs([low - 1, rest[0], rest[1], rest[2]]).unwrap();
    assert_eq!(largest, -FieldElement::ONE);
    assert_eq!(modulus().to_string().parse::<FieldElement>(), Err(ParseNumberError::OutOfRange));
    assert_eq!(format!("{:?}", FieldElement::ONE), format!("FieldElement(0x{:064x})", 1));
    assert_eq!(modulus(), (BigUint::from(1u32) << 256u32) - (1u64 << 32) - 977u32);
    let mut wiped = largest;
    wiped.zeroize();
    assert_eq!(wiped, FieldElement::ZERO);
}

#[test]
fn batches_of_every_awkward_length() {
    for length in [0, 1, 2, 7, 8, 127, 128, 129, 300] {
        let values: Vec<FieldElement> = (0..length).map(|i| FieldElement::from((i * i % 5) as u64)).collect();
        let mut inverses = values.clone();
        FieldElement::batch_invert(&mut inverses);
        for (value, inverse) in values.iter().zip(&inverses) {
            assert_eq!(*inverse, value.invert_fermat());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn agrees_with_exact_integers(a in element(), b in element()) {
        check_one(&a);
        check_pair(&a, &b);
    }

    #[test]
    fn wide_reduction(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(255)], 64)) {
        let bytes: [u8; 64] = bytes.try_into().unwrap();
        prop_assert_eq!(value(&FieldElement::from_bytes_wide(&bytes)), BigUint::from_bytes_be(&bytes) % modulus());
    }

    #[test]
    fn powers(a in element(), exponent in element()) {
        let expected = value(&a).modpow(&value(&exponent), &modulus());
        prop_assert_eq!(value(&a.pow(exponent.limbs())), expected.clone());
        prop_assert_eq!(value(&crate::arithmetic::pow_vartime(&a, &exponent.limbs())), expected);
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_text_and_range() {
    let a = -FieldElement::from(2u64);
    let text = serde_json::to_string(&a).unwrap();
    assert_eq!(text, format!("\"{a:x}\""));
    assert_eq!(serde_json::from_str::<FieldElement>(&text).unwrap(), a);
    let modulus = format!("\"{:064x}\"", modulus());
    for bad in [modulus.as_str(), "\"00\"", "\"\"", "7", "null"] {
        assert!(serde_json::from_str::<FieldElement>(bad).is_err(), "{bad}");
    }
}
