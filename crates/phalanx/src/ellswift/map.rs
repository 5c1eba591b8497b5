//! The map of BIP-324 (`XSwiftEC`) from a pair (u, t) to the x of a point, and its inverse (`XSwiftECInv`). Variable
//! time.
//!
//! With X = (u^3 + 7 - t^2) / (2 t) and Y = (X + t) / (c u), where c is a root of -3, the BIP takes the first of
//!
//! ```text
//! x3 = u + 4 Y^2,    x2 = (-X / Y - u) / 2,    x1 = (X / Y - u) / 2
//! ```
//!
//! that is the x of a point; one is (Chavez-Saab, Rodriguez-Henriquez and Tibouchi, "SwiftEC", 2022). Write s = t^2,
//! g = u^3 + 7 and h = g + s. Then 2 t X = g - s and 2 t (X + t) = h, so that
//!
//! ```text
//! 4 Y^2 = -h^2 / (3 s u^2),    X / Y = c u (g - s) / h
//! ```
//!
//! and with the cube roots of one BETA = (-c - 1) / 2 and BETA^2 = (c - 1) / 2
//!
//! ```text
//! x3 = (3 s u^3 - h^2) / (3 s u^2),    x2 = u (BETA^2 s + BETA g) / h,    x1 = -(x2 + u)
//! ```
//!
//! Neither X nor Y has to be computed, and the division can wait.

use crate::{
    FieldElement,
    glv::BETA,
    group::{Affine, Secp256k1},
};
use phalanx_engine::field::Field;

/// (-c - 1) / 2 for the c of the BIP.
const OMEGA: FieldElement = FieldElement::from_canonical(BETA);
/// The 7 of the curve.
const SEVEN: FieldElement = FieldElement::from_u128(7);
/// 1/2 modulo p: (p + 1) / 2.
const HALF: FieldElement =
    FieldElement::from_hex_const("7fffffffffffffffffffffffffffffffffffffffffffffffffffffff7ffffe18");

/// A number as a fraction.
pub(super) struct Fraction {
    pub(super) numerator: FieldElement,
    /// Not zero.
    pub(super) denominator: FieldElement,
}

impl Fraction {
    /// The number.
    pub(super) fn quotient_vartime(&self) -> FieldElement {
        self.numerator * self.denominator.invert_vartime().unwrap_or_default()
    }

    /// n^3 + 7 d^3 for the number n / d. Its product with d is d^4 times the square of y, if there is a y.
    pub(super) fn curve_side(&self) -> FieldElement {
        let Fraction { numerator: n, denominator: d } = self;
        n.square() * n + times(&(d.square() * d), 7)
    }

    /// Whether the number is the x of a point. No point has y = 0.
    fn is_on_curve(&self) -> bool {
        (self.curve_side() * self.denominator).is_square_vartime()
    }
}

/// The product with a small number.
fn times(x: &FieldElement, factor: u64) -> FieldElement {
    FieldElement::from_fe(x.to_fe().scale(factor))
}

fn is_zero(x: &FieldElement) -> bool {
    x.limbs() == [0; 4]
}

/// The x that a pair stands for.
pub(super) fn decode(u: &FieldElement, t: &FieldElement) -> Fraction {
    let u = if is_zero(u) { FieldElement::ONE } else { *u };
    let mut s = if is_zero(t) { FieldElement::ONE } else { t.square() };
    let square = u.square();
    let g = square * u + SEVEN;
    if is_zero(&(g + s)) {
        // The BIP doubles t.
        s = times(&s, 4);
    }
    let h = g + s;
    let denominator = times(&(s * square), 3);
    let x3 = Fraction { numerator: denominator * u - h.square(), denominator };
    if x3.is_on_curve() {
        return x3;
    }
    // BETA^2 = -1 - BETA.
    let x2 = Fraction { numerator: u * (OMEGA * (g - s) - s), denominator: h };
    if x2.is_on_curve() {
        return x2;
    }
    Fraction { numerator: -(x2.numerator + u * h), denominator: h }
}

/// The t that makes the pair (u, t) stand for x by one of the eight ways, none where that way has none. The x is that of
/// a point.
///
/// Bit 1 of `case` chooses between x3 and the two others, bit 0 between x2 and x1 or between two roots, bit 2 the sign
/// of t. Not for u = 0, which stands for 1.
pub(super) fn preimage(x: &FieldElement, u: &FieldElement, case: u8) -> Option<FieldElement> {
    if is_zero(u) {
        return None;
    }
    let g = u.square() * u + SEVEN;
    let (v, s) = if case & 2 == 0 {
        // The map prefers x3, which is -x - u here.
        let other = -(x + u);
        if FieldElement::from_fe(Affine::curve_side::<Secp256k1>(other.to_fe())).is_square_vartime() {
            return None;
        }
        // Not zero: else x^3 = other^3, and other would be on the curve as x is.
        let denominator = u * x - other.square();
        if !(g * denominator).is_square_vartime() {
            return None;
        }
        (*x, g * denominator.invert_vartime()?)
    } else {
        let s = x - u;
        if !s.is_square_vartime() {
            return None;
        }
        let square = -(s * (times(&g, 4) + times(&(s * u.square()), 3)));
        if !square.is_square_vartime() {
            return None;
        }
        let root = Option::<FieldElement>::from(square.sqrt())?;
        if case & 1 == 1 && is_zero(&root) {
            return None;
        }
        ((root * s.invert_vartime()? - u) * HALF, s)
    };
    let w = Option::<FieldElement>::from(s.sqrt())?;
    // (1 - c) / 2 = 1 + OMEGA, and (1 + c) / 2 = -OMEGA.
    let t = if case & 1 == 0 { -(w * (OMEGA * u + u + v)) } else { w * (v - OMEGA * u) };
    Some(if case & 4 == 0 { t } else { -t })
}
