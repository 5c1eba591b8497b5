//! Every operation of the field against big integers, on every backend, each lane on numbers of its own.

use crate::backends::{Backend, Lanes, ModP, Operation};
use crate::operations::*;
use crate::reference::{Limbs, from_limbs, from_words, invert, negate, p, to_limbs, to_words};
use crate::samples::{Random, Shape};
use crate::secp256k1::P256k1;
use num_bigint::BigUint;
use phalanx_engine::field::{Fe4, FeX8, Field};
use phalanx_engine::word::{LANES, Mask, Op, Word};

const ROUNDS: usize = 4000;

operations! {
    SquareTimes: 1 => 1, |[a]| [a.square_times(5)];
    IsOdd: 1 => 0, |[a]| [], a.normalize().is_odd();
    NegateWhereZero(magnitude): 2 => 1, |[condition, a]| [a.negate_where(condition.is_zero(), magnitude)];
    SelectSmaller: 3 => 1, |[condition, a, b]| [F::select(condition.is_zero(), a, b)];
    Constants: 1 => 4, |[_a]| [F::zero(), F::one(), F::constant([5, 6, 7, 8]), F::constant([u64::MAX; 4])];
}

/// Runs the operation on samples of the shapes; each lane's results must have the shape `output` and be, modulo p, what
/// `expected` says. `expected` sees the inputs as integers, and answers with the outputs and the truth value.
fn check<const N: usize, const M: usize>(
    backend: Backend,
    operation: impl Operation<N, M>,
    inputs: [Shape; N],
    output: Shape,
    expected: impl Fn([&BigUint; N]) -> ([BigUint; M], bool),
) {
    let mut random = Random::new(N as u64 + 7);
    for _ in 0..ROUNDS / LANES {
        let samples = inputs.map(|shape| backend.takes(shape).eight(&mut random));
        let (results, truth) = backend.run(operation, &samples);
        for lane in 0..LANES {
            let numbers = samples.map(|sample| from_limbs(sample[lane]));
            let (wanted, wanted_truth) = expected(numbers.each_ref());
            let say = || format!("{} lane {lane} on {:x?}", backend.name(), samples.map(|sample| sample[lane]));
            for (result, wanted) in results.iter().zip(wanted) {
                let limbs: Limbs = result[lane];
                assert_eq!(from_limbs(limbs) % p(), wanted % p(), "{}", say());
                assert!(output.admits(limbs), "{limbs:x?} is not of {output:?}: {}", say());
            }
            assert_eq!(truth >> lane & 1 == 1, wanted_truth, "{}", say());
        }
    }
}

#[test]
fn additions() {
    for backend in Backend::all() {
        let (a, b) = (Shape::loose(13), Shape::loose(11));
        check(backend, Sum, [a, b], Shape::loose(24), |[a, b]| ([a + b], false));
        check(backend, Sub(11), [a, b], Shape::loose(25), |[a, b]| ([a + negate(b)], false));
        for magnitude in [1, 2, 3, 7, 23] {
            let (input, output) = (Shape::loose(magnitude), Shape::loose(magnitude + 1));
            check(backend, Negate(magnitude), [input], output, |[a]| ([negate(a)], false));
        }
        // Other multiples go beyond what a double holds.
        for k in (1..=8).filter(|k| !backend.has_doubles() || [1, 2, 3, 4, 8].contains(k)) {
            check(backend, Scale(k), [Shape::loose(3)], Shape::loose(3 * k), |[a]| ([a * k], false));
        }
    }
}

#[test]
fn carries() {
    for backend in Backend::all() {
        for magnitude in [1, 4, 7] {
            // The top limb takes up what the others carry, a little beyond the magnitude.
            let output = Shape::carried(magnitude + 1);
            check(backend, Carry, [Shape::loose(magnitude)], output, |[a]| ([a.clone()], false));
        }
        for magnitude in [1, 7, 24] {
            check(backend, Weaken, [Shape::loose(magnitude)], Shape::carried(1), |[a]| ([a.clone()], false));
        }
    }
}

