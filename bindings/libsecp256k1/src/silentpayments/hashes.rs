//! The hashes of the BIP, and the secret that sender and recipient share.

use crate::{
    callbacks::Compression,
    context::Context,
    declassify::declassify,
    opaque::{Coordinates, PubkeyBytes, big_endian},
    pubkey::compressed,
    sha256::Sha256,
};
use phalanx::{Scalar, SecretKey, ecdh::shared_secret_with};
use zeroize::Zeroize;

/// More outputs of one scan key are not looked for.
pub(super) const GROUP_LIMIT: usize = 2323;

/// The state after the hash of `BIP0352/Inputs`, twice.
const INPUTS: [u32; 8] =
    [0xd414_3ffc, 0x012e_a4b5, 0x36e2_1c8f, 0xf7ec_7b54, 0x4dd4_e2ac, 0x9bca_a0a4, 0xe244_899b, 0xcd06_903e];
/// The state after the hash of `BIP0352/SharedSecret`, twice.
const SHARED_SECRET: [u32; 8] =
    [0x8883_1537, 0x5127_079b, 0x69c2_137b, 0xab03_03e6, 0x98fa_21fa, 0x4a88_8523, 0xbd99_daab, 0xf25e_5e0a];
/// The state after the hash of `BIP0352/Label`, twice.
const LABEL: [u32; 8] =
    [0x26b9_5d63, 0x8bf1_b740, 0x10a5_986f, 0x06a3_87a5, 0x2d1c_1c30, 0xd035_951a, 0x2d7f_0f96, 0x29e3_e0db];

/// A hash that is a scalar from 1 to n - 1. No input is known for which it is not.
fn nonzero(hash: &[u8; 32]) -> Option<Scalar> {
    Scalar::from_bytes(hash).filter(|scalar| !bool::from(scalar.is_zero()))
}

/// The hash of a transaction's inputs.
pub(super) fn input_hash(compression: Compression, outpoint: &[u8; 36], keys: &Coordinates) -> Option<Scalar> {
    let mut hash = Sha256::after_block(INPUTS, compression);
    hash.update(outpoint);
    hash.update(&compressed(keys));
    nonzero(&hash.finish())
}

/// The tweak of a label. It is a secret of the recipient.
pub(super) fn label_tweak(compression: Compression, scan_key: &[u8; 32], label: u32) -> [u8; 32] {
    let mut hash = Sha256::after_block(LABEL, compression);
    hash.update(scan_key);
    hash.update(&label.to_be_bytes());
    hash.finish()
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
        let mut hash = Sha256::after_block(SHARED_SECRET, context.compression());
        hash.update(&self.0);
        hash.update(&(count as u32).to_be_bytes());
        // A sender publishes what comes of it, and a recipient branches on whether it is found.
        nonzero(&declassify(context, hash.finish()))
    }
}

/// P + t G.
pub(super) fn output(key: &Coordinates, tweak: &Scalar) -> Option<Coordinates> {
    crate::pubkey::tweak_add(key, &big_endian(tweak.limbs()))
}
