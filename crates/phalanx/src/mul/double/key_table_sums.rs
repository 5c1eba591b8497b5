//! The sums by tables: every term is an entry, and terms are added pairwise in affine coordinates.
//!
//! The digits of each half of a select 22 entries of the point's table, those of b select 32 of the generator's. Three
//! rounds of additions, each with one inversion for all terms of a chunk, leave three sums of either half and four of
//! the generator's terms. These ten are added in Jacobian coordinates, where one multiplication by beta on the way
//! turns the sum of the second half's entries into a multiple of lambda P.
//!
//! # No exceptional addition can occur in affine coordinates
//!
//! The addends of a half are sums of e_i 64^i P over disjoint sets of windows, with e_i odd and |e_i| < 64. So the sum
//! and the difference of two addends are k P, where k is such a sum over both sets. This k is not zero, because its
//! highest term is larger than all others together. And it is smaller than 2^132, so it is no multiple of n. For the
//! generator's part see `generator/eight_rows.rs`, whose order of additions this is.
//!
//! # Exceptional additions in Jacobian coordinates
//!
//! Whoever chooses scalars and keys can make one of the last nine additions meet equal points, negatives or infinity. Z
//! is then zero, and stays zero. So if Z is zero in some lane in the end, the nine additions of the group are repeated
//! by the complete formula, in all its lanes. After that, Z is zero where the sum is infinity, and nowhere else.

use crate::tuning::GROUPS_PER_INVERSION;
use crate::{
    group::Secp256k1,
    lanes::{
        inversion::divide,
        memory::{AffineX8, CacheLine, FeX8, FeX8Mem, JacobianX8, Machine, Numbers, lookup_x, lookup_y},
    },
    mul::{
        digits::{Digits, GENERATOR_WINDOWS, KEY_TABLE_WIDTH, KEY_TABLE_WINDOWS},
        generator::eight_rows::read as read_generator,
        pair_sums::{Adding, LeafRound, Places, ReadPairs, TreeRound},
    },
    tables::LookupWindow,
};
use phalanx_engine::{
    curve::{Affine, GlvCurve, Jacobian},
    field::Field,
    word::{Mask, Mask8, Op, Word},
};

/// Entries of a window: the odd multiples below 64.
pub(crate) const ENTRIES: usize = 1 << (KEY_TABLE_WIDTH - 1);

/// The generator's sums per group after the first round.
const GENERATOR_SUMS: usize = GENERATOR_WINDOWS / 2;
/// The sums of one half per group after the first round.
const HALF_SUMS: usize = KEY_TABLE_WINDOWS / 2;
const _: () = assert!(KEY_TABLE_WINDOWS.is_multiple_of(2));

/// The number of rounds after the first. One more would save less time in four additions than its inversion takes.
const INNER_ROUNDS: usize = 2;

/// The sums a P + b G of a chunk, in groups of eight rows. Group `i` has the table `tables[i]` of its point P, the
/// digits `digits[i]`, and its sums go to `sums[i]`.
pub(crate) struct KeyTableSums<'a> {
    pub(crate) tables: &'a [&'a [LookupWindow]],
    pub(crate) digits: &'a [Digits],
    pub(crate) sums: &'a mut [JacobianX8],
    /// The lanes whose sum is infinity.
    pub(crate) infinite: &'a mut [Mask8],
}

/// Computes the sums, and for each group the lanes whose sum is infinity. There Z is one, and X and Y mean nothing.
pub(crate) fn double_mul_with_tables<M: Machine>(machine: M, work: KeyTableSums<'_>, memory: &mut [CacheLine]) {
    let parts = work.tables.chunks(GROUPS_PER_INVERSION).zip(work.digits.chunks(GROUPS_PER_INVERSION));
    let outputs = work.sums.chunks_mut(GROUPS_PER_INVERSION).zip(work.infinite.chunks_mut(GROUPS_PER_INVERSION));
    for ((tables, digits), (sums, infinite)) in parts.zip(outputs) {
        let groups = digits.len();
        let (mut generator, mut half) = (GENERATOR_SUMS, HALF_SUMS);
        let behind = generator * groups;
        let mut numbers = Numbers::new(&mut *memory);
        let terms: &mut [AffineX8] = numbers.take((generator + 2 * half) * groups);
        let products: &mut [FeX8Mem] = numbers.take(terms.len());
        let read = KeyTableLeaves { tables, digits };
        let leaves = LeafRound { sums: &mut *terms, second_x: &mut *products, read };
        let mut zero_denominator = divide(machine, &mut Adding(leaves)).0;
        for _ in 0..INNER_ROUNDS {
            let left = half.div_ceil(2);
            let (of_generator, of_halves) = (generator / 2 * groups, (half - left) * 2 * groups);
            let spare = &mut products[..of_generator + of_halves];
            // `terms` has the `generator` sums of the generator and, from `behind` on, the `half` sums of each half.
            // The round adds the generator's sum `i + generator / 2` to its sum `i`, and a half's sum `w + left` to its
            // sum `w`.
            let kept = left * 2 * groups;
            let places = Places::apart(of_generator).then(of_generator, behind, kept);
            zero_denominator |=
                divide(machine, &mut Adding(TreeRound { sums: &mut *terms, spare, places, secret: false })).0;
            (generator, half) = (generator / 2, left);
        }
        let halves = &terms[behind..][..2 * half * groups];
        machine.run(Finish { halves, generator: &terms[..generator * groups], sums, infinite });
        debug_assert!(!Mask8(zero_denominator).any(), "no affine addition is exceptional");
    }
}

