//! Sums of products by Straus' and by Pippenger's method, in one lane and in eight, and by Straus' method with a stretch
//! of the bits in each lane: in groups small enough to try every case, and in two real ones over different primes.
//!
//! Points are known multiples of the generator, so that a sum is known by one number; short sums of the real groups are
//! also summed product by product, by chord and tangent.

use crate::groups::{
    Bandersnatch, GlvGroup, Group, Secq256k1, Tiny, WithAdder, multiple, multiple_of, multiples, point_of_sum, row,
    sum_of, with_any_words, with_every_adder,
};
use crate::reference::{Point, from_words, negate_modulo};
use crate::samples::Random;
use crate::secp256k1::Secp256k1;
use num_bigint::BigUint;
use phalanx_engine::affine_add::AffineAdder;
use phalanx_engine::msm::{Extent, Method, SignedInt, Sum, SumPlan, Summation, horner};
use phalanx_engine::word::CacheLine;
use phalanx_tiers::sample;

const fn plan(method: Method, width: u32) -> SumPlan {
    SumPlan { method, width }
}

/// Lines that hold something, as a caller's memory may.
fn memory(lines: usize) -> Vec<CacheLine> {
    vec![CacheLine([0x5a5a_5a5a_5a5a_5a5a; 8]); lines]
}

fn wipe(lines: &mut [CacheLine]) {
    lines.fill(CacheLine([0; 8]));
}

/// The sum in exactly the memory that it says it takes.
fn sum_of_products<A: AffineAdder, const N: usize>(
    adder: &A,
    plan: SumPlan,
    bits: u32,
    numbers: &[SignedInt<N>],
    rows: &[CacheLine],
) -> Sum<A::Curve> {
    let windows = 0..plan.windows(bits);
    let extent = Extent { plan, bits, windows, known: rows.len(), images: 0, pieces: 1 };
    Summation::<A, N>::run(adder, &extent, &mut memory(extent.lines::<A, N>()), wipe, |sum| {
        sum.add(rows.len(), |table, terms| {
            table.copy_from_slice(rows);
            terms.copy_from_slice(numbers);
        });
        sum.finish()
    })
}

/// Narrow windows; as wide as any number; and between.
const PLANS: [SumPlan; 5] = [
    plan(Method::Straus, 2),
    plan(Method::Straus, 5),
    plan(Method::Pippenger, 2),
    plan(Method::Pippenger, 5),
    plan(Method::Pippenger, 8),
];

/// A stretch of the bits in each lane.
const LANES: SumPlan = plan(Method::Lanes, 4);

/// Whether an adder sums points of this order, and of greater ones, in lanes.
fn has_lanes<A: AffineAdder>(order: usize) -> bool {
    A::LANES > 1 && order > 31
}

fn signed<const N: usize>(number: [u64; N], negative: bool) -> SignedInt<N> {
    SignedInt { magnitude: number, negative }
}

/// The number modulo the order.
fn value<C: Group, const N: usize>(number: &SignedInt<N>) -> BigUint {
    let magnitude = from_words(&number.magnitude) % C::order();
    if number.negative { negate_modulo(&C::order(), &magnitude) } else { magnitude }
}

/// Sums in a tiny group.
struct TinySums<const ORDER: u64> {
    points: Vec<Point>,
    rows: Vec<CacheLine>,
    /// Sums of two products, by their place among all of them.
    cases: Vec<usize>,
}

impl<const ORDER: u64> TinySums<ORDER> {
    const ORDER: usize = ORDER as usize;
    const FINITE: usize = ORDER as usize - 1;

    fn new() -> Self {
        let points = multiples::<Tiny<ORDER>>(Self::ORDER);
        // In the large tier all of the two small groups, and as many of the large one.
        let whole = (Self::ORDER * Self::FINITE).pow(2);
        let some = whole.min(25_000);
        let places = sample(&format!("sums of two products in the group of order {ORDER}"), some, 300);
        let cases = places.into_iter().map(|place| place * (whole / some) + place % (whole / some)).collect();
        TinySums { rows: points[1..].iter().map(row::<Tiny<ORDER>>).collect(), points, cases }
    }

    /// Two terms: any two numbers with any two points.
    fn two_terms<A: AffineAdder<Curve = Secp256k1>>(&self, adder: &A, name: &str) {
        let (order, finite) = (Self::ORDER, Self::FINITE);
        for plan in PLANS.into_iter().chain(has_lanes::<A>(order).then_some(LANES)) {
            for case in &self.cases {
                let (terms, rest) = (case / finite.pow(2), case % finite.pow(2));
                let (numbers, places) = ([terms / order, terms % order], [rest / finite, rest % finite]);
                // The second number is negative in every other case, and the first as large as eight bits hold.
                let first = numbers[0] as u64 + ORDER * ((255 - numbers[0] as u64) / ORDER);
                let terms = [signed([first], false), signed([numbers[1] as u64], case % 2 == 1)];
                let second = if case % 2 == 1 { order - numbers[1] } else { numbers[1] };
                let expected = (numbers[0] * (places[0] + 1) + second * (places[1] + 1)) % order;
                let sum = sum_of_products(adder, plan, 8, &terms, &places.map(|i| self.rows[i]));
                assert_eq!(point_of_sum::<Tiny<ORDER>>(sum), self.points[expected], "{name}, {plan:?}, case {case}");
            }
        }
    }

