//! Eight lanes modulo p = 2^256 - C: five words of 52-bit limbs, multiplied 52 bits at a time.
//!
//! # Bounds
//!
//! A *carried* number has every limb below 2^52, so it is below 2^260. A product has ten columns: ten partial products
//! of 52 bits at most in each, twenty in a sum of two products, and an addend below 2^60. The interval run in
//! `tests/engine/intervals.rs` computes every intermediate range exactly, for each operation and each formula.
//!
//! # Reduction
//!
//! Columns 5 to 9 are worth 2^260 = 16 C each at the bottom. They are folded without a carry among them: a factor's
//! bits from 52 up do not take part, and these few excess bits are multiplied by themselves. What stands above 2^256
//! (in the fold's last column and in the top limb) is folded by C into the two lowest limbs *before* the one carry
//! chain, so that the top limb's four spare bits absorb the last carry and the result is carried.

use super::columns::{self, Columns, FULL, FULL_TOP, carry_up, times};
use super::products::{self, Finish};
use super::{Fe4, Field, FieldX8, Prime};
use crate::word::{Kernel, LANES, Mask, Mask8, Word};
use core::marker::PhantomData;

/// A number modulo 2^256 - C in each of eight lanes. See [`Field`] for magnitudes and carrying.
#[derive(Clone, Copy, Debug)]
pub struct Fe52X8<P, W> {
    limbs: [W; 5],
    prime: PhantomData<P>,
}

impl<P: Prime, W: Word> Fe52X8<P, W> {
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

    /// From four 64-bit words per lane, least significant first; any 256-bit number is taken, modulo p. The result is
    /// carried and has magnitude 1.
    #[inline(always)]
    pub fn from_words(words: [W; 4]) -> Self {
        Self::from_limbs(columns::limbs_of_words(words))
    }

    /// The number as four 64-bit words per lane, least significant first. It must be carried and below 2^256, as it is
    /// when normalised.
    #[inline(always)]
    pub fn to_words(self) -> [W; 4] {
        columns::words_of_limbs(self.limbs)
    }

    /// From one 256-bit number per lane.
    #[inline(always)]
    pub fn from_lanes(numbers: [[u64; 4]; LANES]) -> Self {
        Self::from_words(columns::words_of_lanes(numbers))
    }

    /// The canonical number of each lane. The value must be normalised.
    #[inline(always)]
    pub fn to_lanes(self) -> [[u64; 4]; LANES] {
        columns::lanes_of_words(self.to_words())
    }

    /// The limbs, with the instructions that use them kept after those of the operations before this one.
    #[inline(always)]
    fn factor(self) -> [W; 5] {
        W::keep_source_order(self.limbs)
    }

    /// The end of an operation.
    #[inline(always)]
    fn done(limbs: [W; 5]) -> Self {
        Self::from_limbs(W::keep_source_order(limbs))
    }

    /// `K` times the ten columns of a product, folded to five columns that are not yet carried. The top one is below
    /// 2^48.
    #[inline(always)]
    fn fold<const K: u64>(columns: Columns<W>) -> [W; 5] {
        W::kernel(Fold::<P, W, K>(columns, PhantomData))
    }

    /// A multiple of p, less the columns: each of them is at least 2^57, and the top one, which has no excess bits,
    /// 2^50.
    #[inline(always)]
    fn minus(columns: Columns<W>) -> Columns<W> {
        // 2^10 p, and above it 2^260 * 8 p with 2^6 * 2^52 moved from each of its limbs into the next lower one.
        const TIMES: u64 = 1 << 10;
        const HIGH_TIMES: u64 = 8;
        const MOVED: u64 = 1 << 6;
        let [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4] = columns;
        let from = |constant: u64, column: W| W::splat(constant).sub(column);
        let middle = HIGH_TIMES * FULL + (MOVED << 52) - MOVED;
        [
            from(TIMES * (FULL + 1 - P::C), c0),
            from(TIMES * FULL, c1),
            from(TIMES * FULL, c2),
            from(TIMES * FULL, c3),
            from(TIMES * FULL_TOP, c4),
            from(HIGH_TIMES * (FULL + 1 - P::C) + (MOVED << 52), h0),
            from(middle, h1),
            from(middle, h2),
            from(middle, h3),
            from(HIGH_TIMES * FULL_TOP - MOVED, h4),
        ]
    }

    /// As [`Self::done`] for columns.
    #[inline(always)]
    fn done_columns(columns: Columns<W>) -> Columns<W> {
        let [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4] = columns;
        let [c0, c1, c2, c3, c4] = W::keep_source_order([c0, c1, c2, c3, c4]);
        let [h0, h1, h2, h3, h4] = W::keep_source_order([h0, h1, h2, h3, h4]);
        [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4]
    }
}

