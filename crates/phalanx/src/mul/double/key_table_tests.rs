//! Sums by tables against one lane, on every machine there is.

use super::{
    key_table::{KeyTable, build_key_tables},
    key_table_sums::{KeyTableSums, double_mul_with_tables},
};
use crate::{
    Scalar,
    glv::LAMBDA,
    group::Secp256k1,
    lanes::{
        AffineLanes, JacobianX8, Machine, U256x8,
        tests::{coordinates, key, on_machines, scalar, with_memory},
        to_affine,
    },
    mul::digits::{Digits, KEY_TABLE_WINDOWS as WINDOWS, Windows},
    mul::{Combine, Unit},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

fn tables<M: Machine>(machine: M, points: [Scalar; LANES]) -> [KeyTable; LANES] {
    let mut lines = AffineLanes::generator();
    (0..LANES).for_each(|lane| lines.set(lane, &key(points[lane]).affine()));
    with_memory(|memory| build_key_tables(machine, &lines, memory))
}

/// Computes a (d G) + b G for each row (a, b) with the table of d G, and asserts that the one-lane code gets the same.
/// Returns the number of sums that are infinity.
fn infinite<M: Machine>(machine: M, table: &KeyTable, d: Scalar, rows: &[[Scalar; 2]]) -> usize {
    let groups = rows.len().div_ceil(LANES);
    let mut digits = vec![Digits::ZERO; groups];
    for i in 0..groups * LANES {
        let [a, b] = rows.get(i).copied().unwrap_or([Scalar::ONE; 2]);
        digits[i / LANES].set_for(Windows::KeyTable, i % LANES, &a, &b);
    }
    let tables = vec![&table[..]; groups];
    let mut sums = vec![JacobianX8::ZERO; groups];
    let (mut infinite, mut affine) = (vec![Mask8::ALL; groups], vec![[U256x8::ZERO; 2]; groups]);
    with_memory(|memory| {
        let work = KeyTableSums { tables: &tables, digits: &digits, sums: &mut sums, infinite: &mut infinite };
        double_mul_with_tables(machine, work, memory);
        assert_eq!(to_affine(machine, &sums, &mut affine, memory), Mask8::NONE);
    });
    let mut found = 0;
    for (i, [a, b]) in rows.iter().enumerate() {
        let (group, lane) = (i / LANES, i % LANES);
        let infinite = infinite[group].lane(lane);
        found += usize::from(infinite);
        let expected = coordinates(&Secp256k1::double_mul_vartime(Unit::OneLane, a, &key(d).affine(), b));
        let [x, y] = &affine[group];
        assert_eq!((!infinite).then_some([x.get(lane), y.get(lane)]), expected, "{a} ({d} G) + {b} G");
    }
    found
}

on_machines! {
    fn sums_are_those_of_one_lane(machine) {
        let points = core::array::from_fn(|lane| scalar(16 * lane as u64 + 7));
        for (d, table) in points.into_iter().zip(tables(machine, points)).step_by(3) {
            assert_eq!(table.len(), WINDOWS);
            // 19 groups: more than are computed together, and a tail.
            let rows: Vec<_> = (0..8 * 19 - 3).map(|i| [scalar(3 * i + 5), scalar(16 * i + 9)]).collect();
            assert_eq!(infinite(machine, &table, d, &rows), 0);
            assert_eq!(infinite(machine, &table, d, &[]), 0);
            for b in [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(2u64)] {
                assert_eq!(infinite(machine, &table, d, &[[scalar(5), b]]), 0);
            }
        }
    }

    fn exceptional_additions_are_told(machine) {
        let one = Scalar::ONE;
        let points = [one, -one, LAMBDA, -LAMBDA, one.double(), scalar(21), -scalar(21), LAMBDA.square()];
        let mut found = 0;
        for (d, table) in points.into_iter().zip(tables(machine, points)) {
            let mut rows = Vec::new();
            for a in (5..12).map(scalar).chain([Scalar::ZERO, one, LAMBDA, -LAMBDA, one + LAMBDA]) {
                let product = a * d;
                rows.extend([product, -product, product.double(), -product.double(), Scalar::ZERO].map(|b| [a, b]));
            }
            rows.extend((0..100u64).map(|i| [Scalar::from(i / 10), -Scalar::from(i % 10)]));
            // Both halves of a are small, i and i - 63, and b is i: sums of few terms, of which some meet equal points
            // or cancel.
            rows.extend((0..64u64).map(|i| [Scalar::from(i) - LAMBDA * Scalar::from(63 - i), Scalar::from(i)]));
            found += infinite(machine, &table, d, &rows);
        }
        assert!(found > 20, "sums are infinity: {found}");
    }
}
