//! Every formula, Jacobian and affine, on every pair of points of the groups of order 7, 13 and 199, infinity included,
//! in one lane and in each of eight: the points' multiples say what must come out. In eight lanes the short tier takes
//! a sample of the last group's pairs.

use super::{
    P256k1,
    tiny::{Tiny, points},
};
use crate::{
    Backend,
    mul::{Combine, Unit},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Fe4, FeX8, Field},
    word::{Emulated, LANES, Machine, Mask, Op, VectorUnit, Word},
};
use phalanx_tiers::{sample, skipped};

/// A field whose lanes can be filled and read.
trait FilledLanes: Field {
    const COUNT: usize;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self;
    fn numbers(self) -> Vec<[u64; 4]>;
}

impl FilledLanes for Fe4<P256k1> {
    const COUNT: usize = 1;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self {
        Fe4::from_words(numbers[0])
    }
    fn numbers(self) -> Vec<[u64; 4]> {
        vec![self.normalize().to_words()]
    }
}

impl<W: Word> FilledLanes for FeX8<P256k1, W> {
    const COUNT: usize = LANES;
    fn from_numbers(numbers: &[[u64; 4]]) -> Self {
        FeX8::from_lanes(core::array::from_fn(|lane| numbers[lane]))
    }
    fn numbers(self) -> Vec<[u64; 4]> {
        self.normalize().to_lanes().to_vec()
    }
}

/// The points of a group, and how to ask which of them the lanes of a computation hold.
struct GroupTable<const ORDER: u64> {
    /// Coordinates of the multiples of the generator, from once on.
    table: Vec<[[u64; 4]; 2]>,
}

impl<const ORDER: u64> GroupTable<ORDER> {
    const COUNT: usize = ORDER as usize;

    fn new() -> Self {
        let coordinates = |point: &super::Affine| [point.x.to_words(), point.y.to_words()];
        GroupTable { table: points::<ORDER>().iter().map(coordinates).collect() }
    }

    /// The multiples with these indices. Infinity has no affine form; the generator stands in, and its lane is judged
    /// by formulas that can tell.
    fn affine<F: FilledLanes>(&self, indices: &[usize]) -> Affine<F> {
        let coordinate = |which: usize| {
            let numbers: Vec<_> = indices.iter().map(|&index| self.table[index.max(1) - 1][which]).collect();
            F::from_numbers(&numbers)
        };
        Affine { x: coordinate(0), y: coordinate(1) }
    }

    /// The same with a denominator that differs from lane to lane.
    fn jacobian<F: FilledLanes>(&self, indices: &[usize], z: u64) -> Jacobian<F> {
        let z_of = |index: &usize| if *index == 0 { [0; 4] } else { [z + *index as u64, z, 3, 5] };
        over(self.affine(indices), F::from_numbers(&indices.iter().map(z_of).collect::<Vec<_>>()))
    }

    /// Asserts that the lanes of the mask hold the multiples with these indices.
    fn assert<F: FilledLanes>(&self, point: Jacobian<F>, indices: &[usize], lanes: F::Mask, what: &str) {
        if Self::COUNT > 13 {
            // By the field's own comparison, which takes a tenth of the time.
            let (expected, zz) = (self.affine::<F>(indices), point.z.square());
            let same_x = point.x.equals(expected.x.mul(zz));
            let same = same_x.and(point.y.equals(expected.y.mul(zz.mul(point.z))));
            let infinite = point.is_infinity();
            for (lane, &index) in indices.iter().enumerate().filter(|(lane, _)| lanes.lane(*lane)) {
                let right = if index == 0 { infinite.lane(lane) } else { same.lane(lane) && !infinite.lane(lane) };
                assert!(right, "{what} is not {index}, lane {lane}");
            }
            return;
        }
        // By plain numbers.
        let infinite = point.is_infinity();
        let affine = point.to_affine_with(point.z.invert());
        let (x, y) = (affine.x.numbers(), affine.y.numbers());
        for (lane, &index) in indices.iter().enumerate().filter(|(lane, _)| lanes.lane(*lane)) {
            let found = (!infinite.lane(lane)).then(|| [x[lane], y[lane]]);
            assert_eq!(
                found,
                index.checked_sub(1).map(|index| self.table[index]),
                "{what} is not {index}, lane {lane}"
            );
        }
    }
}

/// A point over a denominator.
fn over<F: Field>(point: Affine<F>, z: F) -> Jacobian<F> {
    let zz = z.square();
    Jacobian { x: point.x.mul(zz), y: point.y.mul(zz.mul(z)), z }
}