#[test]
fn products() {
    for backend in Backend::all() {
        for magnitude in [1, 3, 7] {
            let (f, one) = (Shape::carried(magnitude), Shape::carried(1));
            check(backend, Mul, [f, f], one, |[a, b]| ([a * b], false));
            check(backend, Square, [f], one, |[a]| ([a * a], false));
            check(backend, MulAdd, [f, f, Shape::loose(80)], one, |[a, b, c]| ([a * b + c], false));
            check(backend, SquareAdd, [f, Shape::loose(80)], one, |[a, b]| ([a * a + b], false));
            check(backend, MulLess, [f, f, Shape::loose(79)], one, |[a, b, c]| ([a * b + negate(c)], false));
            check(backend, SquareLess::<1>, [f, Shape::loose(79)], one, |[a, b]| ([a * a + negate(b)], false));
            let half = Shape::loose(39);
            check(backend, SquareLess::<2>, [f, half], one, |[a, b]| ([a * a + negate(&(2u8 * b))], false));
        }
        let (one, two, four) = (Shape::carried(1), Shape::carried(2), Shape::carried(4));
        let loose = Shape::loose(phalanx_engine::field::LOOSE);
        check(backend, MulLoose, [two, four], loose, |[a, b]| ([2u8 * a * b], false));
        let difference = Shape::carried(4);
        check(backend, DifferenceOfProduct, [two, two, Shape::loose(2)], difference, |[a, b, c]| {
            ([2u8 * a * b + negate(c)], false)
        });
        check(backend, MulPlus, [four, four, two, four], one, |[a, b, c, d]| ([a * b + negate(&(c * d))], false));
        check(backend, MulPlusSquare, [four, four, two], one, |[a, b, c]| ([a * b + negate(&(2u8 * c * c))], false));
        check(backend, SquarePlus, [four, two, four], one, |[a, b, c]| ([a * a + negate(&(b * c))], false));
        fn scaled<const K: u64>(backend: Backend, shape: Shape) {
            check(backend, MulScaled::<K>, [shape, shape], Shape::loose(K), |[a, b]| ([a * b * K], false));
            check(backend, SquareScaled::<K>, [shape], Shape::loose(K), |[a]| ([a * a * K], false));
        }
        scaled::<1>(backend, one);
        scaled::<2>(backend, one);
        scaled::<3>(backend, one);
        scaled::<4>(backend, one);
        // Zero is among the samples, whose inverse is zero.
        check(backend, Invert, [Shape::carried(5)], one, |[a]| ([invert(&(a % p()))], false));
        check(backend, SquareTimes, [Shape::carried(5)], Shape::carried(1), |[a]| {
            ([a.modpow(&32u8.into(), &p())], false)
        });
    }
}

#[test]
fn canonical_forms_and_comparisons() {
    for backend in Backend::all() {
        for magnitude in [1, 2, 7, 24] {
            let input = Shape::loose(magnitude);
            check(backend, Normalize, [input], Shape::carried(1), |[a]| ([a % p()], false));
            check(backend, IsZero, [input], Shape::carried(1), |[a]| ([], a % p() == BigUint::ZERO));
            check(backend, IsOdd, [input], Shape::carried(1), |[a]| ([], (a % p()).bit(0)));
        }
        let (a, b) = (Shape::loose(22), Shape::loose(1));
        check(backend, Equals, [a, b], b, |[a, b]| ([], a % p() == b % p()));
        check(backend, SelectSmaller, [b, b, b], b, |[condition, a, b]| {
            ([if condition % p() == BigUint::ZERO { a.clone() } else { b.clone() }], false)
        });
        check(backend, NegateWhereZero(1), [b, b], Shape::loose(2), |[condition, a]| {
            ([if condition % p() == BigUint::ZERO { negate(a) } else { a.clone() }], false)
        });
    }
}

