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
    msm::{Costs, Estimate, Extent, Method, SignedInt, SumPlan, Summation, horner},
    word::CacheLine,
};
#[cfg(feature = "internals")]
use phalanx_engine::{
    arena::{Numbers, lines_for},
    msm::{DigitMatrix, running_sums},
};

/// What can be chosen besides backend and threads.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Bytes for the points and tables of one sum.
    pub(super) memory: usize,
    /// A method and a width in place of the planned ones.
    pub(super) method: Option<(Method, u32)>,
    /// Whether scalars are split.
    pub(super) endomorphism: bool,
    /// Whether buckets are summed by rounds of affine additions.
    #[cfg(feature = "internals")]
    pub(super) affine: bool,
    /// Whether Jacobian points are normalised together, with one inversion.
    pub(super) together: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            memory: usize::MAX,
            method: None,
            endomorphism: true,
            together: true,
            #[cfg(feature = "internals")]
            affine: true,
        }
    }
}

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
pub(super) struct LongProducts<'a> {
    scalars: Cow<'a, [Scalar]>,
    points: PointStore<'a>,
}

impl<'a> LongProducts<'a> {
    /// The products `scalars[i] points[i]`. There are as many scalars as points.
    pub(super) fn of(scalars: &'a [Scalar], points: PointStore<'a>) -> Self {
        if scalars.iter().all(matters) && points.are_finite() {
            return LongProducts { scalars: scalars.into(), points };
        }
        let products = || scalars.iter().enumerate().map(|(index, scalar)| (scalar, points.get(index)));
        let kept = || products().filter(|(scalar, point)| matters(scalar) && !is_infinity(point));
        let scalars: Vec<Scalar> = kept().map(|(scalar, _)| *scalar).collect();
        let entries = kept().map(|(_, point)| point).collect();
        LongProducts { scalars: scalars.into(), points: PointStore::Entries(entries) }
    }

    pub(super) fn products(&self) -> Products<'_> {
        Products { scalars: &self.scalars, points: self.points.as_points(), short: &[], short_points: &[] }
    }
}

fn matters(scalar: &Scalar) -> bool {
    scalar.limbs() != [0; 4]
}

impl<'a> Products<'a> {
    /// The number of terms: one per short product, and one per long product or, with the endomorphism, two.
    pub(super) fn terms(&self, endomorphism: bool) -> usize {
        self.scalars.len() + self.short.len() + if endomorphism { self.scalars.len() } else { 0 }
    }

    /// Piece `index` of `count` pieces, each with its share of the long and of the short products.
    pub(super) fn piece(&self, index: usize, count: usize) -> Products<'a> {
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
    fn copy_points(&self, out: &mut [Entry]) {
        let (long, short) = out.split_at_mut(self.scalars.len());
        self.points.copy(0..self.scalars.len(), long);
        short.copy_from_slice(self.short_points);
    }

