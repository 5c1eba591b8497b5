//! Rounds of affine additions in lanes. A round halves the points of each step; all its additions share one inversion.

use super::X8;
use crate::{
    affine_add::Special,
    curve::{Affine, Curve},
    field::{Field, batch_inversion::BatchInverted},
    lanes::{AffineX8, BatchStep, FeX8Mem, LaneWords, divide, permute},
    word::{LANES, Machine, Mask, Mask8, Op, Word},
};
use core::marker::PhantomData;

/// The points that digits choose. A step takes one digit of each lane from every term.
#[derive(Clone, Copy)]
pub(super) struct TermsInLanes<'a, C: Curve> {
    /// A table for each known point.
    pub(super) tables: &'a [AffineX8<C>],
    /// The x of the tables of images.
    pub(super) images: &'a [FeX8Mem<C::Field>],
    /// The number of known points. The terms behind theirs are of images.
    pub(super) known: usize,
    /// For each term and lane four bits a step, the lowest step first: the multiple's place in the table, and above it
    /// whether the multiple is negated.
    pub(super) digits: &'a [LaneWords],
}

impl<C: Curve> TermsInLanes<'_, C> {
    #[inline(always)]
    fn x<W: Word>(&self, [term, step]: [usize; 2]) -> X8<C, W> {
        let table = match term.checked_sub(self.known) {
            None => &self.tables[term].x,
            Some(image) => &self.images[image],
        };
        permute(table.load::<W>(), self.place(term, step))
    }

    /// Of magnitude 2, and not carried.
    #[inline(always)]
    fn y<W: Word>(&self, [term, step]: [usize; 2]) -> X8<C, W> {
        let table = term.checked_sub(self.known).unwrap_or(term);
        let y = permute(self.tables[table].y.load::<W>(), self.place(term, step));
        let sign_first = W::splat(60 - 4 * step as u64);
        y.negate_where(self.digits[term].load::<W>().shl_lanes(sign_first).negative(), 1)
    }

    #[inline(always)]
    fn place<W: Word>(&self, term: usize, step: usize) -> W {
        self.digits[term].load::<W>().shr_lanes(W::splat(4 * step as u64)).and(W::splat(LANES as u64 - 1))
    }
}

/// The points that are left of each step, and their sums. Those of one step stand `steps` places from each other.
pub(super) struct TreeInLanes<'a, C: Curve> {
    pub(super) terms: TermsInLanes<'a, C>,
    pub(super) steps: usize,
    /// Before the first round points are still terms.
    pub(super) points: &'a mut [AffineX8<C>],
    /// An element for each of these.
    pub(super) kept: &'a mut [FeX8Mem<C::Field>],
    /// Points of each step.
    pub(super) left: usize,
    /// Whether no round has run.
    pub(super) are_terms: bool,
    /// Whether some sum was infinity.
    pub(super) infinity: bool,
}

impl<C: Curve> TreeInLanes<'_, C> {
    /// Halves the points of each step. A point without a partner stays.
    pub(super) fn round<M: Machine>(&mut self, machine: M) {
        if self.are_terms && self.left % 2 == 1 {
            machine.run(Unpaired(&mut *self));
        }
        if self.infinity || divide(machine, &mut OrdinaryRound(&mut *self)).any() {
            let zero_denominator = divide(machine, &mut CompleteRound(&mut *self));
            debug_assert!(!zero_denominator.any(), "no denominator of a complete addition is zero");
        }
        self.left -= self.left / 2;
        self.are_terms = false;
    }

    /// The number of pairs. The first point of a pair, and its sum, stand at the pair's index.
    #[inline(always)]
    fn pairs(&self) -> usize {
        self.left / 2 * self.steps
    }

    /// Where the second point of a pair stands.
    #[inline(always)]
    fn partner(&self, index: usize) -> usize {
        index + (self.left - self.left / 2) * self.steps
    }

    /// The term and the step of a place.
    #[inline(always)]
    fn term(&self, place: usize) -> [usize; 2] {
        let (place, steps) = (place as u32, self.steps as u32);
        [(place / steps) as usize, (place % steps) as usize]
    }

    #[inline(always)]
    fn x<W: Word>(&self, place: usize) -> X8<C, W> {
        if self.are_terms { self.terms.x(self.term(place)) } else { self.points[place].x.load() }
    }

    #[inline(always)]
    fn y<W: Word>(&self, place: usize) -> X8<C, W> {
        if self.are_terms { self.terms.y(self.term(place)) } else { self.points[place].y.load() }
    }

    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<X8<C, W>>; 2] {
        let other = self.partner(index);
        [Affine { x: self.x(index), y: self.y(index) }, Affine { x: self.x(other), y: self.y(other) }]
    }
}