/// The lanes of which a truth is known.
fn lanes_where<F: FilledLanes>(pairs: &[(usize, usize)], holds: impl Fn(usize, usize) -> bool) -> F::Mask {
    let bits: Vec<_> = pairs.iter().map(|&(i, j)| [u64::from(holds(i, j)), 0, 0, 0]).collect();
    F::from_numbers(&bits).is_zero().not()
}

/// Every formula on the pairs that begin at these places. Lane l of the pairs at place s has pair s + l: over all
/// places every pair visits every lane.
fn pairs_at<const ORDER: u64, F: FilledLanes>(places: impl IntoIterator<Item = usize>) {
    let (order, points) = (ORDER as usize, GroupTable::<ORDER>::new());
    let pair = |index: usize| (index / order % order, index % order);
    for place in places {
        let pairs: Vec<_> = (place..place + F::COUNT).map(pair).collect();
        jacobian_formulas::<ORDER, F>(&points, &pairs);
        affine_formulas::<ORDER, F>(&points, &pairs);
    }
}

fn jacobian_formulas<const ORDER: u64, F: FilledLanes>(points: &GroupTable<ORDER>, pairs: &[(usize, usize)]) {
    let order = ORDER as usize;
    let (first, second): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let sums: Vec<_> = pairs.iter().map(|(i, j)| (i + j) % order).collect();
    let (p, q, q_affine) = (points.jacobian(&first, 7), points.jacobian(&second, 11), points.affine::<F>(&second));
    let (all, finite) = (F::Mask::ALL, lanes_where::<F>(pairs, |_, j| j != 0));

    points.assert(p.add_complete(q), &sums, all, "a complete sum");
    points.assert(p.add_mixed_complete(q_affine), &sums, finite, "a complete mixed sum");
    points.assert(p.double(), &first.iter().map(|i| 2 * i % order).collect::<Vec<_>>(), all, "a double");
    points.assert(p.negate(), &first.iter().map(|i| (order - i) % order).collect::<Vec<_>>(), all, "an negated");
    let equal = p.equals(q);

    // The incomplete formulas say by Z = 0 exactly where they are not valid.
    let apart = |i: usize, j: usize| i != 0 && j != 0 && i != j && !(i + j).is_multiple_of(order);
    let valid = lanes_where::<F>(pairs, apart);
    let scale = F::constant([9, 8, 7, 6]);
    let on_model = Jacobian { z: p.z, ..over(Affine { x: p.x, y: p.y }, scale) };
    let (sum, mixed) = (p.add(q).0, p.add_mixed(q_affine).0);
    let model = on_model.add_mixed_over(q_affine, p.z.mul(scale)).0;
    for (lane, &(i, j)) in pairs.iter().enumerate() {
        assert_eq!(equal.lane(lane), i == j, "{i} == {j}");
        assert_eq!(sum.z.is_zero().lane(lane), !apart(i, j), "{i} + {j}");
        assert!(j == 0 || mixed.z.is_zero().lane(lane) != apart(i, j), "{i} + affine {j}");
        assert!(j == 0 || model.z.is_zero().lane(lane) != apart(i, j), "{i} + affine {j} on a model");
    }
    points.assert(sum, &sums, valid, "a sum");
    points.assert(mixed, &sums, valid, "a mixed sum");
    points.assert(Jacobian { z: model.z.mul(scale), ..model }, &sums, valid, "a mixed sum on a model");
}