    /// The sum by the way of signature verification, `a P + b G`, if the products are at most one of any point and one
    /// of the generator. `None` if there are others.
    pub(super) fn dedicated(&self, unit: Unit) -> Option<Jacobian> {
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
    /// The sum of the products. It does not depend on backend, threads or settings.
    pub(crate) fn sum(&self, products: Products<'_>) -> Jacobian {
        if self.settings.method.is_none()
            && self.settings.endomorphism
            && let Some(sum) = products.dedicated(Unit::of(self.backend))
        {
            return sum;
        }
        let layout = self.layout(products.terms(self.settings.endomorphism));
        match self.backend.lanes() {
            Lanes::Eight(machine) => self.sum_by(&EightLanes::new(machine), products, &layout),
            Lanes::One => self.sum_by(&OneLane::new(), products, &layout),
        }
    }

    fn sum_by<A: Adder>(&self, adder: &A, products: Products<'_>, layout: &Layout) -> Jacobian {
        #[cfg(feature = "internals")]
        if !self.settings.endomorphism {
            return self.sum_of::<A, 4>(adder, products, layout, add_wholes);
        }
        self.sum_of::<A, 2>(adder, products, layout, add_halves)
    }

    /// The sum of parts that threads compute side by side: each thread takes some of the pieces if `layout.apart`, and
    /// otherwise some of the windows of all pieces. `add` adds a piece to a sum.
    fn sum_of<A: Adder, const N: usize>(
        &self,
        adder: &A,
        products: Products<'_>,
        layout: &Layout,
        add: impl Fn(&mut Summation<'_, '_, A, N>, Products<'_>) + Sync,
    ) -> Jacobian {
        #[cfg(feature = "internals")]
        if layout.plan.method == Method::Pippenger && !self.settings.affine {
            return running::<A, N>(adder, products, layout);
        }
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

    /// How `terms` terms are to be summed.
    pub(super) fn layout(&self, terms: usize) -> Layout {
        Layout::new(self.backend, &self.settings, self.threads.count(), terms)
    }
}

/// The sum on one thread, by buckets to which points are added one after another: for comparison.
#[cfg(feature = "internals")]
fn running<A: Adder, const N: usize>(adder: &A, products: Products<'_>, layout: &Layout) -> Jacobian {
    let windows = layout.plan.windows(layout.bits);
    let extent = layout.extent(&products, 0..windows, layout.pieces);
    let terms = extent.known + extent.images;
    let mut memory = vec![CacheLine([0; 8]); lines_for::<u32>(windows * terms)];
    let room = Numbers::new(&mut memory).list(windows * terms);
    let mut digits = DigitMatrix::empty(layout.plan.width, layout.bits, 0..windows, room);
    let mut table = vec![CacheLine([0; 8]); terms];
    let mut numbers = vec![SignedInt { magnitude: [0; N], negative: false }; terms];
    (0..layout.pieces).fold(Jacobian::infinity(), |total, piece| {
        let piece = products.piece(piece, layout.pieces);
        let count = piece.terms(layout.bits == HALF_BITS);
        load(adder, piece, &mut table[..count], &mut numbers[..count]);
        digits.set(adder.machine(), &numbers[..count]);
        total.add_any::<Secp256k1>(running_sums::<Secp256k1>(&digits, &table[..count]))
    })
}

/// Bits of a half of a scalar, and of a scalar.
const HALF_BITS: u32 = 128;
const BITS: u32 = 256;

/// Memory of sums holds no secrets.
fn wipe(_: &mut [CacheLine]) {}

/// Adds a piece with each scalar split into two halves.
pub(super) fn add_halves<A: Adder>(sum: &mut Summation<'_, '_, A, 2>, piece: Products<'_>) {
    let (known, images) = (piece.scalars.len() + piece.short.len(), piece.scalars.len());
    let adder = sum.adder();
    sum.add_with_images(known, images, |table, numbers| load(adder, piece, table, numbers));
}

/// Adds a piece with its scalars as they are, as numbers of 256 bits: for comparison.
#[cfg(feature = "internals")]
fn add_wholes<A: Adder>(sum: &mut Summation<'_, '_, A, 4>, piece: Products<'_>) {
    let adder = sum.adder();
    sum.add(piece.scalars.len() + piece.short.len(), |table, numbers| load(adder, piece, table, numbers));
}

/// Loads a piece: halves of scalars where numbers have two words, and scalars as they are where they have four. Points
/// and numbers come in the same order: the points of long products with the first halves, those of short products with
/// their numbers, and the images of the first with the second halves.
fn load<A: Adder, const N: usize>(adder: &A, piece: Products<'_>, table: &mut [Entry], numbers: &mut [SignedInt<N>]) {
    let odd = table.len() < numbers.len();
    let (firsts, others) = numbers.split_at_mut(piece.scalars.len());
    let (shorts, seconds) = others.split_at_mut(piece.short.len());
    for (number, short) in shorts.iter_mut().zip(piece.short) {
        *number = term(*short);
    }
    let (known, images) = table.split_at_mut(piece.scalars.len() + piece.short.len());
    piece.copy_points(known);
    if N == 2 {
        for ((first, second), scalar) in firsts.iter_mut().zip(seconds).zip(piece.scalars) {
            let halves = if odd { split_odd_vartime(scalar) } else { split(scalar) };
            (*first, *second) = (term(halves.0), term(halves.1));
        }
        adder.images(&known[..piece.scalars.len()], images);
    } else {
        for (first, scalar) in firsts.iter_mut().zip(piece.scalars) {
            first.magnitude.copy_from_slice(&scalar.limbs());
            first.negative = false;
        }
    }
}

fn term<const N: usize>(half: Half) -> SignedInt<N> {
    let mut magnitude = [0; N];
    (magnitude[0], magnitude[1]) = (half.magnitude as u64, (half.magnitude >> 64) as u64);
    SignedInt { magnitude, negative: half.neg != 0 }
}

/// How a sum is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) plan: SumPlan,
    pub(super) bits: u32,
    /// The number of pieces that the terms are divided into.
    pub(super) pieces: usize,
    /// The number of threads that take part.
    shares: usize,
    /// Whether each thread sums pieces of its own, rather than windows of all pieces.
    apart: bool,
    pub(super) estimate: Estimate,
}

impl Layout {
    /// How `terms` terms are to be summed by so many threads.
    pub(super) fn new(backend: Backend, settings: &Settings, threads: usize, terms: usize) -> Layout {
        let bits = if settings.endomorphism { HALF_BITS } else { BITS };
        let apart = threads > 1 && terms >= SPLIT_POINTS_FROM;
        let shares = if terms < SPLIT_WINDOWS_FROM { 1 } else { threads };
        // The terms and the memory of one thread.
        let (length, memory) =
            if apart { (terms.div_ceil(threads), settings.memory / threads) } else { (terms, settings.memory) };
        let memory = memory.min(MAX_TABLE_BYTES);
        let costs = costs::of(backend);
        // A sum in lanes has no windows that threads could share.
        let costs = Costs { lanes: if shares > 1 { None } else { costs.lanes }, ..costs };
        let mut pieces = length.div_ceil(TERMS_PER_PIECE_MAX).max(1);
        loop {
            let plan = match settings.method {
                Some((method, width)) => SumPlan { method, width },
                None => SumPlan::choose(length, pieces, bits, &costs, size_of::<Entry>(), memory),
            };
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
