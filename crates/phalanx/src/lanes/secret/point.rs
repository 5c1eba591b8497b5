//! k P for secret k and public P.
//!
//! As in [`combination`](super::super::combination): k is split into odd halves, whose table entries are added window by
//! window in affine coordinates, and the sums go into one Jacobian chain. The tables are public; an entry is chosen by
//! reading all of them.
//!
//! # No exceptional addition can occur
//!
//! Every sum on the way is (a + b lambda) P for integers a, b; it is zero modulo n exactly when (a, b) lies in the lattice of
//! `docs/glv.md`, whose non-zero vectors have a coordinate of at least 2^125 in absolute value.
//!
//! The sum of two table entries belongs to (d, e) with odd |d|, |e| < 32, and d P is neither e lambda P nor its opposite, since
//! (d, -e) and (d, e) are no lattice vectors. Before the addition of (d, e) to the chain it stands at (32 a, 32 b), where a, b
//! are odd; so the two points' sum and difference belong to (32 a + d, 32 b + e) and (32 a - d, 32 b - e), neither of which is
//! zero. In all windows but the last the coordinates are at most 2^129 / 32 + 64 < 2^125, and they are no lattice vectors
//! either. The last addition is a complete one. (For one k its points are equal.)

use super::{
    super::{
        affine::to_affine_secret,
        digits::{POINT_WIDTH, POINT_WINDOWS},
        inversion::{Stage, divide_secret},
        memory::{AffineLines, Element, Fe8, JacobianLines, Machine, Numbers, Scratch, at_least, wipe},
        multiples::{ENTRIES, odd_multiples, per_group},
    },
    digits::PointDigits,
};
use crate::{group::Secp256k1, wipe::Secrets};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Field, quotients::Divisions},
    word::Word,
};

/// Groups whose multiples and products stay in a level-2 cache together.
const TOGETHER: usize = 16;

/// The canonical coordinates of k P for the k and P of each group, k not zero and P finite. Constant time.
pub(crate) fn point_multiples<M: Machine>(
    machine: M,
    points: &[AffineLines],
    digits: &[PointDigits],
    coordinates: &mut [[Numbers; 2]],
    scratch: &mut Scratch,
) {
    let mut sums = Secrets::filled(JacobianLines::ZERO, points.len());
    let parts = points.chunks(TOGETHER).zip(digits.chunks(TOGETHER));
    for ((points, digits), sums) in parts.zip(sums.chunks_mut(TOGETHER)) {
        odd_multiples(machine, points, ENTRIES, scratch);
        let products = at_least(&mut scratch.products, POINT_WINDOWS * points.len(), Element::ZERO);
        divide_secret(machine, &mut Chains { digits, multiples: &scratch.multiples, products, sums });
        wipe(products, Element::ZERO);
    }
    to_affine_secret(machine, &sums, coordinates, scratch);
}

/// Division `POINT_WINDOWS i + w` is that of window `w` of group `i`; they are finished from the last to the first, which
/// is the order in which a chain takes them.
struct Chains<'a> {
    digits: &'a [PointDigits],
    multiples: &'a [AffineLines],
    products: &'a mut [Element],
    sums: &'a mut [JacobianLines],
}

impl Stage for Chains<'_> {
    type On<'b, W: Word>
        = OnWords<'b, W>
    where
        Self: 'b;
    #[inline(always)]
    fn on<W: Word>(&mut self) -> OnWords<'_, W> {
        let Chains { digits, multiples, products, sums } = self;
        OnWords { digits, multiples, products, sums, sum: Jacobian::infinity() }
    }
    fn is_empty(&self) -> bool {
        self.digits.is_empty()
    }
}

struct OnWords<'a, W: Word> {
    digits: &'a [PointDigits],
    multiples: &'a [AffineLines],
    products: &'a mut [Element],
    sums: &'a mut [JacobianLines],
    sum: Jacobian<Fe8<W>>,
}

impl<W: Word> Divisions<Fe8<W>> for OnWords<'_, W> {
    type Operands = [Affine<Fe8<W>>; 2];
    type Result = Affine<Fe8<W>>;

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
    fn denominator([a, b]: &Self::Operands) -> Fe8<W> {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn keep(&mut self, index: usize, product: Fe8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn kept(&self, index: usize) -> Fe8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: Fe8<W>) -> Affine<Fe8<W>> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [Fe8<W>; 2]) -> [Affine<Fe8<W>>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, addend: Affine<Fe8<W>>) {
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
fn choose<W: Word>(multiples: &[AffineLines], codes: W) -> Affine<Fe8<W>> {
    let index = codes.and(W::splat(ENTRIES as u64 - 1));
    let mut chosen: Affine<Fe8<W>> = multiples[0].load();
    for (j, multiple) in (1u64..).zip(&multiples[1..ENTRIES]) {
        chosen = Affine::select(index.equal(W::splat(j)), multiple.load(), chosen);
    }
    let negative = codes.less(W::splat(ENTRIES as u64));
    Affine { x: chosen.x, y: Fe8::select(negative, chosen.y.negate(1), chosen.y) }
}
