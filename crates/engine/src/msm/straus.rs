//! Straus' method: a table has odd multiples of each point, and the digits of non-adjacent forms choose from it.
//!
//! The non-adjacent form of a number of b bits has b + 1 places, of which about one in `width + 1` has a digit that is
//! not zero. So each place has a set of few points. The sets of all places are summed side by side.

use super::{
    horner::ShiftedPoint, limits::MAX_WIDTH, pair_tree::PointSets, signed_digits::SignedInt, workspace::WorkspaceOf,
};
use crate::{affine_add::AffineAdder, curve::GlvCurve, recode::wnaf_words_vartime, word::PointRef};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// Where in a table the odd multiples of the terms' points are.
#[derive(Debug, Clone)]
pub struct OddMultiples {
    /// Row `places[i]` of the table is where `2 i + 1` times the known points begin.
    places: Vec<usize>,
    /// The number of points with which the table begins, and whose multiples are computed.
    known: usize,
    /// The number of terms behind the known points: images of the first of these, which stand behind them in the table.
    images: usize,
    /// The row where three times the images begin; five times, seven times and so on follow.
    base: usize,
}

impl OddMultiples {
    /// Computes the odd multiples below `2^(width - 1)` of the first `points` points of the table, and puts them behind
    /// the table.
    ///
    /// # Panics
    /// If the width is not from 2 to [`MAX_WIDTH`].
    pub fn new<A: AffineAdder>(adder: &A, width: u32, points: usize, workspace: &mut WorkspaceOf<A>) -> OddMultiples {
        let places = odd_multiples(adder, width, points, workspace);
        OddMultiples { places, known: points, images: 0, base: 0 }
    }

    /// As [`Self::new`], for a table that begins with `known` points, behind which are the images of the first `images`
    /// of these. A multiple of an image is computed as the image of the point's multiple.
    ///
    /// # Panics
    /// If the width is not from 2 to [`MAX_WIDTH`].
    pub fn with_images<A: AffineAdder>(
        adder: &A,
        width: u32,
        known: usize,
        images: usize,
        workspace: &mut WorkspaceOf<A>,
    ) -> OddMultiples
    where
        A::Curve: GlvCurve,
    {
        let places = odd_multiples(adder, width, known, workspace);
        let base = workspace.extend((places.len() - 1) * images);
        let (multiples, out) = workspace.split(base);
        for (place, out) in places[1..].iter().zip(out.chunks_mut(images.max(1))) {
            adder.images(&multiples[*place..][..images], out);
        }
        OddMultiples { places, known, images, base }
    }

    /// The row of `2 multiple + 1` times the point of `term`.
    #[inline]
    fn at(&self, term: usize, multiple: usize) -> usize {
        match term.checked_sub(self.known) {
            None => self.places[multiple] + term,
            Some(_) if multiple == 0 => term,
            Some(image) => self.base + (multiple - 1) * self.images + image,
        }
    }
}

/// Puts the odd multiples below `2^(width - 1)` of the first `points` points of the table behind it. Item `i` of the
/// result is the row where `2 i + 1` times the points begin.
fn odd_multiples<A: AffineAdder>(
    additions: &A,
    width: u32,
    points: usize,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<usize> {
    assert!((2..=MAX_WIDTH).contains(&width));
    let mut places = vec![0];
    // The row where the points times `2^(round - 1)` begin.
    let mut power = 0;
    for round in 1..width {
        // An odd multiple below `2^(round - 1)` plus that power is an odd multiple between it and `2^round`.
        let known = if round > 1 { &places[..] } else { &[] };
        let mut sums: Vec<_> = known.iter().map(|place| workspace.pairs(*place, power, points)).collect();
        let last = round == width - 1;
        if !last {
            power = workspace.pairs(power, power, points);
        }
        places.append(&mut sums);
        if last { workspace.round(additions) } else { workspace.round_with_doublings(additions) }
    }
    workspace.keep();
    places
}

/// For each place in `bits`, the sum of the multiples that the digits of `numbers` choose there. `multiples` says where
/// in the table the multiples are.
///
/// # Panics
/// If the width is not from 2 to [`MAX_WIDTH`].
pub fn straus_sums<A: AffineAdder, const N: usize>(
    additions: &A,
    width: u32,
    bits: Range<usize>,
    numbers: &[SignedInt<N>],
    multiples: &OddMultiples,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<ShiftedPoint> {
    assert!((2..=MAX_WIDTH).contains(&width));
    let mut digits = Vec::with_capacity(numbers.len() * (bits.len() / (width as usize + 1) + 2));
    let mut places = vec![0; bits.len()];
    for (term, number) in numbers.iter().enumerate() {
        wnaf_words_vartime(&number.magnitude, width, |bit, digit| {
            if bits.contains(&bit) {
                let multiple = usize::from(digit.unsigned_abs() / 2);
                digits.push((
                    (bit - bits.start) as u16,
                    PointRef::new(multiples.at(term, multiple), (digit < 0) != number.negative),
                ));
                places[bit - bits.start] += 1;
            }
        });
    }
    let mut sets = PointSets::default();
    let members = sets.reserve(places.iter().copied());
    let mut start = 0;
    for place in &mut places {
        (*place, start) = (start, start + *place);
    }
    for (bit, member) in digits {
        let place = &mut places[usize::from(bit)];
        members[*place] = member;
        *place += 1;
    }
    let mut parts = Vec::new();
    sets.sum_all(additions, workspace, |set, sum, workspace| {
        parts.push(ShiftedPoint { bit: bits.start + set, point: workspace.get(sum), negated: sum.is_negated() });
    });
    parts
}
