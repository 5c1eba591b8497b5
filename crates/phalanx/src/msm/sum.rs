//! The sum: from products to terms, by a plan, to one point.

use super::{Msm, costs, input::INFINITY};
use crate::{
    Scalar,
    backend::Threads,
    glv::{Half, split},
    group::{self, Jacobian, Secp256k1},
    mul::{Combine, Unit},
    rounds::{Arithmetic, OneLane},
    tables::Entry,
};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use phalanx_engine::{
    curve::Curve,
    msm::{Estimate, Method, Part, Plan, Term, Terms, WorkspaceOf, bucket_sums, chain, multiples, table_sums},
};

/// What can be chosen besides backend and threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// Bytes for the points and tables of one sum.
    pub(super) memory: usize,
    /// A method and a width in place of the planned ones.
    pub(super) method: Option<(Method, u32)>,
    /// Whether scalars are split.
    pub(super) endomorphism: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { memory: usize::MAX, method: None, endomorphism: true }
    }
}

/// Scalars and points to be multiplied and summed; neither zero nor infinity is among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Products {
    scalars: Vec<Scalar>,
    points: Vec<Entry>,
    short: Vec<Half>,
    short_points: Vec<Entry>,
}

impl Products {
    /// As many of both.
    pub(crate) fn of(scalars: &[Scalar], points: &[Entry]) -> Products {
        let mut products = Products::with_capacity(scalars.len(), 0);
        for (scalar, point) in scalars.iter().zip(points) {
            products.push(scalar, point);
        }
        products
    }

    /// Room for so many products.
    pub(crate) fn with_capacity(long: usize, short: usize) -> Products {
        Products {
            scalars: Vec::with_capacity(long),
            points: Vec::with_capacity(long),
            short: Vec::with_capacity(short),
            short_points: Vec::with_capacity(short),
        }
    }

    pub(crate) fn push(&mut self, scalar: &Scalar, point: &Entry) {
        if scalar.limbs() != [0; 4] && point.0 != INFINITY.0 {
            self.scalars.push(*scalar);
            self.points.push(*point);
        }
    }

    /// A number below 2^128 in absolute value.
    pub(crate) fn push_short(&mut self, number: Half, point: &Entry) {
        if number.magnitude != 0 && point.0 != INFINITY.0 {
            self.short.push(number);
            self.short_points.push(*point);
        }
    }

    fn all(&self) -> Piece<'_> {
        Piece { scalars: &self.scalars, points: &self.points, short: &self.short, short_points: &self.short_points }
    }

    /// Pieces of at most so many products.
    fn pieces(&self, length: usize) -> Vec<Piece<'_>> {
        let Piece { scalars, points, short, short_points } = self.all();
        let long = scalars.chunks(length).zip(points.chunks(length));
        let long = long.map(|(scalars, points)| Piece { scalars, points, short: &[], short_points: &[] });
        let others = short.chunks(length).zip(short_points.chunks(length));
        let others = others.map(|(short, short_points)| Piece { scalars: &[], points: &[], short, short_points });
        long.chain(others).collect()
    }
}

/// Some of the products.
#[derive(Clone, Copy)]
struct Piece<'a> {
    scalars: &'a [Scalar],
    points: &'a [Entry],
    short: &'a [Half],
    short_points: &'a [Entry],
}

impl Piece<'_> {
    fn len(&self) -> usize {
        self.scalars.len() + self.short.len()
    }

    /// The numbers that points of tables are multiplied by.
    fn terms(&self, endomorphism: bool) -> usize {
        self.len() + if endomorphism { self.scalars.len() } else { 0 }
    }
}

impl Msm {
    /// The sum of the products, the same by any means.
    pub(crate) fn sum(&self, products: &Products) -> Jacobian {
        let all = products.all();
        if let Some(sum) = self.dedicated(&all) {
            return sum;
        }
        let Layout { plan, pieces, apart, .. } = self.layout(all.terms(self.settings.endomorphism));
        if pieces == 1 {
            return self.sum_piece(&all, &plan, &self.threads);
        }
        let pieces = products.pieces(all.len().div_ceil(pieces));
        let sums = if apart {
            self.threads.map(pieces.len(), |piece| self.sum_piece(&pieces[piece], &plan, &Threads::One))
        } else {
            pieces.iter().map(|piece| self.sum_piece(piece, &plan, &self.threads)).collect()
        };
        sums.into_iter().fold(Jacobian::infinity(), |sum, piece| sum.add_complete(piece))
    }

