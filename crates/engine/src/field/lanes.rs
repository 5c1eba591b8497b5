//! Eight lanes modulo p = 2^256 - C: five words of 52-bit limbs, multiplied 52 bits at a time.
//!
//! # Bounds
//!
//! A *carried* number has every limb below 2^52, so it is below 2^260. A product has ten columns: ten partial products of 52
//! bits at most in each, twenty in a sum of two products, and an addend below 2^58. The interval run in
//! `tests/engine/intervals.rs` computes every intermediate range exactly, for each operation and each formula.
//!
//! # Reduction
//!
//! Columns 5 to 9 are carried upward and folded by 2^260 = 16 C; what stands above 2^256 (from the fold's last column and from
//! the top limb) is folded by C into the two lowest limbs *before* the one carry chain, so that the top limb's four spare
//! bits absorb the last carry and the result is carried. `docs/lanes.md` has the alternatives and their measurements.

use super::{Field, Prime};
use crate::word::{LANES, Mask, Mask8, Word};
use core::marker::PhantomData;

const FULL: u64 = (1 << 52) - 1;
const FULL_TOP: u64 = (1 << 48) - 1;

/// A number modulo 2^256 - C in each of eight lanes. See [`Field`] for magnitudes and carrying.
#[derive(Clone, Copy, Debug)]
pub struct FeX8<P, W> {
    limbs: [W; 5],
    prime: PhantomData<P>,
}

impl<P: Prime, W: Word> FeX8<P, W> {
    /// From five limbs of the magnitude that the caller vouches for.
    #[inline(always)]
    pub fn from_limbs(limbs: [W; 5]) -> Self {
        Self { limbs, prime: PhantomData }
    }

    /// The five limbs as they are.
    #[inline(always)]
    pub fn limbs(self) -> [W; 5] {
        self.limbs
    }

    /// From four 64-bit words a lane, least significant first; any 256-bit number is taken, modulo p. The result is carried
    /// and has magnitude 1.
    #[inline(always)]
    pub fn from_words(words: [W; 4]) -> Self {
        let [a, b, c, d] = words;
        let full = W::splat(FULL);
        Self::from_limbs([
            a.and(full),
            a.shr::<52>().or(b.shl::<12>()).and(full),
            b.shr::<40>().or(c.shl::<24>()).and(full),
            c.shr::<28>().or(d.shl::<36>()).and(full),
            d.shr::<16>(),
        ])
    }

    /// The canonical number as four 64-bit words a lane, least significant first. The value must be normalised.
    #[inline(always)]
    pub fn to_words(self) -> [W; 4] {
        let [a, b, c, d, e] = self.limbs;
        [
            a.or(b.shl::<52>()),
            b.shr::<12>().or(c.shl::<40>()),
            c.shr::<24>().or(d.shl::<28>()),
            d.shr::<36>().or(e.shl::<16>()),
        ]
    }

    /// From one 256-bit number a lane.
    #[inline(always)]
    pub fn from_lanes(numbers: [[u64; 4]; LANES]) -> Self {
        Self::from_words(core::array::from_fn(|word| W::from_lanes(numbers.map(|number| number[word]))))
    }

    /// The canonical number of each lane. The value must be normalised.
    #[inline(always)]
    pub fn to_lanes(self) -> [[u64; 4]; LANES] {
        let words = self.to_words().map(W::to_lanes);
        core::array::from_fn(|lane| core::array::from_fn(|word| words[word][lane]))
    }

    /// Reduces the ten columns of a product to a carried number of magnitude 1.
    #[inline(always)]
    fn reduce(columns: [W; 10]) -> Self {
        let [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4] = columns;
        let wrap = W::splat(P::C << 4);
        let full = W::splat(FULL);
        // Carried upward without masks: a factor's bits from 52 up do not take part.
        let h1 = h1.add(h0.shr::<52>());
        let h2 = h2.add(h1.shr::<52>());
        let h3 = h3.add(h2.shr::<52>());
        let h4 = h4.add(h3.shr::<52>());
        let (h0, h1, h2, h3) = (h0.truncated(), h1.truncated(), h2.truncated(), h3.truncated());
        let c0 = c0.madd_lo(h0, wrap);
        let c1 = c1.madd_hi(h0, wrap).madd_lo(h1, wrap);
        let c2 = c2.madd_hi(h1, wrap).madd_lo(h2, wrap);
        let c3 = c3.madd_hi(h2, wrap).madd_lo(h3, wrap);
        let c4 = c4.madd_hi(h3, wrap).madd_lo(h4, wrap);
        let c5 = W::splat(0).madd_hi(h4, wrap);
        let over = c4.shr::<48>().add(c5.shl::<4>());
        let c = W::splat(P::C);
        let c0 = c0.madd_lo(over, c);
        let c1 = c1.madd_hi(over, c);
        let c4 = c4.and(W::splat(FULL_TOP));
        let c1 = c1.add(c0.shr::<52>());
        let c2 = c2.add(c1.shr::<52>());
        let c3 = c3.add(c2.shr::<52>());
        let c4 = c4.add(c3.shr::<52>());
        Self::from_limbs([c0.and(full), c1.and(full), c2.and(full), c3.and(full), c4])
    }

