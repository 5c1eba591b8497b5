use super::*;
use crate::arithmetic::number_tests::number_tests;

number_tests!(Scalar, Scalar::ORDER);

fn corners() -> Vec<Scalar> {
    let mut corners: Vec<Scalar> = (0..4u8).flat_map(|k| [Scalar::from(k), -Scalar::from(k)]).collect();
    assert_eq!(value(&Scalar(modn::HALF_ORDER)), modulus() >> 1u32);
    corners.extend((0..4u8).map(|k| Scalar(modn::HALF_ORDER) + Scalar::from(k) - Scalar::ONE));
    for bit in (0..256).step_by(32).chain([63, 127, 128, 129, 191, 255]) {
        let mut limbs = [0; 4];
        limbs[bit / 64] = 1 << (bit % 64);
        let power = Scalar(limbs);
        corners.extend([power, -power, power - Scalar::ONE]);
    }
    // 2^256 - n and its neighbours, whose products make the folds carry.
    let fold = Scalar(modn::reduce_once(&[u64::MAX; 4]).0);
    corners.extend([fold, fold + Scalar::ONE, fold.square(), fold.invert_or_zero()]);
    corners
}

fn check_own(a: &Scalar, x: &BigUint) {
    assert_eq!(bool::from(a.is_high()), *x > modulus() >> 1u32);
    assert_eq!(a.invert_or_zero(), fermat(a));
}

#[test]
fn wide_reduction_at_its_corners() {
    let n = modulus();
    let product = &n * &n;
    let top = BigUint::from(1u32) << 512u32;
    for k in 0..64u32 {
        let edges =
            [BigUint::from(k), &product + k, &product - k, &top - 1u32 - k, (&n << 256u32) + k, (&n << 256u32) - k];
        for edge in edges {
            let mut bytes = [0; 64];
            let tail = edge.to_bytes_be();
            bytes[64 - tail.len()..].copy_from_slice(&tail);
            assert_eq!(value(&Scalar::from_bytes_wide(&bytes)), edge % &n);
        }
    }
}

#[test]
fn a_product_and_any_number() {
    let corners = corners();
    for (a, b) in corners.iter().flat_map(|a| corners.iter().map(move |b| (a, b))) {
        for addend in [[0; 4], [1, 0, 0, 0], modn::ORDER, [u64::MAX; 4], [0, 0, 0, u64::MAX]] {
            let number = BigUint::from_bytes_be(&bytes_of_words(&addend));
            assert_eq!(value(&a.mul_add(b, &addend)), (value(a) * value(b) + number) % modulus());
        }
    }
}

/// The bounds that [`modn::reduce_wide`] claims, each where it is closest.
#[test]
fn folds_stay_below_their_bounds() {
    let (n, all) = (modulus(), BigUint::from(1u32) << 256u32);
    let (c, most) = (&all - &n, &all - 1u32);
    assert!(&c * 100u32 < BigUint::from(128u32) << 128u32);
    // Two limbs by the two lower limbs of C are below four limbs by far.
    assert!((&c - (BigUint::from(1u32) << 128u32)) * 100u32 < BigUint::from(28u32) << 128u32);
    // What fold 1 leaves has one bit above six limbs; what fold 2 leaves has at most 2 above four.
    let first = &most + &most * &c;
    assert_eq!(&first >> 384u32, BigUint::from(1u32));
    let second = &most + (&first >> 256u32) * &c;
    assert_eq!(&second >> 256u32, BigUint::from(2u32));
    // With p4 above four limbs and q = p4 + 1, p - q n is from q C - 2^256 to q C - 1: from -n to below n.
    for q in 1..=3u32 {
        let multiple = &c * q;
        assert!(&multiple + &n >= all && multiple < n);
        // Its sum with four limbs carries once at most.
        assert!(multiple + &most < &all + &all);
    }
}

#[test]
#[allow(clippy::op_ref, reason = "each form is what is tested")]
fn operators_in_every_form() {
    let (a, b) = (Scalar::from(9u64), Scalar::from(4u32));
    let mut c = a;
    c += b;
    c -= &Scalar::ONE;
    c *= b;
    c += &a;
    c -= b;
    c *= &b;
    assert_eq!(c, Scalar::from(212u8));
    assert_eq!([a + &b, &a + b, &a + &b], [a + b; 3]);
    assert_eq!([a - &b, &a - b, &a - &b], [a - b; 3]);
    assert_eq!([a * &b, &a * b, &a * &b], [a * b; 3]);
    assert_eq!(-a, -&a);
    assert_eq!([a, b].iter().sum::<Scalar>(), [a, b].into_iter().sum());
    assert_eq!([a, b].iter().product::<Scalar>(), Scalar::from(36u16));
    assert_eq!([a, b].into_iter().product::<Scalar>(), Scalar::from(36u16));
}