    fn sum_piece(&self, piece: &Piece<'_>, plan: &Plan, threads: &Threads) -> Jacobian {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        if let Some(ifma) = self.backend.vectors() {
            return self.sum_by(&crate::lanes::EightLanes(ifma), piece, plan, threads);
        }
        self.sum_by(&OneLane, piece, plan, threads)
    }

    /// The path of signature verification, for one product with any point and one with the generator.
    fn dedicated(&self, products: &Piece<'_>) -> Option<Jacobian> {
        if self.settings.method.is_some() || !self.settings.endomorphism || !products.short.is_empty() {
            return None;
        }
        let generator =
            |entry: &Entry| entry.0[..4] == Secp256k1::GENERATOR[0] && entry.0[4..] == Secp256k1::GENERATOR[1];
        let unit = Unit::of(self.backend);
        let multiply =
            |a: &Scalar, point: &Entry, b: &Scalar| Secp256k1::double_mul_vartime(unit, a, &group::affine(point), b);
        match (products.scalars, products.points) {
            ([], []) => Some(Jacobian::infinity()),
            ([a], [p]) => Some(multiply(a, p, &Scalar::ZERO)),
            ([a, b], [p, g]) if generator(g) => Some(multiply(a, p, b)),
            ([b, a], [g, p]) if generator(g) => Some(multiply(a, p, b)),
            _ => None,
        }
    }

    fn sum_by<A: Arithmetic>(&self, arithmetic: &A, products: &Piece<'_>, plan: &Plan, threads: &Threads) -> Jacobian {
        if self.settings.endomorphism {
            self.sum_of_halves(arithmetic, products, plan, threads)
        } else {
            self.sum_of_wholes(arithmetic, products, plan, threads)
        }
    }

    /// Each scalar as two halves, for the point and its image.
    fn sum_of_halves<A: Arithmetic>(
        &self,
        arithmetic: &A,
        products: &Piece<'_>,
        plan: &Plan,
        threads: &Threads,
    ) -> Jacobian {
        let (points, short) = (products.points, products.short_points);
        let mut numbers = vec![Term { magnitude: [0; 2], negative: false }; products.len() + points.len()];
        let (firsts, others) = numbers.split_at_mut(points.len());
        let (shorts, seconds) = others.split_at_mut(short.len());
        for ((first, second), scalar) in firsts.iter_mut().zip(seconds).zip(products.scalars) {
            let halves = split(scalar);
            (*first, *second) = (term(halves.0), term(halves.1));
        }
        for (number, short) in shorts.iter_mut().zip(products.short) {
            *number = term(*short);
        }
        A::lend(|workspace| {
            let table = workspace.begin::<A>(numbers.len());
            table[..points.len()].copy_from_slice(points);
            table[points.len()..products.len()].copy_from_slice(short);
            let (known, images) = table.split_at_mut(products.len());
            arithmetic.images(&known[..points.len()], images);
            self.sum_of_terms(arithmetic, 128, &numbers, workspace, plan, threads)
        })
    }

    /// Scalars as they are, of 256 bits.
    fn sum_of_wholes<A: Arithmetic>(
        &self,
        arithmetic: &A,
        products: &Piece<'_>,
        plan: &Plan,
        threads: &Threads,
    ) -> Jacobian {
        let whole = |scalar: &Scalar| Term { magnitude: scalar.limbs(), negative: false };
        let short = |number: &Half| {
            let Term { magnitude: [low, high], negative } = term(*number);
            Term { magnitude: [low, high, 0, 0], negative }
        };
        let numbers: Vec<_> = products.scalars.iter().map(whole).chain(products.short.iter().map(short)).collect();
        A::lend(|workspace| {
            let table = workspace.begin::<A>(numbers.len());
            table[..products.points.len()].copy_from_slice(products.points);
            table[products.points.len()..].copy_from_slice(products.short_points);
            self.sum_of_terms(arithmetic, 256, &numbers, workspace, plan, threads)
        })
    }

    /// A number for each entry of the table.
    fn sum_of_terms<A: Arithmetic, const N: usize>(
        &self,
        arithmetic: &A,
        bits: u32,
        numbers: &[Term<N>],
        workspace: &mut WorkspaceOf<A>,
        plan: &Plan,
        threads: &Threads,
    ) -> Jacobian {
        let terms = Terms::new(plan.width, bits, numbers.iter().copied());
        if plan.method == Method::Tables {
            multiples(arithmetic, plan.width, workspace);
        }
        let sums = |windows: Range<usize>, workspace: &mut WorkspaceOf<A>| {
            let batches =
                windows.clone().step_by(plan.together).map(|first| first..windows.end.min(first + plan.together));
            let batch = |range| match plan.method {
                Method::Tables => table_sums(arithmetic, &terms, range, workspace),
                Method::Buckets => bucket_sums(arithmetic, &terms, range, workspace),
            };
            batches.flat_map(batch).collect::<Vec<_>>()
        };
        let windows = terms.windows();
        let share = windows.div_ceil(if numbers.len() < THREADED { 1 } else { threads.count() });
        let parts = if share == windows {
            sums(0..windows, workspace)
        } else {
            let table = workspace.table();
            let part = |thread| {
                A::lend(|workspace| {
                    workspace.begin::<A>(table.len()).copy_from_slice(table);
                    sums(share * thread..windows.min(share * (thread + 1)), workspace)
                })
            };
            threads.map(windows.div_ceil(share), part).concat()
        };
        horner(&parts)
    }

    /// How so many terms are to be summed.
    pub(super) fn layout(&self, terms: usize) -> Layout {
        let (bits, threads) = (self.bits(), self.threads.count());
        let apart = threads > 1 && terms >= APART;
        let memory = if apart { self.settings.memory / threads } else { self.settings.memory }.min(NEAR);
        let mut pieces = if apart { threads } else { 1 };
        loop {
            let length = terms.div_ceil(pieces);
            let plan = self.plan_terms(length, bits, memory);
            let estimate = plan.estimate(length, bits, &costs::of(self.backend), size_of::<Entry>());
            if estimate.bytes <= memory || length <= SMALLEST_PIECE {
                let bytes = if apart { estimate.bytes.saturating_mul(threads) } else { estimate.bytes };
                return Layout { plan, pieces, apart, bytes, estimate };
            }
            pieces *= 2;
        }
    }

    fn bits(&self) -> u32 {
        if self.settings.endomorphism { 128 } else { 256 }
    }

    fn plan_terms(&self, terms: usize, bits: u32, memory: usize) -> Plan {
        match self.settings.method {
            Some((method, width)) => Plan::of(method, width, terms, bits),
            None => Plan::choose(terms, bits, &costs::of(self.backend), size_of::<Entry>(), memory),
        }
    }
}

