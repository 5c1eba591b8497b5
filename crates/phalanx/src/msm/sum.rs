//! From products to their sum: products become terms, and a plan says how the terms are summed.

use super::{
    Msm, costs,
    input::PointStore,
    points::FinitePoints,
    workspace::{Adder, lend},
};
use crate::tuning::{MAX_TABLE_BYTES, SPLIT_POINTS_FROM, SPLIT_WINDOWS_FROM, TERMS_PER_PIECE_MAX, TERMS_PER_PIECE_MIN};
use crate::{
    Backend, Scalar,
    backend::Lanes,
    glv::{Half, split, split_odd_vartime},
    group::{self, Jacobian, Secp256k1},
    mul::{Combine, Unit},
    tables::Entry,
};
use alloc::{borrow::Cow, vec, vec::Vec};
use core::ops::Range;
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    curve::Curve,
    lanes::is_infinity,
    msm::{Costs, Estimate, Extent, SignedInt, SumPlan, Summation, horner},
    word::CacheLine,
};

/// Products to be summed; no point among them is infinity. A *long* product has a scalar, a *short* one has a number
/// below 2^128 in absolute value. There are as many scalars as points, and as many numbers as their points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Products<'a> {
    pub(crate) scalars: &'a [Scalar],
    pub(crate) points: FinitePoints<'a>,
    pub(crate) short: &'a [Half],
    pub(crate) short_points: &'a [Entry],
}

/// Long products, each of which matters to the sum, in memory of their own or in the caller's.
#[derive(Debug, Clone)]
pub(crate) struct LongProducts<'a> {
    scalars: Cow<'a, [Scalar]>,
    points: PointStore<'a>,
}

impl<'a> LongProducts<'a> {
    /// The products `scalars[i] points[i]`. There are as many scalars as points.
    pub(crate) fn of(scalars: &'a [Scalar], points: PointStore<'a>) -> Self {
        if scalars.iter().all(matters) && points.are_finite() {
            return LongProducts { scalars: scalars.into(), points };
        }
        let products = || scalars.iter().enumerate().map(|(index, scalar)| (scalar, points.get(index)));
        let kept = || products().filter(|(scalar, point)| matters(scalar) && !is_infinity(point));
        let scalars: Vec<Scalar> = kept().map(|(scalar, _)| *scalar).collect();
        let entries = kept().map(|(_, point)| point).collect();
        LongProducts { scalars: scalars.into(), points: PointStore::Entries(entries) }
    }

    pub(crate) fn products(&self) -> Products<'_> {
        Products { scalars: &self.scalars, points: self.points.as_points(), short: &[], short_points: &[] }
    }
}

fn matters(scalar: &Scalar) -> bool {
    scalar.limbs() != [0; 4]
}

impl<'a> Products<'a> {
    /// The number of terms: one per short product, and two per long one.
    fn terms(&self) -> usize {
        2 * self.scalars.len() + self.short.len()
    }

    /// Piece `index` of `count` pieces, each with its share of the long and of the short products.
    pub(crate) fn piece(&self, index: usize, count: usize) -> Products<'a> {
        let share = |length: usize| length * index / count..length * (index + 1) / count;
        let (long, short) = (share(self.scalars.len()), share(self.short.len()));
        let points = match self.points {
            FinitePoints::Entries(entries) => FinitePoints::Entries(&entries[long.clone()]),
            FinitePoints::Keys(keys) => FinitePoints::Keys(&keys[long.clone()]),
        };
        Products {
            scalars: &self.scalars[long],
            points,
            short: &self.short[short.clone()],
            short_points: &self.short_points[short],
        }
    }

    /// Writes the points of the long products to `out`, and behind them those of the short ones.
    pub(crate) fn copy_points(&self, out: &mut [Entry]) {
        let (long, short) = out.split_at_mut(self.scalars.len());
        self.points.copy(0..self.scalars.len(), long);
        short.copy_from_slice(self.short_points);
    }

    /// The sum by the way of signature verification, `a P + b G`, if the products are at most one of any point and one
    /// of the generator. `None` if there are others.
    pub(crate) fn dedicated(&self, unit: Unit) -> Option<Jacobian> {
        if !self.short.is_empty() {
            return None;
        }
        let generator =
            |entry: &Entry| entry.0[..4] == Secp256k1::GENERATOR[0] && entry.0[4..] == Secp256k1::GENERATOR[1];
        let multiply =
            |a: &Scalar, point: &Entry, b: &Scalar| Secp256k1::double_mul_vartime(unit, a, &group::affine(point), b);
        let point = |index| self.points.get(index);
        match self.scalars {
            [] => Some(Jacobian::infinity()),
            [a] => Some(multiply(a, &point(0), &Scalar::ZERO)),
            [a, b] if generator(&point(1)) => Some(multiply(a, &point(0), b)),
            [b, a] if generator(&point(0)) => Some(multiply(a, &point(1), b)),
            _ => None,
        }
    }
}

