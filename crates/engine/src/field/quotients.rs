//! Many divisions for one inversion (Montgomery's trick), split so that the caller inverts.
//!
//! [`multiply_up`] multiplies the denominators together, the caller inverts two products, and [`divide_down`] hands each
//! division its denominator's inverse: three multiplications a division. There are two products, of the even and of the odd
//! divisions, because one multiplication after another would leave a machine half idle.

use super::Field;

/// Divisions whose denominators are not zero. Index by index, in memory that the implementor chooses.
///
/// Implementors mark everything `#[inline(always)]`.
pub trait Divisions<F: Field> {
    /// What a division starts from.
    type Operands: Copy;

    /// The number of divisions.
    fn count(&self) -> usize;
    /// What division `index` starts from. Asked for twice, and the second time not after any of a lower index was finished.
    fn operands(&self, index: usize) -> Self::Operands;
    /// The denominator: ready to be a factor, and not zero in any lane, or every division of that lane goes wrong.
    fn denominator(operands: &Self::Operands) -> F;
    /// Keeps a number for later.
    fn keep(&mut self, index: usize, product: F);
    /// The number kept.
    fn kept(&self, index: usize) -> F;
    /// Takes the inverse of the denominator; what was kept at `index` is no longer needed.
    fn finish(&mut self, index: usize, operands: Self::Operands, inverse: F);
}

/// The product of the denominators of each second division up to the last but one, and up to the last.
#[inline(always)]
pub fn multiply_up<F: Field, D: Divisions<F>>(divisions: &mut D) -> [F; 2] {
    let [mut other, mut product] = [F::one(), F::one()];
    for index in 0..divisions.count() {
        let denominator = D::denominator(&divisions.operands(index));
        divisions.keep(index, other);
        (other, product) = (product, other.mul(denominator));
    }
    [other, product]
}

/// Finishes all divisions, last to first, given the inverses of the two products.
#[inline(always)]
pub fn divide_down<F: Field, D: Divisions<F>>(divisions: &mut D, inverses: [F; 2]) {
    let [mut other, mut inverse] = inverses;
    for index in (0..divisions.count()).rev() {
        let operands = divisions.operands(index);
        let own = inverse.mul(divisions.kept(index));
        (inverse, other) = (other, inverse.mul(D::denominator(&operands)));
        divisions.finish(index, operands, own);
    }
}
