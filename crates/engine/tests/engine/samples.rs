//! Random numbers biased towards edges, from a seed.

use crate::reference::{Eight, Limbs, p, to_limbs};
use num_bigint::BigUint;
use phalanx_engine::word::LANES;

const FULL: u64 = (1 << 52) - 1;
const FULL_TOP: u64 = (1 << 48) - 1;

/// A stream of pseudo-random words (splitmix64; Steele, Lea and Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed, which is printed.
    pub(crate) fn new(seed: u64) -> Self {
        println!("seed {seed}");
        Self(seed)
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, nearly uniform.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// A number below 2^256.
    pub(crate) fn number(&mut self) -> BigUint {
        crate::reference::from_words(&[self.word(), self.word(), self.word(), self.word()])
    }

    /// A number below the modulus: near zero, near the modulus, near a power of two, sparse, or anywhere.
    pub(crate) fn below_modulus(&mut self, modulus: &BigUint) -> BigUint {
        let small = BigUint::from(self.below(1 << 10));
        let power = BigUint::from(1u8) << self.below(256);
        let number = match self.below(8) {
            0 => small,
            1 => modulus - 1u8 - small,
            2 => power,
            3 => power - 1u8,
            4 => modulus - power % modulus,
            5 => power + (BigUint::from(1u8) << self.below(256)),
            _ => self.number(),
        };
        number % modulus
    }

    /// Eight numbers below 2^256: anywhere, a little beyond the modulus, and below it.
    pub(crate) fn eight_numbers(&mut self, modulus: &BigUint) -> [BigUint; LANES] {
        core::array::from_fn(|_| match self.below(8) {
            0 | 1 => self.number(),
            2 => modulus + self.below(1000),
            3 => modulus + self.below(9) - 4u8,
            _ => self.below_modulus(modulus),
        })
    }

    /// A number below p.
    pub(crate) fn canonical(&mut self) -> BigUint {
        self.below_modulus(&p())
    }

    /// A limb from 0 to `largest`: at an end, near a multiple of 2^52, a power of two, or anywhere.
    pub(crate) fn limb(&mut self, largest: u64) -> u64 {
        let limb = match self.below(8) {
            0 => 0,
            1 => largest,
            2 => largest - self.below(4).min(largest),
            3 => self.below(4),
            4 => (self.below((largest >> 52) + 1) + 1) << 52,
            5 => ((self.below((largest >> 52) + 1) + 1) << 52) - 1 - self.below(4),
            6 => 1 << self.below(64),
            _ => self.below(largest + 1),
        };
        limb.min(largest)
    }
}

/// What a number in limbs may look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Its magnitude.
    pub(crate) magnitude: u64,
    /// Whether limbs 0 to 3 are below 2^52.
    pub(crate) carried: bool,
}

impl Shape {
    /// Of any limbs that the magnitude allows.
    pub(crate) fn loose(magnitude: u64) -> Self {
        Self { magnitude, carried: false }
    }

    /// Ready to be a factor in every field.
    pub(crate) fn carried(magnitude: u64) -> Self {
        Self { magnitude, carried: true }
    }

    /// The largest value of each limb.
    pub(crate) fn largest(self) -> Limbs {
        let limb = if self.carried { FULL } else { 2 * self.magnitude * FULL };
        [limb, limb, limb, limb, 2 * self.magnitude * FULL_TOP]
    }

    /// Whether the limbs are as the shape says.
    pub(crate) fn admits(self, limbs: Limbs) -> bool {
        limbs.iter().zip(self.largest()).all(|(&limb, largest)| limb <= largest)
    }

    /// A number of the shape: of edges or random, canonical for the modulus or not.
    fn sample(self, random: &mut Random, modulus: &BigUint) -> Limbs {
        match random.below(8) {
            0..3 => to_limbs(&random.below_modulus(modulus)),
            // A little beyond the modulus.
            3 => to_limbs(&(modulus + random.below(1 << 32))),
            // A multiple of the modulus, plus or minus a little.
            4 => {
                let times = random.below(2 * self.magnitude);
                let near = modulus * times + random.below(3);
                let near = if times > 0 { near - 1u8 } else { near };
                Some(to_limbs(&near)).filter(|&limbs| self.admits(limbs)).unwrap_or(self.largest())
            }
            _ => self.largest().map(|largest| random.limb(largest)),
        }
    }

    /// Eight samples, some of them near multiples of the modulus.
    pub(crate) fn eight_near(self, random: &mut Random, modulus: &BigUint) -> Eight {
        core::array::from_fn(|_| self.sample(random, modulus))
    }

    /// Eight samples for p.
    pub(crate) fn eight(self, random: &mut Random) -> Eight {
        self.eight_near(random, &p())
    }
}
