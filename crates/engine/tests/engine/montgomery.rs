//! The Montgomery fields of one lane and of eight against big integers, modulo the order of secp256k1's group and
//! modulo the prime of Bandersnatch's coordinates (the order of BLS12-381's group).

use crate::backends::{Backend, Lanes, Operation, operations};
use crate::reference::{from_limbs, from_words, to_limbs, to_words};
use crate::samples::{Random, Shape};
use core::marker::PhantomData;
use num_bigint::BigUint;
use phalanx_engine::field::{Field, FieldX1, Mont, MontX8, MontgomeryPrime};
use phalanx_engine::word::{LANES, Mask, Op, Word};

const ROUNDS: usize = 150;

/// The order of secp256k1's group. Source: SEC 2, section 2.4.1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderN;
impl MontgomeryPrime for OrderN {
    const MODULUS: [u64; 4] = [0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff];
}

/// The prime of Bandersnatch's coordinates. Source: Masson, Sanso and Zhang, "Bandersnatch", 2021, section 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandersnatchBase;
impl MontgomeryPrime for BandersnatchBase {
    const MODULUS: [u64; 4] = [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48];
}

/// `MontX8` modulo `M`.
struct ModM<M>(PhantomData<M>);

impl<M: MontgomeryPrime> Lanes for ModM<M> {
    type Over<W: Word> = MontX8<M, W>;
    #[inline(always)]
    fn load<W: Word>(limbs: [W; 5]) -> MontX8<M, W> {
        MontX8::from_limbs(limbs)
    }
    #[inline(always)]
    fn store<W: Word>(number: MontX8<M, W>) -> [W; 5] {
        number.limbs()
    }
}

fn modulus<M: MontgomeryPrime>() -> BigUint {
    from_words(&M::MODULUS)
}

/// 2^-260: limbs in Montgomery's form times this are the number they stand for.
fn leave<M: MontgomeryPrime>() -> BigUint {
    (BigUint::from(1u8) << 260u32).modinv(&modulus::<M>()).expect("the modulus is odd")
}

fn negate<M: MontgomeryPrime>(x: &BigUint) -> BigUint {
    (modulus::<M>() - x % modulus::<M>()) % modulus::<M>()
}

operations! {
    Add: 2 => 1, |[a, b]| [a.add(b)];
    Sub: 2 => 1, |[a, b]| [a.sub(b, 3)];
    Negate: 1 => 1, |[a]| [a.negate(7)];
    Scale: 1 => 1, |[a]| [a.scale(3)];
    Carry: 1 => 1, |[a]| [a.carry()];
    Weaken: 1 => 1, |[a]| [a.weaken()];
    Difference: 2 => 1, |[a, b]| [a.difference(b, 2)];
    Mul: 2 => 1, |[a, b]| [a.mul(b)];
    Square: 1 => 1, |[a]| [a.square()];
    MulScaled: 2 => 2, |[a, b]| [a.mul_scaled::<3>(b), a.mul_loose::<2>(b)];
    SquareScaled: 1 => 1, |[a]| [a.square_scaled::<4>()];
    MulAdd: 3 => 1, |[a, b, c]| [a.mul_add(b, c)];
    SquareAdd: 2 => 1, |[a, b]| [a.square_add(b)];
    MulPlus: 4 => 1, |[a, b, c, d]| [a.mul_plus(b, c.minus_product(d, 2))];
    SquarePlus: 2 => 1, |[a, b]| [a.square_plus(b.minus_square::<2>(2))];
    Normalize: 1 => 1, |[a]| [a.normalize()];
    IsZero: 1 => 0, |[a]| [], a.is_zero();
    IsOdd: 1 => 0, |[a]| [], a.is_odd();
    Equals: 2 => 0, |[a, b]| [], a.equals(b);
    Invert: 1 => 1, |[a]| [a.invert()];
    Constants: 1 => 3, |[_a]| [F::zero(), F::one(), F::constant([5, 6, 7, 8])];
}

