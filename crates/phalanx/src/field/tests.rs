use super::*;
use crate::arithmetic::number_tests::number_tests;

number_tests!(FieldElement, FieldElement::MODULUS);

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

fn check_own(a: &FieldElement, x: &BigUint) {
    let (inverse, p) = (fermat(a).limbs(), modulus());
    assert_eq!((invert(a.to_fe()).to_words(), invert_vartime(a.to_fe()).to_words()), (inverse, inverse));
    // The ways to know a square agree, by Euler's criterion.
    let square = x.modpow(&((&p - 1u32) >> 1u32), &p) <= BigUint::from(1u32);
    assert_eq!(a.is_square_vartime(), square, "{a:?}");
    match Option::<FieldElement>::from(a.sqrt()) {
        Some(root) => assert!(square && root.square() == *a && root.is_square_vartime()),
        None => assert!(!square),
    }
}

#[test]
fn the_modulus_is_the_prime() {
    assert_eq!(modulus(), (BigUint::from(1u32) << 256u32) - (1u64 << 32) - 977u32);
}
