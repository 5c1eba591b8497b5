use super::jacobi::jacobi_by_subtraction;
use super::*;
use num_bigint::BigUint;
use proptest::prelude::*;

/// p and n of secp256k1, moduli of other shapes, and moduli that are not prime.
const MODULI: [Modulus; 9] = [
    Modulus::new([0xffff_fffe_ffff_fc2f, u64::MAX, u64::MAX, u64::MAX]),
    Modulus::new([0xbfd2_5e8c_d036_4141, 0xbaae_dce6_af48_a03b, 0xffff_ffff_ffff_fffe, u64::MAX]),
    Modulus::new([u64::MAX, u64::MAX, u64::MAX, u64::MAX]),
    Modulus::new([3, 0, 0, 0]),
    Modulus::new([1, 0, 0, 1 << 63]),
    Modulus::new([0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48]),
    Modulus::new([199, 0, 0, 0]),
    Modulus::new([0x2000_0000_0000_0001, 0x0800_0000_0000_0000, 1 << 57, 0]),
    Modulus::new([3 * 5 * 7 * 11 * 13 * 17 * 19, 0, 0, 0]),
];

fn big(limbs: &[u64; 4]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |value, &limb| (value << 64u32) + limb)
}

fn limbs(value: &BigUint) -> [u64; 4] {
    let mut out = [0; 4];
    for (limb, digit) in out.iter_mut().zip(value.iter_u64_digits()) {
        *limb = digit;
    }
    out
}

/// Limbs that are often all zeros, all ones, a single bit or a run of bits.
fn edge_limb() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => any::<u64>(),
        1 => Just(0),
        1 => Just(u64::MAX),
        1 => (0u32..64).prop_map(|bit| 1 << bit),
        1 => (0u32..64, any::<bool>()).prop_map(|(n, high)| if high { u64::MAX << n } else { u64::MAX >> n }),
        1 => 0u64..8,
    ]
}

fn check(modulus: &Modulus, x: &[u64; 4]) {
    let m = big(modulus.value());
    let x = limbs(&(big(x) % &m));
    let expected = big(&x).modinv(&m).map_or([0; 4], |inverse| limbs(&inverse));
    assert_eq!(modulus.invert(&x), expected, "constant time: {x:x?} mod {m:x}");
    assert_eq!(modulus.invert_vartime(&x), expected, "variable time: {x:x?} mod {m:x}");
    let symbol = jacobi_by_subtraction(&x, modulus.value());
    assert_eq!(modulus.jacobi_vartime(&x), symbol, "symbol: {x:x?} over {m:x}");
    let by_divsteps = modulus.jacobi_by_divsteps(&x);
    // Division steps come to rest at the greatest common divisor, and are given up if it is long.
    assert!(by_divsteps == Some(symbol) || symbol == 0 && by_divsteps.is_none(), "steps: {x:x?} over {m:x}");
}

#[test]
fn corners_of_every_modulus() {
    for modulus in &MODULI {
        let m = big(modulus.value());
        for bit in 0..256u32 {
            let power = BigUint::from(1u32) << bit;
            for x in [power.clone(), &power - 1u32, &power + 1u32, &m - (&power % &m)] {
                check(modulus, &limbs(&(x % &m)));
            }
        }
        for small in 0..300u64 {
            check(modulus, &limbs(&(BigUint::from(small) % &m)));
            check(modulus, &limbs(&((&m - 1u32 - (BigUint::from(small) % &m)) % &m)));
        }
    }
}

#[test]
fn symbol_is_eulers_criterion() {
    let primes = [&MODULI[0], &MODULI[1], &MODULI[6]];
    for modulus in primes {
        let m = big(modulus.value());
        for seed in 0..200u32 {
            let x = BigUint::from(seed).pow(37) % &m;
            let euler = x.modpow(&((&m - 1u32) >> 1u32), &m);
            let expected = if euler == BigUint::ZERO {
                0
            } else if euler == BigUint::from(1u32) {
                1
            } else {
                -1
            };
            assert_eq!(modulus.jacobi_vartime(&limbs(&x)), expected);
        }
    }
}

#[test]
#[should_panic(expected = "odd")]
fn an_even_modulus_is_refused() {
    let _ = Modulus::new([4, 0, 0, 0]);
}

#[test]
#[should_panic(expected = "at least 3")]
fn a_unit_modulus_is_refused() {
    let _ = Modulus::new([1, 0, 0, 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn agrees_with_exact_integers(x in prop::array::uniform4(edge_limb()), which in 0..MODULI.len()) {
        check(&MODULI[which], &x);
    }

    #[test]
    fn any_odd_modulus(m in prop::array::uniform4(edge_limb()), x in prop::array::uniform4(edge_limb())) {
        let mut m = m;
        m[0] |= 1;
        prop_assume!(m != [1, 0, 0, 0]);
        check(&Modulus::new(m), &x);
    }
}
