//! One lane modulo p = 2^256 - C: five 52-bit limbs in 64-bit words.
//!
//! # Bounds
//!
//! A value of magnitude m has limbs 0 to 3 at most 2m * (2^52 - 1) and limb 4 at most 2m * (2^48 - 1). Factors of
//! magnitude up to 7 have limbs below 2^56, so a column of a product is at most 5 * 2^112, and of a sum of two products
//! 2^116; the interval run in `tests/engine/intervals.rs` computes every intermediate range exactly.

use super::{Field, FieldX1, Prime};
use crate::word::{Limb, Mask, Mask1};
use core::marker::PhantomData;

const FULL: u64 = (1 << 52) - 1;
const FULL_TOP: u64 = (1 << 48) - 1;

/// A number modulo 2^256 - C in one lane. See [`Field`] for magnitudes.
#[derive(Clone, Copy, Debug)]
pub struct Fe<P, L = u64> {
    limbs: [L; 5],
    prime: PhantomData<P>,
}

impl<P: Prime, L: Limb> Fe<P, L> {
    /// From five limbs of the magnitude that the caller vouches for.
    #[inline(always)]
    pub const fn from_limbs(limbs: [L; 5]) -> Self {
        Self { limbs, prime: PhantomData }
    }

    /// The five limbs as they are.
    #[inline(always)]
    pub fn limbs(self) -> [L; 5] {
        self.limbs
    }

    /// 2^260 modulo p: what one limb beyond the fifth is worth.
    const WRAP: u64 = P::C << 4;

    /// Reduces the nine columns of a product, plus an addend, to magnitude 1.
    ///
    /// Columns 3 and 4 come first, with the top column folded into them, so that what stands above 2^256 is known
    /// before the lowest limbs are finished and one upward pass suffices.
    #[inline(always)]
    fn reduce(column: impl Fn(usize) -> L::Wide, addend: [L; 5]) -> Self {
        let wrap = L::literal(Self::WRAP);
        let add = L::wide_add;
        let low = |x| L::wide_low(x, 52);
        let up = |x| L::wide_shr(x, 52);

        // Column 8 is worth 2^416 = 2^156 * 2^260: its low 64 bits fold into column 3, the rest into column 4.
        let top = column(8);
        let mut acc = add(column(3), addend[3].wide());
        acc = add(acc, L::wide_low(top, 64).product(wrap));
        let r3 = low(acc);
        // 64 bits up is 12 bits more than a limb.
        acc = add(add(up(acc), column(4)), addend[4].wide());
        acc = add(acc, L::wide_narrow(L::wide_shr(top, 64)).product(L::literal(Self::WRAP << 12)));
        let r4 = low(acc);
        let (over, r4) = (r4.shr(48), r4.low(48));
        // What stands at 2^260 joins column 5; with the four bits above 2^256 it is worth C at the bottom.
        acc = add(up(acc), column(5));
        let at_256 = low(acc).shl(4).add(over);
        acc = up(acc);

        let mut base = add(add(column(0), addend[0].wide()), at_256.product(L::literal(P::C)));
        let r0 = low(base);
        acc = add(acc, column(6));
        base = add(add(up(base), column(1)), addend[1].wide());
        base = add(base, low(acc).product(wrap));
        let r1 = low(base);
        acc = add(up(acc), column(7));
        base = add(add(up(base), column(2)), addend[2].wide());
        base = add(base, L::wide_low(acc, 64).product(wrap));
        let r2 = low(base);
        base = add(up(base), L::wide_narrow(L::wide_shr(acc, 64)).product(L::literal(Self::WRAP << 12)));
        base = add(base, r3.wide());
        let r3 = low(base);
        let r4 = L::wide_narrow(add(up(base), r4.wide()));
        Self::from_limbs([r0, r1, r2, r3, r4])
    }

