//! secp256k1 as a group: its points, their conversions to and from coordinates, and the operations of a group that the
//! equations of the signature schemes need.
//!
//! The room uses `field`, `glv`, `scalar` and `tables`.

#[cfg(test)]
mod exhaustive;
#[cfg(test)]
pub(crate) mod tiny;
#[cfg(test)]
pub(crate) mod twist;

use crate::{
    FieldElement, Scalar,
    arithmetic::batch_invert,
    field::{P256k1, invert, invert_vartime, root_candidate},
    glv::{BETA, Half, split},
    tables::{Entry, G_ODD_WNAF_13, G_ODD_WNAF_WIDTH},
    wipe::Zero,
};
use core::ops::{Mul, Neg};
use phalanx_engine::{
    curve::{self, Curve, GlvCurve},
    field::{BaseField, Field, PseudoMersenne},
    lanes::{read_entry, write_entry},
    limbs,
    word::Mask,
};

/// The field of the coordinates, in one lane and in eight.
pub(crate) type Coordinates = PseudoMersenne<P256k1>;
/// An element of the coordinates' field, as point formulas use it.
pub(crate) type Fe = <Coordinates as BaseField>::X1;
/// A finite point.
pub(crate) type Affine = curve::Affine<Fe>;
/// A point or infinity.
pub(crate) type Jacobian = curve::Jacobian<Fe>;

impl Zero for Affine {
    const ZERO: Self = curve::Affine { x: Fe::from_words([0; 4]), y: Fe::from_words([0; 4]) };
}

impl Zero for Jacobian {
    const ZERO: Self =
        curve::Jacobian { x: Fe::from_words([0; 4]), y: Fe::from_words([0; 4]), z: Fe::from_words([0; 4]) };
}

/// The curve y^2 = x^3 + 7 with the generator of SEC 2, section 2.4.1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Secp256k1;

impl Curve for Secp256k1 {
    type Field = Coordinates;
    const B: [u64; 4] = [7, 0, 0, 0];
    const GENERATOR: [[u64; 4]; 2] = [
        [0x59f2_815b_16f8_1798, 0x029b_fcdb_2dce_28d9, 0x55a0_6295_ce87_0b07, 0x79be_667e_f9dc_bbac],
        [0x9c47_d08f_fb10_d4b8, 0xfd17_b448_a685_5419, 0x5da4_fbfc_0e11_08a8, 0x483a_da77_26a3_c465],
    ];
}

impl GlvCurve for Secp256k1 {
    const BETA: [u64; 4] = BETA;
}

/// A curve over secp256k1's field with the scalars of its group: what the equations of the schemes are generic over, so
/// that groups small enough to try every case run the same code.
pub(crate) trait Group: GlvCurve<Field = Coordinates> {
    /// Integers modulo the order of the generator.
    type Scalar: Copy + Mul<Output = Self::Scalar> + Neg<Output = Self::Scalar>;

    /// Width of the non-adjacent form of a point's digits: the point's order is above 2^width.
    const POINT_WIDTH: u32;
    /// Width of the non-adjacent form of the generator's digits.
    const GENERATOR_WIDTH: u32;

    /// Integers k1, k2 with k = k1 + k2 lambda, where lambda P is (BETA x, y).
    fn halves(k: &Self::Scalar) -> [Half; 2];

    /// Integers k0, k1 with k = k0 + 2^128 k1.
    fn low_high(k: &Self::Scalar) -> [u128; 2];

    /// (2 index + 1) G for table 0, (2 index + 1) 2^128 G for table 1.
    fn generator_odd_multiple(table: usize, index: usize) -> Affine;

    /// Whether the point is finite and its x coordinate, modulo the group order, is r. Variable time.
    fn x_reduces_to_vartime(point: &Jacobian, r: &Self::Scalar) -> bool;
}

impl Group for Secp256k1 {
    type Scalar = Scalar;

