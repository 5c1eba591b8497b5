//! The three hashes of BIP-352.

use phalanx::{
    PublicKey, SecretKey,
    bindings::{BuiltIn, payments as silent},
};
use phalanx_bitcoin::OutPoint;
use zeroize::Zeroizing;

use crate::Error;

/// A compressed point that is secret. Not on the stack, where moves leave copies.
pub(crate) type SharedPoint = Box<Zeroizing<[u8; 33]>>;

/// The scalar that the inputs of a transaction multiply their keys by: the hash of the smallest outpoint and of the sum
/// of the keys.
///
/// # Errors
/// [`Error::NoEligibleInput`] without outpoints, [`Error::BadHash`].
pub(crate) fn input_hash(outpoints: impl Iterator<Item = OutPoint>, sum: &PublicKey) -> Result<SecretKey, Error> {
    let bytes = |outpoint: OutPoint| {
        let mut bytes = [0; 36];
        bytes[..32].copy_from_slice(&outpoint.txid);
        bytes[32..].copy_from_slice(&outpoint.index.to_le_bytes());
        bytes
    };
    let smallest = outpoints.map(bytes).min().ok_or(Error::NoEligibleInput)?;
    let hash = silent::input_hash(BuiltIn, &smallest, &sum.to_bytes());
    SecretKey::from_bytes(&hash).map_err(|_| Error::BadHash)
}

/// The shared point of a public and a secret key. Constant time in the secret.
pub(crate) fn shared_point(public: &PublicKey, secret: &SecretKey) -> SharedPoint {
    phalanx::ecdh::shared_secret_with(public, secret, |x, y| {
        let mut point = SharedPoint::new(Zeroizing::new([0; 33]));
        point[0] = 2 + (y[31] & 1);
        point[1..].copy_from_slice(x);
        point
    })
}

/// The tweak of output k. Constant time.
pub(crate) fn output_tweak(shared: &SharedPoint, k: u32) -> Result<SecretKey, Error> {
    silent::output_tweak(shared, k).map_err(|_| Error::BadHash)
}

/// The tweak of a label. Constant time in the scan secret.
pub(crate) fn label_tweak(scan: &SecretKey, label: u32) -> Result<SecretKey, Error> {
    silent::label_tweak(scan, label).map_err(|_| Error::BadLabel(label))
}
