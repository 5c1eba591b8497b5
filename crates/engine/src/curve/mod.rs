//! Points of short Weierstrass curves y^2 = x^3 + B, and the only copy of the point formulas.
//!
//! - [`Affine`] and [`Jacobian`]: points over any [`crate::field::Field`], one lane or eight;
//! - [`Curve`]: the constants of one curve.
//!
//! A formula never branches on values. Where it is not valid for some inputs it says so and returns what tells them apart;
//! [`Jacobian::add_mixed_complete`] and [`Jacobian::add_complete`] are valid for all inputs and serve secrets.

mod affine;
mod jacobian;

pub use affine::Affine;
pub use jacobian::Jacobian;

use crate::field::Prime;

/// The constants of a curve y^2 = x^3 + B over a prime field.
pub trait Curve: Copy + 'static {
    /// The modulus of the coordinates.
    type Prime: Prime;
    /// The B of y^2 = x^3 + B.
    const B: u64;
    /// A cube root of one modulo p: (x, y) -> (BETA x, y) is an endomorphism.
    const BETA: [u64; 4];
    /// The coordinates of the generator, as canonical 64-bit words.
    const GENERATOR: [[u64; 4]; 2];
}