/// A normalised value has exactly the limbs of the number below p, also around every multiple of p.
#[test]
fn normalized_limbs_are_canonical() {
    let mut random = Random::new(11);
    for backend in Backend::all() {
        for round in 0..ROUNDS / LANES {
            let input: [Limbs; LANES] = core::array::from_fn(|lane| {
                let times = if backend.has_doubles() { 2 } else { 40 };
                let near = p() * (round as u64 % times) + BigUint::from(lane as u64);
                if near < BigUint::from(4u8) { [0; 5] } else { to_limbs(&(near - 4u8)) }
            });
            let other = backend.takes(Shape::loose(24)).eight(&mut random);
            for input in [input, other] {
                let ([output], _) = backend.run(Normalize, &[input]);
                for lane in 0..LANES {
                    assert_eq!(output[lane], to_limbs(&(from_limbs(input[lane]) % p())), "{:x?}", input[lane]);
                }
            }
        }
    }
}

#[test]
fn constants() {
    for backend in Backend::all() {
        let ([zero, one, some, full], _) = backend.run(Constants, &[[[0; 5]; LANES]]);
        for lane in 0..LANES {
            assert_eq!(zero[lane], [0; 5]);
            assert_eq!(one[lane], [1, 0, 0, 0, 0]);
            assert_eq!(from_limbs(some[lane]), from_words(&[5, 6, 7, 8]));
            assert_eq!(from_limbs(full[lane]) % p(), from_words(&[u64::MAX; 4]) % p());
        }
    }
}

/// A lane's limbs of magnitude 1 may stand for up to twice 2^256.
#[test]
fn limbs_of_lanes_to_digits() {
    let mut random = Random::new(14);
    for _ in 0..500 {
        for limbs in Shape::carried(1).eight(&mut random) {
            let number = from_limbs(limbs);
            let found = from_words(&Fe4::<P256k1>::from_limbs(limbs).to_words());
            assert_eq!(&found % p(), &number % p(), "{limbs:x?}");
        }
    }
}

/// Words of 64 bits to limbs and back, one number per lane.
struct ThroughWords([[u64; 4]; LANES]);
impl Op for ThroughWords {
    type Output = ([Limbs; LANES], [[u64; 4]; LANES]);

    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let number = FeX8::<P256k1, W>::from_lanes(self.0);
        let limbs = ModP::<P256k1>::store(number).map(W::to_lanes);
        let limbs = core::array::from_fn(|lane| core::array::from_fn(|limb| limbs[limb][lane]));
        (limbs, number.normalize().to_lanes())
    }
}

#[test]
fn words_to_limbs_and_back() {
    let (mut random, backends) = (Random::new(13), Backend::of_eight_lanes());
    for _ in 0..200 {
        let numbers = random.eight_numbers(&p());
        let words = numbers.each_ref().map(to_words);
        let limbs = numbers.each_ref().map(to_limbs);
        let canonical = numbers.each_ref().map(|number| to_words(&(number % p())));
        for lane in 0..LANES {
            let four = Fe4::<P256k1>::from_words(words[lane]);
            assert_eq!(four.limbs(), limbs[lane]);
            assert_eq!(four.normalize().to_words(), canonical[lane]);
            assert_eq!(Fe4::<P256k1>::from_limbs(limbs[lane]).to_words(), words[lane]);
            for unit in [0, 1, u64::MAX] {
                let beyond = four.add(Fe4::from_digits([unit, unit, unit, unit, unit]));
                assert_eq!(beyond.is_zero_vartime(), beyond.is_zero().any());
            }
            assert_eq!(four.is_zero_vartime(), canonical[lane] == [0; 4]);
        }
        for backend in &backends {
            // Limbs that were doubles on the way are those of the canonical number.
            let limbs =
                if backend.has_doubles() { canonical.map(|words| to_limbs(&from_words(&words))) } else { limbs };
            assert_eq!(backend.run_op(ThroughWords(words)), (limbs, canonical), "{}", backend.name());
        }
    }
}
