//! The additions of a round, pair by pair, in one lane and in eight, over two primes.
//!
//! Points are multiples k G, so a sum is known by its number; the multiples are made by chord and tangent one by one.

use crate::groups::{
    Bandersnatch, GlvGroup, Group, Secq256k1, Sloped, Tiny, WithAdder, multiple, multiples, point, prime, row,
    with_any_words, with_every_adder,
};
use crate::reference::{Point, from_words, negate_modulo};
use crate::secp256k1::Secp256k1;
use core::marker::PhantomData;
use phalanx_engine::affine_add::{AffineAdder, ArenaProducts};
use phalanx_engine::lanes::INFINITY;
use phalanx_engine::word::{CacheLine, PointRef};

/// Pairs of a round: up to two groups of eight and one more.
const MOST: usize = 17;
/// The table holds k G for k from 1 to this, at place k - 1.
const TABLE: i64 = 4 * MOST as i64;

/// Puts infinity behind the rows, as the sum of a round.
fn push_infinity<A: AffineAdder>(adder: &A, rows: &mut Vec<CacheLine>, work: &mut ArenaProducts<'_, A::Kept>) {
    let mut sum = [rows[0]];
    adder.add(rows, &[[PointRef::new(4, false), PointRef::new(4, true)]], &mut sum, false, work);
    assert_eq!(sum, [INFINITY]);
    rows.push(INFINITY);
}

/// A round of the pairs' numbers, of which each sum must be right; infinity may be among them where a round came before
/// whose sum was infinity.
struct Rounds<C> {
    /// k G for k from 0.
    points: Vec<Point>,
    rows: Vec<CacheLine>,
    curve: PhantomData<C>,
}

impl<C: Group> Rounds<C> {
    fn new() -> Self {
        let points = multiples::<C>(2 * TABLE as usize + 1);
        Rounds { rows: points.iter().map(row::<C>).collect(), points, curve: PhantomData }
    }

    fn multiple(&self, number: i64) -> Point {
        let point = self.points[number.unsigned_abs() as usize].clone();
        if number < 0 { point.map(|(x, y)| (x, negate_modulo(&prime::<C>(), &y))) } else { point }
    }

    /// Numbers to be added, in a round of its own or after a sum at infinity.
    fn check<A: AffineAdder<Curve = C>>(&self, adder: &A, numbers: &[[i64; 2]], after_infinity: bool) {
        A::with_products(MOST, |work| self.check_with(adder, numbers, after_infinity, work));
    }

    fn check_with<A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        numbers: &[[i64; 2]],
        after_infinity: bool,
        work: &mut ArenaProducts<'_, A::Kept>,
    ) {
        let mut rows = self.rows[1..=TABLE as usize].to_vec();
        if after_infinity {
            push_infinity(adder, &mut rows, work);
        }
        // The sign of zero is open: its negative is looked at too.
        let reference = |number: i64| match number {
            0 => PointRef::new(TABLE as usize, numbers.len() % 2 == 1),
            _ => PointRef::new(number.unsigned_abs() as usize - 1, number < 0),
        };
        let pairs: Vec<_> = numbers.iter().map(|[a, b]| [reference(*a), reference(*b)]).collect();
        // Whether doublings are announced makes no difference to the sums.
        for doublings in [false, true] {
            let mut sums = vec![INFINITY; pairs.len()];
            adder.add(&rows, &pairs, &mut sums, doublings, work);
            for (place, ([a, b], sum)) in numbers.iter().zip(&sums).enumerate() {
                let expected = self.multiple(a + b);
                assert_eq!(point::<C>(sum), expected, "{a} G + {b} G at {place} of {}: {numbers:?}", numbers.len());
            }
        }
        // In place each first point needs a place of its own.
        let table = rows.len();
        let firsts: Vec<_> = pairs.iter().map(|[first, _]| rows[first.index()]).collect();
        rows.extend(firsts);
        let own =
            |(i, [first, second]): (usize, &[PointRef; 2])| [PointRef::new(table + i, first.is_negated()), *second];
        let pairs: Vec<_> = pairs.iter().enumerate().map(own).collect();
        adder.add_in_place(&mut rows, &pairs, work);
        for (place, ([a, b], sum)) in numbers.iter().zip(&rows[table..]).enumerate() {
            let expected = self.multiple(a + b);
            assert_eq!(point::<C>(sum), expected, "{a} G + {b} G in place {place} of {}: {numbers:?}", numbers.len());
        }
    }
}

