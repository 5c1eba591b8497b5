//! k P for secret k and public P.
//!
//! As in `double/eight_rows.rs`: k is split into odd halves, whose table entries are added window by
//! window in affine coordinates, and the sums go into one Jacobian chain. The tables are public; an entry is chosen by
//! reading all of them.
//!
//! # No exceptional addition can occur
//!
//! Every sum on the way is (a + b lambda) P for integers a, b; it is zero modulo n exactly when (a, b) lies in the lattice of
//! `docs/glv.md`, whose non-zero vectors have a coordinate of at least 2^125 in absolute value.
//!
//! The sum of two table entries belongs to (d, e) with odd |d|, |e| < 32, and d P is neither e lambda P nor its negative, since
//! (d, -e) and (d, e) are no lattice vectors. Before the addition of (d, e) to the chain it stands at (32 a, 32 b), where a, b
//! are odd; so the two points' sum and difference belong to (32 a + d, 32 b + e) and (32 a - d, 32 b - e), neither of which is
//! zero. In all windows but the last the coordinates are at most 2^129 / 32 + 64 < 2^125, and they are no lattice vectors
//! either. The last addition is a complete one. (For one k its points are equal.)

use crate::{
    group::Secp256k1,
    lanes::{
        inversion::{BatchStep, divide_secret},
        memory::{AffineX8, FeX8, FeX8Mem, JacobianX8, Machine, Scratch, U256x8, at_least, wipe},
        to_affine::to_affine_secret,
    },
    mul::{
        digits::{POINT_WIDTH, POINT_WINDOWS},
        digits_ct::PointDigits,
        odd_multiples::{ENTRIES, odd_multiples, per_group},
    },
    wipe::Secrets,
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Field, batch_inversion::BatchInverted},
    word::Word,
};

/// Groups whose multiples and products stay in a level-2 cache together.
const TOGETHER: usize = 16;

/// The canonical coordinates of k P for the k and P of each group, k not zero and P finite. Constant time.
pub(crate) fn mul_point_rows_ct<M: Machine>(
    machine: M,
    points: &[AffineX8],
    digits: &[PointDigits],
    coordinates: &mut [[U256x8; 2]],
    scratch: &mut Scratch,
) {
    let mut sums = Secrets::filled(JacobianX8::ZERO, points.len());
    let parts = points.chunks(TOGETHER).zip(digits.chunks(TOGETHER));
    for ((points, digits), sums) in parts.zip(sums.chunks_mut(TOGETHER)) {
        odd_multiples(machine, points, ENTRIES, scratch);
        let products = at_least(&mut scratch.products, POINT_WINDOWS * points.len(), FeX8Mem::ZERO);
        divide_secret(machine, &mut Chains { digits, multiples: &scratch.multiples, products, sums });
        wipe(products, FeX8Mem::ZERO);
    }
    to_affine_secret(machine, &sums, coordinates, scratch);
}

/// Division `POINT_WINDOWS i + w` is that of window `w` of group `i`; they are finished from the last to the first, which
/// is the order in which a chain takes them.
struct Chains<'a> {
    digits: &'a [PointDigits],
    multiples: &'a [AffineX8],
    products: &'a mut [FeX8Mem],
    sums: &'a mut [JacobianX8],
}

impl BatchStep for Chains<'_> {
    type ForWord<'b, W: Word>
        = Running<'b, W>
    where
        Self: 'b;
    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Running<'_, W> {
        let Chains { digits, multiples, products, sums } = self;
        Running { digits, multiples, products, sums, sum: Jacobian::infinity() }
    }
    fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }
}

struct Running<'a, W: Word> {
    digits: &'a [PointDigits],
    multiples: &'a [AffineX8],
    products: &'a mut [FeX8Mem],
    sums: &'a mut [JacobianX8],
    sum: Jacobian<FeX8<W>>,
}

impl<W: Word> BatchInverted<FeX8<W>> for Running<'_, W> {
    type Operands = [Affine<FeX8<W>>; 2];
    type Result = Affine<FeX8<W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.products.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        let (group, window) = (index / POINT_WINDOWS, index % POINT_WINDOWS);
        let multiples = &self.multiples[per_group(ENTRIES) * group..][..ENTRIES];
        let digits = &self.digits[group];
        let image = choose::<W>(multiples, digits.code(1, window)).endomorphism::<Secp256k1>();
        [choose(multiples, digits.code(0, window)), image]
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
    fn finish(&mut self, index: usize, addend: Affine<FeX8<W>>) {
        let (group, window) = (index / POINT_WINDOWS, index % POINT_WINDOWS);
        if window == POINT_WINDOWS - 1 {
            self.sum = addend.to_jacobian();
            return;
        }
        for _ in 0..POINT_WIDTH {
            self.sum = self.sum.double();
        }
        if window != 0 {
            self.sum = self.sum.add_mixed(addend).0;
        } else {
            self.sums[group].store(self.sum.add_mixed_complete(addend));
        }
    }
}

/// The multiple for each lane's code, with the code's sign; y is not carried, and of magnitude 2. All are read.
#[inline(always)]
fn choose<W: Word>(multiples: &[AffineX8], codes: W) -> Affine<FeX8<W>> {
    let index = codes.and(W::splat(ENTRIES as u64 - 1));
    let mut chosen: Affine<FeX8<W>> = multiples[0].load();
    for (j, multiple) in (1u64..).zip(&multiples[1..ENTRIES]) {
        chosen = Affine::select(index.equal(W::splat(j)), multiple.load(), chosen);
    }
    let negative = codes.less(W::splat(ENTRIES as u64));
    Affine { x: chosen.x, y: FeX8::select(negative, chosen.y.negate(1), chosen.y) }
}
