//! From products to their sum: products become terms, and a plan says how the terms are summed.

use super::{Msm, costs, input::PointStore, workspace::Adder};
use crate::tuning::{MAX_TABLE_BYTES, SPLIT_POINTS_FROM, SPLIT_WINDOWS_FROM, TERMS_PER_PIECE_MAX, TERMS_PER_PIECE_MIN};
use crate::{
    Point, Scalar,
    glv::{Half, split},
    group::{self, Jacobian, Secp256k1},
    mul::{Combine, Unit},
    tables::Entry,
};
use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    curve::Curve,
    lanes::is_infinity,
    msm::{
        Buckets, DigitMatrix, Estimate, Method, OddMultiples, Plan, ShiftedPoint, SignedInt, WorkspaceOf, horner,
        running_sums, straus_sums,
    },
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
    pub(super) affine: bool,
    /// Whether Jacobian points are normalised together, with one inversion.
    pub(super) together: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { memory: usize::MAX, method: None, endomorphism: true, affine: true, together: true }
    }
}

/// Products to be summed; no scalar among them is zero, and no point infinity. A *long* product has a scalar, a *short*
/// one has a number below 2^128 in absolute value.
#[derive(Debug, Clone)]
pub(crate) struct Products<'a> {
    scalars: Cow<'a, [Scalar]>,
    points: PointStore<'a>,
    short: Vec<Half>,
    short_points: Vec<Entry>,
}

impl<'a> Products<'a> {
    /// The products `scalars[i] points[i]`. There are as many scalars as points.
    pub(crate) fn of(scalars: &'a [Scalar], points: PointStore<'a>) -> Self {
        if scalars.iter().all(matters) && points.are_finite() {
            return Products { scalars: scalars.into(), points, short: Vec::new(), short_points: Vec::new() };
        }
        let mut products = Products::with_capacity(scalars.len(), 0);
        for (index, scalar) in scalars.iter().enumerate() {
            products.push(scalar, &points.get(index));
        }
        products
    }

    /// Room for `long` products of scalars and `short` products of short numbers.
    pub(crate) fn with_capacity(long: usize, short: usize) -> Self {
        Products {
            scalars: Vec::with_capacity(long).into(),
            points: PointStore::Entries(Vec::with_capacity(long)),
            short: Vec::with_capacity(short),
            short_points: Vec::with_capacity(short),
        }
    }

    /// Appends the product, unless it is infinity.
    pub(crate) fn push(&mut self, scalar: &Scalar, point: &Entry) {
        if matters(scalar) && !is_infinity(point) {
            self.scalars.to_mut().push(*scalar);
            self.points.push(*point);
        }
    }

    /// Appends the product of a number below 2^128 in absolute value, unless it is infinity.
    pub(crate) fn push_short(&mut self, number: Half, point: &Entry) {
        if number.magnitude != 0 && !is_infinity(point) {
            self.short.push(number);
            self.short_points.push(*point);
        }
    }

    /// The number of terms: one per short product, and one per long product or, with the endomorphism, two.
    fn terms(&self, endomorphism: bool) -> usize {
        Piece { products: self, long: 0..self.scalars.len(), short: 0..self.short.len() }.terms(endomorphism)
    }

    /// The products in `count` pieces, each with its share of the long and of the short ones.
    fn pieces(&self, count: usize) -> Vec<Piece<'_>> {
        let share = |length: usize, piece: usize| length * piece / count..length * (piece + 1) / count;
        let piece = |piece| {
            let (long, short) = (share(self.scalars.len(), piece), share(self.short.len(), piece));
            Piece { products: self, long, short }
        };
        (0..count).map(piece).collect()
    }
}

fn matters(scalar: &Scalar) -> bool {
    scalar.limbs() != [0; 4]
}

/// Some of the long products, and some of the short ones.
struct Piece<'a> {
    products: &'a Products<'a>,
    long: Range<usize>,
    short: Range<usize>,
}

impl Piece<'_> {
    /// The number of terms: one per short product, and one per long product or, with the endomorphism, two.
    fn terms(&self, endomorphism: bool) -> usize {
        self.long.len() + self.short.len() + if endomorphism { self.long.len() } else { 0 }
    }

    fn scalars(&self) -> &[Scalar] {
        &self.products.scalars[self.long.clone()]
    }

    fn short(&self) -> &[Half] {
        &self.products.short[self.short.clone()]
    }

    /// Writes the points of the long products to `out`, and behind them those of the short ones.
    fn copy_points(&self, out: &mut [Entry]) {
        let (long, short) = out.split_at_mut(self.long.len());
        self.products.points.copy(self.long.clone(), long);
        short.copy_from_slice(&self.products.short_points[self.short.clone()]);
    }
}

