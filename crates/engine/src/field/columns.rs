//! Products of five 52-bit limbs as ten columns, eight lanes at a time; what the lane fields have in common.
//!
//! Column k is worth 2^(52 k). A product of two limbs puts its low 52 bits into column i + j and its high 52 bits into
//! the next. The instructions that do so take four cycles and two start in each, so the longest columns are summed in
//! two halves; the high columns come first, because a reduction begins with them.

use crate::word::{Kernel, LANES, Mask8, Word, kernels};

/// The largest limb of 52 bits.
pub(super) const FULL: u64 = (1 << 52) - 1;

/// The largest top limb of a number below 2^256.
pub(super) const FULL_TOP: u64 = (1 << 48) - 1;

/// The largest limbs of a carried number of magnitude 1.
const LARGEST: [u64; 5] = [FULL, FULL, FULL, FULL, 2 * FULL_TOP];

/// Limbs of 52 bits, the top one of 48.
#[inline(always)]
pub(super) const fn limbs_of(words: [u64; 4]) -> [u64; 5] {
    let [a, b, c, d] = words;
    [a & FULL, (a >> 52 | b << 12) & FULL, (b >> 40 | c << 24) & FULL, (c >> 28 | d << 36) & FULL, d >> 16]
}

kernels! {
    /// Limbs that were kept in memory. They are carried and of magnitude 1, because [`to_keep`] lets in nothing else.
    pub(super) fn kept<W>(limbs: [W; 5]) -> [W; 5] {
        let [a, b, c, d, e] = limbs;
        let limb = |at: usize, limb: W| limb.proved_at_most(LARGEST[at]);
        [limb(0, a), limb(1, b), limb(2, c), limb(3, d), limb(4, e)]
    }
}

kernels! {
    /// Limbs to be kept in memory: carried, of magnitude 1.
    pub(super) fn to_keep<W>(limbs: [W; 5]) -> [W; 5] {
        let [a, b, c, d, e] = limbs;
        let limb = |at: usize, limb: W| limb.expect_at_most(LARGEST[at]);
        [limb(0, a), limb(1, b), limb(2, c), limb(3, d), limb(4, e)]
    }
}

/// Ten columns.
pub(super) type Columns<W> = [W; 10];

/// Ten columns of zero.
#[inline(always)]
pub(super) fn zero<W: Word>() -> Columns<W> {
    [W::splat(0); 10]
}

/// A number of five limbs as columns.
#[inline(always)]
pub(super) fn low<W: Word>(limbs: [W; 5]) -> Columns<W> {
    let ([a, b, c, d, e], zero) = (limbs, W::splat(0));
    [a, b, c, d, e, zero, zero, zero, zero, zero]
}

/// The columns from their lower and their higher five.
#[inline(always)]
pub(super) fn joined<W: Word>(low: [W; 5], high: [W; 5]) -> Columns<W> {
    let ([a, b, c, d, e], [f, g, h, i, j]) = (low, high);
    [a, b, c, d, e, f, g, h, i, j]
}

kernels! {
    /// The columns plus those of `a * b`.
    pub(super) fn add_product<W>(columns: Columns<W>, a: [W; 5], b: [W; 5]) -> Columns<W> {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = columns;
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
        let zero = W::splat(0);

        let high = zero.madd_hi(a0, b4).madd_hi(a1, b3).madd_hi(a2, b2).madd_hi(a3, b1).madd_hi(a4, b0);
        let c5 = c5.madd_lo(a1, b4).madd_lo(a2, b3).madd_lo(a3, b2).madd_lo(a4, b1).add(high);
        let high = zero.madd_hi(a1, b4).madd_hi(a2, b3).madd_hi(a3, b2).madd_hi(a4, b1);
        let c6 = c6.madd_lo(a2, b4).madd_lo(a3, b3).madd_lo(a4, b2).add(high);
        let c7 = c7.madd_hi(a2, b4).madd_hi(a3, b3).madd_hi(a4, b2).madd_lo(a3, b4).madd_lo(a4, b3);
        let c8 = c8.madd_hi(a3, b4).madd_hi(a4, b3).madd_lo(a4, b4);
        let c9 = c9.madd_hi(a4, b4);

        let c0 = c0.madd_lo(a0, b0);
        let c1 = c1.madd_hi(a0, b0).madd_lo(a0, b1).madd_lo(a1, b0);
        let c2 = c2.madd_hi(a0, b1).madd_hi(a1, b0).madd_lo(a0, b2).madd_lo(a1, b1).madd_lo(a2, b0);
        let high = zero.madd_hi(a0, b2).madd_hi(a1, b1).madd_hi(a2, b0);
        let c3 = c3.madd_lo(a0, b3).madd_lo(a1, b2).madd_lo(a2, b1).madd_lo(a3, b0).add(high);
        let high = zero.madd_hi(a0, b3).madd_hi(a1, b2).madd_hi(a2, b1).madd_hi(a3, b0);
        let c4 = c4.madd_lo(a0, b4).madd_lo(a1, b3).madd_lo(a2, b2).madd_lo(a3, b1).madd_lo(a4, b0).add(high);
        [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9]
    }
}

