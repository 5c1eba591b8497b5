//! A field that counts what is asked of it, so that "a doubling is 3M + 4S" is a test.

use super::Field;
use std::cell::Cell;

/// How many operations of each kind were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Products of two different numbers. A sum of two products counts two.
    pub mul: usize,
    /// Squares.
    pub square: usize,
    /// Reductions of a product or of a sum of products.
    pub reduce: usize,
    /// Carries.
    pub carry: usize,
    /// Canonical forms, which comparisons need.
    pub normalize: usize,
    /// Inversions.
    pub invert: usize,
}

std::thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(Count { mul: 0, square: 0, reduce: 0, carry: 0, normalize: 0, invert: 0 }) };
}

fn note(change: impl FnOnce(&mut Count)) {
    COUNT.with(|cell| {
        let mut count = cell.get();
        change(&mut count);
        cell.set(count);
    });
}

/// A number of the field `F` whose operations are counted on the current thread.
#[derive(Clone, Copy, Debug)]
pub struct Counted<F>(pub F);

impl<F: Field> Counted<F> {
    /// Runs the work and says what it asked for on this thread.
    pub fn count<T>(work: impl FnOnce() -> T) -> (T, Count) {
        COUNT.with(|cell| cell.set(Count::default()));
        let result = work();
        (result, COUNT.with(Cell::get))
    }
}

impl<F: Field> Field for Counted<F> {
    type Mask = F::Mask;
    type Product = F::Product;

    fn zero() -> Self {
        Self(F::zero())
    }
    fn one() -> Self {
        Self(F::one())
    }
    fn constant(words: [u64; 4]) -> Self {
        Self(F::constant(words))
    }
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
    fn negate(self, magnitude: u64) -> Self {
        Self(self.0.negate(magnitude))
    }
    fn scale(self, factor: u64) -> Self {
        Self(self.0.scale(factor))
    }
    fn carry(self) -> Self {
        note(|count| count.carry += 1);
        Self(self.0.carry())
    }
    fn weaken(self) -> Self {
        note(|count| count.carry += 1);
        Self(self.0.weaken())
    }
    fn difference(self, other: Self, magnitude: u64) -> Self {
        note(|count| count.carry += 1);
        Self(self.0.difference(other.0, magnitude))
    }
    fn mul(self, other: Self) -> Self {
        note(|count| (count.mul, count.reduce) = (count.mul + 1, count.reduce + 1));
        Self(self.0.mul(other.0))
    }
    fn square(self) -> Self {
        note(|count| (count.square, count.reduce) = (count.square + 1, count.reduce + 1));
        Self(self.0.square())
    }
    fn mul_add(self, other: Self, addend: Self) -> Self {
        note(|count| (count.mul, count.reduce) = (count.mul + 1, count.reduce + 1));
        Self(self.0.mul_add(other.0, addend.0))
    }
    fn square_add(self, addend: Self) -> Self {
        note(|count| (count.square, count.reduce) = (count.square + 1, count.reduce + 1));
        Self(self.0.square_add(addend.0))
    }
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        note(|count| (count.mul, count.reduce) = (count.mul + 1, count.reduce + 1));
        Self(self.0.mul_scaled::<K>(other.0))
    }
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        note(|count| (count.mul, count.reduce) = (count.mul + 1, count.reduce + 1));
        Self(self.0.mul_loose::<K>(other.0))
    }
    fn square_scaled<const K: u64>(self) -> Self {
        note(|count| (count.square, count.reduce) = (count.square + 1, count.reduce + 1));
        Self(self.0.square_scaled::<K>())
    }
    fn minus_product(self, other: Self, magnitude: u64) -> Self::Product {
        note(|count| count.mul += 1);
        self.0.minus_product(other.0, magnitude)
    }
    fn minus_square<const K: u64>(self, magnitude: u64) -> Self::Product {
        note(|count| count.square += 1);
        self.0.minus_square::<K>(magnitude)
    }
    fn mul_plus(self, other: Self, product: Self::Product) -> Self {
        note(|count| (count.mul, count.reduce) = (count.mul + 1, count.reduce + 1));
        Self(self.0.mul_plus(other.0, product))
    }
    fn square_plus(self, product: Self::Product) -> Self {
        note(|count| (count.square, count.reduce) = (count.square + 1, count.reduce + 1));
        Self(self.0.square_plus(product))
    }
    fn normalize(self) -> Self {
        note(|count| count.normalize += 1);
        Self(self.0.normalize())
    }
    fn is_zero(self) -> Self::Mask {
        note(|count| count.normalize += 1);
        self.0.is_zero()
    }
    fn is_odd(self) -> Self::Mask {
        self.0.is_odd()
    }
    fn select(mask: Self::Mask, if_set: Self, if_clear: Self) -> Self {
        Self(F::select(mask, if_set.0, if_clear.0))
    }
    fn invert(self) -> Self {
        note(|count| count.invert += 1);
        Self(self.0.invert())
    }
}