    /// Every number with every point, all in one sum, and all but one, so that the sum is not always the same.
    fn all_terms<A: AffineAdder<Curve = Secp256k1>>(&self, adder: &A, name: &str) {
        let order = Self::ORDER;
        let terms: Vec<_> = (0..order).flat_map(|number| (1..order).map(move |place| (number, place))).collect();
        for plan in PLANS.into_iter().chain(has_lanes::<A>(order).then_some(LANES)) {
            for left_out in [0, 1, terms.len() / 2, terms.len() - 1] {
                let terms: Vec<_> = [&terms[..left_out], &terms[left_out + 1..]].concat();
                let numbers: Vec<_> = terms.iter().map(|(number, _)| signed([*number as u64], false)).collect();
                let table: Vec<_> = terms.iter().map(|(_, place)| self.rows[place - 1]).collect();
                let expected = terms.iter().map(|(number, place)| number * place).sum::<usize>() % order;
                let sum = sum_of_products(adder, plan, 8, &numbers, &table);
                let sum = point_of_sum::<Tiny<ORDER>>(sum);
                assert_eq!(sum, self.points[expected], "{name}, {plan:?}, without {left_out}");
            }
        }
    }
}

impl<const ORDER: u64> WithAdder<Secp256k1> for TinySums<ORDER> {
    fn run<A: AffineAdder<Curve = Secp256k1>>(&self, adder: &A, name: &str) {
        self.two_terms(adder, name);
        self.all_terms(adder, name);
    }
}

#[test]
fn tiny_groups() {
    with_every_adder(&TinySums::<7>::new());
    with_every_adder(&TinySums::<13>::new());
    with_every_adder(&TinySums::<199>::new());
}

/// Points of a real group: small multiples of the generator, a few large ones, and the numbers that they are multiples
/// by.
struct RealSums {
    logarithms: Vec<BigUint>,
    rows: Vec<CacheLine>,
}

/// What numbers and points a sum has.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Random,
    /// One number, one point.
    Alike,
    /// The same product with either sign in turn.
    Opposite,
    /// Numbers near zero, and zero.
    Small,
    /// Numbers with long runs of ones, up to the largest.
    Large,
}

impl RealSums {
    fn new<C: Group>() -> Self {
        let mut random = Random::new(71);
        let large: Vec<_> = (0..6).map(|_| random.below_modulus(&C::order()).max(1u8.into())).collect();
        let mut points = multiples::<C>(60);
        points.extend(large.iter().map(multiple::<C>));
        let logarithms = (0..60u8).map(BigUint::from).chain(large).skip(1).collect();
        RealSums { logarithms, rows: points[1..].iter().map(row::<C>).collect() }
    }

    fn terms<const N: usize>(&self, kind: Kind, count: usize) -> Vec<(SignedInt<N>, usize)> {
        let mut random = Random::new(count as u64);
        let fixed = [0; N].map(|_: u64| random.word());
        let term = |i: usize| {
            let place = random.below(self.rows.len() as u64) as usize;
            let negative = random.below(2) == 1;
            match kind {
                Kind::Random => (signed([0; N].map(|_: u64| random.word()), negative), place),
                Kind::Alike => (signed(fixed, false), 7),
                Kind::Opposite => (signed(fixed, i % 2 == 1), 7),
                Kind::Small => {
                    let mut number = [0; N];
                    number[0] = random.below(4);
                    (signed(number, negative), place)
                }
                Kind::Large => {
                    let mut number = [u64::MAX; N];
                    number[i % N] <<= random.below(64);
                    (signed(number, negative), place)
                }
            }
        };
        (0..count).map(term).collect()
    }

    fn expected<C: Group, const N: usize>(&self, terms: &[(SignedInt<N>, usize)]) -> Point {
        let products = terms.iter().map(|(number, place)| value::<C, N>(number) * &self.logarithms[*place]);
        multiple::<C>(&(products.sum::<BigUint>() % C::order()))
    }

    /// Product by product.
    fn slowly<C: Group, const N: usize>(&self, terms: &[(SignedInt<N>, usize)]) -> Point {
        terms.iter().fold(None, |sum, (number, place)| {
            let point = multiple::<C>(&self.logarithms[*place]);
            sum_of::<C>(&sum, &multiple_of::<C>(&value::<C, N>(number), &point))
        })
    }

