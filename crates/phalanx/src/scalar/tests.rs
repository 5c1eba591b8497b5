use super::*;
use alloc::{format, string::ToString, vec::Vec};
use num_bigint::BigUint;
use proptest::prelude::*;

fn order() -> BigUint {
    big(&Scalar::ORDER)
}

fn big(limbs: &[u64; 4]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64u32) + limb)
}

fn value(scalar: &Scalar) -> BigUint {
    let value = big(&scalar.limbs());
    assert!(value < order(), "not canonical: {scalar:?}");
    value
}

/// Any scalar, with limbs that are often all zeros, all ones, small, one bit or one run; and scalars close to 0, n/2,
/// n.
fn scalar() -> impl Strategy<Value = Scalar> {
    let limb = prop_oneof![
        3 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
        1 => (0u32..64).prop_map(|bit| 1 << bit),
        1 => (0u32..64, any::<bool>()).prop_map(|(n, high)| if high { u64::MAX << n } else { u64::MAX >> n }),
    ];
    prop_oneof![
        4 => prop::array::uniform4(limb).prop_map(Scalar::from_limbs_reduced),
        1 => any::<u8>().prop_map(Scalar::from),
        1 => any::<u8>().prop_map(|small| -Scalar::from(small)),
        1 => any::<u8>().prop_map(|small| Scalar::from(small) * Scalar::from(2u8).inverse()),
        1 => any::<u128>().prop_map(|half| -Scalar::from(half)),
    ]
}

/// The corners every operation is tried on, in all pairs.
fn corners() -> Vec<Scalar> {
    let mut corners: Vec<Scalar> = (0..4u8).flat_map(|k| [Scalar::from(k), -Scalar::from(k)]).collect();
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

fn check_pair(a: &Scalar, b: &Scalar) {
    let (x, y, n) = (value(a), value(b), order());
    assert_eq!(value(&(a + b)), (&x + &y) % &n, "{a:?} + {b:?}");
    assert_eq!(value(&(a - b)), (&x + &n - &y) % &n, "{a:?} - {b:?}");
    assert_eq!(value(&(a * b)), (&x * &y) % &n, "{a:?} * {b:?}");
    assert_eq!(a == b, x == y);
    assert_eq!(a.cmp(b), x.cmp(&y));
    assert_eq!(Scalar::conditional_select(a, b, Choice::from(0)), *a);
    assert_eq!(Scalar::conditional_select(a, b, Choice::from(1)), *b);
}

fn check_one(a: &Scalar) {
    let (x, n) = (value(a), order());
    assert_eq!(value(&a.square()), (&x * &x) % &n, "{a:?} squared");
    assert_eq!(value(&a.double()), (&x + &x) % &n);
    assert_eq!(*a + -a, Scalar::ZERO);
    assert_eq!(value(&a.negate_if(Choice::from(1))), (&n - &x) % &n);
    assert_eq!(a.negate_if(Choice::from(0)), *a);
    assert_eq!(bool::from(a.is_high()), x > &n >> 1u32);
    assert_eq!(bool::from(a.is_odd()), x.bit(0));
    assert_eq!(bool::from(a.is_zero()), x == BigUint::ZERO);
    assert_eq!(Scalar::from_bytes(&a.to_bytes()), Some(*a));
    assert_eq!(BigUint::from_bytes_be(&a.to_bytes()), x);
    assert_eq!(a.to_string(), x.to_string());
    assert_eq!(format!("{a:x}"), format!("{x:064x}"));
    assert_eq!(format!("{a:#X}"), format!("0x{x:064X}"));
    assert_eq!(a.to_string().parse(), Ok(*a));
    assert_eq!(format!("{a:#x}").parse(), Ok(*a));
    assert_eq!(Scalar::from_hex(&format!("{a:x}")), Ok(*a));
    // The two ways to invert agree, in both of their times.
    let fermat = a.invert_fermat();
    assert_eq!(a.invert_or_zero(), fermat);
    assert_eq!(Option::from(a.invert()), a.invert_vartime());
    assert_eq!(a.invert_vartime().unwrap_or_default(), fermat);
    assert_eq!(*a * fermat, if x == BigUint::ZERO { Scalar::ZERO } else { Scalar::ONE });
}

#[test]
fn corners_agree_with_exact_integers() {
    let corners = corners();
    for a in &corners {
        check_one(a);
        for b in &corners {
            check_pair(a, b);
        }
    }
}

#[test]
fn wide_reduction_at_its_corners() {
    let n = order();
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

/// The bounds that [`modn::reduce_wide`] claims, each where it is closest.
#[test]
fn folds_stay_below_their_bounds() {
    let (n, all) = (order(), BigUint::from(1u32) << 256u32);
    let (c, most) = (&all - &n, &all - 1u32);
    assert!(&c * 100u32 < BigUint::from(128u32) << 128u32);
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
fn numbers_at_and_above_the_order() {
    let n = bytes_of_words(&Scalar::ORDER);
    assert_eq!(Scalar::from_bytes(&n), None);
    assert_eq!(Scalar::from_bytes_reduced(&n), Scalar::ZERO);
    assert_eq!(Scalar::from_bytes(&[0xff; 32]), None);
    assert_eq!(value(&Scalar::from_bytes_reduced(&[0xff; 32])), BigUint::from_bytes_be(&[0xff; 32]) - order());
    assert_eq!(order().to_string().parse::<Scalar>(), Err(ParseNumberError::OutOfRange));
    assert_eq!("".parse::<Scalar>(), Err(ParseNumberError::Empty));
    assert_eq!(format!("{:?}", Scalar::ONE), format!("Scalar(0x{:064x})", 1));
    assert_eq!(value(&Scalar(modn::HALF_ORDER)), order() >> 1u32);
}

#[test]
fn batches_of_every_awkward_length() {
    for length in [0, 1, 2, 7, 8, 127, 128, 129, 300] {
        let values: Vec<Scalar> = (0..length).map(|i| Scalar::from((i * i % 5) as u64)).collect();
        let mut inverses = values.clone();
        Scalar::batch_invert(&mut inverses);
        for (value, inverse) in values.iter().zip(&inverses) {
            assert_eq!(*inverse, value.invert_or_zero());
        }
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
    let mut wiped = a;
    wiped.zeroize();
    assert_eq!(wiped, Scalar::ZERO);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn agrees_with_exact_integers(a in scalar(), b in scalar()) {
        check_one(&a);
        check_pair(&a, &b);
    }

    #[test]
    fn wide_reduction(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(255)], 64)) {
        let bytes: [u8; 64] = bytes.try_into().unwrap();
        prop_assert_eq!(value(&Scalar::from_bytes_wide(&bytes)), BigUint::from_bytes_be(&bytes) % order());
    }

    #[test]
    fn powers(a in scalar(), exponent in scalar()) {
        let expected = value(&a).modpow(&value(&exponent), &order());
        prop_assert_eq!(value(&a.pow(exponent.limbs())), expected.clone());
        prop_assert_eq!(value(&crate::arithmetic::pow_vartime(&a, &exponent.limbs())), expected);
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_text_and_range() {
    let a = -Scalar::from(2u64);
    let text = serde_json::to_string(&a).unwrap();
    assert_eq!(text, format!("\"{a:x}\""));
    assert_eq!(serde_json::from_str::<Scalar>(&text).unwrap(), a);
    let order = format!("\"{:064x}\"", order());
    for bad in [order.as_str(), "\"00\"", "\"\"", "7", "null"] {
        assert!(serde_json::from_str::<Scalar>(bad).is_err(), "{bad}");
    }
}
