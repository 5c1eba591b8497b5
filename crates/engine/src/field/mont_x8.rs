//! Eight lanes modulo any prime between 2^254 and 2^256, by Montgomery's multiplication with R = 2^260.
//!
//! Five words of 52-bit limbs hold x R modulo M for a number x. Source: Peter L. Montgomery, "Modular multiplication
//! without trial division", Mathematics of Computation 44 (1985).
//!
//! # Bounds
//!
//! Magnitudes and carrying are as [`Field`] says, with one difference in cost and one in range. A number added to a
//! product is not reduced with it, so such a reduction ends by taking away a small multiple of M, and one carry chain;
//! the result is carried and of magnitude 1. A product with nothing added needs the carry chain only where M is below
//! 2^255 and the magnitudes of its factors multiply to at most 5. For such an M that is asked of every `mul`, `square`,
//! `mul_scaled`, `mul_loose` and `square_scaled`; the formulas of [`crate::curve`] keep to it.
//! `tests/engine/intervals.rs` computes every intermediate range.

use super::columns::{self, Columns, FULL, FULL_TOP, carry_up, carry_up_signed, limbs_of};
use super::montgomery_prime::{Derived, MontgomeryPrime};
use super::products::{self, Finish};
use super::{Field, FieldX8};
use crate::limbs::subtract;
use crate::word::{Kernel, LANES, Mask, Mask8, Word};
use core::marker::PhantomData;

/// A number modulo `M` in each of eight lanes, in Montgomery's form.
#[derive(Clone, Copy, Debug)]
pub struct MontX8<M, W> {
    limbs: [W; 5],
    modulus: PhantomData<M>,
}

impl<M: MontgomeryPrime, W: Word> MontX8<M, W> {
    /// From five limbs of Montgomery's form, of the magnitude that the caller vouches for.
    #[inline(always)]
    pub fn from_limbs(limbs: [W; 5]) -> Self {
        Self { limbs, modulus: PhantomData }
    }

    /// The five limbs of Montgomery's form as they are.
    #[inline(always)]
    pub fn limbs(self) -> [W; 5] {
        self.limbs
    }

    /// From four 64-bit words per lane, least significant first; any 256-bit number is taken, modulo M. One
    /// multiplication.
    #[inline(always)]
    pub fn from_words(words: [W; 4]) -> Self {
        Self::from_limbs(columns::limbs_of_words(words)).mul(Self::splat(Derived::<M>::SQUARE))
    }

    /// The canonical number as four 64-bit words per lane, least significant first. About one multiplication. The value
    /// must be ready to be a factor.
    #[inline(always)]
    pub fn to_words(self) -> [W; 4] {
        columns::words_of_limbs(self.leave().limbs)
    }

    /// From one 256-bit number per lane.
    #[inline(always)]
    pub fn from_lanes(numbers: [[u64; 4]; LANES]) -> Self {
        Self::from_words(columns::words_of_lanes(numbers))
    }

    /// The canonical number of each lane. The value must be ready to be a factor.
    #[inline(always)]
    pub fn to_lanes(self) -> [[u64; 4]; LANES] {
        columns::lanes_of_words(self.to_words())
    }

    /// x for x R, canonical: a reduction of the number itself.
    #[inline(always)]
    fn leave(self) -> Self {
        W::call(Reduce(columns::low(self.limbs), PhantomData)).normalize()
    }

    #[inline(always)]
    fn splat(limbs: [u64; 5]) -> Self {
        let [a, b, c, d, e] = limbs;
        Self::from_limbs([W::splat(a), W::splat(b), W::splat(c), W::splat(d), W::splat(e)])
    }

    /// A multiple of M, at least 2 * magnitude * 2^256 and as little above it as can be, in limbs none of which is less
    /// than the largest of the magnitude.
    #[inline(always)]
    fn cushion(magnitude: u64) -> [u64; 5] {
        let [m0, m1, m2, m3, m4] = Derived::<M>::MODULUS;
        let moved = 2 * magnitude;
        let times = (moved * (FULL_TOP + 1) + moved) / m4 + 1;
        let n0 = times * m0;
        let n1 = times * m1 + (n0 >> 52);
        let n2 = times * m2 + (n1 >> 52);
        let n3 = times * m3 + (n2 >> 52);
        let n4 = times * m4 + (n3 >> 52);
        let up = moved << 52;
        [(n0 & FULL) + up, (n1 & FULL) + up - moved, (n2 & FULL) + up - moved, (n3 & FULL) + up - moved, n4 - moved]
    }