    /// The sum of numbers of 256 bits.
    fn check<C: Group, A: AffineAdder<Curve = C>>(
        &self,
        adder: &A,
        plan: SumPlan,
        kind: Kind,
        count: usize,
        name: &str,
    ) {
        let terms = self.terms::<4>(kind, count);
        let expected = self.expected::<C, 4>(&terms);
        let what = || format!("{name}, {plan:?}, {count} of {kind:?}");
        if count <= 2 {
            assert_eq!(expected, self.slowly::<C, 4>(&terms), "{}", what());
        }
        let (numbers, places): (Vec<_>, Vec<_>) = terms.into_iter().unzip();
        let rows: Vec<_> = places.iter().map(|place| self.rows[*place]).collect();
        let sum = sum_of_products(adder, plan, 256, &numbers, &rows);
        assert_eq!(point_of_sum::<C>(sum), expected, "{}", what());
    }

    /// The sum of numbers of 128 bits, of which the second half are for images of the first points.
    fn check_images<C: GlvGroup, A: AffineAdder<Curve = C>>(&self, adder: &A, plan: SumPlan, count: usize, name: &str) {
        let firsts = self.terms::<2>(Kind::Random, count);
        let images = count - count / 3;
        let seconds: Vec<_> = self.terms::<2>(Kind::Large, images).into_iter().map(|(number, _)| number).collect();
        let first = |(number, place): &(SignedInt<2>, usize)| value::<C, 2>(number) * &self.logarithms[*place];
        let second = |(number, (_, place)): (&SignedInt<2>, &(SignedInt<2>, usize))| {
            value::<C, 2>(number) * C::lambda() * &self.logarithms[*place]
        };
        let products = firsts.iter().map(first).chain(seconds.iter().zip(&firsts).map(second));
        let expected = multiple::<C>(&(products.sum::<BigUint>() % C::order()));

        let numbers: Vec<_> = firsts.iter().map(|(number, _)| *number).chain(seconds).collect();
        // The windows in two parts, as two threads would share them, and twice as many pieces as there are.
        let (windows, mut parts) = (plan.windows(128), Vec::new());
        for windows in [0..windows / 3, windows / 3..windows] {
            let extent = Extent { plan, bits: 128, windows, known: count, images, pieces: 2 };
            let memory = &mut memory(extent.lines::<A, 2>());
            Summation::<A, 2>::run(adder, &extent, memory, wipe, |sum| {
                // A first piece of nothing.
                sum.add_with_images(0, 0, |_, _| ());
                sum.add_with_images(count, images, |table, terms| {
                    let (known, others) = table.split_at_mut(count);
                    known.iter_mut().zip(&firsts).for_each(|(row, (_, place))| *row = self.rows[*place]);
                    adder.images(&known[..images], others);
                    terms.copy_from_slice(&numbers);
                });
                parts.extend_from_slice(sum.parts());
            });
        }
        let memory = &mut vec![0; parts.len()];
        assert_eq!(point_of_sum::<C>(horner(adder, &parts, memory)), expected, "{name}, {plan:?}, {count} and images");
    }
}

impl<C: Group> WithAdder<C> for RealSums {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str) {
        let plans = [plan(Method::Straus, 3), plan(Method::Straus, 5), plan(Method::Pippenger, 4)];
        for plan in plans.into_iter().chain(has_lanes::<A>(usize::MAX).then_some(LANES)) {
            for kind in [Kind::Random, Kind::Alike, Kind::Opposite, Kind::Small, Kind::Large] {
                for count in [1, 2, 9, 33] {
                    self.check(adder, plan, kind, count, name);
                }
            }
        }
        self.check(adder, plan(Method::Straus, 4), Kind::Random, 0, name);
        self.check(adder, plan(Method::Pippenger, 4), Kind::Random, 0, name);
        // So many buckets that terms are added to them in place, and so many terms that rounds are full and some wait.
        self.check(adder, plan(Method::Pippenger, 11), Kind::Random, 1_500, name);
        self.check(adder, plan(Method::Pippenger, 11), Kind::Opposite, 600, name);
        self.check(adder, plan(Method::Pippenger, 12), Kind::Large, 300, name);
    }
}

/// Sums with images under the endomorphism.
struct ImageSums(RealSums);

impl<C: GlvGroup> WithAdder<C> for ImageSums {
    fn run<A: AffineAdder<Curve = C>>(&self, adder: &A, name: &str) {
        let plans = [plan(Method::Straus, 3), plan(Method::Straus, 5), plan(Method::Pippenger, 4)];
        for plan in plans.into_iter().chain(has_lanes::<A>(usize::MAX).then_some(LANES)) {
            for count in [1, 2, 17, 40] {
                self.0.check_images(adder, plan, count, name);
            }
        }
    }
}

#[test]
fn secp256k1() {
    with_every_adder::<Secp256k1>(&RealSums::new::<Secp256k1>());
    with_every_adder::<Secp256k1>(&ImageSums(RealSums::new::<Secp256k1>()));
}

#[test]
fn another_curve_over_another_prime() {
    with_any_words::<Secq256k1>(&RealSums::new::<Secq256k1>());
    with_any_words::<Secq256k1>(&ImageSums(RealSums::new::<Secq256k1>()));
}

#[test]
fn a_curve_whose_a_is_not_zero() {
    with_every_adder::<Bandersnatch>(&RealSums::new::<Bandersnatch>());
}
