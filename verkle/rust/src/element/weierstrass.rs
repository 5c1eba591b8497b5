//! Bandersnatch as a short Weierstrass curve, y^2 = x^3 - 5 x + B, where the engine's sums are computed: its batched
//! affine additions cost 5M + 1S and read 64 bytes per point.
//!
//! With u = (1 + y) / (1 - y) of the Edwards point (x, y), and S the abscissa of the point of order two with u = 0:
//!
//! ```text
//! X = C u + S,   Y = C K u / x,   and back   x = K (X - S) / Y,   y = (X - S - C) / (X - S + C).
//! ```
//!
//! This is the map of [`super::subgroup`] with X scaled by a square, so that the coefficient of x is small. Curves with
//! complex multiplication by the square root of -2 are y^2 = x^3 - 30 k^2 x + 56 k^3, with S = 4 k; ours has
//! k^2 = 1 / 6.
//!
//! # Exceptional points
//!
//! Of the points of odd order only (0, 1), the neutral element, has x = 0 or y = 1, and it goes to infinity. Backwards,
//! Y = 0 only at points of order two. X = S - C would be u = -1, where B v^2 = A - 2 gives v^2 = d, which is no square;
//! there is no such point.

use super::{Element, edwards::Extended};
use crate::field::{Fe, Fp, invert_vartime, with_inverses};
use phalanx_engine::{
    curve::{Affine, Curve, Jacobian},
    field::{Field, FieldX1},
    lanes::{INFINITY, write_entry},
    word::CacheLine,
};

/// The factor C of u.
const C: [u64; 4] = [0x5bfe_ffff_fffe_0000, 0xec03_0002_7602_fffe, 0x8d51_ccce_7603_04d0, 0x0000_0000_0000_0000];

/// The factor K of the slope.
const K: [u64; 4] = [0x74db_f21b_f4f1_14c3, 0xc82a_b59c_8202_478d, 0x9e61_54af_a658_351d, 0x5de0_2874_3c24_ee31];

/// The abscissa S of the point of order two where u = 0.
pub(super) const S: [u64; 4] =
    [0x6a9e_dc6e_03fd_e856, 0x2fa6_b046_e8e8_c18b, 0x03ee_b860_0888_10cb, 0x7198_520f_a94f_c082];

/// Bandersnatch for the engine: the subgroup of odd order of y^2 = x^3 - 5 x + B.
#[derive(Clone, Copy, Debug)]
pub struct Bandersnatch;

impl Curve for Bandersnatch {
    type Field = Fp;
    const A: [u64; 4] = [0xffff_fffe_ffff_fffc, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];
    const B: [u64; 4] = [0xa372_ad02_b3fb_1e1c, 0x1d09_a89f_74cd_0b9c, 0x4d63_fe25_55f9_cc7a, 0x2132_c628_e27f_1bf4];
    const GENERATOR: [[u64; 4]; 2] = [
        [0xc0c6_2fee_b238_51f2, 0xbda0_6d91_4314_97fa, 0xef7b_d658_80f4_0901, 0x7052_d21b_e57b_04c2],
        [0x205a_69d0_b333_56f0, 0x431f_215e_4fec_1e7a, 0xf327_15a6_f1b2_9ce1, 0x528d_e5c8_1edc_36f5],
    ];
}

impl Extended<Fe> {
    /// X (Z - Y), by which [`Self::to_weierstrass_with`] divides, and one for the neutral element; and where that is.
    pub(super) fn weierstrass_denominator(&self) -> (Fe, bool) {
        let denominator = self.x.mul(self.z.difference(self.y, 1));
        let neutral = denominator.is_zero_vartime();
        (if neutral { Fe::one() } else { denominator }, neutral)
    }

    /// The affine point, given 1 / (X (Z - Y)): (C X (Z + Y) / (X (Z - Y)) + S, C K Z (Z + Y) / (X (Z - Y))).
    pub(super) fn to_weierstrass_with(self, inverse: Fe) -> Affine<Fe> {
        let share = self.z.add(self.y).carry().mul(Fe::constant(C)).mul(inverse); // 1, of 2
        let x = self.x.mul_add(share, Fe::constant(S));
        Affine { x, y: self.z.mul(share).mul(Fe::constant(K)) }
    }

    /// The affine point (X, Y) of a row: with W = X - S, (K W / Y, (W - C) / (W + C)).
    pub(super) fn from_affine_weierstrass(point: Affine<Fe>) -> Self {
        let w = point.x.difference(Fe::constant(S), 1).weaken();
        let c = Fe::constant(C);
        Self::from_fractions([w.mul(Fe::constant(K)), point.y], [w.difference(c, 1), w.add(c).carry()]) // 3, 2
    }

    /// The point of Jacobian coordinates: with W = X - S Z^2, (K W Z / Y, (W - C Z^2) / (W + C Z^2)).
    pub(super) fn from_weierstrass(point: Jacobian<Fe>) -> Self {
        let zz = point.z.square();
        let w = point.x.difference(zz.mul(Fe::constant(S)), 1).weaken();
        let czz = zz.mul(Fe::constant(C));
        let x = [w.mul(point.z).mul(Fe::constant(K)), point.y];
        let y = [w.difference(czz, 1), w.add(czz).carry()]; // 3, 2
        Self::select(point.is_infinity(), &Self::identity(), &Self::from_fractions(x, y))
    }
}

impl Element {
    /// Writes the points of elements as rows for the engine's sums over [`Bandersnatch`], the neutral element as
    /// infinity, with one inversion for 256. Variable time.
    ///
    /// # Panics
    /// If there are not as many rows as elements.
    pub fn write_rows(elements: &[Element], rows: &mut [CacheLine]) {
        let denominator = |element: &Element| element.0.weierstrass_denominator().0;
        with_inverses(elements, rows, invert_vartime, denominator, |element, inverse| {
            let neutral = element.0.weierstrass_denominator().1;
            if neutral { INFINITY } else { write_entry(&element.0.to_weierstrass_with(inverse).normalize()) }
        });
    }
}
