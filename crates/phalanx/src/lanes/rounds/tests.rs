//! The additions of a round, pair by pair, in one lane and in eight.
//!
//! Points are multiples k G, so a sum is known by its number; the multiples are made by complete additions one by one.

use super::EightLanes;
use crate::{
    glv::LAMBDA,
    group::{self, Affine, Jacobian, Secp256k1, to_affine_vartime},
    lanes::{
        Machine,
        tests::{TestOnMachine, on_every_machine},
    },
    mul::{Combine, Unit},
    rounds::{Arithmetic, OneLane},
    scalar::Scalar,
    tables::Entry,
};
use alloc::{vec, vec::Vec};
use phalanx_engine::msm::{AffineAdder, PointRef};

/// Pairs of a round: up to two groups of eight and one more.
const MOST: usize = 17;
/// The table holds k G for k from 1 to this, at place k - 1.
const TABLE: i64 = 4 * MOST as i64;
const INFINITY: Entry = Entry([0; 8]);

/// A round of the pairs' numbers, of which each sum must be right; infinity may be among them where a round came before
/// whose sum was infinity.
struct Rounds {
    /// k G for k from 0.
    multiples: Vec<Entry>,
}

impl Rounds {
    fn new() -> Self {
        let generator = Affine::generator::<Secp256k1>();
        let mut sum = Jacobian::infinity();
        let mut next = || {
            let entry = to_affine_vartime(&sum).map_or(INFINITY, |point| group::entry(&point));
            sum = sum.add_mixed_complete(generator);
            entry
        };
        Rounds { multiples: (0..=2 * TABLE).map(|_| next()).collect() }
    }

    fn multiple(&self, number: i64) -> Entry {
        let entry = self.multiples[number.unsigned_abs() as usize];
        if number < 0 { group::entry(&group::affine(&entry).negate().normalize()) } else { entry }
    }

    /// Numbers to be added, in a round of its own or after a sum at infinity.
    fn check<A: AffineAdder<Entry = Entry>>(&self, additions: &A, numbers: &[[i64; 2]], after_infinity: bool) {
        let mut memory = self.multiples[1..=TABLE as usize].to_vec();
        let mut work = A::Work::default();
        A::begin(&mut work);
        if after_infinity {
            let mut sum = [A::FILLER];
            additions.add(&memory, &[[PointRef::new(4, false), PointRef::new(4, true)]], &mut sum, false, &mut work);
            assert_eq!(sum, [INFINITY]);
            memory.push(INFINITY);
        }
        // The sign of zero is open: its negative is looked at too.
        let reference = |number: i64| match number {
            0 => PointRef::new(TABLE as usize, numbers.len() % 2 == 1),
            _ => PointRef::new(number.unsigned_abs() as usize - 1, number < 0),
        };
        let pairs: Vec<_> = numbers.iter().map(|[a, b]| [reference(*a), reference(*b)]).collect();
        // Whether doublings are announced makes no difference to the sums.
        for doublings in [false, true] {
            let mut sums = vec![A::FILLER; pairs.len()];
            additions.add(&memory, &pairs, &mut sums, doublings, &mut work);
            for (place, ([a, b], sum)) in numbers.iter().zip(&sums).enumerate() {
                let expected = self.multiple(a + b);
                assert_eq!(*sum, expected, "{a} G + {b} G at place {place} of {}: {numbers:?}", numbers.len());
            }
        }
        // In place each first point needs a place of its own.
        let table = memory.len();
        let firsts: Vec<_> = pairs.iter().map(|[first, _]| memory[first.index()]).collect();
        memory.extend(firsts);
        let own =
            |(i, [first, second]): (usize, &[PointRef; 2])| [PointRef::new(table + i, first.is_negated()), *second];
        let pairs: Vec<_> = pairs.iter().enumerate().map(own).collect();
        additions.add_in_place(&mut memory, &pairs, &mut work);
        for (place, ([a, b], sum)) in numbers.iter().zip(&memory[table..]).enumerate() {
            assert_eq!(*sum, self.multiple(a + b), "{a} G + {b} G in place {place} of {}: {numbers:?}", numbers.len());
        }
    }

    /// Every length with nothing special in it, and with each special pair at each place.
    fn check_all<A: AffineAdder<Entry = Entry>>(&self, additions: &A) {
        // Equal points and negatives, with either sign.
        let alone = [[5, 5], [-5, -5], [5, -5], [-5, 5]];
        let with_infinity = [[0, 5], [0, -5], [5, 0], [-5, 0], [0, 0]];
        for length in 1..=MOST {
            let sign = |number: i64, bit: usize| if length >> bit & 1 == 1 { -number } else { number };
            let ordinary: Vec<_> = (0..length as i64)
                .map(|i| [sign(2 * i + 6, i as usize % 4), sign(3 * i + 7, i as usize % 3)])
                .collect();
            self.check(additions, &ordinary, false);
            self.check(additions, &ordinary, true);
            for place in 0..length {
                let mut numbers = ordinary.clone();
                for special in alone {
                    numbers[place] = special;
                    self.check(additions, &numbers, false);
                }
                for special in with_infinity {
                    numbers[place] = special;
                    self.check(additions, &numbers, true);
                }
                // Beside another one, in another lane or in the same lane of another group.
                for other in [[5, -5], [0, 5]] {
                    numbers[place] = [5, 5];
                    numbers[(place + length / 2) % length] = other;
                    self.check(additions, &numbers, true);
                    numbers.clone_from(&ordinary);
                }
            }
            for special in alone {
                self.check(additions, &vec![special; length], false);
            }
            for special in with_infinity {
                self.check(additions, &vec![special; length], true);
            }
        }
        self.check(additions, &[], false);
    }
}

struct Sums;

impl TestOnMachine for Sums {
    fn run<M: Machine>(&self, machine: M) {
        Rounds::new().check_all(&EightLanes(machine));
    }
}

#[test]
fn eight_lanes_add_every_pair() {
    on_every_machine(Sums);
}

#[test]
fn one_lane_adds_every_pair() {
    Rounds::new().check_all(&OneLane);
}

struct Images;

impl Images {
    fn check(additions: &impl Arithmetic) {
        let points = &Rounds::new().multiples[1..=MOST];
        for length in 0..=MOST {
            let mut images = vec![INFINITY; length];
            additions.images(&points[..length], &mut images);
            for (point, image) in points.iter().zip(images) {
                let point = group::affine(point);
                let product = Secp256k1::double_mul_vartime(Unit::Portable, &LAMBDA, &point, &Scalar::ZERO);
                assert_eq!(to_affine_vartime(&product).map(|point| group::entry(&point)), Some(image));
            }
        }
    }
}

impl TestOnMachine for Images {
    fn run<M: Machine>(&self, machine: M) {
        Self::check(&EightLanes(machine));
    }
}

#[test]
fn images_are_lambda_times_the_points() {
    Images::check(&OneLane);
    on_every_machine(Images);
}