    /// Adds the multiple q of M to the columns that clears the low 52 bits of the first, and drops that one.
    ///
    /// What q m0 adds to the first column itself is known without computing it: the two sum to 0 modulo 2^52 and are
    /// zero together, so the carry is that of the column plus 2^52 - 1.
    #[inline(always)]
    fn clear(c0: W, c1: W, c2: W, c3: W, c4: W, c5: W) -> [W; 5] {
        let [m0, m1, m2, m3, m4] = Self::splat(Derived::<M>::MODULUS).limbs;
        let q = W::splat(0).madd_lo(c0.low52_intended(), W::splat(Derived::<M>::MINUS_INVERSE));
        let carry = c0.add(W::splat(FULL)).shr::<52>();
        [
            c1.add(carry).madd_lo(q, m1).madd_hi(q, m0),
            c2.madd_lo(q, m2).madd_hi(q, m1),
            c3.madd_lo(q, m3).madd_hi(q, m2),
            c4.madd_lo(q, m4).madd_hi(q, m3),
            c5.madd_hi(q, m4),
        ]
    }

    /// Clears the two lowest columns by 2^104 X - 1 times what they are worth modulo 2^104, a multiple of M: the -1
    /// clears them, and nothing waits for a product. X is below M.
    #[inline(always)]
    fn clear_two([c0, c1, c2, c3, c4, c5, c6, c7, c8]: [W; 9]) -> [W; 7] {
        let [x0, x1, x2, x3, x4] = Self::splat(Derived::<M>::CLEARS_TWO).limbs;
        let c1 = c1.add(c0.shr::<52>());
        let (q0, q1) = (c0.low52_intended(), c1.low52_intended());
        [
            c2.add(c1.shr::<52>()).madd_lo(q0, x0),
            c3.madd_lo(q0, x1).madd_hi(q0, x0).madd_lo(q1, x0),
            c4.madd_lo(q0, x2).madd_hi(q0, x1).madd_lo(q1, x1).madd_hi(q1, x0),
            c5.madd_lo(q0, x3).madd_hi(q0, x2).madd_lo(q1, x2).madd_hi(q1, x1),
            c6.madd_lo(q0, x4).madd_hi(q0, x3).madd_lo(q1, x3).madd_hi(q1, x2),
            c7.madd_hi(q0, x4).madd_lo(q1, x4).madd_hi(q1, x3),
            c8.madd_hi(q1, x4),
        ]
    }

    /// Clears the lowest column by 2^52 X - 1 times what it is worth modulo 2^52, likewise.
    #[inline(always)]
    fn clear_one([c0, c1, c2, c3, c4, c5, c6]: [W; 7]) -> [W; 6] {
        let [x0, x1, x2, x3, x4] = Self::splat(Derived::<M>::CLEARS_ONE).limbs;
        let q = c0.low52_intended();
        [
            c1.add(c0.shr::<52>()).madd_lo(q, x0),
            c2.madd_lo(q, x1).madd_hi(q, x0),
            c3.madd_lo(q, x2).madd_hi(q, x1),
            c4.madd_lo(q, x3).madd_hi(q, x2),
            c5.madd_lo(q, x4).madd_hi(q, x3),
            c6.madd_hi(q, x4),
        ]
    }

