//! secp256k1 as a group: its points, how they come from and go to coordinates, and what the equations of the signature
//! schemes ask of any group.
//!
//! Looks at `field`, `glv` and `scalar`.

#[cfg(test)]
pub(crate) mod tiny;

use crate::{
    FieldElement, Scalar,
    field::{P256k1, invert, invert_vartime, root_candidate},
    glv::BETA,
};
use core::ops::{Mul, Neg};
use phalanx_engine::{
    curve::{self, Curve},
    field::{self, Field},
    word::Mask,
};

/// An element of the coordinates' field, as point formulas use it.
pub(crate) type Fe = field::Fe<P256k1>;
/// A finite point.
pub(crate) type Affine = curve::Affine<Fe>;
/// A point or infinity.
pub(crate) type Jacobian = curve::Jacobian<Fe>;

/// The curve y^2 = x^3 + 7 with the generator of SEC 2, section 2.4.1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Secp256k1;

impl Curve for Secp256k1 {
    type Prime = P256k1;
    const B: u64 = 7;
    const BETA: [u64; 4] = BETA;
    const GENERATOR: [[u64; 4]; 2] = [
        [0x59f2_815b_16f8_1798, 0x029b_fcdb_2dce_28d9, 0x55a0_6295_ce87_0b07, 0x79be_667e_f9dc_bbac],
        [0x9c47_d08f_fb10_d4b8, 0xfd17_b448_a685_5419, 0x5da4_fbfc_0e11_08a8, 0x483a_da77_26a3_c465],
    ];
}

/// A curve over secp256k1's field with the scalars of its group: what the equations of the schemes are generic over, so
/// that groups small enough to try every case run the same code.
pub(crate) trait Group: Curve<Prime = P256k1> {
    /// Integers modulo the order of the generator.
    type Scalar: Copy + Mul<Output = Self::Scalar> + Neg<Output = Self::Scalar>;

    /// a P + b G. Variable time.
    fn double_mul_vartime(a: &Self::Scalar, point: &Affine, b: &Self::Scalar) -> Jacobian;

    /// Whether the point is finite and its x coordinate, modulo the group order, is r. Variable time.
    fn x_reduces_to_vartime(point: &Jacobian, r: &Self::Scalar) -> bool;
}

impl Group for Secp256k1 {
    type Scalar = Scalar;

    fn double_mul_vartime(a: &Scalar, point: &Affine, b: &Scalar) -> Jacobian {
        point_mul(point, a).add_complete(generator_mul(b))
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

/// r + n, where that is below p: the other x coordinate that reduces to r.
pub(crate) fn above_order(r: &Scalar) -> Option<[u64; 4]> {
    let mut sum = [0; 4];
    let mut carry = false;
    for (sum, (r, n)) in sum.iter_mut().zip(r.limbs().iter().zip(&Scalar::ORDER)) {
        (*sum, carry) = r.carrying_add(*n, carry);
    }
    if carry { None } else { FieldElement::from_limbs(sum).map(|x| x.limbs()) }
}

/// k G. Constant time.
pub(crate) fn generator_mul(k: &Scalar) -> Jacobian {
    point_mul(&Affine::generator::<Secp256k1>(), k)
}

/// k P. Constant time.
pub(crate) fn point_mul(point: &Affine, k: &Scalar) -> Jacobian {
    let mut sum = Jacobian::infinity();
    for limb in k.limbs().iter().rev() {
        for bit in (0..64).rev() {
            sum = sum.double();
            let mask = phalanx_engine::word::Mask1::from_bit(limb >> bit & 1);
            sum = Jacobian::select(mask, sum.add_mixed_complete(*point), sum);
        }
    }
    sum
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
    FieldElement::batch_invert(inverses);
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
