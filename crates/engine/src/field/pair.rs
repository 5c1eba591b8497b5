//! Two elements at once: a formula over them is two chains of dependent operations in flight.
//!
//! One operation of a vector field waits for itself most of the time: its instructions form a chain of about fifty
//! cycles, of which a machine that starts two in each cycle needs thirty. Operations that do not depend on each other
//! fill the gaps when they stand next to each other in the instruction stream, which is how a formula over
//! [`FieldPair`] lays them out.

use super::Field;
use crate::word::Mask;

/// Two elements of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldPair<F>(pub F, pub F);

impl<F> From<[F; 2]> for FieldPair<F> {
    #[inline(always)]
    fn from([a, b]: [F; 2]) -> Self {
        Self(a, b)
    }
}

/// The masks of two elements; lanes are counted through both.
#[derive(Clone, Copy, Debug)]
pub struct MaskPair<M>(pub M, pub M);

impl<M: Mask> Mask for MaskPair<M> {
    const NONE: Self = Self(M::NONE, M::NONE);
    const ALL: Self = Self(M::ALL, M::ALL);
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0), self.1.and(other.1))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.or(other.0), self.1.or(other.1))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.not(), self.1.not())
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.or(self.1).any()
    }
    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        if index.is_multiple_of(2) { self.0.lane(index / 2) } else { self.1.lane(index / 2) }
    }
}

impl<F: Field> Field for FieldPair<F> {
    type Mask = MaskPair<F::Mask>;
    type Product = (F::Product, F::Product);

    const PRODUCTS_ARE_CALLS: bool = F::PRODUCTS_ARE_CALLS;

    #[inline(always)]
    fn zero() -> Self {
        Self(F::zero(), F::zero())
    }
    #[inline(always)]
    fn one() -> Self {
        Self(F::one(), F::one())
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        Self(F::constant(words), F::constant(words))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0), self.1.add(other.1))
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        Self(self.0.negate(magnitude), self.1.negate(magnitude))
    }
    #[inline(always)]
    fn negate_where(self, mask: Self::Mask, magnitude: u64) -> Self {
        Self(self.0.negate_where(mask.0, magnitude), self.1.negate_where(mask.1, magnitude))
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        Self(self.0.scale(factor), self.1.scale(factor))
    }
    #[inline(always)]
    fn carry(self) -> Self {
        Self(self.0.carry(), self.1.carry())
    }
    #[inline(always)]
    fn weaken(self) -> Self {
        Self(self.0.weaken(), self.1.weaken())
    }
    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        Self(self.0.difference(other.0, magnitude), self.1.difference(other.1, magnitude))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0), self.1.mul(other.1))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self(self.0.square(), self.1.square())
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        Self(self.0.mul_scaled::<K>(other.0), self.1.mul_scaled::<K>(other.1))
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        Self(self.0.mul_loose::<K>(other.0), self.1.mul_loose::<K>(other.1))
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        Self(self.0.square_scaled::<K>(), self.1.square_scaled::<K>())
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self(self.0.mul_add(other.0, addend.0), self.1.mul_add(other.1, addend.1))
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self(self.0.square_add(addend.0), self.1.square_add(addend.1))
    }
    #[inline(always)]
    fn mul_less(self, other: Self, taken: Self, magnitude: u64) -> Self {
        Self(self.0.mul_less(other.0, taken.0, magnitude), self.1.mul_less(other.1, taken.1, magnitude))
    }
    #[inline(always)]
    fn square_less<const K: u64>(self, taken: Self, magnitude: u64) -> Self {
        Self(self.0.square_less::<K>(taken.0, magnitude), self.1.square_less::<K>(taken.1, magnitude))
    }
    #[inline(always)]
    fn minus_product(self, other: Self, magnitude: u64) -> Self::Product {
        (self.0.minus_product(other.0, magnitude), self.1.minus_product(other.1, magnitude))
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, magnitude: u64) -> Self::Product {
        (self.0.minus_square::<K>(magnitude), self.1.minus_square::<K>(magnitude))
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Self::Product) -> Self {
        Self(self.0.mul_plus(other.0, product.0), self.1.mul_plus(other.1, product.1))
    }
    #[inline(always)]
    fn square_plus(self, product: Self::Product) -> Self {
        Self(self.0.square_plus(product.0), self.1.square_plus(product.1))
    }
    #[inline(always)]
    fn normalize(self) -> Self {
        Self(self.0.normalize(), self.1.normalize())
    }
    #[inline(always)]
    fn is_zero(self) -> Self::Mask {
        MaskPair(self.0.is_zero(), self.1.is_zero())
    }
    #[inline(always)]
    fn is_odd(self) -> Self::Mask {
        MaskPair(self.0.is_odd(), self.1.is_odd())
    }
    #[inline(always)]
    fn select(mask: Self::Mask, if_set: Self, if_clear: Self) -> Self {
        Self(F::select(mask.0, if_set.0, if_clear.0), F::select(mask.1, if_set.1, if_clear.1))
    }
    #[inline(always)]
    fn invert(self) -> Self {
        Self(self.0.invert(), self.1.invert())
    }
}
