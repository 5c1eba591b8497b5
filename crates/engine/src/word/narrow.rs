//! Sixteen 32-bit integers side by side: what hash functions compute on.

/// The number of lanes of every [`Narrow`].
pub const NARROW_LANES: usize = 16;

/// Sixteen 32-bit integers side by side, in the place of eight of 64 bits. Arithmetic is modulo 2^32 in each lane.
pub trait Narrow: Copy + 'static {
    /// The same value in every lane.
    fn splat(value: u32) -> Self;
    /// One value per lane.
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self;
    /// The value of each lane.
    fn to_lanes(self) -> [u32; NARROW_LANES];

    /// `self + other`.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// Shift right by a constant, filling with zeros.
    #[must_use]
    fn shr<const BITS: u32>(self) -> Self;
    /// Rotation to the right by a constant.
    #[must_use]
    fn rotate_right<const BITS: i32>(self) -> Self;
    /// `a ^ b ^ c`.
    #[must_use]
    fn xor3(a: Self, b: Self, c: Self) -> Self;
    /// The bits of `if_set` where `self` has ones, those of `if_clear` elsewhere.
    #[must_use]
    fn choose(self, if_set: Self, if_clear: Self) -> Self;
    /// The bits that at least two of the three have.
    #[must_use]
    fn majority(a: Self, b: Self, c: Self) -> Self;
}

/// Sixteen lanes emulated on `u32`, on any CPU.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct EmulatedNarrow([u32; NARROW_LANES]);

impl EmulatedNarrow {
    #[inline(always)]
    fn each(mut self, f: impl Fn(u32) -> u32) -> Self {
        for lane in &mut self.0 {
            *lane = f(*lane);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        for (lane, other) in self.0.iter_mut().zip(other.0) {
            *lane = f(*lane, other);
        }
        self
    }
}

impl Narrow for EmulatedNarrow {
    fn splat(value: u32) -> Self {
        Self([value; NARROW_LANES])
    }
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        Self(lanes)
    }
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        self.0
    }
    fn add(self, other: Self) -> Self {
        self.zip(other, u32::wrapping_add)
    }
    fn shr<const BITS: u32>(self) -> Self {
        self.each(|a| a >> BITS)
    }
    #[inline(never)]
    fn rotate_right<const BITS: i32>(self) -> Self {
        self.each(|a| a.rotate_right(BITS as u32))
    }
    #[inline(never)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a.zip(b, |a, b| a ^ b).zip(c, |ab, c| ab ^ c)
    }
    #[inline(never)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        self.zip(if_set, |mask, a| mask & a).zip(self.zip(if_clear, |mask, b| !mask & b), |a, b| a | b)
    }
    #[inline(never)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        let (both, any) = (a.zip(b, |a, b| a & b), a.zip(b, |a, b| a | b));
        both.zip(any.zip(c, |any, c| any & c), |both, third| both | third)
    }
}

#[cfg(all(test, feature = "std", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::word::{Emulated, Machine, Op, VectorUnit, Word};
    use std::{vec, vec::Vec};

    /// Every operation on three words.
    struct All([[u32; NARROW_LANES]; 3]);

    impl Op for All {
        type Output = Vec<[u32; NARROW_LANES]>;

        #[inline(always)]
        fn call<W: Word>(self) -> Self::Output {
            let [a, b, c] =
                [W::Narrow::from_lanes(self.0[0]), W::Narrow::from_lanes(self.0[1]), W::Narrow::from_lanes(self.0[2])];
            let results = vec![
                W::Narrow::splat(self.0[0][3]),
                a.add(b),
                a.shr::<9>(),
                a.rotate_right::<13>(),
                W::Narrow::xor3(a, b, c),
                a.choose(b, c),
                W::Narrow::majority(a, b, c),
            ];
            results.into_iter().map(|word| word.to_lanes()).collect()
        }
    }

    #[test]
    fn vector_words_are_the_emulated_ones() {
        let units = VectorUnit::NAMES.into_iter().filter_map(VectorUnit::detect);
        let units: Vec<_> = units.filter(|_| !phalanx_tiers::is_emulated()).collect();
        std::println!("vector words of {units:?}");
        if units.is_empty() {
            phalanx_tiers::skipped("vector words", "each of their operations on sixteen halves");
        }
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(0x915f_77f5).wrapping_add(0x3c6e_f372);
            state ^ state >> 15
        };
        for _ in 0..100 {
            let words: [[u32; NARROW_LANES]; 3] = core::array::from_fn(|_| core::array::from_fn(|_| next()));
            let expected = Emulated::root(All(words));
            for unit in &units {
                assert_eq!(unit.run(All(words)), expected, "on {unit:?}");
            }
        }
    }
}
