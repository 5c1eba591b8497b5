//! a P + b G.
//!
//! a is split into halves for P and lambda P. For each window the two table entries are added in affine coordinates,
//! all windows of a chunk sharing one inversion; d P + e lambda P with 0 < |d|, |e| < 32 is never exceptional, because
//! no vector of the lattice is that short. The sums go into one Jacobian chain of 125 doublings. b G is two partial
//! sums, which are added in the end.
//!
//! # Exceptional additions
//!
//! The chain of a P is that of a secret a, digit for digit, and `mul::point::eight_rows_ct` proves that no addition of
//! it is exceptional but the last one, of window 0. Whoever chooses scalars and keys can have it meet equal points,
//! negatives or infinity. Z is then zero. So where some lane's Z is zero in the end, the group repeats this addition by
//! the complete formula, for all its lanes. Afterwards Z is zero where a P is infinity, and nowhere else. The same holds
//! for the two additions of the generator's partial sums, which repeat together.
//!
//! # Points of other curves
//!
//! A key of which x alone is known is an image of its point, or of none: then a point of a curve with points of small
//! order (`super::by_x`). For such a point an affine addition may be exceptional, and its lane is then void in all groups
//! that share the inversion. These lanes are reported.

use crate::tuning::GROUPS_PER_INVERSION;
use crate::{
    group::Secp256k1,
    lanes::{
        inversion::divide,
        memory::{AffineLanes, AffineX8, CacheLine, FeX8, JacobianX8, Machine, Numbers, U256x8, read_entries},
    },
    mul::{
        digits::{Digits, POINT_WINDOWS},
        generator::eight_rows::{partial_sums, with_sign},
        odd_multiples::{ENTRIES, tables},
        pair_sums::{Adding, ChainPairs, ChainRound},
    },
    tables::Entry,
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{LANES, Mask, Mask8, Op, Word},
};

/// The sums a P + b G of a chunk, in groups of eight rows.
pub(crate) struct DoubleMuls<'a> {
    pub(crate) points: &'a [AffineLanes],
    pub(crate) digits: &'a [Digits],
    pub(crate) sums: &'a mut [JacobianX8],
    /// The lanes whose sum is infinity.
    pub(crate) infinite: &'a mut [Mask8],
}

/// Computes the sums, and for each group the lanes whose sum is infinity. There Z is one, and X and Y mean nothing.
pub(crate) fn double_mul_rows<M: Machine>(machine: M, work: DoubleMuls<'_>, memory: &mut [CacheLine]) {
    let parts = work.points.chunks(GROUPS_PER_INVERSION).zip(work.digits.chunks(GROUPS_PER_INVERSION));
    let outputs = work.sums.chunks_mut(GROUPS_PER_INVERSION).zip(work.infinite.chunks_mut(GROUPS_PER_INVERSION));
    for ((points, digits), (sums, infinite)) in parts.zip(outputs) {
        let mut numbers = Numbers::new(&mut *memory);
        let partial: &mut [[AffineX8; 2]] = numbers.take(points.len());
        let work = DoubleMulTerms { points, digits, products: &mut *sums, partial: &mut *partial };
        let void = part(machine, work, numbers.spare());
        debug_assert!(!void.any(), "no affine addition is exceptional");
        sum_terms(machine, partial, sums, infinite);
    }
}

/// The terms of the sums a P + b G of a chunk, in groups of eight rows.
pub(crate) struct DoubleMulTerms<'a> {
    pub(crate) points: &'a [AffineLanes],
    pub(crate) digits: &'a [Digits],
    /// a P, with Z = 0 for infinity.
    pub(crate) products: &'a mut [JacobianX8],
    /// Two points whose sum is b G.
    pub(crate) partial: &'a mut [[AffineX8; 2]],
}

/// Computes the terms, and for each group the lanes that are void: a P is any point there.
pub(crate) fn double_mul_terms<M: Machine>(
    machine: M,
    work: DoubleMulTerms<'_>,
    void: &mut [Mask8],
    memory: &mut [CacheLine],
) {
    let parts = work.points.chunks(GROUPS_PER_INVERSION).zip(work.digits.chunks(GROUPS_PER_INVERSION));
    let outputs = work.products.chunks_mut(GROUPS_PER_INVERSION).zip(work.partial.chunks_mut(GROUPS_PER_INVERSION));
    for (((points, digits), (products, partial)), void) in parts.zip(outputs).zip(void.chunks_mut(GROUPS_PER_INVERSION))
    {
        void.fill(part(machine, DoubleMulTerms { points, digits, products, partial }, memory));
    }
}

