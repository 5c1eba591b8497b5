//! Which points belong to the group, and which of an element's two points is the one of odd order.
//!
//! # The structure
//!
//! Bandersnatch has 4 r points, r an odd prime. Its points of order two are T = (0, -1) and two at infinity, because a,
//! d are no squares and a d is one: so the curve's group is Z/2 x Z/2 x Z/r. Adding T takes (x, y) to (-x, -y).
//! Banderwagon is {P, P + T : P of order r or 1} modulo T: an element has two points, of which one has odd order.
//!
//! # Two quadratic characters
//!
//! Bandersnatch is also the curve Y^2 = (X - e1) (X - e2) (X - e3), where T is (e1, 0): with u = (1 + y) / (1 - y),
//! which belongs to the Montgomery form B v^2 = u (u^2 + A u + 1), A = 2 (a + d) / (a - d), B = 4 / (a - d), take X = B
//! u, e1 = 0 and e2, e3 = B times the roots of u^2 + A u + 1. A point P with Y not 0 is twice a point, that is, of odd
//! order, if and only if each X - ei is a square (the complete 2-descent: Silverman, "The Arithmetic of Elliptic
//! Curves", proposition X.1.4). Their product is a square, so that two of them tell; each is a homomorphism to {1, -1}.
//!
//! - X - e1 = B u = 4 (1 - y^2) / ((a - d) (1 - y)^2). The curve's equation gives 1 - y^2 = x^2 (a - d y^2) and
//!   a - d y^2 = (a - d) / (1 - d x^2). So X - e1 is a square if and only if 1 - d x^2 is one; and so is 1 - a x^2 =
//!   y^2 (1 - d x^2). The character is the same at P and P + T: it is the test of **membership**.
//! - The roots of u^2 + A u + 1 are (+-2 s - a - d) / (a - d), s^2 = a d. With the upper sign,
//!   X - e2 = 8 (1 - y) ((a - s) + (s - d) y) / ((1 - y)^2 (a - d)^2), up to squares 2 (1 - y) ((a - s) + (s - d) y).
//!   At T this is 4 (a + d - 2 s), not a square. So of P and P + T exactly one has a square here: the character
//!   **normalises**.
//!
//! The second factor is zero at no point: y = (s - a) / (s - d) has y^2 = a / d, which is the y of infinity.
//! Both claims of what is a square are tested, against r times the point too.

use super::edwards::{D, MINUS_A};
use crate::field::{Fe, is_square_vartime};
use phalanx_engine::field::Field;

/// A square root s of a d.
const SQRT_AD: [u64; 4] = [0x59b4_f97a_8c46_ac76, 0x65b3_33b8_bbf2_a7c9, 0xe337_1dfc_35f1_db6c, 0x31c4_e093_19e1_33e5];

/// Whether a point of the curve with this x belongs to the group. Its point (-x, -y) does if it does.
pub(super) fn is_member_vartime(x: Fe) -> bool {
    // 1 - a x^2.
    is_square_vartime(Fe::one().add(x.square().scale(MINUS_A)))
}

/// Whether a point with this y that belongs to the group has odd order. Its point (-x, -y) does if it does not.
pub(super) fn has_odd_order_vartime(y: Fe) -> bool {
    let (s, d) = (Fe::constant(SQRT_AD), Fe::constant(D));
    let minus_a = Fe::constant([MINUS_A, 0, 0, 0]);
    let factor = s.difference(d, 1).mul_add(y, s.add(minus_a).negate(2)); // 1, of 3, addend 3
    let other = Fe::one().difference(y, 1); // 3
    // Zero where y = 1: the neutral element.
    is_square_vartime(other.mul_scaled::<2>(factor)) // 1, of 2 times 3
}
