//! Coordinates without a denominator.

use super::{
    inversion::{BatchStep, divide, divide_secret, step_of_any_word},
    memory::{CacheLine, FeX8, FeX8Mem, JacobianX8, Machine, Numbers, U256x8, wipe},
};
use crate::group::Coordinates;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::batch_inversion::BatchInverted,
    word::{Mask8, Word},
};

/// The canonical coordinates of points without infinity. Lanes of which some point was infinity come back; there all
/// coordinates are void.
pub(crate) fn to_affine<M: Machine>(
    machine: M,
    points: &[JacobianX8],
    coordinates: &mut [[U256x8; 2]],
    memory: &mut [CacheLine],
) -> Mask8 {
    let products: &mut [FeX8Mem] = Numbers::new(memory).take(points.len());
    divide(machine, &mut Denominators { points, coordinates, products })
}

/// As [`to_affine`] for points none of which is infinity. Constant time.
pub(crate) fn to_affine_secret<M: Machine>(
    machine: M,
    points: &[JacobianX8],
    coordinates: &mut [[U256x8; 2]],
    memory: &mut [CacheLine],
) {
    let products: &mut [FeX8Mem] = Numbers::new(memory).take(points.len());
    divide_secret(machine, &mut Denominators { points, coordinates, products: &mut *products });
    wipe(products, FeX8Mem::ZERO);
}

struct Denominators<'a> {
    points: &'a [JacobianX8],
    coordinates: &'a mut [[U256x8; 2]],
    products: &'a mut [FeX8Mem],
}

step_of_any_word!(Denominators, Coordinates, points);

impl<W: Word> BatchInverted<FeX8<W>> for &mut Denominators<'_> {
    type Operands = Jacobian<FeX8<W>>;
    type Result = Affine<FeX8<W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.points.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        self.points[index].load()
    }
    #[inline(always)]
    fn denominator(point: &Self::Operands) -> FeX8<W> {
        point.z
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve(point: &Self::Operands, inverse: FeX8<W>) -> Affine<FeX8<W>> {
        point.to_affine_with(inverse).normalize()
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, point: Affine<FeX8<W>>) {
        let [x, y] = &mut self.coordinates[index];
        x.store(point.x.to_words());
        y.store(point.y.to_words());
    }
}
