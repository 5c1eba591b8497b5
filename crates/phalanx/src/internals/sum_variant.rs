//! Sums of products by the library's own pieces, by another plan or without one technique.

use crate::{
    Error, Point, Scalar,
    backend::Lanes,
    group::Jacobian,
    msm::{
        Msm, PointInput, Products,
        sum::{HALF_BITS, Layout, LongProducts, add_halves},
        workspace::Adder,
    },
    mul::Unit,
    tables::Entry,
};
use phalanx_engine::{
    affine_add::{EightLanes, OneLane},
    msm::{Estimate, SignedInt, SumPlan, Summation},
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
}

impl SumVariant {
    /// Every choice as the library makes it.
    pub fn of(msm: Msm) -> Self {
        SumVariant { msm, plan: None, endomorphism: true }
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
        match self.endomorphism {
            true => self.msm.sum_by(adder, products, &layout, add_halves),
            false => self.msm.sum_by(adder, products, &layout, add_wholes),
        }
    }
}

/// Adds a piece with its scalars as they are, as numbers of 256 bits.
fn add_wholes<A: Adder>(sum: &mut Summation<'_, '_, A, 4>, piece: Products<'_>) {
    sum.add(piece.scalars.len(), |table, numbers| {
        piece.copy_points(table);
        for (number, scalar) in numbers.iter_mut().zip(piece.scalars) {
            *number = SignedInt { magnitude: scalar.limbs(), negative: false };
        }
    });
}