impl Msm {
    /// The sum of the products. It does not depend on backend, threads or memory.
    pub(crate) fn sum(&self, products: Products<'_>) -> Jacobian {
        if let Some(sum) = products.dedicated(Unit::of(self.backend)) {
            return sum;
        }
        let layout = Layout::new(self.backend, self.memory, self.threads.count(), products.terms());
        match self.backend.lanes() {
            Lanes::Eight(machine) => self.sum_by(&EightLanes::new(machine), products, &layout, add_halves),
            Lanes::One => self.sum_by(&OneLane::new(), products, &layout, add_halves),
        }
    }

    /// The sum of parts that threads compute side by side: each thread takes some of the pieces if `layout.apart`, and
    /// otherwise some of the windows of all pieces. `add` adds a piece to a sum.
    pub(crate) fn sum_by<A: Adder, const N: usize>(
        &self,
        adder: &A,
        products: Products<'_>,
        layout: &Layout,
        add: impl Fn(&mut Summation<'_, '_, A, N>, Products<'_>) + Sync,
    ) -> Jacobian {
        let Layout { shares, apart, pieces, .. } = *layout;
        let windows = layout.plan.windows(layout.bits);
        let extent = |share: usize| {
            let some = |all: usize| all * share / shares..all * (share + 1) / shares;
            let (pieces, windows) = if apart { (some(pieces), 0..windows) } else { (0..pieces, some(windows)) };
            (layout.extent(&products, windows, pieces.len()), pieces)
        };
        let run = |share: usize, finish: &mut (dyn FnMut(&mut Summation<'_, '_, A, N>) + Send)| {
            let (extent, some) = extent(share);
            lend(extent.lines::<A, N>(), |memory| {
                Summation::run(adder, &extent, memory, wipe, |sum| {
                    some.for_each(|piece| add(sum, products.piece(piece, pieces)));
                    finish(sum);
                });
            });
        };
        if shares == 1 {
            let mut total = Jacobian::infinity();
            run(0, &mut |sum| total = sum.finish());
            return total;
        }
        let parts = self.threads.map(shares, |share| {
            let mut parts = Vec::new();
            run(share, &mut |sum| parts = sum.parts().to_vec());
            parts
        });
        let parts = parts.concat();
        horner(adder, &parts, &mut vec![0; parts.len()])
    }
}

/// Bits of a half of a scalar.
pub(crate) const HALF_BITS: u32 = 128;

/// Memory of sums holds no secrets.
fn wipe(_: &mut [CacheLine]) {}

/// Adds a piece with each scalar split into two halves.
pub(crate) fn add_halves<A: Adder>(sum: &mut Summation<'_, '_, A, 2>, piece: Products<'_>) {
    let (known, images) = (piece.scalars.len() + piece.short.len(), piece.scalars.len());
    let adder = sum.adder();
    sum.add_with_images(known, images, |table, numbers| load(adder, piece, table, numbers));
}

/// Loads a piece. Points and numbers come in the same order: the points of long products with the first halves of their
/// scalars, those of short products with their numbers, and the images of the first with the second halves.
pub(crate) fn load<A: Adder>(adder: &A, piece: Products<'_>, table: &mut [Entry], numbers: &mut [SignedInt<2>]) {
    let odd = table.len() < numbers.len();
    let (firsts, others) = numbers.split_at_mut(piece.scalars.len());
    let (shorts, seconds) = others.split_at_mut(piece.short.len());
    for (number, short) in shorts.iter_mut().zip(piece.short) {
        *number = term(*short);
    }
    let (known, images) = table.split_at_mut(piece.scalars.len() + piece.short.len());
    piece.copy_points(known);
    for ((first, second), scalar) in firsts.iter_mut().zip(seconds).zip(piece.scalars) {
        let halves = if odd { split_odd_vartime(scalar) } else { split(scalar) };
        (*first, *second) = (term(halves.0), term(halves.1));
    }
    adder.images(&known[..piece.scalars.len()], images);
}

fn term(half: Half) -> SignedInt<2> {
    SignedInt { magnitude: [half.magnitude as u64, (half.magnitude >> 64) as u64], negative: half.neg != 0 }
}

/// How a sum is computed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) plan: SumPlan,
    pub(crate) bits: u32,
    /// The number of pieces that the terms are divided into.
    pub(crate) pieces: usize,
    /// The number of threads that take part.
    shares: usize,
    /// Whether each thread sums pieces of its own, rather than windows of all pieces.
    apart: bool,
    pub(crate) estimate: Estimate,
}