/// The pairs of the first round. Term `w` is the sum of windows `w` and `w + 16` of the generator's digits. Behind
/// those, term `2 w + h` is the sum of windows `w` and `w + 11` of half `h`. The sums of a term stand together, group
/// after group, so that a window's entries are read together.
struct KeyTableLeaves<'a> {
    tables: &'a [&'a [LookupWindow]],
    digits: &'a [Digits],
}

impl ReadPairs for KeyTableLeaves<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        (GENERATOR_SUMS + 2 * HALF_SUMS) * self.digits.len()
    }
    #[inline(always)]
    fn x<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let (term, group) = (index / self.digits.len(), index % self.digits.len());
        if term < GENERATOR_SUMS {
            let [a, b] = self.of_generator::<W>(term, group);
            [a.x, b.x]
        } else {
            let [(a, code), (b, other)] = self.of_key::<W>(term, group);
            [lookup_x(a, code), lookup_x(b, other)]
        }
    }
    #[inline(always)]
    fn y<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let (term, group) = (index / self.digits.len(), index % self.digits.len());
        if term < GENERATOR_SUMS {
            let [a, b] = self.of_generator::<W>(term, group);
            [a.y, b.y]
        } else {
            let [(a, code), (b, other)] = self.of_key::<W>(term, group);
            [lookup_y(a, code), lookup_y(b, other)]
        }
    }
}

impl KeyTableLeaves<'_> {
    /// The points of a term of the generator.
    #[inline(always)]
    fn of_generator<W: Word>(&self, term: usize, group: usize) -> [Affine<FeX8<W>>; 2] {
        let (digits, other) = (&self.digits[group], term + GENERATOR_SUMS);
        [read_generator(term, digits.generator(term)), read_generator(other, digits.generator(other))]
    }
    /// The windows and the codes of a term of the key.
    #[inline(always)]
    fn of_key<W: Word>(&self, term: usize, group: usize) -> [(&LookupWindow, W); 2] {
        let (window, half) = ((term - GENERATOR_SUMS) / 2, (term - GENERATOR_SUMS) % 2);
        let (table, digits, other) = (self.tables[group], &self.digits[group], window + HALF_SUMS);
        [(&table[window], digits.prepared(half, window)), (&table[other], digits.prepared(half, other))]
    }
}

/// The last additions of each group.
struct Finish<'a> {
    halves: &'a [AffineX8],
    generator: &'a [AffineX8],
    sums: &'a mut [JacobianX8],
    infinite: &'a mut [Mask8],
}

impl Finish<'_> {
    /// The sum of a group's terms: by the complete formula if `COMPLETE`, and otherwise by the one that has exceptions.
    #[inline(always)]
    fn sum<W: Word, const COMPLETE: bool>(&self, group: usize) -> Jacobian<FeX8<W>> {
        let groups = self.sums.len();
        let of_half = |half: usize| self.halves[half * groups + group..].iter().step_by(2 * groups);
        // In one loop, since its body is long.
        let (images, points) = (of_half(1).skip(1), of_half(0));
        let last_image = images.len();
        let terms = images.chain(points).chain(self.generator[group..].iter().step_by(groups));
        let mut sum: Jacobian<FeX8<W>> = self.halves[groups + group].load().to_jacobian();
        for (term, point) in terms.enumerate() {
            if term == last_image {
                sum.x = sum.x.mul(FeX8::constant(Secp256k1::BETA));
            }
            sum = if COMPLETE { sum.add_mixed_complete(point.load()) } else { sum.add_mixed(point.load()).0 };
        }
        sum
    }
}

impl Op for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for group in 0..self.sums.len() {
            let mut sum = self.sum::<W, false>(group);
            let mut infinite = sum.is_infinity();
            if infinite.any() {
                sum = self.sum::<W, true>(group);
                infinite = sum.is_infinity();
            }
            self.infinite[group] = infinite;
            self.sums[group].store(Jacobian { z: FeX8::select(infinite, FeX8::one(), sum.z), ..sum });
        }
    }
}
