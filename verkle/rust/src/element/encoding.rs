//! Elements as bytes, and as scalars.

use super::{
    Element,
    edwards::{D, Extended, MINUS_A},
    subgroup::{has_odd_order_vartime, is_member_vartime},
};
use crate::{
    Scalar,
    field::{
        Fe, from_be_bytes, invert_vartime, is_equal_vartime, is_high, is_square_vartime, sqrt_vartime, to_be_bytes,
        with_inverses,
    },
};
use core::fmt;
use phalanx_engine::{
    field::{Field, FieldX1},
    word::Mask,
};

/// Why bytes are not an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// A coordinate is not below p.
    NotCanonical,
    /// No point of the curve has this x, or these coordinates.
    NotOnCurve,
    /// The point is on the curve, but outside of the group: 1 - a x^2 is not a square.
    NotInGroup,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecodeError::NotCanonical => "a coordinate is not below the modulus of the field",
            DecodeError::NotOnCurve => "the coordinates are of no point of the curve",
            DecodeError::NotInGroup => "the point is on the curve but not in the group",
        })
    }
}

impl core::error::Error for DecodeError {}

impl Element {
    /// The element in 32 bytes: x, big-endian, of the point whose y is above (p - 1) / 2.
    pub fn to_bytes(&self) -> [u8; 32] {
        let inverse = self.0.z.invert();
        self.encode_with(inverse)
    }

    /// The encodings of many elements, with one inversion for 256 of them.
    ///
    /// ```
    /// use phalanx_banderwagon::Element;
    ///
    /// let elements = [Element::generator(), Element::generator().double(), Element::identity()];
    /// let mut bytes = [[0; 32]; 3];
    /// Element::batch_to_bytes(&elements, &mut bytes);
    /// assert_eq!(bytes, elements.map(|element| element.to_bytes()));
    /// ```
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn batch_to_bytes(elements: &[Element], out: &mut [[u8; 32]]) {
        with_inverses(elements, out, Fe::invert, |element| element.0.z, Element::encode_with);
    }

    /// The encoding, given 1 / Z.
    fn encode_with(&self, inverse: Fe) -> [u8; 32] {
        let (x, y) = (self.0.x.mul(inverse), self.0.y.mul(inverse).normalize());
        to_be_bytes(Fe::select(is_high(y), x, x.negate(1)).normalize())
    }

    /// The element of an encoding. Variable time: encodings are public.
    ///
    /// ```
    /// use phalanx_banderwagon::{DecodeError, Element};
    ///
    /// assert_eq!(Element::from_bytes(&[0xff; 32]).unwrap_err(), DecodeError::NotCanonical);
    /// ```
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Element, DecodeError> {
        let x = from_be_bytes(bytes).ok_or(DecodeError::NotCanonical)?;
        // y^2 = u / v with u = 1 - a x^2 and v = 1 - d x^2; neither is zero, because a and d are not squares.
        let xx = x.square();
        let u = Fe::one().add(xx.scale(MINUS_A)).weaken();
        let v = Fe::one().difference(xx.mul(Fe::constant(D)), 1).weaken();
        match (is_square_vartime(u), is_square_vartime(v)) {
            (true, true) => {}
            (false, false) => return Err(DecodeError::NotInGroup),
            _ => return Err(DecodeError::NotOnCurve),
        }
        let root = sqrt_vartime(u.mul(v)).ok_or(DecodeError::NotOnCurve)?;
        let y = root.mul(invert_vartime(v)).normalize();
        let y = if is_high(y).any() { y } else { y.negate(1).normalize() };
        Ok(Element::of_member_vartime(x, y))
    }

    /// The point of odd order in 64 bytes: x, then y, both big-endian.
    pub fn to_uncompressed(&self) -> [u8; 64] {
        let inverse = self.0.z.invert();
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&to_be_bytes(self.0.x.mul(inverse).normalize()));
        bytes[32..].copy_from_slice(&to_be_bytes(self.0.y.mul(inverse).normalize()));
        bytes
    }

    /// The element of either of its two points, x, then y, both big-endian. Variable time.
    ///
    /// The point is checked as [`Element::from_bytes`] checks it, without a square root.
    pub fn from_uncompressed(bytes: &[u8; 64]) -> Result<Element, DecodeError> {
        let (halves, _) = bytes.as_chunks::<32>();
        let x = from_be_bytes(&halves[0]).ok_or(DecodeError::NotCanonical)?;
        let y = from_be_bytes(&halves[1]).ok_or(DecodeError::NotCanonical)?;
        // a x^2 + y^2 = 1 + d x^2 y^2.
        let (xx, yy) = (x.square(), y.square());
        let left = yy.sub(xx.scale(MINUS_A), MINUS_A).weaken();
        let right = xx.mul(yy).mul_add(Fe::constant(D), Fe::one());
        if !is_equal_vartime(left, right) {
            return Err(DecodeError::NotOnCurve);
        }
        if !is_member_vartime(x) {
            return Err(DecodeError::NotInGroup);
        }
        Ok(Element::of_member_vartime(x, y))
    }

    /// The element of a point of the group: the point itself, or (-x, -y), whichever has odd order.
    fn of_member_vartime(x: Fe, y: Fe) -> Element {
        let (x, y) = if has_odd_order_vartime(y) { (x, y) } else { (x.negate(1).weaken(), y.negate(1).weaken()) };
        Element(Extended::from_affine(x, y))
    }

    /// The element as a scalar: x / y, a number modulo p, taken modulo r. The neutral element gives 0.
    ///
    /// This is no hash: it is neither injective nor random, and binds in Pedersen commitments (EIP-6800).
    pub fn map_to_scalar_field(&self) -> Scalar {
        self.map_with(self.0.y.invert())
    }

    /// [`Element::map_to_scalar_field`] of many elements, with one inversion for 256 of them.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn batch_map_to_scalar_field(elements: &[Element], out: &mut [Scalar]) {
        with_inverses(elements, out, Fe::invert, |element| element.0.y, Element::map_with);
    }

    /// As [`Element::map_to_scalar_field`], in variable time.
    pub fn map_to_scalar_field_vartime(&self) -> Scalar {
        self.map_with(invert_vartime(self.0.y))
    }

    /// As [`Element::batch_map_to_scalar_field`], in variable time, which tells where there are few elements.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn batch_map_to_scalar_field_vartime(elements: &[Element], out: &mut [Scalar]) {
        with_inverses(elements, out, invert_vartime, |element| element.0.y, Element::map_with);
    }

    /// X / Y modulo r, given 1 / Y.
    fn map_with(&self, inverse: Fe) -> Scalar {
        Scalar::from_limbs_reduced(self.0.x.mul(inverse).normalize().to_words())
    }
}