impl Layout {
    /// The plan of least cost for `terms` terms on the given threads, within the given memory.
    pub(super) fn new(backend: Backend, memory: usize, threads: usize, terms: usize) -> Layout {
        Layout::with_plans(backend, memory, threads, terms, HALF_BITS, |length, pieces, costs, memory| {
            SumPlan::choose(length, pieces, HALF_BITS, costs, size_of::<Entry>(), memory)
        })
    }

    /// The same for numbers of so many bits. `plan` says how some terms are summed in a number of pieces, by costs and
    /// in an amount of memory.
    pub(crate) fn with_plans(
        backend: Backend,
        memory: usize,
        threads: usize,
        terms: usize,
        bits: u32,
        plan: impl Fn(usize, usize, &Costs, usize) -> SumPlan,
    ) -> Layout {
        let apart = threads > 1 && terms >= SPLIT_POINTS_FROM;
        let shares = if terms < SPLIT_WINDOWS_FROM { 1 } else { threads };
        // The terms and the memory of one thread.
        let (length, memory) = if apart { (terms.div_ceil(threads), memory / threads) } else { (terms, memory) };
        let memory = memory.min(MAX_TABLE_BYTES);
        let costs = costs::of(backend);
        // A sum in lanes has no windows that threads could share.
        let costs = Costs { lanes: if shares > 1 { None } else { costs.lanes }, ..costs };
        let mut pieces = length.div_ceil(TERMS_PER_PIECE_MAX).max(1);
        loop {
            let plan = plan(length, pieces, &costs, memory);
            let estimate = plan.estimate(length, pieces, bits, &costs, size_of::<Entry>());
            if estimate.bytes <= memory || length <= pieces * TERMS_PER_PIECE_MIN {
                let shares = if apart { shares } else { shares.min(plan.windows(bits)) };
                let of_all = if apart { threads } else { 1 };
                let (pieces, estimate) = (pieces * of_all, estimate.times(of_all));
                return Layout { plan, bits, pieces, shares, apart, estimate };
            }
            pieces *= 2;
        }
    }

    /// The same by another plan, in as many pieces.
    pub(super) fn by(self, plan: SumPlan, pieces: usize, estimate: Estimate) -> Layout {
        Layout { plan, pieces, estimate, ..self }
    }

    pub(super) fn windows(&self) -> usize {
        self.plan.windows(self.bits)
    }

    /// What one thread sums that takes so many of the pieces.
    pub(super) fn extent(&self, products: &Products<'_>, windows: Range<usize>, pieces: usize) -> Extent {
        self.extent_of([products.scalars.len(), products.short.len()], windows, pieces)
    }

    /// The same for a given number of long and short products.
    pub(super) fn extent_of(&self, products: [usize; 2], windows: Range<usize>, pieces: usize) -> Extent {
        let [long, short] = products.map(|all| all.div_ceil(self.pieces));
        let images = if self.bits == HALF_BITS { long } else { 0 };
        Extent { plan: self.plan, bits: self.bits, windows, known: long + short, images, pieces }
    }
}