/// A product's columns reduced, times `K`: a carried number of magnitude 1, or of `K`.
struct Reduced<P, const K: u64>(PhantomData<P>);

/// The same before its carry.
struct Loose<P, const K: u64>(PhantomData<P>);

/// The columns of a multiple of p less `K` times a product.
struct Negated<P, const K: u64>(PhantomData<P>);

/// What all products of this field begin with.
macro_rules! begins {
    () => {
        #[inline(always)]
        fn factor<W: Word>(limbs: [W; 5]) -> [W; 5] {
            W::keep_source_order(limbs)
        }
        #[inline(always)]
        fn addend<W: Word>(limbs: [W; 5]) -> Columns<W> {
            columns::low(limbs)
        }
    };
}

impl<P: Prime, const K: u64> Finish<5> for Reduced<P, K> {
    begins!();
    #[inline(always)]
    fn finish<W: Word>(columns: Columns<W>) -> [W; 5] {
        W::keep_source_order(carry_up(Fe52X8::<P, W>::fold::<K>(columns)))
    }
}

impl<P: Prime, const K: u64> Finish<5> for Loose<P, K> {
    begins!();
    #[inline(always)]
    fn finish<W: Word>(columns: Columns<W>) -> [W; 5] {
        W::keep_source_order(Fe52X8::<P, W>::fold::<K>(columns))
    }
}

impl<P: Prime, const K: u64> Finish<10> for Negated<P, K> {
    begins!();
    #[inline(always)]
    fn finish<W: Word>(columns: Columns<W>) -> Columns<W> {
        let [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4] = columns;
        let t = times::<K, W>;
        let scaled = [t(c0), t(c1), t(c2), t(c3), t(c4), t(h0), t(h1), t(h2), t(h3), t(h4)];
        Fe52X8::<P, W>::done_columns(Fe52X8::<P, W>::minus(scaled))
    }
}

/// The work of [`Fe52X8::fold`].
struct Fold<P, W, const K: u64>(Columns<W>, PhantomData<P>);

impl<P: Prime, W: Word, const K: u64> Kernel for Fold<P, W, K> {
    type Output = [W; 5];

    #[inline(always)]
    fn run(self) -> [W; 5] {
        let [c0, c1, c2, c3, c4, h0, h1, h2, h3, h4] = self.0;
        let (c0, c1, c2) = (times::<K, W>(c0), times::<K, W>(c1), times::<K, W>(c2));
        let (c3, c4) = (times::<K, W>(c3), times::<K, W>(c4));
        let wrap = W::splat(K * (P::C << 4));
        let (e0, e1, e2, e3) = (h0.shr::<52>(), h1.shr::<52>(), h2.shr::<52>(), h3.shr::<52>());
        let (h0, h1, h2, h3) = (h0.low52_intended(), h1.low52_intended(), h2.low52_intended(), h3.low52_intended());
        // The top column has no excess bits; what it adds above the fifth limb is folded at once.
        let c5 = W::splat(0).madd_hi(h4, wrap);
        let wrap_once = W::splat(P::C << 4);
        let c0 = c0.madd_lo(h0, wrap).madd_lo(c5, wrap_once);
        let c1 = c1.madd_hi(h0, wrap).madd_lo(h1, wrap).madd(e0, wrap).madd_hi(c5, wrap_once);
        let c2 = c2.madd_hi(h1, wrap).madd_lo(h2, wrap).madd(e1, wrap);
        let c3 = c3.madd_hi(h2, wrap).madd_lo(h3, wrap).madd(e2, wrap);
        let c4 = c4.madd_hi(h3, wrap).madd_lo(h4, wrap).madd(e3, wrap);
        let over = c4.shr::<48>();
        [c0.madd(over, W::splat(P::C)), c1, c2, c3, c4.and(W::splat(FULL_TOP))]
    }
}

