//! a P + b G.
//!
//! a is split into halves for P and lambda P. For each window the two table entries are added in affine coordinates,
//! all windows of a chunk sharing one inversion; d P + e lambda P with 0 < |d|, |e| < 32 is never exceptional, because
//! no vector of the lattice is that short. The sums go into one Jacobian chain of 125 doublings, and the two partial
//! sums of b G are added in the end.
//!
//! # Exceptional additions
//!
//! The chain of a P is that of a secret a, digit for digit, and `mul::point::eight_rows_ct` proves that no addition of
//! it is exceptional but the last one, of window 0. The two additions of the generator's partial sums come after it.
//! Whoever chooses scalars and keys can have each of these three meet equal points, negatives or infinity. Z is then
//! zero, and stays zero. So where some lane's Z is zero in the end, the group repeats these three additions by the
//! complete formula, for all its lanes: 21M + 15S on top of some 1,350. Afterwards Z is zero where the sum is infinity,
//! and nowhere else.

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
        let partial: &mut [AffineX8] = numbers.take(2 * points.len());
        let (sums_of_generator, of_partial) = partial_sums(machine, digits, &mut Numbers::new(numbers.spare()));
        partial.copy_from_slice(&sums_of_generator[..partial.len()]);
        let (entries, of_tables) = tables(machine, points, &mut numbers);
        let spare = numbers.take(POINT_WINDOWS * points.len());
        let chains = DoubleChains { digits, entries, partial, sums, infinite };
        let of_chains = divide(machine, &mut Adding(ChainRound { chains, spare }));
        debug_assert!(
            ![of_partial, of_tables, of_chains].iter().any(|lanes| lanes.any()),
            "no affine addition is exceptional"
        );
    }
}

/// The pairs of the chains: of each window an entry for either half.
struct DoubleChains<'a> {
    digits: &'a [Digits],
    entries: &'a [Entry],
    partial: &'a [AffineX8],
    sums: &'a mut [JacobianX8],
    infinite: &'a mut [Mask8],
}

impl ChainPairs for DoubleChains<'_> {
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
        let mut last = AffineX8::ZERO;
        last.store(addend);
        // In one loop each, since its body is long.
        let partial = self.partial[group..].iter().step_by(self.digits.len()).take(2);
        let points = core::iter::once(&last).chain(partial);
        let mut sum = chain;
        for point in points.clone() {
            sum = sum.add_mixed(point.load()).0;
        }
        let mut infinite = sum.is_infinity();
        if infinite.any() {
            sum = chain;
            for point in points {
                sum = sum.add_mixed_complete(point.load());
            }
            infinite = sum.is_infinity();
        }
        self.infinite[group] = infinite;
        self.sums[group].store(Jacobian { z: FeX8::select(infinite, FeX8::one(), sum.z), ..sum });
    }
}

impl DoubleChains<'_> {
    /// The table entries of both halves.
    #[inline(always)]
    fn entries<W: Word>(&self, group: usize, window: usize) -> [Affine<FeX8<W>>; 2] {
        let entries = &self.entries[LANES * ENTRIES * group..][..LANES * ENTRIES];
        let digits = &self.digits[group];
        [read(entries, digits.point(0, window)), read(entries, digits.point(1, window))]
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
