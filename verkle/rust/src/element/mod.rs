//! The group.
//!
//! | file | holds |
//! |---|---|
//! | `edwards` | the points of odd order of a twisted Edwards curve, and why their formulas have no exceptions |
//! | `weierstrass` | the same points on the curve where the engine's sums are computed |
//! | `subgroup` | which points belong to the group, and which of an element's two points has odd order |
//! | `encoding` | bytes, and the map to the scalar field |
//! | `multiply` | multiples of an element |
//! | `operators` | the traits |

mod edwards;
mod encoding;
mod multiply;
mod operators;
mod subgroup;
mod weierstrass;

pub use encoding::DecodeError;
pub(crate) use multiply::{Multiples, digits, sum_of_products};
pub use weierstrass::Bandersnatch;

use crate::field::Fe;
use edwards::Extended;
use phalanx_engine::{
    curve::Jacobian,
    field::{Field, FieldX1},
    lanes::{is_infinity, read_entry},
    word::CacheLine,
};

/// An element of Banderwagon: the prime-order quotient of Bandersnatch in which Verkle commitments live.
///
/// Of the two points (x, y) and (-x, -y) that stand for an element, the one of odd order is held, whatever the element
/// came from. So operations have no exceptional case, and equality compares x / y.
///
/// Operations take the same time for all elements, except those that say `_vartime`, decoding, [`Element::write_rows`] and
/// `Debug`.
///
/// ```
/// use phalanx_banderwagon::{Element, Scalar};
///
/// let g = Element::GENERATOR_BYTES;
/// let g = Element::from_bytes(&g)?;
/// assert_eq!(g, Element::generator());
/// assert_eq!(g + g, g.double());
/// assert_eq!(g * Scalar::from(3u64) - g, g.double());
/// assert_eq!((g - g).to_bytes(), [0; 32]);
/// # Ok::<(), phalanx_banderwagon::DecodeError>(())
/// ```
///
/// Source: the Verkle tree specification of Ethereum (EIP-6800); Masson, Sanso and Zhang, "Bandersnatch: a fast
/// elliptic curve built over the BLS12-381 scalar field", 2021.
#[derive(Clone, Copy)]
pub struct Element(Extended<Fe>);

impl Element {
    /// The encoding of [`Self::generator`].
    pub const GENERATOR_BYTES: [u8; 32] = [
        0x4a, 0x2c, 0x74, 0x86, 0xfd, 0x92, 0x48, 0x82, 0xbf, 0x02, 0xc6, 0x90, 0x8d, 0xe3, 0x95, 0x12, 0x28, 0x43,
        0xe3, 0xe0, 0x52, 0x64, 0xd7, 0x99, 0x1e, 0x18, 0xe7, 0x98, 0x5d, 0xad, 0x51, 0xe9,
    ];

    /// The neutral element.
    pub fn identity() -> Element {
        Element(Extended::identity())
    }

    /// The generator.
    pub fn generator() -> Element {
        Element(Extended::generator())
    }

    /// Twice the element.
    #[must_use]
    pub fn double(&self) -> Element {
        Element(self.0.double())
    }

    /// Whether this is the neutral element, for public elements.
    pub fn is_identity_vartime(&self) -> bool {
        *self == Element::identity()
    }

    /// Coordinates (X : Y : Z : T) of the element's point, each below p, in words, least significant first: the fastest way
    /// to keep an element outside of this type. [`Element::to_bytes`] is its encoding.
    pub fn to_coordinates(&self) -> [[u64; 4]; 4] {
        [self.0.x, self.0.y, self.0.z, self.0.t].map(|number| number.normalize().to_words())
    }

    /// The element of coordinates that [`Element::to_coordinates`] gave. Zeros are the neutral element. Of any others
    /// nothing is an element that comes of it, and this is not checked.
    pub fn from_coordinates(coordinates: &[[u64; 4]; 4]) -> Element {
        if *coordinates == [[0; 4]; 4] {
            return Element::identity();
        }
        let [x, y, z, t] = coordinates.map(Fe::from_words);
        Element(Extended { x, y, z, t })
    }

    /// The element of a point that the engine computed over [`Bandersnatch`]. The point must be of
    /// odd order, as sums of the points of [`Element::write_rows`] are.
    pub fn from_sum(point: Jacobian<Fe>) -> Element {
        Element(Extended::from_weierstrass(point))
    }

    /// The element of a row of the engine's sums over [`Bandersnatch`], infinity being the neutral element. Variable
    /// time.
    pub fn from_row_vartime(row: &CacheLine) -> Element {
        if is_infinity(row) { Element::identity() } else { Element(Extended::from_affine_weierstrass(read_entry(row))) }
    }
}

#[cfg(test)]
mod tests;
