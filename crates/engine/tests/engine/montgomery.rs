//! The Montgomery field of eight lanes against big integers, modulo the order of secp256k1's group and
//! modulo the prime of Bandersnatch's coordinates (the order of BLS12-381's group).

use crate::backends::{Backend, Lanes, Operation};
use crate::moduli::{BandersnatchBase, OrderN};
use crate::operations::*;
use crate::reference::{from_limbs, from_words, to_limbs, to_words};
use crate::samples::{Random, Shape};
use core::marker::PhantomData;
use num_bigint::BigUint;
use phalanx_engine::field::{Field, MontX8, MontgomeryPrime};
use phalanx_engine::word::{LANES, Op, Word};

const ROUNDS: usize = 150;

/// `MontX8` modulo `M`.
pub(crate) struct ModM<M>(PhantomData<M>);

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
}

fn operations<M: MontgomeryPrime>() {
    let (one, two, four) = (Shape::carried(1), Shape::carried(2), Shape::carried(4));
    let (seven, loose) = (Shape::carried(7), Shape::loose(24));
    // A modulus below 2^255 asks more of products with nothing added.
    let below = M::MODULUS[3] >> 63 == 0;
    let factors = if below { [Shape::carried(5), one] } else { [seven, seven] };
    let (base, thirds) = if below { (two, [one, one]) } else { (seven, [two, seven]) };
    check::<M, 2, 1>(Sum, [Shape::loose(3), Shape::loose(4)], Shape::loose(7), |[a, b]| ([a + b], false));
    check::<M, 2, 1>(Sub(3), [Shape::loose(3); 2], Shape::loose(7), |[a, b]| ([a + negate::<M>(b)], false));
    check::<M, 1, 1>(Negate(7), [Shape::loose(7)], Shape::loose(8), |[a]| ([negate::<M>(a)], false));
    check::<M, 1, 1>(Scale(3), [Shape::loose(3)], Shape::loose(9), |[a]| ([3u8 * a], false));
    check::<M, 1, 1>(Carry, [Shape::loose(6)], seven, |[a]| ([a.clone()], false));
    check::<M, 1, 1>(Weaken, [loose], one, |[a]| ([a.clone()], false));
    check::<M, 2, 1>(Difference(2), [one, Shape::loose(2)], Shape::carried(5), |[a, b]| ([a + negate::<M>(b)], false));
    check::<M, 2, 1>(Mul, factors, one, |[a, b]| ([a * b], false));
    check::<M, 1, 1>(Square, [base], one, |[a]| ([a * a], false));
    check::<M, 2, 1>(MulScaled::<3>, thirds, one, |[a, b]| ([3u8 * a * b], false));
    check::<M, 2, 1>(MulLoose, thirds, one, |[a, b]| ([2u8 * a * b], false));
    check::<M, 1, 1>(SquareScaled::<4>, [base], Shape::carried(5), |[a]| ([4u8 * a * a], false));
    check::<M, 3, 1>(MulAdd, [seven, seven, Shape::loose(80)], one, |[a, b, c]| ([a * b + c], false));
    check::<M, 2, 1>(SquareAdd, [seven, Shape::loose(80)], one, |[a, b]| ([a * a + b], false));
    check::<M, 4, 1>(MulPlus, [four, four, two, four], one, |[a, b, c, d]| ([a * b + negate::<M>(&(c * d))], false));
    check::<M, 3, 1>(MulPlusSquare, [four, four, two], one, |[a, b, c]| ([a * b + negate::<M>(&(2u8 * c * c))], false));
    check::<M, 3, 1>(SquarePlus, [four, two, four], one, |[a, b, c]| ([a * a + negate::<M>(&(b * c))], false));
    check::<M, 1, 1>(Normalize, [loose], one, |[a]| ([a.clone()], false));
    check::<M, 1, 0>(IsZero, [loose], one, |[a]| ([], *a == BigUint::ZERO));
    check::<M, 1, 0>(LeaveMontgomery, [seven], one, |[a]| ([], a.bit(0)));
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
        let numbers = [random.eight_numbers(&n), random.eight_numbers(&n)];
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
