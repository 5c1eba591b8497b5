//! Numbers in doubles: no step rounds that must not, for any input, and digits at their bounds give what integers give.
//!
//! As in `intervals`, each run also says how far the bound could be loosened, and must fail one step beyond.

use crate::backends::{Backend, Operation};
use crate::bounds::{Bounds, Steepest, greatest, passes};
use crate::groups::Sloped;
use crate::operations::*;
use crate::reference::{p, to_words};
use crate::samples::Random;
use crate::secp256k1::P256k1;
use core::marker::PhantomData;
use num_bigint::{BigInt, BigUint};
use phalanx_engine::curve::Affine;
use phalanx_engine::field::{FeF64X8, Field, FieldX8, GRIDS, Prime};
use phalanx_engine::word::doubles::{Double as _, Doubles, power_of_two};
use phalanx_engine::word::proof::EmulatedDoubles;
use phalanx_engine::word::proof::interval::Interval;
use phalanx_engine::word::proof::interval_doubles::DoubleInterval;
use phalanx_engine::word::{LANES, Mask8, Op, Word};

type Ranges = [DoubleInterval; 5];

/// Half a gap of digit `i` is divided into so many shares.
const SHARES: i32 = 16;
/// By how many shares the digit of a carried number may be beyond half a gap.
const EXCESS: u64 = 32;

/// The largest digit `i` of a number of this magnitude whose excess is given in shares.
fn largest(i: usize, magnitude: u64, excess: u64) -> f64 {
    let half = power_of_two(GRIDS[i + 1] - 1);
    magnitude as f64 * (half + excess as f64 * half * power_of_two(-SHARES))
}

fn digits(magnitude: u64, excess: u64) -> Ranges {
    core::array::from_fn(|i| DoubleInterval::within(largest(i, magnitude, excess), GRIDS[i]))
}

/// A carried number.
fn carried() -> Ranges {
    digits(1, EXCESS)
}

/// A sum of carried numbers.
fn sum(magnitude: u64) -> Ranges {
    digits(magnitude, EXCESS)
}

fn assert_carried(found: Ranges) {
    for (digit, allowed) in found.into_iter().zip(carried()) {
        assert!(digit.is_within(allowed), "{digit:?} is not within {allowed:?}");
    }
}

/// Runs the operation on ranges; each of its results must be carried.
fn run<P: Prime, const N: usize, const M: usize>(operation: impl Operation<N, M>, inputs: [Ranges; N]) {
    let (results, _) = operation.call(inputs.map(FeF64X8::<P, DoubleInterval>::from_digits));
    results.into_iter().for_each(|result| assert_carried(result.digits()));
}

impl Bounds {
    /// The operation must pass for every prime where `inputs` is given `documented`; `stated` is the greatest that
    /// passes for secp256k1's prime.
    fn digits<const N: usize, const M: usize>(
        &mut self,
        operation: impl Operation<N, M>,
        inputs: fn(u64) -> [Ranges; N],
        documented: u64,
        stated: u64,
    ) {
        run::<Steepest, N, M>(operation, inputs(documented));
        let found = greatest(documented, |bound| run::<P256k1, N, M>(operation, inputs(bound)));
        self.compare(&operation, documented, [found], [stated]);
    }

    /// Likewise for carried inputs, whose excess is loosened.
    fn excess<const N: usize, const M: usize>(&mut self, operation: impl Operation<N, M>, stated: u64) {
        self.digits(operation, |excess| [digits(1, excess); N], EXCESS, stated);
    }
}

#[test]
fn magnitudes() {
    let mut bounds = Bounds::default();
    bounds.digits(Carry, |m| [sum(m)], 3, 3);
    bounds.digits(Weaken, |m| [sum(m)], 3, 3);
    bounds.digits(Normalize, |m| [sum(m)], 3, 3);
    bounds.digits(IsZero, |m| [sum(m)], 3, 3);
    bounds.digits(Equals, |m| [sum(m), carried()], 2, 2);
    bounds.digits(Difference(2), |m| [carried(), sum(m)], 2, 2);
    bounds.digits(MulAdd, |m| [carried(), carried(), sum(m)], 1, 1);
    bounds.digits(SquareAdd, |m| [carried(), sum(m)], 3, 3);
    bounds.digits(MulLess, |m| [carried(), carried(), sum(m)], 1, 1);
    bounds.digits(SquareLess::<1>, |m| [carried(), sum(m)], 3, 3);
    bounds.digits(SquareLess::<2>, |m| [carried(), sum(m)], 1, 1);
    bounds.digits(AddWith, |m| [carried(), sum(m), carried(), sum(1), carried()], 1, 1);
}