impl<C: Group> WithAdder<C> for Rounds<C> {
    /// Every length with nothing special in it, and with each special pair at each place.
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, _: &str) {
        // Equal points and negatives, with either sign.
        let alone = [[5, 5], [-5, -5], [5, -5], [-5, 5]];
        let with_infinity = [[0, 5], [0, -5], [5, 0], [-5, 0], [0, 0]];
        for length in 1..=MOST {
            let sign = |number: i64, bit: usize| if length >> bit & 1 == 1 { -number } else { number };
            let ordinary: Vec<_> = (0..length as i64)
                .map(|i| [sign(2 * i + 6, i as usize % 4), sign(3 * i + 7, i as usize % 3)])
                .collect();
            self.check(adder, &ordinary, false);
            self.check(adder, &ordinary, true);
            for place in 0..length {
                let mut numbers = ordinary.clone();
                for special in alone {
                    numbers[place] = special;
                    self.check(adder, &numbers, false);
                }
                for special in with_infinity {
                    numbers[place] = special;
                    self.check(adder, &numbers, true);
                }
                // Beside another one, in another lane or in the same lane of another group.
                for other in [[5, -5], [0, 5]] {
                    numbers[place] = [5, 5];
                    numbers[(place + length / 2) % length] = other;
                    self.check(adder, &numbers, true);
                    numbers.clone_from(&ordinary);
                }
            }
            for special in alone {
                self.check(adder, &vec![special; length], false);
            }
            for special in with_infinity {
                self.check(adder, &vec![special; length], true);
            }
        }
        self.check(adder, &[], false);
    }
}

#[test]
fn every_pair_is_added() {
    with_every_adder(&Rounds::<Secp256k1>::new());
}

#[test]
fn every_pair_is_added_over_another_prime() {
    with_any_words(&Rounds::<Secq256k1>::new());
    with_every_adder(&Rounds::<Bandersnatch>::new());
}

/// All pairs of a tiny group with either sign, infinity among them, in one round.
struct AllPairs<G>(PhantomData<G>);

impl<G> AllPairs<G> {
    const NEW: Self = AllPairs(PhantomData);
}

impl<G: Group, C: Group<Field = G::Field>> WithAdder<C> for AllPairs<G> {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str) {
        assert_eq!(C::A, G::A, "additions are those of the group");
        let order = usize::try_from(G::order()).expect("a tiny group");
        let points = multiples::<G>(order);
        let mut rows: Vec<_> = points[1..].iter().map(row::<G>).collect();
        let reference = |number: usize, negated| PointRef::new((number + order - 1) % order, negated);
        for signs in 0..4 {
            let negated = [signs & 1 == 1, signs & 2 == 2];
            let pairs: Vec<_> = (0..order * order)
                .map(|pair| [reference(pair / order, negated[0]), reference(pair % order, negated[1])])
                .collect();
            let mut sums = vec![rows[0]; pairs.len()];
            A::with_products(pairs.len(), |work| {
                push_infinity(adder, &mut rows, work);
                adder.add(&rows, &pairs, &mut sums, false, work);
            });
            rows.pop();
            for (pair, sum) in sums.iter().enumerate() {
                let signed = |number: usize, negated: bool| if negated { order - number } else { number };
                let index = (signed(pair / order, negated[0]) + signed(pair % order, negated[1])) % order;
                assert_eq!(point::<G>(sum), points[index], "{name}: pair {pair}, signs {signs}");
            }
        }
    }
}

#[test]
fn all_pairs_of_tiny_groups_are_added() {
    with_every_adder::<Secp256k1>(&AllPairs::<Tiny<7>>::NEW);
    with_every_adder::<Secp256k1>(&AllPairs::<Tiny<13>>::NEW);
    with_every_adder::<Secp256k1>(&AllPairs::<Tiny<199>>::NEW);
    with_every_adder::<Sloped<11>>(&AllPairs::<Sloped<11>>::NEW);
    with_any_words::<Sloped<7>>(&AllPairs::<Sloped<7>>::NEW);
    with_any_words::<Sloped<13>>(&AllPairs::<Sloped<13>>::NEW);
}

struct Images;

impl<C: GlvGroup> WithAdder<C> for Images {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, _: &str) {
        let points = &multiples::<C>(MOST + 1)[1..];
        let rows: Vec<_> = points.iter().map(row::<C>).collect();
        let beta = from_words(&C::BETA);
        for length in 0..=MOST {
            let mut images = vec![INFINITY; length];
            adder.images(&rows[..length], &mut images);
            for (number, (known, image)) in (1u64..).zip(points.iter().zip(images)) {
                let image = point::<C>(&image);
                let expected = known.as_ref().map(|(x, y)| (x * &beta % prime::<C>(), y.clone()));
                assert_eq!(image, expected);
                if length == MOST && number < 4 {
                    assert_eq!(image, multiple::<C>(&(C::lambda() * number)));
                }
            }
        }
    }
}

#[test]
fn images_are_lambda_times_the_points() {
    with_every_adder::<Secp256k1>(&Images);
    with_any_words::<Secq256k1>(&Images);
}
