//! What interfaces to other languages and the sister crates need beside the public interface: rows in columns, memory
//! that the caller lends, the list of operations, and parts of schemes.
//!
//! **Without any promise of stability**: this may change in any version. A crate that uses it names the exact one:
//! `phalanx = { version = "=0.1.0", features = ["bindings"] }`.

#[cfg(phalanx_valgrind)]
pub use crate::declassify::make_defined_for_valgrind;
#[cfg(feature = "bulk")]
pub use crate::{
    batch::ecdsa::HintedColumns,
    bulk::{
        columns::{ColumnKind, ColumnOptions, Declaration, SharedKind},
        operations::Operation,
    },
    ecdsa::row::Columns as EcdsaColumns,
    msm::fixed_base::{FixedBasePlan, FixedBaseTables},
    schnorr::row::Columns as SchnorrColumns,
};
pub use crate::{
    column::Column,
    declassify::declassify,
    encoding::hex::secret_hex,
    hash::{
        compress::{BuiltIn, Compression},
        hmac::HmacKey,
        sha256_by::Sha256By,
    },
    one_thread::OneThread,
    wipe::Stack,
};
/// A line of 64 bytes of a workspace, as [`OneThread`] takes it.
pub use phalanx_engine::word::CacheLine;

use crate::{Point, PublicKey, Scalar, SecretKey, hash::TaggedHash};

/// Tags whose prefixes are hashed in advance.
pub mod tags {
    pub use crate::hash::tags::*;
}

/// The pieces of silent payments (BIP-352), of which the crate `phalanx-silent` is made.
#[cfg(feature = "bulk")]
pub mod payments {
    pub use crate::payments::*;
}

/// The key as a number, which the caller should not copy.
pub fn scalar_of(secret: &SecretKey) -> &Scalar {
    secret.scalar()
}

/// A hasher that has taken the tag's prefix. The caller clears the stack.
pub const fn hasher<C: Compression>(tag: &TaggedHash, compression: C) -> Sha256By<C> {
    tag.begin(compression)
}

/// As [`TaggedHash::hash`] by this compression function. The caller clears the stack.
pub fn hash_by(tag: &TaggedHash, compression: impl Compression, parts: &[&[u8]]) -> [u8; 32] {
    tag.hash_by(compression, parts)
}

/// The sum of a point and a key. Variable time.
pub fn add_key_vartime(point: &Point, key: &PublicKey) -> Point {
    point.add_key_vartime(key)
}

/// The key of a point, none for infinity. Variable time.
pub fn key_of_vartime(point: &Point) -> Option<PublicKey> {
    PublicKey::of_point_vartime(point)
}

/// The sums of two points with a key each, none for infinity. One inversion serves the additions and the conversions.
/// Variable time.
pub fn key_sums_vartime(points: &[Point; 2], keys: &[PublicKey; 2]) -> [Option<PublicKey>; 2] {
    PublicKey::of_sums_vartime(points, keys)
}

/// The key with these coordinates in little-endian limbs, none where they are those of no point. Variable time.
pub fn from_coordinates_vartime(coordinates: [[u64; 4]; 2]) -> Option<PublicKey> {
    PublicKey::from_coordinates_vartime(coordinates)
}

/// x and y of a key in little-endian limbs.
pub fn coordinates(key: &PublicKey) -> [[u64; 4]; 2] {
    key.coordinates()
}