    /// The ten columns divided by R modulo M, in five columns that are not yet carried.
    ///
    /// The multiples that clear more than they must are long, and come first, while there is room above. What is added
    /// is below 2^104 2^104 M, then 2^104 2^52 2^52 M, then 2^260 M, so the quotient by R is below that of the number
    /// itself plus (1 + 2^-51) M.
    #[inline(always)]
    fn divide(columns: Columns<W>) -> [W; 5] {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = columns;
        let [c2, c3, c4, c5, c6, c7, c8] = Self::clear_two([c0, c1, c2, c3, c4, c5, c6, c7, c8]);
        let [c3, c4, c5, c6, c7, c8] = Self::clear_one([c2, c3, c4, c5, c6, c7, c8]);
        let [c4, c5, c6, c7, c8] = Self::clear(c3, c4, c5, c6, c7, c8);
        Self::clear(c4, c5, c6, c7, c8, c9)
    }

    /// Five columns, of magnitude 80 at most, as a carried number of magnitude 1, below M + 2^253.
    ///
    /// A multiple q M is taken away, as q 2^256 from the top limb, while q (2^256 - M) is added. For an M near 2^256, q
    /// is what stands above 2^256, and what is left is below 2^256 + 2^220. For others let t be the top limb without
    /// its low 44 bits, below 2^12, and M < (m + 1) 2^208: q = t 2^44 / (m + 1), rounded down twice. Then q M is at
    /// most the top limb's share, so the number stays positive; and it is too small by less than one M for the rounding
    /// of q, 2^213 for the rounding of the constant, 2^252 for the low 44 bits, 2^218 for M rounded up and 2^216 for
    /// the limbs below. The top limb is computed modulo 2^52, and no interval sees that it is where q comes from.
    #[inline(always)]
    fn fold_and_carry(columns: [W; 5]) -> [W; 5] {
        let (fold, [c0, c1, c2, c3, c4]) = (Derived::<M>::FOLD, columns);
        let (q, c4) = if Derived::<M>::NEAR {
            (c4.shr::<48>(), c4.and(W::splat(FULL_TOP)))
        } else {
            let q = W::splat(0).madd_hi(c4.shr::<44>(), W::splat(Derived::<M>::QUOTIENT));
            (q, c4.sub(q.mul_pow2::<48>()))
        };
        let n = carry_up([
            low(c0, q, fold[0]),
            high(low(c1, q, fold[1]), q, fold[0]),
            high(low(c2, q, fold[2]), q, fold[1]),
            high(low(c3, q, fold[3]), q, fold[2]),
            high(low(c4, q, fold[4]), q, fold[3]),
        ]);
        let [n0, n1, n2, n3, n4] = n;
        if Derived::<M>::NEAR { n } else { [n0, n1, n2, n3, n4.and(W::splat(FULL)).proved_at_most(2 * FULL_TOP)] }
    }

    #[inline(always)]
    fn reduce(columns: Columns<W>) -> Self {
        W::kernel(Reduce(columns, PhantomData))
    }

    /// `self - M`, and the lanes in which it is negative.
    #[inline(always)]
    fn less_modulus(self) -> (Self, Mask8) {
        let ([a0, a1, a2, a3, a4], [m0, m1, m2, m3, m4]) = (self.limbs, Self::splat(Derived::<M>::MODULUS).limbs);
        let n = carry_up_signed([a0.sub(m0), a1.sub(m1), a2.sub(m2), a3.sub(m3), a4.sub(m4)]);
        (Self::from_limbs(n), n[4].negative())
    }
}

/// The column plus the low half of q times a limb to fold with, of which a modulus near 2^256 has few.
#[inline(always)]
fn low<W: Word>(column: W, q: W, limb: u64) -> W {
    if limb == 0 { column } else { column.madd_lo(q, W::splat(limb)) }
}

/// The same with the high half.
#[inline(always)]
fn high<W: Word>(column: W, q: W, limb: u64) -> W {
    if limb == 0 { column } else { column.madd_hi(q, W::splat(limb)) }
}

/// A product divided by R.
struct Divided<M>(PhantomData<M>);

impl<M: MontgomeryPrime> Finish<5> for Divided<M> {
    /// Times R, as columns: it is added to a quotient by R.
    #[inline(always)]
    fn addend<W: Word>(limbs: [W; 5]) -> Columns<W> {
        let ([a, b, c, d, e], zero) = (limbs, W::splat(0));
        [zero, zero, zero, zero, zero, a, b, c, d, e]
    }
    #[inline(always)]
    fn finish<W: Word>(columns: Columns<W>) -> [W; 5] {
        MontX8::<M, W>::reduce(columns).limbs
    }
}