#[test]
fn products() {
    let mut bounds = Bounds::default();
    bounds.excess(Negate(7), 32);
    bounds.excess(Mul, 255);
    bounds.excess(Square, 255);
    bounds.excess(MulAdd, 255);
    bounds.excess(SquareAdd, 255);
    bounds.excess(MulLess, 255);
    bounds.excess(SquareLess::<1>, 255);
    bounds.excess(SquareLess::<2>, 255);
    bounds.excess(MulScaled::<4>, 255);
    bounds.excess(SquareScaled::<4>, 255);
    bounds.excess(MulLoose, 255);
    bounds.excess(DifferenceOfProduct, 255);
    bounds.excess(MulPlus, 255);
    bounds.excess(MulPlusSquare, 255);
    bounds.excess(SquarePlus, 255);
    bounds.excess(Invert, 511);
}

#[test]
fn formulas() {
    let mut bounds = Bounds::default();
    bounds.excess(Double, 255);
    bounds.excess(NegatePoint, 32);
    bounds.excess(AddMixed, 255);
    bounds.excess(Add, 255);
    bounds.excess(AddCoZ, 511);
    bounds.excess(DoubleCoZ, 255);
    bounds.excess(AddWith, 511);
    bounds.excess(DoubleWith, 255);
    bounds.excess(ChordDenominator, 65536);
    bounds.excess(TangentDenominator, 196608);
    bounds.excess(AddMixedComplete, 32);
    bounds.excess(AddComplete, 32);
    bounds.excess(SamePoint, 255);
    bounds.excess(ToAffine, 255);
    bounds.excess(OnCurve, 255);
    bounds.excess(Endomorphism, 32);
    bounds.excess(NegateAffine, 32);
    bounds.excess(Image, 255);
    bounds.excess(Equation, 255);
    bounds.excess(EquationY, 255);
    bounds.excess(EquationSumY, 255);
}

/// Any words give a carried number, and every number gives words.
#[test]
fn words() {
    fn check<P: Prime>() {
        type Number<P> = FeF64X8<P, DoubleInterval>;
        let words = Number::<P>::from_words([Interval::up_to(u64::MAX); 4]);
        for number in [words, Number::<P>::from_digits(sum(3)).normalize()] {
            assert_carried(number.digits());
            let _ = number.to_words();
            let _ = FeF64X8::to_weak_rows([number, number]);
        }
    }
    check::<P256k1>();
    check::<Steepest>();
}

/// Rows' coordinates that are only subtracted serve as the contract says, and as no more.
#[test]
fn coordinates_to_subtract() {
    type Number<P> = FeF64X8<P, DoubleInterval>;
    fn row<P: Prime>() -> Number<P> {
        Number::from_row_to_subtract([Interval::up_to(u64::MAX); 4])
    }
    fn sum<P: Prime>(first_y: Number<P>) {
        let number = Number::<P>::from_digits(carried());
        let [first_y, second_y] = [first_y, row()].map(|y| y.negate_where(Mask8(1), 1));
        let (a, b) = (Affine { x: row(), y: first_y }, Affine { x: row(), y: second_y });
        let Affine { x, y } = a.add_with(b, number);
        let (Affine { x: u, y: v }, Affine { x: w, y: z }) = (a.weaken(), b.weaken());
        for number in [a.chord_denominator(&b), x, y, u, v, w, z] {
            assert_carried(number.digits());
        }
    }
    sum::<P256k1>(Number::from_digits(carried()));
    sum::<Steepest>(Number::from_digits(carried()));
    assert!(!passes(|| sum::<P256k1>(row())), "the first y is an addend of a product");
    assert!(!passes(|| _ = Number::<P256k1>::from_digits(carried()).mul(row())), "no row is a factor");
}

