//! What may stand for a point.

use super::{Msm, points};
use crate::{Error, Point, PublicKey, PublicKeyRef, tables::Entry};
use alloc::vec::Vec;
use phalanx_engine::lanes::{INFINITY, is_infinity};

/// A type whose values stand for points: [`Point`], [`PublicKey`], and the encodings [`PublicKeyRef`] and `[u8; 33]`.
/// The last may be infinity: 33 zero bytes, as [`Point::to_bytes`] writes it.
///
/// Jacobian points are normalised together, for about three multiplications each; encoded ones are lifted in lanes.
pub trait PointInput: sealed::Points {}

impl<T: sealed::Points> PointInput for T {}

/// The points of a sum, in affine coordinates.
#[derive(Debug, Clone)]
pub enum PointStore<'a> {
    /// In memory of their own, all zero for infinity.
    Entries(Vec<Entry>),
    /// In the caller's memory.
    Keys(&'a [PublicKey]),
}

impl PointStore<'_> {
    pub(super) fn as_points(&self) -> points::FinitePoints<'_> {
        match self {
            PointStore::Entries(entries) => points::FinitePoints::Entries(entries),
            PointStore::Keys(keys) => points::FinitePoints::Keys(keys),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Entry {
        match self {
            PointStore::Entries(entries) => entries[index],
            PointStore::Keys(keys) => keys[index].entry(),
        }
    }

    pub(super) fn are_finite(&self) -> bool {
        match self {
            PointStore::Entries(entries) => !entries.iter().any(is_infinity),
            PointStore::Keys(_) => true,
        }
    }
}

pub(crate) mod sealed {
    use super::{Error, Msm, PointStore};

    /// What `PointInput` asks of a type. Only types of this crate can have it.
    pub trait Points: Sized {
        /// The points in affine coordinates. `msm` says by what means they are computed.
        fn affine<'a>(points: &'a [Self], msm: &Msm) -> Result<PointStore<'a>, Error>;
    }
}

use sealed::Points;

impl Points for PublicKey {
    fn affine<'a>(points: &'a [Self], _: &Msm) -> Result<PointStore<'a>, Error> {
        Ok(PointStore::Keys(points))
    }
}

impl Points for Point {
    fn affine<'a>(points: &'a [Self], _: &Msm) -> Result<PointStore<'a>, Error> {
        Ok(PointStore::Entries(Point::batch_to_entries(points)))
    }
}

impl Points for PublicKeyRef<'_> {
    fn affine<'a>(points: &'a [Self], msm: &Msm) -> Result<PointStore<'a>, Error> {
        let encoded = points.iter().filter_map(|point| match point {
            PublicKeyRef::Encoded(bytes) => Some(*bytes),
            _ => None,
        });
        let mut keys = msm.bulk()?.decompress(&encoded.collect::<Vec<_>>()).into_iter();
        let key = |point: &PublicKeyRef<'_>| match point {
            PublicKeyRef::Encoded(_) => keys.next().unwrap_or(Err(Error::BadPublicKey)),
            _ => point.parse(),
        };
        points.iter().map(key).map(|key| key.map(|key| key.entry())).collect::<Result<_, _>>().map(PointStore::Entries)
    }
}

impl Points for [u8; 33] {
    fn affine<'a>(points: &'a [Self], msm: &Msm) -> Result<PointStore<'a>, Error> {
        let is_finite = |point: &&[u8; 33]| **point != [0; 33];
        let finite = points.iter().filter(is_finite).map(<[u8; 33]>::as_slice).collect::<Vec<_>>();
        let mut keys = msm.bulk()?.decompress(&finite).into_iter();
        let entry = |point: &[u8; 33]| {
            if !is_finite(&point) {
                return Ok(INFINITY);
            }
            keys.next().unwrap_or(Err(Error::BadPublicKey)).map(|key| key.entry())
        };
        points.iter().map(entry).collect::<Result<_, _>>().map(PointStore::Entries)
    }
}