/// A product of two factors divided by R. For a modulus below 2^255 nothing is left to take away: with magnitudes m and
/// n the top limbs of the factors are at most 2 m 2^48 and 2 n 2^48, so that of the quotient is at most m n 2^46 + 2^47
/// and what is carried to it, which for m n of at most 5 is of magnitude 1.
struct Quotient<M>(PhantomData<M>);

impl<M: MontgomeryPrime> Finish<5> for Quotient<M> {
    #[inline(always)]
    fn addend<W: Word>(limbs: [W; 5]) -> Columns<W> {
        Divided::<M>::addend(limbs)
    }
    #[inline(always)]
    fn finish<W: Word>(columns: Columns<W>) -> [W; 5] {
        if Derived::<M>::SPARE { W::kernel(Carried(columns, PhantomData::<M>)) } else { Divided::<M>::finish(columns) }
    }
}

/// The work of [`Quotient`].
struct Carried<M, W>(Columns<W>, PhantomData<M>);

impl<M: MontgomeryPrime, W: Word> Kernel for Carried<M, W> {
    type Output = [W; 5];

    #[inline(always)]
    fn run(self) -> [W; 5] {
        carry_up(MontX8::<M, W>::divide(self.0))
    }
}

/// The work of [`Field::normalize`].
struct NormalizeMont<M, W>(MontX8<M, W>);

impl<M: MontgomeryPrime, W: Word> Kernel for NormalizeMont<M, W> {
    type Output = MontX8<M, W>;

    /// Canonical: after `weaken` the number is below M + 2^253 or, for an M near 2^256, below 2^256 + 2^220; both are
    /// below 2 M, so that M is subtracted once, where that leaves a positive number. The rest is below M, so its top
    /// limb is below 2^48.
    #[inline(always)]
    fn run(self) -> MontX8<M, W> {
        let n = self.0.weaken();
        let (reduced, negative) = n.less_modulus();
        let [n0, n1, n2, n3, n4] = Field::select(negative, n, reduced).limbs;
        MontX8::from_limbs([n0, n1, n2, n3, n4.proved_at_most(FULL_TOP)])
    }
}

/// The work of [`MontX8::reduce`].
struct Reduce<M, W>(Columns<W>, PhantomData<M>);

impl<M: MontgomeryPrime, W: Word> Kernel for Reduce<M, W> {
    type Output = MontX8<M, W>;

    #[inline(always)]
    fn run(self) -> MontX8<M, W> {
        MontX8::from_limbs(MontX8::<M, W>::fold_and_carry(MontX8::<M, W>::divide(self.0)))
    }
}

impl<M: MontgomeryPrime, W: Word> Field for MontX8<M, W> {
    type Mask = Mask8;
    /// Reduced: Montgomery's reduction of a sum of products saves nothing worth ten words in memory.
    type Product = Self;

    const PRODUCTS_ARE_CALLS: bool = W::PRODUCTS_ARE_CALLS;