/// The intervals themselves refuse one step beyond what a double holds.
#[test]
fn intervals_refuse_what_rounds() {
    fn allows<T>(work: impl FnOnce() -> T) -> bool {
        passes(|| _ = work())
    }
    let (limit, one) = (power_of_two(53), DoubleInterval::splat(1.0));
    let below = DoubleInterval::within(limit - 1.0, 0);
    assert_eq!(below.add(one).high, limit);
    assert!(!allows(|| below.add(one).add(one)) && !allows(|| below.sub(one.add(one))));
    assert!(allows(|| below.times(4.0)) && !allows(|| below.times(3.0)));
    let (more, less) = (DoubleInterval::within(power_of_two(27), 0), DoubleInterval::within(power_of_two(25), 0));
    assert!(allows(|| one.add_product(more, less)) && !allows(|| one.add_product(more, more)));
    // What is added to 2^62 is split at 2^10, which leaves 2^53 of the grid 2^-44 and no finer one; and the sum must
    // stay above zero.
    let large = DoubleInterval::splat(power_of_two(62));
    let part = |grid| DoubleInterval::within(limit, grid);
    assert!(allows(|| large.plus(part(0))) && !allows(|| DoubleInterval::splat(limit).plus(part(0))));
    let product = |grid| large.plus_product(part(0), DoubleInterval::within(1.0, grid));
    assert!(allows(|| product(-44)) && !allows(|| product(-45)));
    assert!(allows(|| below.split(2)) && !allows(|| below.split(1)));
    let fold = |own| DoubleInterval::within(own, 0).fold(DoubleInterval::within(limit, 0), 1.0, 40);
    assert!(allows(|| fold(limit - power_of_two(40))) && !allows(|| fold(limit)));
}

/// A double as a multiple of 2^-300.
fn integer(double: f64) -> BigInt {
    let (bits, sign) = (double.to_bits(), if double < 0.0 { -1 } else { 1 });
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let mantissa = if double == 0.0 { 0 } else { bits & ((1 << 52) - 1) | 1 << 52 };
    let zeros = mantissa.trailing_zeros().min(63) as i32;
    (BigInt::from(sign) * BigInt::from(mantissa >> zeros)) << (exponent + zeros + 300).max(0)
}

/// The steps that round on purpose give what the intervals say, and their parts are the whole.
#[test]
fn steps_are_what_intervals_say() {
    fn lane(value: EmulatedDoubles) -> f64 {
        f64::from_bits(value.to_bits().to_lanes()[0])
    }
    let mut random = Random::new(61);
    for _ in 0..20_000 {
        let (i, j) = (random.below(5) as usize, random.below(5) as usize);
        let grid = GRIDS[i] + GRIDS[j] + 51;
        let values = [digit(&mut random, i, 1), digit(&mut random, j, 1)];
        let start = 1.5 * power_of_two(52 + grid);
        let [a, b, s] = [values[0], values[1], start].map(EmulatedDoubles::splat);
        let [va, vb, vs] = [carried()[i], carried()[j], DoubleInterval::splat(start)];
        let product = integer(values[0]) * integer(values[1]);
        let (scale, within) = (integer(1.0), |value: EmulatedDoubles, range: DoubleInterval| {
            let value = lane(value);
            assert!(range.low <= value && value <= range.high, "{value:e} is not within {range:?}");
            let unit = power_of_two(range.grid);
            assert!((value / unit).fract() == 0.0, "{value:e} is not on the grid of {range:?}");
            integer(value)
        });
        for (step, said, sign) in
            [(s.plus_product(a, b), vs.plus_product(va, vb), 1), (s.minus_product(a, b), vs.minus_product(va, vb), -1)]
        {
            let (high, coarse) = (within(step.high, said.high), within(step.coarse, said.coarse));
            let fine = within(step.fine, said.fine);
            assert_eq!(high, integer(start) + BigInt::from(sign) * &coarse);
            assert_eq!((coarse + fine) * &scale, product);
        }
        let small = digit(&mut random, i, 3);
        let start = 1.5 * power_of_two(52 + GRIDS[i] + 51);
        let step = EmulatedDoubles::splat(start).plus(EmulatedDoubles::splat(small));
        let said = DoubleInterval::splat(start).plus(DoubleInterval::within(largest(i, 3, EXCESS), GRIDS[i]));
        let (high, coarse) = (within(step.high, said.high), within(step.coarse, said.coarse));
        assert_eq!(high, integer(start) + &coarse);
        assert_eq!(coarse + within(step.fine, said.fine), integer(small));

        let grid = GRIDS[i + 1];
        let (split, said) = (a.split(grid), va.split(grid));
        assert_eq!(within(split.carry, said.carry) + within(split.rest, said.rest), integer(values[0]));
        let (split, said) = (a.split_multiple(3.0, grid), va.split_multiple(3.0, grid));
        assert_eq!(within(split.carry, said.carry) + within(split.rest, said.rest), 3 * integer(values[0]));
        let wrap = P256k1::C as f64 * power_of_two(-256);
        let above = digit(&mut random, i, 3) * power_of_two(256);
        let range = DoubleInterval::within(largest(i, 3, EXCESS) * power_of_two(256), GRIDS[i] + 256);
        let (split, said) = (a.fold(EmulatedDoubles::splat(above), wrap, grid), va.fold(range, wrap, grid));
        let whole = within(split.carry, said.carry) + within(split.rest, said.rest);
        assert_eq!(whole * &scale, integer(values[0]) * &scale + integer(above) * integer(wrap));
    }
}