    /// Column `k` of the product of `a` and `b`.
    #[inline(always)]
    fn product_column(a: [L; 5], b: [L; 5], k: usize) -> L::Wide {
        let p = |i: usize, j: usize| a[i].product(b[j]);
        let add = L::wide_add;
        match k {
            0 => p(0, 0),
            1 => add(p(0, 1), p(1, 0)),
            2 => add(add(p(0, 2), p(1, 1)), p(2, 0)),
            3 => add(add(p(0, 3), p(1, 2)), add(p(2, 1), p(3, 0))),
            4 => add(add(add(p(0, 4), p(1, 3)), add(p(2, 2), p(3, 1))), p(4, 0)),
            5 => add(add(p(1, 4), p(2, 3)), add(p(3, 2), p(4, 1))),
            6 => add(add(p(2, 4), p(3, 3)), p(4, 2)),
            7 => add(p(3, 4), p(4, 3)),
            _ => p(4, 4),
        }
    }

    /// Column `k` of the square of `a`, whose limbs doubled are `twice`.
    #[inline(always)]
    fn square_column(a: [L; 5], twice: [L; 5], k: usize) -> L::Wide {
        let add = L::wide_add;
        let two = |i: usize, j: usize| twice[i].product(a[j]);
        let one = |i: usize| a[i].product(a[i]);
        match k {
            0 => one(0),
            1 => two(0, 1),
            2 => add(two(0, 2), one(1)),
            3 => add(two(0, 3), two(1, 2)),
            4 => add(add(two(0, 4), two(1, 3)), one(2)),
            5 => add(two(1, 4), two(2, 3)),
            6 => add(two(2, 4), one(3)),
            7 => two(3, 4),
            _ => one(4),
        }
    }

    #[inline(always)]
    fn doubled(self) -> [L; 5] {
        let [a, b, c, d, e] = self.limbs;
        [a.scale(2), b.scale(2), c.scale(2), d.scale(2), e.scale(2)]
    }

    #[inline(always)]
    fn no_addend() -> [L; 5] {
        [L::literal(0); 5]
    }

    /// Carries once from the bottom, with what stands above 2^256 folded in first: limbs 0 to 3 end below 2^52, and
    /// limb 4 at most one above its full value.
    #[inline(always)]
    fn fold_and_carry(self) -> [L; 5] {
        let [n0, n1, n2, n3, n4] = self.limbs;
        let over = n4.shr(48);
        let n0 = n0.add(over.scale(P::C));
        let n1 = n1.add(n0.shr(52));
        let n2 = n2.add(n1.shr(52));
        let n3 = n3.add(n2.shr(52));
        let n4 = n4.low(48).add(n3.shr(52));
        [n0.low(52), n1.low(52), n2.low(52), n3.low(52), n4]
    }
}

impl<P: Prime> Fe<P, u64> {
    /// The canonical number as four 64-bit words, least significant first. The value must be normalised.
    #[inline(always)]
    pub const fn to_words(self) -> [u64; 4] {
        let [a, b, c, d, e] = self.limbs;
        [a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16]
    }

    /// From four 64-bit words, least significant first; any 256-bit number is taken, modulo p. The result has magnitude
    /// 1.
    #[inline(always)]
    pub const fn from_words(words: [u64; 4]) -> Self {
        let [a, b, c, d] = words;
        Self::from_limbs([
            a & FULL,
            (a >> 52 | b << 12) & FULL,
            (b >> 40 | c << 24) & FULL,
            (c >> 28 | d << 36) & FULL,
            d >> 16,
        ])
    }

    /// The modulus in four words.
    pub const MODULUS: [u64; 4] = [P::C.wrapping_neg(), u64::MAX, u64::MAX, u64::MAX];

    /// Whether the number is zero modulo p, quickly answered no for nearly every number. Variable time.
    #[inline(always)]
    pub fn is_zero_vartime(self) -> bool {
        let lowest = (self.limbs[0] + (self.limbs[4] >> 48) * P::C) & FULL;
        let of_modulus = P::C.wrapping_neg() & FULL;
        (lowest == 0 || lowest == of_modulus) && self.is_zero().any()
    }
}

impl<P: Prime, L: Limb> Field for Fe<P, L> {
    type Mask = Mask1;
    /// Already reduced: a second reduction costs less here than columns in memory (`lab/record`).
    type Product = Self;

