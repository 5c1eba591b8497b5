//! Random numbers biased towards edges, from a seed.

use num_bigint::BigUint;
use phalanx_banderwagon::{Element, Scalar};

/// A stream of pseudo-random words (splitmix64; Steele, Lea and Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    /// The stream of this run's seed for a test of this name. Says which seed.
    pub(crate) fn new(test: &str) -> Random {
        println!("PHALANX_SEED={}", phalanx_tiers::seed());
        // FNV-1a, so that tests of one seed differ.
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Random(phalanx_tiers::seed() ^ test.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        core::array::from_fn(|_| self.word() as u8)
    }

    /// A number below 2^256: near zero, a multiple of r or 2^256, around a power of two, of 128 bits, or anywhere.
    pub(crate) fn number(&mut self) -> [u8; 32] {
        let small = BigUint::from(self.word() % 4);
        let power = BigUint::from(1u8) << (self.word() % 256);
        let all = BigUint::from(1u8) << 256;
        let anywhere = BigUint::from_bytes_le(&self.bytes());
        let number = match self.word() % 10 {
            0 => small,
            1 => order() * (1 + self.word() % 8) + small,
            2 => order() * (1 + self.word() % 8) - small,
            3 => &all - 1u8 - small,
            4 => power + small,
            5 => power + &all - small,
            6 => anywhere >> 128,
            _ => anywhere,
        };
        le_bytes(&(number % all))
    }

    pub(crate) fn scalar(&mut self) -> Scalar {
        Scalar::from_le_bytes_reduced(&self.number())
    }

    /// A multiple of the generator, at times the neutral element.
    pub(crate) fn element(&mut self) -> Element {
        Element::generator().mul_vartime(&self.scalar())
    }
}

/// r.
pub(crate) fn order() -> BigUint {
    from_words(&Scalar::ORDER)
}

pub(crate) fn from_words(words: &[u64; 4]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, word| (number << 64u32) + word)
}

pub(crate) fn le_bytes(number: &BigUint) -> [u8; 32] {
    let mut bytes = number.to_bytes_le();
    bytes.resize(32, 0);
    bytes.try_into().expect("the number is below 2^256")
}

/// The scalars at which things go wrong: 0, 1, 2, r - 1, r, r + 1, 2^256 - 1, and around 2^128, reduced.
pub(crate) fn edge_scalars() -> Vec<Scalar> {
    let (r, one) = (order(), BigUint::from(1u8));
    let numbers = [
        BigUint::ZERO,
        one.clone(),
        BigUint::from(2u8),
        &r - 1u8,
        r.clone(),
        &r + 1u8,
        (&one << 256u32) - 1u8,
        (&r - 1u8) / 2u8,
        (&r + 1u8) / 2u8,
        (&one << 128u32) - 1u8,
        &one << 128u32,
        &one << 252u32,
        (&one << 252u32) - 1u8,
    ];
    numbers.iter().map(|number| Scalar::from_le_bytes_reduced(&le_bytes(number))).collect()
}
