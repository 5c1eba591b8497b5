//! Straus' method: a table has odd multiples of each point, and the digits of non-adjacent forms choose from it.
//!
//! The non-adjacent form of a number of b bits has b + 1 places, of which about one in `width + 1` has a digit that is
//! not zero. So each place has a set of few points. The sets of all places are summed side by side.

use super::{
    horner::ShiftedPoint,
    limits::{MAX_TABLE_WIDTH, POINTS_PER_BATCH},
    pair_tree::PointSets,
    signed_digits::SignedInt,
    workspace::SumMemory,
};
use crate::{
    affine_add::{AffineAdder, Rounds},
    arena::{Arena, List, NumberList},
    curve::GlvCurve,
    recode::wnaf_words_vartime,
    word::PointRef,
};
use core::ops::Range;

/// What a sum of these terms takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct StrausSize {
    /// Rows of points.
    pub(super) rows: usize,
    /// Pairs of a round.
    pub(super) pairs: usize,
    members: usize,
    places: usize,
}

impl StrausSize {
    /// For points of which `known` are given and `images` are images of the first ones.
    pub(super) fn new(width: u32, places: usize, known: usize, images: usize) -> StrausSize {
        assert!((2..=MAX_TABLE_WIDTH).contains(&width));
        let terms = known + images;
        // A non-adjacent form has at most one digit in `width` places.
        let members = terms.saturating_mul(places.div_ceil(width as usize));
        let multiples = 1 << (width - 2);
        // The doublings of a point stand among its multiples.
        let of_known = (multiples - 1 + width as usize - 2).saturating_mul(known);
        let table = terms.saturating_add(of_known).saturating_add((multiples - 1).saturating_mul(images));
        let batch = members.min(POINTS_PER_BATCH + terms);
        StrausSize {
            rows: table.saturating_add(batch),
            pairs: (known.saturating_mul(multiples / 2 + 1)).max(batch / 2),
            members,
            places,
        }
    }
}

/// The lists of sums by Straus' method.
pub(super) struct Straus<'m> {
    width: u32,
    /// The places of the non-adjacent forms that are summed.
    bits: Range<usize>,
    /// The digits of all terms that are not zero: the place of each, and the multiple that it chooses.
    digits: NumberList<'m, u32>,
    chosen: NumberList<'m, PointRef>,
    /// How many digits each place has.
    places: NumberList<'m, u32>,
    sets: PointSets<'m>,
}

/// Where in a table the odd multiples of the terms' points are.
pub(super) struct OddMultiples {
    /// Row `places[i]` of the table is where `2 i + 1` times the known points begin.
    places: [u32; MAX_MULTIPLES],
    /// The number of points with which the table begins, and whose multiples are computed.
    known: usize,
    /// The number of terms behind the known points: images of the first of these, which stand behind them in the table.
    images: usize,
    /// The row where three times the images begin; five times, seven times and so on follow.
    base: usize,
}

/// Odd multiples of a point in a table of the widest windows.
const MAX_MULTIPLES: usize = 1 << (MAX_TABLE_WIDTH - 2);

impl OddMultiples {
    /// Computes the odd multiples below `2^(width - 1)` of the first `points` points of the table, and puts them behind
    /// the table.
    pub(super) fn new(additions: &mut impl Rounds, width: u32, points: usize, workspace: &mut SumMemory<'_>) -> Self {
        let (places, _) = odd_multiples(additions, width, points, workspace);
        OddMultiples { places, known: points, images: 0, base: 0 }
    }

    /// As [`Self::new`], for a table that begins with `known` points, behind which are the images of the first `images`
    /// of these. A multiple of an image is computed as the image of the point's multiple.
    pub(super) fn with_images<A: AffineAdder>(
        adder: &A,
        additions: &mut impl Rounds,
        width: u32,
        known: usize,
        images: usize,
        workspace: &mut SumMemory<'_>,
    ) -> Self
    where
        A::Curve: GlvCurve,
    {
        let (places, count) = odd_multiples(additions, width, known, workspace);
        let base = workspace.extend((count - 1) * images);
        let (multiples, out) = workspace.split(base);
        for (place, out) in places[1..count].iter().zip(out.chunks_mut(images.max(1))) {
            adder.images(&multiples[*place as usize..][..images], out);
        }
        OddMultiples { places, known, images, base }
    }