    /// Adds the columns of `a * b` to `columns`.
    #[inline(always)]
    fn accumulate(columns: [W; 10], a: [W; 5], b: [W; 5]) -> [W; 10] {
        let mut c = columns;
        c[0] = c[0].madd_lo(a[0], b[0]);
        c[1] = c[1].madd_hi(a[0], b[0]).madd_lo(a[0], b[1]).madd_lo(a[1], b[0]);
        c[2] = c[2].madd_hi(a[0], b[1]).madd_hi(a[1], b[0]);
        c[2] = c[2].madd_lo(a[0], b[2]).madd_lo(a[1], b[1]).madd_lo(a[2], b[0]);
        c[3] = c[3].madd_hi(a[0], b[2]).madd_hi(a[1], b[1]).madd_hi(a[2], b[0]);
        c[3] = c[3].madd_lo(a[0], b[3]).madd_lo(a[1], b[2]).madd_lo(a[2], b[1]).madd_lo(a[3], b[0]);
        c[4] = c[4].madd_hi(a[0], b[3]).madd_hi(a[1], b[2]).madd_hi(a[2], b[1]).madd_hi(a[3], b[0]);
        c[4] = c[4].madd_lo(a[0], b[4]).madd_lo(a[1], b[3]).madd_lo(a[2], b[2]);
        c[4] = c[4].madd_lo(a[3], b[1]).madd_lo(a[4], b[0]);
        c[5] = c[5].madd_hi(a[0], b[4]).madd_hi(a[1], b[3]).madd_hi(a[2], b[2]);
        c[5] = c[5].madd_hi(a[3], b[1]).madd_hi(a[4], b[0]);
        c[5] = c[5].madd_lo(a[1], b[4]).madd_lo(a[2], b[3]).madd_lo(a[3], b[2]).madd_lo(a[4], b[1]);
        c[6] = c[6].madd_hi(a[1], b[4]).madd_hi(a[2], b[3]).madd_hi(a[3], b[2]).madd_hi(a[4], b[1]);
        c[6] = c[6].madd_lo(a[2], b[4]).madd_lo(a[3], b[3]).madd_lo(a[4], b[2]);
        c[7] = c[7].madd_hi(a[2], b[4]).madd_hi(a[3], b[3]).madd_hi(a[4], b[2]);
        c[7] = c[7].madd_lo(a[3], b[4]).madd_lo(a[4], b[3]);
        c[8] = c[8].madd_hi(a[3], b[4]).madd_hi(a[4], b[3]).madd_lo(a[4], b[4]);
        c[9] = c[9].madd_hi(a[4], b[4]);
        c
    }

    /// The columns of `a^2` plus an addend: each mixed product once, doubled, then the squares.
    #[inline(always)]
    fn square_columns(a: [W; 5], addend: [W; 5]) -> [W; 10] {
        let zero = W::splat(0);
        let m1 = zero.madd_lo(a[0], a[1]);
        let m2 = zero.madd_hi(a[0], a[1]).madd_lo(a[0], a[2]);
        let m3 = zero.madd_hi(a[0], a[2]).madd_lo(a[0], a[3]).madd_lo(a[1], a[2]);
        let m4 = zero.madd_hi(a[0], a[3]).madd_hi(a[1], a[2]).madd_lo(a[0], a[4]).madd_lo(a[1], a[3]);
        let m5 = zero.madd_hi(a[0], a[4]).madd_hi(a[1], a[3]).madd_lo(a[1], a[4]).madd_lo(a[2], a[3]);
        let m6 = zero.madd_hi(a[1], a[4]).madd_hi(a[2], a[3]).madd_lo(a[2], a[4]);
        let m7 = zero.madd_hi(a[2], a[4]).madd_lo(a[3], a[4]);
        let m8 = zero.madd_hi(a[3], a[4]);
        let twice = |m: W| m.add(m);
        [
            addend[0].madd_lo(a[0], a[0]),
            twice(m1).add(addend[1]).madd_hi(a[0], a[0]),
            twice(m2).add(addend[2]).madd_lo(a[1], a[1]),
            twice(m3).add(addend[3]).madd_hi(a[1], a[1]),
            twice(m4).add(addend[4]).madd_lo(a[2], a[2]),
            twice(m5).madd_hi(a[2], a[2]),
            twice(m6).madd_lo(a[3], a[3]),
            twice(m7).madd_hi(a[3], a[3]),
            twice(m8).madd_lo(a[4], a[4]),
            zero.madd_hi(a[4], a[4]),
        ]
    }

