//! Points of Bandersnatch as a twisted Edwards curve, a x^2 + y^2 = 1 + d x^2 y^2 with a = -5, in extended coordinates:
//! (X : Y : Z : T) stands for (X / Z, Y / Z), and X Y = Z T.
//!
//! Source: Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited", ASIACRYPT 2008, sections 3.1 and 3.3.
//!
//! # No exceptional case
//!
//! The addition law divides by 1 + m and 1 - m, for m = d x1 x2 y1 y2 of two points P1 and P2. Suppose that one of them
//! is zero, so that m^2 = 1. Then no coordinate is zero, and the equations of both points give the product and the sum
//! of a x2^2 and y2^2: a / (d x1 y1)^2 and 1 + 1 / (d x1^2 y1^2). Of two numbers with that product and sum, a x2^2 is
//! the one that is not a square, because a is none. So x2^2 and y2^2 are fixed, and P2 is one of four points. Four such
//! points are known: W + P1 and W - P1 for the two points W at infinity, because adding W takes (x, y) to (1 / (s x),
//! (s / d) / y) for a square root s of a d. A point W has order two, and so one of P2 - P1 and P2 + P1 has order two.
//! Points of odd order have no such difference and no such sum.
//!
//! Here every point has odd order (see [`super`]), so that additions, doublings included, need no test.
//!
//! Coordinates in and out of every formula are carried and of magnitude 1; a number at the end of a line is a
//! magnitude.

use phalanx_engine::{field::Field, word::Mask};

/// -a.
pub(super) const MINUS_A: u64 = 5;

/// d.
pub(super) const D: [u64; 4] =
    [0xb369_f2f5_188d_58e7, 0xcb66_6771_77e5_4f92, 0xc66e_3bf8_6be3_b6d8, 0x6389_c126_33c2_67cb];

/// The generator of the group of odd order: x, y.
const GENERATOR: [[u64; 4]; 2] = [
    [0xe1e7_1866_a252_ae18, 0x2b79_c022_ad99_8465, 0x7437_1177_7bbe_42f3, 0x29c1_32cc_2c0b_34c5],
    [0x5e31_67b6_cc97_4166, 0x358c_ad81_eee4_6460, 0x157d_8b50_badc_d586, 0x2a6c_669e_da12_3e0f],
];

/// A point of odd order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extended<F> {
    pub(super) x: F,
    pub(super) y: F,
    pub(super) z: F,
    pub(super) t: F,
}

/// A point of odd order prepared to be added: T is multiplied by d.
#[derive(Clone, Copy, Debug)]
pub(super) struct Addend<F>(Extended<F>);

impl<F: Field> Extended<F> {
    /// The point (0, 1).
    pub(super) fn identity() -> Self {
        Self { x: F::zero(), y: F::one(), z: F::one(), t: F::zero() }
    }

    /// The generator.
    pub(super) fn generator() -> Self {
        let [x, y] = GENERATOR.map(F::constant);
        Self::from_affine(x, y)
    }

    /// The point (x, y). 1M.
    pub(super) fn from_affine(x: F, y: F) -> Self {
        Self { x, y, z: F::one(), t: x.mul(y) }
    }

    /// The point (X / U, Y / V). 4M.
    pub(super) fn from_fractions([x, u]: [F; 2], [y, v]: [F; 2]) -> Self {
        Self { x: x.mul(v), y: y.mul(u), z: u.mul(v), t: x.mul(y) }
    }

    /// The same point, ready to be added. 1M.
    pub(super) fn to_addend(self) -> Addend<F> {
        Addend(Self { t: self.t.mul(F::constant(D)), ..self })
    }

    /// The sum. 8M.
    ///
    /// With A = X1 X2, B = Y1 Y2, C = d T1 T2, D = Z1 Z2, E = (X1 + Y1) (X2 + Y2) - A - B, F = D - C, G = D + C and
    /// H = B - a A: (E F, G H, F G, E H).
    pub(super) fn add(self, Addend(other): &Addend<F>) -> Self {
        let (a, b) = (self.x.mul(other.x), self.y.mul(other.y));
        let (c, d) = (self.t.mul(other.t), self.z.mul(other.z));
        let sums = [self.x.add(self.y).carry(), other.x.add(other.y).carry()]; // 2
        let e = sums[0].mul_add(sums[1], a.add(b).negate(2)); // 1, addend 3
        let f = d.difference(c, 1); // 3
        let g = d.add(c).carry(); // 2
        let h = b.add(a.scale(MINUS_A)).carry(); // 6
        Self { x: e.mul(f), y: h.mul(g), z: f.mul(g), t: h.mul(e) }
    }

    /// Twice the point. 5M + 3S.
    ///
    /// With A = X^2, B = Y^2 and, all of them negated, E = 2 X Y, G = a A + B, F = G - 2 Z^2, H = a A - B: (E F, G H,
    /// F G, E H). The signs cancel in each product.
    pub(super) fn double(self) -> Self {
        let (a, b) = (self.x.square(), self.y.square());
        let minus_aa = a.scale(MINUS_A); // 5
        let e = self.x.negate(1).carry().mul_scaled::<2>(self.y); // 1, of 2 times 2
        let g = minus_aa.sub(b, 1).weaken(); // 1, of 7
        let f = self.z.square_scaled::<2>().add(g).carry(); // 3
        let h = minus_aa.add(b).carry(); // 6
        Self { x: e.mul(f), y: h.mul(g), z: f.mul(g), t: h.mul(e) }
    }

    /// The negated point.
    pub(super) fn negate(self) -> Self {
        Self { x: self.x.negate(1).weaken(), t: self.t.negate(1).weaken(), ..self }
    }

    /// `if_set` in the lanes of the mask, `if_clear` elsewhere.
    pub(super) fn select(mask: F::Mask, if_set: &Self, if_clear: &Self) -> Self {
        Self {
            x: F::select(mask, if_set.x, if_clear.x),
            y: F::select(mask, if_set.y, if_clear.y),
            z: F::select(mask, if_set.z, if_clear.z),
            t: F::select(mask, if_set.t, if_clear.t),
        }
    }

    /// Whether the two are the same point: x1 y2 = x2 y1. No point has y = 0, because a is not a square. Where
    /// x / y = k, y^2 is a root of d k^2 Q^2 - (a k^2 + 1) Q + 1; the product of both roots is 1 / (d k^2), not a
    /// square, so that one root at most is y^2 for some y. It belongs to (x, y) and (-x, -y), of which one has even
    /// order. The tuple of zeroes is no point and is equal to nothing.
    pub(super) fn equals(&self, other: &Self) -> F::Mask {
        let same = self.x.mul(other.y).equals(other.x.mul(self.y));
        let points = self.y.is_zero().or(other.y.is_zero()).not();
        same.and(points)
    }
}

impl<F: Field> Addend<F> {
    /// The point (0, 1).
    pub(super) fn identity() -> Self {
        Self(Extended::identity())
    }

    /// The negated point.
    pub(super) fn negate(self) -> Self {
        Self(self.0.negate())
    }

    /// `if_set` in the lanes of the mask, `if_clear` elsewhere.
    pub(super) fn select(mask: F::Mask, if_set: &Self, if_clear: &Self) -> Self {
        Self(Extended::select(mask, &if_set.0, &if_clear.0))
    }
}
