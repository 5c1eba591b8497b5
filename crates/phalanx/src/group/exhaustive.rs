//! Every formula on every pair of points of the groups of order 7, 13 and 199, infinity included, in one lane and in each of
//! eight: the points' multiples say what must come out.

use super::{
    P256k1,
    tiny::{Tiny, points},
};
use crate::mul::{Combine, Unit};
use alloc::{vec, vec::Vec};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Fe, FeX8, Field},
    word::{Emulated, LANES, Mask, Op, Word},
};

/// A field whose lanes can be filled and read.
trait Lanes: Field {
    const COUNT: usize;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self;
    fn numbers(self) -> Vec<[u64; 4]>;
}

impl Lanes for Fe<P256k1> {
    const COUNT: usize = 1;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self {
        Fe::from_words(numbers[0])
    }
    fn numbers(self) -> Vec<[u64; 4]> {
        vec![self.normalize().to_words()]
    }
}

impl<W: Word> Lanes for FeX8<P256k1, W> {
    const COUNT: usize = LANES;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self {
        FeX8::from_lanes(core::array::from_fn(|lane| numbers[lane]))
    }
    fn numbers(self) -> Vec<[u64; 4]> {
        self.normalize().to_lanes().to_vec()
    }
}

/// The multiple of the generator that each lane's point is, 0 for infinity, by comparing with every multiple.
fn multiples<F: Lanes>(point: Jacobian<F>, table: &[[[u64; 4]; 2]]) -> Vec<usize> {
    let infinite = point.is_infinity();
    let affine = point.to_affine_with(point.z.invert());
    let (x, y) = (affine.x.numbers(), affine.y.numbers());
    (0..F::COUNT)
        .map(|lane| {
            if infinite.lane(lane) {
                return 0;
            }
            1 + table.iter().position(|entry| *entry == [x[lane], y[lane]]).expect("a multiple of the generator")
        })
        .collect()
}

fn every_pair<const ORDER: u64, F: Lanes>() {
    let order = ORDER as usize;
    let table: Vec<_> = points::<ORDER>().iter().map(|point| [point.x.to_words(), point.y.to_words()]).collect();
    // Lane l of step s is pair s + l: over all steps every pair visits every lane.
    let pair = |index: usize| (index / order % order, index % order);
    let affine = |indices: &[usize]| {
        let coordinate = |which: usize| {
            // Infinity has no affine form; the generator stands in and its lane is judged by Jacobian formulas only.
            let numbers: Vec<_> = indices.iter().map(|&index| table[index.max(1) - 1][which]).collect();
            F::from_numbers(&numbers)
        };
        Affine { x: coordinate(0), y: coordinate(1) }
    };
    let jacobian = |indices: &[usize], z: u64| {
        let point = affine(indices);
        let z_of = |index: &usize| if *index == 0 { [0; 4] } else { [z + *index as u64, z, 3, 5] };
        let z = F::from_numbers(&indices.iter().map(z_of).collect::<Vec<_>>());
        let zz = z.square();
        Jacobian { x: point.x.mul(zz), y: point.y.mul(zz.mul(z)), z }
    };
    for step in 0..order * order {
        let pairs: Vec<_> = (step..step + F::COUNT).map(pair).collect();
        let (first, second): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let (p, q, q_affine) = (jacobian(&first, 7), jacobian(&second, 11), affine(&second));

        let complete = multiples(p.add_complete(q), &table);
        let mixed_complete = multiples(p.add_mixed_complete(q_affine), &table);
        let doubled = multiples(p.double(), &table);
        let negated = multiples(p.negate(), &table);
        let ((sum, _), (mixed, _)) = (p.add(q), p.add_mixed(q_affine));
        let (sum_valid, mixed_valid) = (sum.z.is_zero().not(), mixed.z.is_zero().not());
        let equal = p.equals(q);
        for (lane, &(i, j)) in pairs.iter().enumerate() {
            assert_eq!(complete[lane], (i + j) % order, "{i} + {j}");
            assert_eq!(doubled[lane], 2 * i % order, "2 * {i}");
            assert_eq!(negated[lane], (order - i) % order, "-{i}");
            assert_eq!(equal.lane(lane), i == j, "{i} == {j}");
            // The incomplete formulas say by Z = 0 exactly where they are not valid.
            let same_x = i == j || (i + j) % order == 0;
            assert_eq!(sum_valid.lane(lane), i != 0 && j != 0 && !same_x, "{i} + {j}");
            if j != 0 {
                assert_eq!(mixed_complete[lane], (i + j) % order, "{i} + affine {j}");
                assert_eq!(mixed_valid.lane(lane), i != 0 && !same_x, "{i} + affine {j}");
            }
        }
        for (valid, point) in [(sum_valid, sum), (mixed_valid, mixed)] {
            // Lanes that are not valid are replaced by ones that are; an affine infinity was a stand-in.
            let found = multiples(Jacobian::select(valid, point, affine(&first).to_jacobian()), &table);
            for (lane, &(i, j)) in pairs.iter().enumerate() {
                assert!(!valid.lane(lane) || j == 0 || found[lane] == (i + j) % order, "{i} + {j}");
            }
        }
    }
}

/// The work on words, for the machines that have them.
struct EveryPair;

impl Op for EveryPair {
    type Output = &'static str;
    #[inline(always)]
    fn call<W: Word>(self) -> &'static str {
        every_pair::<7, FeX8<P256k1, W>>();
        every_pair::<13, FeX8<P256k1, W>>();
        W::NAME
    }
}

#[test]
fn formulas_on_every_pair_in_one_lane() {
    every_pair::<7, Fe<P256k1>>();
    every_pair::<13, Fe<P256k1>>();
    every_pair::<199, Fe<P256k1>>();
}

#[test]
fn formulas_on_every_pair_in_eight_lanes() {
    assert_eq!(Emulated::root(EveryPair), "emulated");
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    match phalanx_engine::word::Ifma::detect() {
        Some(ifma) => assert_eq!(ifma.run(EveryPair), "ifma"),
        None => std::println!("SKIPPED on ifma: the CPU lacks it"),
    }
}

/// a P + b G for every a, b and P of the two small groups, and for a grid of the large one.
fn every_double_multiplication<const ORDER: u64>(step: usize) {
    use super::tiny::TinyScalar;
    let points = points::<ORDER>();
    for (p, point) in (1u64..).zip(&points).step_by(step) {
        for a in TinyScalar::<ORDER>::all().step_by(step) {
            for b in TinyScalar::all() {
                let sum = Tiny::<ORDER>::double_mul_vartime(Unit::Portable, &a, point, &b);
                let expected = (a.0 * p + b.0) % ORDER;
                let found = super::to_affine_vartime(&sum).map(|point| (point.x.to_words(), point.y.to_words()));
                let expected = expected.checked_sub(1).map(|index| &points[index as usize]);
                assert_eq!(found, expected.map(|point| (point.x.to_words(), point.y.to_words())), "{a:?} {p} {b:?}");
            }
        }
    }
}

#[test]
fn double_multiplication_of_every_point() {
    every_double_multiplication::<7>(1);
    every_double_multiplication::<13>(1);
    every_double_multiplication::<199>(13);
}