/// The terms of groups that share inversions, and the lanes that are void.
fn part<M: Machine>(machine: M, work: DoubleMulTerms<'_>, memory: &mut [CacheLine]) -> Mask8 {
    let DoubleMulTerms { points, digits, products, partial } = work;
    let groups = points.len();
    let (sums, of_partial) = partial_sums(machine, digits, &mut Numbers::new(&mut *memory));
    debug_assert!(!of_partial.any(), "no affine addition of the generator is exceptional");
    for (group, partial) in partial.iter_mut().enumerate() {
        *partial = [sums[group], sums[groups + group]];
    }
    let mut numbers = Numbers::new(memory);
    let (entries, of_tables) = tables(machine, points, &mut numbers);
    let spare = numbers.take(POINT_WINDOWS * groups);
    let chains = Chains { digits, entries, products };
    of_tables.or(divide(machine, &mut Adding(ChainRound { chains, spare })))
}

/// The pairs of the chains: of each window an entry for either half.
struct Chains<'a> {
    digits: &'a [Digits],
    entries: &'a [Entry],
    products: &'a mut [JacobianX8],
}

impl ChainPairs for Chains<'_> {
    #[inline(always)]
    fn x<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.entries::<W>(group, window);
        [first.x, Affine::endomorphism_of_x::<Secp256k1>(second.x)]
    }
    #[inline(always)]
    fn y<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.entries::<W>(group, window);
        [first.y, second.y]
    }
    #[inline(always)]
    fn end<W: Word>(&mut self, group: usize, chain: Jacobian<FeX8<W>>, addend: Affine<FeX8<W>>) {
        let mut product = chain.add_mixed(addend).0;
        if product.is_infinity().any() {
            product = chain.add_mixed_complete(addend);
        }
        self.products[group].store(product);
    }
}

impl Chains<'_> {
    /// The table entries of both halves.
    #[inline(always)]
    fn entries<W: Word>(&self, group: usize, window: usize) -> [Affine<FeX8<W>>; 2] {
        let entries = &self.entries[LANES * ENTRIES * group..][..LANES * ENTRIES];
        let digits = &self.digits[group];
        [read(entries, digits.point(0, window)), read(entries, digits.point(1, window))]
    }
}

/// Adds the partial sums of b G to a P, in its place, and finds the lanes whose sum is infinity. There Z is one, and X
/// and Y mean nothing.
pub(crate) fn sum_terms<M: Machine>(
    machine: M,
    partial: &[[AffineX8; 2]],
    sums: &mut [JacobianX8],
    infinite: &mut [Mask8],
) {
    machine.run(SumTerms { partial, sums, infinite });
}

struct SumTerms<'a> {
    partial: &'a [[AffineX8; 2]],
    sums: &'a mut [JacobianX8],
    infinite: &'a mut [Mask8],
}

impl Op for SumTerms<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for ((partial, sum), infinite) in self.partial.iter().zip(self.sums).zip(self.infinite) {
            let product: Jacobian<FeX8<W>> = sum.load();
            let mut total = product;
            // In one loop each, since its body is long.
            for point in partial {
                total = total.add_mixed(point.load()).0;
            }
            *infinite = total.is_infinity();
            if infinite.any() {
                total = product;
                for point in partial {
                    total = total.add_mixed_complete(point.load());
                }
                *infinite = total.is_infinity();
            }
            sum.store(Jacobian { z: FeX8::select(*infinite, FeX8::one(), total.z), ..total });
        }
    }
}

/// The lanes in which the point has this x, a number below p.
pub(crate) fn same_x<M: Machine>(machine: M, point: &JacobianX8, x: &U256x8) -> Mask8 {
    machine.run(SameX { point, x })
}

struct SameX<'a> {
    point: &'a JacobianX8,
    x: &'a U256x8,
}

impl Op for SameX<'_> {
    type Output = Mask8;

    /// Compares x Z^2 with X, which spares the inversion.
    #[inline(always)]
    fn call<W: Word>(self) -> Mask8 {
        let point: Jacobian<FeX8<W>> = self.point.load();
        FeX8::from_words(self.x.load()).mul(point.z.square()).equals(point.x)
    }
}

/// The entry for each lane's code, with the code's sign; y is not carried, and of magnitude 2.
#[inline(always)]
fn read<W: Word>(entries: &[Entry], codes: W) -> Affine<FeX8<W>> {
    let at = codes.to_lanes();
    let entry = |lane: usize| &entries[ENTRIES * lane..][at[lane] as usize & (ENTRIES - 1)];
    let point = read_entries([entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7)]);
    with_sign(point, codes.less(W::splat(ENTRIES as u64)))
}
