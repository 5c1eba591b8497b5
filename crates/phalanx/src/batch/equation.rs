//! The equation of a row, u G + v P - R = infinity, and the sum of many.

use super::coefficients::{self, Coefficients};
use crate::{
    PublicKey, Scalar,
    glv::Half,
    msm::{FinitePoints, Products},
    tables::Entry,
};
use core::ops::Range;
use phalanx_engine::arena::{Arena, List};

/// The equation u G + v P - R = infinity of a key P and a nonce's point R.
#[derive(Clone, Copy)]
pub(super) struct Equation {
    pub(super) u: Scalar,
    pub(super) v: Scalar,
    pub(super) key: PublicKey,
    pub(super) nonce: PublicKey,
}

/// The sum of equations, each times its coefficient, and room for the products that it is made of.
pub(super) struct Equations<'m> {
    equations: List<'m, Equation>,
    coefficients: List<'m, Half>,
    scalars: List<'m, Scalar>,
    points: List<'m, Entry>,
    short: List<'m, Half>,
    short_points: List<'m, Entry>,
}

impl<'m> Equations<'m> {
    /// None yet, with room for so many.
    pub(super) fn with_room(count: usize, arena: &mut Arena<'m, '_>) -> Self {
        Equations {
            equations: arena.list(count),
            coefficients: arena.list(count),
            scalars: arena.list(count + 1),
            points: arena.list(count + 1),
            short: arena.list(count),
            short_points: arena.list(count),
        }
    }

    pub(super) fn push(&mut self, equation: Equation) {
        self.equations.push(equation);
    }

    /// Takes a coefficient for each equation.
    pub(super) fn draw(&mut self, coefficients: &Coefficients) {
        coefficients.take(self.equations.len(), |number| self.coefficients.push(number));
        assert_eq!(self.coefficients.len(), self.equations.len(), "a coefficient for each equation");
    }

    pub(super) fn as_slice(&self) -> &[Equation] {
        &self.equations
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Equation] {
        &mut self.equations
    }

    /// A number that nobody could know when the rows were chosen.
    pub(super) fn random(&self, index: usize) -> u64 {
        self.coefficients[index].magnitude as u64
    }

    /// The products whose sum is infinity if the equations of these rows hold.
    pub(super) fn products(&mut self, rows: Range<usize>) -> Products<'_> {
        let Equations { equations, coefficients, scalars, points, short, short_points } = self;
        scalars.clear();
        points.clear();
        short.clear();
        short_points.clear();
        let mut generator = Scalar::ZERO;
        for (equation, a) in equations[rows.clone()].iter().zip(&coefficients[rows]) {
            let coefficient = coefficients::scalar(a);
            generator += coefficient * equation.u;
            scalars.push(coefficient * equation.v);
            points.push(equation.key.entry());
            short.push(Half { neg: !a.neg, ..*a });
            short_points.push(equation.nonce.entry());
        }
        scalars.push(generator);
        points.push(PublicKey::GENERATOR.entry());
        Products { scalars, points: FinitePoints::Entries(points), short, short_points }
    }
}