impl Msm {
    /// The sum of the products. It does not depend on backend, threads or settings.
    pub(crate) fn sum(&self, products: &Products<'_>) -> Jacobian {
        if let Some(sum) = self.dedicated(products) {
            return sum;
        }
        let layout = self.layout(products.terms(self.settings.endomorphism));
        let pieces = products.pieces(layout.pieces);
        #[cfg(feature = "internals")]
        if self.backend == crate::Backend::Emulated {
            return self.sum_by(&EightLanes::new(phalanx_engine::word::Emulation), &pieces, &layout);
        }
        match self.backend.vectors() {
            Some(machine) => self.sum_by(&EightLanes::new(machine), &pieces, &layout),
            None => self.sum_by(&OneLane::new(), &pieces, &layout),
        }
    }

    /// The sum by the way of signature verification, `a P + b G`, if the products are at most one of any point and one
    /// of the generator. `None` if there are others, or if the settings ask for something else.
    fn dedicated(&self, products: &Products<'_>) -> Option<Jacobian> {
        if self.settings.method.is_some() || !self.settings.endomorphism || !products.short.is_empty() {
            return None;
        }
        let generator =
            |entry: &Entry| entry.0[..4] == Secp256k1::GENERATOR[0] && entry.0[4..] == Secp256k1::GENERATOR[1];
        let unit = Unit::of_one(self.backend);
        let multiply =
            |a: &Scalar, point: &Entry, b: &Scalar| Secp256k1::double_mul_vartime(unit, a, &group::affine(point), b);
        let point = |index| products.points.get(index);
        match *products.scalars {
            [] => Some(Jacobian::infinity()),
            [a] => Some(multiply(&a, &point(0), &Scalar::ZERO)),
            [a, b] if generator(&point(1)) => Some(multiply(&a, &point(0), &b)),
            [b, a] if generator(&point(0)) => Some(multiply(&a, &point(1), &b)),
            _ => None,
        }
    }