/// As `field::check`: results have the shape `output` and stand for what `expected` says.
fn check<M: MontgomeryPrime, const N: usize, const K: usize>(
    operation: impl Operation<N, K>,
    inputs: [Shape; N],
    output: Shape,
    expected: impl Fn([&BigUint; N]) -> ([BigUint; K], bool),
) {
    let (mut random, leave) = (Random::new(N as u64 + 40), leave::<M>());
    let decode = |limbs| from_limbs(limbs) * &leave % modulus::<M>();
    for backend in Backend::of_eight_lanes() {
        for _ in 0..ROUNDS {
            let samples = inputs.map(|shape| shape.eight_near(&mut random, &modulus::<M>()));
            let (results, truth) = backend.run_in::<ModM<M>, N, K, _>(operation, &samples);
            for lane in 0..LANES {
                let numbers = samples.map(|sample| decode(sample[lane]));
                let (wanted, wanted_truth) = expected(numbers.each_ref());
                let say = || format!("{} lane {lane} on {:x?}", backend.name(), samples.map(|sample| sample[lane]));
                for (result, wanted) in results.iter().zip(wanted) {
                    assert_eq!(decode(result[lane]), wanted % modulus::<M>(), "{}", say());
                    assert!(output.admits(result[lane]), "{:x?} is not of {output:?}: {}", result[lane], say());
                }
                assert_eq!(truth >> lane & 1 == 1, wanted_truth, "{}", say());
            }
        }
    }
    for _ in 0..ROUNDS {
        // One lane knows canonical numbers only.
        let samples = inputs.map(|shape| shape.eight_near(&mut random, &modulus::<M>()));
        for lane in 0..LANES {
            let rows = samples.map(|sample| to_words(&(from_limbs(sample[lane]) % modulus::<M>())));
            let numbers = rows.map(|row| decode(to_limbs(&from_words(&row))));
            let (results, truth) = operation.call(rows.map(Mont::<M>::from_row));
            let (wanted, wanted_truth) = expected(numbers.each_ref());
            for (result, wanted) in results.iter().zip(wanted) {
                let found = from_words(&result.to_row());
                assert!(found < modulus::<M>(), "one lane on {rows:x?}");
                assert_eq!(decode(to_limbs(&found)), wanted % modulus::<M>(), "one lane on {rows:x?}");
            }
            assert_eq!(truth.lane(0), wanted_truth, "one lane on {rows:x?}");
        }
    }
}

/// One lane takes words and rows that are not below M: around every multiple of it below 2^256.
fn not_canonical<M: MontgomeryPrime>() {
    let (m, leave) = (modulus::<M>(), leave::<M>());
    let top = BigUint::from(1u8) << 256u32;
    let edges = (0..8u8).flat_map(|times| (0..9u8).map(move |near| (times, near)));
    // Up to four beside each multiple.
    let edges = edges.map(|(times, near)| if times == 0 { near.into() } else { times * &m + near - 4u8 });
    for number in edges.chain([&top - 1u8]).filter(|number| *number < top) {
        let element = Mont::<M>::from_row(to_words(&number));
        assert_eq!(from_words(&element.to_row()), &number % &m);
        assert_eq!(from_words(&element.to_words()), &number * &leave % &m);
        assert_eq!(from_words(&Mont::<M>::from_words(to_words(&number)).to_words()), &number % &m);
        assert_eq!(element.is_zero_vartime(), &number % &m == BigUint::ZERO);
    }
}

#[test]
fn one_lane_takes_any_limbs_and_words() {
    not_canonical::<OrderN>();
    not_canonical::<BandersnatchBase>();
}

