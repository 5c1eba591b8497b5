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
    /// What division `index` starts from. Asked for at most twice, and the second time not after any of a lower index was finished.
    fn operands(&self, index: usize) -> Self::Operands;
    /// The denominator: ready to be a factor, and not zero in any lane, or every division of that lane goes wrong.
    fn denominator(operands: &Self::Operands) -> F;
    /// The denominator of division `index`, when it is asked for the first time.
    #[inline(always)]
    fn first_denominator(&self, index: usize) -> F {
        Self::denominator(&self.operands(index))
    }
    /// Keeps a number for later.
    fn keep(&mut self, index: usize, product: F);
    /// The number kept.
    fn kept(&self, index: usize) -> F;
    /// Takes the inverse of the denominator; what was kept at `index` is no longer needed.
    fn finish(&mut self, index: usize, operands: Self::Operands, inverse: F);
    /// Finishes two divisions, the one of the higher index first: as two chains in flight where [`super::Twice`] can say so.
    #[inline(always)]
    fn finish_two(&mut self, indices: [usize; 2], operands: [Self::Operands; 2], inverses: [F; 2]) {
        self.finish(indices[0], operands[0], inverses[0]);
        self.finish(indices[1], operands[1], inverses[1]);
    }
}

/// The product of the denominators of each second division up to the last but one, and up to the last.
#[inline(always)]
pub fn multiply_up<F: Field, D: Divisions<F>>(divisions: &mut D) -> [F; 2] {
    let [mut other, mut product] = [F::one(), F::one()];
    for index in 0..divisions.count() {
        let denominator = divisions.first_denominator(index);
        divisions.keep(index, other);
        (other, product) = (product, other.mul(denominator));
    }
    [other, product]
}

/// Finishes all divisions, last to first and two at a time, given the inverses of the two products.
#[inline(always)]
pub fn divide_down<F: Field, D: Divisions<F>>(divisions: &mut D, inverses: [F; 2]) {
    let [mut other, mut inverse] = inverses;
    let mut count = divisions.count();
    while count >= 2 {
        let indices = [count - 1, count - 2];
        let operands = [divisions.operands(indices[0]), divisions.operands(indices[1])];
        let own = [inverse.mul(divisions.kept(indices[0])), other.mul(divisions.kept(indices[1]))];
        inverse = inverse.mul(D::denominator(&operands[0]));
        other = other.mul(D::denominator(&operands[1]));
        divisions.finish_two(indices, operands, own);
        count -= 2;
    }
    if count == 1 {
        let own = inverse.mul(divisions.kept(0));
        divisions.finish(0, divisions.operands(0), own);
    }
}