    fn sum_by<A: Adder>(&self, adder: &A, pieces: &[Piece<'_>], layout: &Layout) -> Jacobian {
        if self.settings.endomorphism {
            self.sum_of(adder, pieces, layout, halves)
        } else {
            self.sum_of(adder, pieces, layout, wholes)
        }
    }

    /// The sum of parts that threads compute side by side: each thread takes some of the pieces if `layout.apart`, and
    /// otherwise some of the windows of all pieces. `load` is as for `parts`.
    fn sum_of<A: Adder, const N: usize>(
        &self,
        adder: &A,
        pieces: &[Piece<'_>],
        layout: &Layout,
        load: impl Fn(&A, &Piece<'_>, &mut [Entry], &mut Vec<SignedInt<N>>) + Sync,
    ) -> Jacobian {
        let Layout { plan, shares, apart, .. } = *layout;
        let windows = plan.windows(self.bits());
        let sums = |share: usize| {
            let some = |all: usize| all * share / shares..all * (share + 1) / shares;
            let (pieces, windows) =
                if apart { (&pieces[some(pieces.len())], 0..windows) } else { (pieces, some(windows)) };
            A::lend(|workspace| self.parts(adder, pieces, plan, windows, &load, workspace))
        };
        let parts = if shares == 1 { sums(0) } else { self.threads.map(shares, sums).concat() };
        horner(adder, &parts)
    }

    /// The parts that the windows `windows` of `pieces` contribute. `load` writes the points of a piece's terms to a
    /// table, and the terms' numbers to a list.
    fn parts<A: Adder, const N: usize>(
        &self,
        adder: &A,
        pieces: &[Piece<'_>],
        plan: Plan,
        windows: Range<usize>,
        load: impl Fn(&A, &Piece<'_>, &mut [Entry], &mut Vec<SignedInt<N>>),
        workspace: &mut WorkspaceOf<A>,
    ) -> Vec<ShiftedPoint> {
        let count = |piece: &Piece<'_>| piece.terms(self.settings.endomorphism);
        let mut numbers = Vec::new();
        match plan.method {
            Method::Pippenger if !self.settings.affine => {
                let mut terms = DigitMatrix::empty(plan.width, self.bits(), windows.clone());
                let mut total = Jacobian::infinity();
                for piece in pieces {
                    let table = workspace.begin(count(piece));
                    load(adder, piece, table, &mut numbers);
                    terms.set(adder.machine(), &numbers);
                    total = total.add_complete(running_sums::<Secp256k1>(&terms, table));
                }
                let part = |point| ShiftedPoint { bit: plan.width as usize * windows.start, point, negated: false };
                Point::batch_to_entries(&[Point::from_jacobian(total)]).into_iter().map(part).collect()
            }
            Method::Pippenger => {
                let mut terms = DigitMatrix::empty(plan.width, self.bits(), windows.clone());
                workspace.begin(pieces.iter().map(count).max().unwrap_or(0));
                let mut buckets = Buckets::new_after_table(plan.width, self.bits(), windows, workspace);
                for piece in pieces {
                    load(adder, piece, workspace.points(count(piece)), &mut numbers);
                    terms.set(adder.machine(), &numbers);
                    buckets.add(adder, &terms, workspace);
                }
                buckets.weighted_sums(adder, workspace)
            }
            Method::Straus => {
                let mut parts = Vec::new();
                for piece in pieces {
                    load(adder, piece, workspace.begin(count(piece)), &mut numbers);
                    let known = piece.long.len() + piece.short.len();
                    let images = numbers.len() - known;
                    let multiples = OddMultiples::with_images(adder, plan.width, known, images, workspace);
                    parts.extend(straus_sums(adder, plan.width, windows.clone(), &numbers, &multiples, workspace));
                }
                parts
            }
        }
    }

    /// How `terms` terms are to be summed.
    pub(super) fn layout(&self, terms: usize) -> Layout {
        let (bits, threads) = (self.bits(), self.threads.count());
        let apart = threads > 1 && terms >= SPLIT_POINTS_FROM;
        let shares = if terms < SPLIT_WINDOWS_FROM { 1 } else { threads };
        // The terms and the memory of one thread.
        let (length, memory) = if apart {
            (terms.div_ceil(threads), self.settings.memory / threads)
        } else {
            (terms, self.settings.memory)
        };
        let memory = memory.min(MAX_TABLE_BYTES);
        let mut pieces = length.div_ceil(TERMS_PER_PIECE_MAX).max(1);
        loop {
            let plan = self.plan_terms(length, pieces, bits, memory);
            let estimate = plan.estimate(length, pieces, bits, &costs::of(self.backend), size_of::<Entry>());
            if estimate.bytes <= memory || length <= pieces * TERMS_PER_PIECE_MIN {
                let shares = if apart { shares } else { shares.min(plan.windows(bits)) };
                let of_all = if apart { threads } else { 1 };
                return Layout { plan, pieces: pieces * of_all, shares, apart, estimate: estimate.times(of_all) };
            }
            pieces *= 2;
        }
    }

    fn bits(&self) -> u32 {
        if self.settings.endomorphism { 128 } else { 256 }
    }

    fn plan_terms(&self, terms: usize, pieces: usize, bits: u32, memory: usize) -> Plan {
        match self.settings.method {
            Some((method, width)) => Plan { method, width },
            None => Plan::choose(terms, pieces, bits, &costs::of(self.backend), size_of::<Entry>(), memory),
        }
    }
}

/// Loads a piece with each scalar split into two halves. Points and numbers come in the same order: the points of long
/// products with the first halves, those of short products with their numbers, and the images of the first with the
/// second halves.
fn halves<A: Adder>(adder: &A, piece: &Piece<'_>, table: &mut [Entry], numbers: &mut Vec<SignedInt<2>>) {
    numbers.clear();
    numbers.resize(table.len(), SignedInt { magnitude: [0; 2], negative: false });
    let (firsts, others) = numbers.split_at_mut(piece.long.len());
    let (shorts, seconds) = others.split_at_mut(piece.short.len());
    for ((first, second), scalar) in firsts.iter_mut().zip(seconds).zip(piece.scalars()) {
        let halves = split(scalar);
        (*first, *second) = (term(halves.0), term(halves.1));
    }
    for (number, short) in shorts.iter_mut().zip(piece.short()) {
        *number = term(*short);
    }
    let (known, images) = table.split_at_mut(piece.long.len() + piece.short.len());
    piece.copy_points(known);
    adder.images(&known[..piece.long.len()], images);
}

/// Loads a piece with its scalars as they are, as numbers of 256 bits.
fn wholes<A: Adder>(_: &A, piece: &Piece<'_>, table: &mut [Entry], numbers: &mut Vec<SignedInt<4>>) {
    let whole = |scalar: &Scalar| SignedInt { magnitude: scalar.limbs(), negative: false };
    let short = |number: &Half| {
        let SignedInt { magnitude: [low, high], negative } = term(*number);
        SignedInt { magnitude: [low, high, 0, 0], negative }
    };
    piece.copy_points(table);
    numbers.clear();
    numbers.extend(piece.scalars().iter().map(whole).chain(piece.short().iter().map(short)));
}

/// How a sum is computed.
pub(super) struct Layout {
    pub(super) plan: Plan,
    /// The number of pieces that the terms are divided into.
    pub(super) pieces: usize,
    /// The number of threads that take part.
    shares: usize,
    /// Whether each thread sums pieces of its own, rather than windows of all pieces.
    apart: bool,
    pub(super) estimate: Estimate,
}

fn term(half: Half) -> SignedInt<2> {
    SignedInt { magnitude: [half.magnitude as u64, (half.magnitude >> 64) as u64], negative: half.neg != 0 }
}
