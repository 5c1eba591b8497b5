//! b G as two partial sums of table entries, in affine coordinates.
//!
//! # No exceptional addition can occur
//!
//! With b = sum of d_i 256^i modulo n, round by round the terms of windows i and i + 16, then of i and i + 8 modulo 16, and
//! so on are added, until those of the even and those of the odd windows are left. The two addends of an addition are sums
//! over disjoint sets of windows, so their sum and their difference are sums of e_i 256^i over the union, with e_i odd,
//! |e_i| <= 255. Such a number is not zero, because its highest term is larger than all others together; and it is smaller
//! than 2^256 in absolute value, so it is zero modulo n only if it is n or -n. For that, from the top, e_31 = 255 is
//! needed, else the terms below would have to reach 256^31, and so on down to e_17 = 255 and to the window 16, because
//! n > 2^256 - 2^129. But no union holds more than 8 of the windows 16 to 31, since all of its windows are even or all odd.

use crate::{
    lanes::{
        inversion::{BatchStep, divide},
        memory::{AffineX8, FeX8, FeX8Mem, Machine, Scratch, at_least, read_entries},
    },
    mul::digits::{Digits, GENERATOR_WIDTH, GENERATOR_WINDOWS},
    tables::G_ODD_COMB_8,
};
use phalanx_engine::{
    curve::Affine,
    field::{Field, batch_inversion::BatchInverted},
    word::{Mask8, Word},
};

const HALF: usize = 1 << (GENERATOR_WIDTH - 1);

/// The two partial sums of each group: for group `i` they are at `i` and at `groups + i`, in `scratch.partial`.
pub(crate) fn partial_sums<M: Machine>(machine: M, digits: &[Digits], scratch: &mut Scratch) -> Mask8 {
    let groups = digits.len();
    let sums = at_least(&mut scratch.partial, GENERATOR_WINDOWS / 2 * groups, AffineX8::ZERO);
    let mut zero_denominator = divide(machine, &mut Leaves { digits, sums }).0;
    let mut terms = GENERATOR_WINDOWS / 2;
    while terms > 2 {
        terms /= 2;
        let products = at_least(&mut scratch.products, terms * groups, FeX8Mem::ZERO);
        let sums = &mut scratch.partial[..2 * terms * groups];
        zero_denominator |= divide(machine, &mut Inner { sums, products }).0;
    }
    Mask8(zero_denominator)
}

/// The first round: sums of two table entries, window by window, so that a window's entries stay near.
struct Leaves<'a> {
    digits: &'a [Digits],
    sums: &'a mut [AffineX8],
}

impl BatchStep for Leaves<'_> {
    type ForWord<'b, W: Word>
        = &'b mut Self
    where
        Self: 'b;
    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> &mut Self {
        self
    }
    fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }
}

impl<W: Word> BatchInverted<FeX8<W>> for &mut Leaves<'_> {
    type Operands = [Affine<FeX8<W>>; 2];
    type Result = Affine<FeX8<W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.sums.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        let (window, digits) = (index / self.digits.len(), &self.digits[index % self.digits.len()]);
        let other = window + GENERATOR_WINDOWS / 2;
        [read(window, digits.generator(window)), read(other, digits.generator(other))]
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> FeX8<W> {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.sums[index].x.store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.sums[index].x.load()
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: FeX8<W>) -> Affine<FeX8<W>> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [FeX8<W>; 2]) -> [Affine<FeX8<W>>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<FeX8<W>>) {
        self.sums[index].store(sum);
    }
}

/// A later round: the upper half of the sums added to the lower half.
struct Inner<'a> {
    sums: &'a mut [AffineX8],
    products: &'a mut [FeX8Mem],
}

impl BatchStep for Inner<'_> {
    type ForWord<'b, W: Word>
        = &'b mut Self
    where
        Self: 'b;
    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> &mut Self {
        self
    }
    fn is_empty(&self) -> bool {
        self.products.is_empty()
    }
}

impl<W: Word> BatchInverted<FeX8<W>> for &mut Inner<'_> {
    type Operands = [Affine<FeX8<W>>; 2];
    type Result = Affine<FeX8<W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.products.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        [self.sums[index].load(), self.sums[index + self.products.len()].load()]
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> FeX8<W> {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: FeX8<W>) -> Affine<FeX8<W>> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [FeX8<W>; 2]) -> [Affine<FeX8<W>>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<FeX8<W>>) {
        self.sums[index].store(sum);
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
    Affine { x: point.x, y: FeX8::select(negative, point.y.negate(1), point.y) }
}
