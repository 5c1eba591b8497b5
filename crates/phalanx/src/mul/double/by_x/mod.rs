//! The equation x(a P + b G) = r, under keys P of which x alone may be known: without a square root.
//!
//! a P is computed as the image of a point that may not exist ([`ImageByX`]), and the equation gives the y that the
//! key must have. The engine's `curve::without_y` proves that a row which passes is valid. What does not pass is left
//! open: a row may be invalid, or one of those of which the equation says nothing.
//!
//! - a P = b G or a P = -b G, which whoever chooses key and scalars can bring about. **The equation then holds for every
//!   r**, and only its zero denominator shows it.
//! - a P at infinity: the denominator is zero too.
//! - b G whose two partial sums are equal or opposite. There is no chord between them, so no point to go on with: what
//!   stands there is a point off the curve that anybody can compute, and make an equation hold with. Only three b do this:
//!   0, t and -t.
//! - Void lanes. a P is arbitrary there, and anybody can compute it, so a row may be taken neither for valid nor for
//!   wrong.
//! - Rows for which the second x that reduces to r matters.
//!
//! The caller takes the root for rows that are left open, and adds b G by complete formulas.
//!
//! [`ImageByX`]: phalanx_engine::curve::ImageByX

mod eight_rows;
mod one_lane;

pub(crate) use eight_rows::{EquationsByX, leave_images, prove_rows_by_x};
pub(crate) use one_lane::{TermsByX, prove_by_x};
