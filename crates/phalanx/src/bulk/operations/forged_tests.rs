//! Rows for which the equation without the key's y holds, though they are invalid: what takes them out is a mask. And
//! good rows, all of which that equation proves.

use super::{
    tests::{agree, crafted},
    unlifted_tests::{equal_partial_sums, judge, with_x, x_of_sum},
};
use crate::{
    FieldElement, PublicKey, Scalar,
    bulk::{
        eight_lanes::{KeyPoints, KeysByX, WantedX, place},
        memory::with_arena,
    },
    keys::{ReadRow, RowKey},
    lanes::{
        AffineLanes, JacobianX8, Lift, Machine, U256x8, images,
        memory::{AffineX8, FeX8Mem},
        tests::{key, on_machines, scalar, with_memory},
        to_affine,
    },
    mul::{
        Digits, DoubleMulTerms, EquationsByX, TermsByX, double_mul_terms, multiples_on_one_lane, prove_by_x,
        prove_rows_by_x,
    },
};
use alloc::{vec, vec::Vec};
use phalanx_engine::word::{LANES, Mask, Mask8};

/// x and y of a point that need not be on the curve.
type Coordinates = [FieldElement; 2];

fn coordinates(point: &PublicKey) -> Coordinates {
    let affine = point.affine();
    [affine.x, affine.y].map(FieldElement::from_fe)
}

/// x of the sum of two points by their chord.
fn x_of_chord([u, v]: Coordinates, [g, h]: Coordinates) -> Option<FieldElement> {
    let slope = (h - v) * (g - u).invert_vartime()?;
    Some(slope.square() - u - g)
}

/// The row of a key: a, b and the key's secret.
type Row = [Scalar; 3];

/// The key of a row, unless its x is 0, which no point has.
fn lifted(row: &Option<Row>) -> RowKey {
    let Some([_, _, d]) = row else { return RowKey::Lift { x: [0; 4], odd: false } };
    let [x, y] = coordinates(&key(*d));
    RowKey::Lift { x: x.limbs(), odd: y.limbs()[0] & 1 == 1 }
}

/// What lanes compute of the rows of a chunk before their equations.
struct Terms {
    keys: Vec<Lift>,
    d: Vec<FeX8Mem>,
    products: Vec<JacobianX8>,
    partial: Vec<[AffineX8; 2]>,
    void: Vec<Mask8>,
}

impl Terms {
    fn of<M: Machine>(machine: M, rows: &[Option<Row>]) -> Self {
        let groups = rows.len() / LANES;
        let mut keys: Vec<_> =
            (0..groups).map(|_| Lift { x: U256x8::ZERO, odd: Mask8::NONE, keep: Mask8::NONE }).collect();
        let mut digits = vec![Digits::ZERO; groups];
        for (i, row) in rows.iter().enumerate() {
            let (group, lane) = place(i);
            let RowKey::Lift { x, odd } = lifted(row) else { unreachable!("no key here is a point") };
            keys[group].x.set(lane, x);
            keys[group].odd.0 |= u8::from(odd) << lane;
            let [a, b, _] = row.unwrap_or([Scalar::ONE; 3]);
            digits[group].set(lane, &a, &b);
        }
        let (mut points, mut d) = (vec![AffineLanes::generator(); groups], vec![FeX8Mem::ZERO; groups]);
        images(machine, &keys, &mut points, &mut d);
        let (mut products, mut partial) = (vec![JacobianX8::ZERO; groups], vec![[AffineX8::ZERO; 2]; groups]);
        let mut void = vec![Mask8::NONE; groups];
        let terms = DoubleMulTerms { points: &points, digits: &digits, products: &mut products, partial: &mut partial };
        with_memory(|memory| double_mul_terms(machine, terms, &mut void, memory));
        Terms { keys, d, products, partial, void }
    }

    /// a P of row `i`, whatever it is, seen from the curve of the key, by its y.
    fn product<M: Machine>(&self, machine: M, i: usize, y: FieldElement) -> Coordinates {
        let mut affine = vec![[U256x8::ZERO; 2]; self.products.len()];
        with_memory(|memory| to_affine(machine, &self.products, &mut affine, memory));
        let (group, lane) = place(i);
        let [x_image, y_image] = [0, 1].map(|at| FieldElement::from_limbs(affine[group][at].get(lane)).unwrap());
        let inverse = y.invert_vartime().unwrap();
        [x_image * inverse.square(), y_image * inverse.square() * inverse]
    }

    /// Whether the equation of row `i` is taken to hold with this x, of rows in `sound` lanes.
    fn holds<M: Machine>(&self, machine: M, i: usize, x: FieldElement, sound: &mut [Mask8]) -> bool {
        let (group, lane) = place(i);
        let mut wanted = vec![U256x8::ZERO; self.products.len()];
        wanted[group].set(lane, x.limbs());
        let mut holds = vec![Mask8::NONE; self.products.len()];
        let Terms { keys, d, products, partial, .. } = self;
        let holding = &mut holds;
        let equations = EquationsByX { keys, d, products, partial, x: &wanted, even: false, sound, holds: holding };
        with_memory(|memory| prove_rows_by_x(machine, equations, memory));
        holds[group].lane(lane)
    }
}