    /// The row of `2 multiple + 1` times the point of `term`.
    #[inline]
    fn at(&self, term: usize, multiple: usize) -> usize {
        match term.checked_sub(self.known) {
            None => self.places[multiple] as usize + term,
            Some(_) if multiple == 0 => term,
            Some(image) => self.base + (multiple - 1) * self.images + image,
        }
    }
}

/// Puts the odd multiples below `2^(width - 1)` of the first `points` points of the table behind it. Item `i` of the
/// result, which has so many, is the row where `2 i + 1` times the points begin.
fn odd_multiples(
    additions: &mut impl Rounds,
    width: u32,
    points: usize,
    workspace: &mut SumMemory<'_>,
) -> ([u32; MAX_MULTIPLES], usize) {
    assert!((2..=MAX_TABLE_WIDTH).contains(&width));
    let (mut places, mut count) = ([0; MAX_MULTIPLES], 1);
    // The row where the points times `2^(round - 1)` begin.
    let mut power = 0;
    for round in 1..width {
        // An odd multiple below `2^(round - 1)` plus that power is an odd multiple between it and `2^round`.
        let known = if round > 1 { count } else { 0 };
        for place in 0..known {
            places[count] = workspace.pairs(places[place] as usize, power, points) as u32;
            count += 1;
        }
        let last = round == width - 1;
        if !last {
            power = workspace.pairs(power, power, points);
        }
        if last { workspace.round(additions) } else { workspace.round_with_doublings(additions) }
    }
    workspace.keep();
    (places, count)
}

impl<'m> Straus<'m> {
    /// Lists of this size, for the places `bits`.
    pub(super) fn new(size: StrausSize, width: u32, bits: Range<usize>, arena: &mut Arena<'m, '_>) -> Self {
        Straus {
            width,
            bits,
            digits: arena.number_list(size.members),
            chosen: arena.number_list(size.members),
            places: arena.number_list(size.places),
            sets: PointSets::new(size.places, size.members, arena),
        }
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// Appends to `parts` for each place the sum of the multiples that the digits of `terms` choose there. `multiples`
    /// says where in the table the multiples are.
    pub(super) fn sums<const N: usize>(
        &mut self,
        additions: &mut impl Rounds,
        terms: &[SignedInt<N>],
        multiples: &OddMultiples,
        workspace: &mut SumMemory<'_>,
        parts: &mut List<'_, ShiftedPoint>,
    ) {
        let Straus { width, bits, digits, chosen, places, sets } = self;
        digits.clear();
        chosen.clear();
        places.clear();
        places.lengthen(bits.len()).fill(0);
        for (term, number) in terms.iter().enumerate() {
            wnaf_words_vartime(&number.magnitude, *width, |bit, digit| {
                if bits.contains(&bit) {
                    let multiple = usize::from(digit.unsigned_abs() / 2);
                    digits.push((bit - bits.start) as u32);
                    chosen.push(PointRef::new(multiples.at(term, multiple), (digit < 0) != number.negative));
                    places[bit - bits.start] += 1;
                }
            });
        }
        sets.clear();
        let members = sets.reserve(places.iter().map(|count| *count as usize));
        let mut start = 0;
        for place in places.iter_mut() {
            (*place, start) = (start, start + *place);
        }
        for (bit, member) in digits.iter().zip(chosen.iter()) {
            let place = &mut places[*bit as usize];
            members[*place as usize] = *member;
            *place += 1;
        }
        sets.sum_all(additions, workspace, |set, sum, workspace| {
            parts.push(ShiftedPoint { bit: bits.start + set, point: workspace.get(sum), negated: sum.is_negated() });
        });
    }
}