fn affine_formulas<const ORDER: u64, F: FilledLanes>(points: &GroupTable<ORDER>, pairs: &[(usize, usize)]) {
    let order = ORDER as usize;
    let (first, second): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
    let sums: Vec<_> = pairs.iter().map(|(i, j)| (i + j) % order).collect();
    let times = |factor: usize| first.iter().map(|i| factor * i % order).collect::<Vec<_>>();
    let (p, q): (Affine<F>, Affine<F>) = (points.affine(&first), points.affine(&second));
    let finite = lanes_where::<F>(pairs, |i, _| i != 0);
    let chord = lanes_where::<F>(pairs, |i, j| i != 0 && j != 0 && i != j && (i + j) % order != 0);

    points.assert(p.negate().to_jacobian(), &times(order - 1), finite, "an affine negated");
    let lambda = match ORDER {
        7 => 2,
        13 => 9,
        _ => 92,
    };
    points.assert(p.endomorphism::<Tiny<ORDER>>().to_jacobian(), &times(lambda), finite, "an image");

    // The chord and the tangent, whose denominators' inverses are given; of two chords side by side the same.
    let (denominator, tangent) = (p.chord_denominator(&q), p.tangent_denominator().invert());
    points.assert(p.double_with(tangent).to_jacobian(), &times(2), finite, "an affine double");
    let zero = denominator.is_zero();
    for (lane, &(i, j)) in pairs.iter().enumerate().filter(|(_, (i, j))| *i != 0 && *j != 0) {
        assert_eq!(zero.lane(lane), i == j || i + j == order, "the denominator of {i} + {j}");
    }
    let inverse = denominator.invert();
    points.assert(p.add_with(q, inverse).to_jacobian(), &sums, chord, "an affine sum");
    let differences: Vec<_> = pairs.iter().map(|(i, j)| (i + order - j) % order).collect();
    let negated = Affine { x: q.x, y: q.y.negate(1) };
    let [sum, difference] = Affine::add_two_with([&[p, q], &[p, negated]], [inverse, inverse]);
    points.assert(sum.to_jacobian(), &sums, chord, "the first of two sums");
    points.assert(difference.to_jacobian(), &differences, chord, "the second of two sums");

    let (twice, moved, z) = p.double_co_z_on::<Tiny<ORDER>>();
    points.assert(Jacobian { x: twice.x, y: twice.y, z }, &times(2), finite, "a double over its denominator");
    points.assert(Jacobian { x: moved.x, y: moved.y, z }, &first, finite, "the point over its double's denominator");

    // Two points over one denominator.
    let z = F::constant([3, 5, 7, 11]);
    let on_one = |point: Affine<F>| {
        let Jacobian { x, y, .. } = over(point, z);
        Affine { x, y }
    };
    let (sum, moved, h) = on_one(p).add_co_z(on_one(q));
    let jacobian = |point: Affine<F>| Jacobian { x: point.x, y: point.y, z: z.mul(h) };
    points.assert(jacobian(sum), &sums, chord, "a sum over one denominator");
    points.assert(jacobian(moved), &first, chord, "the first point over the sum's denominator");
}

/// The work on words, for the machines that have them: of the large group at these places.
struct EveryPair<'a>(&'a [usize]);

impl Op for EveryPair<'_> {
    type Output = &'static str;
    #[inline(always)]
    fn call<W: Word>(self) -> &'static str {
        pairs_at::<7, FeX8<P256k1, W>>(0..7 * 7);
        pairs_at::<13, FeX8<P256k1, W>>(0..13 * 13);
        pairs_at::<199, FeX8<P256k1, W>>(self.0.iter().copied());
        W::NAME
    }
}

/// The same of one group, for vector units: each has these formulas compiled once more, which takes long.
struct EveryPairOf13;

impl Op for EveryPairOf13 {
    type Output = &'static str;
    #[inline(always)]
    fn call<W: Word>(self) -> &'static str {
        pairs_at::<13, FeX8<P256k1, W>>(0..13 * 13);
        W::NAME
    }
}

const LARGE: usize = 199 * 199;

#[test]
fn formulas_on_every_pair_in_one_lane() {
    pairs_at::<7, Fe4<P256k1>>(0..7 * 7);
    pairs_at::<13, Fe4<P256k1>>(0..13 * 13);
    pairs_at::<199, Fe4<P256k1>>(0..LARGE);
}

#[test]
fn formulas_on_every_pair_in_eight_lanes() {
    let places = sample("pairs of points of order 199 in eight lanes", LARGE, 1_000);
    assert_eq!(Emulated::root(EveryPair(&places)), "emulated");
    let mut ran = 0;
    for unit in vectors() {
        assert_eq!(Machine::run(unit, EveryPairOf13), Backend::of_vectors(unit).name());
        ran += 1;
    }
    if ran < 2 {
        skipped("vector words", "every formula on pairs of points; each ran on emulated words");
    }
}

fn vectors() -> impl Iterator<Item = VectorUnit> {
    let backends = Backend::VECTORS.into_iter();
    backends.filter(|_| !phalanx_tiers::is_emulated()).filter_map(Backend::vectors)
}

/// a P + b G for every a, b and P of the two small groups, and for a grid of the large one.
fn every_double_multiplication<const ORDER: u64>(step: usize) {
    use super::tiny::TinyScalar;
    let points = points::<ORDER>();
    for (p, point) in (1u64..).zip(&points).step_by(step) {
        for a in TinyScalar::<ORDER>::all().step_by(step) {
            for b in TinyScalar::all() {
                let sum = Tiny::<ORDER>::double_mul_vartime(Unit::OneLane, &a, point, &b);
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