    #[inline(always)]
    fn call<K: Kernel>(formula: K) -> K::Output {
        W::call(formula)
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::splat([0; 5])
    }
    #[inline(always)]
    fn one() -> Self {
        Self::splat(Derived::<M>::ONE)
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        Self::splat(limbs_of(words)).mul(Self::splat(Derived::<M>::SQUARE))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (a, b) = (self.limbs, other.limbs);
        Self::from_limbs([a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2]), a[3].add(b[3]), a[4].add(b[4])])
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        let (n, from) = (self.limbs, Self::splat(Self::cushion(magnitude)).limbs);
        Self::from_limbs([
            from[0].sub(n[0]),
            from[1].sub(n[1]),
            from[2].sub(n[2]),
            from[3].sub(n[3]),
            from[4].sub(n[4]),
        ])
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        Self::from_limbs(columns::scale(self.limbs, factor))
    }
    #[inline(always)]
    fn carry(self) -> Self {
        Self::from_limbs(carry_up(self.limbs))
    }
    #[inline(always)]
    fn weaken(self) -> Self {
        Self::from_limbs(Self::fold_and_carry(self.limbs))
    }
    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        self.sub(other, magnitude).carry()
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::from_limbs(products::product::<Quotient<M>, W, 5>(&self.limbs, &other.limbs))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self::from_limbs(products::square::<Quotient<M>, W, 5>(&self.limbs))
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        self.scale(K).carry().mul(other)
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul_scaled::<K>(other)
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        self.square().scale(K).carry()
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::from_limbs(products::product_and::<Divided<M>, W, 5>(&self.limbs, &other.limbs, &addend.limbs))
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self::from_limbs(products::square_and::<Divided<M>, W, 5>(&self.limbs, &addend.limbs))
    }
    #[inline(always)]
    fn minus_product(self, other: Self, _magnitude: u64) -> Self {
        // Below 2^255 magnitudes that multiply to 8 leave a product of magnitude 2.
        self.mul(other).negate(2)
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
    fn normalize(self) -> Self {
        W::call(NormalizeMont(self))
    }
    #[inline(always)]
    fn is_zero(self) -> Mask8 {
        columns::are_zero(self.normalize().limbs)
    }
    /// Leaves Montgomery's form to see.
    #[inline(always)]
    fn is_odd(self) -> Mask8 {
        self.leave().limbs[0].and(W::splat(1)).equal(W::splat(0)).not()
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::from_limbs(columns::select(mask, if_set.limbs, if_clear.limbs))
    }

    /// x^(M - 2) by windows of five bits of the public exponent; constant time. The value must be ready to be a factor.
    #[inline(always)]
    fn invert(self) -> Self {
        // The odd powers x, x^3 to x^31.
        let base = self.weaken();
        let (square, mut next) = (base.square(), base);
        let mut odd = [base.limbs; 16];
        for power in &mut odd[1..] {
            next = next.mul(square);
            *power = next.limbs;
        }
        let exponent = subtract(&M::MODULUS, &[2, 0, 0, 0]).0;
        let bit = |i: u32| exponent[i as usize / 64 % 4] >> (i % 64) & 1;
        let mut power = Self::one();
        let mut rest = 256;
        while rest > 0 {
            if bit(rest - 1) == 0 {
                power = power.square();
                rest -= 1;
                continue;
            }
            // The longest window that ends in a one.
            let mut end = rest.saturating_sub(5);
            while bit(end) == 0 {
                end += 1;
            }
            let digit = (end..rest).rev().fold(0, |digit, i| 2 * digit + bit(i));
            // Limb by limb, since a whole number would be copied by a call.
            let [a, b, c, d, e] = &odd[digit as usize / 2 % 16];
            power = power.square_times(rest - end).mul(Self::from_limbs([*a, *b, *c, *d, *e]));
            rest = end;
        }
        power
    }
}

impl<M: MontgomeryPrime, W: Word> FieldX8 for MontX8<M, W> {
    type Word = W;

    #[inline(always)]
    fn from_memory(words: [W; 5]) -> Self {
        Self::from_limbs(columns::kept(words))
    }
    #[inline(always)]
    fn to_memory(self) -> [W; 5] {
        columns::to_keep(self.limbs)
    }
    #[inline(always)]
    fn from_words(words: [W; 4]) -> Self {
        MontX8::from_words(words)
    }
    #[inline(always)]
    fn to_words(self) -> [W; 4] {
        MontX8::to_words(self)
    }
    /// Montgomery's form as it stands.
    #[inline(always)]
    fn from_row(words: [W; 4]) -> Self {
        MontX8::from_limbs(columns::limbs_of_words(words))
    }
    #[inline(always)]
    fn to_row(self) -> [W; 4] {
        columns::words_of_limbs(self.limbs)
    }
    #[inline(always)]
    fn fits_row(self) -> bool {
        !W::splat(FULL_TOP).less(self.limbs[4]).any()
    }
    /// Canonical, because M + 2^253, below which a reduction leaves a number, may be above 2^256.
    #[inline(always)]
    fn fit_row(self) -> Self {
        self.normalize()
    }
}