impl<P: Prime, W: Word> Field for Fe52X8<P, W> {
    type Mask = Mask8;
    type Product = Columns<W>;

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
        let [a, b, c, d, e] = Fe4::<P>::from_words(words).limbs();
        Self::from_limbs([W::splat(a), W::splat(b), W::splat(c), W::splat(d), W::splat(e)])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::from_limbs(columns::sum_of(self.limbs, other.limbs))
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        let k = 2 * (magnitude + 1);
        Self::from_limbs(columns::less(k * (FULL + 1 - P::C), k * FULL, k * FULL_TOP, self.limbs))
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
        let [n0, n1, n2, n3, n4] = self.limbs;
        let n0 = n0.madd(n4.shr::<48>(), W::splat(P::C));
        Self::from_limbs(carry_up([n0, n1, n2, n3, n4.and(W::splat(FULL_TOP))]))
    }
    /// Adds 2 (m + 1) p, which is more than `other`, to the outer limbs; those in between may be negative until
    /// carried.
    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        let (a, b, k) = (self.factor(), other.factor(), 2 * (magnitude + 1));
        Self::done(columns::carried_difference(a, b, k * P::C, k << 48))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::from_limbs(products::product::<Reduced<P, 1>, W, 5>(&self.limbs, &other.limbs))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self::from_limbs(products::square::<Reduced<P, 1>, W, 5>(&self.limbs))
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        Self::from_limbs(products::product::<Reduced<P, K>, W, 5>(&self.limbs, &other.limbs))
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        Self::from_limbs(products::product::<Loose<P, K>, W, 5>(&self.limbs, &other.limbs))
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        Self::from_limbs(products::square::<Reduced<P, K>, W, 5>(&self.limbs))
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::from_limbs(products::product_and::<Reduced<P, 1>, W, 5>(&self.limbs, &other.limbs, &addend.limbs))
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self::from_limbs(products::square_and::<Reduced<P, 1>, W, 5>(&self.limbs, &addend.limbs))
    }
    #[inline(always)]
    fn minus_product(self, other: Self, _magnitude: u64) -> Columns<W> {
        products::product::<Negated<P, 1>, W, 10>(&self.limbs, &other.limbs)
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, _magnitude: u64) -> Columns<W> {
        products::square::<Negated<P, K>, W, 10>(&self.limbs)
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Columns<W>) -> Self {
        let halves = product.as_chunks().0;
        Self::from_limbs(products::product_plus::<Reduced<P, 1>, W, 5>(
            &self.limbs,
            &other.limbs,
            &halves[0],
            &halves[1],
        ))
    }
    #[inline(always)]
    fn square_plus(self, product: Columns<W>) -> Self {
        let halves = product.as_chunks().0;
        Self::from_limbs(products::square_plus::<Reduced<P, 1>, W, 5>(&self.limbs, &halves[0], &halves[1]))
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        W::call(Normalize(self))
    }
    #[inline(always)]
    fn is_zero(self) -> Mask8 {
        columns::are_zero(self.normalize().limbs)
    }
    #[inline(always)]
    fn is_odd(self) -> Mask8 {
        self.limbs[0].and(W::splat(1)).equal(W::splat(0)).not()
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::from_limbs(columns::select(mask, if_set.limbs, if_clear.limbs))
    }
    #[inline(always)]
    fn invert(self) -> Self {
        P::invert(self)
    }
}

/// The work of [`Field::normalize`].
struct Normalize<P, W>(Fe52X8<P, W>);

impl<P: Prime, W: Word> Kernel for Normalize<P, W> {
    type Output = Fe52X8<P, W>;

    /// Canonical: fold what stands above 2^256 and carry, so that the number is
    /// below 2^256 + 2^208 < 2p; then adding C reaches 2^256 exactly when it is at least p.
    #[inline(always)]
    fn run(self) -> Fe52X8<P, W> {
        let (c, top) = (W::splat(P::C), W::splat(FULL_TOP));
        let n = self.0.weaken().limbs;
        let probe = carry_up([n[0].add(c), n[1], n[2], n[3], n[4]]);
        let at_least_p = probe[4].shr::<48>();
        let n = carry_up([n[0].madd(at_least_p, c), n[1], n[2], n[3], n[4]]);
        Fe52X8::from_limbs([n[0], n[1], n[2], n[3], n[4].and(top)])
    }
}

/// A row holds numbers as they are.
impl<P: Prime, W: Word> FieldX8 for Fe52X8<P, W> {
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
        Fe52X8::from_words(words)
    }
    #[inline(always)]
    fn to_words(self) -> [W; 4] {
        Fe52X8::to_words(self)
    }
    #[inline(always)]
    fn fits_row(self) -> bool {
        !W::splat(FULL_TOP).less(self.limbs[4]).any()
    }
    /// A number that a reduction or [`Field::weaken`] left is below 2^256 + 2^216: both clear the top limb from bit 48
    /// on before they carry. So it is seldom 2^256 or more, and then weakening leaves it below: what is below the bits
    /// to be folded is less than 2^216.
    #[inline(always)]
    fn fit_row(self) -> Self {
        self.weaken()
    }
}
