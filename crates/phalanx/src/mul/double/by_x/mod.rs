//! The equation x(a P + b G) = r, under keys P of which x alone may be known: without a square root.
//!
//! a P is computed as the image of a point that may not exist ([`ImageByX`]), and the equation says which y the key has
//! to have. The engine's `curve::without_y` proves that a row which passes is valid. What does not pass is left open: a row
//! may be invalid, or one of those of which the equation says nothing.
//!
//! - a P = b G or a P = -b G, which whoever chooses key and scalars can bring about. **The equation then holds for every
//!   r**, and only its denominator, which is zero, tells.
//! - a P or b G at infinity, and sums by a tangent: likewise.
//! - b G whose two partial sums are equal or opposite. There is no chord between them, so no point to go on with. b is
//!   zero or one of two numbers then, whoever chose them.
//! - Void lanes. No row of theirs is known to be wrong, so no verdict may come of them.
//! - Rows for which the second x that reduces to r matters.
//!
//! The caller takes the root for rows that are left open, and adds b G by complete formulas.
//!
//! [`ImageByX`]: phalanx_engine::curve::ImageByX

mod eight_rows;
mod one_lane;

pub(crate) use eight_rows::{EquationsByX, leave_images, prove_rows_by_x};
pub(crate) use one_lane::{TermsByX, prove_by_x};
