//! Points of short Weierstrass curves y^2 = x^3 + A x + B, and the only copy of the point formulas.
//!
//! - [`Affine`] and [`Jacobian`]: points over any [`crate::field::Field`], one lane or eight;
//! - [`Curve`]: the constants of one curve, and [`GlvCurve`]: its endomorphism;
//! - `coefficient`: the operations of formulas that depend on a curve's A;
//! - [`RowModel`]: the model of a curve on which one lane adds points of rows;
//! - `one_lane`: complete additions in one lane, as calls of functions;
//! - `vartime`: sums of any points in one lane;
//! - [`ImageByX`] and [`SumEquation`]: a point by its x, and the y that an equation asks for.
//!
//! A formula never branches on values. A formula that is not valid for some inputs says so, and returns a value that
//! tells these inputs apart. [`Jacobian::add_mixed_complete`] and [`Jacobian::add_complete`] are valid for all inputs
//! and serve secrets.
//!
//! Additions do not need the curve. Doublings, and additions that may have to double, need its A. The form whose name
//! ends in `_on` takes the curve as a parameter; the short form is for A = 0. For a curve with A = 0 both forms compile
//! to the same code.
//!
//! # Points of order two
//!
//! The order of a curve may be even. Then some points have y = 0. They double to infinity, and a row of a table cannot
//! tell them from infinity. So every point must be in a subgroup of odd order, where no finite point has y = 0. Code
//! that takes points from outside checks that.

mod affine;
mod coefficient;
mod jacobian;
mod one_lane;
mod row_model;
mod vartime;
mod without_y;

pub use affine::Affine;
pub use jacobian::Jacobian;
pub use row_model::RowModel;
pub use without_y::{AskedOfY, ImageByX, SumEquation};

use crate::field::BaseField;

/// The constants of a curve y^2 = x^3 + A x + B over a prime field, and of a subgroup of odd order, in which no finite
/// point has y = 0. Words are those of canonical numbers, least significant first.
pub trait Curve: Copy + 'static {
    /// The field of the coordinates.
    type Field: BaseField;
    /// The A of y^2 = x^3 + A x + B. What is between -6 and 6 costs additions only.
    const A: [u64; 4] = [0; 4];
    /// The B of y^2 = x^3 + A x + B.
    const B: [u64; 4];
    /// The coordinates of the generator of the subgroup.
    const GENERATOR: [[u64; 4]; 2];
}

/// A curve whose endomorphism is made use of: Gallant, Lambert and Vanstone, CRYPTO 2001.
pub trait GlvCurve: Curve {
    /// A cube root of one modulo p: (x, y) -> (BETA x, y) is an endomorphism.
    const BETA: [u64; 4];
}