on_machines! {
    /// Whoever puts an x without a point in a row knows what its lane's other rows compute.
    fn what_a_void_lane_computes_proves_nothing(machine) {
        let mut forged = 0;
        for label in 0..4u64 {
            let row = |i: u64| [3, 4, 5].map(|at| scalar(16 * (label + i + 1) + at));
            // The first row voids the lane of the ninth.
            let mut rows: Vec<_> = (0..16).map(|i| Some(row(i))).collect();
            rows[0] = None;
            let terms = Terms::of(machine, &rows);
            assert!(terms.void[1].lane(0) && !terms.void[1].lane(1));
            let [a, b, d] = row(8);
            let (q, multiple) = (key(d), coordinates(&key(b)));
            let product = terms.product(machine, 8, coordinates(&q)[1]);
            let Some(x) = x_of_chord(product, multiple) else { continue };
            let sound: Vec<_> = terms.void.iter().map(|void| void.not()).collect();
            assert!(terms.holds(machine, 8, x, &mut [Mask8::ALL; 2]), "this is the danger");
            assert!(!terms.holds(machine, 8, x, &mut sound.clone()));
            let Ok(r) = Scalar::from_bytes(&x.to_bytes()) else { continue };
            let records: Vec<_> = (0..16).map(|i| {
                let [a, b, d] = row(i);
                match i {
                    0 => with_x(&crafted(a, b, &key(d), scalar(23)), [0; 4], false),
                    8 => crafted(a, b, &q, r),
                    _ => crafted(a, b, &key(d), x_of_sum(a, d, b)),
                }
            }).collect();
            assert_eq!(agree(machine, &records), 14);
            assert_ne!(x_of_sum(a, d, b), r);
            forged += 1;
        }
        assert!(forged > 1, "{forged} rows were forged");
    }

    /// Where both parts of b G have one x, the second is moved aside, and the sum is a point that anybody can compute.
    fn a_part_that_is_moved_aside_proves_nothing(machine) {
        let t = equal_partial_sums();
        let [x, y] = coordinates(&key(t * Scalar::from(2u64).inverse()));
        let mut forged = 0;
        for label in 1..4u64 {
            let (d, a) = (scalar(16 * label + 5), scalar(16 * label + 6));
            let product = coordinates(&key(a * d));
            // The parts are (x, v) and (x + 1, w).
            for (b, v, w) in [(t, y, y), (-t, -y, -y), (Scalar::ZERO, y, -y), (Scalar::ZERO, -y, y)] {
                let slope = w - v;
                let g = slope.square() - x - x - FieldElement::ONE;
                let moved = [g, slope * (x - g) - v];
                let claimed = x_of_chord(product, moved).and_then(|r| Scalar::from_bytes(&r.to_bytes()).ok());
                let Some(r) = claimed else { continue };
                judge(machine, &crafted(a, b, &key(d), r));
                forged += 1;
            }
        }
        assert!(forged > 6, "{forged} rows were forged");
    }

    /// Otherwise every row would be decided by the root, and nobody would see it but by the time.
    fn good_rows_are_proved(machine) {
        for even in [false, true] {
            // a, b, the key and x of a Q + b G, whose y is even where that is asked.
            let row = |i: u64| {
                let [a, b, d] = [3, 4, 5].map(|at| scalar(16 * (i + 1) + at));
                let [x, y] = coordinates(&key(a * d + b));
                let turn = even && y.limbs()[0] & 1 == 1;
                let [a, b] = [a, b].map(|term| if turn { -term } else { term });
                (a, b, d, x.limbs())
            };
            let rows: Vec<_> = (0..17).map(row).collect();
            let by_x = |(a, b, d, _): &(Scalar, Scalar, Scalar, _)| lifted(&Some([*a, *b, *d]));
            with_memory(|memory| with_arena(memory, |arena| {
                let mut keys = KeyPoints::new(rows.len(), arena);
                let (mut digits, mut x) = (vec![Digits::ZERO; 3], vec![U256x8::ZERO; 3]);
                for (i, row) in rows.iter().enumerate() {
                    let ((group, lane), (a, b, d, wanted)) = (place(i), row);
                    keys.set(i, &if i % 3 == 0 { RowKey::Point(key(*d)) } else { by_x(row) });
                    digits[group].set(lane, a, b);
                    x[group].set(lane, *wanted);
                }
                let keys = KeysByX::new(machine, keys, &digits, WantedX { x: &x, even }, arena);
                let read: Vec<_> = rows.iter().map(|_| Ok(ReadRow::new((), Ok(())))).collect();
                let mut verdicts = vec![crate::Verdict::InvalidSignature; rows.len()];
                assert_eq!(keys.open_rows(&read, &mut verdicts, arena)[..], [0; 0]);
                assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
            }));
            with_memory(|memory| with_arena(memory, |arena| {
                let multiples = multiples_on_one_lane(rows.iter().map(|(_, b, ..)| *b), arena);
                let terms: Vec<_> = rows.iter().enumerate().map(|(i, row)| {
                    let RowKey::Lift { x, odd } = by_x(row) else { unreachable!("no key here is a point") };
                    (TermsByX::new(x, odd, &row.0, multiples.get(i)), row.3)
                }).collect();
                assert!(prove_by_x(&terms, even, arena).iter().all(|proved| *proved));
                // The other parity of y is not proved.
                let other: Vec<_> = rows.iter().enumerate().map(|(i, row)| {
                    let RowKey::Lift { x, odd } = by_x(row) else { unreachable!("no key here is a point") };
                    (TermsByX::new(x, !odd, &row.0, multiples.get(i)), row.3)
                }).collect();
                assert!(!prove_by_x(&other, even, arena).iter().any(|proved| *proved));
            }));
        }
    }
}
