//! Straus' method in eight lanes, for few terms.
//!
//! The bits of all numbers are cut into eight *stretches* of equal length, one for each lane. A lane sums the digits of
//! its stretch of all terms, and in the end one lane puts the stretches together. So every lane has as much to do,
//! however many terms there are, and lanes double for a stretch only.
//!
//! A digit has four bits and is odd: for an odd number m below 2^b, let K = (m + 2^b - 1) / 2. Then m is the sum of
//! (2 v - 15) 16^i over the digits v of K to the base 16. No digit is zero. So in each *step*, which takes one digit of
//! every lane, all lanes add as many points, and none of them is infinity. An even number is made odd by adding one,
//! and its point is taken off in the end.
//!
//! In a table of eight odd multiples the lanes of a word are the multiples. A digit chooses by a permutation of lanes.
//!
//! The points of each step are paired, and halved by rounds of affine additions that share an inversion, until so few
//! are left that an inversion costs more than it saves. These go into the chain as they are.

mod chain;
mod multiples;
mod rounds;

use super::{
    horner::{ShiftedPoint, Sum},
    limits::POINTS_FOR_CHAIN,
    signed_digits::SignedInt,
};
use crate::{
    arena::{Arena, List},
    curve::{Affine, Curve, Jacobian},
    field::{BaseField, Field, FieldX1},
    lanes::{AffineX8, FeX8Mem, INFINITY, LaneWords, read_entry, write_entry},
    word::{CacheLine, LANES, Machine},
};
use rounds::{TermsInLanes, TreeInLanes};

/// An element in eight lanes of words.
type X8<C, W> = <<C as Curve>::Field as BaseField>::X8<W>;

/// Bits of a digit: a table's eight multiples are the lanes of a word.
pub(super) const WIDTH: u32 = 4;

/// What a sum of these terms takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct InLanesSize {
    /// Groups of eight known points.
    pub(super) groups: usize,
    known: usize,
    pub(super) images: usize,
    /// Digits of a stretch.
    pub(super) steps: usize,
}

impl InLanesSize {
    /// For numbers below `2^bits`.
    pub(super) fn new(bits: u32, known: usize, images: usize) -> Self {
        let steps = (bits as usize).div_ceil(LANES * WIDTH as usize);
        InLanesSize { groups: known.div_ceil(LANES), known, images, steps }
    }

    /// Points of all steps after the first round.
    fn points(&self) -> usize {
        self.steps.saturating_mul((self.known.saturating_add(self.images)).div_ceil(2))
    }

    /// Elements for the tables, and then for rounds.
    fn spare(&self) -> usize {
        self.groups.saturating_mul(multiples::SPARE).max(self.points())
    }

    /// Cache lines of rows, tables, digits and points, of which an element has five.
    pub(super) fn lines(&self) -> usize {
        let elements = 2 * LANES * self.groups + self.images + 2 * self.points() + self.spare();
        self.known + self.known + self.images + 5 * elements
    }
}

/// The memory and the sum so far.
pub(super) struct InLanes<'m, C: Curve> {
    steps: usize,
    tables: &'m mut [AffineX8<C>],
    images: &'m mut [FeX8Mem<C::Field>],
    digits: &'m mut [LaneWords],
    points: &'m mut [AffineX8<C>],
    /// For the tables, and then for rounds.
    spare: &'m mut [FeX8Mem<C::Field>],
    sum: Sum<C>,
}

impl<'m, C: Curve> InLanes<'m, C> {
    /// Memory for so many terms at a time. The sum is infinity.
    pub(super) fn new(size: InLanesSize, arena: &mut Arena<'m, '_>) -> Self {
        InLanes {
            steps: size.steps,
            tables: arena.numbers(size.groups.saturating_mul(LANES)),
            images: arena.numbers(size.images),
            digits: arena.numbers(size.known.saturating_add(size.images)),
            points: arena.numbers(size.points()),
            spare: arena.numbers(size.spare()),
            sum: Sum::<C>::infinity(),
        }
    }