    #[inline(always)]
    fn start(addend: [W; 5]) -> [W; 10] {
        let [a, b, c, d, e] = addend;
        let zero = W::splat(0);
        [a, b, c, d, e, zero, zero, zero, zero, zero]
    }

    /// One carry chain from limb `0` up to limb 4, which keeps what reaches it.
    #[inline(always)]
    fn carry_up(limbs: [W; 5]) -> [W; 5] {
        let [n0, n1, n2, n3, n4] = limbs;
        let full = W::splat(FULL);
        let n1 = n1.add(n0.shr::<52>());
        let n2 = n2.add(n1.shr::<52>());
        let n3 = n3.add(n2.shr::<52>());
        let n4 = n4.add(n3.shr::<52>());
        [n0.and(full), n1.and(full), n2.and(full), n3.and(full), n4]
    }
}

impl<P: Prime, W: Word> Field for FeX8<P, W> {
    type Mask = Mask8;

    #[inline(always)]
    fn zero() -> Self {
        Self::from_limbs([W::splat(0); 5])
    }
    #[inline(always)]
    fn one() -> Self {
        Self::constant([1, 0, 0, 0])
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        let [a, b, c, d, e] = super::Fe::<P, u64>::from_words(words).limbs();
        Self::from_limbs([W::splat(a), W::splat(b), W::splat(c), W::splat(d), W::splat(e)])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.limbs, other.limbs);
        Self::from_limbs([a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3]), a[4].add(b[4])])
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        let k = 2 * (magnitude + 1);
        let n = self.limbs;
        Self::from_limbs([
            W::splat(k * (FULL + 1 - P::C)).sub(n[0]),
            W::splat(k * FULL).sub(n[1]),
            W::splat(k * FULL).sub(n[2]),
            W::splat(k * FULL).sub(n[3]),
            W::splat(k * FULL_TOP).sub(n[4]),
        ])
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        let times = |limb: W| match factor {
            2 => limb.add(limb),
            3 => limb.add(limb).add(limb),
            4 => limb.times_power::<2>(),
            8 => limb.times_power::<3>(),
            _ => (1..factor).fold(limb, |sum, _| sum.add(limb)),
        };
        let [a, b, c, d, e] = self.limbs;
        Self::from_limbs([times(a), times(b), times(c), times(d), times(e)])
    }
    #[inline(always)]
    fn carry(self) -> Self {
        Self::from_limbs(Self::carry_up(self.limbs))
    }

    #[inline(always)]
    fn weaken(self) -> Self {
        let [n0, n1, n2, n3, n4] = self.limbs;
        let n0 = n0.madd_lo(n4.shr::<48>(), W::splat(P::C));
        Self::from_limbs(Self::carry_up([n0, n1, n2, n3, n4.and(W::splat(FULL_TOP))]))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_add(other, Self::zero())
    }
    #[inline(always)]
    fn square(self) -> Self {
        self.square_add(Self::zero())
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::reduce(Self::accumulate(Self::start(addend.limbs), self.limbs, other.limbs))
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self::reduce(Self::square_columns(self.limbs, addend.limbs))
    }
    #[inline(always)]
    fn sum_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        let first = Self::accumulate(Self::start(Self::zero().limbs), a.limbs, b.limbs);
        Self::reduce(Self::accumulate(first, c.limbs, d.limbs))
    }

    /// Canonical by the same argument as in one lane: fold what stands above 2^256 and carry, so that the number is below
    /// 2^256 + 2^208 < 2p; then adding C reaches 2^256 exactly when it is at least p.
    #[inline(always)]
    fn normalize(self) -> Self {
        let (c, top) = (W::splat(P::C), W::splat(FULL_TOP));
        let n = self.weaken().limbs;
        let probe = Self::carry_up([n[0].add(c), n[1], n[2], n[3], n[4]]);
        let at_least_p = probe[4].shr::<48>();
        let n = Self::carry_up([n[0].madd_lo(at_least_p, c), n[1], n[2], n[3], n[4]]);
        Self::from_limbs([n[0], n[1], n[2], n[3], n[4].and(top)])
    }
    #[inline(always)]
    fn is_zero(self) -> Mask8 {
        let n = self.normalize().limbs;
        n[0].or(n[1]).or(n[2].or(n[3])).or(n[4]).equal(W::splat(0))
    }
    #[inline(always)]
    fn is_odd(self) -> Mask8 {
        self.limbs[0].and(W::splat(1)).equal(W::splat(0)).not()
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let (a, b) = (if_set.limbs, if_clear.limbs);
        let limb = |i: usize| W::select(mask, a[i], b[i]);
        Self::from_limbs([limb(0), limb(1), limb(2), limb(3), limb(4)])
    }
    #[inline(always)]
    fn invert(self) -> Self {
        P::invert(self)
    }
}
