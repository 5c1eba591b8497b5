//! Points of short Weierstrass curves y^2 = x^3 + B, and the only copy of the point formulas.
//!
//! - [`Affine`] and [`Jacobian`]: points over any [`crate::field::Field`], one lane or eight;
//! - [`Curve`]: the constants of one curve, and [`GlvCurve`]: its endomorphism;
//! - `vartime`: sums of points in one lane, whatever they are.
//!
//! A formula never branches on values. Where it is not valid for some inputs it says so and returns what tells them
//! apart; [`Jacobian::add_mixed_complete`] and [`Jacobian::add_complete`] are valid for all inputs and serve secrets.

mod affine;
mod jacobian;
mod vartime;

pub use affine::Affine;
pub use jacobian::Jacobian;

use crate::field::BaseField;

/// The constants of a curve y^2 = x^3 + B over a prime field, of a group of odd order, in which no point has y = 0.
pub trait Curve: Copy + 'static {
    /// The field of the coordinates.
    type Field: BaseField;
    /// The B of y^2 = x^3 + B.
    const B: u64;
    /// The coordinates of the generator, as canonical 64-bit words.
    const GENERATOR: [[u64; 4]; 2];
}

/// A curve whose endomorphism is made use of: Gallant, Lambert and Vanstone, CRYPTO 2001.
pub trait GlvCurve: Curve {
    /// A cube root of one modulo p: (x, y) -> (BETA x, y) is an endomorphism.
    const BETA: [u64; 4];
}