/// Columns 1 to 8 of the products of two different limbs of `a`, each product once.
#[inline(always)]
fn mixed<W: Word>(a: [W; 5]) -> [W; 8] {
    let ([a0, a1, a2, a3, a4], zero) = (a, W::splat(0));
    [
        zero.madd_lo(a0, a1),
        zero.madd_hi(a0, a1).madd_lo(a0, a2),
        zero.madd_hi(a0, a2).madd_lo(a0, a3).madd_lo(a1, a2),
        zero.madd_hi(a0, a3).madd_hi(a1, a2).madd_lo(a0, a4).madd_lo(a1, a3),
        zero.madd_hi(a0, a4).madd_hi(a1, a3).madd_lo(a1, a4).madd_lo(a2, a3),
        zero.madd_hi(a1, a4).madd_hi(a2, a3).madd_lo(a2, a4),
        zero.madd_hi(a2, a4).madd_lo(a3, a4),
        zero.madd_hi(a3, a4),
    ]
}

kernels! {
    /// The columns of `a^2`: each mixed product once, doubled, then the squares.
    pub(super) fn square<W>(a: [W; 5]) -> Columns<W> {
        let [m1, m2, m3, m4, m5, m6, m7, m8] = mixed(a);
        let ([a0, a1, a2, a3, a4], zero) = (a, W::splat(0));
        [
            zero.madd_lo(a0, a0),
            m1.add(m1).madd_hi(a0, a0),
            m2.add(m2).madd_lo(a1, a1),
            m3.add(m3).madd_hi(a1, a1),
            m4.add(m4).madd_lo(a2, a2),
            m5.add(m5).madd_hi(a2, a2),
            m6.add(m6).madd_lo(a3, a3),
            m7.add(m7).madd_hi(a3, a3),
            m8.add(m8).madd_lo(a4, a4),
            zero.madd_hi(a4, a4),
        ]
    }
}

kernels! {
    /// The columns plus those of `a^2`.
    pub(super) fn add_square<W>(columns: Columns<W>, a: [W; 5]) -> Columns<W> {
        let [m1, m2, m3, m4, m5, m6, m7, m8] = mixed(a);
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = columns;
        let [a0, a1, a2, a3, a4] = a;
        [
            c0.madd_lo(a0, a0),
            m1.add(m1).add(c1.madd_hi(a0, a0)),
            m2.add(m2).add(c2.madd_lo(a1, a1)),
            m3.add(m3).add(c3.madd_hi(a1, a1)),
            m4.add(m4).add(c4.madd_lo(a2, a2)),
            m5.add(m5).add(c5.madd_hi(a2, a2)),
            m6.add(m6).add(c6.madd_lo(a3, a3)),
            m7.add(m7).add(c7.madd_hi(a3, a3)),
            m8.add(m8).add(c8.madd_lo(a4, a4)),
            c9.madd_hi(a4, a4),
        ]
    }
}

/// `K * word` for a small constant, within the word.
#[inline(always)]
pub(super) fn times<const K: u64, W: Word>(word: W) -> W {
    match K {
        1 => word,
        2 => word.add(word),
        3 => word.add(word).add(word),
        4 => word.mul_pow2::<2>(),
        8 => word.mul_pow2::<3>(),
        _ => (1..K).fold(word, |sum, _| sum.add(word)),
    }
}

kernels! {
    /// One carry chain from limb 0 up to limb 4, which keeps what reaches it.
    pub(super) fn carry_up<W>(limbs: [W; 5]) -> [W; 5] {
        let [n0, n1, n2, n3, n4] = limbs;
        let full = W::splat(FULL);
        let n1 = n1.add(n0.shr::<52>());
        let n2 = n2.add(n1.shr::<52>());
        let n3 = n3.add(n2.shr::<52>());
        let n4 = n4.add(n3.shr::<52>());
        [n0.and(full), n1.and(full), n2.and(full), n3.and(full), n4]
    }
}

kernels! {
    /// As [`carry_up`] for limbs that may be negative.
    pub(super) fn carry_up_signed<W>(limbs: [W; 5]) -> [W; 5] {
        let [n0, n1, n2, n3, n4] = limbs;
        let full = W::splat(FULL);
        let n1 = n1.add(n0.sar::<52>());
        let n2 = n2.add(n1.sar::<52>());
        let n3 = n3.add(n2.sar::<52>());
        let n4 = n4.add(n3.sar::<52>());
        [n0.and(full), n1.and(full), n2.and(full), n3.and(full), n4]
    }
}