    /// Adds products. `rows` are the known points; the numbers behind theirs are for images of the first of these, and
    /// `beta` is what the x of an image is multiplied by.
    pub(super) fn add<M: Machine, const N: usize>(
        &mut self,
        machine: M,
        rows: &[CacheLine],
        numbers: &[SignedInt<N>],
        beta: Option<[u64; 4]>,
    ) {
        if numbers.is_empty() || self.steps == 0 {
            return;
        }
        let InLanes { steps, tables, images, digits, points, spare, sum } = self;
        let (groups, known) = (rows.len().div_ceil(LANES), rows.len());
        let (tables, images) = (&mut tables[..LANES * groups], &mut images[..numbers.len() - known]);
        multiples::tables(machine, rows, tables, &mut spare[..multiples::SPARE * groups]);
        if let Some(beta) = beta {
            multiples::images(machine, beta, tables, images);
        }
        let digits = &mut digits[..numbers.len()];
        for (digits, number) in digits.iter_mut().zip(numbers) {
            *digits = stretches(number, *steps);
        }
        let most = *steps * numbers.len().div_ceil(2);
        let mut tree = TreeInLanes {
            terms: TermsInLanes { tables, images, known, digits },
            steps: *steps,
            points: &mut points[..most],
            kept: &mut spare[..most],
            left: numbers.len(),
            are_terms: true,
            infinity: false,
        };
        while tree.are_terms || tree.left > POINTS_FOR_CHAIN {
            tree.round(machine);
        }
        let TreeInLanes { points, left, infinity, .. } = tree;
        let odd =
            chain::sum(machine, chain::StepsOfLanes { steps: *steps, points: &points[..*steps * left], infinity });
        *sum = sum.add_vartime::<C>(odd).add_vartime::<C>(corrections::<C, N>(rows, numbers, beta));
    }

    /// The sum of all products.
    pub(super) fn sum(&self) -> Sum<C> {
        self.sum
    }

    /// Appends the sum, if there is one, as one part.
    pub(super) fn parts(&self, parts: &mut List<'_, ShiftedPoint>) {
        if self.steps == 0 {
            return;
        }
        let inverse = self.sum.z.invert();
        let point = write_entry(&self.sum.to_affine_with(inverse).normalize());
        let point = if self.sum.z.is_zero_vartime() { INFINITY } else { point };
        parts.push(ShiftedPoint { bit: 0, point, negated: false });
    }
}

/// The sum of the points of even numbers, with their signs turned: each number was made odd by adding one to it.
fn corrections<C: Curve, const N: usize>(
    rows: &[CacheLine],
    numbers: &[SignedInt<N>],
    beta: Option<[u64; 4]>,
) -> Sum<C> {
    let (firsts, seconds) = numbers.split_at(rows.len());
    let of = |numbers: &[SignedInt<N>]| {
        let even = numbers.iter().zip(rows).filter(|(number, _)| number.magnitude[0] % 2 == 0);
        even.fold(None, |sum: Option<Sum<C>>, (number, row)| {
            let point: Affine<_> = read_entry(row);
            let point = if number.negative { point } else { point.negate() };
            Some(sum.map_or(point.to_jacobian(), |sum| sum.add_mixed_vartime::<C>(point)))
        })
    };
    let (sum, other) = (of(firsts), of(seconds));
    let sum = sum.unwrap_or(Sum::<C>::infinity());
    let Some((other, beta)) = other.zip(beta) else { return sum };
    sum.add_vartime::<C>(Jacobian { x: other.x.mul(Field::constant(beta)), ..other })
}

/// The digits of the number, or of the next one if it is even, as [`TermsInLanes`] has them.
fn stretches<const N: usize>(number: &SignedInt<N>, steps: usize) -> LaneWords {
    let length = WIDTH as usize * steps;
    let (top, ones) = (LANES * length - 1, (1u64 << length) - 1);
    let mut k = number.magnitude;
    for word in 0..N {
        let above = if word + 1 < N { k[word + 1] << 63 } else { 0 };
        k[word] = k[word] >> 1 | above;
    }
    k[top / 64] |= 1 << (top % 64);
    let flip = if number.negative { ones } else { 0 };
    let mut digits = LaneWords::ZERO;
    for (lane, digits) in digits.0.iter_mut().enumerate() {
        let (word, shift) = (lane * length / 64, lane * length % 64);
        let above = if shift + length > 64 { k[word + 1] << (64 - shift) } else { 0 };
        let stretch = ((k[word] >> shift | above) & ones) ^ flip;
        // A digit v below 8 means -(15 - 2 v), which is the multiple 7 - v, negated.
        let negative = !stretch >> 3 & 0x1111_1111_1111_1111;
        *digits = (stretch & 0x7777_7777_7777_7777) ^ (negative * 7) | negative << 3;
    }
    digits
}