/// A digit of at most the magnitude: at an end, near one, small, or anywhere.
fn digit(random: &mut Random, i: usize, magnitude: u64) -> f64 {
    let unit = power_of_two(GRIDS[i]);
    let largest = (largest(i, magnitude, EXCESS) / unit) as i64;
    let units = match random.below(6) {
        0 => largest,
        1 => -largest,
        2 => largest - random.below(9) as i64,
        3 => random.below(9) as i64 - 4,
        _ => random.below(2 * largest as u64 + 1) as i64 - largest,
    };
    units as f64 * unit
}

type Digits = [[f64; 5]; LANES];

/// Work that is generic over doubles.
trait OnDoubles {
    type Output;
    /// The work. Implementors mark it `#[inline(always)]`.
    fn on<D: Doubles<Word: Word>>(self) -> Self::Output;
}

/// The same on the doubles of a machine.
struct OfWords<T>(T);

impl<T: OnDoubles> Op for OfWords<T> {
    type Output = T::Output;

    #[inline(always)]
    fn call<W: Word>(self) -> T::Output {
        assert!(W::IN_DOUBLES, "{} has no doubles", W::NAME);
        self.0.on::<W::Doubles>()
    }
}

fn on_doubles<T: OnDoubles>(backend: Backend, work: T) -> T::Output {
    match backend {
        Backend::Doubles => work.on::<EmulatedDoubles>(),
        _ => backend.run_op(OfWords(work)),
    }
}

/// The operation on digits as they are, and back.
struct Raw<'a, const N: usize, const M: usize, O>(O, &'a [Digits; N], PhantomData<[(); M]>);

impl<const N: usize, const M: usize, O: Operation<N, M>> OnDoubles for Raw<'_, N, M, O> {
    type Output = [Digits; M];

    #[inline(always)]
    fn on<D: Doubles<Word: Word>>(self) -> [Digits; M] {
        let load = |numbers: &Digits| {
            let word = |i: usize| D::Word::from_lanes(numbers.map(|number| number[i].to_bits()));
            FeF64X8::<P256k1, D>::from_memory([word(0), word(1), word(2), word(3), word(4)])
        };
        let (results, _) = self.0.call(self.1.each_ref().map(load));
        results.map(|result| {
            let words = result.to_memory().map(|word| word.to_lanes());
            core::array::from_fn(|lane| core::array::from_fn(|i| f64::from_bits(words[i][lane])))
        })
    }
}

/// The number that digits stand for, modulo p.
fn number(digits: [f64; 5]) -> BigUint {
    let sum = digits.into_iter().map(integer).fold(BigInt::ZERO, |sum, digit| sum + digit);
    let p = BigInt::from(p());
    (((sum >> 300u32) % &p + &p) % &p).to_biguint().expect("the remainder is not negative")
}

/// Digits at the ends of their bounds, in every combination of signs, give what big integers give; results are carried.
fn check<const N: usize, const M: usize>(
    operation: impl Operation<N, M>,
    magnitudes: [u64; N],
    expected: impl Fn([BigUint; N]) -> [BigUint; M],
) {
    let mut random = Random::new(62);
    for backend in Backend::all().into_iter().filter(|backend| backend.has_doubles()) {
        for _ in 0..2000 {
            let inputs = magnitudes.map(|magnitude| {
                let mut number = || core::array::from_fn(|i| digit(&mut random, i, magnitude));
                core::array::from_fn(|_| number())
            });
            let raw = Raw(operation, &inputs, PhantomData::<[(); M]>);
            let results = on_doubles(backend, raw);
            for lane in 0..LANES {
                let wanted = expected(inputs.map(|input: Digits| number(input[lane])));
                for (result, wanted) in results.iter().zip(wanted) {
                    let say = || format!("{} on {:?}", backend.name(), inputs.map(|input| input[lane]));
                    assert_eq!(number(result[lane]), wanted % p(), "{}", say());
                    let carried = (0..5).all(|i| result[lane][i].abs() <= largest(i, 1, EXCESS));
                    assert!(carried, "{:?} is not carried: {}", result[lane], say());
                }
            }
        }
    }
}

