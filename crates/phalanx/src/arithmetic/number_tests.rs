//! What the tests of scalars and field elements share.

/// Tests of integers modulo `modulus()` against exact integers. Beside the call stand `corners`, the numbers that every
/// operation is tried on, in all pairs, and `check_own`, what one number of this type must be besides.
macro_rules! number_tests {
    ($type:ident, $modulus:expr) => {
        use alloc::{format, string::ToString, vec::Vec};
        use num_bigint::BigUint;
        use proptest::prelude::*;

        fn modulus() -> BigUint {
            big(&$modulus)
        }

        fn big(limbs: &[u64; 4]) -> BigUint {
            limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64u32) + limb)
        }

        fn value(number: &$type) -> BigUint {
            let value = big(&number.limbs());
            assert!(value < modulus(), "not canonical: {number:?}");
            value
        }

        /// The inverse by Fermat, the power `modulus() - 2`, and 0 for 0.
        fn fermat(number: &$type) -> $type {
            number.pow((-$type::from(2u8)).limbs())
        }

        /// 1/2, which is close to half of the modulus.
        fn half() -> $type {
            fermat(&$type::from(2u8))
        }

        /// Any number, with limbs that are often all zeros, all ones, one bit or one run; and numbers close to 0, to
        /// the modulus and to half of it.
        fn number() -> impl Strategy<Value = $type> {
            let limb = prop_oneof![
                3 => any::<u64>(),
                1 => Just(0),
                1 => Just(u64::MAX),
                1 => (0u32..64).prop_map(|bit| 1 << bit),
                1 => (0u32..64, any::<bool>()).prop_map(|(n, high)| if high { u64::MAX << n } else { u64::MAX >> n }),
            ];
            prop_oneof![
                4 => prop::array::uniform4(limb).prop_map($type::from_limbs_reduced),
                1 => any::<u8>().prop_map($type::from),
                1 => any::<u8>().prop_map(|small| -$type::from(small)),
                1 => any::<u8>().prop_map(|small| $type::from(small) * half()),
                1 => any::<u128>().prop_map(|half| -$type::from(half)),
            ]
        }

        fn check_pair(a: &$type, b: &$type) {
            let (x, y, m) = (value(a), value(b), modulus());
            assert_eq!(value(&(a + b)), (&x + &y) % &m, "{a:?} + {b:?}");
            assert_eq!(value(&(a - b)), (&x + &m - &y) % &m, "{a:?} - {b:?}");
            assert_eq!(value(&(a * b)), (&x * &y) % &m, "{a:?} * {b:?}");
            assert_eq!(a == b, x == y);
            assert_eq!(a.cmp(b), x.cmp(&y));
            assert_eq!($type::conditional_select(a, b, Choice::from(0)), *a);
            assert_eq!($type::conditional_select(a, b, Choice::from(1)), *b);
        }

        fn check_one(a: &$type) {
            let (x, m) = (value(a), modulus());
            assert_eq!(value(&a.square()), (&x * &x) % &m, "{a:?} squared");
            assert_eq!(value(&a.double()), (&x + &x) % &m);
            assert_eq!(*a + -a, $type::ZERO);
            assert_eq!(value(&a.negate_if(Choice::from(1))), (&m - &x) % &m);
            assert_eq!(a.negate_if(Choice::from(0)), *a);
            assert_eq!(bool::from(a.is_odd()), x.bit(0));
            assert_eq!(bool::from(a.is_zero()), x == BigUint::ZERO);
            assert_eq!($type::from_bytes(&a.to_bytes()), Ok(*a));
            assert_eq!(BigUint::from_bytes_be(&a.to_bytes()), x);
            assert_eq!(a.to_string(), x.to_string());
            assert_eq!(format!("{a:x}"), format!("{x:064x}"));
            assert_eq!(format!("{a:#X}"), format!("0x{x:064X}"));
            assert_eq!(a.to_string().parse(), Ok(*a));
            assert_eq!(format!("{a:#x}").parse(), Ok(*a));
            assert_eq!($type::from_hex(&format!("{a:x}")), Ok(*a));
            // The ways to invert agree.
            let fermat = fermat(a);
            assert_eq!(a.invert().unwrap_or($type::ZERO), fermat);
            assert_eq!(Option::from(a.invert()), a.invert_vartime());
            assert_eq!(*a * fermat, if x == BigUint::ZERO { $type::ZERO } else { $type::ONE });
            check_own(a, &x);
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
        fn numbers_at_and_above_the_modulus() {
            let m = bytes_of_words(&$modulus);
            let out_of_range = Err($crate::ParseNumberError::OutOfRange);
            assert_eq!(($type::from_bytes(&m), $type::from_bytes_reduced(&m)), (out_of_range, $type::ZERO));
            assert_eq!(($type::from_bytes(&[0xff; 32]), $type::from_limbs([u64::MAX; 4])), (out_of_range, None));
            assert_eq!($type::from_bytes(&[1; 31]), Err($crate::ParseNumberError::InvalidLength));
            assert_eq!($type::from_bytes(&[0; 33]), Err($crate::ParseNumberError::InvalidLength));
            assert_eq!(value(&$type::from_bytes_reduced(&[0xff; 32])), BigUint::from_bytes_be(&[0xff; 32]) - modulus());
            let [low, rest @ ..] = $modulus;
            let largest = $type::from_limbs([low - 1, rest[0], rest[1], rest[2]]).unwrap();
            assert_eq!(largest, -$type::ONE);
            assert_eq!(modulus().to_string().parse::<$type>(), Err(ParseNumberError::OutOfRange));
            assert_eq!("".parse::<$type>(), Err(ParseNumberError::Empty));
            assert_eq!(format!("{:?}", $type::ONE), format!("{}(0x{:064x})", stringify!($type), 1));
            let mut wiped = largest;
            wiped.zeroize();
            assert_eq!(wiped, $type::ZERO);
        }

        #[test]
        fn batches_of_every_awkward_length() {
            for length in [0, 1, 2, 7, 8, 127, 128, 129, 300] {
                let values: Vec<$type> = (0..length).map(|i| $type::from((i * i % 5) as u64)).collect();
                let mut inverses = values.clone();
                $type::batch_invert(&mut inverses);
                for (value, inverse) in values.iter().zip(&inverses) {
                    assert_eq!(*inverse, fermat(value));
                }
                let mut nonzero: Vec<$type> = (1..=length as u64).map($type::from).collect();
                let mut same = nonzero.clone();
                $type::batch_invert(&mut same);
                crate::arithmetic::batch_invert_nonzero(&mut nonzero);
                assert_eq!(nonzero, same);
            }
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(4000))]

            #[test]
            fn agrees_with_exact_integers(a in number(), b in number()) {
                check_one(&a);
                check_pair(&a, &b);
            }

            #[test]
            fn wide_reduction(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0), Just(255)], 64)) {
                let bytes: [u8; 64] = bytes.try_into().unwrap();
                prop_assert_eq!(value(&$type::from_bytes_wide(&bytes)), BigUint::from_bytes_be(&bytes) % modulus());
            }

            #[test]
            fn powers(a in number(), exponent in number()) {
                let expected = value(&a).modpow(&value(&exponent), &modulus());
                prop_assert_eq!(value(&a.pow(exponent.limbs())), expected.clone());
                prop_assert_eq!(value(&crate::arithmetic::pow_vartime(&a, &exponent.limbs())), expected);
            }
        }

        #[cfg(feature = "serde")]
        #[test]
        fn serde_text_and_range() {
            let a = -$type::from(2u64);
            let text = serde_json::to_string(&a).unwrap();
            assert_eq!(text, format!("\"{a:x}\""));
            assert_eq!(serde_json::from_str::<$type>(&text).unwrap(), a);
            let modulus = format!("\"{:064x}\"", modulus());
            for bad in [modulus.as_str(), "\"00\"", "\"\"", "7", "null"] {
                assert!(serde_json::from_str::<$type>(bad).is_err(), "{bad}");
            }
        }
    };
}

pub(crate) use number_tests;
