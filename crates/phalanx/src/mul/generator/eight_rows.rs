//! b G as two partial sums of table entries, in affine coordinates.
//!
//! # No exceptional addition can occur
//!
//! With b = sum of d_i 256^i modulo n, round by round the terms of windows i and i + 16, then of i and i + 8 modulo 16,
//! and so on are added, until those of the even and those of the odd windows are left. The two addends of an addition
//! are sums over disjoint sets of windows, so their sum and their difference are sums of e_i 256^i over the union, with
//! e_i odd,
//! |e_i| <= 255. Such a number is not zero, because its highest term is larger than all others together; and it is smaller
//! than 2^256 in absolute value, so it is zero modulo n only if it is n or -n. For that, from the top, e_31 = 255 is
//! needed, else the terms below would have to reach 256^31, and so on down to e_17 = 255 and to the window 16, because
//! n > 2^256 - 2^129. But no union holds more than 8 of the windows 16 to 31, since all of its windows are even or all
//! odd.

use crate::{
    lanes::{
        inversion::divide,
        memory::{AffineX8, FeX8, FeX8Mem, Machine, Numbers, read_entries},
    },
    mul::{
        digits::{Digits, GENERATOR_WIDTH, GENERATOR_WINDOWS},
        pair_sums::{Adding, LeafRound, Places, ReadPairs, TreeRound},
    },
    tables::G_ODD_COMB_8,
};
use phalanx_engine::{
    curve::Affine,
    field::Field,
    word::{Mask8, Word},
};

const HALF: usize = 1 << (GENERATOR_WIDTH - 1);

/// The two partial sums of each group: for group `i` they are at `i` and at `groups + i`. And the lanes in which a
/// denominator was zero.
pub(crate) fn partial_sums<'m, M: Machine>(
    machine: M,
    digits: &[Digits],
    numbers: &mut Numbers<'m>,
) -> (&'m mut [AffineX8], Mask8) {
    let groups = digits.len();
    let sums: &mut [AffineX8] = numbers.take(GENERATOR_WINDOWS / 2 * groups);
    let products: &mut [FeX8Mem] = Numbers::new(numbers.spare()).take(GENERATOR_WINDOWS / 2 * groups);
    let leaves = LeafRound { sums: &mut *sums, second_x: &mut *products, read: Leaves(digits) };
    let mut zero_denominator = divide(machine, &mut Adding(leaves)).0;
    let mut terms = GENERATOR_WINDOWS / 2;
    while terms > 2 {
        terms /= 2;
        // The upper half of the sums is added to the lower half.
        let half = terms * groups;
        let round =
            TreeRound { sums: &mut *sums, spare: &mut products[..half], places: Places::apart(half), secret: false };
        zero_denominator |= divide(machine, &mut Adding(round)).0;
    }
    (sums, Mask8(zero_denominator))
}

/// The pairs of the first round: two table entries each, window by window, so that a window's entries stay near.
struct Leaves<'a>(&'a [Digits]);

impl ReadPairs for Leaves<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        GENERATOR_WINDOWS / 2 * self.0.len()
    }
    #[inline(always)]
    fn x<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.pair::<W>(index);
        [first.x, second.x]
    }
    #[inline(always)]
    fn y<W: Word>(&self, index: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.pair::<W>(index);
        [first.y, second.y]
    }
}

impl Leaves<'_> {
    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2] {
        let (window, digits) = (index / self.0.len(), &self.0[index % self.0.len()]);
        let other = window + GENERATOR_WINDOWS / 2;
        [read(window, digits.generator(window)), read(other, digits.generator(other))]
    }
}

/// The entry for each lane's code, with the code's sign; y is not carried, and of magnitude 2.
#[inline(always)]
pub(crate) fn read<W: Word>(window: usize, codes: W) -> Affine<FeX8<W>> {
    let entries = &G_ODD_COMB_8[HALF * window..][..HALF];
    let at = codes.to_lanes();
    let entry = |lane: usize| &entries[at[lane] as usize & (HALF - 1)];
    let point = read_entries([entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7)]);
    with_sign(point, codes.less(W::splat(HALF as u64)))
}

/// The point, or its negative in the lanes of the mask; y is not carried, and of magnitude 2.
#[inline(always)]
pub(crate) fn with_sign<W: Word>(point: Affine<FeX8<W>>, negative: Mask8) -> Affine<FeX8<W>> {
    Affine { x: point.x, y: point.y.negate_where(negative, 1) }
}