fn operations<M: MontgomeryPrime>() {
    let (one, two, four) = (Shape::carried(1), Shape::carried(2), Shape::carried(4));
    let (seven, loose) = (Shape::carried(7), Shape::loose(24));
    // A modulus below 2^255 asks more of products with nothing added.
    let below = M::MODULUS[3] >> 63 == 0;
    let factors = if below { [Shape::carried(5), one] } else { [seven, seven] };
    let (base, thirds) = if below { (two, [one, one]) } else { (seven, [two, seven]) };
    check::<M, 2, 1>(Add, [Shape::loose(3), Shape::loose(4)], Shape::loose(7), |[a, b]| ([a + b], false));
    check::<M, 2, 1>(Sub, [Shape::loose(3); 2], Shape::loose(7), |[a, b]| ([a + negate::<M>(b)], false));
    check::<M, 1, 1>(Negate, [Shape::loose(7)], Shape::loose(8), |[a]| ([negate::<M>(a)], false));
    check::<M, 1, 1>(Scale, [Shape::loose(3)], Shape::loose(9), |[a]| ([3u8 * a], false));
    check::<M, 1, 1>(Carry, [Shape::loose(6)], seven, |[a]| ([a.clone()], false));
    check::<M, 1, 1>(Weaken, [loose], one, |[a]| ([a.clone()], false));
    check::<M, 2, 1>(Difference, [one, Shape::loose(2)], Shape::carried(5), |[a, b]| ([a + negate::<M>(b)], false));
    check::<M, 2, 1>(Mul, factors, one, |[a, b]| ([a * b], false));
    check::<M, 1, 1>(Square, [base], one, |[a]| ([a * a], false));
    check::<M, 2, 2>(MulScaled, thirds, one, |[a, b]| ([3u8 * a * b, 2u8 * a * b], false));
    check::<M, 1, 1>(SquareScaled, [base], Shape::carried(5), |[a]| ([4u8 * a * a], false));
    check::<M, 3, 1>(MulAdd, [seven, seven, Shape::loose(80)], one, |[a, b, c]| ([a * b + c], false));
    check::<M, 2, 1>(SquareAdd, [seven, Shape::loose(80)], one, |[a, b]| ([a * a + b], false));
    check::<M, 4, 1>(MulPlus, [four, four, two, four], one, |[a, b, c, d]| ([a * b + negate::<M>(&(c * d))], false));
    check::<M, 2, 1>(SquarePlus, [four, two], one, |[a, b]| ([a * a + negate::<M>(&(2u8 * b * b))], false));
    check::<M, 1, 1>(Normalize, [loose], one, |[a]| ([a.clone()], false));
    check::<M, 1, 0>(IsZero, [loose], one, |[a]| ([], *a == BigUint::ZERO));
    check::<M, 1, 0>(IsOdd, [seven], one, |[a]| ([], a.bit(0)));
    check::<M, 2, 0>(Equals, [Shape::loose(7), Shape::loose(1)], one, |[a, b]| ([], a == b));
    let exponent = modulus::<M>() - 2u8;
    check::<M, 1, 1>(Invert, [Shape::carried(5)], one, |[a]| ([a.modpow(&exponent, &modulus::<M>())], false));
    check::<M, 1, 3>(Constants, [one], one, |_| {
        ([BigUint::ZERO, BigUint::from(1u8), from_words(&[5, 6, 7, 8])], false)
    });
}

#[test]
fn operations_modulo_the_group_order() {
    operations::<OrderN>();
}

#[test]
fn operations_modulo_bandersnatch() {
    operations::<BandersnatchBase>();
}

/// A normalised value has exactly the limbs of the number below M, also around every multiple of M.
#[test]
fn normalized_limbs_are_canonical() {
    fn around<M: MontgomeryPrime>() {
        for backend in Backend::of_eight_lanes() {
            for times in 1..40u64 {
                let input = core::array::from_fn(|lane| to_limbs(&(modulus::<M>() * times + lane as u64 - 4u8)));
                let ([output], _) = backend.run_in::<ModM<M>, 1, 1, _>(Normalize, &[input]);
                for lane in 0..LANES {
                    assert_eq!(output[lane], to_limbs(&(from_limbs(input[lane]) % modulus::<M>())));
                }
            }
        }
    }
    around::<OrderN>();
    around::<BandersnatchBase>();
}

/// Words in and out, with a product between.
struct ThroughWords([[u64; 4]; LANES], [[u64; 4]; LANES]);
impl Op for ThroughWords {
    type Output = [[[u64; 4]; LANES]; 2];

    #[inline(always)]
    fn call<W: Word>(self) -> Self::Output {
        let (a, b) = (MontX8::<OrderN, W>::from_lanes(self.0), MontX8::<OrderN, W>::from_lanes(self.1));
        [a.to_lanes(), a.mul(b).to_lanes()]
    }
}

#[test]
fn words_in_and_out() {
    let (mut random, n, backends) = (Random::new(51), modulus::<OrderN>(), Backend::of_eight_lanes());
    for _ in 0..ROUNDS {
        let numbers: [[BigUint; LANES]; 2] = core::array::from_fn(|_| {
            core::array::from_fn(|_| match random.below(4) {
                0 => &n + random.below(5),
                1 => &n - random.below(5),
                _ => random.number(),
            })
        });
        let [a, b] = numbers.each_ref().map(|numbers| numbers.each_ref().map(to_words));
        let wanted = [
            numbers[0].each_ref().map(|a| to_words(&(a % &n))),
            core::array::from_fn(|lane| to_words(&(&numbers[0][lane] * &numbers[1][lane] % &n))),
        ];
        for backend in &backends {
            assert_eq!(backend.run_op(ThroughWords(a, b)), wanted, "{}", backend.name());
        }
    }
}