    #[inline(always)]
    fn zero() -> Self {
        Self::from_limbs(Self::no_addend())
    }
    #[inline(always)]
    fn one() -> Self {
        Self::constant([1, 0, 0, 0])
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        Self::from_limbs(Fe::<P, u64>::from_words(words).limbs.map(L::literal))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.limbs, other.limbs);
        Self::from_limbs([a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3]), a[4].add(b[4])])
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        // 2(m + 1) p has every limb at least as large as the largest limb of magnitude m.
        let k = 2 * (magnitude + 1);
        let n = self.limbs;
        let from = |full: u64, limb: L| L::literal(k * full).sub(limb);
        Self::from_limbs([
            from(FULL + 1 - P::C, n[0]),
            from(FULL, n[1]),
            from(FULL, n[2]),
            from(FULL, n[3]),
            from(FULL_TOP, n[4]),
        ])
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        let [a, b, c, d, e] = self.limbs;
        Self::from_limbs([a.scale(factor), b.scale(factor), c.scale(factor), d.scale(factor), e.scale(factor)])
    }
    #[inline(always)]
    fn carry(self) -> Self {
        self
    }

    #[inline(always)]
    fn weaken(self) -> Self {
        Self::from_limbs(self.fold_and_carry())
    }

    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        self.sub(other, magnitude)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::reduce(|k| Self::product_column(self.limbs, other.limbs, k), Self::no_addend())
    }
    #[inline(always)]
    fn square(self) -> Self {
        self.square_add(Self::zero())
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::reduce(|k| Self::product_column(self.limbs, other.limbs, k), addend.limbs)
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        let twice = self.doubled();
        Self::reduce(|k| Self::square_column(self.limbs, twice, k), addend.limbs)
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.scale(K).mul(other)
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.scale(K).mul(other)
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        self.square().scale(K)
    }
    #[inline(always)]
    fn minus_product(self, other: Self, magnitude: u64) -> Self {
        self.negate(magnitude).mul(other)
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, _magnitude: u64) -> Self {
        self.square().scale(K).negate(K)
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Self) -> Self {
        self.mul_add(other, product)
    }
    #[inline(always)]
    fn square_plus(self, product: Self) -> Self {
        self.square_add(product)
    }
    #[inline(always)]
    fn sum_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        Self::reduce(
            |k| L::wide_add(Self::product_column(a.limbs, b.limbs, k), Self::product_column(c.limbs, d.limbs, k)),
            Self::no_addend(),
        )
    }

    /// Proof of canonicity: after the first pass the number is below 2^256 + 2^208 < 2p and congruent to the input. It
    /// is at least p exactly when adding C to it reaches 2^256, and then adding C and dropping bit 256 subtracts p
    /// once.
    #[inline(always)]
    fn normalize(self) -> Self {
        let [n0, n1, n2, n3, n4] = self.fold_and_carry();
        let up = |limb: L| limb.shr(52);
        let c1 = n1.add(up(n0.add(L::literal(P::C))));
        let c2 = n2.add(up(c1));
        let c3 = n3.add(up(c2));
        let at_least_p = n4.add(up(c3)).shr(48);
        let n0 = n0.add(at_least_p.scale(P::C));
        let n1 = n1.add(up(n0));
        let n2 = n2.add(up(n1));
        let n3 = n3.add(up(n2));
        let n4 = n4.add(up(n3));
        Self::from_limbs([n0.low(52), n1.low(52), n2.low(52), n3.low(52), n4.low(48)])
    }
    #[inline(always)]
    fn is_zero(self) -> Mask1 {
        let n = self.normalize().limbs;
        // Canonical limbs are below 2^52, so the sum of five is zero only if each is.
        n[0].add(n[1]).add(n[2].add(n[3])).add(n[4]).is_zero()
    }
    #[inline(always)]
    fn is_odd(self) -> Mask1 {
        self.limbs[0].low(1).is_zero().not()
    }
    #[inline(always)]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        Self::from_limbs(core::array::from_fn(|i| L::select(mask, if_set.limbs[i], if_clear.limbs[i])))
    }
    fn invert(self) -> Self {
        P::invert(self)
    }
}

/// A row holds numbers as they are.
impl<P: Prime> FieldX1 for Fe<P> {
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        Fe::from_words(words)
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        Fe::to_words(self)
    }
    #[inline(always)]
    fn from_row(words: [u64; 4]) -> Self {
        Fe::from_words(words)
    }
    #[inline(always)]
    fn to_row(self) -> [u64; 4] {
        Fe::to_words(self)
    }
    #[inline(always)]
    fn is_zero_vartime(self) -> bool {
        Fe::is_zero_vartime(self)
    }
}
