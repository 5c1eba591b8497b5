//! The traits of the crate `signature` for BIP-340: other people's generic code signs and verifies by them.

use super::{Signature, sign, verify};
use crate::{Keypair, XOnlyPublicKey};
use signature::{Error, SignatureEncoding, Signer, Verifier};

impl signature::Keypair for Keypair {
    type VerifyingKey = XOnlyPublicKey;

    fn verifying_key(&self) -> XOnlyPublicKey {
        self.x_only()
    }
}

/// With 32 zero bytes for the auxiliary randomness.
impl Signer<Signature> for Keypair {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, Error> {
        Ok(sign(message, self, &[0; 32]))
    }
}

/// With 32 bytes of the generator for the auxiliary randomness.
#[cfg(feature = "rand_core")]
impl signature::RandomizedSigner<Signature> for Keypair {
    fn try_sign_with_rng<R: rand_core::TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        let mut aux = [0; 32];
        rng.try_fill_bytes(&mut aux).map_err(|_| Error::new())?;
        Ok(sign(message, self, &aux))
    }
}

impl Verifier<Signature> for XOnlyPublicKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        verify(message, signature, self).map_err(|_| Error::new())
    }
}

/// The 64 bytes of [`Signature::to_bytes`].
impl SignatureEncoding for Signature {
    type Repr = [u8; 64];
}

impl TryFrom<&[u8]> for Signature {
    type Error = crate::Error;

    /// Reads the 64 bytes.
    fn try_from(bytes: &[u8]) -> Result<Signature, crate::Error> {
        Signature::from_bytes(bytes)
    }
}

impl From<Signature> for [u8; 64] {
    fn from(signature: Signature) -> [u8; 64] {
        signature.to_bytes()
    }
}