#[test]
fn digits_at_their_bounds() {
    let minus = |number: BigUint| p() - number % p();
    check(Mul, [1, 1], |[a, b]| [a * b]);
    check(Square, [1], |[a]| [&a * &a]);
    check(MulAdd, [1, 1, 1], |[a, b, c]| [a * b + c]);
    check(SquareAdd, [1, 3], |[a, b]| [&a * &a + b]);
    check(MulLess, [1, 1, 1], |[a, b, c]| [a * b + minus(c)]);
    check(SquareLess::<1>, [1, 3], |[a, b]| [&a * &a + minus(b)]);
    check(SquareLess::<2>, [1, 1], |[a, b]| [&a * &a + minus(2u8 * b)]);
    check(MulPlus, [1, 1, 1, 1], |[a, b, c, d]| [a * b + minus(c * d)]);
    check(SquarePlus, [1, 1, 1], |[a, b, c]| [&a * &a + minus(b * c)]);
    check(MulScaled::<4>, [1, 1], |[a, b]| [a * b * 4u8]);
    check(MulLoose, [1, 1], |[a, b]| [a * b * 2u8]);
    check(SquareScaled::<4>, [1], |[a]| [&a * &a * 4u8]);
    check(Carry, [3], |[a]| [a]);
    check(Difference(2), [1, 2], |[a, b]| [a + minus(b)]);
    check(Normalize, [3], |[a]| [a]);
}

/// Words by every way that leads in and out.
struct ThroughWords([[u64; 4]; LANES]);

impl OnDoubles for ThroughWords {
    type Output = [[[u64; 4]; LANES]; 6];

    #[inline(always)]
    fn on<D: Doubles<Word: Word>>(self) -> Self::Output {
        let words = core::array::from_fn(|i| D::Word::from_lanes(self.0.map(|number| number[i])));
        let number = FeF64X8::<P256k1, D>::from_words(words);
        assert!(number.fits_row());
        let row = FeF64X8::<P256k1, D>::from_row(words).fit_row().to_row();
        let raw = FeF64X8::<P256k1, D>::from_memory(number.add(FeF64X8::zero()).to_memory());
        let [weak, zero] = FeF64X8::to_weak_rows([number, number.difference(number, 1)]);
        let weak = FeF64X8::<P256k1, D>::from_row(weak).normalize().to_words();
        let digits = FeF64X8::<P256k1, D>::from_row_to_subtract(words).normalize().to_words();
        [number.normalize().to_words(), row, raw.normalize().to_words(), weak, digits, zero].map(|words| {
            let words = words.map(|word| word.to_lanes());
            core::array::from_fn(|lane| core::array::from_fn(|i| words[i][lane]))
        })
    }
}

#[test]
fn words_in_and_out() {
    let mut random = Random::new(63);
    for backend in Backend::all().into_iter().filter(|backend| backend.has_doubles()) {
        for round in 0..500u32 {
            let mut numbers = random.eight_numbers(&p());
            // A number a little below p has digits whose sign only the lowest ones tell.
            numbers[round as usize % LANES] = p() - (BigUint::from(1 + round) << (round % 200));
            let canonical = numbers.each_ref().map(|number| to_words(&(number % p())));
            let ways = on_doubles(backend, ThroughWords(numbers.each_ref().map(to_words)));
            assert_eq!(ways, [canonical, canonical, canonical, canonical, canonical, [[0; 4]; LANES]]);
        }
    }
}

/// Formulas for an A that is small, large, and small and negative.
#[test]
fn formulas_with_a() {
    run::<Steepest, 11, 16>(Formulas::<Sloped<7>>(PhantomData), [carried(); 11]);
    run::<Steepest, 11, 16>(Formulas::<Sloped<11>>(PhantomData), [carried(); 11]);
    run::<Steepest, 11, 16>(Formulas::<Sloped<13>>(PhantomData), [carried(); 11]);
}