/// Puts the term without a partner of each step where points are.
struct Unpaired<'r, 'a, C: Curve>(&'r mut TreeInLanes<'a, C>);

impl<C: Curve> Op for Unpaired<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let tree = self.0;
        for place in tree.pairs()..tree.pairs() + tree.steps {
            let point = Affine { x: tree.x::<W>(place), y: tree.y::<W>(place).weaken() };
            tree.points[place].store(point);
        }
    }
}

/// Additions of points with different x: if one fails, no sum is written.
struct OrdinaryRound<'r, 'a, C: Curve>(&'r mut TreeInLanes<'a, C>);

impl<'a, C: Curve> BatchStep for OrdinaryRound<'_, 'a, C> {
    type Field = C::Field;
    type ForWord<'b, W: Word>
        = OrdinaryInLanes<'b, 'a, C, W>
    where
        Self: 'b;
    const ALL_OR_NOTHING: bool = true;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> OrdinaryInLanes<'_, 'a, C, W> {
        OrdinaryInLanes(&mut *self.0, PhantomData)
    }
    fn is_empty(&self) -> bool {
        self.0.pairs() == 0
    }
}

struct OrdinaryInLanes<'b, 'a, C: Curve, W>(&'b mut TreeInLanes<'a, C>, PhantomData<W>);

impl<C: Curve, W: Word> BatchInverted<X8<C, W>> for OrdinaryInLanes<'_, '_, C, W> {
    type Operands = [Affine<X8<C, W>>; 2];
    type Result = Affine<X8<C, W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.pairs()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        if !self.0.are_terms {
            return self.0.pair(index);
        }
        let (Affine { x: a, y: b }, other) = (self.0.points[index].load(), self.0.partner(index));
        [Affine { x: a, y: self.0.y(index) }, Affine { x: b, y: self.0.y(other) }]
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> X8<C, W> {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> X8<C, W> {
        let (a, b) = (self.0.x(index), self.0.x(self.0.partner(index)));
        if self.0.are_terms {
            // Kept where the sum will be: to choose again takes longer.
            self.0.points[index].store::<W>(Affine { x: a, y: b });
        }
        Affine::chord_denominator(&Affine { x: a, y: a }, &Affine { x: b, y: b })
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: X8<C, W>) {
        self.0.kept[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> X8<C, W> {
        self.0.kept[index].load()
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: X8<C, W>) -> Affine<X8<C, W>> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [X8<C, W>; 2]) -> [Affine<X8<C, W>>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<X8<C, W>>) {
        self.0.points[index].store(sum);
    }
}

/// Additions of any points.
struct CompleteRound<'r, 'a, C: Curve>(&'r mut TreeInLanes<'a, C>);

impl<'a, C: Curve> BatchStep for CompleteRound<'_, 'a, C> {
    type Field = C::Field;
    type ForWord<'b, W: Word>
        = CompleteInLanes<'b, 'a, C, W>
    where
        Self: 'b;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> CompleteInLanes<'_, 'a, C, W> {
        CompleteInLanes(&mut *self.0, PhantomData)
    }
    fn is_empty(&self) -> bool {
        self.0.pairs() == 0
    }
}

struct CompleteInLanes<'b, 'a, C: Curve, W>(&'b mut TreeInLanes<'a, C>, PhantomData<W>);

impl<C: Curve, W: Word> BatchInverted<X8<C, W>> for CompleteInLanes<'_, '_, C, W> {
    type Operands = Special<X8<C, W>>;
    type Result = (Affine<X8<C, W>>, Mask8);

    const SELDOM: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.pairs()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Special<X8<C, W>> {
        Special::of(self.0.pair(index))
    }
    #[inline(always)]
    fn denominator(special: &Special<X8<C, W>>) -> X8<C, W> {
        special.denominator()
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: X8<C, W>) {
        self.0.kept[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> X8<C, W> {
        self.0.kept[index].load()
    }
    #[inline(always)]
    fn solve(special: &Special<X8<C, W>>, inverse: X8<C, W>) -> Self::Result {
        special.sum::<C>(inverse)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, (sum, infinity): Self::Result) {
        self.0.infinity |= infinity.any();
        self.0.points[index].store(sum);
    }
}