    const POINT_WIDTH: u32 = 5;
    const GENERATOR_WIDTH: u32 = G_ODD_WNAF_WIDTH;

    #[inline(always)]
    fn halves(k: &Scalar) -> [Half; 2] {
        split(k).into()
    }

    #[inline(always)]
    fn low_high(k: &Scalar) -> [u128; 2] {
        let [a, b, c, d] = k.limbs().map(u128::from);
        [b << 64 | a, d << 64 | c]
    }

    #[inline(always)]
    fn generator_odd_multiple(table: usize, index: usize) -> Affine {
        affine(&G_ODD_WNAF_13[table * (G_ODD_WNAF_13.len() / 2) + index])
    }

    /// The x below p that reduce to r are r itself and, where it is below p, r + n. Comparing r Z^2 with X spares the
    /// inversion.
    fn x_reduces_to_vartime(point: &Jacobian, r: &Scalar) -> bool {
        let zz = point.z.square();
        let is_x = |x: [u64; 4]| Fe::from_words(x).mul(zz).equals(point.x).any();
        if point.z.is_zero_vartime() {
            return false;
        }
        is_x(r.limbs()) || above_order(r).is_some_and(is_x)
    }
}

/// The point of a table's entry.
#[inline(always)]
pub(crate) fn affine(entry: &Entry) -> Affine {
    read_entry(entry)
}

/// The entry of a normalised point.
#[inline(always)]
pub(crate) fn entry(point: &Affine) -> Entry {
    write_entry(point)
}

/// r + n, where that is below p: the other x coordinate that reduces to r.
pub(crate) fn above_order(r: &Scalar) -> Option<[u64; 4]> {
    let (sum, carry) = limbs::add(&r.limbs(), &Scalar::ORDER);
    if carry { None } else { FieldElement::from_limbs(sum).map(|x| x.limbs()) }
}

/// The affine form of a point that the caller knows to be finite; (0, 0) for infinity. Constant time.
pub(crate) fn to_affine(point: &Jacobian) -> Affine {
    point.to_affine_with(invert(point.z)).normalize()
}

/// The affine form, none for infinity. Variable time.
pub(crate) fn to_affine_vartime(point: &Jacobian) -> Option<Affine> {
    (!point.z.is_zero_vartime()).then(|| point.to_affine_with(invert_vartime(point.z)).normalize())
}

/// The affine forms of points, (0, 0) for infinity, by shared inversions. Constant time.
pub(crate) fn to_affine_batch<'a>(
    points: &'a [Jacobian],
    inverses: &'a mut [FieldElement],
) -> impl Iterator<Item = Affine> {
    for (inverse, point) in inverses.iter_mut().zip(points) {
        *inverse = FieldElement::from_fe(point.z);
    }
    batch_invert(inverses);
    points.iter().zip(inverses).map(|(point, inverse)| point.to_affine_with(inverse.to_fe()).normalize())
}

/// The point with these coordinates, none if they are not below p or not on the curve. Variable time.
pub(crate) fn from_coordinates_vartime(x: [u64; 4], y: [u64; 4]) -> Option<Affine> {
    let [x, y] = [FieldElement::from_limbs(x)?, FieldElement::from_limbs(y)?].map(FieldElement::to_fe);
    let point = Affine { x, y };
    point.is_on_curve::<Secp256k1>().any().then_some(point)
}

/// The point with this x and a y of this parity, none if x is not below p or no point has it. Variable time.
pub(crate) fn lift_x_vartime(x: [u64; 4], odd: bool) -> Option<Affine> {
    let x = FieldElement::from_limbs(x)?.to_fe();
    let square = Affine::curve_side::<Secp256k1>(x);
    let y = root_candidate(square);
    // No point of the group has y = 0, so a root and its negative differ in parity.
    y.square().equals(square).any().then(|| {
        let y = y.normalize();
        let y = if y.is_odd().any() == odd { y } else { y.negate(1).normalize() };
        Affine { x, y }
    })
}
