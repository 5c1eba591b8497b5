//! What may stand for a point.

use super::Msm;
use crate::{Error, Point, PublicKey, PublicKeyRef, tables::Entry};
use alloc::vec::Vec;

/// A type whose values stand for points: [`Point`], [`PublicKey`], and the encodings [`PublicKeyRef`] and `[u8; 33]`.
///
/// Jacobian points are normalised together, for about three multiplications each; encoded ones are lifted in lanes.
pub trait Input: sealed::Points {}

impl<T: sealed::Points> Input for T {}

/// Affine points in memory, all zero for infinity.
#[derive(Debug)]
pub struct Affine(pub(super) Vec<Entry>);

pub(super) mod sealed {
    use super::{Affine, Error, Msm};

    /// What only types of this crate can do.
    pub trait Points: Sized {
        /// The points in memory.
        fn affine(points: &[Self], msm: &Msm) -> Result<Affine, Error>;
    }
}

use sealed::Points;

pub(super) const INFINITY: Entry = Entry([0; 8]);

impl Points for PublicKey {
    fn affine(points: &[Self], _: &Msm) -> Result<Affine, Error> {
        Ok(Affine(points.iter().map(PublicKey::entry).collect()))
    }
}

impl Points for Point {
    fn affine(points: &[Self], _: &Msm) -> Result<Affine, Error> {
        Ok(Affine(Point::batch_to_entries(points)))
    }
}

impl Points for PublicKeyRef<'_> {
    fn affine(points: &[Self], msm: &Msm) -> Result<Affine, Error> {
        let encoded = points.iter().filter_map(|point| match point {
            PublicKeyRef::Encoded(bytes) => Some(*bytes),
            _ => None,
        });
        let mut keys = msm.bulk()?.decompress(&encoded.collect::<Vec<_>>()).into_iter();
        let key = |point: &PublicKeyRef<'_>| match point {
            PublicKeyRef::Encoded(_) => keys.next().unwrap_or(Err(Error::BadPublicKey)),
            _ => point.parse(),
        };
        points.iter().map(key).map(|key| key.map(|key| key.entry())).collect::<Result<_, _>>().map(Affine)
    }
}

impl Points for [u8; 33] {
    fn affine(points: &[Self], msm: &Msm) -> Result<Affine, Error> {
        let points: Vec<_> = points.iter().map(|bytes| PublicKeyRef::Encoded(bytes)).collect();
        Points::affine(&points, msm)
    }
}
