//! Sums of products by the library's own pieces, by another plan or without one technique.

use super::running_sums::running_sums;
use crate::{
    Error, Point, Scalar,
    backend::Lanes,
    group::{Jacobian, Secp256k1},
    msm::{
        Msm, PointInput, Products,
        sum::{HALF_BITS, Layout, LongProducts, add_halves, load},
        workspace::Adder,
    },
    mul::Unit,
    tables::Entry,
};
use alloc::vec;
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    lanes::INFINITY,
    msm::{Estimate, Method, SignedInt, SumPlan, Summation},
};

/// Bits of a scalar.
const BITS: u32 = 256;

/// The choices of an [`Msm`], of which some can be other than the library's. The sum does not depend on them.
#[derive(Debug, Clone)]
pub struct SumVariant {
    /// Whose backend, threads and memory are taken.
    pub msm: Msm,
    /// A plan in place of the one that costs least.
    ///
    /// Sums panic if the width is not from 2 to 16 bits, for Straus' method from 2 to 10, or in lanes 4; and in lanes on
    /// a backend of one lane.
    pub plan: Option<SumPlan>,
    /// Whether scalars are split by the endomorphism.
    pub endomorphism: bool,
    /// Whether buckets are summed by rounds of affine additions that share inversions, in as many lanes as the backend
    /// has. With `false`, points are added to Jacobian buckets one after another, buckets are weighted by running sums,
    /// and one thread computes all.
    pub affine_buckets: bool,
}

impl SumVariant {
    /// Every choice as the library makes it.
    pub fn of(msm: Msm) -> Self {
        SumVariant { msm, plan: None, endomorphism: true, affine_buckets: true }
    }

    /// The plan for a sum of `products` products. A sum of one product, or of two of which one is the generator's, is
    /// computed another way, whatever its plan says.
    pub fn plan_of(&self, products: usize) -> SumPlan {
        self.layout(products).plan
    }

    /// The number of pieces that the products are divided into, to give each thread its own, to need less memory, and to
    /// keep points in a cache.
    pub fn pieces(&self, products: usize) -> usize {
        self.layout(products).pieces
    }

    /// What the plan is expected to take.
    pub fn estimate(&self, products: usize) -> Estimate {
        self.layout(products).estimate
    }

    /// As [`Msm::sum_of_products`].
    ///
    /// # Errors
    /// As [`Msm::sum_of_products`].
    pub fn sum_of_products<P: PointInput>(&self, scalars: &[Scalar], points: &[P]) -> Result<Point, Error> {
        Error::check_lengths(scalars.len(), points.len())?;
        let points = P::affine(points, &self.msm)?;
        Ok(Point::from_jacobian(self.sum(LongProducts::of(scalars, points).products())))
    }

    fn layout(&self, products: usize) -> Layout {
        let (terms, bits) = if self.endomorphism { (2 * products, HALF_BITS) } else { (products, BITS) };
        let (memory, threads) = (self.msm.memory, self.msm.threads.count());
        Layout::with_plans(self.msm.backend(), memory, threads, terms, bits, |length, pieces, costs, memory| {
            self.plan.unwrap_or_else(|| SumPlan::choose(length, pieces, bits, costs, size_of::<Entry>(), memory))
        })
    }

    fn sum(&self, products: Products<'_>) -> Jacobian {
        let ships = self.plan.is_none() && self.endomorphism;
        if let Some(sum) = ships.then(|| products.dedicated(Unit::of(self.msm.backend()))).flatten() {
            return sum;
        }
        match self.msm.backend().lanes() {
            Lanes::Eight(machine) => self.sum_by(&EightLanes::new(machine), products),
            Lanes::One => self.sum_by(&OneLane::new(), products),
        }
    }

    fn sum_by<A: Adder>(&self, adder: &A, products: Products<'_>) -> Jacobian {
        let layout = self.layout(products.scalars.len());
        let running = layout.plan.method == Method::Pippenger && !self.affine_buckets;
        match (self.endomorphism, running) {
            (true, false) => self.msm.sum_by(adder, products, &layout, add_halves),
            (false, false) => self.msm.sum_by(adder, products, &layout, add_wholes),
            (true, true) => running_by(products, &layout, |piece, table, numbers| load(adder, piece, table, numbers)),
            (false, true) => running_by(products, &layout, load_wholes),
        }
    }
}

/// The sum of the pieces by running sums.
fn running_by<const N: usize>(
    products: Products<'_>,
    layout: &Layout,
    load: impl Fn(Products<'_>, &mut [Entry], &mut [SignedInt<N>]),
) -> Jacobian {
    (0..layout.pieces).fold(Jacobian::infinity(), |total, piece| {
        let piece = products.piece(piece, layout.pieces);
        let terms = piece.scalars.len() * (BITS / layout.bits) as usize;
        let mut table = vec![INFINITY; terms];
        let mut numbers = vec![SignedInt { magnitude: [0; N], negative: false }; terms];
        load(piece, &mut table, &mut numbers);
        total.add_vartime::<Secp256k1>(running_sums(layout, &numbers, &table))
    })
}

/// Adds a piece with its scalars as they are, as numbers of 256 bits.
fn add_wholes<A: Adder>(sum: &mut Summation<'_, '_, A, 4>, piece: Products<'_>) {
    sum.add(piece.scalars.len(), |table, numbers| load_wholes(piece, table, numbers));
}

/// Loads the long products of a piece.
fn load_wholes(piece: Products<'_>, table: &mut [Entry], numbers: &mut [SignedInt<4>]) {
    piece.copy_points(table);
    for (number, scalar) in numbers.iter_mut().zip(piece.scalars) {
        *number = SignedInt { magnitude: scalar.limbs(), negative: false };
    }
}
