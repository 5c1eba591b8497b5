//! The hashes of the BIP, and the secret that sender and recipient share.

use crate::{
    callbacks::Compression,
    context::Context,
    declassify::declassify,
    opaque::{Coordinates, PubkeyBytes, big_endian},
    pubkey::compressed,
};
use phalanx::{Scalar, SecretKey, bindings::payments as silent, ecdh::shared_secret_with};
use zeroize::Zeroize;

/// More outputs of one scan key are not looked for.
pub(super) const GROUP_LIMIT: usize = silent::MAX_OUTPUTS as usize;

/// A hash that is a scalar from 1 to n - 1. No input is known for which it is not.
fn nonzero(hash: &[u8; 32]) -> Option<Scalar> {
    Scalar::from_bytes(hash).ok().filter(|scalar| !bool::from(scalar.is_zero()))
}

/// The hash of a transaction's inputs.
pub(super) fn input_hash(compression: Compression, outpoint: &[u8; 36], keys: &Coordinates) -> Option<Scalar> {
    nonzero(&silent::input_hash(compression, outpoint, &compressed(keys)))
}

/// The secret that sender and recipient share: a product in compressed form. Wiped on drop.
pub(super) struct SharedSecret([u8; 33]);

impl Drop for SharedSecret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl SharedSecret {
    /// The product of a key with a secret number, none where the coordinates are no point. Constant time in the number.
    pub(super) fn new(context: &Context, key: &PubkeyBytes, secret: Scalar) -> Option<SharedSecret> {
        let key = Coordinates::read(key).key()?;
        let mut bytes = [2; 33];
        // Zero only where a program has written a summary itself.
        match declassify(context, secret.is_zero()).into() {
            true => bytes[1..].fill(0),
            false => {
                let secret = SecretKey::try_from(secret).ok()?;
                shared_secret_with(&key, &secret, |x, y| {
                    bytes[0] |= y[31] & 1;
                    bytes[1..].copy_from_slice(x);
                });
            }
        }
        Some(SharedSecret(bytes))
    }

    /// The number t by which the output of this count differs from the spend key.
    pub(super) fn output_tweak(&self, context: &Context, count: usize) -> Option<Scalar> {
        let hash = silent::output_hash(context.compression(), &self.0, count as u32);
        // A sender publishes what comes of it, and a recipient branches on whether it is found.
        nonzero(&declassify(context, hash))
    }
}

/// P + t G.
pub(super) fn output(key: &Coordinates, tweak: &Scalar) -> Option<Coordinates> {
    crate::pubkey::tweak_add(key, &big_endian(tweak.limbs()))
}