/// A plan for each of so many pieces of a sum.
pub(super) struct Layout {
    pub(super) plan: Plan,
    pub(super) pieces: usize,
    /// Whether each thread sums pieces of its own, rather than windows of one.
    apart: bool,
    pub(super) bytes: usize,
    pub(super) estimate: Estimate,
}

/// Terms from which on threads share the windows of a sum, and from which on each sums pieces of its own: where the
/// buckets that are then summed once a thread are few beside the points.
const THREADED: usize = 128;
const APART: usize = 1 << 16;

/// Bytes of a piece at most, so that its points stay in a cache: at 2^17 points one piece took twice as long as four.
const NEAR: usize = 16 << 20;

/// Terms of a piece that is not divided further, however little memory there is.
const SMALLEST_PIECE: usize = 64;

fn term(half: Half) -> Term<2> {
    Term { magnitude: [half.magnitude as u64, (half.magnitude >> 64) as u64], negative: half.neg != 0 }
}

/// The sum of the parts, whatever they are.
fn horner(parts: &[Part<Entry>]) -> Jacobian {
    let double = |sum: Jacobian| if sum.z.is_zero_vartime() { sum } else { sum.double() };
    let add = |sum: Jacobian, entry: Entry, opposite: bool| {
        if entry.0 == INFINITY.0 {
            return sum;
        }
        let point = group::affine(&entry);
        let point = if opposite { point.negate() } else { point };
        let (next, _) = sum.add_mixed(point);
        if next.z.is_zero_vartime() { sum.add_mixed_complete(point) } else { next }
    };
    chain(parts, Jacobian::infinity(), double, add)
}
