//! One multiplication spread over the lanes against the same in one lane, on every machine there is.

use super::{
    double::one_row::double_mul_row,
    generator::one_row_ct::mul_generator_row_ct,
    point::one_row_ct::{LOWEST, mul_point_row_ct},
};
use crate::{
    Scalar,
    glv::{A, B, LAMBDA},
    group::{Affine, Secp256k1, to_affine},
    lanes::{
        Machine,
        tests::{coordinates, digit, digit_of_order, from_digits, on_machines, scalar},
    },
    mul::{Combine, Unit, mul_generator_ct, mul_point_ct},
};
use alloc::vec::Vec;
use phalanx_engine::word::Mask;

/// The k for which the sums of the even and of the odd lanes are equal: n's own digits, those of the odd lanes turned
/// round.
fn equal_sums_of_the_generator() -> Scalar {
    let sum = |half| from_digits(6, (0..43).map(|at| if at % 2 == half { digit_of_order(6, at) } else { 0 }));
    assert_eq!(sum(0) + sum(1), Scalar::ZERO);
    sum(0).double()
}

/// As above of a point: the digits of the lattice vector (A, -B), those of the even lanes turned round.
fn equal_sums_of_a_point() -> Scalar {
    let lane = |window: usize| (0..4).rfind(|lane| LOWEST[*lane] <= window);
    let even = |number: u128| {
        let digit = |window| digit(|at| at < 127 && number >> (at + 1) & 1 == 1, 130, 5, window);
        from_digits(
            5,
            (0..26).map(|window| if lane(window).is_some_and(|lane| lane % 2 == 0) { digit(window) } else { 0 }),
        )
    };
    (LAMBDA * even(B) - even(A)).double()
}

/// Edges of the digits, and others.
fn scalars() -> Vec<Scalar> {
    let extremes = [[63, 63], [-63, 63], [1, 1], [1, -1], [1, 63], [31, 33]];
    let extremes = extremes.map(|pair| from_digits(6, (0..43).map(|window| pair[window % 2])));
    let halves = [[1, 1], [31, 31], [-31, 31], [31, -1]]
        .map(|[a, b]| from_digits(5, [a; 25].into_iter()) + LAMBDA * from_digits(5, [b; 25].into_iter()));
    let powers = (0..256).step_by(7).map(|bit| Scalar::from(2u64).pow([bit]));
    let mut scalars: Vec<_> = (0..200).map(scalar).chain(extremes).chain(halves).chain(powers).collect();
    scalars.extend([LAMBDA, equal_sums_of_the_generator(), equal_sums_of_a_point()]);
    scalars.extend(scalars.clone().into_iter().map(|scalar| -scalar));
    scalars
}

fn point(scalar: &Scalar) -> Affine {
    to_affine(&mul_generator_ct(Unit::OneLane, scalar))
}

on_machines! {
    fn secret_multiples_are_those_of_one_lane(machine) {
        let (mut of_generator, mut of_points) = (0, 0);
        for (label, k) in (0..).zip(&scalars()) {
            let [even, odd] = mul_generator_row_ct(machine, k);
            assert!(!even.is_infinity().any() && !odd.is_infinity().any(), "no exceptional addition: {k}");
            of_generator += u32::from(even.equals(odd).any());
            assert_eq!(coordinates(&even.add_complete(odd)), coordinates(&mul_generator_ct(Unit::OneLane, k)), "{k}");

            let base = point(&scalar(label | 7));
            let [even, odd] = mul_point_row_ct(machine, &base, k);
            assert!(!even.is_infinity().any() && !odd.is_infinity().any(), "no exceptional addition: {k}");
            of_points += u32::from(even.equals(odd).any());
            assert_eq!(
                coordinates(&even.add_complete(odd)),
                coordinates(&mul_point_ct(Unit::OneLane, &base, k)),
                "{k}"
            );
        }
        assert!(of_generator > 0 && of_points > 0, "equal last sums occur: {of_generator}, {of_points}");
    }
}

/// Asserts that a (d G) + b G is that of one lane; returns whether it is infinity.
fn infinite<M: Machine>(machine: M, [a, d, b]: &[Scalar; 3]) -> bool {
    let base = point(d);
    let sum = coordinates(&double_mul_row(machine, a, &base, b));
    assert_eq!(sum, coordinates(&Secp256k1::double_mul_vartime(Unit::OneLane, a, &base, b)), "{a} ({d} G) + {b} G");
    sum.is_none()
}

/// Rows in which an addition may be exceptional.
fn crafted() -> Vec<[Scalar; 3]> {
    let mut rows = Vec::new();
    for label in 5..12 {
        let (a, d) = (scalar(label), scalar(label + 16));
        let product = a * d;
        rows.extend([product, -product, product.double(), -product.double()].map(|b| [a, d, b]));
    }
    for d in [Scalar::ONE, -Scalar::ONE, LAMBDA, -LAMBDA, Scalar::from(2u64)] {
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            rows.push([Scalar::from(a as u64), d, -Scalar::from(b as u64)]);
        }
    }
    rows.extend(scalars().into_iter().map(|k| [k, scalar(7), Scalar::ZERO]));
    rows
}

on_machines! {
    fn combinations_are_those_of_one_lane(machine) {
        for i in 0..300 {
            assert!(!infinite(machine, &[scalar(3 * i + 5), scalar(16 * i + 7), scalar(16 * i + 9)]), "{i}");
        }
        let found = crafted().iter().filter(|row| infinite(machine, row)).count();
        assert!(found > 7, "sums are infinity: {found}");
    }
}