kernels! {
    /// The lanes in which all limbs are zero.
    pub(super) fn are_zero<W>(limbs: [W; 5]) -> Mask8 {
        let [a, b, c, d, e] = limbs;
        a.or(b).or(c.or(d)).or(e).equal(W::splat(0))
    }
}

kernels! {
    /// Every limb by the mask.
    pub(super) fn select<W>(mask: Mask8, if_set: [W; 5], if_clear: [W; 5]) -> [W; 5] {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (if_set, if_clear);
        [
            W::select(mask, a0, b0),
            W::select(mask, a1, b1),
            W::select(mask, a2, b2),
            W::select(mask, a3, b3),
            W::select(mask, a4, b4),
        ]
    }
}

/// Every limb times a small number.
#[inline(always)]
pub(super) fn scale<W: Word>(limbs: [W; 5], factor: u64) -> [W; 5] {
    match factor {
        1 => limbs,
        2 => W::kernel(Scaled::<W, 2>(limbs)),
        3 => W::kernel(Scaled::<W, 3>(limbs)),
        4 => W::kernel(Scaled::<W, 4>(limbs)),
        8 => W::kernel(Scaled::<W, 8>(limbs)),
        _ => (1..factor).fold(limbs, |sum, _| sum_of(sum, limbs)),
    }
}

/// The work of [`scale`].
struct Scaled<W, const K: u64>([W; 5]);

impl<W: Word, const K: u64> Kernel for Scaled<W, K> {
    type Output = [W; 5];

    #[inline(always)]
    fn run(self) -> [W; 5] {
        let [a, b, c, d, e] = self.0;
        [times::<K, W>(a), times::<K, W>(b), times::<K, W>(c), times::<K, W>(d), times::<K, W>(e)]
    }
}

kernels! {
    /// A number with this lowest limb, this top one and these between, less another, limb by limb.
    pub(super) fn less<W>(lowest: u64, middle: u64, top: u64, limbs: [W; 5]) -> [W; 5] {
        let ([a, b, c, d, e], middle) = (limbs, W::splat(middle));
        [W::splat(lowest).sub(a), middle.sub(b), middle.sub(c), middle.sub(d), W::splat(top).sub(e)]
    }
}

kernels! {
    /// `a - b` less a number in the lowest limb and plus one in the top limb, carried; the limbs may be negative before.
    pub(super) fn carried_difference<W>(a: [W; 5], b: [W; 5], lowest: u64, top: u64) -> [W; 5] {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
        let n0 = a0.sub(b0).sub(W::splat(lowest));
        let n4 = a4.sub(b4).add(W::splat(top));
        carry_up_signed([n0, a1.sub(b1), a2.sub(b2), a3.sub(b3), n4])
    }
}

kernels! {
    /// Limb by limb.
    pub(super) fn sum_of<W>(a: [W; 5], b: [W; 5]) -> [W; 5] {
        let ([a0, a1, a2, a3, a4], [b0, b1, b2, b3, b4]) = (a, b);
        [a0.add(b0), a1.add(b1), a2.add(b2), a3.add(b3), a4.add(b4)]
    }
}

kernels! {
    /// Five limbs from four 64-bit words, least significant first.
    pub(super) fn limbs_of_words<W>(words: [W; 4]) -> [W; 5] {
        let [a, b, c, d] = words;
        let full = W::splat(FULL);
        [
            a.and(full),
            a.shr::<52>().or(b.shl::<12>()).and(full),
            b.shr::<40>().or(c.shl::<24>()).and(full),
            c.shr::<28>().or(d.shl::<36>()).and(full),
            d.shr::<16>(),
        ]
    }
}

kernels! {
    /// Four 64-bit words from the five limbs of a number below 2^256.
    pub(super) fn words_of_limbs<W>(limbs: [W; 5]) -> [W; 4] {
        let [a, b, c, d, e] = limbs;
        [
            a.or(b.shl::<52>()),
            b.shr::<12>().or(c.shl::<40>()),
            c.shr::<24>().or(d.shl::<28>()),
            d.shr::<36>().or(e.shl::<16>()),
        ]
    }
}

/// Words of eight lanes from one number per lane.
#[inline(always)]
pub(super) fn words_of_lanes<W: Word>(numbers: [[u64; 4]; LANES]) -> [W; 4] {
    let [a, b, c, d, e, f, g, h] = numbers;
    let word = |i: usize| W::from_lanes([a[i], b[i], c[i], d[i], e[i], f[i], g[i], h[i]]);
    [word(0), word(1), word(2), word(3)]
}

/// One number per lane from words of eight lanes.
#[inline(always)]
pub(super) fn lanes_of_words<W: Word>(words: [W; 4]) -> [[u64; 4]; LANES] {
    let [a, b, c, d] = words;
    let (a, b, c, d) = (a.to_lanes(), b.to_lanes(), c.to_lanes(), d.to_lanes());
    let lane = |i: usize| [a[i], b[i], c[i], d[i]];
    [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)]
}
