//! Coordinates without a denominator.

use super::{
    inversion::{Stage, divide, divide_secret},
    memory::{Element, Fe8, JacobianLines, Machine, Numbers, Scratch, at_least, wipe},
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::quotients::Divisions,
    word::{Mask8, Word},
};

/// The canonical coordinates of points without infinity. Lanes of which some point was infinity come back; there all
/// coordinates are void.
pub(crate) fn to_affine<M: Machine>(
    machine: M,
    points: &[JacobianLines],
    coordinates: &mut [[Numbers; 2]],
    scratch: &mut Scratch,
) -> Mask8 {
    let products = at_least(&mut scratch.products, points.len(), Element::ZERO);
    divide(machine, &mut Denominators { points, coordinates, products })
}

/// As [`to_affine`] for points none of which is infinity. Constant time.
pub(super) fn to_affine_secret<M: Machine>(
    machine: M,
    points: &[JacobianLines],
    coordinates: &mut [[Numbers; 2]],
    scratch: &mut Scratch,
) {
    let products = at_least(&mut scratch.products, points.len(), Element::ZERO);
    divide_secret(machine, &mut Denominators { points, coordinates, products });
    wipe(products, Element::ZERO);
}

struct Denominators<'a> {
    points: &'a [JacobianLines],
    coordinates: &'a mut [[Numbers; 2]],
    products: &'a mut [Element],
}

impl Stage for Denominators<'_> {
    type On<'b, W: Word>
        = &'b mut Self
    where
        Self: 'b;
    #[inline(always)]
    fn on<W: Word>(&mut self) -> &mut Self {
        self
    }
    fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

impl<W: Word> Divisions<Fe8<W>> for &mut Denominators<'_> {
    type Operands = Jacobian<Fe8<W>>;
    type Result = Affine<Fe8<W>>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.points.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        self.points[index].load()
    }
    #[inline(always)]
    fn denominator(point: &Self::Operands) -> Fe8<W> {
        point.z
    }
    #[inline(always)]
    fn keep(&mut self, index: usize, product: Fe8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn kept(&self, index: usize) -> Fe8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve(point: &Self::Operands, inverse: Fe8<W>) -> Affine<Fe8<W>> {
        point.to_affine_with(inverse).normalize()
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, point: Affine<Fe8<W>>) {
        let [x, y] = &mut self.coordinates[index];
        x.store(point.x.to_words());
        y.store(point.y.to_words());
    }
}
