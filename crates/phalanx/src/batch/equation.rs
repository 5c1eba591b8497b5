//! The equation of a row, u G + v P - R = infinity, and the sum of many.

use super::{coefficients, search::Equations};
use crate::{PublicKey, Scalar, glv::Half, msm::Products};
use core::ops::Range;

/// The equation u G + v P - R = infinity of a key P and a nonce's point R.
pub(super) struct Equation {
    pub(super) u: Scalar,
    pub(super) v: Scalar,
    pub(super) key: PublicKey,
    pub(super) nonce: PublicKey,
}

/// The sum of the equations, each times its coefficient.
pub(super) struct Sum<'a> {
    pub(super) equations: &'a [Equation],
    pub(super) coefficients: &'a [Half],
}

impl Equations for Sum<'_> {
    fn count(&self) -> usize {
        self.equations.len()
    }

    fn random(&self, index: usize) -> u64 {
        self.coefficients[index].magnitude as u64
    }

    fn products(&self, rows: Range<usize>) -> Products<'static> {
        let mut products = Products::with_capacity(rows.len() + 1, rows.len());
        let mut generator = Scalar::ZERO;
        for (equation, a) in self.equations[rows.clone()].iter().zip(&self.coefficients[rows]) {
            let coefficient = coefficients::scalar(a);
            generator += coefficient * equation.u;
            products.push(&(coefficient * equation.v), &equation.key.entry());
            products.push_short(Half { neg: !a.neg, ..*a }, &equation.nonce.entry());
        }
        products.push(&generator, &PublicKey::GENERATOR.entry());
        products
    }
}
